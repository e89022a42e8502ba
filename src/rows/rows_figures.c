/* rows_figures.c - tables of metrics: capabilities, concurrency, metrics, findings, cycles of the nonmoving collector. */
#include "report/figure_lists.h"
#include "report/findings.h"
#include "rows/rows_private.h"
#include "table/lists.h"

#include <stdlib.h>

struct rows_figures {
	struct figures figures;
	struct findings findings;
	bool has_figures;
	struct table_shared shared; /* where all tables are scanned: found on the way, until a table takes it */
};

/* The metrics of the source's range, made at the first call; deep: with the waits of threads. As in `evtui stats` they
 * are deep without being asked where the log is small. NULL with *result set: a code. */
static const struct figures *figures_for(struct rows_source *s, bool deep, int *result)
{
	struct progress watch = {.cancel = s->cancel};
	deep = deep || s->all || figures_is_small(s->log, s->from, s->to);
	if (!s->figures)
		s->figures = calloc(1, sizeof *s->figures);
	*result = s->figures ? 0 : EVL_NOMEM;
	if (!s->figures)
		return NULL;
	struct rows_figures *f = s->figures;
	if (f->has_figures && (f->figures.deep || !deep))
		return &f->figures;
	if (f->has_figures)
		figures_free(&f->figures);
	struct table_shared *shared = &f->shared;
	struct figures_share share = {.each = thread_gathering_add, .ctx = &shared->threads, .segments = PATH_LISTED};
	const struct figures_ask ask = {
		.from = s->from, .to = s->to, .deep = deep, .watch = &watch, .share = s->all ? &share : NULL};
	*result = figures_make(&f->figures, s->log, &ask);
	f->has_figures = *result == 0;
	if (!f->has_figures)
		return NULL;
	findings_make(&f->findings, s->log, &f->figures);
	shared->budgets = share.budgets;
	struct waits *rest =
		s->all && f->figures.waits ? calloc(1, sizeof *rest) : NULL; /* for the list of concurrency */
	shared->has_threads = shared->has_phases = shared->has_path = rest;
	if (shared->has_phases) {
		rest->levels = f->figures.waits->levels;
		rest->n_levels = f->figures.waits->n_levels;
		f->figures.waits->levels = NULL;
		shared->waits = f->figures.waits;
		shared->phases = f->figures.phases;
		shared->path = f->figures.path;
		f->figures.waits = rest;
		f->figures.path = (struct path){0};
		f->figures.phases = (struct phases){0};
	}
	return &f->figures;
}

void rows_figures_free(struct rows_source *s)
{
	if (s->figures && s->figures->has_figures)
		figures_free(&s->figures->figures);
	if (s->figures)
		table_shared_free(&s->figures->shared);
	free(s->figures);
	s->figures = NULL;
}

int rows_shared(struct rows_source *s, struct table_shared **out)
{
	int result = 0;
	*out = s->all && figures_for(s, true, &result) ? &s->figures->shared : NULL;
	return result;
}

/* Metrics may be made again, deeper, for another table: the rows ask for them each time. */
static const struct figures *figures_of(const struct rows_scan *s) { return &s->source->figures->figures; }

/* --- lists of metrics ------------------------------------------------------------------------------------------------ */

static struct figure_list list_of(const struct rows_scan *s)
{
	return (struct figure_list){
		.log = s->source->log, .f = figures_of(s), .findings = &s->source->figures->findings};
}

static int open_list(struct rows_scan *s, enum figure_list_id id, bool deep)
{
	int result;
	s->end = 0;
	if (figures_for(s->source, deep, &result)) {
		struct figure_list of = list_of(s);
		s->end = figure_list(id)->count(&of);
	}
	return result;
}

#define FIGURE_ROWS(list, key_column, deep)                                                                            \
	static int open_##list(struct rows_scan *s, UNUSED void *state) { return open_list(s, FIGURES_##list, deep); } \
	static struct datum cell_of_##list(struct rows_scan *s, int column)                                            \
	{                                                                                                              \
		struct figure_list of = list_of(s);                                                                    \
		return figure_list(FIGURES_##list)                                                                     \
			->cell(&of, s->at - 1, figure_##list##_in_rows[column], &s->scratch);                          \
	}                                                                                                              \
	const struct rows_table rows_##list = {.name = #list,                                                          \
		.help = list##_help,                                                                                   \
		.columns = figure_##list##_rows,                                                                       \
		.n_columns = list##_ROWS,                                                                              \
		.key = key_column,                                                                                     \
		.open = open_##list,                                                                                   \
		.next = rows_count_up,                                                                                 \
		.cell = cell_of_##list};
FIGURE_ROWS(caps, caps_ROW_CAP, SHALLOW)
FIGURE_ROWS(concurrency, concurrency_ROW_CAPS, DEEP)
FIGURE_ROWS(nm_cycles, nm_cycles_ROW_START, SHALLOW)
FIGURE_ROWS(findings, -1, SHALLOW)

/* --- metrics -------------------------------------------------------------------------------------------------------- */

static int open_metrics(struct rows_scan *s, UNUSED void *state)
{
	int result;
	s->end = figures_for(s->source, false, &result) ? METRICS : 0;
	return result;
}

static struct datum cell_of_metrics(struct rows_scan *s, int column)
{
	const struct metric_info *info = metric_info((enum metric)(s->at - 1));
	switch (column) {
	case metrics_NAME: return cell_cstr(info->name);
	case metrics_VALUE: return figure_cell(info->unit, figures_of(s)->values[s->at - 1]);
	default: return cell_cstr(rows_unit(info->unit));
	}
}

const struct rows_table rows_metrics = {
	ROWS_OF_DEF(metrics), .open = open_metrics, .next = rows_count_up, .cell = cell_of_metrics};
