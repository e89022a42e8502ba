/* caps.h - state of a capability over time (run, GC, idle): columns for its lane, state at a moment, list of runs
 *
 * Answers are computed from tiles (summaries of 8 KB of log each): a binary search, a subtraction, and at most
 * TILE_BYTES of decoding per edge of a range. They may be requested while the log is being indexed; the part that is
 * not indexed yet is reported as unknown. */
#ifndef EVL_CAPS_H
#define EVL_CAPS_H

#include "index/cursor.h"

/* Activity of a capability, also with regard to collections led by others; the states that its lane shows. */
enum cap_share {
	SHARE_IDLE,
	SHARE_RUN,
	SHARE_MINOR,   /* works in a minor collection */
	SHARE_MAJOR,   /* works in a major collection */
	SHARE_WAIT,    /* takes part in a collection but has nothing (more) to do */
	SHARE_SYNC,    /* stopped: a collection is requested but has not started */
	SHARE_STOPPED, /* stopped: other capabilities collect */
	CAP_SHARES
};

/* One column [t0, t1) of a capability's lane. Only cap_shares_columns (cap_shares.h) fills the members from `exact`
 * on. */
struct cap_column {
	uint64_t run_ns, gc_ns; /* the rest is idle */
	uint64_t split;         /* time of the last change of state in the column; valid if switches > 0 */
	uint32_t switches;      /* number of changes of state */
	uint32_t thread;        /* thread that runs at the end of the column, or ran last */
	uint8_t first, last;    /* enum cap_state at the two ends */
	bool known;             /* the column is indexed */
	bool alive;             /* it overlaps the time between the capability's first and last event */

	/* If false, SHARE_SYNC and SHARE_STOPPED are lower bounds, and SHARE_IDLE includes the rest. */
	bool exact;
	uint8_t from, to;        /* enum cap_share at the two ends */
	uint32_t changes;        /* number of changes of share */
	uint64_t change_t;       /* time of the last change of share */
	uint64_t ns[CAP_SHARES]; /* ns by share; they add up to t1 - t0 */
};

/* Fill out[n] with n equal columns of [t0, t1). chain: index into blocks->chains. */
void caps_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1,
	int n, struct cap_column *out);

/* caps_blank: fill in `known` and `alive` of n columns. caps_between: fill in the activity of one column, given the
 * positions at its two ends. */
void caps_blank(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1, int n,
	struct cap_column *out);
void caps_between(const struct cap_pos *a, const struct cap_pos *b, uint64_t t0, uint64_t t1, struct cap_column *out);

/* The state at moment t, after the events at t. */
struct cap_moment {
	enum cap_state state;
	uint32_t thread;      /* thread that runs, or ran last */
	uint64_t since;       /* start of the state; 0: before the log */
	uint64_t until;       /* end of the state; UINT64_MAX: not in what is indexed */
	uint16_t ends_by;     /* type of the event that ends it */
	uint16_t stop_status; /* if ends_by is STOP_THREAD: why the thread stopped */
	bool known;
};
/* Get the state at t. */
void caps_at(
	const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t, struct cap_moment *out);

/* Like caps_at, but for moments in ascending order and without the end of the state. s (from chain_seek_begin) is
 * moved forward to t; begin is the value of caps_begin, the start of the first known state of the capability. */
struct chain_seek;
void caps_on_to(struct chain_seek *s, uint64_t begin, uint64_t t, struct cap_moment *out);
uint64_t caps_begin(const struct blocks *b, const struct tile_table *table, uint32_t chain);

/* Iterator over the intervals of [t0, t1) in which threads run on a capability, in time order. */
struct cap_runs {
	struct cursor cursor;
	struct cap_pos pos;  /* state at the cursor's position */
	uint64_t stop;       /* file offset: no event from here on is before t1 */
	uint64_t open_until; /* end of a run that is open there */
};
/* caps_runs_begin: start, with the run at t0 or an earlier one. caps_runs_next: get the next interval, [*from, *to); *to is
 * UINT64_MAX if the run is open at the end of the log, or may be any time after t1. Return false at the end of the range or
 * of the indexed part. */
void caps_runs_begin(struct cap_runs *r, const struct blocks *b, const struct tile_table *table, uint32_t chain,
	uint64_t t0, uint64_t t1);
bool caps_runs_next(struct cap_runs *r, uint64_t *from, uint64_t *to);

#endif
