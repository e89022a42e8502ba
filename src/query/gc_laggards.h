/* gc_laggards.h - delays of the start of collections: sums over a range, the longest delays, and the thread that caused
 * the most. */
#ifndef EVL_GC_LAGGARDS_H
#define EVL_GC_LAGGARDS_H

#include "gc/gc_scan.h"
#include "query/gc_detail.h"
#include "sys/progress.h"

enum { SYNC_MOST = 10 };

struct sync_row {
	struct gc_row gc;
	struct gc_late late;
};

struct gc_laggards {
	struct sync_row rows[SYNC_MOST]; /* longest delay first */
	size_t n;
	/* ns lost to threads and to waking, over all collections that start in the range (gc_delays.h) */
	uint64_t thread_ns, wakeup_ns;
	uint64_t blamed_ns; /* the part of thread_ns in collections of which a thread is the cause of the delay */
	/* delays by waking of more than 1 ms: number, total ns, median ns (within 1 %) */
	uint64_t n_rests, rests_ns, rest_p50;
	bool has_worst;               /* a thread caused delays */
	struct gc_delay_thread worst; /* the thread that ran longest during the delays that it caused, if has_worst */
};

/* The delays to sum up: those of all collections of the log, from the index; those of the collections that start in the
 * range; or the time within the range, also of collections that start after it, but before evl_complete_until. */
enum gc_laggards_of { LAGGARDS_ALL, LAGGARDS_OF_RANGE, LAGGARDS_IN_RANGE };

/* Compute the sums and the longest delays of a range. watch may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int gc_laggards_make(struct gc_laggards *s, const struct evl_log *log, enum gc_laggards_of of,
	const struct gc_range *range, const struct progress *watch) EVL_MUST_USE;

#endif
