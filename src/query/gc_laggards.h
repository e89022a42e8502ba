/* gc_laggards.h - who delayed collections: the sums over all of a range, and the longest delays one by one. */
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
	struct sync_row rows[SYNC_MOST]; /* longest first */
	size_t n;
	uint64_t thread_ns, wakeup_ns;        /* of all collections that start in the range (gc_delays.h) */
	uint64_t n_rests, rests_ns, rest_p50; /* the rests of more than 1 ms; the median within 1 % */
	bool has_worst;                       /* a thread caused delays: */
	struct gc_delay_thread worst;         /* the one that caused most */
};

/* Fill in the sums and the longest delays of the whole log, whose sums the index has, or of a range, whose collections are
 * read. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int gc_laggards_make(struct gc_laggards *s, const struct evl_log *log, bool whole, const struct gc_range *range,
	const struct progress *watch) EVL_MUST_USE;

#endif
