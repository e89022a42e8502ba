/* How far a log that is being written is whole, in fragments of any length; and a further log joined to a first one. */
#include "logs.h"
#include "stream/stream_join.h"
#include "stream/stream_tail.h"
#include "sys/anon_file.h"

#include <glob.h>
#include <unistd.h>

static atomic_bool quit;

static uint32_t dice(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

static bool is_block(const struct blocks *b, uint64_t off)
{
	struct block x;
	if (blocks_at(b, off, &x) && x.off == off)
		return true;
	return off && blocks_at(b, off - 1, &x) && x.off + x.len == off;
}

/* Feed the bytes in fragments; what is whole ends where a block does, never goes back, and is all in the end. */
static void feed(const struct evl_log *log, const struct blocks *b, uint32_t seed, bool marked)
{
	struct stream_tail t;
	struct evl_err err = {0};
	int fd = anon_file_open();
	uint64_t len = 0, total = log->source.len, before = 0;
	assert_true(fd >= 0);
	assert_int_equal(stream_tail_init(&t, &quit), 0);
	while (len < total) {
		size_t n = 1 + dice(&seed, 3001);
		n = n < total - len ? n : (size_t)(total - len);
		assert_true(anon_file_write(fd, len, log->source.data + len, n));
		len += n;
		assert_int_equal(stream_tail_advance(&t, fd, len, &err), 0);
		assert_true(t.at >= before && t.at <= len);
		before = t.at;
		if (marked && !t.damaged && t.at > t.header.data_off)
			assert_true(is_block(b, t.at) || t.ended);
	}
	if (marked) {
		assert_int_equal(t.at, total);
		assert_int_equal(t.end_t, b->max_end);
	}
	if (t.wall_ns)
		assert_int_equal(t.wall_ns, program_get(&log->program).wall_ns);
	assert_true(stream_tail_is_idle(&t) == UINT64_MAX || stream_tail_is_idle(&t) <= t.end_t);
	stream_tail_free(&t);
	close(fd);
}

static void fragments_of_any_length(void **state)
{
	glob_t found;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct evl_log *log;
		struct evl_err err;
		assert_int_equal(evl_open(&log, found.gl_pathv[i], &err), 0);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		bool marked = log->damage.n == 0 && log->blocks.max_end;
		for (uint32_t seed = 1; seed <= 5; seed++)
			feed(log, &log->blocks, seed, marked);
		evl_close(log);
	}
	globfree(&found);
}

/* --- joining ------------------------------------------------------------------------------------------------------- */

enum { SEC = 1000000000 };

/* A log whose time 0 was at `wall` seconds (0: it does not say), with a run at t. */
static struct built a_log(unsigned wall, uint64_t t)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, t);
	if (wall)
		put(&b, t, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)wall + t / SEC, (unsigned)(t % SEC));
	else
		put(&b, t, EVL_CAP_CREATE, "2", 0u);
	block_end(&b, t + 1);
	block_begin(&b, 0, t + 1);
	put_run(&b, t + 10, 7);
	put_stop(&b, t + 20, 7, 5);
	block_end(&b, t + 30);
	return b;
}

/* Join `two` to `one`, in fragments; the time of the run in it, in the result. */
static uint64_t joined_run(const struct built *one, const struct built *two, enum stream_join_result *last)
{
	struct stream_tail first;
	struct stream_join j;
	struct evl_err err = {0};
	const uint8_t *piece;
	size_t len;
	uint64_t run_t = 0;
	int fd = anon_file_open();
	assert_true(anon_file_write(fd, 0, one->data, one->len));
	assert_int_equal(stream_tail_init(&first, &quit), 0);
	assert_int_equal(stream_tail_advance(&first, fd, one->len, &err), 0);
	assert_int_equal(stream_join_open(&j, &quit), 0);
	for (size_t at = 0; at < two->len; at += 7) {
		size_t n = two->len - at < 7 ? two->len - at : 7;
		assert_int_equal(stream_join_put(&j, two->data + at, n, &err), 0);
		bool over = at + n == two->len;
		while ((*last = stream_join_next(&j, &first, over, &piece, &len, &err)) == JOINT_PIECE) {
			struct frame f;
			for (uint64_t off = 0; off < len && frame_read(&first.header, piece, off, len, &f) == FRAME_OK;
				off = f.next)
				run_t = f.tag == EVL_RUN_THREAD ? f.t : run_t;
		}
	}
	stream_join_close(&j);
	stream_tail_free(&first);
	close(fd);
	return run_t;
}

static void joined_by_the_wall(void **state)
{
	static const struct {
		unsigned wall1, wall2;
		uint64_t t2, want;
	} cases[] = {
		{1000, 1000, 5ull * SEC, 5ull * SEC + 10},     /* one process: its clock goes on */
		{1000, 1060, 3ull * SEC, 63ull * SEC + 10},    /* a new process, a minute later */
		{1000, 500, 3ull * SEC, 1ull * SEC + 30 + 10}, /* the clock was set back: right after */
		{1000, 0, 3ull * SEC, 1ull * SEC + 30 + 10},   /* no clock: right after */
	};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		enum stream_join_result last;
		struct built one = a_log(cases[i].wall1, 1ull * SEC), two = a_log(cases[i].wall2, cases[i].t2);
		assert_int_equal(joined_run(&one, &two, &last), cases[i].want);
		assert_int_equal(last, JOINT_NONE);
		free(one.data);
		free(two.data);
	}
}

static void other_types_are_not_joined(void **state)
{
	enum stream_join_result last;
	struct built one = a_log(1000, SEC), two = a_log(1000, 2ull * SEC);
	(void)state;
	two.data[4 + 4 + 4 + 2 + 1]++; /* the size of the first type */
	joined_run(&one, &two, &last);
	assert_int_equal(last, JOINT_OTHER);
	free(one.data);
	free(two.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(fragments_of_any_length),
		cmocka_unit_test(joined_by_the_wall), cmocka_unit_test(other_types_are_not_joined)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
