/* thread_lives.h - lifetimes of threads in a range: created, finished, peak alive, and the threads that ran most.
 *
 * Computed from the rows of threads.h alone, in two scans or a few more. Takes up to 12 MB, and 8 MB per worker,
 * while it works. */
#ifndef EVL_THREAD_LIVES_H
#define EVL_THREAD_LIVES_H

#include "sched/threads.h"

enum { THREAD_LIVES_TOP = 10 };

struct thread_lives {
	uint64_t created, finished; /* in the range */
	uint64_t runs;              /* of the whole run, whatever the range */
	uint64_t peak, peak_at;     /* most threads alive at one moment of the range, and one such moment */
	uint64_t alive_end;         /* after the last event of the range */
	struct thread_run {
		uint32_t thread, runs;
		uint64_t ns;
	} top[THREAD_LIVES_TOP]; /* of the whole run; most time first, lower ids first among equals */
	size_t n_top;
};

/* Of [from, to), on `workers` threads (worker.h). A thread lives from its creation up to its end; one that was not
 * seen to be created is not counted. EVL_NOMEM or 0. */
int thread_lives_make(
	struct thread_lives *l, const struct threads *t, uint64_t from, uint64_t to, int workers) EVL_MUST_USE;

#endif
