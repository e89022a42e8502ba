#include "sys/exec_watch.h"

#include "sys/retry.h"
#include "sys/system.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef PORTABLE
#include <sys/ptrace.h>
#endif

enum { ENV_MOST = 1 << 20, STAT_ROOM = 1024 };

/* --- watching ------------------------------------------------------------------------------------------------------ */

#ifndef PORTABLE
static bool is_group_stop(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* A process has stopped: look at it, and let it go on. False: it was the last that is to be looked at. */
static bool go_on(const struct exec_watch *w, pid_t pid, int status, bool looking)
{
	int event = status >> 16, signal = event ? 0 : WSTOPSIG(status);
	if (looking && event == PTRACE_EVENT_EXEC)
		looking = w->seen(w->ctx, pid);
	if (!looking)
		ptrace(PTRACE_DETACH, pid, NULL, (void *)(size_t)signal);
	else if (event == PTRACE_EVENT_STOP && is_group_stop(WSTOPSIG(status)))
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, pid, NULL, (void *)(size_t)signal);
	return looking;
}

static int wait_for(const struct exec_watch *w, pid_t first)
{
	int status;
	for (bool looking = true;;) {
		pid_t pid = waitpid_again(-1, &status, __WALL);
		if (pid < 0)
			return -1;
		if (WIFSTOPPED(status))
			looking = go_on(w, pid, status, looking);
		else if (pid == first)
			return status;
	}
}

static bool watch(pid_t pid)
{
	const long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
	return ptrace(PTRACE_SEIZE, pid, NULL, (void *)options) == 0;
}
#else
static bool watch(UNUSED pid_t pid) { return false; }

static int wait_for(UNUSED const struct exec_watch *w, pid_t first)
{
	int status;
	return waitpid_again(first, &status, 0) < 0 ? -1 : status;
}
#endif

int exec_watch(const struct exec_watch *w)
{
	int ends[2];
	if (sys_pipe(ends, 0))
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		char watched = 0;
		close(ends[1]);
		if (read_again(ends[0], &watched, 1) == 1)
			w->become(w->ctx, watched);
		_exit(EXIT_FAILURE);
	}
	close(ends[0]);
	if (pid > 0) {
		char watched = (char)watch(pid);
		w->begun(w->ctx, pid, watched);
		if (!write_all(ends[1], &watched, 1))
			kill(pid, SIGKILL);
	}
	close(ends[1]);
	return pid < 0 ? -1 : wait_for(w, pid);
}

/* --- looking at a process ------------------------------------------------------------------------------------------ */

static int open_proc(pid_t pid, const char *file, int flags)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
	return open_again(path, flags | O_CLOEXEC, 0);
}

void exec_path(pid_t pid, char *out, size_t room)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	ssize_t n = readlink(path, out, room - 1);
	out[n > 0 ? n : 0] = '\0';
}

/* Field n of /proc/PID/stat, counted from 1 as its manual does, for n > 2. */
static uint64_t stat_field(pid_t pid, int n)
{
	char text[STAT_ROOM];
	int fd = open_proc(pid, "stat", O_RDONLY);
	ssize_t len = fd < 0 ? -1 : read_again(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	const char *p = strrchr(text, ')'); /* its name may hold anything */
	for (int i = 2; p && i < n; i++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p, NULL, 10) : 0;
}

pid_t exec_parent(pid_t pid) { return (pid_t)stat_field(pid, 4); }

struct environment {
	int memory;
	uint64_t at;
	char *text;
	size_t len;
};

static bool read_env(pid_t pid, struct environment *e)
{
	uint64_t from = stat_field(pid, 50), to = stat_field(pid, 51);
	*e = (struct environment){.memory = open_proc(pid, "mem", O_RDWR), .at = from};
	if (e->memory < 0 || from >= to || to - from > ENV_MOST || !(e->text = malloc(to - from + 1)))
		return false;
	ssize_t n = pread(e->memory, e->text, to - from, (off_t)from);
	e->len = n > 0 ? (size_t)n : 0;
	e->text[e->len] = '\0';
	return n > 0;
}

static char *find(const struct environment *e, const char *name)
{
	size_t n = strlen(name);
	for (char *p = e->text; p < e->text + e->len; p += strlen(p) + 1)
		if (strncmp(p, name, n) == 0 && p[n] == '=')
			return p;
	return NULL;
}

static bool put(const struct environment *e, const char *at, size_t len)
{
	return pwrite(e->memory, at, len, (off_t)(e->at + (uint64_t)(at - e->text))) == (ssize_t)len;
}

/* The value goes first where the reserved one is; the former one is renamed then. */
static bool set_env(const struct environment *e, const char *reserved, const char *name, const char *value)
{
	char *ours = find(e, reserved), *former = find(e, name);
	const char *more = former ? former + strlen(name) + 1 : "";
	if (!ours)
		return false;
	size_t room = strlen(ours), len = strlen(name) + 1 + strlen(value) + (*more != 0) + strlen(more);
	if (len > room)
		return false;
	char *text = malloc(room + 1);
	if (!text)
		return false;
	snprintf(text, room + 1, "%s=%s%s%s%*s", name, value, *more ? " " : "", more, (int)(room - len), "");
	memcpy(ours, text, room);
	free(text);
	if (former)
		*former = '_';
	return (!former || put(e, former, 1)) && put(e, ours, room);
}

bool exec_set_env(pid_t pid, const char *reserved, const char *name, const char *value)
{
	struct environment e;
	bool good = read_env(pid, &e) && set_env(&e, reserved, name, value);
	free(e.text);
	if (e.memory >= 0)
		close(e.memory);
	return good;
}
