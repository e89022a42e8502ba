/* cap_shares.h - capability columns that account for collections of others: GC sync and stopped time, besides run,
 * GC and idle.
 *
 * A capability posts no events while it waits for a collection of others, so its events alone say "idle". The
 * pauses of the GC tables tell the difference:
 *   from request to start   a capability that does not run waits for the others to stop   SHARE_SYNC
 *   from start to end       one that neither runs nor takes part is stopped               SHARE_STOPPED
 *   from end to the next    one that took part is idle, though it may post so only when it is woken for the next collection
 * A column whose events lie in at most two tiles is decoded exactly. Longer columns are computed from sums: the capability was
 * certainly stopped for the part of the pauses that it did not spend in collections, and it certainly waited before the
 * collections it led. */
#ifndef EVL_CAP_SHARES_H
#define EVL_CAP_SHARES_H

#include "gc/gc.h"
#include "sched/caps.h"

/* Sum up all collections in each of the n columns of [t0, t1). */
void cap_shares_gc_columns(const struct gcs *gcs, uint64_t t0, uint64_t t1, int n, struct gc_sum *out);

/* Collections of a window: a list in order of time, unless there are too many, and one sum per column. */
struct cap_shares_gcs {
	const struct gcs *gcs;
	const struct gc_row *const *rows; /* all whose pause touches the window; NULL if too many to list */
	size_t n;
	const struct gc_sum *columns;
};

/* Fill n columns of the capability of a chain with its shares of [t0, t1). */
void cap_shares_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain,
	const struct cap_shares_gcs *gcs, uint64_t t0, uint64_t t1, int n, struct cap_column *out);

/* Return the collection of the list whose pause covers t, or NULL. */
const struct gc_row *cap_shares_gc_at(const struct cap_shares_gcs *gcs, uint64_t t);

#endif
