#include "table/gc_batch.h"

#include "base/gallop.h"
#include "base/order.h"
#include "index/event_find.h"
#include "table/gc_table.h"

#include <stdlib.h>

/* When allocation is asked for: totals of all capabilities at the end of each collection, and of the one before the first. */
struct moment {
	uint64_t t;   /* samples before it count */
	uint64_t sum; /* at first only what was added since the moment before; wraps */
};

/* A GC_START, and whether work followed; a sample, and its bytes. */
struct noted {
	uint64_t t, off;
	uint64_t value;
};

/* A collection: request and end; of those with an earlier or the same request, the latest end. */
struct asked {
	uint64_t from, to, latest;
	size_t row;
};

struct notes {
	struct noted *items;
	size_t n, room;
	bool in_order;
};

struct batch {
	const struct evl_log *log;
	const struct progress *watch;
	struct asked *rows; /* by request */
	size_t n;
	uint64_t from, to; /* of all rows and moments */
	struct moment *moments;
	size_t n_moments;
	struct notes starts, samples; /* of one capability */
	uint64_t total;               /* that it had allocated before the first moment */
	size_t open;                  /* starts from here on may still get work */
	size_t work;                  /* starts before this one got work */
	bool failed, missing;
};

enum { CHECK_EVERY = 1 << 6 }; /* tiles between looks at whether to go on */

/* --- one capability ------------------------------------------------------------------------------------------------ */

static void note(struct batch *b, struct notes *n, const struct frame *f, uint64_t value)
{
	if (!GROW(n->items, n->n, n->room)) {
		b->failed = true;
		return;
	}
	n->in_order = n->in_order && (n->n == 0 || n->items[n->n - 1].t <= f->t);
	n->items[n->n++] = (struct noted){f->t, f->off, value};
}

/* The capability's part in its last collection is over. */
static void close_part(struct batch *b)
{
	for (; b->open < b->starts.n; b->open++)
		b->starts.items[b->open].value = b->open < b->work;
}

/* The events that take looks at. */
static const uint64_t taken_tags = 1ull << EVL_GC_START | 1ull << EVL_GC_WORK | 1ull << EVL_GC_END
	| 1ull << EVL_RUN_THREAD | 1ull << EVL_HEAP_ALLOCATED;

enum { BYTES_AT = 4 };

static void take(struct batch *b, const struct frame *f, const struct block *block)
{
	switch (f->tag) {
	case EVL_GC_START: note(b, &b->starts, f, 0); break;
	case EVL_GC_WORK: b->work = b->starts.n; break;
	case EVL_GC_END:
	case EVL_RUN_THREAD: close_part(b); break;
	case EVL_HEAP_ALLOCATED:
		if (b->n_moments && f->t >= b->moments->t && f->t <= block_latest(&b->log->blocks, block)
			&& event_readable(&b->log->header, f))
			note(b, &b->samples, f, be64(f->payload.p + BYTES_AT));
		break;
	default: break;
	}
}

COMPARE_BY(by_time, struct noted, RISING(t) ?: RISING(off));

static void put_in_order(struct notes *n)
{
	if (!n->in_order)
		qsort(n->items, n->n, sizeof *n->items, by_time);
}

/* Return the bytes that the capability had allocated before the first moment. */
static uint64_t total_before(struct batch *b, uint32_t chain)
{
	const struct evl_log *log = b->log;
	struct found last = {0};
	struct frame f;
	bool found = b->n_moments
		&& find_last_in(&log->blocks, log->tiles, chain, EVL_HEAP_ALLOCATED, b->moments->t, &last)
		&& frame_read(&log->header, log->source.data, last.off, log->source.len, &f) == FRAME_OK
		&& event_readable(&log->header, &f);
	b->missing = b->missing || last.missing;
	return found ? be64(f.payload.p + BYTES_AT) : 0;
}

/* Note the collections and samples of a chain in the time of the rows: those tiles that have any are read, and of a part in
 * a collection that is open then the rest. */
static int read_chain(struct batch *b, uint32_t chain)
{
	const struct evl_log *log = b->log;
	struct tile_table *table = &log->tiles[chain];
	size_t ready = load_acquire(&table->ready), seen = 0;
	struct tile_want want = {.classes = tile_mark(header_find(&log->header, EVL_GC_START))
			| tile_mark(header_find(&log->header, EVL_HEAP_ALLOCATED))};
	struct cursor c;
	b->starts.n = b->samples.n = b->open = b->work = 0;
	b->starts.in_order = b->samples.in_order = true;
	b->total = total_before(b, chain);
	if (ready == 0)
		return 0;
	size_t at = tiles_before(table, ready, b->from), i = at,
	       last = tiles_end_before(table, ready, ready, b->to < UINT64_MAX ? b->to + 1 : b->to);
	cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], load_acquire(&table->walked));
	for (; want.classes && (i = tiles_next(table, ready, i, ready, &want)) < ready; at = ++i) {
		struct frame f;
		const struct block *block;
		uint64_t end = i + 1 < ready ? table->tiles[i + 1].off : UINT64_MAX;
		if (seen++ % CHECK_EVERY == 0 && progress_cancelled(b->watch))
			return EVL_CANCELLED;
		if (i != at && table->tiles[i].state != CAP_GC)
			close_part(b);
		if (i >= last && b->open == b->starts.n)
			break;
		cursor_seek(&c, table->tiles[i].off);
		while (cursor_next_of(&c, taken_tags, end, &f, &block) && f.off < end)
			take(b, &f, block);
	}
	close_part(b);
	b->missing = b->missing || c.missing;
	put_in_order(&b->starts);
	put_in_order(&b->samples);
	return b->failed ? EVL_NOMEM : 0;
}

/* Each sample adds to all moments after it what the capability allocated since the sample before. */
static void add_samples(struct batch *b)
{
	uint64_t before = b->total;
	if (b->n_moments)
		b->moments->sum += before;
	for (size_t k = 0; k < b->samples.n; k++) {
		const struct noted *s = &b->samples.items[k];
		BISECT(first, b->n_moments, b->moments[mid].t <= s->t);
		if (first < b->n_moments)
			b->moments[first].sum += s->value - before;
		before = s->value;
	}
}

/* The capability takes part in a collection if it has a GC_START between request and end: the first after the request tells
 * whether it had work. */
static void add_workers(const struct batch *b, struct gc_batch_row *out)
{
	for (size_t k = 0; k < b->starts.n; k++) {
		const struct noted *start = &b->starts.items[k];
		BISECT(i, b->n, b->rows[mid].from <= start->t);
		while (i-- > 0 && b->rows[i].latest >= start->t && (k == 0 || b->rows[i].from > start[-1].t))
			if (b->rows[i].to >= start->t) {
				out[b->rows[i].row].workers++;
				out[b->rows[i].row].working += start->value != 0;
			}
	}
}

/* --- all of them ---------------------------------------------------------------------------------------------------- */

/* When all that was allocated by the end of a collection has been posted. False: not known. */
static bool moment_of(const struct evl_log *log, const struct gc_row *gc, uint64_t *t)
{
	struct gc_stats stats = {0};
	if (gc->off && !gc_stats(log, gc, &stats))
		return false;
	*t = max_u64(gc_end(gc), stats.t) + 1;
	return true;
}

ORDER_BY(by_moment, struct moment, t);
ORDER_BY(by_request, struct asked, from);

static void add_moment(struct batch *b, const struct gc_row *gc)
{
	uint64_t t;
	if (gc && moment_of(b->log, gc, &t))
		b->moments[b->n_moments++].t = t;
}

/* The total at the moment of a collection; none before the first: 0. */
static bool total_at(const struct batch *b, const struct gc_row *gc, uint64_t *out)
{
	uint64_t t;
	*out = 0;
	if (!gc)
		return true;
	if (!moment_of(b->log, gc, &t))
		return false;
	BISECT(at, b->n_moments, b->moments[mid].t < t);
	*out = b->moments[at].sum;
	return true;
}

/* The collection before each, as gcs_before finds it: of those with the latest start the last of the first chain. */
static void fill_in(struct batch *b, const struct gc_row *earlier, const uint64_t *refs, struct gc_batch_row *out)
{
	const struct gc_row *before = earlier, *equals = NULL;
	uint32_t chain = 0; /* of equals */
	for (size_t i = 0; i < b->n; i++) {
		const struct gc_row *gc = gc_table_row(b->log, refs[i]);
		uint64_t from, to;
		if (equals && equals->start < gc->start) {
			before = equals;
			equals = NULL;
		}
		if (!equals || gc_table_chain(refs[i]) == chain) {
			equals = gc;
			chain = gc_table_chain(refs[i]);
		}
		out[i].has_allocated =
			b->log->heap.has_allocated && !b->missing && total_at(b, before, &from) && total_at(b, gc, &to);
		out[i].allocated = out[i].has_allocated ? sub_or_0(to, from) : 0;
	}
}

/* Nothing outside of it tells of the rows. */
static void set_range(struct batch *b)
{
	b->from = b->n_moments ? b->moments->t : UINT64_MAX;
	b->to = b->n_moments ? b->moments[b->n_moments - 1].t : 0;
	for (size_t i = 0; i < b->n; i++) {
		b->from = min_u64(b->from, b->rows[i].from);
		b->to = max_u64(b->to, b->rows[i].to);
	}
}

static int make(struct batch *b, const uint64_t *refs, struct gc_batch_row *out)
{
	const struct evl_log *log = b->log;
	const struct gc_row *earlier = b->n ? gcs_before(&log->gcs, gc_table_row(log, refs[0])->start, GC_ALL) : NULL;
	int result = 0;
	add_moment(b, earlier);
	for (size_t i = 0; i < b->n; i++) {
		const struct gc_row *gc = gc_table_row(log, refs[i]);
		b->rows[i] = (struct asked){.from = gc_requested(gc), .to = gc_end(gc), .row = i};
		add_moment(b, gc);
	}
	qsort(b->moments, b->n_moments, sizeof *b->moments, by_moment);
	qsort(b->rows, b->n, sizeof *b->rows, by_request);
	for (size_t i = 0; i < b->n; i++)
		b->rows[i].latest = max_u64(b->rows[i].to, i ? b->rows[i - 1].latest : 0);
	set_range(b);
	for (size_t i = 0; i < log->n_caps && result == 0; i++) {
		result = read_chain(b, log->cap_chains[i]);
		if (result == 0) {
			add_samples(b);
			add_workers(b, out);
		}
	}
	for (size_t i = 1; i < b->n_moments; i++)
		b->moments[i].sum += b->moments[i - 1].sum;
	if (result == 0)
		fill_in(b, earlier, refs, out);
	return result;
}

int gc_batch_make(
	struct gc_batch *out, const struct evl_log *log, const uint64_t *refs, size_t n, const struct progress *watch)
{
	struct batch b = {.log = log, .watch = watch, .n = n};
	*out = (struct gc_batch){.rows = calloc(n ? n : 1, sizeof *out->rows), .n = n};
	b.rows = calloc(n ? n : 1, sizeof *b.rows);
	b.moments = calloc(n + 1, sizeof *b.moments);
	int result = out->rows && b.rows && b.moments ? make(&b, refs, out->rows) : EVL_NOMEM;
	free_all(b.rows, b.moments, b.starts.items, b.samples.items);
	if (result < 0)
		gc_batch_free(out);
	return result;
}

void gc_batch_free(struct gc_batch *b)
{
	free(b->rows);
	*b = (struct gc_batch){0};
}
