#include "panes/program/wrapped.h"

#include "exe/exe.h"
#include "panes/program/child.h"
#include "state/state_dir.h"
#include "sys/exec_watch.h"
#include "sys/retry.h"
#include "sys/system.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A variable that is in the environment of all, and becomes GHCRTS in that of the program: as long, and with room. */
#define RESERVED "EVTRTS"
enum { RESERVED_ROOM = 1024, PARENTS_MOST = 64 };

/* --- tools --------------------------------------------------------------------------------------------------------- */

/* "ghc", "ghc-9.6.6", "ghc-pkg": but not "ghc-events". */
static bool is_of_ghc(const char *name)
{
	static const char *const parts[] = {"-pkg", "-iserv", "-toolchain", "_"};
	if (strncmp(name, "ghc", 3) != 0)
		return false;
	if (!name[3] || (name[3] == '-' && isdigit((unsigned char)name[4])))
		return true;
	for (size_t i = 0; i < countof(parts); i++)
		if (strncmp(name + 3, parts[i], strlen(parts[i])) == 0)
			return true;
	return false;
}

bool wrapped_is_tool(const char *path)
{
	static const char *const tools[] = {"cabal", "stack", "ghcup", "runghc", "runhaskell", "haddock", "hsc2hs",
		"hpc", "alex", "happy", "c2hs", "cpphs", "hpack", "unlit", "Setup", "setup"};
	const char *name = path_base(path);
	size_t plain = strcspn(name, "-");
	if (is_of_ghc(name) || strncmp(name, "Cabal-simple_", 13) == 0) /* that is stack's Setup */
		return true;
	for (size_t i = 0; i < countof(tools); i++)
		if (strncmp(name, tools[i], plain) == 0 && strlen(tools[i]) == plain
			&& (!name[plain] || isdigit((unsigned char)name[plain + 1])
				|| strncmp(name + plain, "-ghc-", 5) == 0))
			return true;
	return false;
}

/* Programs run by the compiler belong to the build: preprocessors, code of Template Haskell. */
static bool is_below_compiler(pid_t pid)
{
	char path[RTS_PROBE_PATH];
	for (int i = 0; i < PARENTS_MOST && (pid = exec_parent(pid)) > 1; i++) {
		exec_path(pid, path, sizeof path);
		if (is_of_ghc(path_base(path)))
			return true;
	}
	return false;
}

/* --- flags --------------------------------------------------------------------------------------------------------- */

static bool has_map(const char *path)
{
	struct exe *exe;
	struct evl_err err;
	if (exe_open(&exe, path, &err) < 0)
		return false;
	bool map = exe_abilities(exe).map;
	exe_close(exe);
	return map;
}

bool wrapped_flags(struct buf *out, const char *path, enum preset preset, const char *log_option, enum build_tool tool)
{
	struct rts_probe rts = rts_probe_all(path);
	unsigned lacks;
	const char *flags = preset_flags(preset, &rts, has_map(path), &lacks);
	if (!flags) {
		preset_advice(out, lacks, tool);
		return false;
	}
	buf_cstr(out, flags);
	buf_char(out, ' ');
	buf_cstr(out, log_option);
	if (rts.flushes)
		buf_lit(out, " " FLUSH_OPTION "=0.2");
	return !out->failed;
}

/* --- watching ------------------------------------------------------------------------------------------------------ */

struct watching {
	const struct wrapped *w;
	bool watched, found;
	enum build_tool tool; /* that ran last, maybe by a script */
	char option[64];
	char lacks[RTS_PROBE_PATH]; /* the program that lacked something, with its advice printed */
};

static void say(const char *path, struct buf *text)
{
	buf_char(text, '\0');
	if (!text->failed)
		fprintf(stderr, "evtui: %s: %s\n", path_base(path), text->p);
}

/* The program is there: its flags. False: it cannot take them; another that runs after it may. */
static bool hand_on(struct watching *g, pid_t pid, const char *path)
{
	struct buf text = {0};
	bool good = wrapped_flags(&text, path, g->w->preset, g->option, g->tool);
	if (!good) {
		say(path, &text);
		snprintf(g->lacks, sizeof g->lacks, "%s", path);
	} else {
		buf_char(&text, '\0');
		if (!text.failed && !exec_set_env(pid, RESERVED, "GHCRTS", text.p))
			fprintf(stderr, "evtui: %s: GHCRTS cannot be set: %s\n", path_base(path), strerror(errno));
	}
	buf_free(&text);
	return good;
}

static bool seen(void *ctx, pid_t pid)
{
	struct watching *g = ctx;
	char path[RTS_PROBE_PATH];
	exec_path(pid, path, sizeof path);
	if (build_tool_named(path) != BUILD_GHC)
		g->tool = build_tool_named(path);
	if (wrapped_is_tool(path) || strcmp(path, g->lacks) == 0 || !rts_probe_is_haskell(path)
		|| is_below_compiler(pid))
		return true;
	g->found = true;
	return !hand_on(g, pid, path);
}

static void begun(void *ctx, UNUSED pid_t pid, bool watched)
{
	struct watching *g = ctx;
	g->watched = watched;
	close(g->w->announced);
	signal(SIGINT, SIG_IGN); /* meant for the command, and for what it runs */
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
}

/* Where no process can be watched all get the flags, if the command is no Haskell program itself. */
static void become(void *ctx, bool watched)
{
	struct watching *g = ctx;
	char *const *argv = g->w->argv, room[RESERVED_ROOM + 1];
	snprintf(room, sizeof room, "%*s", RESERVED_ROOM, "");
	sys_end_with_parent();
	if (watched) {
		setenv(RESERVED, room, 1);
	} else if (!wrapped_is_tool(argv[0])) {
		snprintf(room, sizeof room, "-l %s", g->option);
		setenv("GHCRTS", room, 1);
	}
	execvp(argv[0], argv);
	int why = errno;
	if (!write_all(g->w->announced, &why, sizeof why)) {
		/* no reader is left */
	}
	_exit(CHILD_NOT_FOUND);
}

static void say_nothing_found(const struct watching *g)
{
	const char *name = path_base(g->w->argv[0]);
	if (!g->watched && wrapped_is_tool(name))
		fprintf(stderr,
			"evtui: the children of %s cannot be watched here (ptrace); build, then: evtui -- $(%s)\n",
			name, build_tool_named(name) == BUILD_STACK ? "stack exec which NAME" : "cabal list-bin NAME");
	else if (g->watched && !g->found)
		fprintf(stderr, "evtui: %s" RAN_NO_HASKELL ", so there is no log\n", name);
}

/* As the command ended, so do we. */
static _Noreturn void end_as(int status)
{
	if (status < 0)
		_exit(CHILD_NOT_RUN);
	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0});
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		_exit(128 + WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

void wrapped_run(const struct wrapped *w)
{
	struct watching g = {.w = w};
	char name[sizeof g.option - 4];
	sys_fd_name(name, sizeof name, getpid(), w->log_fd);
	snprintf(g.option, sizeof g.option, "-ol%s", name);
	int status = exec_watch(&(struct exec_watch){seen, become, begun, &g});
	if (status >= 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_NOT_FOUND))
		say_nothing_found(&g);
	end_as(status);
}
