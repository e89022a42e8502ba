/* child.h - run a program under the viewer (evtui -- PROGRAM): its log through a pipe, its output through a pseudo
 * terminal.
 *
 * The pseudo terminal makes it print line by line. The program ends with the viewer at the latest. */
#ifndef EVTUI_CHILD_H
#define EVTUI_CHILD_H

#include "base/err.h"
#include "panes/program/output.h"
#include "panes/program/presets.h"
#include "sys/system.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { CHILD_NOT_FOUND = 127, CHILD_NOT_RUN = 126 }; /* exit status, as of a shell */

struct child {
	pid_t pid;   /* leader of a separate process group; 0: none */
	pid_t guard; /* kills the rest of the group if this process is killed */
	int guard_fd;
	int pid_fd, terminal;
	int log_fd; /* what it logs comes out here; belongs to who takes it */
	int status; /* as a shell tells it; once `over` is true */
	atomic_bool over;
	struct output output;
	pthread_t thread;
	bool reading;
	struct waker stop;
	bool flushes; /* its log comes bit by bit, else when buffers are full and at the end */
	bool echo;    /* what it prints goes to standard error too */
	void (*wake)(void *);
	void *ctx;
};

/* Run argv[0] with +RTS, the preset's flags and what else makes its log come here, before its own arguments. A
 * program that is not Haskell's, or builds one (cabal, stack), runs unchanged, and the first Haskell program among
 * its children gets the flags (wrapped.h). With err filled: EVL_IO, the exit status of a shell, or CHILD_LACKS. Call
 * it while there is one thread. */
enum { CHILD_LACKS = 1 }; /* the program cannot be recorded so, and err tells what to build it with */
int child_start(struct child *c, char *const *argv, enum preset preset, struct evl_err *err) EVL_MUST_USE;

/* Begin to take what it prints, and notice its end: wake(ctx) is called from another thread. */
bool child_watch(struct child *c, void (*wake)(void *), void *ctx);

/* Send SIGINT, then SIGTERM, then SIGKILL to its process group, and wait until it has ended. */
void child_end(struct child *c);

/* Call it after child_end. */
void child_free(struct child *c);

#endif
