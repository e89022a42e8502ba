/* runner.h - a process that runs the user's editor and tmux, started before the viewer enters its sandbox.
 *
 * The viewer then needs to start no program. The runner never reads the log; it does one of the jobs that it was started
 * with, on bytes that it checks as it would check a log's. */
#ifndef EVTUI_RUNNER_H
#define EVTUI_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

enum runner_job { RUNNER_COPY, RUNNER_EDIT, RUNNER_JOBS };

/* Return the result for runner_ask, 0 or more. */
typedef int runner_do(const void *data, size_t len);

enum { RUNNER_MOST = 1 << 24 }; /* bytes of a job */

/* Start the runner, which ends with this process. Call it before there are threads. Return false, with errno set, on failure. */
bool runner_start(runner_do *const jobs[RUNNER_JOBS]);
bool runner_runs(void);

/* Have it do a job, and wait until it is done. -1: there is no runner, or no more. */
int runner_ask(enum runner_job job, const void *data, size_t len);

/* In a child of the runner that becomes a program on the terminal: signals as they were before. */
void runner_child(void);

#endif
