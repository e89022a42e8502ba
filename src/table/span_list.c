#include "table/span_list.h"

#include "base/idmap.h"

#include <stdlib.h>

enum { SHALLOW, DEEP };

const struct table_column span_columns[SPAN_COLUMNS] = {
#define COLUMN(id, key, title, unit, deep, meaning) [SPAN_COLUMN_##id] = {key, title, UNIT_##unit, meaning},
#include "table/span_columns.def"
#undef COLUMN
};

static const bool is_deep[SPAN_COLUMNS] = {
#define COLUMN(id, key, title, unit, deep, meaning) [SPAN_COLUMN_##id] = deep,
#include "table/span_columns.def"
#undef COLUMN
};

int span_list_make(struct span_list *l, const struct evl_log *log, uint64_t from, uint64_t to, uint64_t label,
	bool deep, const struct progress *watch)
{
	*l = (struct span_list){
		.log = log, .table = spans_table(&log->spans), .from = from, .to = to, .label = label, .is_deep = deep};
	return deep && l->table ? span_budgets_make(&l->budgets, log, l->table, from, to, watch) : 0;
}

void span_list_free(struct span_list *l)
{
	span_budgets_free(&l->budgets);
	*l = (struct span_list){0};
}

static bool is_wanted(const struct span_list *l, const struct span *s)
{
	return s->start >= l->from && s->start < l->to
		&& (!l->label || idmap_key(spans_label(&l->log->blocks, s)) == l->label);
}

static int by_start(const void *a, const void *b, void *ctx)
{
	const struct span_table *t = ctx;
	uint64_t i = *(const uint64_t *)a, k = *(const uint64_t *)b;
	const struct span *x = &t->items[i], *y = &t->items[k];
	int order = (x->start > y->start) - (x->start < y->start);
	return order ? order : (i > k) - (i < k);
}

int span_list_refs(const struct span_list *l, uint64_t **refs, size_t *n)
{
	size_t all = l->table ? l->table->n : 0;
	*n = 0;
	*refs = calloc(all ? all : 1, sizeof **refs);
	if (!*refs)
		return EVL_NOMEM;
	for (size_t i = 0; i < all; i++)
		if (is_wanted(l, &l->table->items[i]))
			(*refs)[(*n)++] = i;
	qsort_r(*refs, *n, sizeof **refs, by_start, (void *)(uintptr_t)l->table);
	return 0;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static struct table_cell known(bool is_known, uint64_t value)
{
	return (struct table_cell){.known = is_known, .number = (double)value};
}

static struct table_cell text(struct evl_str s) { return (struct table_cell){.known = s.len > 0, .text = s}; }

static struct table_cell text_cell(const struct span_list *l, const struct span *s, int column)
{
	const char *convention;
	switch (column) {
	case SPAN_COLUMN_NAME: return text(spans_name(&l->log->blocks, s));
	case SPAN_COLUMN_LABEL: return text(s->thread ? evl_label(l->log, s->thread) : EVL_STR(""));
	default: convention = spans_convention(s); break;
	}
	return text((struct evl_str){(const uint8_t *)convention, strlen(convention)});
}

static struct table_cell budget_cell(const struct span_budget *b, const struct span *s, int column)
{
	switch (column) {
	case SPAN_COLUMN_RUN: return known(true, b->run);
	case SPAN_COLUMN_GC: return known(true, b->gc);
	case SPAN_COLUMN_RUNNABLE: return known(true, b->runnable);
	case SPAN_COLUMN_BLOCKED: return known(true, b->blocked);
	case SPAN_COLUMN_FOREIGN: return known(true, b->foreign);
	default: return known(true, span_budget_unknown(b, s->end - s->start));
	}
}

static struct table_cell cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct span_list *l = ctx;
	const struct span *s = &l->table->items[ref];
	(void)scratch;
	if (span_columns[column].unit == UNIT_TEXT)
		return text_cell(l, s, column);
	if (is_deep[column])
		return l->is_deep ? budget_cell(&l->budgets.items[ref], s, column) : known(false, 0);
	switch (column) {
	case SPAN_COLUMN_START: return known(true, s->start);
	case SPAN_COLUMN_END: return known(!s->unfinished, s->end);
	case SPAN_COLUMN_DURATION: return known(!s->unfinished, s->end - s->start);
	case SPAN_COLUMN_THREAD: return known(s->thread, s->thread);
	case SPAN_COLUMN_ROW: return known(s->row < SPAN_ROWS, s->row);
	case SPAN_COLUMN_CROSSED: return known(true, s->crossed);
	default: return known(!s->unfinished && s->ended_by, s->ended_by);
	}
}

const struct table_kind span_list_kind = {"spans", span_columns, SPAN_COLUMNS, cell};
