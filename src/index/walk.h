/* walk.h - index one part of a chain: the loop that every event of the log passes through once, and the hooks it
 * feeds.
 *
 * A chain can be cut wherever a thread starts to run: RUN_THREAD says what a capability does from there on, whatever
 * came before. So a part begins at the first RUN_THREAD of its blocks and ends before the first one in the blocks of
 * the next part that has any; only the first part of a chain begins with the chain. Parts are independent, may be
 * walked in any order on any thread, and are joined in chain order (walk_join): sums of a part count from its start
 * until then.
 *
 * The loop itself tracks what a capability does, and notes when threads ran, were created and finished. Other events
 * are handed to the floors above, each tag by its own rule: at once, in the order of the part, to a partial that only
 * this part has (take); or when the part is joined, in chain order, one at a time (later). */
#ifndef EVL_WALK_H
#define EVL_WALK_H

#include "index/downsample.h"
#include "index/tiles.h"

enum { WALK_TAGS = 256, WALK_STATUSES = 32, WALK_NOTES = 128 };

/* A thread ran. */
struct walk_run {
	uint64_t from, to;
	uint32_t thread;
	bool lost; /* its STOP is missing: not counted for the thread */
};

/* A thread was born, or died. */
struct walk_life {
	uint64_t t;
	uint32_t thread;
	bool died;
};

struct part;

/* Callbacks of the floors above. Each gets the partial results that open() made for the part. */
struct walk_hooks {
	/* By tag: thread: runs on the capability by RUN and STOP alone; 0: none. NULL: not wanted. */
	void (*take[WALK_TAGS])(void *share, const struct frame *f, uint32_t thread);
	bool later[WALK_TAGS]; /* wanted when the part is joined; larger tags always are */
	unsigned thin_shift;   /* as downsample_shift: of the samples among those */
	void *ctx;
	void *(*open)(void *ctx, uint32_t chain, int worker); /* NULL: out of memory */
	void (*free)(void *share);                            /* of a part that was never joined */
	/* A tile begins; tags: events of the part before it, by tag. NULL: not wanted. */
	void (*tile)(void *share, size_t tile, const uint64_t *tags);
	void (*run)(void *share); /* a RUN_THREAD: what was handed on before it is over */
	/* Return where the next runs are to be written, and for how many there is room; NULL: nowhere. They are passed to
	 * ran() when they are. */
	struct walk_run *(*room)(void *share, size_t *n);
	void (*ran)(void *share, const struct walk_run *runs, size_t n);
	void (*lived)(void *share, const struct walk_life *lives, size_t n);
	void (*walked)(void *share);           /* the part is walked: the last call of its worker */
	void (*rested)(void *ctx, int worker); /* the worker has walked some parts */
	void (*joins)(void *ctx, uint32_t chain, const struct frame *f); /* an event for later, as its part is joined */
	/* The part is joined; its share ends here. */
	void (*join)(void *ctx, uint32_t chain, void *share, const struct part *part);
	void (*joined)(void *ctx); /* after some; others may be joined meanwhile */
};

struct walk_counts {
	uint64_t tags[WALK_TAGS];         /* events by tag, but for larger tags */
	uint64_t statuses[WALK_STATUSES]; /* STOP_THREAD by status; those with other statuses are for later */
	struct downsample thin;
};

struct walk; /* what all parts have in common */

struct part {
	uint32_t chain;
	struct block first; /* it may begin in the chain's blocks from this one on … */
	uint64_t until;     /* … that start before this offset */
	uint64_t chain_at;  /* bytes of the chain before the first */
	uint64_t bytes;     /* of those blocks */
	bool whole;         /* it begins with its chain */
	bool walked;        /* for who gave it to walk_part, as the number of its stretch */
	uint32_t stretch;
	/* what the walk found */
	bool any, last;              /* it has a start; it ends with its chain */
	bool stopped;                /* it was cancelled before its end, so no part may be joined after it */
	uint64_t run_t;              /* when the RUN_THREAD that it begins with was posted */
	uint64_t end_t;              /* of the RUN_THREAD before which it ends */
	uint64_t end_off;            /* start of the block in which it ends, or of the one after */
	size_t first_tile, end_tile; /* the tiles that start in it */
	uint32_t lead_classes;       /* of its events before the first of those tiles */
	uint64_t lead_filter, lead_early;
	struct cap_pos end; /* at its end; sums from its start */
	bool running;       /* a thread runs at its end, by RUN and STOP alone */
	uint64_t events, first_t, last_t;
	struct walk_counts *counts; /* until it is joined */
	uint64_t bad_times;         /* events outside of blocks whose times cannot be: not in first_t, last_t, tiles */
	uint64_t anomalies;         /* RUN in a run, STOP of another thread */
	uint64_t *later;            /* file offsets */
	size_t n_later, later_room;
	struct damage_list damage;
	void *share;
	bool data_end, failed;
	bool nested; /* a block begins inside of another */
};

/* NULL when memory is out. All arguments outlive it. */
struct walk *walk_new(const struct blocks *b, struct tile_table *tiles, const struct walk_hooks *hooks);
void walk_free(struct walk *w);

/* Walk a part, as the worker with this number. cancel is checked once per block; results up to there are kept. */
void walk_part(struct walk *w, struct part *p, int worker, const atomic_bool *cancel);

/* Join the next part of its chain: its tiles, events and counts become part of the whole and are published. The caller
 * joins one part at a time. */
void walk_join(struct walk *w, struct part *p);

/* A worker has walked some parts: what it keeps for several is added to the whole. */
void walk_rested(const struct walk *w, int worker);

/* Some were joined. Any caller, at any time. */
void walk_joined(const struct walk *w);

/* Free what a part holds, joined or not. */
void part_free(const struct walk *w, struct part *p);

#endif
