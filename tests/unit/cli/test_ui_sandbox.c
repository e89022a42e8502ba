/* What a command without a screen can do in its sandbox, and what it cannot: tried by a child, which answers with its
 * status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/sandbox.h"
#include "sys/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG "tests/logs/9.10.3-restart.eventlog"

enum { NO_KERNEL = 77, UNTRIED = 99 };

static char dir[] = "/tmp/evtui-sandbox-XXXXXX", out[64], elsewhere[64];

static int make_dirs(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(out, sizeof out, "%s/in", dir);
	assert_int_equal(mkdir(out, 0700), 0);
	snprintf(out, sizeof out, "%s/in/out", dir);
	snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", dir);
	setenv("TMPDIR", "/nowhere", true); /* or all of /tmp could be written to */
	return 0;
}

static int remove_dirs(void **state)
{
	(void)state;
	unlink(elsewhere);
	out[strlen(out) - strlen("/out")] = 0;
	return rmdir(out) || rmdir(dir);
}

/* The answer of a child that tries it inside: whatever try says, or that there is no sandbox here. */
static int inside(int (*try)(void))
{
	int status = UNTRIED;
	pid_t child = fork();
	if (child == 0)
		_exit(sandbox_enter(&(struct sandbox_files){.logs = {LOG}, .output = out}) ? try() : NO_KERNEL);
	assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_KERNEL)
		skip();
	return WEXITSTATUS(status);
}

/* 0, or the error. */
static int opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);
	return fd < 0 ? errno : 0;
}

static int read_log(void) { return opens(LOG, O_RDONLY); }
static int write_log(void) { return opens(LOG, O_WRONLY); }
static int read_other(void) { return opens("/etc/passwd", O_RDONLY); }
static int write_other(void) { return opens(elsewhere, O_WRONLY | O_CREAT); }
static int list_home(void) { return opens("/", O_RDONLY | O_DIRECTORY); }

static int start_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno;
}

static int open_socket(void) { return socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0; }

static int write_output(void)
{
	struct atomic_file f;
	struct evl_err err;
	if (atomic_file_begin(&f, out, false, &err) < 0 || !atomic_file_put(&f, "abc", 3)
		|| atomic_file_end(&f, true, &err) < 0)
		return 1;
	return atomic_file_begin(&f, out, true, &err) < 0 || atomic_file_end(&f, true, &err) < 0;
}

static void what_was_named(void **state)
{
	(void)state;
	assert_int_equal(inside(read_log), 0);
	assert_int_equal(inside(write_output), 0);
	assert_int_equal(unlink(out), 0);
}

static void nothing_else(void **state)
{
	(void)state;
	assert_int_equal(inside(write_log), EACCES);
	assert_int_equal(inside(read_other), EACCES);
	assert_int_equal(inside(write_other), EACCES);
	assert_int_equal(inside(list_home), EACCES);
	assert_int_equal(inside(start_program), EPERM);
	assert_int_equal(inside(open_socket), EPERM);
}

/* The message that there is no such file is for whoever opens it. */
static void not_for_what_is_not_there(void **state)
{
	(void)state;
	assert_false(sandbox_enter(&(struct sandbox_files){.logs = {"/nowhere/log"}}));
	assert_int_equal(read_other(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_named),
		cmocka_unit_test(nothing_else),
		cmocka_unit_test(not_for_what_is_not_there),
	};
	return cmocka_run_group_tests(tests, make_dirs, remove_dirs);
}
