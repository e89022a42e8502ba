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
#define COLUMN(id, key, title, unit, deep, meaning) THREAD_COLUMN_##id,
#include "table/thread_columns.def"
#undef COLUMN
	THREAD_COLUMNS
};

struct thread_table {
	const struct evl_log *log;
	uint64_t from, to;
	struct thread_waits *deep; /* in order of ids */
	size_t n_deep;
	uint64_t others; /* threads that the scan told of and that are not kept */
	bool is_deep;
};

/* Its cell function takes a const struct thread_table * as ctx. */
extern const struct table_column thread_columns[THREAD_COLUMNS];
extern const struct table_kind thread_table_kind;

/* Make it; deep: also scan the range, which reads its log once. 0, EVL_NOMEM or EVL_CANCELLED; then it holds nothing. */
int thread_table_make(struct thread_table *t, const struct evl_log *log, uint64_t from, uint64_t to, bool deep,
	const struct progress *watch) EVL_MUST_USE;
void thread_table_free(struct thread_table *t);

/* The threads of the table in order of their ids: all that the log mentions as created or running and that live within
 * the range. *refs is the caller's. EVL_NOMEM or 0. */
int thread_table_refs(const struct thread_table *t, uint64_t **refs, size_t *n) EVL_MUST_USE;

#endif
