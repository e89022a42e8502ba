/* gc_detail.h - one collection looked at closely: what its statistics say, and who kept it from beginning.
 *
 * Between the request and the start all capabilities have to stop; the one that runs a thread the longest into the
 * request is the last. Read from the log on demand: one event, and two moments of each capability. */
#ifndef EVL_GC_DETAIL_H
#define EVL_GC_DETAIL_H

#include "evl.h"

enum { GC_DETAIL_CAPS = 64 }; /* that are looked at */

/* GC_STATS_GHC. */
struct gc_stats {
	uint64_t copied, slop;            /* bytes */
	uint64_t par_threads;             /* that collected */
	uint64_t par_max_copied, par_copied; /* by the one that copied most, and by all; 0: one thread */
};

/* False where the collection has no statistics, or they are not in memory. */
bool gc_stats(const struct evl_log *log, const struct gc_row *gc, struct gc_stats *out);

/* The last capability to stop. */
struct gc_late {
	bool found;      /* false: none ran into the request, as far as is known */
	bool some;       /* only some of the capabilities were looked at, or could be */
	uint16_t cap;
	uint32_t thread; /* that ran there */
	uint64_t after;  /* the request, ns */
};
void gc_late(const struct evl_log *log, const struct gc_row *gc, struct gc_late *out);

#endif
