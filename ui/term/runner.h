/* runner.h - helper process that runs the user's editor and tmux, started before the viewer enters its sandbox
 *
 * The viewer itself then need not start programs. The runner never reads the log. It performs only the jobs that it
 * was started with, and validates their data as strictly as data from a log. */
#ifndef EVTUI_RUNNER_H
#define EVTUI_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

enum runner_job { RUNNER_COPY, RUNNER_EDIT, RUNNER_JOBS };

/* A job. Return the result for runner_ask, 0 or more. */
typedef int runner_do(const void *data, size_t len);

enum { RUNNER_MOST = 1 << 24 }; /* maximum length of the data in bytes */

/* Start the runner, which ends with this process. Call it before creating threads. Return false with errno set on
 * failure. */
bool runner_start(runner_do *const jobs[RUNNER_JOBS]);
/* Return whether the runner is available. */
bool runner_runs(void);

/* Run a job on data and wait for its result. Return the result, or -1 if the runner is not available. */
int runner_ask(enum runner_job job, const void *data, size_t len);

/* Restore the original signal handling, in a child of the runner that is about to execute a program on the terminal. */
void runner_child(void);

#endif
