/* caps.h - state of a capability over time (run, GC, idle): columns for its lane, state at a moment, list of runs.
 *
 * Answers come from the tiles: a binary search, at most TILE_BYTES of decoding for each edge of a range, a
 * subtraction. Safe while the walk is in progress; what is not indexed yet is reported as unknown. */
#ifndef EVL_CAPS_H
#define EVL_CAPS_H

#include "index/cursor.h"

/* Activities of a capability, considering all collections, its own and those led by others; and the content of a
 * column of its lane. */
enum cap_share {
	SHARE_IDLE,
	SHARE_RUN,
	SHARE_MINOR,
	SHARE_MAJOR,   /* works in a collection */
	SHARE_WAIT,    /* takes part in one, but has nothing (left) to do */
	SHARE_SYNC,    /* stopped: a collection was requested and has not begun */
	SHARE_STOPPED, /* stopped: others collect */
	CAP_SHARES
};

/* One column [t0, t1) of a capability's lane. The second half is filled by cap_shares_columns only (cap_shares.h). */
struct cap_column {
	uint64_t run_ns, gc_ns; /* within the column; the rest is idle */
	uint64_t split;         /* the time of the last change in the column, if there is one */
	uint32_t switches;      /* changes of state in the column */
	uint32_t thread;        /* that runs at the end of the column, or ran last */
	uint8_t first, last;    /* enum cap_state at both ends */
	bool known;             /* the column is indexed */
	bool alive;             /* it touches the time between the capability's first and last event */

	bool exact;              /* false: of SYNC and STOPPED only what is certain is known, the rest is in IDLE */
	uint8_t from, to;        /* enum cap_share at both ends */
	uint32_t changes;        /* from one share to another in the column */
	uint64_t change_t;       /* the last of them */
	uint64_t ns[CAP_SHARES]; /* together the width of the column */
};

/* The columns of [t0, t1) cut into n equal parts. chain: index into blocks.chains. */
void caps_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1,
	int n, struct cap_column *out);

/* Add up run_ns, gc_ns and switches in windows of time, in order and apart; the rest of *out is zeros. */
void caps_over(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct time_window *windows, size_t n, struct cap_column *out);

/* State of columns: whether they are known and the capability exists; and the activity within one, by the positions
 * at its ends. */
void caps_blank(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1, int n,
	struct cap_column *out);
void caps_between(const struct cap_pos *a, const struct cap_pos *b, uint64_t t0, uint64_t t1, struct cap_column *out);

/* The state at moment t, what was posted at t itself included. */
struct cap_moment {
	enum cap_state state;
	uint32_t thread;      /* that runs, or ran last */
	uint64_t since;       /* when the state began; 0: before the log */
	uint64_t until;       /* when it ends; UINT64_MAX: not within what is indexed */
	uint16_t ends_by;     /* tag of the event that ends it; STOP_THREAD: */
	uint16_t stop_status; /* why the thread stopped */
	bool known;
};
void caps_at(
	const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t, struct cap_moment *out);

/* The same without its end, for moments that do not decrease: s (chain_seek_begin) is moved on. begin: when the capability's
 * first state that is known begins. */
struct chain_seek;
void caps_on_to(struct chain_seek *s, uint64_t begin, uint64_t t, struct cap_moment *out);
uint64_t caps_begin(const struct blocks *b, const struct tile_table *table, uint32_t chain);

/* The intervals in which threads run on a capability, one after another. */
struct cap_runs {
	struct cursor cursor;
	struct cap_pos pos;
	uint64_t open_until;
};
void caps_runs_begin(
	struct cap_runs *r, const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0);
/* False at the end of what is indexed. *to: UINT64_MAX, the run is open at the end of the log. */
bool caps_runs_next(struct cap_runs *r, uint64_t *from, uint64_t *to);

#endif
