/* busy_union.h - union over all capabilities of run and pause intervals, computed during the walk: mutator, GC and
 * idle time of the run.
 *
 * Each chain delivers its intervals in order, part by part, and says up to when they are complete. Intervals
 * complete on all chains are merged at once and their memory reused, so only those in progress are kept. Formulas:
 * run_stats.h. */
#ifndef EVL_BUSY_UNION_H
#define EVL_BUSY_UNION_H

#include "gc/gc_delays.h"

#include <pthread.h>

enum { BUSY_LATE_CAPS = 1024, BUSY_SIZES = 3 };

struct busy_run {
	uint64_t from, to;
	uint32_t thread;
};

struct busy_chunk {
	struct busy_chunk *next;
	uint32_t n, room;
	unsigned size; /* which of BUSY_SIZES */
	struct busy_run runs[];
};

/* Runs in order. Each chunk is larger than the one before, up to the largest size: thousands of capabilities may have a few
 * runs each. */
struct busy_runs {
	struct busy_chunk *first, *last;
};

struct busy_chain;
struct busy_next;

/* A union that grows at its end: its length, and where it ends. */
struct busy_union {
	uint64_t ns, end;
};

struct busy {
	struct busy_chain *chains;
	size_t n;
	struct busy_next *heap;               /* of merging */
	struct busy_chunk *spare[BUSY_SIZES]; /* chunks to be used again */
	size_t news;                          /* parts that were delivered and not looked at */
	pthread_mutex_t lock;                 /* of spare, and of what is delivered */
	pthread_mutex_t merging;              /* of all that merging changes */
	uint64_t run_ns;                      /* runs added up */
	struct busy_union gc, pause, all;     /* [GC_START, GC_END]; [request, GC_END]; with runs */
	struct gc_delays delays;              /* of all collections; of the first BUSY_LATE_CAPS capabilities */
	atomic_bool failed;                   /* out of memory: figures are too small */
};

int busy_init(struct busy *b, const struct blocks *blocks) EVL_MUST_USE;
void busy_free(struct busy *b);

/* Make room after the last run. Return false if memory ran out. Any thread. */
bool busy_grow(struct busy *b, struct busy_runs *runs);

static inline void busy_add(struct busy *b, struct busy_runs *runs, uint64_t from, uint64_t to, uint32_t thread)
{
	if ((runs->last && runs->last->n < runs->last->room) || busy_grow(b, runs))
		runs->last->runs[runs->last->n++] = (struct busy_run){from, to, thread};
}

/* The runs of the next part of a chain, which are taken over (runs is then empty), all before `complete`; the rows of its
 * collections are in the table already. UINT64_MAX: the chain has no more. */
void busy_join(struct busy *b, uint32_t chain, struct busy_runs *runs, uint64_t complete);

/* Merge what is complete on all chains, unless somebody does so at this moment, or only few parts of many chains came since
 * the last time: to look at all chains for each would take long. */
void busy_merge(struct busy *b, const struct gcs *g);

/* The walk is over: merge what is left, and give back the memory that was for use again. */
void busy_end(struct busy *b, const struct gcs *g);

/* Runs that are not joined. */
void busy_drop(struct busy_runs *runs);

#endif
