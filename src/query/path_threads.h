/* path_threads.h - for the critical path: find the main thread, and tell threads of the program from I/O and timer
 * managers.
 *
 * Managers are the threads labelled "TimerManager…" or "IOManager…", and threads created by managers. */
#ifndef EVL_PATH_THREADS_H
#define EVL_PATH_THREADS_H

#include "base/idmap.h"
#include "log/log.h"
#include "sys/progress.h"

enum path_role { ROLE_PROGRAM, ROLE_TIMER, ROLE_IO, ROLE_OF_MANAGER };

/* Results cached so far. Initialise all members except log with zeros. */
struct path_threads {
	const struct evl_log *log;
	struct idmap roles; /* thread id to enum path_role */
	struct sched_creation *creations;
	bool looked, managers; /* looked: `managers` is known; managers: some thread has such a label */
	bool failed;           /* memory ran out */
};
void path_threads_free(struct path_threads *p);

/* Return the role of a thread: ROLE_TIMER and ROLE_IO are managers by their label; ROLE_OF_MANAGER was created by a
 * manager. path_role_by_label uses the label alone and never returns ROLE_OF_MANAGER. */
enum path_role path_role_by_label(struct evl_str label);
enum path_role path_role_of(struct path_threads *p, uint32_t thread);
static inline bool path_is_manager(struct path_threads *p, uint32_t thread)
{
	return path_role_of(p, thread) != ROLE_PROGRAM;
}

/* Return the main thread: the one labelled "main" or "main thread", otherwise the longest-lived of the threads that no
 * other thread created; 0: none. watch may be NULL. */
uint32_t path_main_thread(struct path_threads *p, const struct progress *watch);

/* Find the thread of the last run, and the end of that run; of several that end together, the thread with the lowest
 * id. Return false if no thread ever ran. */
bool path_last_run(struct path_threads *p, uint32_t *thread, uint64_t *end);

/* Report whether the thread occurs in the log: it was created, labelled, ran or ended or, which takes a reading of all
 * events, was only woken. watch may be NULL. */
bool path_thread_is_known(struct path_threads *p, uint32_t thread, const struct progress *watch);

#endif
