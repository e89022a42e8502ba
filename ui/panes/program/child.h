/* child.h - run a program under the viewer (evtui -- PROGRAM): get its log and its output
 *
 * The log comes through a pipe, the output through a pseudo-terminal, which makes the program print line by line. The
 * program ends with the viewer at the latest. */
#ifndef EVTUI_CHILD_H
#define EVTUI_CHILD_H

#include "base/err.h"
#include "panes/program/output.h"
#include "panes/program/presets.h"
#include "sys/system.h"

#include <sys/types.h>

enum { CHILD_NOT_FOUND = 127, CHILD_NOT_RUN = 126 }; /* exit statuses, as in a shell */

struct child {
	pid_t pid;   /* leader of a separate process group; 0: none */
	pid_t guard; /* process that kills the group if this process is killed */
	int guard_fd;
	int pid_fd, terminal; /* readable at the end of the program; the pseudo-terminal */
	int log_fd;           /* read end of the pipe for the log; the caller that takes it must close it */
	int status;           /* exit status as in a shell; valid once `over` is true */
	atomic_bool over;
	struct output output;
	pthread_t thread;
	bool reading; /* the thread runs */
	struct waker stop;
	bool seeks;   /* it is a build tool or a script: its first Haskell program writes the log */
	bool flushes; /* it flushes its log periodically; false: only when buffers are full, and at the end */
	bool echo;    /* its output is copied to standard error */
	void (*wake)(void *);
	void *ctx;
};

/* Run argv[0] with +RTS, the flags of the preset and the flags that send its log here, before its arguments. A build
 * tool (cabal, stack) or another non-Haskell program runs unchanged, and its first Haskell child process gets the
 * flags (wrapped.h). Return 0; or, with *err filled, EVL_IO, an exit status as in a shell, or CHILD_LACKS. Call it
 * before creating threads. */
enum { CHILD_LACKS = 1 }; /* the program cannot be recorded; err tells how to build it */
int child_start(struct child *c, char *const *argv, enum preset preset, struct evl_err *err) EVL_MUST_USE;

/* Start reading its output and waiting for its end, in another thread, which calls wake(ctx) on news. Return false
 * if the thread could not be started. */
bool child_watch(struct child *c, void (*wake)(void *), void *ctx);

/* Send SIGINT, then SIGTERM, then SIGKILL to its process group, until it has ended. */
void child_end(struct child *c);

/* Free everything. Call it after child_end. */
void child_free(struct child *c);

#endif
