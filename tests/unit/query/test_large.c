/* Logs of more than 4 GiB: offsets are 64 bits wide all the way. The file is sparse: three blocks that claim 3 GiB each,
 * with events at their start followed by holes, which are damage. */
#include "logs.h"

#include "index/event_find.h"
#include "index/event_rank.h"
#include "query/gc_detail.h"
#include "show/event_merge.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { PARTS = 3, RUNS = 50 };
#define PART_BYTES (3ull << 30)

/* The events of part n, in a block of `bytes` bytes that holds them at its start: runs of thread 100 + n, a message, a
 * label, a collection. */
static void put_part(struct built *b, unsigned n, uint64_t bytes)
{
	uint64_t t = 1000000ull * (n + 1);
	char text[32];
	block_begin(b, 0, t);
	put(b, t, EVL_CREATE_THREAD, "4", 100 + n);
	snprintf(text, sizeof text, "label %u", n);
	put(b, t, EVL_THREAD_LABEL, "4s", 100 + n, text);
	for (unsigned i = 0; i < RUNS; i++) {
		put_run(b, t += 100, 100 + n);
		put_stop(b, t += 50, 100 + n, 3);
	}
	snprintf(text, sizeof text, "message %u", n);
	put(b, t += 10, EVL_USER_MSG, "s", text);
	put_gc(b, t + 10, t + 20, t + 500, 1);
	patch(b, b->block + 10, bytes ? bytes : b->len - b->block, 4);
	patch(b, b->block + 14, t + 1000, 8);
}

static bool write_at(int fd, const void *bytes, size_t len, uint64_t off)
{
	return pwrite(fd, bytes, len, (off_t)off) == (ssize_t)len;
}

/* Write the log to a file that is removed when it is closed; -1: the file system has no room for it, or no holes. */
static int large_file(char *path)
{
	struct built b = log_begin();
	int fd = mkstemp(path);
	uint64_t at = 0;
	bool good = fd >= 0;
	for (unsigned n = 0; n < PARTS && good; n++) {
		bool last = n + 1 == PARTS;
		size_t head = b.len;
		put_part(&b, n, last ? 0 : PART_BYTES);
		if (last)
			log_end(&b);
		good = write_at(fd, b.data, b.len, at);
		at += head + PART_BYTES;
		b.len = 0;
	}
	free(b.data);
	if (fd >= 0 && !good) {
		close(fd);
		unlink(path);
	}
	return good ? fd : -1;
}

static void assert_part(const struct evl_log *log, unsigned n, uint64_t off)
{
	uint64_t t = 1000000ull * (n + 1);
	char text[32];
	struct found found;
	struct cap_moment at;
	snprintf(text, sizeof text, "label %u", n);
	struct evl_str label = evl_label(log, 100 + n);
	assert_int_equal(label.len, strlen(text));
	assert_memory_equal(label.p, text, label.len);
	assert_true(find_after(&log->blocks, log->tiles, EVL_USER_MSG, t, &found));
	assert_true(found.off > off && found.off < off + 10000);
	snprintf(text, sizeof text, "message %u", n);
	assert_memory_equal(evl_text_at(log, found.off).p, text, strlen(text));
	const struct gc_row *gc = gcs_after(&log->gcs, t, GC_ALL);
	struct gc_stats stats;
	assert_non_null(gc);
	assert_true(gc->off > off && gc->off < off + 10000);
	assert_true(gc_stats(log, gc, &stats));
	assert_int_equal(stats.copied, 1);
	caps_at(&log->blocks, &log->tiles[0], 0, t + 120, &at);
	assert_int_equal(at.state, CAP_RUN);
	assert_int_equal(at.thread, 100 + n);
}

/* The events in order, by number and by reading. */
static void assert_order(const struct evl_log *log, uint64_t events)
{
	struct event_rank o;
	struct event_merge m;
	struct frame f;
	const struct block *block;
	uint64_t n = 0;
	assert_int_equal(event_rank_init(&o, &log->blocks, log->tiles), 0);
	assert_int_equal(o.total, events);
	assert_int_equal(event_merge_begin(&m, &log->blocks, &MERGE_ALL), 0);
	for (; event_merge_next(&m, &f, &block); n++) {
		event_rank_key key;
		assert_int_equal(event_rank_before(&o, event_rank_key_of(f.t, f.off)), n);
		assert_true(event_rank_at(&o, n, &key));
		assert_true(key == event_rank_key_of(f.t, f.off));
	}
	assert_int_equal(n, events);
	event_merge_end(&m);
	event_rank_free(&o);
}

static void six_gigabytes(void **state)
{
	(void)state;
	char path[] = "/tmp/evtui-large-XXXXXX";
	struct evl_log *log;
	struct evl_err err = {0};
	int fd = large_file(path);
	if (fd < 0) {
		print_message("skipped: no large sparse file can be had here\n");
		skip();
	}
	if (evl_open(&log, path, &err) < 0)
		fail_msg("%s", err.text);
	unlink(path);
	close(fd);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	uint64_t a_part = 3 + 2 * RUNS + 7, first = log->header.data_off;
	assert_true(log->source.len > 2 * PART_BYTES);
	assert_int_equal(log->blocks.n, PARTS);
	assert_int_equal(log->blocks.chains[0].len, log->source.len - first - 2);
	assert_int_equal(evl_progress(log).events, PARTS * a_part);
	assert_int_equal(log->damage.n, PARTS - 1); /* the holes */
	for (unsigned n = 0; n < PARTS; n++)
		assert_part(log, n, first + n * PART_BYTES);
	for (unsigned n = 0; n + 1 < PARTS; n++) {
		const struct damage *d = &log->damage.items[n];
		assert_int_equal(d->off + d->len, first + (n + 1) * PART_BYTES);
	}
	assert_order(log, PARTS * a_part);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_gigabytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
