/* Stepping through a chain from anywhere. */
#include "index/cursor.h"
#include "logs.h"

/* Two capabilities in turns; in one block of capability 0 are two bytes between its events that are none. */
static struct built mixed(void)
{
	struct built b = log_begin();
	for (unsigned i = 0; i < 8; i++) {
		block_begin(&b, (uint16_t)(i % 2), 100 * i);
		put_run(&b, 100 * i + 1, i);
		if (i == 4)
			add_number(&b, 9999, 2);
		put_stop(&b, 100 * i + 2, i, 1);
		block_end(&b, 100 * i + 50);
	}
	log_end(&b);
	return b;
}

enum { PER_BLOCK = 3 };

static void all_events_of_a_chain(void **state)
{
	(void)state;
	struct built b = mixed();
	struct evl_log *log = walked(&b);
	for (uint32_t c = 0; c < 2; c++) {
		struct cursor cursor;
		struct frame f;
		const struct block *block;
		uint64_t n = 0, last = 0;
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		for (; cursor_next(&cursor, &f, &block); n++, last = f.off) {
			assert_true(f.off > last);
			assert_int_equal(block->chain, c);
			assert_true(f.off >= block->off && f.next <= block->off + block->len);
		}
		assert_int_equal(n, 4 * PER_BLOCK);
		assert_false(cursor_next(&cursor, &f, &block));
	}
	done(log, &b);
}

static void from_any_event_on(void **state)
{
	(void)state;
	struct built b = mixed();
	struct evl_log *log = walked(&b);
	struct cursor cursor, again;
	struct frame f, g;
	const struct block *block;
	cursor_begin(&cursor, &log->blocks, &log->blocks.chains[0], UINT64_MAX);
	while (cursor_next(&cursor, &f, &block)) {
		cursor_begin(&again, &log->blocks, &log->blocks.chains[0], UINT64_MAX);
		cursor_seek(&again, f.off);
		assert_true(cursor_next(&again, &g, &block));
		assert_int_equal(g.off, f.off);
		assert_int_equal(g.t, f.t);
		struct cursor ahead = cursor;
		assert_int_equal(cursor_next(&again, &g, &block), cursor_next(&ahead, &f, &block));
		assert_int_equal(g.off, f.off);
	}
	done(log, &b);
}

static void only_blocks_that_may_be_entered(void **state)
{
	(void)state;
	struct built b = mixed();
	struct evl_log *log = walked(&b);
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	unsigned n = 0;
	struct block third = log->blocks.chains[1].first;
	assert_true(blocks_next_of(&log->blocks, &third) && blocks_next_of(&log->blocks, &third));
	cursor_begin(&cursor, &log->blocks, &log->blocks.chains[1], third.off);
	while (cursor_next(&cursor, &f, &block))
		n++;
	assert_int_equal(n, 2 * PER_BLOCK);
	cursor_begin(&cursor, &log->blocks, &log->blocks.chains[1], 0);
	assert_false(cursor_next(&cursor, &f, &block));
	done(log, &b);
}

/* The events of some tags, up to a place in the file: those that cursor_next yields. */
static void only_some_tags(void **state)
{
	(void)state;
	static const char *const logs[] = {"assets/bazaar.eventlog", "tests/logs/9.10.3-stdout-mixed.eventlog",
		"tests/logs/9.10.3-messages.eventlog", "tests/logs/9.10.3-profmix-p-hc.eventlog"};
	static const uint64_t wanted[] = {1u << EVL_STOP_THREAD | 1u << EVL_GC_START, 1u << EVL_BLOCK_MARKER,
		1u << EVL_USER_MSG, 1ull << 63, UINT64_MAX};
	for (size_t i = 0; i < countof(logs) * countof(wanted); i++) {
		struct evl_log *log = walked_file(logs[i / countof(wanted)]);
		uint64_t tags = wanted[i % countof(wanted)], stop = log->source.len / (1 + i % 3);
		for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
			struct cursor all, some;
			struct frame f, g;
			const struct block *block;
			bool more = true, wants = false;
			cursor_begin(&all, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
			some = all;
			for (uint64_t n = 0; more; n++) {
				do {
					more = cursor_next(&all, &f, &block);
					wants = more && tags >> cursor_bit(f.tag) & 1;
				} while (more && !wants && f.off < stop);
				if (n % 7 != 3 || !more) /* the two may take turns */
					assert_int_equal(cursor_next_of(&some, tags, stop, &g, &block), more);
				else
					do
						assert_int_equal(cursor_next(&some, &g, &block), more);
					while (more && g.off < f.off);
				assert_true(!more
					|| (g.off == f.off && g.t == f.t && g.tag == f.tag && g.payload.p == f.payload.p
						&& g.payload.len == f.payload.len));
			}
		}
		evl_close(log);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_events_of_a_chain),
		cmocka_unit_test(from_any_event_on),
		cmocka_unit_test(only_blocks_that_may_be_entered),
		cmocka_unit_test(only_some_tags),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
