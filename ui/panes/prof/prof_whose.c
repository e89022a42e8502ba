#include "panes/prof/prof_whose.h"

#include "base/order.h"
#include "query/span_stats.h"
#include "report/whole_time.h"
#include "table/table.h"

#include <stdlib.h>

enum whose_kind { WHOSE_ALL, WHOSE_THREAD, WHOSE_THREADS, WHOSE_SPANS };

struct whose_row {
	uint64_t n, ran, samples, ns;
	struct evl_str label; /* borrowed from the log */
	uint32_t thread;
	uint8_t kind;
	bool numbered; /* labels of several numbers */
};

struct whose_list {
	struct table_range of;
	struct whose_row *rows;
	size_t n, room;
};

static struct whose_row *add_row(struct whose_list *l, enum whose_kind kind)
{
	if (!GROW(l->rows, l->n, l->room))
		return NULL;
	l->rows[l->n] = (struct whose_row){.kind = (uint8_t)kind};
	return &l->rows[l->n++];
}

static void sum(struct whose_row *to, const struct whose_row *of)
{
	to->n += of->n;
	to->ran += of->ran;
	to->samples += of->samples;
	to->ns += of->ns;
}

/* One row per thread: those of the times come by thread. The first row is that of all. */
static bool add_threads(struct whose_list *l, const struct whole_time *w)
{
	struct whose_row all = {.kind = WHOSE_ALL};
	struct whose_row *row = add_row(l, WHOSE_ALL);
	if (!row)
		return false;
	for (size_t i = 0; i < w->n; i++) {
		const struct whole_row *from = &w->rows[i];
		if (i == 0 || from->thread != w->rows[i - 1].thread) {
			if (!(row = add_row(l, WHOSE_THREAD)))
				return false;
			row->thread = from->thread;
			row->label = evl_label(l->of.log, from->thread);
			row->n = 1;
		}
		row->ns += from->ns;
		row->samples += from->kind == WHOLE_CPU ? from->samples : 0;
		row->ran += from->kind == WHOLE_CPU ? from->ns : 0;
	}
	for (size_t i = 1; i < l->n; i++)
		sum(&all, &l->rows[i]);
	l->rows[0] = all;
	return true;
}

COMPARE_BY(by_stem, struct whose_row, str_order(whole_stem(x->label), whole_stem(y->label)) ?: RISING(thread));

/* One row for each label, or stem of labels, of several threads. rows: of threads, n of them, in order of stems. */
static bool add_labels(struct whose_list *l, const struct whose_row *rows, size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		struct evl_str stem = whole_stem(rows[i].label);
		bool same = true;
		for (next = i; next < n && str_order(whole_stem(rows[next].label), stem) == 0; next++)
			same = same && str_order(rows[next].label, rows[i].label) == 0;
		if (next - i < 2 || stem.len == 0)
			continue;
		struct whose_row *row = add_row(l, WHOSE_THREADS);
		if (!row)
			return false;
		row->label = same ? rows[i].label : stem;
		row->numbered = !same;
		for (size_t k = i; k < next; k++)
			sum(row, &rows[k]);
	}
	return true;
}

static int add_spans(struct whose_list *l, const struct progress *watch)
{
	const struct table_range *of = &l->of;
	const struct span_table *t = spans_table(&of->log->spans);
	struct gc_pauses pauses = {0};
	struct span_budgets budgets = {0};
	struct span_stats s;
	int result = t ? evl_all_pauses(&pauses, of->log, watch) : 0;
	result = result || !t ? result : span_budgets_make(&budgets, of->log, t, of->from, of->to, watch);
	const struct span_stats_ask ask = {
		.from = of->from, .to = of->to, .pauses = &pauses, .budgets = &budgets, .by_label = true};
	if (t && result == 0 && (result = span_stats_make(&s, of->log, t, &ask, watch)) == 0) {
		for (size_t i = 0; i < s.n && result == 0; i++) {
			struct whose_row *row = add_row(l, WHOSE_SPANS);
			result = row ? 0 : EVL_NOMEM;
			if (row) {
				row->label = s.items[i].name;
				row->n = s.items[i].n;
				row->ran = s.items[i].budget.run;
				row->ns = s.items[i].total;
			}
		}
		span_stats_free(&s);
	}
	span_budgets_free(&budgets);
	gc_pauses_free(&pauses);
	return result;
}

static void unmake(void *list)
{
	struct whose_list *l = list;
	free(l->rows);
	l->rows = NULL;
	l->n = l->room = 0;
}

static int make(void *list, UNUSED bool deep, const struct progress *watch)
{
	struct whose_list *l = list;
	struct whole_time w;
	struct whose_row *threads = NULL;
	unmake(l);
	int result = whole_time_make(&w, l->of.log, l->of.from, l->of.to, NULL, watch);
	if (result < 0)
		return result;
	result = add_threads(l, &w) ? 0 : EVL_NOMEM;
	whole_time_free(&w);
	size_t n = l->n ? l->n - 1 : 0;
	if (result == 0 && n) {
		if ((threads = malloc(n * sizeof *threads))) {
			memcpy(threads, l->rows + 1, n * sizeof *threads);
			qsort(threads, n, sizeof *threads, by_stem);
		}
		result = threads && add_labels(l, threads, n) ? 0 : EVL_NOMEM;
		free(threads);
	}
	return result ? result : add_spans(l, watch);
}

static size_t count(const void *list) { return ((const struct whose_list *)list)->n; }

/* As whole_only_parse reads it. */
static struct evl_str only_text(const struct whose_row *row, struct buf *scratch)
{
	size_t at = scratch->len;
	bool plain = true;
	for (size_t i = 0; i < row->label.len; i++)
		plain = plain && row->label.p[i] > ' ' && !strchr("()\"", row->label.p[i]);
	const char *quote = plain ? "" : "\"";
	switch ((enum whose_kind)row->kind) {
	case WHOSE_ALL: buf_lit(scratch, "all threads"); return buf_since(scratch, at);
	case WHOSE_THREAD: buf_printf(scratch, "thread:%u", row->thread); return buf_since(scratch, at);
	case WHOSE_THREADS: buf_printf(scratch, "%s==%s", row->numbered ? "stem" : "label", quote); break;
	case WHOSE_SPANS: buf_printf(scratch, "span==%s", quote); break;
	}
	for (size_t i = 0; i < row->label.len; i++) {
		buf_char(scratch, (char)row->label.p[i]);
		if (row->label.p[i] == '"')
			buf_char(scratch, '"');
	}
	buf_printf(scratch, "%s", quote);
	return buf_since(scratch, at);
}

static struct datum cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct whose_list *l = list;
	const struct whose_row *row = &l->rows[ref];
	bool spans = row->kind == WHOSE_SPANS;
	switch ((enum whose_column)column) {
	case WHOSE_ONLY: return cell_text(only_text(row, scratch));
	case WHOSE_LABEL: return row->kind == WHOSE_THREAD ? cell_name(row->label) : CELL_NONE;
	case WHOSE_N: return cell_count(row->n);
	case WHOSE_RUN: return cell_count(row->ran);
	case WHOSE_SAMPLES: return cell_known(!spans, row->samples);
	case WHOSE_TIME: return cell_count(row->ns);
	default: return CELL_NONE;
	}
}

static const struct table_column columns[WHOSE_COLUMNS] = {
	[WHOSE_ONLY] = {"only", "only", UNIT_TEXT, "whose samples: a thread, threads of a label, spans", SHALLOW,
		COLUMN_SHOWN},
	[WHOSE_LABEL] = {"label", "label", UNIT_TEXT, "of the thread", SHALLOW, COLUMN_SHOWN},
	[WHOSE_N] = {"n", "n", UNIT_COUNT, "threads, or spans that start in the range", SHALLOW, COLUMN_SHOWN},
	[WHOSE_RUN] = {"run", "run", UNIT_NS, "time that they ran", SHALLOW, COLUMN_SHOWN},
	[WHOSE_SAMPLES] = {"samples", "samples", UNIT_COUNT, "of the profile, while they ran", SHALLOW, COLUMN_SHOWN},
	[WHOSE_TIME] = {
		"time", "time", UNIT_NS, "that they lived in the range; of spans their length", SHALLOW, COLUMN_SHOWN}};

static const uint8_t widths[WHOSE_COLUMNS] = {[WHOSE_ONLY] = 20, [WHOSE_LABEL] = 16};

static const struct table_kind kind = {.name = "whose",
	.columns = columns,
	.n_columns = WHOSE_COLUMNS,
	.whole = TABLE_WHOLE_RANGE,
	.aliases = TABLE_ALIAS("cpu", WHOSE_RUN), /* its former name */
	.cell = cell,
	.count = count,
	.size = sizeof(struct whose_list),
	.make = make,
	.unmake = unmake};

const struct table_source prof_whose = {.kind = &kind,
	.title = "threads, labels and spans",
	.absence = ABSENCE_RUNS,
	.sorted = WHOSE_RUN,
	.falling = true,
	.wide = -1,
	.widths = widths,
	.at = -1};
