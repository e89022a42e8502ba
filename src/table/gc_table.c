#include "table/gc_table.h"

#include "base/gallop.h"

#include <math.h>
#include <stdlib.h>

const struct table_column gc_columns[GC_COLUMNS] = {
#define COLUMN(id, key, title, unit, meaning) [GC_COLUMN_##id] = {key, title, UNIT_##unit, meaning},
#include "table/gc_columns.def"
#undef COLUMN
};

enum { ROW_BITS = 40 };

const struct gc_row *gc_table_row(const struct evl_log *log, uint64_t ref)
{
	return rows_at(&log->gcs.tables[gc_table_chain(ref)].rows, ref & ((1ull << ROW_BITS) - 1));
}

/* --- references --------------------------------------------------------------------------------------------------- */

struct started {
	uint64_t start, ref;
};

static int by_start(const void *a, const void *b)
{
	const struct started *x = a, *y = b;
	int order = (x->start > y->start) - (x->start < y->start);
	return order ? order : (x->ref > y->ref) - (x->ref < y->ref);
}

/* Those of one chain that start in the range: numbers [*first, returned). */
static size_t rows_between(const struct gc_table *t, uint64_t from, uint64_t to, size_t *first)
{
	size_t n = rows_count(&t->rows), offset = offsetof(struct gc_row, start);
	*first = rows_first_at(&t->rows, n, offset, from);
	return max_u64(*first, rows_first_at(&t->rows, n, offset, to));
}

int gc_table_refs(const struct evl_log *log, uint64_t from, uint64_t to, uint64_t **refs, size_t *n)
{
	const struct gcs *g = &log->gcs;
	size_t room = 0, first, chains = 0;
	*n = 0;
	for (size_t c = 0; c < g->n; c++) {
		size_t rows = rows_between(&g->tables[c], from, to, &first) - first;
		room += rows;
		chains += rows > 0;
	}
	struct started *all = calloc(room ? room : 1, sizeof *all);
	*refs = calloc(room ? room : 1, sizeof **refs);
	if (!all || !*refs) {
		free(all);
		free(*refs);
		return EVL_NOMEM;
	}
	for (size_t c = 0; c < g->n; c++)
		for (size_t i = (rows_between(&g->tables[c], from, to, &first), first),
			    end = rows_between(&g->tables[c], from, to, &first);
			i < end && *n < room; i++) {
			uint64_t ref = (uint64_t)c << ROW_BITS | i;
			all[(*n)++] = (struct started){gc_table_row(log, ref)->start, ref};
		}
	if (chains > 1)
		qsort(all, *n, sizeof *all, by_start);
	for (size_t i = 0; i < *n; i++)
		(*refs)[i] = all[i].ref;
	free(all);
	return 0;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static struct table_cell number(double value) { return (struct table_cell){.known = !isnan(value), .number = value}; }

static struct table_cell known(bool is_known, uint64_t value)
{
	return (struct table_cell){.known = is_known, .number = (double)value};
}

static struct table_cell text(const char *s)
{
	return (struct table_cell){.known = *s != '\0', .text = {(const uint8_t *)s, strlen(s)}};
}

static uint64_t index_of(struct gc_list *l, const struct gc_row *gc)
{
	const struct evl_log *log = l->log;
	uint64_t before = 0;
	if (l->n && l->first) {
		BISECT(earlier, l->n, gc_table_row(log, l->refs[mid])->start < gc->start);
		return l->first + earlier;
	}
	for (size_t c = 0; c < log->gcs.n; c++) {
		const struct rows *rows = &log->gcs.tables[c].rows;
		before += rows_first_at(rows, rows_count(rows), offsetof(struct gc_row, start), gc->start);
	}
	if (l->n && gc == gc_table_row(log, l->refs[0]))
		l->first = before + 1;
	return before + 1;
}

/* The values of the row in the batch; NULL: it is in none. */
static const struct gc_batch_row *in_batch(const struct gc_list *l, uint64_t ref, const struct gc_row *gc)
{
	struct started key = {gc->start, ref};
	if (!l->batch)
		return NULL;
	BISECT(at, l->n,
		by_start(&(struct started){gc_table_row(l->log, l->refs[mid])->start, l->refs[mid]}, &key) < 0);
	return at < l->n && l->refs[at] == ref ? &l->batch->rows[at] : NULL;
}

static bool read_stats(struct gc_list *l, const struct gc_row *gc)
{
	if (l->stats_read == GC_NOT_READ)
		l->stats_read = gc_stats(l->log, gc, &l->stats) ? GC_READ : GC_MISSING;
	return l->stats_read == GC_READ;
}

static bool read_around(struct gc_list *l, uint64_t ref, const struct gc_row *gc)
{
	if (l->around_read == GC_NOT_READ)
		l->around_read = gc_around(l->log, gc_table_chain(ref), gc, &l->around) ? GC_READ : GC_MISSING;
	return l->around_read == GC_READ;
}

static bool read_late(struct gc_list *l, const struct gc_row *gc)
{
	if (l->late_read == GC_NOT_READ) {
		gc_late(l->log, gc, &l->late);
		l->late_read = GC_READ;
	}
	return gc->sync > 0;
}

static struct table_cell mode_of(struct gc_list *l, const struct gc_row *gc)
{
	if (gc->sync || gc->parallel)
		return text(gc->parallel ? "par" : "seq");
	return read_stats(l, gc) ? text(l->stats.par_threads > 1 ? "par" : "seq") : text("");
}

static struct table_cell why_of(const struct evl_log *log, uint64_t ref, const struct gc_row *gc, struct buf *scratch)
{
	static const char *const words[] = {"idle ", "forced ", "nonmoving "};
	unsigned why = gc_why(log, gc_table_chain(ref), gc);
	size_t at = scratch->len;
	for (size_t i = 0; i < countof(words); i++)
		if (why >> i & 1)
			buf_cstr(scratch, words[i]);
	size_t len = scratch->len > at ? scratch->len - at - 1 : 0;
	return (struct table_cell){.known = true, .text = {scratch->p ? (uint8_t *)scratch->p + at : NULL, len}};
}

/* Columns of the statistics. */
static struct table_cell stats_cell(struct gc_list *l, const struct gc_row *gc, int column)
{
	bool is_known = read_stats(l, gc);
	const struct gc_stats *s = &l->stats;
	switch (column) {
	case GC_COLUMN_COPIED: return known(is_known, s->copied);
	case GC_COLUMN_SLOP: return (struct table_cell){.known = is_known, .number = (double)(int64_t)s->slop};
	case GC_COLUMN_FRAG: return known(is_known, s->frag);
	case GC_COLUMN_THREADS: return known(is_known, s->par_threads);
	case GC_COLUMN_PAR_MAX: return known(is_known, s->par_max_copied);
	case GC_COLUMN_PAR_TOTAL: return known(is_known, s->par_copied);
	default: return known(is_known && s->has_balanced, s->par_balanced);
	}
}

/* Columns of what its leader posts around it. */
static struct table_cell around_cell(struct gc_list *l, uint64_t ref, const struct gc_row *gc, int column)
{
	bool is_known = read_around(l, ref, gc);
	const struct gc_around *a = &l->around;
	switch (column) {
	case GC_COLUMN_LIVE: return known(is_known && a->has_live, a->live);
	case GC_COLUMN_SIZE: return known(is_known && a->has_size, a->size);
	case GC_COLUMN_BLOCKS: return known(is_known && a->has_blocks, a->blocks);
	case GC_COLUMN_MB_CURRENT: return known(is_known && a->has_return, a->current);
	case GC_COLUMN_MB_NEEDED: return known(is_known && a->has_return, a->needed);
	default: return known(is_known && a->has_return, a->returned);
	}
}

/* Columns for which other capabilities have to be looked at. */
static struct table_cell wide_cell(
	struct gc_list *l, uint64_t ref, const struct gc_row *gc, int column, struct buf *scratch)
{
	enum { WORKERS = 256 };
	struct gc_worker workers[WORKERS];
	const struct gc_batch_row *row = in_batch(l, ref, gc);
	uint64_t bytes = 0, working = 0;
	bool found;
	switch (column) {
	case GC_COLUMN_ALLOCATED:
		if (row)
			return known(row->has_allocated, row->allocated);
		found = gc_allocated(l->log, gc, &bytes);
		return known(found, bytes);
	case GC_COLUMN_LATE_CAP: found = read_late(l, gc); return known(found && l->late.by_thread, l->late.run.cap);
	case GC_COLUMN_LATE_THREAD:
		found = read_late(l, gc);
		return known(found && l->late.by_thread, l->late.run.thread);
	case GC_COLUMN_CAUSE: return text(!read_late(l, gc) ? "" : l->late.by_thread ? "thread" : "wakeup");
	case GC_COLUMN_LATE: found = read_late(l, gc); return known(found, l->late.run.late);
	case GC_COLUMN_REST: found = read_late(l, gc); return known(found, l->late.rest);
	case GC_COLUMN_FLAGS: return why_of(l->log, ref, gc, scratch);
	default: break;
	}
	if (row)
		return known(row->workers > 0, row->working);
	size_t n = min_u64(gc_workers(l->log, gc, workers, WORKERS), WORKERS);
	for (size_t i = 0; i < n; i++)
		working += workers[i].work > 0;
	return known(n > 0, working);
}

static struct table_cell cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	struct gc_list *l = ctx;
	const struct gc_row *gc = gc_table_row(l->log, ref);
	if (!l->has_ref || l->ref != ref)
		*l = (struct gc_list){.log = l->log,
			.ref = ref,
			.has_ref = true,
			.refs = l->refs,
			.n = l->n,
			.batch = l->batch,
			.first = l->first};
	switch (column) {
	case GC_COLUMN_INDEX: return number((double)index_of(l, gc));
	case GC_COLUMN_START: return number((double)gc->start);
	case GC_COLUMN_END: return number((double)gc_end(gc));
	case GC_COLUMN_PAUSE: return number((double)gc_pause(gc));
	case GC_COLUMN_SYNC: return number((double)gc->sync);
	case GC_COLUMN_ELAPSED: return number((double)gc->elapsed);
	case GC_COLUMN_GEN: return known(gc->gen != GC_GEN_UNKNOWN, gc->gen);
	case GC_COLUMN_KIND:
		return text(gc->gen == GC_GEN_UNKNOWN ? "" : gc_is_major(&l->log->gcs, gc) ? "major" : "minor");
	case GC_COLUMN_CAP: return number((double)gc->cap);
	case GC_COLUMN_MODE: return mode_of(l, gc);
	case GC_COLUMN_COPIED:
	case GC_COLUMN_SLOP:
	case GC_COLUMN_FRAG:
	case GC_COLUMN_THREADS:
	case GC_COLUMN_PAR_MAX:
	case GC_COLUMN_PAR_TOTAL:
	case GC_COLUMN_PAR_BALANCED: return stats_cell(l, gc, column);
	case GC_COLUMN_LIVE:
	case GC_COLUMN_SIZE:
	case GC_COLUMN_BLOCKS:
	case GC_COLUMN_MB_CURRENT:
	case GC_COLUMN_MB_NEEDED:
	case GC_COLUMN_MB_RETURNED: return around_cell(l, ref, gc, column);
	default: return wide_cell(l, ref, gc, column, scratch);
	}
}

const struct table_kind gc_table_kind = {"gc", gc_columns, GC_COLUMNS, cell};
