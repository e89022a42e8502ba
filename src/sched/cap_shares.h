/* cap_shares.h - capability columns that account for collections of others: GC sync and stopped time, besides run,
 * GC and idle.
 *
 * A capability posts nothing while it waits for a collection of others, so its own events say "idle" then. The
 * pauses of the GC tables tell the difference:
 *   from request to start   a capability that does not run waits for the others to stop   SHARE_SYNC
 *   from start to end       one that neither runs nor takes part is stopped               SHARE_STOPPED
 *   from end to the next    one that took part is idle, though it may post so only when it is woken for the next collection
 * A column whose events lie in at most two tiles is decoded, phases and all. For longer ones the sums must do: of
 * the pauses' length, the time the capability did not spend in collections itself has certainly stopped it, and
 * before the collections it led it has certainly waited. */
#ifndef EVL_CAP_SHARES_H
#define EVL_CAP_SHARES_H

#include "gc/gc.h"
#include "sched/caps.h"

/* The sums of all collections in the columns of [t0, t1). */
void cap_shares_gc_columns(const struct gcs *gcs, uint64_t t0, uint64_t t1, int n, struct gc_sum *out);

/* The collections of a window: each in order, unless they are too many; and their sums, one a column. */
struct cap_shares_gcs {
	const struct gcs *gcs;
	const struct gc_row *const *rows; /* all whose pause touches the window; NULL: too many to list */
	size_t n;
	const struct gc_sum *columns;
};

/* Fill both halves of the columns. */
void cap_shares_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct cap_shares_gcs *gcs, uint64_t t0, uint64_t t1, int n, struct cap_column *out);

/* The collection of the list whose pause covers t, or NULL. */
const struct gc_row *cap_shares_gc_at(const struct cap_shares_gcs *gcs, uint64_t t);

#endif
