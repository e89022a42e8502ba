#include "panes/program/rts_probe.h"

#include "base/find.h"
#include "sys/clock.h"
#include "sys/retry.h"
#include "sys/system.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_ROOM = 64 << 10, ANSWER_MS = 3000, MOST_WORDS = 4 };

static bool holds(const void *bytes, size_t len, const char *word)
{
	return find_bytes(bytes, len, word, strlen(word)) != NULL;
}

bool rts_probe_find(const char *program, char *out)
{
	const char *path = getenv("PATH");
	if (strchr(program, '/'))
		return snprintf(out, RTS_PROBE_PATH, "%s", program) < RTS_PROBE_PATH;
	for (const char *dir = path ? path : "/bin:/usr/bin"; dir;
		dir = strchr(dir, ':') ? strchr(dir, ':') + 1 : NULL) {
		int len = (int)strcspn(dir, ":");
		if (snprintf(out, RTS_PROBE_PATH, "%.*s/%s", len, len ? dir : ".", program) < RTS_PROBE_PATH
			&& access(out, X_OK) == 0)
			return true;
	}
	return false;
}

/* An executable with the options' help, or with the name of the shared library that has it. */
bool rts_probe_is_haskell(const char *program)
{
	char path[RTS_PROBE_PATH];
	struct stat st;
	int fd = rts_probe_find(program, path) ? open_again(path, O_RDONLY | O_CLOEXEC, 0) : -1;
	bool haskell = false;
	if (fd < 0)
		return false;
	void *map = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0
		? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
		: MAP_FAILED;
	if (map != MAP_FAILED) {
		size_t len = (size_t)st.st_size;
		haskell = len > 4 && memcmp(map, "\177ELF", 4) == 0
			&& (holds(map, len, "GHCRTS") || holds(map, len, "libHSrts"));
		munmap(map, (size_t)st.st_size);
	}
	close(fd);
	return haskell;
}

/* words: of its run-time system; NULL-ended. */
static void become(const char *program, const char *const *words, int out)
{
	char *args[MOST_WORDS + 3] = {(char *)(size_t)program, "+RTS"};
	int null = open("/dev/null", O_RDWR);
	for (size_t i = 0; i < MOST_WORDS && words[i]; i++)
		args[i + 2] = (char *)(size_t)words[i];
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	setpgid(0, 0);
	unsetenv("GHCRTS");
	execvp(program, args);
	_exit(127);
}

/* Read its answer, as far as it arrives in time. */
static size_t read_answer(int fd, char *out)
{
	size_t len = 0;
	ssize_t n = 1;
	struct pollfd p = {fd, POLLIN, 0};
	for (int64_t until = clock_ms() + ANSWER_MS, left = ANSWER_MS; n > 0 && len < ANSWER_ROOM && left > 0;
		left = until - clock_ms()) {
		n = poll_again(&p, 1, (int)left) > 0 ? read_again(fd, out + len, ANSWER_ROOM - len) : 0;
		len += n > 0 ? (size_t)n : 0;
	}
	return len;
}

/* Run it with options of its run-time system; the bytes of its answer, at most ANSWER_ROOM. */
static size_t ask(const char *program, const char *const *words, char *answer)
{
	int ends[2];
	if (sys_pipe(ends, 0))
		return 0;
	pid_t pid = fork();
	if (pid == 0)
		become(program, words, ends[1]);
	close(ends[1]);
	size_t len = pid > 0 ? read_answer(ends[0], answer) : 0;
	close(ends[0]);
	if (pid > 0) {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		waitpid_again(pid, NULL, 0);
	}
	return len;
}

#define REFUSED_ALL  "RTS options are disabled"
#define REFUSED_SOME "Most RTS options are disabled"

/* Is it the run-time system that answers? Then it is asked for more: a program that takes no options of it would run. */
static bool is_rts(const char *answer, size_t len)
{
	return holds(answer, len, "GHCRTS") || holds(answer, len, REFUSED_ALL) || holds(answer, len, REFUSED_SOME);
}

/* The value of a line ,("NAME", "VALUE") of --info. */
static void take_info(const char *answer, size_t len, const char *name, char *out, size_t room)
{
	const char *at = find_bytes(answer, len, name, strlen(name)), *end = answer + len;
	size_t n = 0;
	out[0] = '\0';
	at = at ? find_bytes(at + strlen(name), (size_t)(end - at) - strlen(name), "\"", 1) : NULL;
	for (at = at ? at + 1 : end; at < end && *at != '"' && *at != '\n' && n + 1 < room; at++)
		out[n++] = *at;
	out[n] = '\0';
}

static bool is_way(const char *way, const char *part)
{
	const char *at = strstr(way, part);
	return at && (at[strlen(part)] == '_' || !at[strlen(part)]);
}

struct rts_probe rts_probe_all(const char *program)
{
	static const char *const help[] = {"-?", NULL}, *const any[] = {"-A1m", "--info", NULL},
				 *const safe[] = {"--info", NULL};
	char *answer = rts_probe_is_haskell(program) ? malloc(ANSWER_ROOM) : NULL;
	struct rts_probe rts = {.haskell = answer, .logs = answer}; /* one that does not say may log */
	size_t len = answer ? ask(program, help, answer) : 0;
	rts.threaded = answer && (holds(answer, len, "-N[<n>]") || holds(answer, len, "-N<n>"));
	rts.flushes = rts.threaded && holds(answer, len, "--eventlog-flush-interval");
	if (!answer || !is_rts(answer, len)) {
		free(answer);
		return rts;
	}
	bool logs = holds(answer, len, "-l[flags]");
	len = ask(program, any, answer);
	rts.takes = holds(answer, len, "GHC RTS")  ? RTS_TAKES_ALL
		: holds(answer, len, REFUSED_SOME) ? RTS_TAKES_SOME
		: holds(answer, len, REFUSED_ALL)  ? RTS_TAKES_NONE
						   : RTS_TAKES_UNKNOWN;
	if (rts.takes == RTS_TAKES_SOME)
		len = ask(program, safe, answer);
	take_info(answer, len, "\"GHC version\",", rts.ghc, sizeof rts.ghc);
	take_info(answer, len, "\"RTS way\",", rts.way, sizeof rts.way);
	take_info(answer, len, "\"Flag -with-rtsopts\",", rts.with, sizeof rts.with);
	rts.threaded = rts.way[0] ? is_way(rts.way, "_thr") : rts.threaded;
	rts.profiled = is_way(rts.way, "_p");
	rts.logs = logs || !rts.way[0];
	free(answer);
	return rts;
}

const char *rts_probe_refusal(const char *printed, size_t len, bool *said)
{
	static const struct {
		const char *words, *why;
		bool said;
	} known[] = {
		{RAN_NO_HASKELL, "it" RAN_NO_HASKELL, true},
		{": " BUILT_WITHOUT " -", "the program was built without an option that it needs: see above", true},
		{"to be built with -eventlog", "built without -eventlog, which GHC before 9.4 needs: ghc -eventlog",
			false},
		{"RTS options are disabled",
			"built without -rtsopts, so its run-time system takes no options: ghc -rtsopts", false},
		{"unknown RTS option", "its run-time system does not know an option: see the output pane", false},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		*said = known[i].said;
		if (holds(printed, len, known[i].words))
			return known[i].why;
	}
	return "the program wrote none; only programs compiled by GHC without -rtsopts=ignore do";
}
