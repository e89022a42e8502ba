/* path_threads.h - threads of the program itself, as opposed to I/O and timer managers, for the critical path; its
 * main thread.
 *
 * Managers are the threads labelled "TimerManager…" or "IOManager…", and those that a manager created. */
#ifndef EVL_PATH_THREADS_H
#define EVL_PATH_THREADS_H

#include "base/idmap.h"
#include "log/log.h"
#include "sys/progress.h"

enum path_role { ROLE_PROGRAM, ROLE_TIMER, ROLE_IO, ROLE_OF_MANAGER };

/* Results so far. Start with all members but the log zero. */
struct path_threads {
	const struct evl_log *log;
	struct idmap roles;    /* thread -> enum path_role */
	bool looked, managers; /* managers: the log has threads with such a label */
	bool failed;           /* memory ran out */
};
void path_threads_free(struct path_threads *p);

/* TIMER and IO: managers, by their label; OF_MANAGER: created by a manager. Return it; by the label alone, the first three. */
enum path_role path_role_by_label(struct evl_str label);
enum path_role path_role_of(struct path_threads *p, uint32_t thread);
static inline bool path_is_manager(struct path_threads *p, uint32_t thread)
{
	return path_role_of(p, thread) != ROLE_PROGRAM;
}

/* Return the main thread: the one labelled "main" or "main thread", else the longest-lived of those that no thread created;
 * 0: there is none. */
uint32_t path_main_thread(struct path_threads *p, const struct progress *watch);

/* Find the thread of the last run, and the end of that run; if several end together, the thread with the lowest id. Return false
 * if no thread ever ran. */
bool path_last_run(struct path_threads *p, uint32_t *thread, uint64_t *end);

/* Does the log know of the thread: was it created, labelled, did it run or end? */
bool path_thread_is_known(struct path_threads *p, uint32_t thread);

#endif
