/* Memory of the index, for logs made to enlarge it. */
#include "logs.h"

enum { MB = 1 << 20, BLOCK = 256 << 10, THREAD_BYTES = 32, GC_BYTES = 32 };

/* Fill a log of that many bytes with what `fill` puts, in blocks of BLOCK bytes. */
static struct built filled(size_t bytes, void (*fill)(struct built *b, uint64_t t))
{
	struct built b = log_begin();
	uint64_t t = 0;
	while (b.len < bytes) {
		block_begin(&b, 0, t);
		while (b.len - b.block < BLOCK)
			fill(&b, t += 1000);
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

static void runs(struct built *b, uint64_t t) { put_run(b, t, 3); }
static void messages(struct built *b, uint64_t t) { put(b, t, EVL_USER_MSG, "s", "a message of some length"); }
static void gcs(struct built *b, uint64_t t) { put_gc(b, t, t + 10, t + 500, 0); }
static void strange_threads(struct built *b, uint64_t t)
{
	put(b, t, EVL_CREATE_THREAD, "4", (unsigned)(t * 2654435761u));
}

/* At most this many thousandths of the log. */
static void assert_index_within(const struct built *b, unsigned thousandths)
{
	struct evl_log *log = walked(b);
	assert_true(evl_index_bytes(log) > 0);
	assert_true(evl_index_bytes(log) * 1000 <= b->len * thousandths);
	evl_close(log);
}

static void usual_mixes_take_a_hundredth(void **state)
{
	(void)state;
	void (*const fills[])(struct built *, uint64_t) = {runs, messages, strange_threads};
	for (size_t i = 0; i < countof(fills); i++) {
		struct built b = filled(4 * MB, fills[i]);
		assert_index_within(&b, 10);
		free(b.data);
	}
}

/* Sums of collections are small compared to their rows of 32 bytes. */
static void many_collections(void **state)
{
	(void)state;
	struct built b = filled(8 * MB, gcs);
	struct evl_log *log = walked(&b);
	uint64_t n = rows_count(&log->gcs.tables[0].rows);
	assert_true(n > 8 * MB / 300);
	assert_true(evl_index_bytes(log) <= b.len / 100 + n * 2);
	done(log, &b);
}

/* Ids all over 32 bits: pages are opened for what was seen, not for what was named. */
static void hostile_ids(void **state)
{
	(void)state;
	struct built b = filled(4 * MB, strange_threads);
	struct evl_log *log = walked(&b);
	uint64_t created = atomic_load(&log->threads.created);
	uint64_t rows = log->threads.n_pages << THREADS_PAGE_BITS;
	assert_int_equal(created, log->event_counts.tags.n[EVL_CREATE_THREAD]);
	assert_true(rows <= 16 * created + MB);
	assert_true(atomic_load(&log->threads.others) > 0);
	done(log, &b);
}

/* A log of that many capabilities that flush in turn, in blocks of at least `least` bytes. */
static struct built flushed(size_t bytes, unsigned caps, size_t block)
{
	struct built b = log_begin();
	uint64_t t = 0;
	for (uint64_t n = 0; b.len < bytes; n++) {
		block_begin(&b, (uint16_t)(n % caps), t);
		while (b.len - b.block < block) {
			put_run(&b, t += 100, 5);
			put_stop(&b, t += 100, 5, 1);
		}
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

/* A flush interval leaves small blocks, and empty ones: the directory of them stays a small part of the log, and the
 * events read are those written. */
static void small_blocks(void **state)
{
	(void)state;
	const size_t sizes[] = {BLOCK_HEAD, 300, 4 << 10, 40 << 10, 70 << 10};
	const unsigned caps[] = {1, 4, ROW_CHAINS, ROW_CHAINS + 6};
	for (size_t i = 0; i < countof(sizes) * countof(caps); i++) {
		struct built b = flushed(8 * MB, caps[i % countof(caps)], sizes[i / countof(caps)]);
		struct evl_log *log = walked(&b);
		uint64_t blocks = 0, events = 0;
		struct block block;
		assert_int_equal(log->blocks.n_chains, caps[i % countof(caps)]);
		assert_true(evl_index_bytes(log) * (caps[i % countof(caps)] > ROW_CHAINS ? 29 : 94) <= b.len);
		for (bool more = blocks_first(&log->blocks, &block); more; more = blocks_next(&log->blocks, &block))
			blocks++;
		for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
			struct cursor cursor;
			struct frame f;
			const struct block *in;
			cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
			for (; cursor_next(&cursor, &f, &in); events++)
				assert_int_equal(in->chain, c);
		}
		assert_int_equal(blocks, log->blocks.n);
		assert_int_equal(log->event_counts.tags.n[EVL_BLOCK_MARKER], blocks);
		assert_int_equal(evl_progress(log).events, events);
		assert_int_equal(log->damage.n, 0);
		done(log, &b);
	}
}

/* Samples of many counters in a log that is large enough to be thinned: the largest is there, and the last total. */
static void samples_are_thinned(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint64_t t = 0, n = 0, peak = 0;
	while (b.len < THIN_ALL_BYTES + MB) {
		block_begin(&b, 0, t);
		while (b.len - b.block < BLOCK) {
			uint64_t size = n == 1234 ? 1 << 30 : 1000 + n % 7;
			put(&b, t += 1000, EVL_HEAP_SIZE, "48", 0u, size);
			put(&b, t += 1000, EVL_HEAP_ALLOCATED, "48", 0u, ++n * 4096);
			peak = max_u64(peak, size);
		}
		block_end(&b, t);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct heap_column col;
	heap_columns(&log->heap, HEAP_CURVE_SIZE, 0, t + 1, 1, &col);
	assert_int_equal(col.max, peak);
	assert_int_equal(heap_allocated(&log->heap), n * 4096);
	assert_true(rows_count(&log->heap.chains[0]->curves[HEAP_CURVE_SIZE].rows) <= 20000);
	assert_true(rows_count(&log->heap.chains[0]->curves[HEAP_CURVE_SIZE].rows) >= 10000);
	done(log, &b);
}

/* Without markers there is one chain of events outside of blocks, which is cut all the same. */
static void no_markers(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint64_t t = 0, n = 0;
	for (; b.len < 5 * MB; n++)
		put_run(&b, t += 100, (unsigned)n % 50);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->blocks.n, 3);
	assert_int_equal(log->damage.n, 0);
	assert_int_equal(log->event_counts.tags.n[EVL_RUN_THREAD], n);
	struct block block;
	assert_true(blocks_first(&log->blocks, &block));
	for (uint64_t end = block.off + block.len; blocks_next(&log->blocks, &block); end = block.off + block.len)
		assert_int_equal(block.off, end);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_mixes_take_a_hundredth),
		cmocka_unit_test(many_collections),
		cmocka_unit_test(hostile_ids),
		cmocka_unit_test(small_blocks),
		cmocka_unit_test(samples_are_thinned),
		cmocka_unit_test(no_markers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
