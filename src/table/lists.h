/* lists.h - the tables of spans, phases, blocked time, wakers, a critical path, ticky counters and damage
 *
 * A row is identified by its index: spans in the log's table of spans (spans.h), others in the list. Columns are
 * defined in lists.def. */
#ifndef EVL_TABLE_LISTS_H
#define EVL_TABLE_LISTS_H

#include "query/path.h"
#include "query/phases.h"
#include "query/span_budget.h"
#include "query/thread_waits.h"
#include "query/ticky.h"
#include "table/thread_table.h"

#define LISTS "table/lists.def"
#include "table/declare_lists.def"

enum { PATH_LISTED = 1 << 17 };

/* Results of one reading of the log for several lists. Each list takes over its part, once; only waits, from which two
 * lists are made, stay here. */
struct table_shared {
	struct thread_gathering threads;
	struct span_budgets budgets; /* of the log's spans; n is 0 if there are none */
	struct phases phases;
	struct waits *waits; /* NULL: none */
	struct path path;    /* with PATH_LISTED segments */
	bool has_threads, has_phases, has_path;
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

/* The phases of the range, in time order. */
struct phase_list {
	struct table_range of;
	struct phases phases;
};

/* The reasons on which threads were blocked in the range, by total time, longest first; as `wakers`, the waits of each reason by
 * the label of the thread that ended them, in no order. */
struct blocked_list {
	struct table_range of;
	struct waits *waits;
	bool is_shared; /* waits belongs to of.shared, of which both tables are made */
};

/* Write threads that ended waits, or that were waited for, as a JSON array. unknown: write thread 0 as null;
 * otherwise write 0, because the event itself gives the owner as 0. */
void wait_who_json(struct json *j, const struct evl_log *log, const struct wait_who *who, size_t n, bool unknown);

/* The PATH_LISTED longest segments of the critical path of the range, in time order; as `path_threads`, the threads that it
 * follows, most time first. If not deep and the path takes long to
 * follow, only its part nearest to the end of the range is listed. */
struct path_list {
	struct table_range of;
	struct path path;
};

/* The ticky counters of the range, by bytes allocated, most first. */
struct ticky_list {
	struct table_range of;
	struct ticky ticky;
};

/* The damaged places of the whole log, in file order. */
struct damage_places {
	struct table_range of;
};

#endif
