/* The number of every event and the event of every number are those of the merge, on all logs there are. */
#include "index/event_rank.h"
#include "logs.h"
#include "show/event_merge.h"

#include <dirent.h>
#include <stdio.h>

struct merged {
	struct event_rank_item *items;
	size_t n, room;
};

static struct merged merge_all(const struct blocks *b)
{
	struct merged all = {0};
	struct event_merge m;
	struct frame f;
	const struct block *block;
	assert_int_equal(event_merge_begin(&m, b, &MERGE_ALL), 0);
	while (event_merge_next(&m, &f, &block)) {
		assert_true(GROW(all.items, all.n, all.room));
		all.items[all.n++] = (struct event_rank_item){f.t, f.off, block->chain, f.tag};
	}
	event_merge_end(&m);
	return all;
}

static void assert_number(const struct event_rank *o, const struct merged *all, size_t i)
{
	event_rank_key key, want = event_rank_item_key(&all->items[i]);
	assert_int_equal(event_rank_before(o, want), i);
	assert_int_equal(event_rank_before(o, want + 1), i + 1);
	assert_true(event_rank_at(o, i, &key));
	assert_true(key == want);
}

static void assert_same(const struct event_rank_item *got, const struct event_rank_item *want, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (event_rank_item_key(&got[i]) != event_rank_item_key(&want[i]) || got[i].chain != want[i].chain)
			fail_msg("another event at %zu of %zu", i, n);
}

/* The walk yields all events before or after a place, each once, in order. */
static void assert_walk(const struct event_rank *o, const struct merged *all, size_t from, bool forward)
{
	struct event_rank_walk w;
	struct event_rank_list list = {0};
	size_t at = from;
	event_rank_walk_begin(&w, o, from < all->n ? event_rank_item_key(&all->items[from]) : ORDER_END, forward);
	while (event_rank_walk_next(&w, &list)) {
		if (!forward)
			at -= list.n;
		assert_same(list.items, all->items + at, list.n);
		if (forward)
			at += list.n;
	}
	assert_int_equal(at, forward ? all->n : 0);
	event_rank_list_free(&list);
}

static void assert_order_of(struct evl_log *log)
{
	enum { SAMPLES = 300 };
	struct merged all = merge_all(&log->blocks);
	struct event_rank o;
	assert_int_equal(event_rank_init(&o, &log->blocks, log->tiles), 0);
	assert_int_equal(o.total, all.n);
	size_t step = all.n / SAMPLES + 1;
	for (size_t i = 0; i < all.n; i += i < 40 || i + 40 > all.n ? 1 : step)
		assert_number(&o, &all, i);
	for (size_t i = 0; i <= all.n && all.n; i += all.n / 3 + 1) {
		assert_walk(&o, &all, i, true);
		assert_walk(&o, &all, i, false);
	}
	assert_int_equal(event_rank_before(&o, ORDER_END), all.n);
	assert_int_equal(event_rank_before(&o, 0), 0);
	event_rank_free(&o);
	free(all.items);
}

static void all_logs(void **state)
{
	(void)state;
	DIR *dir = opendir("tests/logs");
	struct dirent *entry;
	int n = 0;
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		char path[512];
		struct evl_log *log;
		struct evl_err err = {0};
		size_t len = strlen(entry->d_name);
		if (len < 9 || strcmp(entry->d_name + len - 9, ".eventlog") != 0)
			continue;
		snprintf(path, sizeof path, "tests/logs/%s", entry->d_name);
		if (evl_open(&log, path, &err) < 0)
			fail_msg("%s", err.text);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		assert_order_of(log);
		evl_close(log);
		n++;
	}
	closedir(dir);
	assert_true(n > 20);
}

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525 + 1013904223; }

/* As GHC writes: much, in many blocks, so that it is walked in parts; with earlier GC_ENDs after later events. */
static void large_log_with_inversions(void **state)
{
	(void)state;
	enum { BLOCKS = 60, ROUNDS = 1500 };
	struct built b = log_begin();
	for (unsigned k = 0; k < BLOCKS; k++) {
		uint64_t t = 1000 + (uint64_t)(k / 3) * ROUNDS * 1000;
		block_begin(&b, (uint16_t)(k % 3), t);
		for (unsigned i = 0; i < ROUNDS; i++, t += 1000) {
			put_run(&b, t, i);
			put_stop(&b, t + 300, i, 1);
			if (i % 7 == k % 7)
				put_gc(&b, t + 310, t + 320, t + 700, i % 2);
		}
		block_end(&b, t);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_order_of(log);
	done(log, &b);
}

/* Events in no order, and thousands at one time. */
static void disorder_and_ties(void **state)
{
	(void)state;
	enum { BLOCKS = 12, EVENTS = 4000 };
	struct built b = log_begin();
	uint32_t seed = 7;
	for (unsigned k = 0; k < BLOCKS; k++) {
		block_begin(&b, (uint16_t)(k % 3), 0);
		for (unsigned i = 0; i < EVENTS; i++)
			put_run(&b, k % 4 == 0 ? next_random(&seed) >> 8 : k % 4 == 1 ? 5000 : EVENTS - i, i);
		block_end(&b, 1 << 30);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_order_of(log);
	done(log, &b);
}

/* Events outside of every block may say any time; they have numbers too. */
static void stray_events_that_lie(void **state)
{
	(void)state;
	struct built b = log_begin();
	for (unsigned i = 0; i < 2000; i++)
		put(&b, i % 3 ? i : (uint64_t)1 << 50, EVL_USER_MSG, "s", "stray");
	block_begin(&b, 0, 10);
	for (unsigned i = 0; i < 2000; i++)
		put_run(&b, 10 + i, i);
	block_end(&b, 10000);
	for (unsigned i = 0; i < 2000; i++)
		put(&b, 5000 + i, EVL_USER_MSG, "s", "stray");
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_order_of(log);
	done(log, &b);
}

static void nothing_at_all(void **state)
{
	(void)state;
	struct built b = log_begin();
	event_rank_key key;
	struct event_rank o;
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(event_rank_init(&o, &log->blocks, log->tiles), 0);
	assert_int_equal(o.total, 0);
	assert_false(event_rank_at(&o, 0, &key));
	event_rank_free(&o);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_logs),
		cmocka_unit_test(large_log_with_inversions),
		cmocka_unit_test(disorder_and_ties),
		cmocka_unit_test(stray_events_that_lie),
		cmocka_unit_test(nothing_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
