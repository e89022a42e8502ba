/* lists.h - the tables of spans, phases, blocked time, a critical path and ticky counters
 *
 * A row is identified by its index: spans in the log's table of spans (spans.h), others in the list. Columns are
 * defined in span_columns.def, phase_columns.def, blocked_columns.def, path_columns.def and ticky_columns.def. */
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

/* Results of one reading of the log for several lists. Each list takes over its part, once. */
struct table_shared {
	struct thread_gathering threads;
	struct span_budgets budgets; /* of the log's spans; n is 0 if there are none */
	struct phases phases;
	struct waits *waits; /* NULL: none */
	bool has_threads, has_phases;
};
void table_shared_free(struct table_shared *s);

/* The spans that start in the range, by start time. deep: with budgets, i.e. the time of each span by activity
 * (span_budget.h). For these the log is read once, from the start of the first span to the end of the last. */
struct span_list {
	struct table_range of;
	const struct span_table *table; /* NULL: the log has no spans */
	struct span_budgets budgets;
	bool is_deep; /* budgets are known */
};
extern const struct table_column span_columns[SPAN_COLUMNS];
extern const struct table_kind span_list_kind;

/* The phases of the range, in time order. */
struct phase_list {
	struct table_range of;
	struct phases phases;
};
extern const struct table_column phase_columns[PHASE_COLUMNS];
extern const struct table_kind phase_list_kind;

/* The reasons on which threads were blocked in the range, by total time, longest first. */
struct blocked_list {
	struct table_range of;
	struct waits *waits;
};
extern const struct table_column blocked_columns[BLOCKED_COLUMNS];
extern const struct table_kind blocked_list_kind;

/* Write threads that ended waits, or that were waited for, as a JSON array. unknown: write thread 0 as null;
 * otherwise as 0, an owner that the event itself gives as 0. */
void wait_who_json(struct json *j, const struct evl_log *log, const struct wait_who *who, size_t n, bool unknown);

/* The longest segments of the critical path of the range, in time order. If not deep and the path takes long to
 * follow, only its part nearest to the end of the range is listed. */
struct path_list {
	struct table_range of;
	struct path path;
};
extern const struct table_kind path_list_kind;

/* The ticky counters of the range, by bytes allocated, most first. */
struct ticky_list {
	struct table_range of;
	struct ticky ticky;
};
extern const struct table_kind ticky_list_kind;

#endif
