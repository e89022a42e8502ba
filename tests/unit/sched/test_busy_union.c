/* The union of runs and pauses against one that is made of all of them at once. */
#include "sched/busy_union.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CHAINS = 6, RUNS = 6000, PART = 700, PAUSES = 50, TILES = 40 };

static uint32_t seed;

static unsigned any(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static int by_begin(const void *a, const void *b)
{
	const struct walk_run *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static uint64_t union_ns(struct walk_run *runs, size_t n)
{
	uint64_t sum = 0, end = 0;
	qsort(runs, n, sizeof *runs, by_begin);
	for (size_t i = 0; i < n; i++) {
		sum += sub_or_0(runs[i].to, max_u64(runs[i].from, end));
		end = max_u64(end, runs[i].to);
	}
	return sum;
}

/* Deliveries of a chain. */
struct story {
	struct walk_run runs[RUNS];
	struct gc_row pauses[PAUSES];
	size_t run, pause; /* delivered */
};

static void tell(struct story *s, size_t chain)
{
	uint64_t t = any(500);
	for (size_t i = 0; i < RUNS; i++) {
		uint64_t from = t + any(chain % 2 ? 40 : 2000), to = from + any(chain == 3 ? 5 : 300);
		s->runs[i] = (struct walk_run){.from = from, .to = to};
		t = to;
	}
	t = 0;
	for (size_t i = 0; i < PAUSES; i++) {
		t += 3000 + any(9000);
		s->pauses[i] = (struct gc_row){.start = t, .elapsed = any(2000), .sync = any(1000)};
	}
}

/* The next part of a chain: runs, and the pauses that start before its end. */
static void deliver(struct busy *b, struct gcs *g, struct story *s, uint32_t chain)
{
	struct busy_runs runs = {0};
	size_t end = min_u64(RUNS, s->run + 1 + any(PART));
	for (; s->run < end; s->run++)
		busy_add(b, &runs, s->runs[s->run].from, s->runs[s->run].to, 1);
	uint64_t complete = s->run < RUNS ? s->runs[s->run].from : UINT64_MAX;
	for (; s->pause < PAUSES && gc_requested(&s->pauses[s->pause]) < complete; s->pause++)
		assert_true(rows_add(&g->tables[chain].rows, &s->pauses[s->pause]));
	busy_join(b, chain, &runs, complete, 0);
	busy_merge(b, g);
	assert_null(runs.first);
}

/* Each piece has the gaps that end in it, and the table all pieces. */
static void check_gaps(const struct busy_gaps *gaps, const struct walk_run *all, size_t n, size_t tiles)
{
	size_t i = 0, pieces = rows_count(&gaps->pieces);
	uint64_t end = 0;
	assert_in_range(pieces, 1, tiles / GAP_TILES + 1);
	for (size_t k = 0; k < pieces; k++) {
		const struct busy_piece *piece = busy_piece_at(gaps, k);
		struct busy_gap want = {0};
		for (; i < n && all[i].from < piece->until; i++) {
			uint64_t len = sub_or_0(all[i].from, end);
			if (len > want.len)
				want = (struct busy_gap){all[i].from, len, want.len};
			else
				want.second = max_u64(want.second, len);
			end = max_u64(end, all[i].to);
		}
		uint64_t latest = end; /* of what is united with these, some of which may be in the next piece */
		for (size_t j = i; j < n && all[j].from <= latest; j++)
			latest = max_u64(latest, all[j].to);
		assert_in_range(piece->end, end, latest);
		assert_memory_equal(&piece->gap, &want, sizeof want);
	}
	assert_int_equal(i, n);
	for (uint64_t least = 1; least < 4000; least += 97)
		for (size_t from = 0; from <= pieces; from++) {
			size_t next = from, before = from;
			while (next < pieces && busy_piece_at(gaps, next)->gap.len < least)
				next++;
			while (before > 0 && busy_piece_at(gaps, before - 1)->gap.len < least)
				before--;
			assert_int_equal(busy_gaps_next(gaps, pieces, from, least), next);
			assert_int_equal(busy_gaps_prev(gaps, pieces, from, least), before ? before - 1 : pieces);
		}
}

static void check(size_t chains)
{
	static struct story stories[CHAINS];
	static struct walk_run all[CHAINS * (RUNS + PAUSES)], gcs[CHAINS * PAUSES], pauses[CHAINS * PAUSES];
	struct chain chain[CHAINS] = {0};
	struct gc_table tables[CHAINS];
	struct tile_table tiles[CHAINS];
	static struct tile firsts[CHAINS][TILES];
	struct blocks blocks = {.chains = chain, .n_chains = chains};
	struct gcs g = {.tables = tables, .n = chains};
	struct busy b;
	size_t n = 0, n_gcs = 0;
	uint64_t sum = 0;
	for (size_t c = 0; c < chains; c++)
		tiles[c] = (struct tile_table){.tiles = firsts[c], .n = TILES, .ready = TILES};
	assert_int_equal(busy_init(&b, &blocks, tiles), 0);
	for (size_t c = 0; c < chains; c++) {
		stories[c] = (struct story){0};
		rows_init(&tables[c].rows, sizeof(struct gc_row));
		tell(&stories[c], c);
		for (size_t i = 0; i < TILES; i++)
			firsts[c][i] = (struct tile){.t = stories[c].runs[i * RUNS / TILES].from};
		for (size_t i = 0; i < RUNS; i++) {
			all[n++] = stories[c].runs[i];
			sum += stories[c].runs[i].to - stories[c].runs[i].from;
		}
		for (size_t i = 0; i < PAUSES; i++) {
			const struct gc_row *gc = &stories[c].pauses[i];
			all[n++] = pauses[n_gcs] = (struct walk_run){.from = gc_requested(gc), .to = gc_end(gc)};
			gcs[n_gcs++] = (struct walk_run){.from = gc->start, .to = gc_end(gc)};
		}
	}
	for (bool more = true; more;) {
		uint32_t c = any((unsigned)chains);
		more = false;
		if (stories[c].run < RUNS)
			deliver(&b, &g, &stories[c], c);
		for (size_t i = 0; i < chains; i++)
			more = more || stories[i].run < RUNS;
	}
	assert_int_equal(b.all.ns, union_ns(all, n));
	assert_int_equal(b.pause.ns, union_ns(pauses, n_gcs)); /* of leaders that overlap, too */
	assert_int_equal(b.gc.ns, union_ns(gcs, n_gcs));
	assert_int_equal(b.run_ns, sum);
	for (size_t c = 0; c < chains; c++)
		assert_int_equal(stories[c].pause, PAUSES);
	busy_end(&b, &g);
	check_gaps(&b.gaps, all, n, chains * TILES);
	for (size_t i = 0; i < BUSY_SIZES; i++)
		assert_null(b.spare[i]);
	for (size_t c = 0; c < chains; c++)
		rows_free(&tables[c].rows);
	busy_free(&b);
}

static void any_order_of_parts(void **state)
{
	(void)state;
	for (seed = 1; seed < 1000000; seed += 100000)
		for (size_t chains = 1; chains <= CHAINS; chains++) {
			uint32_t before = seed;
			check(chains);
			seed = before;
		}
}

/* Runs that go back in time, before collections that are merged: the next window ends before these. */
static void times_go_back(void **state)
{
	enum { GCS = 4, MANY = 1 << 15 };
	(void)state;
	struct chain chain = {.cap = 0};
	struct gc_table table;
	const struct tile_table tiles = {0};
	struct blocks blocks = {.chains = &chain, .n_chains = 1};
	struct gcs g = {.tables = &table, .n = 1};
	struct busy b;
	struct busy_runs runs = {0};
	rows_init(&table.rows, sizeof(struct gc_row));
	assert_int_equal(busy_init(&b, &blocks, &tiles), 0);
	for (uint64_t i = 0; i < GCS; i++)
		assert_true(rows_add(&table.rows, &(struct gc_row){.start = 1000000 + 100 * i, .elapsed = 10}));
	busy_add(&b, &runs, 999000, 999001, 1);
	busy_join(&b, 0, &runs, 1100000, 0);
	busy_merge(&b, &g);
	assert_int_equal(b.gc.ns, 10 * GCS);
	assert_true(rows_add(&table.rows, &(struct gc_row){.start = 2000000, .elapsed = 10}));
	for (uint64_t i = 0; i < MANY; i++)
		busy_add(&b, &runs, i, i + 1, 1);
	busy_join(&b, 0, &runs, UINT64_MAX, 0);
	busy_merge(&b, &g);
	busy_end(&b, &g);
	assert_false(atomic_load(&b.failed));
	assert_int_equal(b.gc.ns, 10 * (GCS + 1));
	rows_free(&table.rows);
	busy_free(&b);
}

/* Parts that are not joined, and chains that end before the others. */
static void unfinished(void **state)
{
	(void)state;
	struct chain chain[2] = {{.cap = 0}, {.cap = 1}};
	struct gc_table tables[2];
	const struct tile_table tables_of_tiles[2] = {{0}};
	struct blocks blocks = {.chains = chain, .n_chains = 2};
	struct gcs g = {.tables = tables, .n = 2};
	struct busy b;
	struct busy_runs runs = {0}, dropped = {0};
	rows_init(&tables[0].rows, sizeof(struct gc_row));
	rows_init(&tables[1].rows, sizeof(struct gc_row));
	assert_int_equal(busy_init(&b, &blocks, tables_of_tiles), 0);
	enum { MANY = 1000 };
	for (uint64_t i = 0; i < 3 * MANY; i++)
		busy_add(&b, &runs, 10 * i, 10 * i + 4, 1);
	busy_add(&b, &dropped, 1, 2, 1);
	busy_join(&b, 0, &runs, UINT64_MAX, 0);
	busy_merge(&b, &g);
	assert_int_equal(b.all.ns, 0); /* the other chain may have anything */
	busy_join(&b, 1, &runs, 10 * MANY, 0);
	busy_merge(&b, &g);
	assert_int_equal(b.all.ns, 4 * MANY);
	busy_drop(&dropped);
	busy_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_of_parts),
		cmocka_unit_test(times_go_back),
		cmocka_unit_test(unfinished),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
