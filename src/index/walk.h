/* walk.h - index parts of chains: the loop through which every event of the log passes once, and the hooks that it
 * calls.
 *
 * A chain (the blocks of one capability in file order) can be divided wherever a thread starts to run: RUN_THREAD
 * determines the state of the capability from then on, whatever came before. A part starts at the first RUN_THREAD in
 * its blocks and ends before the first one in the blocks of a later part; only the first part starts at the start of
 * the chain. Parts are independent: they may be read in any order, on any thread, and are joined in chain order
 * (walk_join). Until then the totals of a part count from its start.
 *
 * The loop itself tracks the state of the capability, fills the tiles (tiles.h), and records when threads ran, were
 * created and finished. It passes other events to the tables of other folders through hooks, in one of two ways per
 * tag: at once, in the order of the part, into a partial result that belongs to this part (take); or when the part is
 * joined, in chain order, one event at a time (later). */
#ifndef EVL_WALK_H
#define EVL_WALK_H

#include "index/downsample.h"
#include "index/tiles.h"

enum { WALK_TAGS = 256, WALK_STATUSES = 32, WALK_NOTES = 128 };

/* A run of a thread: [from, to) in ns. */
struct walk_run {
	uint64_t from, to;
	uint32_t thread;
	bool lost; /* its STOP_THREAD is missing: does not count as run time of the thread */
};

/* A thread was created, or finished (died), at time t in ns. */
struct walk_life {
	uint64_t t;
	uint32_t thread;
	bool died, root; /* root: created while no thread ran on the capability */
};

struct part;

/* The callbacks of one log. `partial` is the partial result of the part, as returned by `open` (struct partial in
 * log_tables.c). */
struct walk_hooks {
	/* By tag: process an event. thread is the one that runs on the capability according to RUN_THREAD and
	 * STOP_THREAD alone; 0: none. NULL: the tag is not wanted. */
	void (*take[WALK_TAGS])(void *partial, const struct frame *f, uint32_t thread);
	bool later[WALK_TAGS]; /* by tag: wanted when the part is joined; tags from WALK_TAGS on always are */
	/* By tag: report whether such an event is not wanted later after all, whatever is joined before it. May be NULL. */
	bool (*spare[WALK_TAGS])(void *partial, const struct frame *f);
	unsigned thin_shift; /* result of downsample_shift, for samples among those tags */
	void *ctx;
	/* returns the partial result of a new part; NULL: out of memory */
	void *(*open)(void *ctx, uint32_t chain, int worker);
	/* frees the partial result of a part that was never joined */
	void (*free)(void *partial);
	/* A block of the part: each of its chain from the one it starts in to the one it ends in. May be NULL. */
	void (*block)(void *partial, const struct block *block);
	/* A tile starts. tags: numbers of events of the part before it, by tag. May be NULL. */
	void (*tile)(void *partial, size_t tile, const uint64_t *tags);
	void (*run)(void *partial); /* a RUN_THREAD: whatever was in progress before it has ended */
	/* Return an array for the next runs and the number of its elements, or NULL. Once filled, it is passed to
	 * ran. */
	struct walk_run *(*room)(void *partial, size_t *n);
	void (*ran)(void *partial, const struct walk_run *runs, size_t n);
	void (*lived)(void *partial, const struct walk_life *lives, size_t n);
	void (*walked)(void *partial);         /* the part is complete: the last call by its worker */
	void (*rested)(void *ctx, int worker); /* the worker has read some parts */
	/* an event wanted later, when its part is joined */
	void (*joins)(void *ctx, uint32_t chain, const struct frame *f);
	/* The part is joined; takes ownership of its partial result. */
	void (*join)(void *ctx, uint32_t chain, void *partial, const struct part *part);
	void (*joined)(void *ctx); /* after some parts were joined; others may be joined at the same time */
};

struct walk_counts {
	uint64_t tags[WALK_TAGS];         /* number of events by tag, for tags below WALK_TAGS */
	uint64_t statuses[WALK_STATUSES]; /* number of STOP_THREAD by status, for statuses below WALK_STATUSES */
	struct downsample thin;
};

struct walk; /* state shared by all parts */

struct part {
	uint32_t chain;
	struct block first; /* the part starts in one of the blocks of the chain from this one on … */
	uint64_t until;     /* … which start before this file offset */
	uint64_t chain_at;  /* bytes of the chain before `first` */
	uint64_t bytes;     /* bytes of those blocks */
	bool whole;         /* the part starts at the start of the chain */
	bool goes_on;       /* the part starts with the block `first`, at which the chain is at rest (walk_rest) */
	uint64_t rest;      /* file offset of a later block of that kind: the part ends there at the latest; 0: none */
	bool walked;        /* for the caller of walk_parts, as is `stretch` */
	uint32_t stretch;
	/* Results of walk_parts: */
	bool any, last;              /* the part has a start; it ends at the end of the chain */
	bool stopped;                /* cancelled before its end, so no later part may be joined */
	uint64_t run_t;              /* time of its first RUN_THREAD */
	uint64_t end_t;              /* time of the RUN_THREAD before which it ends */
	uint64_t end_off;            /* file offset of the block in which it ends */
	size_t first_tile, end_tile; /* the tiles that start in the part */
	uint32_t lead_classes;       /* classes of its events before the first of those tiles */
	uint64_t lead_filter, lead_early;
	struct cap_pos end; /* state at its end; totals from its start */
	bool running;       /* a thread runs at its end, according to RUN_THREAD and STOP_THREAD alone */
	uint64_t events, first_t, last_t;
	struct walk_counts *counts; /* until the part is joined */
	/* number of events outside blocks with impossible times: not included in first_t, last_t and tiles */
	uint64_t bad_times;
	uint64_t anomalies; /* number of RUN_THREAD within a run, or STOP_THREAD of another thread */
	uint64_t *later;    /* file offsets of events wanted later */
	size_t n_later, later_room;
	struct damage_list damage;
	void *partial;
	bool data_end, failed;
	bool nested; /* a block starts inside another */
};

/* Allocate the shared state. The arguments must outlive it. Return NULL if memory ran out. */
struct walk *walk_new(const struct blocks *b, struct tile_table *tiles, const struct walk_hooks *hooks);
void walk_free(struct walk *w);

/* Allocate the state of a longer log that starts with the blocks of w: what w has joined is joined in it. The arguments are
 * those of walk_new, with the same chains. Return NULL if memory ran out. */
struct walk *walk_go_on(
	const struct walk *w, const struct blocks *b, struct tile_table *tiles, const struct walk_hooks *hooks);

/* Report whether a part can start in the block: a thread starts to run in it. */
bool walk_may_start(struct walk *w, const struct block *block);

/* Where all parts before it are joined, a part can also start with a block at which the chain is at rest: no thread runs, no
 * collection is requested or in progress, no heap sample is open, and no message of several parts was begun. walk_follow
 * reads a block to find out whether the chain is at rest after it. Initialise with zeros at the start of the chain. */
struct walk_rest {
	bool runs, collects, samples, tells;
};
void walk_follow(const struct walk *w, const struct block *block, struct walk_rest *rest);
static inline bool walk_rests(const struct walk_rest *r)
{
	return !r->runs && !r->collects && !r->samples && !r->tells;
}

/* Read n > 0 parts of different chains in one pass over their blocks, in file order from parts[0].first on. Several should
 * lie close to each other, since all blocks between them are passed. worker is the number of the calling worker. *cancel is
 * checked once per block; when it becomes true, the results up to that block are kept. cancel may be NULL. */
void walk_parts(struct walk *w, struct part *parts, size_t n, int worker, const atomic_bool *cancel);

/* Join the next part of a chain: its tiles, events and counts are added to the whole and published. Only one part may
 * be joined at a time. */
void walk_join(struct walk *w, struct part *p);

/* Call the hook `rested`: the worker adds the results that it keeps across parts to the whole. */
void walk_rested(const struct walk *w, int worker);

/* Call the hook `joined`. May be called at any time from any thread. */
void walk_joined(const struct walk *w);

/* Free the memory of a part, joined or not. */
void part_free(const struct walk *w, struct part *p);

#endif
