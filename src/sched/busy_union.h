/* busy_union.h - union over all capabilities of run and pause intervals, computed during the walk: mutator, GC and
 * idle time of the run.
 *
 * Each chain delivers its intervals in order, part by part, and says up to when they are complete. Intervals
 * complete on all chains are merged at once and their memory reused, so only those in progress are kept. A run that is open
 * at the end of its chain lasts until its thread runs elsewhere, or to the end of the log. Formulas: run_stats.h. */
#ifndef EVL_BUSY_UNION_H
#define EVL_BUSY_UNION_H

#include "base/idmap.h"
#include "gc/gc_delays.h"
#include "index/walk.h"

#include <pthread.h>

enum { BUSY_LATE_CAPS = 1024, BUSY_SIZES = 8, BUSY_BUFFERS = 4 };

struct busy_chunk {
	struct busy_chunk *next;
	uint32_t n, room;
	unsigned size;          /* which of BUSY_SIZES */
	struct walk_run runs[]; /* and room for one more, by which merging knows their end */
};

/* Runs in order. Each chunk is twice as large as the one before, up to the largest size: thousands of capabilities may have
 * a few runs each. */
struct busy_runs {
	struct busy_chunk *first, *last;
	uint64_t ns; /* of them all, until they are joined */
};

struct busy_chain;
struct busy_list;
struct busy_leader;

/* A union that grows at its end: its length, and where it ends. */
struct busy_union {
	uint64_t ns, end;
};

struct busy {
	struct busy_chain *chains;
	size_t n;
	struct walk_run *spans[BUSY_BUFFERS]; /* of merging */
	size_t room[BUSY_BUFFERS];
	struct busy_list *lists;
	size_t *picks;
	struct busy_leader *leaders;
	struct busy_chunk *spare[BUSY_SIZES]; /* chunks to be used again */
	size_t news;                          /* parts that were delivered and not looked at */
	uint64_t last_t;                      /* the last event of the parts that were delivered */
	struct idmap opens;                   /* thread of a run that is open at the end of a chain -> chain */
	uint64_t open_filter;                 /* bit id % 64 of these threads */
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
	runs->ns += to - from;
	if ((runs->last && runs->last->n < runs->last->room) || busy_grow(b, runs))
		runs->last->runs[runs->last->n++] = (struct walk_run){.from = from, .to = to, .thread = thread};
}

/* Return where the next runs go, and for how many there is room, at least one; NULL: no memory. Then say how many were
 * written there, and add their lengths to runs->ns. */
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

/* The runs of the next part of a chain, which are taken over (runs is then empty), all before `complete`; the rows of its
 * collections are in the table already. UINT64_MAX: the chain has no more. last_t: of its events.
 * busy_open, before the last part is joined: the chain ends with a run that is open. */
void busy_join(struct busy *b, uint32_t chain, struct busy_runs *runs, uint64_t complete, uint64_t last_t);
void busy_open(struct busy *b, uint32_t chain, uint64_t from, uint32_t thread);

/* After busy_end: when the thread of the run that is open at the end of a chain ran elsewhere; 0: it did not, or there is
 * no such run. */
uint64_t busy_moved(const struct busy *b, uint32_t chain);

/* Merge what is complete on all chains, unless somebody does so at this moment, or only few parts of many chains came since
 * the last time: to look at all chains for each would take long. */
void busy_merge(struct busy *b, const struct gcs *g);

/* The walk is over: merge what is left, and give back the memory that was for use again. */
void busy_end(struct busy *b, const struct gcs *g);

/* Runs that are not joined. */
void busy_drop(struct busy_runs *runs);

/* To or from a file (image.h): the sums, when the walk is over. Loading, what busy_join and the others feed is not there. */
void busy_image(struct image *im, struct busy *b);

#endif
