/* thread_lives.h - lifetimes of threads in a range: created, finished, peak alive, and the threads that ran most
 *
 * The result is computed from the thread table (threads.h) alone, by scanning the table two or more times. This
 * temporarily takes up to 12 MB, plus 8 MB per worker thread. Times are in ns. */
#ifndef EVL_THREAD_LIVES_H
#define EVL_THREAD_LIVES_H

#include "sched/threads.h"

enum { THREAD_LIVES_TOP = 10 };

struct thread_lives {
	uint64_t created, finished; /* in the range */
	uint64_t runs;              /* number of runs in the whole log, whatever the range */
	uint64_t peak, peak_at;     /* most threads alive at one moment of the range, and such a moment */
	uint64_t alive_end;         /* number alive after the last event of the range */
	struct thread_run {
		uint32_t thread, runs;
		uint64_t ns;
	} top[THREAD_LIVES_TOP]; /* of the whole log: most time first, then by id */
	size_t n_top;
};

/* Compute the lifetimes in [from, to), on `workers` OS threads (worker.h). A thread lives from its creation to its
 * end; a thread whose creation is not in the log is not counted. Return 0 or EVL_NOMEM. */
int thread_lives_make(
	struct thread_lives *l, const struct threads *t, uint64_t from, uint64_t to, int workers) EVL_MUST_USE;

#endif
