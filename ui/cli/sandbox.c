#include "cli/sandbox.h"

#include "base/base.h"
#include "sys/anon_file.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
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
#define LIST     (READ | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE                                                                                                          \
	(LIST | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | TRUNCATE)
#define OF_FILES (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | READ | TRUNCATE)

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

/* False with errno: there is no such file. */
static bool allow(int rules, const struct ruleset *all, const char *path, uint64_t access)
{
	struct stat st;
	struct landlock_path_beneath_attr rule = {.parent_fd = open(path, O_PATH | O_CLOEXEC)};
	if (rule.parent_fd < 0)
		return false;
	bool is_dir = fstat(rule.parent_fd, &st) == 0 && S_ISDIR(st.st_mode);
	rule.allowed_access = access & all->fs & (is_dir ? ~(uint64_t)0 : OF_FILES);
	bool good = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
	close(rule.parent_fd);
	return good;
}

/* Where a new file of this name comes to stand. */
static bool allow_output(int rules, const struct ruleset *all, const char *path)
{
	char *copy = strdup(path);
	bool good = copy && allow(rules, all, dirname(copy), WRITE);
	free(copy);
	return good;
}

/* What the C library reads by itself, if it is there: locales, how many processors there are. */
static void allow_system(int rules, const struct ruleset *all)
{
	static const char *const paths[] = {
		"/usr/lib/locale", "/usr/share/locale", "/usr/share/i18n", "/sys/devices/system/cpu"};
	for (size_t i = 0; i < countof(paths); i++)
		allow(rules, all, paths[i], LIST);
}

static bool fill(int rules, const struct ruleset *all, const struct sandbox_files *files)
{
	bool good = true;
	for (size_t i = 0; i < SANDBOX_LOGS && files->logs[i]; i++)
		good = good && allow(rules, all, files->logs[i], LIST);
	if (files->output)
		good = good && allow_output(rules, all, files->output);
	allow(rules, all, anon_file_dir(), WRITE);
	allow_system(rules, all);
	return good;
}

static bool limit_files(const struct sandbox_files *files)
{
	int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (version < 1)
		return false;
	struct ruleset all = everything(version);
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size_for(version), 0);
	if (rules < 0)
		return false;
	bool good = fill(rules, &all, files) && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return good;
}

/* --- programs and sockets: seccomp ------------------------------------------------------------------------------------ */

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH
/* A call of this number fails with EPERM. */
#define REFUSE(call)                                                                                                   \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static bool limit_calls(void)
{
	enum { X32_CALLS = 0x40000000 };
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		REFUSE(execve),
		REFUSE(execveat),
		REFUSE(socket),
		REFUSE(socketpair),
		REFUSE(connect),
		REFUSE(ptrace),
		REFUSE(process_vm_writev),
		REFUSE(mount),
		REFUSE(bpf),
		REFUSE(perf_event_open),
		REFUSE(keyctl),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {countof(code), code};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static bool limit_calls(void) { return false; }
#endif

/* A stream has no file that could be named. */
static bool are_there(const struct sandbox_files *files)
{
	for (size_t i = 0; i < SANDBOX_LOGS && files->logs[i]; i++)
		if (access(files->logs[i], F_OK) != 0)
			return false;
	return true;
}

bool sandbox_enter(const struct sandbox_files *files)
{
#ifdef NO_SANDBOX /* sanitizers look about in /proc, and figures of coverage are written, at the end of the process */
	(void)are_there, (void)limit_files, (void)limit_calls;
	return false;
#endif
	if (!are_there(files) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return false;
	tzset(); /* reads its file now */
	bool files_limited = limit_files(files), calls_limited = limit_calls();
	return files_limited && calls_limited;
}

#else
bool sandbox_enter(const struct sandbox_files *files)
{
	(void)files;
	return false;
}
#endif
