/* Questions to the index, at random times, against one list of all events: jumps, numbers, collections, shares, slices
 * of statistics. */
#include "fuzz.h"

#include "index/event_find.h"
#include "index/event_rank.h"
#include "log/log.h"
#include "sched/cap_shares.h"
#include "show/event_merge.h"

enum { QUESTIONS = 24, COLS = 7 };

struct event {
	uint64_t t, off;
	uint16_t tag;
	bool lies; /* its time cannot be: it is in no tile */
};

struct all {
	struct evl_log *log;
	struct event *items;
	size_t n, room;
	uint64_t seed;
};

static void list(struct all *a)
{
	const struct blocks *b = &a->log->blocks;
	const struct block *block;
	struct event_merge m;
	struct frame f;
	check(event_merge_begin(&m, b, &MERGE_ALL) == 0);
	while (event_merge_next(&m, &f, &block)) {
		check(GROW(a->items, a->n, a->room));
		a->items[a->n++] = (struct event){f.t, f.off, f.tag, !block->head && b->max_end && f.t > b->max_end};
	}
	event_merge_end(&m);
}

/* The time of an event, or a neighbour. */
static uint64_t some_time(struct all *a)
{
	return sub_or_0(a->items[fuzz_random(&a->seed) % a->n].t + fuzz_random(&a->seed) % 3, 1);
}

static void check_jumps(struct all *a)
{
	uint64_t t = some_time(a), after = UINT64_MAX, before = UINT64_MAX;
	uint16_t tag = a->items[fuzz_random(&a->seed) % a->n].tag;
	struct found found;
	const struct header_type *type = header_find(&a->log->header, tag);
	if (!type->schema)
		return; /* tiles know no group of it */
	for (size_t i = 0; i < a->n; i++) {
		const struct event *e = &a->items[i];
		if (e->tag != tag || e->lies)
			continue;
		if (e->t < t)
			before = e->t;
		if (e->t > t && after == UINT64_MAX)
			after = e->t;
	}
	bool is = find_after(&a->log->blocks, a->log->tiles, tag, t, &found);
	check(is == (after != UINT64_MAX) && (!is || found.t == after));
	is = find_before(&a->log->blocks, a->log->tiles, tag, t, &found);
	check(is == (before != UINT64_MAX) && (!is || found.t == before));
}

static void check_numbers(struct all *a)
{
	struct event_rank o;
	event_rank_key key;
	check(event_rank_init(&o, &a->log->blocks, a->log->tiles) == 0 && o.total == a->n);
	for (int i = 0; i < QUESTIONS; i++) {
		size_t n = fuzz_random(&a->seed) % a->n;
		check(event_rank_at(&o, n, &key) && key == event_rank_key_of(a->items[n].t, a->items[n].off));
		check(event_rank_before(&o, key) == n);
	}
	event_rank_free(&o);
}

/* The next collection after t is the earliest, the longest from some time on the longest of all that there are. */
static void check_collections(struct all *a)
{
	const struct gcs *g = &a->log->gcs;
	uint64_t t = some_time(a), from = some_time(a), best = UINT64_MAX, longest = 0;
	for (size_t chain = 0; chain < g->n; chain++)
		for (size_t i = 0; i < rows_count(&g->tables[chain].rows); i++) {
			const struct gc_row *r = rows_at(&g->tables[chain].rows, i);
			if (r->start > t)
				best = min_u64(best, r->start);
			if (r->start >= from)
				longest = max_u64(longest, gc_pause(r));
		}
	const struct gc_row *row = gcs_after(g, t, GC_ALL), *most = gcs_longest(g, from, UINT64_MAX, NULL);
	check((row ? row->start : UINT64_MAX) == best);
	check((most ? gc_pause(most) : 0) == longest);
}

/* The shares of a column add up to its width. */
static void check_shares(struct all *a)
{
	const struct evl_log *log = a->log;
	uint64_t t0 = some_time(a), t1 = some_time(a) + COLS;
	struct cap_column cols[COLS];
	struct gc_sum sums[COLS];
	if (log->n_caps == 0 || t1 <= t0 + COLS)
		return;
	for (int i = 0; i < COLS; i++)
		gcs_sum(&log->gcs, column_edge(t0, t1, COLS, i), column_edge(t0, t1, COLS, i + 1), &sums[i]);
	uint32_t chain = log->cap_chains[fuzz_random(&a->seed) % log->n_caps];
	const struct cap_shares_gcs gcs = {.gcs = &log->gcs, .columns = sums};
	cap_shares_columns(&log->blocks, &log->tiles[chain], chain, &gcs, t0, t1, COLS, cols);
	for (int i = 0; i < COLS; i++) {
		uint64_t width = 0;
		for (int k = 0; k < CAP_SHARES; k++)
			width += cols[i].ns[k];
		check(width == column_edge(t0, t1, COLS, i + 1) - column_edge(t0, t1, COLS, i));
	}
}

static struct time_split split(const struct all *a, uint64_t from, uint64_t to)
{
	struct time_split s;
	check(run_stats_time(&a->log->blocks, a->log->tiles, &a->log->gcs, from, to, NULL, &s) == 0);
	check(s.mutator + s.gc + s.sync + s.idle == s.total && s.total == to - from);
	return s;
}

/* Do the histories go forward, as GHC writes them? Statistics promise nothing for others. GC_END is earlier than what
 * comes before it. */
static bool in_order(const struct all *a)
{
	const struct blocks *b = &a->log->blocks;
	for (size_t i = 0; i < b->n_chains; i++) {
		const struct block *block;
		struct cursor c;
		struct frame f;
		cursor_begin(&c, b, &b->chains[i], UINT64_MAX);
		for (uint64_t last = 0; cursor_next(&c, &f, &block);) {
			if (f.t < last)
				return false;
			last = f.tag == EVL_GC_STATS_GHC || f.tag == EVL_GC_GLOBAL_SYNC ? last : f.t;
		}
	}
	return true;
}

/* The sums of two slices are those of both together. */
static void check_slices(struct all *a)
{
	uint64_t from = some_time(a), mid = max_u64(some_time(a), from), to = max_u64(some_time(a), mid);
	struct time_split whole = split(a, from, to), x = split(a, from, mid), y = split(a, mid, to);
	check(whole.mutator == x.mutator + y.mutator && whole.gc == x.gc + y.gc && whole.sync == x.sync + y.sync
		&& whole.idle == x.idle + y.idle && whole.run == x.run + y.run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct all a = {.seed = fuzz_seed(data, len)};
	if (evl_open_memory(&a.log, data, len, NULL) < 0)
		return 0;
	check(evl_start(a.log, NULL, NULL) == 0 && evl_wait(a.log) == 0);
	list(&a);
	bool ordered = in_order(&a);
	for (int i = 0; a.n && i < QUESTIONS; i++) {
		check_jumps(&a);
		check_collections(&a);
		check_shares(&a);
		if (ordered)
			check_slices(&a);
	}
	if (a.n)
		check_numbers(&a);
	free(a.items);
	evl_close(a.log);
	return 0;
}
