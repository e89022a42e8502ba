/* The tiles of a walked log: the totals at their start are those of the events before it. */
#include "logs.h"

static void stop_and_go(void **state)
{
	static const uint8_t thread[] = {0, 0, 0, 7};
	(void)state;
	struct cap_pos pos = {0};
	assert_true(cap_step(&pos, EVL_RUN_THREAD, 100, thread));
	assert_int_equal(pos.state, CAP_RUN);
	assert_int_equal(pos.thread, 7);
	assert_int_equal(cap_run_until(&pos, 130), 30);
	assert_true(cap_step(&pos, EVL_STOP_THREAD, 150, thread));
	assert_false(cap_step(&pos, EVL_STOP_THREAD, 160, thread)); /* nothing runs */
	assert_int_equal(pos.run_ns, 50);
	assert_true(cap_step(&pos, EVL_GC_WORK, 200, NULL)); /* its start was lost */
	assert_false(cap_step(&pos, EVL_GC_IDLE, 210, NULL));
	assert_int_equal(cap_gc_until(&pos, 220), 20);
	assert_true(cap_step(&pos, EVL_RUN_THREAD, 250, thread)); /* its end was lost */
	assert_int_equal(pos.gc_ns, 50);
	assert_false(cap_step(&pos, EVL_GC_END, 260, NULL));
	assert_false(cap_step(&pos, EVL_USER_MSG, 270, NULL));
	assert_int_equal(pos.switches, 4);
}

/* Busy enough for many tiles, in blocks that end anywhere. */
static struct built busy(void)
{
	struct built b = log_begin();
	unsigned t = 100;
	for (unsigned k = 0; k < 30; k++) {
		block_begin(&b, (uint16_t)(k % 2), t);
		for (unsigned i = 0; i < 40 + 37 * (k % 7); i++, t += 10) {
			put_run(&b, t, i % 5);
			if (i % 11 == 0)
				put(&b, t + 2, EVL_USER_MSG, "s", "a message that takes some room in its tile");
			put_stop(&b, t + 4, i % 5, 1);
			if (i % 17 == 0)
				put_gc(&b, t + 5, t + 6, t + 7, 0);
		}
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

static void assert_tile(const struct tile *tile, const struct frame *f, const struct cap_pos *pos, uint64_t events)
{
	assert_int_equal(tile->off, f->off);
	assert_true(tile->t >= f->t);
	assert_int_equal((uint64_t)tile->events_high << 32 | tile->events, events);
	struct cap_pos got = tile_pos(tile);
	assert_int_equal(got.state, pos->state);
	assert_int_equal(got.run_ns, pos->run_ns);
	assert_int_equal(got.gc_ns, pos->gc_ns);
	assert_int_equal(got.thread, pos->thread);
	if (pos->switches)
		assert_int_equal(got.since, pos->since);
}

/* Replay the chain from its start and meet every tile on the way. */
static void assert_chain(const struct evl_log *log, uint32_t c)
{
	const struct chain *chain = &log->blocks.chains[c];
	struct tile_table *table = &log->tiles[c];
	struct cap_pos pos = {0};
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	uint64_t events = 0, chain_at = 0, off = 0, len = 0;
	size_t tile = 0;
	assert_int_equal(table->n, (chain->len + TILE_BYTES - 1) / TILE_BYTES);
	assert_int_equal(table->known_t, UINT64_MAX);
	cursor_begin(&cursor, &log->blocks, chain, UINT64_MAX);
	while (cursor_next(&cursor, &f, &block)) {
		if (block->off != off) { /* the next one */
			chain_at += len;
			off = block->off;
			len = block->len;
		}
		for (; tile * TILE_BYTES <= chain_at + f.off - block->off; tile++)
			assert_tile(&table->tiles[tile], &f, &pos, events);
		assert_true(table->tiles[tile - 1].classes & 1u << header_find(&log->header, f.tag)->schema->group);
		if (cap_step(&pos, f.tag, f.t, f.payload.p) && pos.state == CAP_RUN)
			assert_true(table->tiles[tile - 1].filter & 1ull << (pos.thread & 63));
		events++;
	}
	assert_int_equal(table->ready, tile);
	assert_true(tile > 3);
}

static void tiles_say_what_was_before_them(void **state)
{
	(void)state;
	struct built b = busy();
	struct evl_log *log = walked(&b);
	assert_chain(log, 0);
	assert_chain(log, 1);
	done(log, &b);
}

static void the_tile_before_a_moment(void **state)
{
	(void)state;
	struct built b = busy();
	struct evl_log *log = walked(&b);
	const struct tile_table *table = &log->tiles[0];
	for (size_t i = 0; i + 1 < table->n; i++) {
		assert_true(table->tiles[i].t <= table->tiles[i + 1].t);
		assert_int_equal(tiles_before(table, table->n, table->tiles[i].t + 1), i);
	}
	assert_int_equal(tiles_before(table, table->n, 0), 0);
	assert_int_equal(tiles_before(table, table->n, UINT64_MAX), table->n - 1);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stop_and_go),
		cmocka_unit_test(tiles_say_what_was_before_them),
		cmocka_unit_test(the_tile_before_a_moment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
