/* gc_table.h - values of the GC table, one row per collection, decoded for the visible rows; its columns:
 * gc_columns.def.
 *
 * A reference holds the chain (upper 24 bits) and the row in its table (lower 40). */
#ifndef EVL_GC_TABLE_H
#define EVL_GC_TABLE_H

#include "query/gc_detail.h"
#include "table/gc_batch.h"
#include "table/table.h"

enum gc_column {
#define COLUMN(id, key, title, unit, deep, meaning, value) GC_COLUMN_##id,
#include "table/gc_columns.def"
#undef COLUMN
	GC_COLUMNS
};

/* The row that was decoded last. */
struct gc_decoded {
	uint64_t ref;
	bool has_ref;
	enum { GC_NOT_READ, GC_READ, GC_MISSING } stats_read, around_read, late_read;
	struct gc_stats stats;
	struct gc_around around;
	struct gc_late late;
	unsigned why; /* with late, of a sweep */
};

/* The list of collections, for one thread at a time. {.of.log = log} is ready for cells, too. Where bytes of the log are
 * not in memory and the log must not wait (evl_never_wait), cells are not known yet and fetched. */
struct gc_list {
	struct table_range of;
	uint64_t *refs; /* all rows, in order, once it is made */
	size_t n;
	struct gc_batch batch;  /* of them, where it was made deep */
	uint64_t first;         /* index of the first row; 0: not known yet */
	struct gc_sweep *sweep; /* where it was made deep; NULL: each row is looked up */
	size_t place;           /* in refs, of the row used last */
	struct gc_decoded row;
};
extern const struct table_column gc_columns[GC_COLUMNS];
extern const struct table_kind gc_table_kind;

/* References to the collections that start in [from, to), in order of GC_START: *refs is the caller's. EVL_NOMEM or 0. */
int gc_table_refs(const struct evl_log *log, uint64_t from, uint64_t to, uint64_t **refs, size_t *n) EVL_MUST_USE;

size_t gc_table_count(const struct evl_log *log, uint64_t from, uint64_t to); /* how many */

const struct gc_row *gc_table_row(const struct evl_log *log, uint64_t ref);
static inline uint32_t gc_table_chain(uint64_t ref) { return (uint32_t)(ref >> 40); }

#endif
