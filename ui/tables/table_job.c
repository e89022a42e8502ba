#include "tables/table_job.h"

#include "draw/text.h"

#include <stdlib.h>

/* On the job's thread. */
struct maker {
	const struct table_kind *kind;
	void *list;
	struct table_rows rows;
	struct table_ask made; /* what the rows were made for */
	bool has_table, deep, ordered;
	struct buf scratch;
};

static bool is_made(const struct maker *m, const struct table_ask *ask)
{
	return m->ordered && m->made.column == ask->column && m->made.falling == ask->falling
		&& strcmp(m->made.filter, ask->filter) == 0;
}

/* The table itself. */
static int make_table(struct maker *m, const struct table_ask *ask, const struct progress *watch)
{
	if (m->has_table && m->deep == ask->deep)
		return 0;
	m->ordered = false;
	m->has_table = false;
	int result = m->kind->make ? m->kind->make(m->list, ask->deep, watch) : 0;
	m->has_table = result == 0;
	m->deep = ask->deep;
	return result;
}

static int order(struct maker *m, const struct table_ask *ask, const struct progress *watch)
{
	const struct table_kind *kind = m->kind;
	struct filter filter;
	struct evl_err err;
	uint64_t *refs = NULL;
	size_t n = 0;
	if (is_made(m, ask))
		return 0;
	table_rows_free(&m->rows);
	m->ordered = false;
	int result = table_filter_parse(&filter, kind, ask->filter, &err);
	if (result == 0)
		result = table_refs(kind, m->list, &refs, &n);
	if (result < 0) {
		filter_free(&filter);
		return result;
	}
	struct table_order by = {.column = ask->column, .falling = ask->falling, .filter = filter.n ? &filter : NULL};
	result = table_rows_make(&m->rows, kind, m->list, refs, n, &by, watch);
	filter_free(&filter);
	m->made = *ask;
	m->ordered = result == 0;
	return result;
}

static size_t find_ref(const struct maker *m, uint64_t ref)
{
	size_t i = 0;
	while (i < m->rows.n && m->rows.refs[i] != ref)
		i++;
	return i;
}

/* Where the page begins. */
static uint64_t first_of(const struct maker *m, const struct table_ask *ask)
{
	size_t at = ask->follows ? find_ref(m, ask->ref) : m->rows.n;
	uint64_t first = at < m->rows.n ? sub_or_0(at, ask->above) : ask->first;
	return min_u64(first, sub_or_0(m->rows.n, ask->n));
}

static void read_cell(struct maker *m, struct table_page *page, uint64_t ref, int column, struct table_text *out)
{
	buf_clear(&m->scratch);
	struct datum cell = m->kind->cell(m->list, ref, column, &m->scratch);
	*out = (struct table_text){.at = (uint32_t)page->text.len, .known = cell.kind, .number = cell_double(&cell)};
	if (cell.kind == CELL_TEXT)
		buf_str(&page->text, text_capped(cell.text));
	else if (cell.kind)
		buf_cstr(&page->text, as_value(m->kind->columns[column].unit, out->number));
	out->len = (uint32_t)(page->text.len - out->at);
}

static int read_page(struct maker *m, const struct table_ask *ask, struct table_page *page)
{
	page->first = first_of(m, ask);
	size_t n = (size_t)min_u64(ask->n, m->rows.n - page->first);
	page->columns = m->kind->n_columns;
	page->refs = calloc(n + 1, sizeof *page->refs);
	page->cells = calloc((n + 1) * (size_t)page->columns, sizeof *page->cells);
	if (!page->refs || !page->cells)
		return EVL_NOMEM;
	for (; page->n < n; page->n++) {
		page->refs[page->n] = m->rows.refs[page->first + page->n];
		for (int k = 0; k < page->columns; k++)
			read_cell(m, page, page->refs[page->n], k,
				&page->cells[page->n * (size_t)page->columns + (size_t)k]);
	}
	return page->text.failed ? EVL_NOMEM : 0;
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct maker *m = ctx;
	struct table_page *page = answer;
	page->result = make_table(m, question, watch);
	if (page->result == 0)
		page->result = order(m, question, watch);
	page->deep = m->deep;
	page->all = m->rows.all;
	page->passed = m->rows.n;
	if (page->result == 0)
		page->result = read_page(m, question, page);
	if (page->result == 0 && m->kind->remark)
		m->kind->remark(m->list, &page->remark);
	if (page->result < 0)
		page->n = 0;
}

void table_page_free(struct table_page *page)
{
	free_all(page->refs, page->cells);
	buf_free(&page->text);
	buf_free(&page->remark);
	*page = (struct table_page){0};
}

static void drop(void *answer) { table_page_free(answer); }

static void close_maker(void *ctx)
{
	struct maker *m = ctx;
	table_rows_free(&m->rows);
	buf_free(&m->scratch);
	table_list_free(m->kind, m->list);
	free(m);
}

const struct table_text *table_page_cell(const struct table_page *page, size_t i, int column)
{
	return &page->cells[i * (size_t)page->columns + (size_t)column];
}

struct evl_str table_page_text(const struct table_page *page, const struct table_text *cell)
{
	return buf_slice(&page->text, cell->at, cell->len);
}

struct answer_job *table_job_new(
	const struct table_source *source, const void *of, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct table_ask),
		.answer = sizeof(struct table_page),
		.find = find,
		.drop = drop,
		.close = close_maker};
	struct maker *m = calloc(1, sizeof *m);
	if (m)
		*m = (struct maker){.kind = source->kind, .list = table_list_new(source->kind, of)};
	if (m && m->list)
		return job_new(&ops, m, wake, wake_ctx);
	free(m);
	return NULL;
}
