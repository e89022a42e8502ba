/* Activity of capabilities, considering all collections: waiting for one, stopped by one, working in one. */
#include "logs.h"
#include "sched/cap_shares.h"

#include <glob.h>

enum { MAX_COLS = 400, MAX_ROWS = 4000 };

/* The columns of a capability over [t0, t1), as the timeline asks for them. */
static void columns(
	const struct evl_log *log, uint32_t chain, uint64_t t0, uint64_t t1, int n, bool listed, struct cap_column *out)
{
	static const struct gc_row *rows[MAX_ROWS];
	static struct gc_sum sums[MAX_COLS];
	struct cap_shares_gcs gcs = {.gcs = &log->gcs, .columns = sums, .rows = listed ? rows : NULL};
	assert_true(n <= MAX_COLS);
	for (int i = 0; i < n; i++)
		gcs_sum(&log->gcs, column_edge(t0, t1, n, i), column_edge(t0, t1, n, i + 1), &sums[i]);
	const struct gc_row *row = gcs_at(&log->gcs, t0);
	for (row = row ? row : gcs_after(&log->gcs, t0, GC_ALL); listed && row && gcs.n < MAX_ROWS;
		row = gcs_after(&log->gcs, row->start, GC_ALL))
		rows[gcs.n++] = row;
	cap_shares_columns(&log->blocks, &log->tiles[chain], chain, &gcs, t0, t1, n, out);
}

static uint64_t width(const struct cap_column *col)
{
	uint64_t sum = 0;
	for (int k = 0; k < CAP_SHARES; k++)
		sum += col->ns[k];
	return sum;
}

/* A GC of generation 1 led by cap 0: requested at 100, begun at 200, ended at 400. Cap 1 stops at 150, takes part from
 * 160 to 420: works from 230, is idle from 300. Cap 2 stops at 170 and takes no part. Cap 3 is idle all the time. */
static struct built one_gc(bool parallel)
{
	struct built b = log_begin();
	block_begin(&b, 0, 10);
	put_run(&b, 20, 1);
	put_stop(&b, 90, 1, 3);
	put(&b, 100, parallel ? EVL_REQUEST_PAR_GC : EVL_REQUEST_SEQ_GC, "");
	put(&b, 200, EVL_GC_START, "");
	put(&b, 210, EVL_GC_WORK, "");
	put(&b, 402, EVL_GC_STATS_GHC, "428884888", 0u, 1u, (uint64_t)1, (uint64_t)2, (uint64_t)3, 1u, (uint64_t)4,
		(uint64_t)5, (uint64_t)6);
	put(&b, 400, EVL_GC_END, "");
	put_run(&b, 450, 1);
	block_end(&b, 1000);
	block_begin(&b, 1, 10);
	put_run(&b, 30, 2);
	put_stop(&b, 150, 2, 3);
	if (parallel) {
		put(&b, 160, EVL_GC_START, "");
		put(&b, 230, EVL_GC_WORK, "");
		put(&b, 300, EVL_GC_IDLE, "");
		put(&b, 350, EVL_GC_DONE, "");
		put(&b, 420, EVL_GC_END, "");
	}
	put_run(&b, 500, 2);
	block_end(&b, 1000);
	block_begin(&b, 2, 10);
	put_run(&b, 30, 3);
	put_stop(&b, 170, 3, 3);
	put_run(&b, 500, 3);
	block_end(&b, 1000);
	block_begin(&b, 3, 10);
	put(&b, 11, EVL_USER_MSG, "s", "here");
	block_end(&b, 1000);
	log_end(&b);
	return b;
}

static void parallel_gc(void **state)
{
	(void)state;
	struct built b = one_gc(true);
	struct evl_log *log = walked(&b);
	struct cap_column c;
	columns(log, 0, 100, 450, 1, true, &c); /* the leader */
	assert_true(c.exact);
	assert_int_equal(c.ns[SHARE_SYNC], 100);
	assert_int_equal(c.ns[SHARE_MAJOR], 200); /* it prepares until 210 */
	assert_int_equal(c.ns[SHARE_IDLE], 50);
	assert_int_equal(c.from, SHARE_SYNC);
	assert_int_equal(c.to, SHARE_IDLE);
	assert_int_equal(c.changes, 2);
	assert_int_equal(c.change_t, 400);
	columns(log, 1, 100, 450, 1, true, &c); /* takes part */
	assert_int_equal(c.ns[SHARE_RUN], 50);
	assert_int_equal(c.ns[SHARE_SYNC], 50); /* its own GC_START is early: it waits for the others */
	assert_int_equal(c.ns[SHARE_MAJOR], 70);
	assert_int_equal(c.ns[SHARE_WAIT], 130); /* not begun; idle and done, until the leader ends it */
	assert_int_equal(c.ns[SHARE_IDLE], 50);  /* its own GC_END is late */
	columns(log, 2, 100, 450, 1, true, &c);  /* stopped */
	assert_int_equal(c.ns[SHARE_RUN], 70);
	assert_int_equal(c.ns[SHARE_SYNC], 30);
	assert_int_equal(c.ns[SHARE_STOPPED], 200);
	assert_int_equal(c.ns[SHARE_IDLE], 50);
	columns(log, 3, 100, 450, 1, true, &c); /* has nothing to do anyway */
	assert_int_equal(c.ns[SHARE_SYNC], 100);
	assert_int_equal(c.ns[SHARE_STOPPED], 200);
	assert_int_equal(c.ns[SHARE_IDLE], 50);
	done(log, &b);
}

static void sequential_gc_stops_all(void **state)
{
	(void)state;
	struct built b = one_gc(false);
	struct evl_log *log = walked(&b);
	struct cap_column c[2];
	for (uint32_t chain = 1; chain < 3; chain++) {
		columns(log, chain, 200, 400, 2, true, c);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(c[i].ns[SHARE_STOPPED], 100);
			assert_int_equal(c[i].changes, 0);
			assert_int_equal(c[i].to, SHARE_STOPPED);
		}
	}
	columns(log, 1, 0, 1000, 1, false, c); /* by sums: what is certain */
	assert_false(c[0].exact);
	assert_int_equal(c[0].ns[SHARE_STOPPED], 200);
	assert_int_equal(c[0].ns[SHARE_SYNC], 0);
	columns(log, 0, 0, 1000, 1, false, c);
	assert_int_equal(c[0].ns[SHARE_STOPPED], 0);
	assert_int_equal(c[0].ns[SHARE_SYNC], 100); /* the leader's own */
	assert_int_equal(c[0].ns[SHARE_MAJOR], 200);
	done(log, &b);
}

/* A window that starts in the middle of a phase, or with a tile, knows the phase. */
static void a_window_begins_within(void **state)
{
	(void)state;
	enum { SOME = 500 };
	struct built b = log_begin();
	struct cap_column c;
	block_begin(&b, 0, 1);
	put(&b, 10, EVL_GC_START, "");
	put(&b, 10, EVL_GC_WORK, "");
	put(&b, 20, EVL_GC_IDLE, "");
	for (unsigned i = 0; i < SOME; i++) /* more than a tile, less than two */
		put(&b, 30 + i, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)i);
	put(&b, 5000, EVL_GC_END, "");
	block_end(&b, 6000);
	struct evl_log *log = walked(&b);
	assert_true(log->tiles[0].n > 1);
	for (uint64_t t = 25; t < 5000; t += 100) {
		columns(log, 0, t, t + 50, 1, true, &c);
		assert_int_equal(c.ns[SHARE_WAIT], min_u64(50, 5000 - t));
	}
	done(log, &b);
}

/* Runs and collections at random on three capabilities: chosen leaders, some take part, others are stopped. */
static struct built storm(unsigned rounds)
{
	enum { CAPS = 3 };
	struct built b = log_begin();
	for (unsigned cap = 0; cap < CAPS; cap++) {
		uint64_t t = 1000;
		srand(3);
		block_begin(&b, (uint16_t)cap, 900);
		for (unsigned i = 0; i < rounds; i++) {
			unsigned leader = (unsigned)rand() % CAPS, parallel = (unsigned)rand() % 2;
			unsigned gen = (unsigned)rand() % 2;
			uint64_t request = t + 100 + (uint64_t)(rand() % 500);
			uint64_t start = request + (uint64_t)(rand() % 50) + 30;
			uint64_t end = start + 50 + (uint64_t)(rand() % 300);
			if (cap != leader || i % 2)
				put_run(&b, t + cap * 7 + 1, cap + 1);
			if (cap != leader || i % 2)
				put_stop(&b, request - 5 + (cap == leader ? 0 : 10), cap + 1, 3);
			if (cap == leader) {
				put_gc(&b, request, start, end, gen);
			} else if (parallel) {
				put(&b, start - 10, EVL_GC_START, "");
				put(&b, start + 1, EVL_GC_WORK, "");
				put(&b, end - 20, EVL_GC_IDLE, "");
				put(&b, end - 10, EVL_GC_DONE, "");
				put(&b, end + 3, EVL_GC_END, "");
			}
			t = end + 20;
		}
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

/* Columns are full at any zoom, add up to the same over any cut, and the sums never claim more than is so. */
static void shares_are_honest(void **state)
{
	(void)state;
	struct built b = storm(1500);
	struct evl_log *log = walked(&b);
	static struct cap_column exact[MAX_COLS], rough[MAX_COLS];
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	for (uint32_t chain = 0; chain < 3; chain++)
		for (int round = 0; round < 60; round++) {
			uint64_t t0 = first + (uint64_t)rand() % (last - first);
			uint64_t t1 = min_u64(t0 + 1 + (uint64_t)rand() % 20000, last);
			int n = 1 + rand() % (MAX_COLS - 1);
			uint64_t all[CAP_SHARES] = {0};
			if (t1 - t0 < (uint64_t)n)
				continue;
			columns(log, chain, t0, t1, n, true, exact);
			columns(log, chain, t0, t1, n, false, rough);
			for (int i = 0; i < n; i++) {
				uint64_t ns = column_edge(t0, t1, n, i + 1) - column_edge(t0, t1, n, i);
				assert_true(exact[i].exact && !rough[i].exact);
				assert_int_equal(width(&exact[i]), ns);
				assert_int_equal(width(&rough[i]), ns);
				assert_int_equal(exact[i].ns[SHARE_RUN], exact[i].run_ns);
				assert_int_equal(rough[i].ns[SHARE_RUN], exact[i].run_ns);
				assert_true(rough[i].ns[SHARE_IDLE] >= exact[i].ns[SHARE_IDLE]);
				for (int k = 0; k < CAP_SHARES; k++)
					all[k] += exact[i].ns[k];
			}
			columns(log, chain, t0, t1, 1, true, rough);
			for (int k = 0; k < CAP_SHARES && rough[0].exact; k++)
				assert_int_equal(rough[0].ns[k], all[k]);
		}
	done(log, &b);
}

/* Time between requests and starts, over all chains and led by one, is what a naive sum says. */
static void sums_of_sync(void **state)
{
	(void)state;
	struct built b = storm(700);
	struct evl_log *log = walked(&b);
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	for (int round = 0; round < 200; round++) {
		uint64_t t0 = first + (uint64_t)rand() % (last - first), t1 = t0 + 1 + (uint64_t)rand() % 100000;
		uint64_t want = 0, led = 0;
		struct gc_sum sum;
		const struct gc_row *row = gcs_after(&log->gcs, 0, GC_ALL);
		for (; row; row = gcs_after(&log->gcs, row->start, GC_ALL))
			want += sub_or_0(min_u64(row->start, t1), max_u64(gc_requested(row), t0));
		for (uint32_t chain = 0; chain < 3; chain++) {
			struct gc_walk walk;
			sum = (struct gc_sum){0};
			gc_walk_begin(&walk, &log->gcs, chain, t0);
			for (int part = 0; part < 3; part++) /* in any number of steps */
				gc_walk_next(&walk, t0 + (t1 - t0) * (uint64_t)(part + 1) / 3, &sum);
			led += sum.sync_ns;
		}
		gcs_sum(&log->gcs, t0, t1, &sum);
		assert_int_equal(sum.sync_ns, want);
		assert_int_equal(led, want);
	}
	done(log, &b);
}

/* The same columns for a window and for a part of it. */
static void parts_are_as_the_whole(void **state)
{
	(void)state;
	struct built b = storm(200);
	struct evl_log *log = walked(&b);
	static struct cap_column whole[MAX_COLS], part;
	uint64_t t0 = 5000, t1 = 45000;
	for (uint32_t chain = 0; chain < 3; chain++) {
		columns(log, chain, t0, t1, MAX_COLS, true, whole);
		for (int i = 0; i < MAX_COLS; i++) {
			uint64_t from = column_edge(t0, t1, MAX_COLS, i), to = column_edge(t0, t1, MAX_COLS, i + 1);
			columns(log, chain, from, to, 1, true, &part);
			assert_memory_equal(part.ns, whole[i].ns, sizeof part.ns);
			assert_int_equal(part.from, whole[i].from);
			assert_int_equal(part.to, whole[i].to);
			assert_int_equal(part.changes, whole[i].changes);
		}
	}
	done(log, &b);
}

/* Windows that end where tiles start cover the range; over them runs are exact, and other shares no more than is so. If the
 * collections are listed, windows of one tile are exact as well. */
static void windows_of_tiles(void **state)
{
	(void)state;
	static const struct gc_row *rows[MAX_ROWS];
	static struct time_window windows[MAX_COLS];
	static struct gc_sum sums[MAX_COLS];
	struct built b = storm(1500);
	struct evl_log *log = walked(&b);
	struct cap_shares_gcs gcs = {.gcs = &log->gcs, .columns = sums};
	uint64_t first, last;
	size_t n_rows = 0, at_tiles = 0;
	assert_true(evl_range(log, &first, &last));
	const struct gc_row *row = gcs_after(&log->gcs, 0, GC_ALL);
	for (; row; row = gcs_after(&log->gcs, row->start, GC_ALL))
		rows[n_rows++] = row;
	for (int round = 0; round < 60; round++) {
		const uint32_t chain = (uint32_t)round % 3;
		const struct tile_table *table = &log->tiles[chain];
		const int most = 1 + rand() % MAX_COLS;
		uint64_t t0 = first + (uint64_t)rand() % (last - first), t1 = t0 + (uint64_t)rand() % (last - t0 + 1);
		struct time_window whole = {t0, t1};
		struct cap_shares_ask ask = {.windows = windows, .n = cap_shares_cut(table, t0, t1, most, windows)};
		struct cap_shares_sum rough, listed, exact;
		assert_true(ask.n <= (size_t)most);
		for (size_t i = 0; i < ask.n; i++) {
			size_t tile = 0;
			assert_int_equal(windows[i].from, i ? windows[i - 1].to : t0);
			assert_true(windows[i].from < windows[i].to);
			while (tile < table->n && table->tiles[tile].t != windows[i].to)
				tile++;
			assert_true(windows[i].to == t1 || tile < table->n);
			at_tiles += tile < table->n;
			gcs_sum(&log->gcs, windows[i].from, windows[i].to, &sums[i]);
		}
		assert_true(ask.n ? windows[ask.n - 1].to == t1 : t0 == t1);
		gcs.rows = NULL;
		assert_int_equal(cap_shares_over(&log->blocks, table, chain, &gcs, &ask, &rough), 0);
		gcs.rows = rows;
		gcs.n = n_rows;
		assert_int_equal(cap_shares_over(&log->blocks, table, chain, &gcs, &ask, &listed), 0);
		ask = (struct cap_shares_ask){.windows = &whole, .n = 1, .all = true};
		assert_int_equal(cap_shares_over(&log->blocks, table, chain, &gcs, &ask, &exact), 0);
		assert_int_equal(rough.ns[SHARE_RUN], exact.ns[SHARE_RUN]);
		assert_int_equal(listed.ns[SHARE_RUN], exact.ns[SHARE_RUN]);
		assert_true(rough.ns[SHARE_SYNC] <= listed.ns[SHARE_SYNC]);
		assert_true(rough.ns[SHARE_STOPPED] <= listed.ns[SHARE_STOPPED]);
		for (int k = SHARE_WAIT; k < CAP_SHARES; k++)
			assert_true(listed.exact ? listed.ns[k] == exact.ns[k] : listed.ns[k] <= exact.ns[k]);
	}
	assert_true(at_tiles > 100);
	done(log, &b);
}

/* The time in collections up to many moments, dense and sparse, is the sum from the first to each. */
static void time_until(void **state)
{
	(void)state;
	static struct gc_time times[MAX_COLS];
	struct built b = storm(700);
	struct evl_log *log = walked(&b);
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	for (int round = 0; round < 60; round++) {
		uint64_t t = first + (uint64_t)rand() % (last - first), step = 1ull << rand() % 16;
		size_t n = (size_t)(rand() % MAX_COLS);
		for (size_t i = 0; i < n; i++, t += (uint64_t)rand() % step)
			times[i] = (struct gc_time){.t = t, .minor_ns = 1, .major_ns = 1};
		gcs_until(&log->gcs, times, n);
		for (size_t i = 0; i < n; i++) {
			struct gc_sum want;
			gcs_sum(&log->gcs, times[0].t, times[i].t, &want);
			assert_int_equal(times[i].minor_ns, want.minor_ns);
			assert_int_equal(times[i].major_ns, want.major_ns);
		}
	}
	done(log, &b);
}

/* --- real logs against a naive walk --- */

enum { MAX_STEPS = 20000 };

/* The history of a capability from its first event: from t on it is in this state. */
struct step {
	uint64_t t, since; /* since: of the state */
	enum cap_state state;
	bool waits, stands_by; /* stands_by: has posted GC_START, and not GC_WORK yet */
};

static size_t history(const struct evl_log *log, uint32_t chain, struct step *out)
{
	struct cap_pos pos = {0};
	struct cursor c;
	struct frame f;
	const struct block *block;
	size_t n = 1;
	bool waits = false, stands_by = false, works = header_find(&log->header, EVL_GC_WORK);
	out[0] = (struct step){0};
	cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], UINT64_MAX);
	while (cursor_next(&c, &f, &block)) {
		const struct header_type *type = header_find(&log->header, f.tag);
		bool idles = f.tag == EVL_GC_IDLE || f.tag == EVL_GC_DONE;
		bool phase = idles || f.tag == EVL_GC_START || f.tag == EVL_GC_WORK;
		if (!type->schema || f.payload.len < type->schema->size)
			continue;
		if (!cap_step(&pos, f.tag, f.t, f.payload.p) && !phase)
			continue;
		waits = phase ? idles : waits;
		stands_by = phase ? works && f.tag == EVL_GC_START : stands_by;
		assert_true(n < MAX_STEPS);
		out[n] = (struct step){max_u64(f.t, out[n - 1].t), pos.since, pos.state, waits, stands_by};
		n++;
	}
	return n;
}

/* The state at t, and in *until a lower bound of its end. */
static enum cap_share share_at(
	const struct evl_log *log, uint16_t cap, const struct step *steps, size_t n, uint64_t t, uint64_t *until)
{
	const struct gc_row *gc = gcs_at(&log->gcs, t), *after = gcs_after(&log->gcs, t, GC_ALL);
	const struct gc_row *before = gcs_before(&log->gcs, t, GC_ALL);
	size_t i = n - 1;
	while (steps[i].t > t)
		i--;
	*until = i + 1 < n ? steps[i + 1].t : UINT64_MAX;
	if (after && gc_requested(after) > t)
		*until = min_u64(*until, gc_requested(after));
	if (gc)
		*until = min_u64(*until, t < gc->start ? gc->start : gc_end(gc));
	if (steps[i].state == CAP_RUN)
		return SHARE_RUN;
	if (gc && t < gc->start)
		return SHARE_SYNC;
	if (steps[i].state == CAP_IDLE)
		return gc ? SHARE_STOPPED : SHARE_IDLE;
	if (!gc && before && gc_end(before) > steps[i].since)
		return SHARE_IDLE; /* over, and not said yet */
	if (steps[i].stands_by && gc && gc->cap != cap)
		return SHARE_WAIT;
	return steps[i].waits ? SHARE_WAIT : SHARE_MINOR; /* or major */
}

static void compare_column(const struct evl_log *log, uint16_t cap, const struct step *steps, size_t n, uint64_t t0,
	uint64_t t1, const struct cap_column *col)
{
	uint64_t want[CAP_SHARES] = {0}, until;
	for (uint64_t t = t0; t < t1; t = until) {
		enum cap_share share = share_at(log, cap, steps, n, t, &until);
		until = min_u64(max_u64(until, t + 1), t1);
		want[share] += until - t;
	}
	assert_int_equal(col->ns[SHARE_MINOR] + col->ns[SHARE_MAJOR], want[SHARE_MINOR]);
	for (int k = 0; k < CAP_SHARES; k++)
		if (k != SHARE_MINOR && k != SHARE_MAJOR)
			assert_int_equal(col->ns[k], want[k]);
}

static size_t compare_log(const struct evl_log *log)
{
	static struct step steps[MAX_STEPS];
	static struct cap_column cols[MAX_COLS];
	uint64_t first, last;
	size_t exact = 0;
	if (!evl_range(log, &first, &last))
		return 0;
	for (size_t lane = 0; lane < log->n_caps && lane < 8; lane++) {
		size_t n = history(log, log->cap_chains[lane], steps);
		uint16_t cap = log->blocks.chains[log->cap_chains[lane]].cap;
		for (int round = 0; round < 12; round++) {
			int n_cols = 1 + rand() % 50;
			uint64_t width = max_u64((last - first) >> (rand() % 12), (uint64_t)n_cols);
			uint64_t t0 = first + (uint64_t)rand() % (last - first + 1);
			columns(log, log->cap_chains[lane], t0, t0 + width, n_cols, true, cols);
			for (int i = 0; i < n_cols; i++)
				if (cols[i].exact && ++exact)
					compare_column(log, cap, steps, n, column_edge(t0, t0 + width, n_cols, i),
						column_edge(t0, t0 + width, n_cols, i + 1), &cols[i]);
		}
	}
	return exact;
}

static void real_logs(void **state)
{
	(void)state;
	size_t exact = 0;
	glob_t logs;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	for (size_t i = 0; i < logs.gl_pathc; i++) {
		struct evl_log *log;
		struct evl_err err;
		assert_int_equal(evl_open(&log, logs.gl_pathv[i], &err), 0);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		exact += compare_log(log);
		evl_close(log);
	}
	assert_true(exact > 1000);
	globfree(&logs);
}

static void the_gc_at_a_moment(void **state)
{
	(void)state;
	struct built b = one_gc(true);
	struct evl_log *log = walked(&b);
	const struct gc_row *row = gcs_after(&log->gcs, 0, GC_ALL);
	const struct gc_row *const rows[] = {row};
	struct cap_shares_gcs gcs = {.gcs = &log->gcs, .rows = rows, .n = 1};
	assert_non_null(row);
	assert_null(cap_shares_gc_at(&gcs, 99));
	assert_ptr_equal(cap_shares_gc_at(&gcs, 100), row);
	assert_ptr_equal(cap_shares_gc_at(&gcs, 399), row);
	assert_null(cap_shares_gc_at(&gcs, 400));
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parallel_gc),
		cmocka_unit_test(sequential_gc_stops_all),
		cmocka_unit_test(a_window_begins_within),
		cmocka_unit_test(shares_are_honest),
		cmocka_unit_test(sums_of_sync),
		cmocka_unit_test(parts_are_as_the_whole),
		cmocka_unit_test(windows_of_tiles),
		cmocka_unit_test(time_until),
		cmocka_unit_test(real_logs),
		cmocka_unit_test(the_gc_at_a_moment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
