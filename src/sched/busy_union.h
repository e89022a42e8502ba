/* busy_union.h - union over all capabilities of run and pause intervals: mutator, GC and idle time of the run
 *
 * The union is computed while the log is indexed. Each chain (the blocks of one capability) delivers its intervals in
 * order, in several parts, and states the time up to which they are complete. Intervals that are complete on all chains
 * are merged at once and their memory is reused, so only the recent ones are kept. A run that is open at the end of its
 * chain lasts until its thread runs elsewhere, or to the end of the log. run_stats.h has the formulas. */
#ifndef EVL_BUSY_UNION_H
#define EVL_BUSY_UNION_H

#include "gc/gc_delays.h"
#include "index/walk.h"
#include "sched/busy_gaps.h"

#include <pthread.h>

enum { BUSY_LATE_CAPS = 1024, BUSY_SIZES = 8, BUSY_BUFFERS = 4 };

struct busy_chunk {
	struct busy_chunk *next;
	uint32_t n, room;
	unsigned size;          /* index into busy.spare */
	struct walk_run runs[]; /* room + 1 elements; the additional one marks the end when merging */
};

/* Runs in order of time, in chunks. Each chunk is twice as large as the one before, up to a maximum, since thousands
 * of capabilities may have few runs each. */
struct busy_runs {
	struct busy_chunk *first, *last;
	uint64_t ns; /* sum of their lengths; 0 after busy_join */
};

struct busy_chain;
struct busy_list;
struct busy_leader;

/* A union that grows at its end: the time it covers, and its end. */
struct busy_union {
	uint64_t ns, end;
};

struct busy_bound {
	uint64_t t;
	uint32_t chain;
};

/* State of the computation, and its results. */
struct busy {
	struct busy_chain *chains;
	size_t n;
	struct walk_run *spans[BUSY_BUFFERS]; /* working buffers of merging */
	size_t room[BUSY_BUFFERS];
	struct busy_list *lists;
	size_t *picks; /* working buffer of merging */
	struct busy_leader *leaders;
	struct busy_chunk *spare[BUSY_SIZES]; /* free chunks by size, for reuse */
	size_t news;                          /* number of parts delivered but not merged yet */
	uint64_t last_t;                      /* time of the last event of the delivered parts, ns */
	uint32_t *opens;                      /* chains that end with an open run, by its thread and start */
	size_t n_opens;
	uint64_t open_filter;    /* bit id % 64 is set for each thread in `opens` */
	pthread_mutex_t lock;    /* guards spare and the delivered runs */
	pthread_mutex_t merging; /* guards all members that merging changes */
	uint64_t run_ns;         /* sum of the lengths of all runs */
	/* Unions. gc: from GC_START to GC_END; pause: from the request to GC_END; all: pauses and runs. */
	struct busy_union gc, pause, all;
	struct busy_gaps gaps; /* of all */
	/* The piece that is not in the table yet: its gaps, and how many tiles start in it. */
	struct busy_gap gap;
	unsigned piece_tiles;
	uint64_t until;            /* what starts before this time is merged */
	struct busy_bound *bounds; /* of each chain, as a heap: when its next tile starts; UINT64_MAX: not known yet */
	const struct tile_table *tiles;
	struct gc_delays delays; /* of all collections; only the first BUSY_LATE_CAPS capabilities */
	atomic_bool failed;      /* memory ran out: the sums are too small */
};

/* Initialize for all chains of blocks. The tiles must outlive it. Return 0 or EVL_NOMEM. */
int busy_init(struct busy *b, const struct blocks *blocks, const struct tile_table *tiles) EVL_MUST_USE;
void busy_free(struct busy *b);

/* Make room for another run at the end. Return false if memory ran out. Any thread may call it. */
bool busy_grow(struct busy *b, struct busy_runs *runs);

/* Append one run. If memory runs out, b->failed is set. */
static inline void busy_add(struct busy *b, struct busy_runs *runs, uint64_t from, uint64_t to, uint32_t thread)
{
	runs->ns += to - from;
	if ((runs->last && runs->last->n < runs->last->room) || busy_grow(b, runs))
		runs->last->runs[runs->last->n++] = (struct walk_run){.from = from, .to = to, .thread = thread};
}

/* Return a pointer to where the next runs are to be written, and in *room how many fit (at least one); NULL if
 * memory ran out. After writing n of them, call busy_wrote and add their lengths to runs->ns. */
static inline struct walk_run *busy_room(struct busy *b, struct busy_runs *runs, size_t *room)
{
	if (!(runs->last && runs->last->n < runs->last->room) && !busy_grow(b, runs))
		return NULL;
	*room = runs->last->room - runs->last->n;
	return &runs->last->runs[runs->last->n];
}
static inline void busy_wrote(struct busy_runs *runs, const struct walk_run *at, size_t n)
{
	if (runs->last && at == &runs->last->runs[runs->last->n])
		runs->last->n += (uint32_t)n;
}

/* Deliver the runs of the next part of a chain. They end before time `complete`; UINT64_MAX: this was the last part.
 * last_t: time of the last event of the part. The rows of its collections must be in the table of collections already.
 * Take ownership of the chunks and leave *runs empty. */
void busy_join(struct busy *b, uint32_t chain, struct busy_runs *runs, uint64_t complete, uint64_t last_t);

/* Record that a chain ends with an open run of this thread, which started at `from`. Call it before the last part is
 * joined. */
void busy_open(struct busy *b, uint32_t chain, uint64_t from, uint32_t thread);

/* Return the time at which the thread of the open run at the end of a chain ran elsewhere; 0 if it never did, or if
 * there is no such run. Call it after busy_end. */
uint64_t busy_moved(const struct busy *b, uint32_t chain);

/* Merge what is complete on all chains. Do nothing if another thread is merging, or if less than one part per 16 chains
 * was delivered since the last time, because each call visits all chains. */
void busy_merge(struct busy *b, const struct gcs *g);

/* Merge the rest and free the spare memory, when indexing is over. */
void busy_end(struct busy *b, const struct gcs *g);

/* Free all but the results, after the last call of busy_moved. */
void busy_settle(struct busy *b);

/* Discard runs that were not joined. */
void busy_drop(struct busy_runs *runs);

/* Save the sums to, or load them from, the index cache (image.h). After loading, busy_join and busy_merge must not
 * be called. */
void busy_image(struct image *im, struct busy *b, const struct tile_table *tiles);

#endif
