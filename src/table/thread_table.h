/* thread_table.h - values of the thread table, one row per thread; its columns: thread_columns.def.
 *
 * A reference is the thread's id. Results of the scan of a range are kept for up to THREAD_TABLE_DEEP threads, 96
 * bytes each: the first ones that it reports; others are unknown there. */
#ifndef EVL_THREAD_TABLE_H
#define EVL_THREAD_TABLE_H

#include "log/log.h"
#include "query/thread_waits.h"
#include "table/table.h"

enum { THREAD_TABLE_DEEP = 1 << 16 };

enum thread_table_column {
#define COLUMN(id, key, title, unit, deep, meaning, value) THREAD_COLUMN_##id,
#include "table/thread_columns.def"
#undef COLUMN
	THREAD_COLUMNS
};

/* Results of a scan, for at most THREAD_TABLE_DEEP threads. */
struct thread_gathering {
	struct thread_waits *items;
	size_t n, room;
	uint64_t others; /* that are not kept */
	bool failed;     /* memory ran out */
};
void thread_gathering_add(void *gathering, const struct thread_waits *w);

struct thread_table {
	struct table_range of;
	uint64_t from, to;         /* the same, within the log */
	struct thread_waits *deep; /* in order of ids */
	size_t n_deep;
	uint64_t others; /* threads that the scan told of and that are not kept */
	bool is_deep;
	_Atomic size_t found;    /* the report that was looked up last */
	_Atomic uint32_t absent; /* the thread without one that was; 0: none */
};

/* The list of all threads that the log mentions as created or running and that live within the range, in order of their
 * ids; deep: the range is scanned, too. */
extern const struct table_column thread_columns[THREAD_COLUMNS];
extern const struct table_kind thread_table_kind;

#endif
