/* exec_watch.h - run a program and inspect each program that it or its descendants execute, before it starts
 * (ptrace). */
#ifndef EVL_EXEC_WATCH_H
#define EVL_EXEC_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct exec_watch {
	/* Called while a process is stopped before running another program. Return false to detach from all
	 * processes. */
	bool (*seen)(void *ctx, pid_t pid);
	/* In the new process, before it becomes the program; watched: its programs will be seen. Does not return. */
	void (*become)(void *ctx, bool watched);
	/* In this one, when it exists. */
	void (*begun)(void *ctx, pid_t pid, bool watched);
	void *ctx;
};

/* Start a process, which runs `become`, and wait until it has ended: its status as of waitpid, or -1 and errno. */
int exec_watch(const struct exec_watch *w);

/* Of a process that waits: its executable, "" where that cannot be read; its parent, 0: unknown. */
void exec_path(pid_t pid, char *out, size_t room);
pid_t exec_parent(pid_t pid);

/* Set a variable in the environment of a waiting process, in the place of another one, `reserved`, whose value must be at least
 * as long; the rest is filled with blanks. An existing value of the variable is appended. Return false if there is no room. */
bool exec_set_env(pid_t pid, const char *reserved, const char *name, const char *value);

#endif
