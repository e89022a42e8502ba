#include "panes/program/rts_probe.h"

#include "sys/clock.h"
#include "sys/retry.h"

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

enum { ANSWER_ROOM = 64 << 10, ANSWER_MS = 3000, PATH_ROOM = 4096 };

static bool holds(const void *bytes, size_t len, const char *word)
{
	return memmem(bytes, len, word, strlen(word)) != NULL;
}

/* The file that the name stands for. */
static bool find_file(const char *program, char *out)
{
	const char *path = getenv("PATH");
	if (strchr(program, '/'))
		return snprintf(out, PATH_ROOM, "%s", program) < PATH_ROOM;
	for (const char *dir = path ? path : "/bin:/usr/bin"; dir;
		dir = strchr(dir, ':') ? strchr(dir, ':') + 1 : NULL) {
		int len = (int)strcspn(dir, ":");
		if (snprintf(out, PATH_ROOM, "%.*s/%s", len, len ? dir : ".", program) < PATH_ROOM
			&& access(out, X_OK) == 0)
			return true;
	}
	return false;
}

/* The options' help, or the name of the shared library that has it. */
static bool is_haskell(const char *program)
{
	char path[PATH_ROOM];
	struct stat st;
	int fd = find_file(program, path) ? open_again(path, O_RDONLY | O_CLOEXEC, 0) : -1;
	bool haskell = false;
	if (fd < 0)
		return false;
	void *map = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0
		? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
		: MAP_FAILED;
	if (map != MAP_FAILED) {
		haskell = holds(map, (size_t)st.st_size, "GHCRTS") || holds(map, (size_t)st.st_size, "libHSrts");
		munmap(map, (size_t)st.st_size);
	}
	close(fd);
	return haskell;
}

static void become(const char *program, int out)
{
	char *const args[] = {(char *)(size_t)program, "+RTS", "-?", NULL};
	int null = open("/dev/null", O_RDWR);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	setpgid(0, 0);
	execvp(program, args);
	_exit(127);
}

/* What it answers, as far as it does so soon. */
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

struct rts_probe rts_probe_ask(const char *program)
{
	struct rts_probe rts = {.haskell = is_haskell(program)};
	int ends[2];
	char *answer = rts.haskell ? malloc(ANSWER_ROOM) : NULL;
	if (!answer || pipe2(ends, O_CLOEXEC)) {
		free(answer);
		return rts;
	}
	pid_t pid = fork();
	if (pid == 0)
		become(program, ends[1]);
	close(ends[1]);
	size_t len = pid > 0 ? read_answer(ends[0], answer) : 0;
	close(ends[0]);
	if (pid > 0) {
		kill(-pid, SIGKILL);
		kill(pid, SIGKILL);
		waitpid_again(pid, NULL, 0);
	}
	rts.threaded = holds(answer, len, "-N[<n>]") || holds(answer, len, "-N<n>");
	rts.flushes = rts.threaded && holds(answer, len, "--eventlog-flush-interval");
	free(answer);
	return rts;
}

const char *rts_probe_refusal(const char *printed, size_t len)
{
	static const struct {
		const char *words, *why;
	} known[] = {
		{"to be built with -eventlog", "built without -eventlog, which GHC before 9.4 needs: ghc -eventlog"},
		{"RTS options are disabled",
			"built without -rtsopts, so its run-time system takes no options: ghc -rtsopts"},
		{"unknown RTS option", "its run-time system does not know an option: see the output pane"},
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (holds(printed, len, known[i].words))
			return known[i].why;
	return NULL;
}
