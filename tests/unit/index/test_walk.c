/* The loop over all events against a plain reading of the same log, tile by tile. */
#include "logs.h"

enum { CAPS = 3, LOG_BYTES = 3 << 20, BLOCK_BYTES = 24 << 10, FINISHED = 5 };

static uint32_t seed;

static unsigned any(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* A step of a capability's life, as likely sound as not. */
static void put_any(struct built *b, uint64_t t, unsigned *thread)
{
	switch (any(16)) {
	case 0: put(b, t, EVL_GC_START, ""); return;
	case 1: put(b, t, EVL_GC_WORK, ""); return;
	case 2: put(b, t, EVL_GC_END, ""); return;
	case 3: put(b, t, EVL_USER_MSG, "s", "a message"); return;
	case 4: put(b, t, EVL_CREATE_THREAD, "4", any(500)); return;
	case 5: put(b, t, EVL_THREAD_LABEL, "4s", any(500), "name"); return;
	case 6: put(b, t, EVL_HEAP_ALLOCATED, "48", 0u, t); return;
	case 7: put(b, t, EVL_THREAD_WAKEUP, "42", any(500), any(CAPS)); return;
	case 8: put_stop(b, t, any(500), any(40)); return; /* of another thread; status 32 and more are unknown */
	case 9:
	case 10:
	case 11:
	case 12: put_run(b, t, *thread = any(500)); return;
	default: put_stop(b, t, *thread, any(4) ? 2 : FINISHED); return;
	}
}

/* wild: clocks are not always in order. */
static struct built random_log(bool wild)
{
	struct built b = log_begin();
	unsigned thread[CAPS] = {0};
	seed = 1;
	for (uint64_t t = 0; b.len < LOG_BYTES;) {
		unsigned cap = any(CAPS);
		uint64_t begin = t, end = t;
		block_begin(&b, (uint16_t)cap, begin);
		for (size_t bytes = any(BLOCK_BYTES); b.len - b.block < bytes;) {
			uint64_t at = any(20) || !wild ? end : begin + (end - begin) / 2;
			put_any(&b, at, &thread[cap]);
			end += any(1000);
		}
		block_end(&b, end);
		t = any(3) || !wild ? end : begin + (end - begin) / 3;
	}
	log_end(&b);
	return b;
}

/* Results of a plain reading. */
struct plain {
	struct cap_pos pos;
	uint64_t events, t_max;
	uint64_t classes, filter; /* of the open tile */
	size_t tile;              /* that starts next */
	uint64_t chain_at;        /* bytes of the chain before the block */
};

static void check_tile(const struct tile *tile, const struct plain *p, uint64_t off)
{
	assert_int_equal(tile->off, off);
	assert_int_equal(tile->events | (uint64_t)tile->events_high << 32, p->events);
	assert_int_equal(tile->t, p->t_max);
	assert_int_equal(tile->run_ns, p->pos.run_ns);
	assert_int_equal(tile->gc_ns, p->pos.gc_ns);
	assert_int_equal(tile->state, p->pos.state);
	assert_int_equal(tile->switches, p->pos.switches);
	if (p->pos.state != CAP_IDLE)
		assert_int_equal(tile->since, p->pos.since);
	if (p->pos.state == CAP_RUN)
		assert_int_equal(tile->thread, p->pos.thread);
}

static void close_tile(const struct tile_table *t, const struct plain *p)
{
	if (p->tile == 0)
		return;
	assert_int_equal(t->tiles[p->tile - 1].classes, p->classes);
	assert_int_equal(t->tiles[p->tile - 1].filter & p->filter, p->filter);
}

static void read_event(
	const struct evl_log *log, uint32_t chain, const struct block *block, const struct frame *f, struct plain *p)
{
	const struct tile_table *t = &log->tiles[chain];
	uint64_t at = p->chain_at + (f->off - block->off);
	p->t_max = max_u64(p->t_max, f->t);
	if (at >> TILE_SHIFT >= p->tile) {
		close_tile(t, p);
		p->classes = p->filter = 0;
		while (p->tile <= at >> TILE_SHIFT)
			check_tile(&t->tiles[p->tile++], p, f->off);
	}
	p->events++;
	p->classes |= tile_class(header_find(&log->header, f->tag));
	cap_step(&p->pos, f->tag, f->t, f->payload.p);
	if (f->tag == EVL_RUN_THREAD)
		p->filter |= 1ull << (p->pos.thread & 63);
}

static void tiles_are_those_of_a_plain_reading(void **state)
{
	(void)state;
	struct built b = random_log(true);
	struct evl_log *log = walked(&b);
	uint64_t events = 0, run_ns = 0;
	assert_int_equal(log->damage.n, 0);
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct plain p = {0};
		struct block block = log->blocks.chains[c].first;
		p.chain_at = 0;
		do {
			struct frame f = {.next = block.off};
			while (block_next(&log->blocks, &block, f.off, f.next, &f))
				read_event(log, c, &block, &f, &p);
			p.chain_at += block.len;
		} while (blocks_next_of(&log->blocks, &block));
		close_tile(&log->tiles[c], &p);
		events += p.events;
		run_ns += p.pos.run_ns;
	}
	assert_true(run_ns > 0);
	assert_int_equal(evl_progress(log).events, events);
	done(log, &b);
}

/* The figures must not depend on how many threads walk, nor on where the log is cut for them. */
static void any_number_of_threads(void **state)
{
	(void)state;
	struct built b = random_log(false);
	struct evl_log *one = walked(&b);
	for (int n = 1; n < 9; n += 3) {
		struct evl_log *log;
		struct evl_err err;
		assert_int_equal(evl_open_memory(&log, b.data, b.len, &err), 0);
		evl_use_threads(log, n);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		assert_memory_equal(
			log->event_counts.tags.n, one->event_counts.tags.n, 256 * sizeof *one->event_counts.tags.n);
		assert_memory_equal(log->event_counts.statuses.n, one->event_counts.statuses.n,
			64 * sizeof *one->event_counts.statuses.n);
		assert_int_equal(atomic_load(&log->threads.total_run_ns), atomic_load(&one->threads.total_run_ns));
		assert_int_equal(atomic_load(&log->threads.finished), atomic_load(&one->threads.finished));
		assert_int_equal(log->threads.anomalies, one->threads.anomalies);
		assert_int_equal(log->busy.all.ns, one->busy.all.ns);
		assert_int_equal(log->busy.run_ns, one->busy.run_ns);
		for (uint32_t id = 0; id < 500; id++) {
			const struct thread_row *x = threads_find(&log->threads, id),
						*y = threads_find(&one->threads, id);
			assert_int_equal(x->run_ns, y->run_ns);
			assert_int_equal(x->runs, y->runs);
		}
		evl_close(log);
	}
	done(one, &b);
}

/* A run whose STOP is missing ends where the next begins, also where the log is cut. */
static void runs_without_stops(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint64_t t = 1;
	while (b.len < LOG_BYTES) {
		block_begin(&b, 0, t);
		for (; b.len - b.block < BLOCK_BYTES; t += 10)
			put_run(&b, t, 7);
		block_end(&b, t);
	}
	block_begin(&b, 0, t);
	put_stop(&b, t, 7, 1);
	block_end(&b, t);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->busy.run_ns, t - 1);
	assert_int_equal(log->busy.all.ns, t - 1);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_without_stops),
		cmocka_unit_test(tiles_are_those_of_a_plain_reading),
		cmocka_unit_test(any_number_of_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
