/* exec_watch.h - run a program, and inspect every program that it or its descendants execute (ptrace) */
#ifndef EVL_EXEC_WATCH_H
#define EVL_EXEC_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Callbacks of exec_watch. */
struct exec_watch {
	/* Called while a process is stopped just before it runs another program. Return false to detach from all
	 * processes. */
	bool (*seen)(void *ctx, pid_t pid);
	/* Called in the new process to execute the program; must not return. watched: whether `seen` will be called. */
	void (*become)(void *ctx, bool watched);
	/* Called in this process once the new process exists. */
	void (*begun)(void *ctx, pid_t pid, bool watched);
	void *ctx;
};

/* Create a process that runs `become`, and wait for it to end. Return its status as waitpid does, or -1 with errno
 * set. */
int exec_watch(const struct exec_watch *w);

/* Get the path of a stopped process's executable ("" if it cannot be read), or its parent's id (0: unknown). */
void exec_path(pid_t pid, char *out, size_t room);
pid_t exec_parent(pid_t pid);

/* Set an environment variable of a stopped process. It takes the place of the variable `reserved`, whose value must
 * be at least as long; the rest is filled with blanks. If the variable was set before, its old value is appended to
 * the new one. Return false if there is not enough room. */
bool exec_set_env(pid_t pid, const char *reserved, const char *name, const char *value);

#endif
