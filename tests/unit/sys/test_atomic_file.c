/* Files that appear whole or not at all, and what is never replaced by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sys/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/evtui-test-XXXXXX";

static const char *in_dir(const char *name)
{
	static char paths[4][64];
	static int turn;
	char *path = paths[turn++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", dir, name);
	return path;
}

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	DIR *d = opendir(dir);
	for (struct dirent *e; (e = readdir(d));)
		unlinkat(dirfd(d), e->d_name, e->d_type == DT_DIR ? AT_REMOVEDIR : 0);
	closedir(d);
	return rmdir(dir);
}

static int entries(void)
{
	int n = 0;
	DIR *d = opendir(dir);
	for (struct dirent *e; (e = readdir(d));)
		n += *e->d_name != '.';
	closedir(d);
	return n;
}

static struct stat of(const char *path)
{
	struct stat st;
	assert_int_equal(lstat(path, &st), 0);
	return st;
}

static int save(const char *path, const char *text, bool force)
{
	struct evl_err err;
	return atomic_file_save(path, text, strlen(text), force, &err);
}

static void has(const char *path, const char *text)
{
	char bytes[16] = "";
	int fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, bytes, sizeof bytes - 1), strlen(text));
	assert_string_equal(bytes, text);
	close(fd);
}

static void a_file_appears_whole_or_not_at_all(void **state)
{
	(void)state;
	const char *path = in_dir("out");
	struct atomic_file f;
	struct evl_err err;
	assert_int_equal(atomic_file_begin(&f, path, false, &err), 0);
	assert_true(atomic_file_put(&f, "abc", 3));
	assert_int_equal(entries(), f.named);
	assert_int_equal(atomic_file_end(&f, false, &err), 0);
	assert_int_equal(entries(), 0);
	assert_int_equal(save(path, "abc", false), 0);
	has(path, "abc");
	assert_int_equal(save(path, "new", false), EVL_EXISTS);
	assert_int_equal(atomic_file_check(path, false, &err), EVL_EXISTS);
	assert_int_equal(atomic_file_check(path, true, &err), 0);
	assert_int_equal(save(path, "new", true), 0);
	has(path, "new");
	assert_int_equal(entries(), 1);
	/* one created in between is not replaced, and a directory never */
	assert_int_equal(unlink(path), 0);
	for (int force = 0; force < 2; force++) {
		assert_int_equal(atomic_file_begin(&f, path, force, &err), 0);
		assert_int_equal(mkdir(path, 0700), 0);
		assert_int_equal(atomic_file_end(&f, true, &err), EVL_EXISTS);
		assert_int_equal(rmdir(path), 0);
	}
	assert_int_equal(entries(), 0);
	assert_int_equal(save("/nowhere/out", "", false), EVL_IO);
}

static void what_is_no_file_stays_what_it_is(void **state)
{
	(void)state;
	const char *fifo = in_dir("fifo"), *real = in_dir("real"), *link = in_dir("link");
	char got[8] = "";
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(save(fifo, "abc", true), EVL_IO); /* no reader: no waiting */
	int fd = open(fifo, O_RDONLY | O_NONBLOCK);
	assert_int_equal(save(fifo, "abc", true), 0);
	assert_int_equal(save(fifo, "def", false), 0);
	assert_int_equal(read(fd, got, sizeof got), 6);
	assert_string_equal(got, "abcdef");
	close(fd);
	assert_true(S_ISFIFO(of(fifo).st_mode));
	assert_int_equal(save(real, "old", false), 0);
	assert_int_equal(symlink("real", link), 0);
	assert_int_equal(save(link, "new", false), EVL_EXISTS);
	assert_int_equal(save(link, "new", true), 0);
	assert_true(S_ISLNK(of(link).st_mode));
	has(real, "new");
	assert_int_equal(unlink(real), 0);
	assert_int_equal(save(link, "new", true), EVL_IO);
	assert_int_equal(save(dir, "new", true), EVL_IO);
	assert_int_equal(entries(), 2);
	const char *device = in_dir("device");
	if (mknod(device, S_IFCHR | 0600, 0x103) == 0) { /* only root can: the null device */
		assert_int_equal(save(device, "abc", true), 0);
		assert_true(S_ISCHR(of(device).st_mode));
	}
}

static void rights_are_kept(void **state)
{
	(void)state;
	const char *path = in_dir("secret");
	static const mode_t modes[] = {0600, 0640, 0444, 0755};
	assert_int_equal(save(path, "", false), 0);
	for (size_t i = 0; i < countof(modes); i++) {
		assert_int_equal(chmod(path, modes[i]), 0);
		bool other = geteuid() == 0 && chown(path, 12345, 23456) == 0;
		assert_int_equal(save(path, "abc", true), 0);
		assert_int_equal(of(path).st_mode & 07777, modes[i]);
		assert_true(!other || (of(path).st_uid == 12345 && of(path).st_gid == 23456));
	}
}

/* A child writes half a file and dies of the signal; 0: it ends the file. */
static void die(int sig, const char *path)
{
	struct atomic_file f;
	struct evl_err err;
	pid_t child = fork();
	if (child == 0) {
		bool good = atomic_file_begin(&f, path, true, &err) == 0 && atomic_file_entrust(&f, &err) == 0
			&& atomic_file_put(&f, "abc", 3);
		signal(sig, SIG_DFL); /* in the background of a shell, SIGINT is ignored */
		if (sig)
			raise(sig);
		_exit(good && atomic_file_end(&f, true, &err) == 0 ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(sig ? WTERMSIG(status) : WEXITSTATUS(status), sig);
}

static void signals_leave_nothing(void **state)
{
#ifdef PORTABLE
	print_message("skipped: a file without a name needs O_TMPFILE\n");
	skip();
#endif
	(void)state;
	const char *path = in_dir("out");
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGUSR1};
	for (size_t i = 0; i < countof(signals); i++)
		die(signals[i], path);
	assert_int_equal(entries(), 0);
	for (int again = 0; again < 2; again++) {
		die(0, path);
		has(path, "abc");
	}
	assert_int_equal(entries(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_appears_whole_or_not_at_all, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(what_is_no_file_stays_what_it_is, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(rights_are_kept, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(signals_leave_nothing, make_dir, remove_dir),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
