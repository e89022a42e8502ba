/* csv_tables.c - export csv: the tables gc, threads, spans, heap and caps. */
#include "export/csv.h"
#include "report/figures.h"
#include "show/event_merge.h"
#include "table/blocked_list.h"
#include "table/gc_table.h"
#include "table/phase_list.h"
#include "table/span_list.h"
#include "table/thread_table.h"

#include <stdlib.h>

/* csv_tables - the tables whose rows are told cell by cell, all their columns. */

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

/* csv_caps - the table of capabilities: what their time went into. */

int csv_caps(struct export *x)
{
	struct figures f;
	struct progress watch = {.cancel = x->cancel};
	int result = figures_make(&f, x->log, &(struct figures_ask){.from = x->from, .to = x->to, .watch = &watch});
	if (result < 0)
		return result;
	buf_lit(&x->out, "cap,run_ns,gc_ns,run,gc,idle,switches\n");
	for (size_t i = 0; result == 0 && i < f.n_caps; i++) {
		const struct cap_figures *c = &f.caps[i];
		csv_u64(&x->out, c->cap);
		csv_u64(&x->out, c->run_ns);
		csv_u64(&x->out, c->gc_ns);
		csv_double(&x->out, c->run);
		csv_double(&x->out, c->gc);
		csv_double(&x->out, c->idle);
		csv_u64(&x->out, c->switches);
		csv_end(&x->out);
		result = export_more(x);
	}
	figures_free(&f);
	return result;
}

/* csv_heap - the table of what capabilities post of the heap: one line an event, in order of time. */

static const uint16_t tags[] = {EVL_HEAP_ALLOCATED, EVL_HEAP_LIVE, EVL_HEAP_SIZE, EVL_BLOCKS_SIZE};

/* Only the column of the event's kind is filled. */
static void put_event(struct buf *b, uint16_t cap, const struct frame *f)
{
	enum { BYTES_AT = 4 };
	csv_u64(b, f->t);
	csv_known(b, cap != EVL_NO_CAP, cap);
	for (size_t i = 0; i < countof(tags); i++)
		csv_known(b, f->tag == tags[i], be64(f->payload.p + BYTES_AT));
	csv_end(b);
}

int csv_heap(struct export *x)
{
	bool *wanted = calloc((size_t)UINT16_MAX + 1, sizeof *wanted);
	struct event_merge m;
	struct frame f;
	const struct block *block;
	if (!wanted)
		return EVL_NOMEM;
	for (size_t i = 0; i < countof(tags); i++)
		wanted[tags[i]] = true;
	struct event_merge_want want = {.from = x->from, .to = x->to, .cap = -1, .tags = wanted};
	int result = event_merge_begin(&m, &x->log->blocks, &want);
	bool begun = result == 0;
	buf_lit(&x->out, "t_ns,cap,allocated_bytes,live_bytes,size_bytes,blocks_bytes\n");
	while (result == 0 && event_merge_next(&m, &f, &block)) {
		if (event_readable(&x->log->header, &f))
			put_event(&x->out, x->log->blocks.chains[block->chain].cap, &f);
		result = export_more(x);
	}
	if (begun) {
		result = result == 0 && m.failed ? EVL_NOMEM : result;
		event_merge_end(&m);
	}
	free(wanted);
	return result;
}

/* csv_spans - the table of user spans, in order of their begins. */

int csv_spans(struct export *x)
{
	struct span_list list;
	struct progress watch = {.cancel = x->cancel};
	uint64_t *refs;
	size_t n;
	int result = span_list_make(&list, x->log, x->from, x->to, 0, true, &watch);
	if (result < 0)
		return result;
	result = span_list_refs(&list, &refs, &n);
	result = result < 0 ? result : put_table(x, &span_list_kind, &list, refs, n);
	span_list_free(&list);
	return result;
}

/* csv_phases - the table of the intervals between user markers. */

int csv_phases(struct export *x)
{
	struct phase_list list = {.log = x->log};
	struct progress watch = {.cancel = x->cancel};
	uint64_t *refs;
	size_t n;
	int result = phases_make(&list.phases, x->log, x->from, x->to, &watch);
	if (result < 0)
		return result;
	result = phase_list_refs(&list, &refs, &n);
	result = result < 0 ? result : put_table(x, &phase_list_kind, &list, refs, n);
	phases_free(&list.phases);
	return result;
}

/* csv_blocked - the table of blocked time by reason, most time first. */

int csv_blocked(struct export *x)
{
	struct blocked_list list;
	struct progress watch = {.cancel = x->cancel};
	uint64_t *refs;
	size_t n;
	int result = blocked_list_make(&list, x->log, x->from, x->to, &watch);
	if (result < 0)
		return result;
	result = blocked_list_refs(&list, &refs, &n);
	result = result < 0 ? result : put_table(x, &blocked_list_kind, &list, refs, n);
	blocked_list_free(&list);
	return result;
}
