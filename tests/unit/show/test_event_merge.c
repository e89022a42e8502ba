/* All events in time order, whatever their order in the file. */
#include "shown.h"

/* Times of a log in the order of the merge, each as its letter in `names`. */
static void assert_order(const struct built *b, const char *want)
{
	char *text = shown(b), got[256] = "";
	size_t n = 0;
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		if (!strstr(line, "event block"))
			got[n++] = line[strlen(line) - 1];
	got[n] = 0;
	assert_string_equal(got, want);
	free(text);
}

static void say(struct built *b, uint64_t t, const char *letter) { put(b, t, EVL_USER_MSG, "s", letter); }

static void capabilities_interleave(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	say(&b, 10, "a");
	say(&b, 30, "c");
	block_end(&b, 40);
	block_begin(&b, 1, 0);
	say(&b, 20, "b");
	say(&b, 40, "d");
	block_end(&b, 40);
	block_begin(&b, EVL_NO_CAP, 0);
	say(&b, 50, "e");
	block_end(&b, 50);
	log_end(&b);
	assert_order(&b, "abcde");
	free(b.data);
}

static void equal_times_keep_the_order_of_the_file(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 1, 0);
	say(&b, 10, "a");
	say(&b, 10, "b");
	block_end(&b, 40);
	block_begin(&b, 0, 0);
	say(&b, 10, "c");
	say(&b, 10, "d");
	block_end(&b, 40);
	block_begin(&b, 1, 0);
	say(&b, 10, "e");
	block_end(&b, 40);
	assert_order(&b, "abcde");
	free(b.data);
}

static void earlier_events_after_later_ones(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_gc(&b, 110, 120, 130, 0); /* its GC_END comes after the later statistics */
	block_end(&b, 140);
	block_begin(&b, EVL_NO_CAP, 200);
	put(&b, 5, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)1, 0u); /* earlier than its block, and than all others */
	block_end(&b, 210);
	char *text = shown(&b);
	assert_ptr_equal(strstr(text, "5: capset 0: wall clock"), text);
	assert_true(strstr(text, "finished GC") < strstr(text, "all caps stopped"));
	free(text);
	free(b.data);
}

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525 + 1013904223; }

static void count_told(void *told, UNUSED double share) { ++*(unsigned *)told; }

/* A capability's events in no order at all, over many pieces: more than windows can hold whole. */
static void any_order_is_put_right(void **state)
{
	(void)state;
	enum { BLOCKS = 40, EVENTS = 4000 };
	struct built b = log_begin();
	uint32_t seed = 1;
	for (unsigned k = 0; k < BLOCKS; k++) {
		block_begin(&b, (uint16_t)(k % 3), 0);
		for (unsigned i = 0; i < EVENTS; i++)
			put_run(&b, k % 2 ? next_random(&seed) >> 8 : EVENTS - i, i);
		block_end(&b, 1 << 30);
	}
	struct header h;
	struct blocks blocks;
	struct event_merge m;
	struct frame f, last = {0};
	const struct block *block;
	unsigned n = 0, told = 0;
	const struct progress watch = {.tell = count_told, .ctx = &told};
	struct event_merge_want want = MERGE_ALL;
	want.watch = &watch;
	assert_int_equal(header_parse(&h, b.data, b.len, NULL), 0);
	assert_int_equal(blocks_hop(&blocks, &h, b.data, b.len), 0);
	assert_int_equal(event_merge_begin(&m, &blocks, &want), 0);
	assert_in_range(told, b.len / MERGE_PIECE, b.len);
	for (; event_merge_next(&m, &f, &block); n++, last = f)
		assert_true(f.t > last.t || (f.t == last.t && f.off > last.off));
	assert_false(m.failed);
	assert_int_equal(n, BLOCKS * (EVENTS + 1));
	event_merge_end(&m);
	blocks_free(&blocks);
	header_free(&h);
	free(b.data);
}

static void only_what_is_wanted(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	say(&b, 10, "a");
	put_run(&b, 15, 7);
	say(&b, 20, "b");
	say(&b, 30, "c");
	block_end(&b, 40);
	block_begin(&b, 1, 12);
	say(&b, 20, "d");
	block_end(&b, 40);
	struct show_options o = {.want = {.from = 20, .to = 30, .cap = -1}}; /* half open */
	char *text = shown_with(&b, &o);
	assert_string_equal(text, "20: cap 0: b\n20: cap 1: d\n\n");
	free(text);
	o.want = (struct event_merge_want){.to = UINT64_MAX, .cap = 1};
	text = shown_with(&b, &o);
	assert_string_equal(text, "12: cap 1: event block: cap 1, end time: 40\n\n20: cap 1: d\n\n");
	free(text);
	bool *tags;
	assert_int_equal(show_tags("run_*", &tags), 2); /* RUN_THREAD, RUN_SPARK */
	o.want = (struct event_merge_want){.to = UINT64_MAX, .cap = -1, .tags = tags};
	text = shown_with(&b, &o);
	assert_string_equal(text, "15: cap 0: running thread 7\n\n");
	free(text);
	free(tags);
	assert_int_equal(show_tags("RUN", &tags), 0);
	free(tags);
	assert_int_equal(show_tags("223", &tags), 1); /* it has no name */
	assert_true(tags[223]);
	free(tags);
	free(b.data);
}

static bool put_once(void *ctx, const char *bytes, size_t len)
{
	(void)bytes, (void)len;
	return ++*(int *)ctx > 1;
}

static void the_reader_may_have_enough(void **state)
{
	(void)state;
	struct built b = log_begin();
	struct header h;
	int calls = 0;
	block_begin(&b, 0, 0);
	for (unsigned i = 0; i < 100000; i++)
		put_run(&b, i, 1);
	block_end(&b, 1 << 20);
	assert_int_equal(header_parse(&h, b.data, b.len, NULL), 0);
	const struct show_options o = {.want = MERGE_ALL};
	assert_int_equal(show(&h, b.data, b.len, &o, put_once, &calls), EVL_CANCELLED);
	assert_int_equal(calls, 1);
	header_free(&h);
	free(b.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(capabilities_interleave),
		cmocka_unit_test(equal_times_keep_the_order_of_the_file),
		cmocka_unit_test(earlier_events_after_later_ones),
		cmocka_unit_test(any_order_is_put_right),
		cmocka_unit_test(only_what_is_wanted),
		cmocka_unit_test(the_reader_may_have_enough),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
