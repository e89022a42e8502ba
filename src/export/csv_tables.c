/* csv_tables - the tables whose rows are told cell by cell: collections and threads, all their columns. */
#include "export/csv.h"
#include "table/gc_table.h"
#include "table/thread_table.h"

#include <stdlib.h>

static void put_heads(struct buf *b, const struct table_kind *kind)
{
	for (int i = 0; i < kind->n_columns; i++) {
		buf_cstr(b, kind->columns[i].key);
		buf_cstr(b, unit_suffix(kind->columns[i].unit));
		buf_char(b, ',');
	}
	csv_end(b);
}

static void put_row(struct buf *b, const struct table_kind *kind, void *ctx, uint64_t ref, struct buf *scratch)
{
	for (int i = 0; i < kind->n_columns; i++) {
		struct table_cell cell = kind->cell(ctx, ref, i, scratch);
		if (kind->columns[i].unit == UNIT_TEXT) {
			csv_str(b, cell.known ? cell.text : (struct evl_str){0});
			continue;
		}
		table_cell_plain(b, kind->columns[i].unit, &cell);
		buf_char(b, ',');
	}
	csv_end(b);
}

/* Takes over the references. */
static int put_table(struct export *x, const struct table_kind *kind, void *ctx, uint64_t *refs, size_t n)
{
	struct buf scratch = {0};
	int result = 0;
	put_heads(&x->out, kind);
	for (size_t i = 0; result == 0 && i < n; i++) {
		buf_clear(&scratch);
		put_row(&x->out, kind, ctx, refs[i], &scratch);
		result = scratch.failed ? EVL_NOMEM : export_more(x);
	}
	buf_free(&scratch);
	free(refs);
	return result;
}

int csv_gc(struct export *x)
{
	struct gc_list list = {.log = x->log};
	uint64_t *refs;
	size_t n;
	int result = gc_table_refs(x->log, x->from, x->to, &refs, &n);
	return result < 0 ? result : put_table(x, &gc_table_kind, &list, refs, n);
}

int csv_threads(struct export *x)
{
	struct thread_table table;
	struct progress watch = {.cancel = x->cancel};
	uint64_t *refs;
	size_t n;
	int result = thread_table_make(&table, x->log, x->from, x->to, true, &watch);
	if (result < 0)
		return result;
	result = thread_table_refs(&table, &refs, &n);
	result = result < 0 ? result : put_table(x, &thread_table_kind, &table, refs, n);
	thread_table_free(&table);
	return result;
}
