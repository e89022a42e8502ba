/* cap_shares.h - shares of a capability's time, also in collections led by other capabilities
 *
 * A capability logs nothing while another one leads a collection, so from its events alone it looks idle. The table
 * of collections tells more:
 *   from request to start    a capability that does not run waits for the others to stop: SHARE_SYNC
 *   from start to end        a capability that neither runs nor takes part is stopped: SHARE_STOPPED
 *                            one that takes part collects, but waits (SHARE_WAIT) from each GC_IDLE or GC_DONE to its
 *                            next GC_WORK, when it has no work left, and before its first GC_WORK, unless it leads:
 *                            a leader prepares the collection then
 *   after the end            a capability that took part is idle, even if it logs its GC_END only when it is next woken
 *
 * The functions divide a window of time into equal columns. If the events of a column lie in at most two tiles (8 KB of
 * log each), they are decoded and the shares are exact. Otherwise the shares are computed from sums and are lower
 * bounds: SHARE_STOPPED is the time of pauses that the capability did not spend in collections, SHARE_SYNC the time
 * before collections that it led. Times are in ns. */
#ifndef EVL_CAP_SHARES_H
#define EVL_CAP_SHARES_H

#include "gc/gc.h"
#include "sched/cap_life.h"
#include "sched/caps.h"
#include "sys/progress.h"

/* Add up all collections in each of n equal columns of [t0, t1). */
void cap_shares_gc_columns(const struct gcs *gcs, uint64_t t0, uint64_t t1, int n, struct gc_sum *out);

/* The collections of a window: the sum of each column and, unless there are too many, a list in time order. */
struct cap_shares_gcs {
	const struct gcs *gcs;
	const struct gc_row *const *rows; /* all whose pause touches the window; NULL: too many to list */
	size_t n;
	const struct gc_sum *columns; /* one per column; for cap_shares_over it may be NULL */
};

/* Fill out[n] with the shares of a capability's time in n equal columns of [t0, t1). chain: index of the capability in
 * b->chains. */
void cap_shares_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct cap_shares_gcs *gcs, uint64_t t0, uint64_t t1, int n, struct cap_column *out);

/* Divide [from, to) into up to n windows of about equal length that end where tiles of the capability start, so that no events
 * have to be decoded to add up what is between them. Return their number. */
size_t cap_shares_cut(const struct tile_table *table, uint64_t from, uint64_t to, int n, struct time_window *out);

/* Windows over which to add up the shares of a capability's time. */
struct cap_shares_ask {
	const struct time_window *windows; /* disjoint, in time order; columns of struct cap_shares_gcs */
	size_t n;
	const struct cap_absence *absent; /* all absences of the capability (cap_life.h) */
	size_t n_absent;
	bool all; /* the sums are exact, however long the windows are, if the collections are listed */
	const struct progress *watch; /* may be NULL */
};
struct cap_shares_sum {
	uint64_t ns[CAP_SHARES]; /* with off_ns they add up to the length of the windows */
	uint64_t off_ns;         /* time in which it was absent and, but for that, idle */
	uint64_t absent_ns;      /* all time in which it was absent */
	uint64_t switches;       /* see struct cap_column */
	bool exact;              /* false: SHARE_SYNC, SHARE_STOPPED, SHARE_WAIT and off_ns are lower bounds */
};

/* Add up the shares. Return 0 or EVL_CANCELLED. */
int cap_shares_over(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct cap_shares_gcs *gcs, const struct cap_shares_ask *ask, struct cap_shares_sum *out) EVL_MUST_USE;

/* Return the listed collection whose pause contains t, or NULL. */
const struct gc_row *cap_shares_gc_at(const struct cap_shares_gcs *gcs, uint64_t t);

#endif
