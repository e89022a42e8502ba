#include "gc/gc.h"

#include "base/gallop.h"
#include "base/minheap.h"

#include <math.h>
#include <stdlib.h>

enum { STATS_GEN_AT = 4, INFO_GENERATIONS_AT = 4 }; /* offsets in GC_STATS_GHC and HEAP_INFO_GHC */
enum { STATS_COPIED_AT = 6, STATS_THREADS_AT = 30, STATS_MOST_AT = 34, STATS_BALANCED_AT = 50, STATS_LEAST = 50 };

int gcs_init(struct gcs *g, const struct blocks *blocks)
{
	*g = (struct gcs){.n = blocks->n_chains, .generations = 2};
	const struct header_type *stats = header_find(blocks->header, EVL_GC_STATS_GHC);
	g->has_stats = stats && stats->schema;
	g->tables = calloc(g->n ? g->n : 1, sizeof *g->tables);
	if (!g->tables)
		return EVL_NOMEM;
	for (size_t i = 0; i < g->n; i++)
		rows_init(&g->tables[i].rows, sizeof(struct gc_row));
	return 0;
}

void gcs_free(struct gcs *g)
{
	for (size_t i = 0; g->tables && i < g->n; i++) {
		rows_free(&g->tables[i].rows);
		gc_pyramid_free(&g->tables[i].pyramid);
	}
	free(g->tables);
	*g = (struct gcs){0};
}

static const struct gc_row *row_at(const struct gc_table *t, size_t i) { return rows_at(&t->rows, i); }

static void leaf(const void *rows, size_t i, struct gc_pyramid_node *sum)
{
	const struct gc_row *r = rows_at(rows, i);
	unsigned gen = r->gen < PYRAMID_GENS ? (unsigned)r->gen : PYRAMID_GENS - 1;
	if (r->gen == GC_GEN_UNKNOWN)
		gen = 0;
	sum->longest = max_u64(sum->longest, gc_pause(r));
	sum->sync += r->sync;
	sum->ns[gen] += r->elapsed;
	sum->n[gen]++;
}

static void forget(struct gc_partial *s)
{
	s->open = s->has_stats = s->requested = s->parallel = false;
	s->stats_off = 0;
	s->stats = (struct evl_str){0};
}

/* --- sums --- */

static void add_shared(struct gc_balance *par, struct evl_str stats)
{
	bool balanced = stats.len >= STATS_BALANCED_AT + sizeof(uint64_t);
	uint32_t threads = be32(stats.p + STATS_THREADS_AT);
	par->copied += be64(stats.p + STATS_COPIED_AT);
	par->most += be64(stats.p + STATS_MOST_AT);
	par->balanced += balanced ? be64(stats.p + STATS_BALANCED_AT) : 0;
	par->has_balanced = par->has_balanced || balanced;
	par->threads = threads > par->threads ? threads : par->threads;
}

void gc_sums_add(struct gc_sums *s, const struct gc_row *row, struct evl_str stats)
{
	struct gc_gen *gen = &s->gens[row->gen == GC_GEN_UNKNOWN ? GC_GENS - 1 : min_u64(row->gen, GC_GENS - 2)];
	gen->n++;
	gen->elapsed += row->elapsed;
	gen->max = max_u64(gen->max, row->elapsed);
	if (stats.len < STATS_LEAST)
		return;
	gen->copied += be64(stats.p + STATS_COPIED_AT);
	if (!row->parallel)
		return;
	gen->par++;
	add_shared(&s->par, stats);
}

void gc_sums_join(struct gc_sums *to, const struct gc_sums *s)
{
	for (int i = 0; i < GC_GENS; i++) {
		struct gc_gen *gen = &to->gens[i];
		gen->n += s->gens[i].n;
		gen->par += s->gens[i].par;
		gen->elapsed += s->gens[i].elapsed;
		gen->max = max_u64(gen->max, s->gens[i].max);
		gen->copied += s->gens[i].copied;
	}
	to->par.copied += s->par.copied;
	to->par.most += s->par.most;
	to->par.balanced += s->par.balanced;
	to->par.has_balanced = to->par.has_balanced || s->par.has_balanced;
	to->par.threads = s->par.threads > to->par.threads ? s->par.threads : to->par.threads;
}

double gc_work_balance(const struct gc_sums *s)
{
	const struct gc_balance *par = &s->par;
	if (par->threads < 2 || par->copied == 0 || (!par->has_balanced && par->most == 0))
		return (double)NAN;
	if (par->has_balanced)
		return (double)par->balanced / (double)par->copied;
	return ((double)par->copied / (double)par->most - 1) / (double)(par->threads - 1);
}

/* --- the machine --- */

/* By more than one GC thread, as its statistics tell; else as requested. A program with one capability requests parallel
 * collections, too. */
static bool is_parallel(const struct gc_partial *s)
{
	return s->stats.len >= STATS_LEAST ? be32(s->stats.p + STATS_THREADS_AT) > 1 : s->parallel;
}

/* The GC on this capability ends: make its row, if the capability led it. */
static void close_gc(const struct gcs *g, struct gc_partial *s, uint64_t end)
{
	bool led = s->has_stats || (!g->has_stats && (s->requested || g->n <= 2));
	if (led && s->open && end >= s->start && GROW(s->rows, s->n, s->room)) {
		struct gc_row row = {.start = s->start,
			.elapsed = end - s->start,
			.off = s->stats_off & 0xffffffffffff,
			.cap = s->cap,
			.gen = s->has_stats ? s->gen : GC_GEN_UNKNOWN,
			.parallel = is_parallel(s)};
		row.sync = s->requested ? sub_or_0(s->start, s->request) & 0xffffffffffff : 0;
		s->rows[s->n++] = row;
		gc_sums_add(&s->sums, &row, s->stats);
	} else {
		s->without_interval += s->has_stats;
	}
	forget(s);
}

bool gcs_wants(uint16_t tag)
{
	return tag == EVL_REQUEST_SEQ_GC || tag == EVL_REQUEST_PAR_GC || tag == EVL_GC_START || tag == EVL_GC_STATS_GHC
		|| tag == EVL_GC_END || tag == EVL_HEAP_INFO_GHC;
}

void gcs_event(struct gcs *g, struct gc_partial *s, const struct frame *f)
{
	switch (f->tag) {
	case EVL_REQUEST_SEQ_GC:
	case EVL_REQUEST_PAR_GC:
		s->requested = true;
		s->parallel = f->tag == EVL_REQUEST_PAR_GC;
		s->request = f->t;
		break;
	case EVL_GC_START: /* a second start before the end: the older one counts */
		if (!s->open)
			s->start = f->t;
		s->open = true;
		break;
	case EVL_GC_STATS_GHC:
		s->without_interval += s->has_stats;
		s->has_stats = true;
		s->stats_off = f->off;
		s->stats = f->payload;
		s->gen = (uint8_t)min_u64(be16(f->payload.p + STATS_GEN_AT), GC_GEN_UNKNOWN - 1);
		break;
	case EVL_GC_END: close_gc(g, s, f->t); break;
	case EVL_HEAP_INFO_GHC: atomic_store(&g->generations, be16(f->payload.p + INFO_GENERATIONS_AT)); break;
	default: break;
	}
}

void gcs_run(struct gc_partial *s)
{
	s->without_interval += s->has_stats;
	forget(s);
}

/* Rows are in the order of their starts, which all that looks for them relies on. Where the clock of a log goes back, what
 * begins before the collection before it begins with that one. */
static void keep_order(const struct gc_table *t, struct gc_row *row)
{
	size_t n = rows_count(&t->rows);
	uint64_t least = n ? row_at(t, n - 1)->start : 0;
	if (row->start >= least)
		return;
	row->elapsed = sub_or_0(gc_end(row), least);
	row->start = least;
}

void gcs_join(struct gcs *g, uint32_t chain, struct gc_partial *s)
{
	struct gc_table *t = &g->tables[chain];
	for (size_t i = 0; i < s->n; i++) {
		struct gc_pyramid_node node = {0};
		keep_order(t, &s->rows[i]);
		if (!rows_put(&t->rows, &s->rows[i], sizeof *s->rows))
			break;
		leaf(&t->rows, rows_count(&t->rows) - 1, &node);
		if (!gc_pyramid_add(&t->pyramid, &node))
			break;
	}
	gc_sums_join(&g->sums, &s->sums);
	t->without_interval += s->without_interval + s->has_stats; /* what is open now is never closed */
	free(s->rows);
	*s = (struct gc_partial){0};
}

uint32_t gcs_oldest(const struct gcs *g)
{
	uint32_t generations = atomic_load(&g->generations);
	return generations > 0 ? generations - 1 : 0;
}

bool gc_is_major(const struct gcs *g, const struct gc_row *r) { return gc_collects(r, gcs_oldest(g)); }

static void add_clipped(const struct gcs *g, const struct gc_row *r, uint64_t t0, uint64_t t1, struct gc_sum *out)
{
	uint64_t inside = sub_or_0(min_u64(gc_end(r), t1), max_u64(r->start, t0));
	bool major = gc_is_major(g, r);
	*(major ? &out->major_ns : &out->minor_ns) += inside;
	*(major ? &out->major : &out->minor) = true;
	out->sync_ns += sub_or_0(min_u64(r->start, t1), max_u64(gc_requested(r), t0));
	out->longest = max_u64(out->longest, gc_pause(r));
}

static void add_whole(const struct gcs *g, const struct gc_pyramid_node *node, struct gc_sum *out)
{
	unsigned major = gcs_oldest(g) < PYRAMID_GENS - 1 ? gcs_oldest(g) : PYRAMID_GENS - 1;
	for (unsigned gen = 0; gen < PYRAMID_GENS; gen++) {
		*(gen >= major ? &out->major_ns : &out->minor_ns) += node->ns[gen];
		if (node->n[gen])
			*(gen >= major ? &out->major : &out->minor) = true;
	}
	out->sync_ns += node->sync;
	out->longest = max_u64(out->longest, node->longest);
}

void gc_walk_begin(struct gc_walk *w, const struct gcs *g, uint32_t chain, uint64_t t0)
{
	const struct gc_table *t = &g->tables[chain];
	*w = (struct gc_walk){.gcs = g, .table = t, .at = t0, .n = rows_count(&t->rows)};
	w->row = rows_first_at(&t->rows, w->n, offsetof(struct gc_row, start), t0);
}

void gc_walk_next(struct gc_walk *w, uint64_t t1, struct gc_sum *out)
{
	const struct gcs *g = w->gcs;
	const struct gc_table *t = w->table;
	size_t from = w->row, to = rows_next_at(&t->rows, from, w->n, offsetof(struct gc_row, start), w->stride, t1);
	uint64_t t0 = w->at;
	w->row = to;
	w->stride = to - from;
	w->at = t1;
	out->n += to - from;
	if (from > 0 && gc_end(row_at(t, from - 1)) > t0)
		add_clipped(g, row_at(t, from - 1), t0, t1, out);
	if (to < w->n && gc_requested(row_at(t, to)) < t1)
		add_clipped(g, row_at(t, to), t0, t1, out);
	if (from == to)
		return;
	add_clipped(g, row_at(t, from), t0, t1, out); /* may have been requested before the range */
	if (to - from == 1)
		return;
	add_clipped(g, row_at(t, to - 1), t0, t1, out); /* may end after it */
	struct gc_pyramid_node node = {0};
	gc_pyramid_sum(&t->pyramid, from + 1, to - 1, leaf, &t->rows, &node);
	add_whole(g, &node, out);
}

void gcs_sum(const struct gcs *g, uint64_t t0, uint64_t t1, struct gc_sum *out)
{
	*out = (struct gc_sum){0};
	for (uint32_t i = 0; i < g->n; i++) {
		struct gc_walk w;
		gc_walk_begin(&w, g, i, t0);
		gc_walk_next(&w, t1, out);
	}
}

static bool is_at_most(const void *items, size_t i, uint64_t t)
{
	const struct gc_time *times = items;
	return times[i].t <= t;
}

/* Add up the collections of one chain between the times. Many times may pass from one collection to the next. */
static void add_between(const struct gcs *g, uint32_t chain, struct gc_time *times, size_t n)
{
	struct gc_walk w;
	gc_walk_begin(&w, g, chain, times[0].t);
	for (size_t i = 1, stride = 0; i < n;) {
		struct gc_sum sum = {0};
		gc_walk_next(&w, times[i].t, &sum);
		times[i].minor_ns += sum.minor_ns;
		times[i].major_ns += sum.major_ns;
		size_t from = ++i;
		if (w.row > 0 && gc_end(row_at(w.table, w.row - 1)) > w.at)
			continue;
		i = w.row < w.n ? gallop(times, i, n, stride, row_at(w.table, w.row)->start, is_at_most) : n;
		stride = i - from;
		w.at = times[i - 1].t;
	}
}

void gcs_until(const struct gcs *g, struct gc_time *times, size_t n)
{
	for (size_t i = 0; i < n; i++)
		times[i].minor_ns = times[i].major_ns = 0;
	for (uint32_t chain = 0; n && chain < g->n; chain++)
		add_between(g, chain, times, n);
	for (size_t i = 1; i < n; i++) {
		times[i].minor_ns += times[i - 1].minor_ns;
		times[i].major_ns += times[i - 1].major_ns;
	}
}

/* Test of pyramid nodes. A generation past the last class counts in that class. */
static bool has_major(const struct gc_pyramid_node *node, const void *ctx)
{
	unsigned gen = gcs_oldest(ctx) < PYRAMID_GENS - 1 ? gcs_oldest(ctx) : PYRAMID_GENS - 1;
	for (; gen < PYRAMID_GENS; gen++)
		if (node->n[gen])
			return true;
	return false;
}

const struct gc_row *gcs_after(const struct gcs *g, uint64_t t, enum gc_kind kind)
{
	const struct gc_row *best = NULL;
	for (size_t c = 0; c < g->n; c++) {
		const struct gc_table *table = &g->tables[c];
		size_t n = rows_count(&table->rows),
		       i = rows_first_at(&table->rows, n, offsetof(struct gc_row, start), t + 1);
		if (kind == GC_MAJOR)
			i = gc_pyramid_next(&table->pyramid, i, n, leaf, &table->rows, has_major, g);
		if (i < n && (!best || row_at(table, i)->start < best->start))
			best = row_at(table, i);
	}
	return best;
}

const struct gc_row *gcs_before(const struct gcs *g, uint64_t t, enum gc_kind kind)
{
	const struct gc_row *best = NULL;
	for (size_t c = 0; c < g->n; c++) {
		const struct gc_table *table = &g->tables[c];
		size_t n = rows_first_at(&table->rows, rows_count(&table->rows), offsetof(struct gc_row, start), t);
		size_t i = n ? n - 1 : 0;
		if (kind == GC_MAJOR)
			i = gc_pyramid_prev(&table->pyramid, 0, n, leaf, &table->rows, has_major, g);
		if (i < n && (!best || row_at(table, i)->start > best->start))
			best = row_at(table, i);
	}
	return best;
}

const struct gc_row *gcs_at(const struct gcs *g, uint64_t t)
{
	const struct gc_row *before = gcs_before(g, t + 1, GC_ALL), *after = gcs_after(g, t, GC_ALL);
	if (before && t < gc_end(before))
		return before;
	return after && gc_requested(after) <= t ? after : NULL;
}

size_t gcs_widen(const struct gcs *g, uint64_t *t0, uint64_t *t1)
{
	struct gc_sum sum;
	const struct gc_row *first = gcs_at(g, *t0), *last = gcs_after(g, *t1 - 1, GC_ALL);
	*t0 = first ? min_u64(*t0, first->start) : *t0;
	*t1 = last && gc_requested(last) < *t1 ? last->start + 1 : *t1;
	gcs_sum(g, *t0, *t1, &sum);
	return sum.n;
}

/* Does a come before b in the order of length? */
static bool longer(const struct gc_row *a, const struct gc_row *b)
{
	return gc_pause(a) != gc_pause(b) ? gc_pause(a) > gc_pause(b) : a->start < b->start;
}

/* The search for the longest, so far. */
struct search {
	const struct gc_row *best;
	bool own; /* the best is one of this chain: of equals the first counts */
};

/* May a longer pause than the best be in here? Equally long ones of other chains may start earlier. */
static bool may_beat(const struct gc_pyramid_node *node, const void *ctx)
{
	const struct search *s = ctx;
	return !s->best || node->longest > gc_pause(s->best) || (!s->own && node->longest == gc_pause(s->best));
}

const struct gc_row *gcs_longest(const struct gcs *g, uint64_t t0, uint64_t t1, const struct gc_row *than)
{
	struct search s = {0};
	for (size_t c = 0; c < g->n; c++) {
		const struct gc_table *table = &g->tables[c];
		size_t n = rows_count(&table->rows), start = offsetof(struct gc_row, start);
		size_t to = rows_first_at(&table->rows, n, start, t1);
		s.own = false;
		for (size_t i = rows_first_at(&table->rows, n, start, t0); i < to; i++) {
			i = gc_pyramid_next(&table->pyramid, i, to, leaf, &table->rows, may_beat, &s);
			const struct gc_row *r = i < to ? row_at(table, i) : NULL;
			if (r && (!than || longer(than, r)) && (!s.best || longer(r, s.best)))
				s = (struct search){r, true};
		}
	}
	return s.best;
}

/* The longest so far: once there are `most` of them, a heap with the last in order on top. */
struct ranking {
	const struct gc_row **rows;
	size_t n, most;
};

#define IS_AFTER(a, b) longer(b, a)

/* The least length of a pause that may be one of them. */
static uint64_t least_of(const struct ranking *s) { return s->n < s->most ? 0 : gc_pause(s->rows[0]); }

static void rank(struct ranking *s, const struct gc_row *r)
{
	if (s->n < s->most) {
		s->rows[s->n++] = r;
		if (s->n == s->most)
			MINHEAP_MAKE(s->rows, s->n, IS_AFTER);
	} else if (longer(r, s->rows[0])) {
		s->rows[0] = r;
		MINHEAP_SIFT(s->rows, s->n, 0, IS_AFTER);
	}
}

/* The rows [i, to) of a table, without those in nodes whose longest pause is too short. */
static void rank_rows(struct ranking *s, const struct gc_table *table, size_t i, size_t to)
{
	for (size_t end; i < to; i = end) {
		const struct gc_pyramid_node *node = gc_pyramid_at(&table->pyramid, i);
		end = min_u64(to, i - i % PYRAMID_FAN + PYRAMID_FAN);
		for (size_t k = node && node->longest < least_of(s) ? end : i; k < end; k++)
			if (gc_pause(row_at(table, k)) >= least_of(s))
				rank(s, row_at(table, k));
	}
}

static int by_length(const void *a, const void *b)
{
	const struct gc_row *x = *(const struct gc_row *const *)a, *y = *(const struct gc_row *const *)b;
	return longer(y, x) - longer(x, y);
}

size_t gcs_ranking(const struct gcs *g, uint64_t t0, uint64_t t1, const struct gc_row **out, size_t most)
{
	struct ranking s = {.rows = out, .most = most};
	for (size_t c = 0; c < g->n && most; c++) {
		const struct gc_table *table = &g->tables[c];
		size_t n = rows_count(&table->rows), start = offsetof(struct gc_row, start);
		size_t to = rows_first_at(&table->rows, n, start, t1);
		rank_rows(&s, table, rows_first_at(&table->rows, n, start, t0), to);
	}
	if (s.n)
		qsort(out, s.n, sizeof *out, by_length);
	return s.n;
}

void gcs_each(
	const struct gcs *g, uint64_t from, uint64_t to, bool (*visit)(void *ctx, const struct gc_row *r), void *ctx)
{
	for (size_t c = 0; c < g->n; c++) {
		const struct rows *rows = &g->tables[c].rows;
		const size_t offset = offsetof(struct gc_row, start), n = rows_count(rows);
		size_t i = rows_first_at(rows, n, offset, from), end = rows_first_at(rows, n, offset, to);
		while (i < end) {
			const struct gc_row *r = rows_at(rows, i);
			const size_t beside = min_u64(rows_beside(i), end - i);
			for (size_t k = 0; k < beside; k++)
				if (!visit(ctx, &r[k]))
					return;
			i += beside;
		}
	}
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

/* In order, and their sums and differences are times: none of these numbers is 2^63 or more. All are of one capability,
 * and in the log. */
static bool check_rows(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct gc_row *rows = items;
	uint64_t before = from ? rows[from - 1].start : 0, bits = 0, others = 0, cap = bounds[0], len = bounds[1];
	for (size_t i = from; i < to; i++) {
		const struct gc_row *r = &rows[i];
		bits |= r->start | r->elapsed | (r->start - before) | (r->start - r->sync) | (len - 1 - r->off);
		others |= r->cap ^ cap;
		before = r->start;
	}
	return bits <= INT64_MAX && !others;
}

static void sums_image(struct image *im, struct gc_sums *s)
{
	IMAGE_VALUE(im, s->gens);
	IMAGE_VALUE(im, s->par.copied);
	IMAGE_VALUE(im, s->par.most);
	IMAGE_VALUE(im, s->par.balanced);
	IMAGE_VALUE(im, s->par.threads);
	image_bool(im, &s->par.has_balanced);
}

void gcs_image(struct image *im, struct gcs *g, const struct blocks *blocks)
{
	if (im->loads)
		*g = (struct gcs){.n = blocks->n_chains, .tables = image_new(im, blocks->n_chains, sizeof *g->tables)};
	image_own(im, (void **)&g->tables, g->n, sizeof *g->tables);
	for (size_t i = 0; g->tables && i < g->n && image_goes_on(im); i++) {
		struct gc_table *t = &g->tables[i];
		image_rows(im, &t->rows, sizeof(struct gc_row));
		gc_pyramid_image(im, &t->pyramid, rows_count(&t->rows));
		IMAGE_VALUE(im, t->without_interval);
		image_check_later(im, image_rows_of(&t->rows), rows_count(&t->rows), sizeof(struct gc_row), check_rows,
			blocks->chains[i].cap, blocks->len);
	}
	image_bool(im, &g->has_stats);
	sums_image(im, &g->sums);
	IMAGE_VALUE(im, g->generations);
}
