/* Rights of a batch command, and of the viewer, in their sandboxes: tried by a child, which reports by its status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sys/anon_file.h"
#include "sys/atomic_file.h"
#include "sys/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
	return 0;
}

static int remove_dirs(void **state)
{
	(void)state;
	unlink(elsewhere);
	out[strlen(out) - strlen("/out")] = 0;
	return rmdir(out) || rmdir(dir);
}

static struct atomic_file file;
static const char *const logs[] = {LOG};
static struct sandbox_files files = {.logs = logs, .n_logs = 1, .nameless = 1};

/* The answer of a child that tries it inside: whatever try says, or that there is no sandbox here. */
static int inside(int (*try)(void))
{
#ifdef PORTABLE
	print_message("skipped: no Landlock or seccomp here\n");
	skip();
#endif
	int status = UNTRIED;
	pid_t child = fork();
	if (child == 0) {
		struct evl_err err;
		bool good = atomic_file_begin(&file, out, true, &err) == 0 && atomic_file_entrust(&file, &err) == 0;
		enum sandbox held = sandbox_enter(&files);
		_exit(!good ? UNTRIED : held == SANDBOX_ALL ? try() : NO_KERNEL);
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_KERNEL) {
		print_message("skipped: no Landlock or seccomp here\n");
		skip();
	}
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
	struct evl_err err;
	return !atomic_file_put(&file, "abc", 3) || atomic_file_end(&file, true, &err) < 0;
}

static int write_beside(void)
{
	char beside[sizeof out + 1];
	snprintf(beside, sizeof beside, "%s2", out);
	return opens(beside, O_WRONLY | O_CREAT);
}

static int nameless(void)
{
	char byte;
	int fd = anon_file_open();
	return fd < 0 || !anon_file_write(fd, 7, "x", 1) || anon_file_read(fd, 7, &byte, 1) != 1;
}

static void *answer(void *arg) { return arg; }

static int start_thread(void)
{
	pthread_t thread;
	void *got = NULL;
	return pthread_create(&thread, NULL, answer, dir) || pthread_join(thread, &got) || got != dir;
}

/* Calls that a log could gain from. */
static int way_out(void)
{
	static const struct {
		long call, a, b, c;
	} calls[] = {{SYS_ioctl, 0, TIOCSTI, 0}, {SYS_ioctl, 0, TIOCLINUX, 0}, {SYS_ptrace, 16, 0, 0},
		{SYS_process_vm_readv, 0, 0, 0}, {SYS_process_vm_writev, 0, 0, 0}, {SYS_io_uring_setup, 0, 0, 0},
		{SYS_pidfd_getfd, -1, -1, 0}, {SYS_pidfd_open, 1, 0, 0}, {SYS_kill, 1, 0, 0},
		{SYS_unshare, CLONE_NEWUSER, 0, 0}, {SYS_mount, 0, 0, 0}, {SYS_fchmod, 0, 0600, 0},
		{SYS_fchmodat, AT_FDCWD, 0, 0}, {SYS_fchown, 0, 0, 0}, {SYS_setxattr, 0, 0, 0}, {SYS_bpf, 0, 0, 0},
		{SYS_keyctl, 0, 0, 0}, {SYS_userfaultfd, 0, 0, 0}, {SYS_clone, SIGCHLD, 0, 0},
		{SYS_mprotect, 0, 0, PROT_EXEC}, {SYS_mmap, 0, 4096, PROT_EXEC}, {SYS_linkat, AT_FDCWD, 0, AT_FDCWD},
		{SYS_renameat2, AT_FDCWD, 0, AT_FDCWD}, {SYS_unlinkat, AT_FDCWD, 0, 0},
		{SYS_prctl, PR_SET_DUMPABLE, 1, 0}, {SYS_sendmsg, 1, 0, 0}, {SYS_memfd_create, 0, 0, 0}};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (syscall(calls[i].call, calls[i].a, calls[i].b, calls[i].c, 0, 0, 0) != -1 || errno != EPERM)
			return 1 + (int)i;
	return 0;
}

/* The modes of a terminal can be asked for, by the viewer also set: by the call of glibc and by that of its releases since 2.42. */
static int terminal_modes(void)
{
	enum { GETS = 2 };
	static const long calls[] = {TCGETS, 0x802c542a, TCSETS, TCSETSW, TCSETSF, 0x402c542b, 0x402c542c, 0x402c542d};
	size_t n = files.viewer ? sizeof calls / sizeof *calls : GETS;
	for (size_t i = 0; i < n; i++)
		if (syscall(SYS_ioctl, -1, calls[i], 0) != -1 || errno != EBADF)
			return 1 + (int)i;
	return 0;
}

static void what_was_named(void **state)
{
	(void)state;
	assert_int_equal(inside(terminal_modes), 0);
	assert_int_equal(inside(read_log), 0);
	assert_int_equal(inside(write_output), 0);
	assert_int_equal(unlink(out), 0);
	assert_int_equal(inside(nameless), 0);
	assert_int_equal(inside(start_thread), 0);
}

/* However many paths are named, the last one can be read. */
static void many_files(void **state)
{
	enum { MANY = 300 };
	static const char *paths[MANY];
	(void)state;
	for (int i = 0; i < MANY; i++)
		paths[i] = i + 1 < MANY ? "/usr/lib" : "/etc/passwd";
	files.more = paths;
	files.n_more = MANY;
	int result = inside(read_other);
	files.more = NULL;
	files.n_more = 0;
	assert_int_equal(result, 0);
}

static void nothing_else(void **state)
{
	(void)state;
	assert_int_equal(inside(write_log), EPERM);
	assert_int_equal(inside(read_other), EACCES);
	assert_int_equal(inside(write_other), EPERM);
	assert_int_equal(inside(write_beside), EPERM);
	assert_int_equal(inside(way_out), 0);
	assert_int_equal(inside(list_home), EACCES);
	assert_int_equal(inside(start_program), EPERM);
	assert_int_equal(inside(open_socket), EPERM);
}

/* The viewer may do those of way_out that its exports need, but no others, and it may create files only. */
static int way_out_of_viewer(void)
{
	static const struct {
		long call, a, b, c;
	} calls[] = {{SYS_ioctl, 0, TIOCSTI, 0}, {SYS_ioctl, 0, TIOCLINUX, 0}, {SYS_ioctl, 0, TIOCSCTTY, 0},
		{SYS_ptrace, 16, 0, 0}, {SYS_process_vm_readv, 0, 0, 0}, {SYS_process_vm_writev, 0, 0, 0},
		{SYS_io_uring_setup, 0, 0, 0}, {SYS_pidfd_getfd, -1, -1, 0}, {SYS_pidfd_open, 1, 0, 0},
		{SYS_kill, 1, 0, 0}, {SYS_unshare, CLONE_NEWUSER, 0, 0}, {SYS_mount, 0, 0, 0},
		{SYS_fchmodat, AT_FDCWD, 0, 0}, {SYS_fchownat, AT_FDCWD, 0, 0}, {SYS_setxattr, 0, 0, 0},
		{SYS_bpf, 0, 0, 0}, {SYS_keyctl, 0, 0, 0}, {SYS_userfaultfd, 0, 0, 0}, {SYS_clone, SIGCHLD, 0, 0},
		{SYS_mprotect, 0, 0, PROT_EXEC}, {SYS_mmap, 0, 4096, PROT_EXEC}, {SYS_mknodat, AT_FDCWD, 0, 0},
		{SYS_symlinkat, 0, AT_FDCWD, 0}, {SYS_prctl, PR_SET_DUMPABLE, 1, 0}, {SYS_sendmsg, 1, 0, 0},
		{SYS_connect, 1, 0, 0}, {SYS_chdir, 0, 0, 0}, {SYS_chroot, 0, 0, 0}};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (syscall(calls[i].call, calls[i].a, calls[i].b, calls[i].c, 0, 0, 0) != -1 || errno != EPERM)
			return 1 + (int)i;
	return 0;
}

static int remove_folder(void)
{
	char name[sizeof elsewhere + 4];
	snprintf(name, sizeof name, "%s.dir", elsewhere);
	if (mkdir(name, 0700))
		return UNTRIED;
	return rmdir(name) ? errno : 0;
}

static void the_viewer(void **state)
{
	char name[sizeof elsewhere + 4];
	(void)state;
	files.viewer = true;
	assert_int_equal(inside(terminal_modes), 0);
	assert_int_equal(inside(read_log), 0);
	assert_int_equal(inside(read_other), 0);
	assert_int_equal(inside(write_other), 0);
	assert_int_equal(inside(list_home), 0);
	assert_int_equal(inside(start_thread), 0);
	assert_int_equal(inside(nameless), 0);
	assert_int_equal(inside(start_program), EPERM);
	assert_int_equal(inside(open_socket), EPERM);
	assert_int_equal(inside(way_out_of_viewer), 0);
	assert_int_equal(inside(remove_folder), EPERM);
	files.sockets = true;
	assert_int_equal(inside(open_socket), 0);
	assert_int_equal(inside(start_program), EPERM);
	files.viewer = files.sockets = false;
	snprintf(name, sizeof name, "%s.dir", elsewhere);
	rmdir(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_files),
		cmocka_unit_test(what_was_named),
		cmocka_unit_test(nothing_else),
		cmocka_unit_test(the_viewer),
	};
	return cmocka_run_group_tests(tests, make_dirs, remove_dirs);
}
