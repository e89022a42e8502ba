#include "report/figure_lists.h"

#include "report/diff_list.h"
#include "report/findings.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

#include <math.h>

/* Those that ran most are known of the whole run from the index, of a range only in depth. */
static size_t top_runs(const struct figures *f) { return f->whole ? f->lives.n_top : f->waits ? f->waits->n_run : 0; }

static struct thread_waits top_run(const struct figures *f, size_t i)
{
	if (!f->whole)
		return f->waits->by_run[i];
	return (struct thread_waits){
		.thread = f->lives.top[i].thread, .run_ns = f->lives.top[i].ns, .runs = f->lives.top[i].runs};
}

static size_t deadlocks(const struct figures *f) { return f->waits ? f->waits->contention.deadlock.n_rows : 0; }

static struct datum share_of(bool known, uint64_t part, uint64_t all)
{
	return known && all ? cell_real((double)part / (double)all) : CELL_NONE;
}

/* Of spans: known if any is finished. Of a capability: as a share of the time. */
#define FINISHED(ns)      (r->n > r->unfinished ? cell_count(ns) : CELL_NONE)
#define QUANTILE(ns)      (l->no_quantiles ? CELL_NONE : FINISHED(ns))
#define OF_CAP(known, ns) share_of(known, ns, figures_total(f))
#define OF_IDLE(part)     (idle ? cell_count(idle->part) : CELL_NONE)

/* The parts of the idle time of a capability; NULL: not known, or only bounds of them. */
static const struct cap_idle *idle_of(const struct evl_log *log, const struct figures *f, size_t i)
{
	const struct cap_idle *all = figures_idle(f);
	return all && f->waits->all_threads && evl_complete_until(log) >= f->to ? &all[i] : NULL;
}

struct datum figure_cell(enum unit unit, double value)
{
	const double most = 18446744073709549568.0; /* the largest double that is a u64 */
	if (!unit_is_whole(unit) || isnan(value))
		return cell_real(value);
	return value > -0.5 ? cell_count(value >= most ? UINT64_MAX : (uint64_t)(value + 0.5))
			    : cell_signed((int64_t)(value - 0.5));
}

/* A text that is kept in scratch. */
static struct datum cell_kept(const char *text, struct buf *scratch)
{
	size_t at = scratch->len;
	buf_cstr(scratch, text);
	return cell_name(buf_since(scratch, at));
}

/* The same; none if it is empty. */
static struct datum cell_kept_if(const char *text, struct buf *scratch)
{
	return *text ? cell_kept(text, scratch) : CELL_NONE;
}

static const char *const severities[] = {[FINDING_WARN] = "warning", [FINDING_NOTE] = "note", [FINDING_HINT] = "hint"};
/* "+12.3%", "12.4x", "only in A" */
static struct datum change_text(const struct difference_item *r, struct buf *scratch)
{
	size_t at = scratch->len;
	char text[TEXT_ROOM];
	if (r->only)
		return cell_cstr(r->only == DIFF_ONLY_A ? "only in A" : "only in B");
	if (isnan(r->row.ratio))
		return CELL_NONE;
	buf_cstr(scratch, text_relative(text, r->row.a, r->row.by));
	return cell_text(buf_since(scratch, at));
}

static const char *const senses[] = {"better", "neither", "worse"};

#define LIST(list, rows, row) const struct table_column figure_##list##_columns[] = {
#define COLUMN(list, id, key, use, title, unit, meaning, value)                                                        \
	{key, title, UNIT_##unit, meaning, SHALLOW, COLUMN_##use},
#define END_LIST(list)                                                                                                 \
	}                                                                                                              \
	;
#include "report/figure_lists.def"

#define LIST(list, rows, row) const struct table_column figure_##list##_rows[] = {
#define COLUMN(list, id, key, use, title, unit, meaning, value)                                                        \
	IN_ROWS_##use({key, title, UNIT_##unit, meaning, SHALLOW, COLUMN_##use}, )
#define END_LIST(list)                                                                                                 \
	{                                                                                                              \
		0                                                                                                      \
	}                                                                                                              \
	}                                                                                                              \
	;
#include "report/figure_lists.def"

#define LIST(list, rows, row)                                   const uint8_t figure_##list##_in_rows[] = {
#define COLUMN(list, id, key, use, title, unit, meaning, value) IN_ROWS_##use(list##_##id, )
#define END_LIST(list)                                                                                                 \
	UINT8_MAX                                                                                                      \
	}                                                                                                              \
	;
#include "report/figure_lists.def"

/* clang-format off */
#define LIST(list, rows, row) \
	static size_t count_of_##list(const void *ctx) \
	{ \
		const struct figure_list *l = ctx; \
		UNUSED const struct figures *f = l->f; \
		return rows; \
	} \
	static struct datum cell_of_##list(void *ctx, uint64_t i, int column, UNUSED struct buf *scratch) \
	{ \
		const struct figure_list *l = ctx; \
		UNUSED const struct figures *f = l->f; \
		UNUSED const struct evl_log *log = l->log; \
		row; \
		switch ((enum list##_figure)column) {
#define COLUMN(list, id, key, use, title, unit, meaning, value) case list##_##id: return value;
#define END_LIST(list) default: return CELL_NONE; } }
#include "report/figure_lists.def"
/* clang-format on */

static enum unit unit_of_difference(void *list, uint64_t i)
{
	return ((const struct figure_list *)list)->differences[i].unit;
}

const struct table_kind figure_kinds[FIGURE_LISTS] = {
#define LIST(list, rows, row)                                                                                          \
	[FIGURES_##list] = {.name = #list,                                                                             \
		.columns = figure_##list##_columns,                                                                    \
		.n_columns = list##_FIGURES,                                                                           \
		.cell = cell_of_##list,                                                                                \
		.unit = FIGURES_##list == FIGURES_differences ? unit_of_difference : NULL,                             \
		.whole = FIGURES_##list == FIGURES_spans ? (int)spans_TOTAL : 0,                                       \
		.count = count_of_##list},
#define COLUMN(list, id, key, use, title, unit, meaning, value)
#define END_LIST(list)
#include "report/figure_lists.def"
};

bool figure_term(size_t i, struct figure_term *out)
{
	static const struct table_kind *const tables[] = {&gc_table_kind, &thread_table_kind, &span_list_kind,
		&phase_list_kind, &blocked_list_kind, &wakers_list_kind, &path_list_kind, &path_threads_kind,
		&ticky_list_kind};
	if (i < METRICS) {
		const struct metric_info *m = metric_info((enum metric)i);
		*out = (struct figure_term){m->label, m->name, m->meaning, ""};
		return true;
	}
	i -= METRICS;
	if (i < FINDING_IDS) {
		const char *name = finding_name((enum finding_id)i);
		*out = (struct figure_term){name, name, finding_meaning((enum finding_id)i), "findings"};
		return true;
	}
	i -= FINDING_IDS;
	for (size_t k = 0; k < countof(tables) + FIGURE_LISTS; k++) {
		const struct table_kind *kind = k < countof(tables) ? tables[k] : &figure_kinds[k - countof(tables)];
		if (i < (size_t)kind->n_columns) {
			const struct table_column *c = &kind->columns[i];
			*out = (struct figure_term){c->title, c->key, c->meaning, kind->name};
			return true;
		}
		i -= (size_t)kind->n_columns;
	}
	return false;
}

/* --- lists with separate metrics --------------------------------------------------------------------------------- */

struct figure_table {
	struct table_range of;
	struct figures figures;
	struct findings findings;
	bool made;
	struct figure_list list;
};

static void unmake(void *list)
{
	struct figure_table *t = list;
	if (t->made)
		figures_free(&t->figures);
	t->made = false;
}

static int make(void *list, bool deep, const struct progress *watch)
{
	struct figure_table *t = list;
	struct figures_ask ask = {.from = t->of.from, .to = t->of.to, .deep = deep, .watch = watch};
	unmake(t);
	int result = figures_make(&t->figures, t->of.log, &ask);
	t->made = result == 0;
	if (t->made && t->of.list == FIGURES_findings)
		findings_make(&t->findings, t->of.log, &t->figures);
	t->list = (struct figure_list){.log = t->of.log,
		.f = &t->figures,
		.findings = &t->findings,
		.spans = t->figures.span_labels.n ? &t->figures.span_labels : &t->figures.spans};
	return result;
}

static size_t count(const void *list)
{
	const struct figure_table *t = list;
	return figure_kinds[t->of.list].count(&t->list);
}

static struct datum cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	static const uint8_t *const columns[FIGURE_LISTS] = {
#define LIST(list, rows, row) [FIGURES_##list] = figure_##list##_in_rows,
#define COLUMN(list, id, key, use, title, unit, meaning, value)
#define END_LIST(list)
#include "report/figure_lists.def"
	};
	struct figure_table *t = list;
	return figure_kinds[t->of.list].cell(&t->list, ref, columns[t->of.list][column], scratch);
}

/* With the columns of CSV and SQL. */
const struct table_kind figure_tables[FIGURE_LISTS] = {
#define LIST(list, rows, row)                                                                                          \
	[FIGURES_##list] = {.name = #list,                                                                             \
		.columns = figure_##list##_rows,                                                                       \
		.n_columns = list##_ROWS,                                                                              \
		.cell = cell,                                                                                          \
		.count = count,                                                                                        \
		.whole = FIGURES_##list == FIGURES_spans ? (int)spans_ROW_TOTAL : (int)TABLE_WHOLE_RANGE,              \
		.size = sizeof(struct figure_table),                                                                   \
		.make = make,                                                                                          \
		.unmake = unmake},
#define COLUMN(list, id, key, use, title, unit, meaning, value)
#define END_LIST(list)
#include "report/figure_lists.def"
};
