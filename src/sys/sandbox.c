#include "sys/sandbox.h"

#include "base/base.h"
#include "sys/anon_file.h"

#if defined __linux__ && !defined PORTABLE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- files: Landlock ------------------------------------------------------------------------------------------------ */

/* The kernel's, which the header of an older one does not have whole. */
struct ruleset {
	uint64_t fs, net, scoped;
};
enum { TRUNCATE = 1 << 14, DEVICES = 1 << 15, ALL_NET = 3, ALL_SCOPES = 3 };

#define ALL_OF_1 ((uint64_t)LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1)
#define READ     ((uint64_t)LANDLOCK_ACCESS_FS_READ_FILE)
#define LIST     ((uint64_t)LANDLOCK_ACCESS_FS_READ_DIR)

#define MAKE                                                                                                           \
	(READ | LIST                                                                                                   \
		| (uint64_t)(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR                             \
			| LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG))

/* All that this version of Landlock can forbid. */
static struct ruleset everything(int version)
{
	struct ruleset r = {.fs = ALL_OF_1};
	r.fs |= version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0;
	r.fs |= version >= 3 ? TRUNCATE : 0;
	r.net = version >= 4 ? ALL_NET : 0;
	r.fs |= version >= 5 ? DEVICES : 0;
	r.scoped = version >= 6 ? ALL_SCOPES : 0;
	return r;
}

static size_t size_for(int version)
{
	return version >= 6    ? sizeof(struct ruleset)
		: version >= 4 ? offsetof(struct ruleset, scoped)
			       : offsetof(struct ruleset, net);
}

/* Grant the access to the path and what is below it. */
static void allow(int rules, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = access, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
	if (rule.parent_fd < 0)
		return;
	syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
}

/* To write below the folder, and to remove it, if it is empty, from where it is. */
static void allow_folder(int rules, const char *folder)
{
	char *copy = strdup(folder);
	allow(rules, folder, MAKE);
	if (copy)
		allow(rules, dirname(copy), LANDLOCK_ACCESS_FS_REMOVE_DIR);
	free(copy);
}

/* The logs, and what the C library reads by itself: locales, how many processors there are. */
static void fill(int rules, const struct sandbox_files *files)
{
	static const char *const system[] = {"/usr/lib/locale", "/usr/share/locale", "/sys/devices/system/cpu"};
	for (size_t i = 0; i < files->n_logs; i++) {
		struct stat st;
		if (files->logs[i]
			&& stat(files->logs[i], &st) == 0) /* a directory can be opened, to say that it is one */
			allow(rules, files->logs[i], S_ISDIR(st.st_mode) ? LIST : READ);
	}
	for (size_t i = 0; i < files->n_more; i++)
		allow(rules, files->more[i], READ);
	if (files->cache)
		allow(rules, files->cache, READ);
	if (files->folder)
		allow_folder(rules, files->folder);
	for (size_t i = 0; i < countof(system); i++)
		allow(rules, system[i], READ);
}

/* The viewer: all files, and directories to make them in. */
static void limit_viewer(int rules, const struct ruleset *all)
{
	uint64_t never = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK
		| LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_SYM
		| LANDLOCK_ACCESS_FS_REMOVE_DIR;
	allow(rules, "/", all->fs & ~never);
}

static bool limit_files(const struct sandbox_files *files)
{
	enum { ABSTRACT_SOCKETS = 1 }; /* not signals: Ctrl-Z stops all of the job */
	int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 1)
		return false;
	struct ruleset all = everything(version);
	if (files->viewer)
		all.scoped &= ABSTRACT_SOCKETS;
	if (files->sockets)
		all.net = all.scoped = 0;
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size_for(version), 0);
	if (rules < 0)
		return false;
	if (files->viewer)
		limit_viewer(rules, &all);
	else
		fill(rules, files);
	bool good = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return good;
}

/* --- calls: seccomp ----------------------------------------------------------------------------------------------- */

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH
/* Calls without any danger here; and by what of which argument others are allowed. Those that take a name only look at it
 * or read, which Landlock limits. */
static const int plain[] = {
	SYS_read,
	SYS_pread64,
	SYS_readv,
	SYS_write,
	SYS_pwrite64,
	SYS_writev,
	SYS_close,
	SYS_lseek,
	SYS_fstat,
	SYS_newfstatat,
	SYS_statx,
	SYS_fstatfs,
	SYS_faccessat,
	SYS_readlinkat,
	SYS_getcwd,
	SYS_ftruncate,
	SYS_fallocate,
	SYS_fcntl,
	SYS_dup,
	SYS_dup3,
	SYS_pipe2,
	SYS_eventfd2,
	SYS_ppoll,
	SYS_munmap,
	SYS_mremap,
	SYS_madvise,
	SYS_mincore,
	SYS_brk,
	SYS_futex,
	SYS_set_robust_list,
	SYS_rseq,
	SYS_set_tid_address,
	SYS_membarrier,
	SYS_sched_getaffinity,
	SYS_sched_yield,
	SYS_setpriority,
	SYS_getpid,
	SYS_gettid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_wait4,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_clock_gettime,
	SYS_clock_getres,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_sysinfo,
	SYS_uname,
	SYS_getrusage,
	SYS_exit,
	SYS_exit_group,
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
#ifdef __x86_64__
	SYS_poll,
	SYS_access,
	SYS_stat,
	SYS_lstat,
	SYS_readlink,
	SYS_time,
	SYS_arch_prctl,
#endif
};

/* Of the viewer: files that its user names, marks that are kept, files that are followed, the terminal. */
static const int of_viewer[] = {
	SYS_openat,
	SYS_getdents64,
	SYS_mkdirat,
	SYS_unlinkat,
	SYS_renameat,
	SYS_renameat2,
	SYS_linkat,
	SYS_fchmod,
	SYS_fchown,
	SYS_fgetxattr,
	SYS_fsetxattr,
	SYS_getxattr,
	SYS_fsync,
	SYS_umask,
	SYS_inotify_init1,
	SYS_inotify_add_watch,
	SYS_inotify_rm_watch,
	SYS_epoll_create1,
	SYS_epoll_ctl,
	SYS_epoll_pwait,
	SYS_memfd_create,
	SYS_statfs,
	SYS_fadvise64,
	SYS_readahead,
	SYS_getpgid,
	SYS_getppid,
#ifdef __x86_64__
	SYS_open,
	SYS_mkdir,
	SYS_unlink,
	SYS_rename,
	SYS_link,
	SYS_getpgrp,
	SYS_epoll_wait,
#endif
};

/* Where its log comes from a socket, names of hosts included. */
static const int of_sockets[] = {
	SYS_socket,
	SYS_connect,
	SYS_bind,
	SYS_getsockopt,
	SYS_setsockopt,
	SYS_getsockname,
	SYS_getpeername,
	SYS_sendto,
	SYS_recvfrom,
	SYS_sendmsg,
	SYS_sendmmsg,
	SYS_recvmsg,
	SYS_shutdown,
	SYS_mmap, /* libraries that look up names */
	SYS_mprotect,
};

struct checked {
	int call, arg;
	uint32_t mask, want; /* allowed where the argument's bits of the mask are these */
};

/* TCGETS2, TCSETS2, TCSETSW2 and TCSETSF2, with which glibc 2.42 and later asks for the modes of a terminal and sets them. The
 * headers define them by a struct that they do not define. */
#define GET_MODES       0x802c542au
#define SET_MODES       0x402c542bu
#define SET_MODES_LATER 0x402c542cu
#define SET_MODES_FLUSH 0x402c542du

static const struct checked viewer_checked[] = {
	{SYS_ioctl, 1, UINT32_MAX, SET_MODES}, {SYS_ioctl, 1, UINT32_MAX, SET_MODES_LATER},
	{SYS_ioctl, 1, UINT32_MAX, SET_MODES_FLUSH}, {SYS_ioctl, 1, UINT32_MAX, TCSETS},
	{SYS_ioctl, 1, UINT32_MAX, TCSETSW}, {SYS_ioctl, 1, UINT32_MAX, TCSETSF}, {SYS_ioctl, 1, UINT32_MAX, TCFLSH},
	{SYS_ioctl, 1, UINT32_MAX, TIOCGPGRP}, {SYS_ioctl, 1, UINT32_MAX, FIONREAD},
	{SYS_kill, 0, UINT32_MAX, 0}, /* Ctrl-Z */
};

static const struct checked checked[] = {
	{SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, O_RDONLY},
	{SYS_mmap, 2, PROT_EXEC, 0},
	{SYS_mprotect, 2, PROT_EXEC, 0},
	{SYS_clone, 0, CLONE_THREAD | CLONE_VM | CLONE_NEWUSER | CLONE_NEWNS, CLONE_THREAD | CLONE_VM},
	{SYS_ioctl, 1, UINT32_MAX, TCGETS},
	{SYS_ioctl, 1, UINT32_MAX, GET_MODES},
	{SYS_ioctl, 1, UINT32_MAX, TIOCGWINSZ},
	{SYS_prlimit64, 2, UINT32_MAX, 0}, /* asks about this process; about others only by number */
#ifdef __x86_64__
	{SYS_open, 1, O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, O_RDONLY},
#endif
};

/* For those who write below a folder, which Landlock limits. */
static const int writing[] = {
	SYS_openat,
	SYS_renameat,
	SYS_renameat2,
	SYS_unlinkat,
	SYS_mkdirat,
#ifdef __x86_64__
	SYS_rmdir,
#endif
};

static size_t put(struct sock_filter *code, size_t n, struct sock_filter what)
{
	code[n] = what;
	return n + 1;
}

#define STMT(op, k)          ((struct sock_filter)BPF_STMT(op, k))
#define JUMP(op, k, yes, no) ((struct sock_filter)BPF_JUMP(op, k, yes, no))
#define LOAD(field)          STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

/* The lower half of an argument; all that is asked for is in there. */
static struct sock_filter load_arg(int arg)
{
	return STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (size_t)arg));
}

static size_t put_plain(struct sock_filter *code, size_t n, const int *calls, size_t n_calls)
{
	for (size_t i = 0; i < n_calls; i++) {
		n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1));
		n = put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	}
	return n;
}

static size_t put_checked(struct sock_filter *code, size_t n, const struct checked *calls, size_t n_calls)
{
	for (size_t i = 0; i < n_calls; i++) {
		n = put(code, n, LOAD(nr));
		n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].call, 0, 4));
		n = put(code, n, load_arg(calls[i].arg));
		n = put(code, n, STMT(BPF_ALU | BPF_AND | BPF_K, calls[i].mask));
		n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].want, 0, 1));
		n = put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	}
	return n;
}

static size_t make_filter(struct sock_filter *code, const struct sandbox_files *files)
{
	enum { X32_CALLS = 0x40000000 };
	size_t n = 0;
	n = put(code, n, LOAD(arch));
	n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
	n = put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	n = put(code, n, LOAD(nr));
	n = put(code, n, JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1));
	n = put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
	n = put_plain(code, n, plain, countof(plain));
	if (files->viewer)
		n = put_plain(code, n, of_viewer, countof(of_viewer));
	if (files->sockets)
		n = put_plain(code, n, of_sockets, countof(of_sockets));
	if (files->folder)
		n = put_plain(code, n, writing, countof(writing));
	n = put_checked(code, n, checked, countof(checked));
	if (files->viewer)
		n = put_checked(code, n, viewer_checked, countof(viewer_checked));
	n = put(code, n, LOAD(nr));
	n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3)); /* abort() and raise() */
	n = put(code, n, load_arg(0));
	n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1));
	n = put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	n = put(code, n, LOAD(nr)); /* the C library falls back to clone, whose flags can be looked at */
	n = put(code, n, JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
	n = put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
	return put(code, n, STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

static bool limit_calls(const struct sandbox_files *files)
{
	enum {
		ALLOWED = countof(plain) + countof(of_viewer) + countof(of_sockets) + countof(writing),
		ROOM = 6 + 2 * ALLOWED + 6 * (countof(checked) + countof(viewer_checked)) + 9
	};
	struct sock_filter code[ROOM];
	const struct sock_fprog program = {(unsigned short)make_filter(code, files), code};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static bool limit_calls(UNUSED const struct sandbox_files *files) { return false; }
#endif

static enum sandbox enter(const struct sandbox_files *files)
{
#ifdef NO_SANDBOX /* sanitizers look about in /proc, and figures of coverage are written, at the end of the process */
	(void)files, (void)limit_files, (void)limit_calls;
	return SANDBOX_LEFT_OUT;
#else
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return SANDBOX_NONE;
	tzset();                            /* reads its file now */
	anon_file_reserve(files->nameless); /* none of the viewer: it may make them */
	enum sandbox files_held = limit_files(files) ? SANDBOX_FILES : SANDBOX_NONE;
	return files_held | (limit_calls(files) ? SANDBOX_CALLS : SANDBOX_NONE);
#endif
}

#else
static enum sandbox enter(UNUSED const struct sandbox_files *files) { return SANDBOX_LEFT_OUT; }
#endif

static enum sandbox held;

enum sandbox sandbox_enter(const struct sandbox_files *files)
{
	held = enter(files);
	return held;
}

enum sandbox sandbox_held(void) { return held; }

const char *sandbox_text(enum sandbox sandbox)
{
	switch (sandbox) {
	case SANDBOX_NONE: return "no sandbox: the kernel has neither Landlock nor seccomp";
	case SANDBOX_FILES: return "incomplete sandbox: the kernel has no seccomp";
	case SANDBOX_CALLS: return "incomplete sandbox: the kernel has no Landlock";
	case SANDBOX_LEFT_OUT: return "no sandbox: built without";
	default: return "sandbox: Landlock and seccomp";
	}
}
