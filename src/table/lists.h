/* lists.h - the tables of spans, phases, blocked time, a critical path and ticky counters: a row each, all columns of
 * span_columns.def, phase_columns.def, blocked_columns.def, path_columns.def and ticky_columns.def.
 *
 * A reference is the place of the row: in the table of spans (spans.h), else in the list. */
#ifndef EVL_TABLE_LISTS_H
#define EVL_TABLE_LISTS_H

#include "query/path.h"
#include "query/phases.h"
#include "query/span_budget.h"
#include "query/thread_waits.h"
#include "query/ticky.h"
#include "table/thread_table.h"

enum span_column {
#define COLUMN(id, key, title, unit, deep, meaning, value) SPAN_COLUMN_##id,
#include "table/span_columns.def"
	SPAN_COLUMNS
};
enum phase_column {
#undef COLUMN
#define COLUMN(id, key, title, unit, deep, meaning, value) PHASE_COLUMN_##id,
#include "table/phase_columns.def"
	PHASE_COLUMNS
};
enum blocked_column {
#undef COLUMN
#define COLUMN(id, key, title, unit, deep, meaning, value) BLOCKED_COLUMN_##id,
#include "table/blocked_columns.def"
	BLOCKED_COLUMNS
};
enum path_column {
#undef COLUMN
#define COLUMN(id, key, title, unit, deep, meaning, value) PATH_COLUMN_##id,
#include "table/path_columns.def"
	PATH_COLUMNS
};
enum ticky_column {
#undef COLUMN
#define COLUMN(id, key, title, unit, deep, meaning, value) TICKY_COLUMN_##id,
#include "table/ticky_columns.def"
	TICKY_COLUMNS
};
#undef COLUMN

/* Results of one reading for several lists; each list takes its part, once. */
struct table_shared {
	struct thread_gathering threads;
	struct span_budgets budgets; /* of the log's spans; no items: none */
	struct phases phases;
	struct waits *waits; /* NULL: none */
	bool has_threads, has_phases;
};
void table_shared_free(struct table_shared *s);

/* The spans that start in the range, in order of start. deep: with budgets, for which the log is read once from the first
 * of them to the end of the last. */
struct span_list {
	struct table_range of;
	const struct span_table *table; /* NULL: there are no spans */
	struct span_budgets budgets;
	bool is_deep;
};
extern const struct table_column span_columns[SPAN_COLUMNS];
extern const struct table_kind span_list_kind;

/* The phases of the range, in order of time. */
struct phase_list {
	struct table_range of;
	struct phases phases;
};
extern const struct table_column phase_columns[PHASE_COLUMNS];
extern const struct table_kind phase_list_kind;

/* The reasons that threads were blocked on in the range, most time first. */
struct blocked_list {
	struct table_range of;
	struct waits *waits;
};
extern const struct table_column blocked_columns[BLOCKED_COLUMNS];
extern const struct table_kind blocked_list_kind;

/* Write the threads that ended waits, or were waited for, as an array. unknown: write a thread of 0 as null; an owner of 0
 * is what the event says. */
void wait_who_json(struct json *j, const struct evl_log *log, const struct wait_who *who, size_t n, bool unknown);

/* The longest segments of the critical path of the range, in order of time. At first as far back as it takes a moment to
 * follow it; deep: all of it. */
struct path_list {
	struct table_range of;
	struct path path;
};
extern const struct table_kind path_list_kind;

/* The ticky counters of the range, most allocated first. */
struct ticky_list {
	struct table_range of;
	struct ticky ticky;
};
extern const struct table_kind ticky_list_kind;

#endif
