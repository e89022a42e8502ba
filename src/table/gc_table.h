/* gc_table.h - the table of collections, one row each, decoded for the visible rows only (columns: gc_columns.def)
 *
 * A row is identified by a 64-bit reference: the chain, i.e. the number of the capability's sequence of blocks
 * (upper 24 bits), and the row in that chain's own table (lower 40 bits). Times are in ns. */
#ifndef EVL_GC_TABLE_H
#define EVL_GC_TABLE_H

#include "query/gc_detail.h"
#include "table/gc_batch.h"
#include "table/table.h"

#define LISTS "table/gc_columns.def"
#include "table/declare_lists.def"

/* The row that was decoded last, as a cache. */
struct gc_decoded {
	uint64_t ref;
	bool has_ref; /* a row is decoded */
	enum { GC_NOT_READ, GC_READ, GC_MISSING } stats_read, around_read, late_read;
	struct gc_stats stats;
	struct gc_around around; /* heap sizes after it (gc_detail.h) */
	struct gc_late late;     /* what delayed its start (gc_detail.h) */
	unsigned why;            /* why the collection was slow; valid after `late` and the sweep are read */
};

/* The list of collections of a range; may be used by one thread at a time. A list initialized with just {.of.log =
 * log} serves for reading cells, too. If the log must not wait (evl_never_wait), cells whose bytes are not in memory
 * are unknown at first, and are fetched. */
struct gc_list {
	struct table_range of;
	uint64_t *refs; /* references to all rows, in time order; set by make */
	size_t n;
	struct gc_batch batch;  /* only if made deep */
	uint64_t first;         /* index of the first row; 0: not known yet */
	struct gc_sweep *sweep; /* only if made deep; NULL: each row is looked up separately */
	size_t place;           /* index in refs of the row used last */
	struct gc_decoded row;
};

/* Get references to the collections that start in [from, to), in order of GC_START. The caller frees *refs. Return 0
 * or EVL_NOMEM. */
int gc_table_refs(const struct evl_log *log, uint64_t from, uint64_t to, uint64_t **refs, size_t *n) EVL_MUST_USE;

size_t gc_table_count(const struct evl_log *log, uint64_t from, uint64_t to); /* the number of such collections */

/* Return the collection of a reference; borrowed from the log. */
const struct gc_row *gc_table_row(const struct evl_log *log, uint64_t ref);
static inline uint32_t gc_table_chain(uint64_t ref) { return (uint32_t)(ref >> 40); }

#endif
