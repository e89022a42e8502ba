/* The heap's curves and the sparks, over capabilities: columns against a naive walk; gaps in the log. */
#include "logs.h"

enum { CAPS = 3, SAMPLES = 400 };

static uint64_t any(uint64_t i) { return i * 2654435761u >> 7 & 0xffff; }

struct sample {
	uint64_t t, value;
};

/* Sample i of a capability: all have their own rhythm. */
static uint64_t time_of(unsigned cap, unsigned i) { return 1000 + i * 97ull + cap * 31 + any(i + cap) % 50; }

/* Sizes and live bytes by turns, each capability with its own; totals that once fall back. */
static struct built heaps(void)
{
	struct built b = log_begin();
	for (uint16_t cap = 0; cap < CAPS; cap++) {
		block_begin(&b, cap, 900);
		for (unsigned i = 0; i < SAMPLES; i++) {
			uint64_t t = time_of(cap, i);
			if (i % 5 == 0)
				put(&b, t, EVL_HEAP_LIVE, "48", 0u, any(i * 3 + cap));
			put(&b, t, EVL_HEAP_SIZE, "48", 0u, any(i * 7 + cap) + 65536);
			put(&b, t, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)(i < 200 ? i : i - 200) * 1000);
		}
		block_end(&b, 60000);
	}
	log_end(&b);
	return b;
}

/* The value of a curve at t by looking at all samples. */
static bool naive_at(uint64_t t, bool live, struct sample *out)
{
	bool found = false;
	for (unsigned cap = 0; cap < CAPS; cap++)
		for (unsigned i = 0; i < SAMPLES; i += live ? 5 : 1)
			if (time_of(cap, i) <= t && (!found || time_of(cap, i) >= out->t)) {
				*out = (struct sample){
					time_of(cap, i), live ? any(i * 3 + cap) : any(i * 7 + cap) + 65536};
				found = true;
			}
	return found;
}

static void naive_column(uint64_t t0, uint64_t t1, bool live, struct heap_column *out)
{
	struct sample s = {0};
	*out = (struct heap_column){.min = UINT64_MAX};
	if (t0 > 0 && naive_at(t0 - 1, live, &s)) {
		out->known = true;
		out->min = out->max = s.value;
	}
	for (unsigned cap = 0; cap < CAPS; cap++)
		for (unsigned i = 0; i < SAMPLES; i += live ? 5 : 1) {
			uint64_t t = time_of(cap, i), value = live ? any(i * 3 + cap) : any(i * 7 + cap) + 65536;
			if (t < t0 || t >= t1)
				continue;
			out->known = out->fresh = true;
			out->min = min_u64(out->min, value);
			out->max = max_u64(out->max, value);
		}
	if (naive_at(t1 - 1, live, &s)) {
		out->last = s.value;
		out->last_t = s.t;
	}
}

static void curves(void **state)
{
	enum { N = 37 };
	struct built b = heaps();
	struct evl_log *log = walked(&b);
	struct heap_column cols[N], want;
	(void)state;
	for (uint64_t t0 = 0; t0 < 45000; t0 += 7919)
		for (uint64_t width = N; width < 60000; width = width * 5 + 3)
			for (int live = 0; live < 2; live++) {
				heap_columns(
					&log->heap, live ? HEAP_CURVE_LIVE : HEAP_CURVE_SIZE, t0, t0 + width, N, cols);
				for (int i = 0; i < N; i++) {
					naive_column(column_edge(t0, t0 + width, N, i),
						column_edge(t0, t0 + width, N, i + 1), live, &want);
					assert_int_equal(cols[i].known, want.known);
					assert_int_equal(cols[i].fresh, want.fresh);
					if (!want.known)
						continue;
					assert_int_equal(cols[i].min, want.min);
					assert_int_equal(cols[i].max, want.max);
					assert_int_equal(cols[i].last_t, want.last_t);
				}
			}
	done(log, &b);
}

static void nothing_of_it(void **state)
{
	struct built b = log_begin();
	struct heap_column cols[4];
	struct spark_column sparks[4];
	uint64_t bytes[4] = {1, 1, 1, 1};
	struct series_row row;
	(void)state;
	block_begin(&b, 0, 0);
	put_run(&b, 1, 1);
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	assert_false(log->heap.has_live || log->heap.has_size || log->heap.has_allocated || log->heap.has_blocks);
	heap_columns(&log->heap, HEAP_CURVE_BLOCKS, 0, 100, 4, cols);
	heap_allocations(&log->heap, 0, 100, 4, bytes);
	sparks_columns(&log->sparks, 0, 100, 4, sparks);
	for (int i = 0; i < 4; i++) {
		assert_false(cols[i].known || cols[i].fresh);
		assert_int_equal(bytes[i] + sparks[i].pool + sparks[i].created, 0);
	}
	assert_false(heap_at(&log->heap, HEAP_CURVE_LIVE, UINT64_MAX, &row));
	assert_false(heap_after(&log->heap, HEAP_CURVE_LIVE, 0, &row));
	assert_int_equal(heap_allocated(&log->heap), 0);
	done(log, &b);
}

static void from_sample_to_sample(void **state)
{
	struct built b = heaps();
	struct evl_log *log = walked(&b);
	struct series_row row;
	uint64_t t = 0;
	unsigned n = 0;
	(void)state;
	for (; heap_after(&log->heap, HEAP_CURVE_LIVE, t, &row); t = row.t, n++)
		assert_true(row.t > t);
	assert_true(n > 3 * SAMPLES / 5 - 20 && n <= 3 * SAMPLES / 5);
	assert_true(heap_at(&log->heap, HEAP_CURVE_LIVE, UINT64_MAX, &row));
	assert_int_equal(row.t, t);
	assert_true(heap_at(&log->heap, HEAP_CURVE_LIVE, t - 1, &row));
	assert_true(row.t < t);
	done(log, &b);
}

/* A total that falls back has started over; the parts of a range add up to the whole. */
static void allocations(void **state)
{
	enum { N = 53 };
	struct built b = heaps();
	struct evl_log *log = walked(&b);
	uint64_t parts[N], whole, sum;
	(void)state;
	assert_int_equal(heap_allocated(&log->heap), CAPS * 2 * 199000);
	heap_allocations(&log->heap, 0, 60000, 1, &whole);
	assert_int_equal(whole, CAPS * 2 * 199000);
	assert_true(heap_allocated_known(&log->heap) > 39000 && heap_allocated_known(&log->heap) < 41000);
	for (uint64_t t0 = 0; t0 < 50000; t0 += 4999) {
		heap_allocations(&log->heap, t0, t0 + 9999, N, parts);
		heap_allocations(&log->heap, t0, t0 + 9999, 1, &whole);
		sum = 0;
		for (int i = 0; i < N; i++)
			sum += parts[i];
		assert_int_equal(sum, whole);
	}
	heap_allocations(&log->heap, 41000, 60000, 1, &whole);
	assert_int_equal(whole, 0);
	done(log, &b);
}

static void memory_given_back(void **state)
{
	struct built b = log_begin();
	struct point at;
	struct heap_return r;
	(void)state;
	block_begin(&b, 0, 0);
	put(&b, 7, EVL_MEM_RETURN, "4444", 0u, 9u, 4u, 5u);
	put(&b, 8, EVL_BLOCKS_SIZE, "48", 0u, (uint64_t)4096);
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->heap.max_blocks, 4096);
	assert_true(points_before(&log->heap.returns, 8, &at));
	assert_true(heap_return_at(&log->blocks, at.off, &r));
	assert_int_equal(r.current, 9);
	assert_int_equal(r.needed, 4);
	assert_int_equal(r.returned, 5);
	assert_false(heap_return_at(&log->blocks, log->header.data_off, &r)); /* a block marker */
	assert_false(heap_return_at(&log->blocks, UINT64_MAX, &r));
	done(log, &b);
}

/* Counters of a capability: created, converted, remaining. */
static void put_sparks(struct built *b, uint64_t t, uint64_t created, uint64_t converted, uint64_t remaining)
{
	uint64_t none = 0;
	put(b, t, EVL_SPARK_COUNTERS, "8888888", created, none, none, converted, none, none, remaining);
}

static struct built sparks(void)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_sparks(&b, 100, 0, 0, 0);
	put_sparks(&b, 200, 0, 0, 0);
	put_sparks(&b, 300, 100, 10, 90);
	put_sparks(&b, 400, 200, 50, 40);
	put_sparks(&b, 500, 200, 90, 0);
	put_sparks(&b, 600, 30, 20, 5); /* started over */
	block_end(&b, 1000);
	block_begin(&b, 1, 0);
	put_sparks(&b, 350, 0, 0, 0);
	put_sparks(&b, 450, 0, 100, 1);
	block_end(&b, 1000);
	log_end(&b);
	return b;
}

static void spark_counters(void **state)
{
	struct built b = sparks();
	struct evl_log *log = walked(&b);
	struct spark_column c[10], now;
	struct point at;
	(void)state;
	sparks_columns(&log->sparks, 0, 1000, 10, c);
	static const uint64_t created[] = {0, 0, 100, 100, 0, 30, 0}, converted[] = {0, 0, 10, 90, 90, 20, 0},
			      pool[] = {0, 0, 0, 90, 91, 41, 6};
	for (int i = 0; i < 7; i++) {
		assert_int_equal(c[i].created, created[i]);
		assert_int_equal(c[i].converted, converted[i]);
		assert_int_equal(c[i].pool, pool[i]);
	}
	sparks_at(&log->sparks, 350, &now);
	assert_int_equal(now.created, 150);
	assert_int_equal(now.pool, 90);
	sparks_at(&log->sparks, UINT64_MAX, &now);
	assert_int_equal(now.created, 230);
	assert_int_equal(now.converted, 210);
	assert_int_equal(now.pool, 6);
	assert_int_equal(points_count(&log->sparks.bursts), 2);
	assert_true(points_after(&log->sparks.bursts, 0, &at));
	assert_int_equal(at.t, 200); /* the last sample before there were any */
	assert_true(points_after(&log->sparks.bursts, at.t, &at));
	assert_int_equal(at.t, 500);
	done(log, &b);
}

/* Blocks of 1 ms each, with 1 ms less 1, 1 ms and 5 ms between them. */
static void gaps_between_blocks(void **state)
{
	enum { MS = 1000000 };
	static const uint64_t begins[] = {0, 2 * MS - 1, 4 * MS - 1, 10 * MS - 1};
	struct built b = log_begin();
	struct gap gap;
	uint64_t longest;
	(void)state;
	for (size_t i = 0; i < countof(begins); i++) {
		block_begin(&b, 2, begins[i]);
		put_run(&b, begins[i], 1);
		block_end(&b, begins[i] + MS);
	}
	block_begin(&b, 1, 3 * MS);
	put_run(&b, 3 * MS, 1);
	block_end(&b, 90 * MS);
	log_end(&b);
	struct evl_log *log = walked(&b);
	const struct log_gaps *g = &log->gaps;
	assert_true(g->any);
	assert_int_equal(log_gaps_in(g, 0, 100 * MS, &longest), 2);
	assert_int_equal(longest, 5 * MS);
	assert_int_equal(log_gaps_in(g, 7 * MS, 8 * MS, &longest), 1);
	assert_int_equal(log_gaps_in(g, 10 * MS - 1, 90 * MS, &longest), 0);
	assert_int_equal(longest, 0);
	assert_true(log_gaps_after(g, 0, &gap));
	assert_int_equal(gap.from, 3 * MS - 1);
	assert_int_equal(gap.to, 4 * MS - 1);
	assert_int_equal(gap.cap, 2);
	assert_true(log_gaps_after(g, gap.from, &gap));
	assert_int_equal(gap.from, 5 * MS - 1);
	assert_false(log_gaps_after(g, gap.from, &gap));
	assert_true(log_gaps_before(g, 5 * MS - 1, &gap));
	assert_int_equal(gap.from, 3 * MS - 1);
	assert_false(log_gaps_before(g, gap.from, &gap));
	done(log, &b);
}

/* All tables of the lanes are read while they grow: what was there stays, and nothing is torn. */
static void asked_while_it_is_read(void **state)
{
	enum { N = 60000, BLOCK = 500 };
	struct built b = log_begin();
	(void)state;
	for (unsigned i = 0; i < N; i++) {
		uint64_t t = i * 100ull;
		if (i % BLOCK == 0)
			block_begin(&b, i / BLOCK % 3 == 2 ? EVL_NO_CAP : (uint16_t)(i / BLOCK % 3), t);
		if (i / BLOCK % 3 == 2) {
			put(&b, t, i % 2 ? EVL_CONC_MARK_END : EVL_CONC_MARK_BEGIN, i % 2 ? "4" : "", 1u);
		} else {
			put(&b, t, EVL_HEAP_LIVE, "48", 0u, (uint64_t)i);
			put(&b, t, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)i * 10);
			put_sparks(&b, t, i, i / 2, i % 100);
		}
		if (i % BLOCK == BLOCK - 1)
			block_end(&b, t);
	}
	log_end(&b);
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open_memory(&log, b.data, b.len, &err), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	uint64_t allocated = 0, marked = 0, live = 0;
	for (bool over = false; !over;) {
		over = evl_progress(log).done;
		if (!evl_progress(log).ready)
			continue;
		struct spark_column sparks;
		struct heap_column heap;
		struct nm_column column;
		struct idle_gap gap;
		uint64_t all;
		heap_allocations(&log->heap, 0, N * 100, 1, &all);
		heap_columns(&log->heap, HEAP_CURVE_LIVE, 0, N * 100, 1, &heap);
		sparks_columns(&log->sparks, 0, N * 100, 1, &sparks);
		nonmoving_column(&log->nonmoving, 0, N * 100, &column);
		assert_true(all >= allocated && heap.max >= live && column.n[NM_MARK] >= marked && sparks.pool < 200);
		assert_int_equal(
			idle_near(&log->blocks, log->tiles, &log->gcs, &log->busy, 5, 1000, true, &gap), IDLE_NONE);
		allocated = all;
		live = heap.max;
		marked = column.n[NM_MARK];
	}
	assert_int_equal(marked, N / 6);
	assert_int_equal(live, N - BLOCK - 1);
	done(log, &b);
}

/* --- big logs -------------------------------------------------------------------------------------------------------- */

enum { BIG_CAPS = 2, BIG_BLOCKS = 6000, BIG_RUNS = 80, BIG_IN_A_ROW = 8, BIG_MOST = 1 << 16 };

static struct kept {
	uint64_t section, t, value;
} kept[BIG_CAPS][BIG_MOST];
static size_t n_kept[BIG_CAPS];

/* The slow reference: the largest sample of each section, the last of equal ones. */
static void keep_largest(unsigned cap, uint64_t section, uint64_t t, uint64_t value)
{
	struct kept *last = n_kept[cap] ? &kept[cap][n_kept[cap] - 1] : NULL;
	if (!last || last->section != section)
		last = &kept[cap][n_kept[cap]++];
	else if (value < last->value)
		return;
	*last = (struct kept){section, t, value};
}

/* More than 16 MB: some blocks of each capability in turn, with samples after some runs. Sections go on across blocks. */
static struct built big_log(uint64_t *at, struct kept *samples, size_t *n)
{
	struct built b = log_begin();
	uint64_t t = 10, dice = 1;
	*n = 0;
	for (unsigned k = 0; k < BIG_BLOCKS; k++) {
		const unsigned cap = k / BIG_IN_A_ROW % BIG_CAPS;
		block_begin(&b, (uint16_t)cap, t);
		for (unsigned i = 0; i < BIG_RUNS; i++, t += 20) {
			put_run(&b, t, cap + 1);
			put_stop(&b, t + 5, cap + 1, STOP_MVAR);
			dice = dice * 6364136223846793005u + 1442695040888963407u;
			if (dice >> 62)
				continue;
			samples[*n] = (struct kept){cap, t + 6, dice >> 32 & 0xff};
			at[(*n)++] = b.len;
			put(&b, t + 6, EVL_HEAP_LIVE, "48", 0u, samples[*n - 1].value);
		}
		block_end(&b, t);
	}
	return b;
}

static void check_kept(const struct evl_log *log)
{
	for (unsigned cap = 0; cap < BIG_CAPS; cap++) {
		const struct heap_chain *chain = load_acquire(&log->heap.chains[log->cap_chains[cap]]);
		const struct series *s = &chain->curves[HEAP_CURVE_LIVE];
		assert_int_equal(rows_count(&s->rows), n_kept[cap]);
		for (size_t i = 0; i < n_kept[cap]; i++) {
			assert_int_equal(series_row(s, i)->t, kept[cap][i].t);
			assert_int_equal(series_row(s, i)->value, kept[cap][i].value);
		}
	}
}

/* Which samples of a big log are kept depends on its bytes alone, not on the parts that it is read in. */
static void samples_are_thinned_by_sections(void **state)
{
	static uint64_t at[BIG_BLOCKS * BIG_RUNS];
	static struct kept samples[BIG_BLOCKS * BIG_RUNS];
	size_t n;
	(void)state;
	struct built b = big_log(at, samples, &n);
	for (int threads = 1; threads <= 7; threads += 2) {
		struct evl_log *log;
		assert_int_equal(evl_open_memory(&log, b.data, b.len, NULL), 0);
		evl_use_threads(log, threads);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		assert_true(log->downsample_shift > 0);
		memset(n_kept, 0, sizeof n_kept);
		for (size_t i = 0; i < n; i++)
			keep_largest((unsigned)samples[i].section, at[i] >> log->downsample_shift, samples[i].t,
				samples[i].value);
		assert_true(n_kept[0] < n / 2 && n_kept[0] > 1000);
		check_kept(log);
		evl_close(log);
	}
	free(b.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves),
		cmocka_unit_test(nothing_of_it),
		cmocka_unit_test(from_sample_to_sample),
		cmocka_unit_test(allocations),
		cmocka_unit_test(memory_given_back),
		cmocka_unit_test(spark_counters),
		cmocka_unit_test(gaps_between_blocks),
		cmocka_unit_test(asked_while_it_is_read),
		cmocka_unit_test(samples_are_thinned_by_sections),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
