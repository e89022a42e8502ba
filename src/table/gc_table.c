#include "table/gc_table.h"

#include "base/gallop.h"
#include "base/minheap.h"

#include <stdlib.h>

enum { ROW_BITS = 40 };

const struct gc_row *gc_table_row(const struct evl_log *log, uint64_t ref)
{
	return rows_at(&log->gcs.tables[gc_table_chain(ref)].rows, ref & ((1ull << ROW_BITS) - 1));
}

/* --- references --------------------------------------------------------------------------------------------------- */

/* The next collection of a chain, and where its rows end. */
struct head {
	uint64_t start, ref, end;
};

#define STARTS_BEFORE(a, b) ((a).start != (b).start ? (a).start < (b).start : (a).ref < (b).ref)

/* Those of one chain that start in the range: numbers [*first, returned). */
static size_t rows_between(const struct gc_table *t, uint64_t from, uint64_t to, size_t *first)
{
	size_t n = rows_count(&t->rows), offset = offsetof(struct gc_row, start);
	*first = rows_first_at(&t->rows, n, offset, from);
	return max_u64(*first, rows_first_at(&t->rows, n, offset, to));
}

size_t gc_table_count(const struct evl_log *log, uint64_t from, uint64_t to)
{
	size_t n = 0, first;
	for (size_t c = 0; c < log->gcs.n; c++)
		n += rows_between(&log->gcs.tables[c], from, to, &first) - first;
	return n;
}

int gc_table_refs(const struct evl_log *log, uint64_t from, uint64_t to, uint64_t **refs, size_t *n)
{
	const struct gcs *g = &log->gcs;
	struct head *heads = calloc(g->n + 1, sizeof *heads);
	size_t room = 0, k = 0, first;
	*n = 0;
	for (size_t c = 0; heads && c < g->n; c++) {
		size_t end = rows_between(&g->tables[c], from, to, &first);
		uint64_t chain = (uint64_t)c << ROW_BITS;
		if (first < end)
			heads[k++] = (struct head){gc_table_row(log, chain | first)->start, chain | first, chain | end};
		room += end - first;
	}
	*refs = calloc(room ? room : 1, sizeof **refs);
	if (!heads || !*refs) {
		free_all(heads, *refs);
		return EVL_NOMEM;
	}
	MINHEAP_MAKE(heads, k, STARTS_BEFORE);
	while (k > 0) {
		struct head *next = &heads[0];
		(*refs)[(*n)++] = next->ref;
		if (++next->ref < next->end)
			next->start = gc_table_row(log, next->ref)->start;
		else
			*next = heads[--k];
		MINHEAP_SIFT(heads, k, 0, STARTS_BEFORE);
	}
	free(heads);
	return 0;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

/* The place of a row in refs, mostly that of the row used last or the next; n: it is not there. */
static size_t place_of(struct gc_list *l, uint64_t ref)
{
	for (size_t at = l->place; at < l->n && at < l->place + 2; at++)
		if (l->refs[at] == ref)
			return l->place = at;
	struct head row, key = {gc_table_row(l->of.log, ref)->start, ref, 0};
	BISECT(at, l->n,
		(row = (struct head){gc_table_row(l->of.log, l->refs[mid])->start, l->refs[mid], 0},
			STARTS_BEFORE(row, key)));
	return at < l->n && l->refs[at] == ref ? l->place = at : l->n;
}

static uint64_t index_of(struct gc_list *l, const struct gc_row *gc)
{
	const struct evl_log *log = l->of.log;
	uint64_t before = 0;
	if (l->n && l->first) {
		size_t at = place_of(l, l->row.ref);
		if (at < l->n && (at == 0 || gc_table_row(log, l->refs[at - 1])->start < gc->start))
			return l->first + at;
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
static const struct gc_batch_row *in_batch(struct gc_list *l)
{
	size_t at = l->batch.rows ? place_of(l, l->row.ref) : l->n;
	return at < l->n ? &l->batch.rows[at] : NULL;
}

static bool read_stats(struct gc_list *l, const struct gc_row *gc)
{
	if (l->row.stats_read == GC_NOT_READ)
		l->row.stats_read = gc_stats(l->of.log, gc, &l->row.stats) ? GC_READ : GC_MISSING;
	return l->row.stats_read == GC_READ;
}

static bool read_around(struct gc_list *l, const struct gc_row *gc)
{
	if (l->row.around_read == GC_NOT_READ)
		l->row.around_read =
			(l->sweep ? gc_sweep_around(l->sweep, gc_table_chain(l->row.ref), gc, &l->row.around)
				  : gc_around(l->of.log, gc_table_chain(l->row.ref), gc, &l->row.around))
			? GC_READ
			: GC_MISSING;
	return l->row.around_read == GC_READ;
}

static bool read_late(struct gc_list *l, const struct gc_row *gc)
{
	if (l->row.late_read == GC_NOT_READ) {
		if (l->sweep)
			l->row.why = gc_sweep_why(l->sweep, gc_table_chain(l->row.ref), gc, &l->row.late);
		else
			gc_late(l->of.log, gc, &l->row.late);
		l->row.late_read = GC_READ;
	}
	return gc->sync > 0;
}

static unsigned read_why(struct gc_list *l, const struct gc_row *gc)
{
	if (!l->sweep)
		return gc_why(l->of.log, gc);
	read_late(l, gc);
	return l->row.why;
}

static struct datum mode_of(const struct gc_row *gc)
{
	bool known = gc->off || gc->sync || gc->parallel;
	return known ? cell_cstr(gc->parallel ? "par" : "seq") : CELL_NONE;
}

static struct datum why_of(struct gc_list *l, const struct gc_row *gc, struct buf *scratch)
{
	static const char *const words[] = {"idle ", "forced ", "nonmoving "};
	unsigned why = read_why(l, gc);
	size_t at = scratch->len;
	if (gc_is_for_census(l->of.log, gc)) {
		buf_cstr(scratch, "census ");
		why &= ~(unsigned)GC_WHY_FORCED; /* by it */
	}
	for (size_t i = 0; i < countof(words); i++)
		if (why >> i & 1)
			buf_cstr(scratch, words[i]);
	struct evl_str all = buf_since(scratch, at);
	all.len = sub_or_0(all.len, 1); /* without the last blank */
	return cell_text(all);
}

/* The largest part of the pause; of its sync as line_late says it. */
static struct datum mostly_of(struct gc_list *l, const struct gc_row *gc, struct buf *scratch)
{
	const struct gc_late *late = &l->row.late;
	size_t at = scratch->len;
	if (gc_is_for_census(l->of.log, gc))
		return cell_cstr("for a census");
	if (gc->sync <= gc->elapsed || !read_late(l, gc))
		return cell_cstr("collecting");
	if (!late->by_thread)
		return late->some ? CELL_NONE : cell_cstr("no thread ran");
	if (gc_late_in_previous(late))
		return cell_cstr(gc_late_is_nm_mark(l->of.log, gc, late) ? "previous GC (nm mark)" : "previous GC");
	if (!gc_late_ran(late))
		buf_cstr(scratch, "threads on cap ");
	else
		buf_cstr(scratch, "thread ");
	buf_decimal(scratch, gc_late_ran(late) ? late->run.thread : late->run.cap);
	return cell_text(buf_since(scratch, at));
}

/* Columns for which other capabilities have to be looked at: those of the batch, if there is one. */
static struct datum allocated_of(struct gc_list *l, const struct gc_row *gc)
{
	const struct gc_batch_row *row = in_batch(l);
	uint64_t bytes = 0;
	if (row)
		return cell_known(row->has_allocated, row->allocated);
	return gc_allocated(l->of.log, gc, &bytes) ? cell_count(bytes) : CELL_NONE;
}

static struct datum workers_of(struct gc_list *l, const struct gc_row *gc)
{
	const struct gc_batch_row *row = in_batch(l);
	uint64_t working = 0;
	if (row)
		return cell_known(row->workers > 0, row->working);
	bool known = gc_working(l->of.log, gc, &working);
	return cell_known(known, working);
}

/* A member of the collection's statistics, of what its leader posts around it, of who delayed it. */
#define STATS(is_known, member) (read_stats(l, gc) && (is_known) ? cell_count(l->row.stats.member) : CELL_NONE)
#define AROUND(kind, member)                                                                                           \
	(read_around(l, gc) && l->row.around.has_##kind ? cell_count(l->row.around.member) : CELL_NONE)
#define LATE(is_known, member) (read_late(l, gc) && (is_known) ? cell_count(l->row.late.member) : CELL_NONE)

static const struct gc_row *go_to(struct gc_list *l, uint64_t ref)
{
	if (!l->row.has_ref || l->row.ref != ref) {
		l->row.ref = ref;
		l->row.has_ref = true;
		l->row.stats_read = l->row.around_read = l->row.late_read = GC_NOT_READ;
	}
	return gc_table_row(l->of.log, ref);
}

static void cells(void *list, uint64_t ref, struct buf *scratch, struct datum *out)
{
	struct gc_list *l = list;
	const struct gc_row *gc = go_to(l, ref);
#define LIST(ID, list, type, row)
#define COLUMN(ID, id, key, title, unit, deep, meaning, value) out[ID##_COLUMN_##id] = value;
#define END_LIST(ID, list, type, kind, ...)
#include "table/gc_columns.def"
}

/* --- the list ------------------------------------------------------------------------------------------------------ */

static void unmake(void *list)
{
	struct gc_list *l = list;
	free(l->refs);
	gc_sweep_close(l->sweep);
	gc_batch_free(&l->batch);
	*l = (struct gc_list){.of = l->of};
}

static int make(void *list, bool deep, const struct progress *watch)
{
	struct gc_list *l = list;
	unmake(l);
	int result = gc_table_refs(l->of.log, l->of.from, l->of.to, &l->refs, &l->n);
	if (result < 0)
		l->refs = NULL;
	else if (deep)
		result = gc_batch_make(&l->batch, l->of.log, l->refs, l->n, watch);
	if (result == 0 && deep && !l->of.log->fetch)
		l->sweep = gc_sweep_open(l->of.log);
	return result;
}

static int refs_of(void *list, uint64_t **refs, size_t *n)
{
	const struct gc_list *l = list;
	*n = l->n;
	*refs = malloc((l->n ? l->n : 1) * sizeof **refs);
	if (*refs && l->n)
		memcpy(*refs, l->refs, l->n * sizeof **refs);
	return *refs ? 0 : EVL_NOMEM;
}

#define LISTS "table/gc_columns.def"
#include "table/define_lists.def"
