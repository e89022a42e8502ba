/* Counts of user messages: exact where few tiles hold them, else right to within a stride a chain and edge. And markers
 * past their ceiling. */
#include "logs.h"

enum { COLS = 97, CAPS = 3, MAX_TIMES = 60000 };

static uint64_t times[MAX_TIMES];
static size_t n_times;

/* Messages at random on three capabilities, in bursts and with breaks; `other` events between two of them. */
static struct built noise(size_t messages, unsigned other)
{
	struct built b = log_begin();
	n_times = 0;
	srand(7);
	for (unsigned cap = 0; cap < CAPS; cap++) {
		uint64_t t = 1000;
		block_begin(&b, (uint16_t)cap, 900);
		for (size_t i = 0; i < messages; i++) {
			t += (uint64_t)(rand() % (i / 500 % 2 ? 100 : 3));
			put(&b, t, EVL_USER_MSG, "s", "a message");
			times[n_times++] = t;
			for (unsigned k = 0; k < other; k++)
				put(&b, t, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)k);
		}
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

static uint64_t naive(uint64_t t0, uint64_t t1)
{
	uint64_t n = 0;
	for (size_t i = 0; i < n_times; i++)
		n += times[i] >= t0 && times[i] < t1;
	return n;
}

static void compare(const struct evl_log *log, uint64_t t0, uint64_t t1, bool exact)
{
	static struct message_column cols[COLS];
	messages_columns(&log->messages, &log->blocks, log->tiles, t0, t1, COLS, cols);
	for (int i = 0; i < COLS; i++) {
		uint64_t n = naive(column_edge(t0, t1, COLS, i), column_edge(t0, t1, COLS, i + 1));
		uint64_t slack = cols[i].exact ? 0 : 2 * CAPS * MESSAGES_STRIDE;
		assert_int_equal(cols[i].exact, exact);
		assert_true(cols[i].n <= n + slack && n <= cols[i].n + slack);
		if (!exact || !n)
			continue;
		assert_int_equal(naive(cols[i].t, cols[i].t + 1) > 0, 1);
		assert_int_equal(naive(column_edge(t0, t1, COLS, i), cols[i].t), 0); /* it is the first */
		assert_int_equal(evl_text_at(log, cols[i].off).len, strlen("a message"));
	}
}

static void few_are_counted(void **state)
{
	(void)state;
	struct built b = noise(5000, 0);
	struct evl_log *log = walked(&b);
	assert_int_equal(messages_count(&log->messages), n_times);
	for (int k = 0; k < 40; k++) {
		uint64_t t0 = (uint64_t)rand() % 200000;
		compare(log, t0, t0 + COLS + (uint64_t)rand() % 100000, true);
	}
	done(log, &b);
}

static void many_are_estimated(void **state)
{
	(void)state;
	struct built b = noise(MAX_TIMES / CAPS, 6);
	struct evl_log *log = walked(&b);
	uint64_t first, last;
	struct message_column all;
	assert_true(evl_range(log, &first, &last));
	compare(log, first, last + 1, false);
	compare(log, first + (last - first) / 8, last - (last - first) / 8, false);
	compare(log, last / 2, last / 2 + 1000, true); /* near enough again */
	messages_columns(&log->messages, &log->blocks, log->tiles, 0, last + 1, 1, &all);
	assert_int_equal(all.n, n_times); /* the whole is never estimated wrong */
	done(log, &b);
}

static void markers_have_a_ceiling(void **state)
{
	(void)state;
	struct built b = log_begin();
	struct point first;
	block_begin(&b, 0, 1);
	for (unsigned i = 0; i < MAX_MARKERS + 50; i++)
		put(&b, 10 + i, EVL_USER_MARKER, "s", "m");
	block_end(&b, 10 * MAX_MARKERS);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->markers.kept, MAX_MARKERS);
	assert_int_equal(log->markers.more, 50);
	assert_int_equal(log->markers.kept_until, 10 + MAX_MARKERS);
	assert_int_equal(points_in(&log->markers, 0, UINT64_MAX, &first), MAX_MARKERS);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_are_counted),
		cmocka_unit_test(many_are_estimated),
		cmocka_unit_test(markers_have_a_ceiling),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
