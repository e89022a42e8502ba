/* gc_detail.h - one collection in detail: its statistics, heap sizes, workers, and the capability and thread that
 * delayed its start.
 *
 * Between the request and the start all capabilities have to stop; the one that runs a thread longest after the
 * request is the last. Read from the log on demand: one event, and two moments of each capability. */
#ifndef EVL_GC_DETAIL_H
#define EVL_GC_DETAIL_H

#include "gc/gc_delays.h"
#include "log/log.h"

enum { GC_DETAIL_CAPS = 256 }; /* that are looked at */

/* GC_STATS_GHC. */
struct gc_stats {
	uint64_t t;                          /* when they were posted: mostly after GC_END */
	uint64_t copied, slop, frag;         /* bytes */
	uint64_t par_threads;                /* that collected */
	uint64_t par_max_copied, par_copied; /* by the one that copied most, and by all; 0: one thread */
	uint64_t par_balanced;
	bool has_balanced; /* GHC 8.4 */
};

/* False where the collection has no statistics, or they are not in memory. */
bool gc_stats(const struct evl_log *log, const struct gc_row *gc, struct gc_stats *out);

/* The capability that delayed it (gc_delays.h). */
struct gc_late {
	struct gc_late_run run; /* run.late: L; 0, no other capability ran into the request */
	uint64_t rest;          /* D - L */
	bool by_thread;         /* run.thread is the cause; else waking capabilities and their OS threads is */
	bool some;              /* only some of the capabilities were looked at, or are known */
};
void gc_late(const struct evl_log *log, const struct gc_row *gc, struct gc_late *out);

/* Read the leader's events around it: heap sizes after it, up to the capability's next activity, and the memory
 * returned in it. chain: the leader's. Return false if the bytes are not in memory. */
struct gc_around {
	bool has_live, has_size, has_blocks, has_return;
	uint64_t live, size, blocks;        /* bytes */
	uint32_t current, needed, returned; /* megablocks */
};
bool gc_around(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_around *out);

/* Activity of one capability in it. */
struct gc_worker {
	uint16_t cap;
	uint64_t start, work, done, end; /* its GC_START, first GC_WORK, last GC_DONE, GC_END; 0: there is none */
	uint64_t idle_ns, work_ns;       /* in GC_IDLE, in GC_WORK */
	uint64_t quiet_ns;               /* the longest time from a GC_DONE to its next event in the collection */
};
/* Those that posted GC_START between request and end, in the order of capabilities: how many; `room` are filled in. */
size_t gc_workers(const struct evl_log *log, const struct gc_row *gc, struct gc_worker *out, size_t room);

/* Get the bytes that all capabilities allocated between the previous collection and this one. Return false if unknown. */
bool gc_allocated(const struct evl_log *log, const struct gc_row *gc, uint64_t *out);

/* Why it happened, as far as can be told: bits. */
enum {
	GC_WHY_IDLE = 1,      /* nothing had run for 0.3 s */
	GC_WHY_FORCED = 2,    /* major, and its leader did not stop for want of heap */
	GC_WHY_NONMOVING = 4, /* the nonmoving collector starts to mark after it */
};
unsigned gc_why(const struct evl_log *log, uint32_t chain, const struct gc_row *gc);

/* The same of many collections in the order of their starts: each capability is read on from the last of them. Earlier ones
 * may come, too, at the cost of a search. */
struct gc_sweep;

/* NULL: memory is out, or there are more than GC_DETAIL_CAPS capabilities. */
struct gc_sweep *gc_sweep_open(const struct evl_log *log);
void gc_sweep_close(struct gc_sweep *s);
unsigned gc_sweep_why(struct gc_sweep *s, uint32_t chain, const struct gc_row *gc, struct gc_late *late);
bool gc_sweep_around(struct gc_sweep *s, uint32_t chain, const struct gc_row *gc, struct gc_around *out);

#endif
