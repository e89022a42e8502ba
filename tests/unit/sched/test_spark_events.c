/* Sparks by their single events: sums, columns, pools and jumps are what slow and simple code finds in the same events, in
 * the real logs and in logs of many sparks. */
#include "each_log.h"
#include "sched/sparks.h"

#include <stdio.h>

enum { COLS = 37, PLACES = 60 };

/* --- the events, one after another --- */

struct spark {
	uint64_t t, chain_t; /* chain_t: never less than that of an event before it in its chain */
	unsigned kind;
};

struct spark_list {
	struct spark *items;
	size_t n, room;
	uint64_t first, last;
	bool odd; /* some events have times that cannot be */
};

static struct spark_list read_sparks(const struct evl_log *log)
{
	struct spark_list all = {.first = UINT64_MAX};
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		struct frame f;
		const struct block *block;
		uint64_t chain_t = 0;
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &f, &block)) {
			all.odd = all.odd || f.t > block_latest(&log->blocks, block);
			chain_t = max_u64(chain_t, f.t);
			all.first = min_u64(all.first, f.t);
			all.last = max_u64(all.last, f.t);
			if ((f.tag < EVL_SPARK_CREATE || f.tag > EVL_SPARK_GC) && f.tag != 5 && f.tag != 6)
				continue;
			f.tag = f.tag == 5 ? 38 : f.tag == 6 ? 39 : f.tag; /* before GHC 7.4 */
			assert_true(GROW(all.items, all.n, all.room));
			all.items[all.n++] = (struct spark){f.t, chain_t, (unsigned)(f.tag - EVL_SPARK_CREATE)};
		}
	}
	return all;
}

struct tally {
	uint64_t n[SPARK_KINDS];
};

static struct tally tally(const struct spark_list *all, uint64_t from, uint64_t to)
{
	struct tally sum = {0};
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].chain_t >= from && all->items[i].chain_t < to)
			sum.n[all->items[i].kind]++;
	return sum;
}

static uint64_t pool(const struct spark_list *all, uint64_t t)
{
	struct tally sum = tally(all, 0, t);
	uint64_t in = sum.n[0], out = sum.n[3] + sum.n[4] + sum.n[5] + sum.n[6];
	return in > out ? in - out : 0;
}

/* --- compared ----------------------------------------------------------------------------------------------------- */

static uint64_t lot, looked_at;

static uint64_t random_in(uint64_t from, uint64_t to)
{
	lot = lot * 6364136223846793005u + 1442695040888963407u;
	return to > from ? from + (lot >> 20) % (to - from) : from;
}

static void compare_columns(const struct sparks *s, const struct spark_list *all, uint64_t t0, uint64_t t1)
{
	static struct spark_column cols[COLS];
	struct spark_change *changes = NULL;
	size_t n_changes;
	bool each = spark_events_pool(&s->events, t0, t1, &changes, &n_changes);
	free(changes);
	looked_at += each;
	sparks_columns(s, t0, t1, COLS, cols);
	for (int i = 0; i < COLS; i++) {
		uint64_t from = column_edge(t0, t1, COLS, i), to = column_edge(t0, t1, COLS, i + 1);
		assert_false(cols[i].missing);
		struct tally sum = tally(all, from, to);
		for (unsigned k = 0; k < SPARK_KINDS; k++)
			assert_int_equal(cols[i].events.n[k], sum.n[k]);
		assert_int_equal(cols[i].created, sum.n[0]);
		assert_int_equal(cols[i].converted, sum.n[3] + sum.n[4]);
		uint64_t peak = max_u64(pool(all, from), pool(all, to));
		for (size_t k = 0; each && k < all->n; k++)
			if (all->items[k].chain_t >= from && all->items[k].chain_t < to)
				peak = max_u64(peak, pool(all, all->items[k].chain_t + 1));
		assert_true(each ? cols[i].pool == peak : cols[i].pool >= peak);
	}
}

static void compare_at(const struct sparks *s, const struct spark_list *all, uint64_t t)
{
	struct spark_column now;
	sparks_at(s, t, &now);
	struct tally sum = tally(all, 0, t + 1);
	for (unsigned k = 0; k < SPARK_KINDS; k++)
		assert_int_equal(now.events.n[k], sum.n[k]);
	assert_int_equal(now.pool, pool(all, t + 1));
}

static void compare_near(const struct sparks *s, const struct spark_list *all, unsigned kinds, uint64_t t)
{
	uint64_t after = UINT64_MAX, before = UINT64_MAX;
	struct found found;
	for (size_t i = 0; i < all->n; i++) {
		const struct spark *x = &all->items[i];
		if (!(kinds >> x->kind & 1))
			continue;
		if (x->t > t)
			after = min_u64(after, x->t);
		if (x->t < t && (before == UINT64_MAX || x->t > before))
			before = x->t;
	}
	assert_int_equal(spark_events_near(&s->events, kinds, t, true, &found), after != UINT64_MAX);
	assert_true(after == UINT64_MAX || found.t == after);
	assert_int_equal(spark_events_near(&s->events, kinds, t, false, &found), before != UINT64_MAX);
	assert_true(before == UINT64_MAX || found.t == before);
}

/* How many sparks it has. */
static size_t compare_log(const struct evl_log *log)
{
	const struct sparks *s = &log->sparks;
	struct spark_list all = read_sparks(log);
	size_t n = all.n;
	assert_int_equal(spark_events_any(&s->events), n > 0);
	for (int i = 0; n && !all.odd && i < PLACES; i++) {
		uint64_t a = random_in(all.first, all.last + 2), b = random_in(a, all.last + 2);
		const struct spark *at = &all.items[random_in(0, n)];
		compare_columns(s, &all, a, b > a ? b : a + 1);
		compare_at(s, &all, a);
		compare_at(s, &all, at->chain_t);
		for (unsigned kinds = 1; kinds < 1u << SPARK_KINDS; kinds = kinds * 2 + 1) {
			compare_near(s, &all, kinds, a);
			compare_near(s, &all, kinds, at->t);
		}
		compare_near(s, &all, 1u << i % SPARK_KINDS, at->t);
	}
	if (n && !all.odd)
		compare_columns(s, &all, all.first, all.last + 1);
	free(all.items);
	return n;
}

static size_t with;

static void add_log(const struct evl_log *log, UNUSED const char *name) { with += compare_log(log) > 0; }

static void real_logs(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, add_log);
	assert_true(with > 0);
}

/* Three capabilities whose sparks come in bursts, so that some tiles have many, some none; cut into parts by RUN_THREAD. */
static struct built many_sparks(unsigned n)
{
	struct built b = log_begin();
	uint64_t t[3] = {10, 12, 14};
	for (unsigned i = 0; i < n; i++) {
		unsigned cap = (unsigned)random_in(0, 3);
		block_begin(&b, (uint16_t)cap, t[cap]);
		for (uint64_t k = random_in(1, 400); k > 0; k--) {
			unsigned what = (unsigned)random_in(0, i % 3 ? 4 : 11);
			t[cap] += random_in(0, 5);
			if (what == 0)
				put_run(&b, t[cap], cap + 1);
			else if (what == 1)
				put_stop(&b, t[cap], cap + 1, 3);
			else if (what < 4)
				put(&b, t[cap], EVL_USER_MSG, "s", "a message that takes room");
			else if (what - 4 + EVL_SPARK_CREATE == EVL_SPARK_STEAL)
				put(&b, t[cap], EVL_SPARK_STEAL, "2", (cap + 1) % 3);
			else
				put(&b, t[cap], (uint16_t)(what - 4 + EVL_SPARK_CREATE), "");
		}
		block_end(&b, t[cap] + 1);
	}
	log_end(&b);
	return b;
}

static void many(void **state)
{
	(void)state;
	for (unsigned n = 1; n < 200; n = n * 2 + 3) {
		struct built b = many_sparks(n);
		struct evl_log *log = walked(&b);
		assert_true(n < 8 || compare_log(log) > 0);
		done(log, &b);
	}
	assert_true(looked_at > 100);
}

/* Counters are asked only where there are no single events; then a column is spread between two samples. */
static void counters(void **state)
{
	struct built b = log_begin();
	uint64_t from = 0, to = 0, t;
	bool missing;
	struct spark_column col;
	(void)state;
	block_begin(&b, 0, 10);
	for (uint64_t k = 1; k < 4; k++)
		put(&b, 100 * k, EVL_SPARK_COUNTERS, "8888888", 10 * (k - 1), (uint64_t)0, (uint64_t)0, 4 * (k - 1),
			(uint64_t)0, (uint64_t)0, 6 * (k - 1));
	block_end(&b, 400);
	size_t len = b.len;
	log_end(&b);
	struct evl_log *log = walked(&b);
	sparks_columns(&log->sparks, 100, 150, 1, &col);
	assert_int_equal(col.created, 5);
	assert_true(sparks_spread(&log->sparks, 150, &from, &to));
	assert_int_equal(from, 100);
	assert_int_equal(to, 200);
	assert_false(sparks_spread(&log->sparks, 50, &from, &to));
	assert_false(sparks_spread(&log->sparks, 350, &from, &to));
	evl_close(log);
	b.len = len;
	block_begin(&b, 0, 401);
	put(&b, 450, EVL_SPARK_CREATE, "");
	block_end(&b, 500);
	log_end(&b);
	log = walked(&b);
	sparks_columns(&log->sparks, 100, 150, 1, &col);
	assert_int_equal(col.created, 0);
	assert_false(sparks_spread(&log->sparks, 150, &from, &to));
	assert_true(sparks_near(&log->sparks, 0, true, &t, &missing));
	assert_int_equal(t, 450);
	assert_false(sparks_near(&log->sparks, 450, true, &t, &missing) || missing);
	done(log, &b);
}

/* RUN_SPARK and STEAL_SPARK, which GHC had before 7.4. */
static void before_7_4(void **state)
{
	struct built b = log_begin();
	struct spark_column col;
	uint64_t t;
	bool missing;
	(void)state;
	for (unsigned cap = 0; cap < 2; cap++) {
		block_begin(&b, (uint16_t)cap, 10);
		for (unsigned k = 0; k < 5; k++) {
			put(&b, 100 * k + 20 + cap, EVL_RUN_SPARK, "4", 7u);
			if (k % 2)
				put(&b, 100 * k + 50 + cap, EVL_STEAL_SPARK, "42", 7u, 1u - cap);
		}
		block_end(&b, 600);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_true(spark_events_any(&log->sparks.events));
	sparks_columns(&log->sparks, 0, 1000, 1, &col);
	assert_int_equal(col.events.n[SPARK_RUN], 10);
	assert_int_equal(col.events.n[SPARK_STOLEN], 4);
	assert_int_equal(col.pool, 0);
	assert_true(sparks_near(&log->sparks, 121, true, &t, &missing));
	assert_int_equal(t, 150);
	assert_int_equal(compare_log(log), 14);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(many),
		cmocka_unit_test(counters), cmocka_unit_test(before_7_4)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
