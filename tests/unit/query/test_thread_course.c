/* Columns of threads that go on from those of shorter snapshots of a growing log are those that a reading of all of it finds. */
#include "query/thread_shares.h"

#include "log/growing.h"
#include "logs.h"

enum { CAPS = 3, THREADS = 40, BLOCKS = 60, COLS = 7, LANES = 6, GROUP = 5 };

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static struct evl_log *snapshot(struct growing *g, const struct built *b, size_t len)
{
	struct evl_log *log;
	uint8_t *bytes = malloc(len);
	assert_non_null(bytes);
	memcpy(bytes, b->data, len);
	assert_int_equal(evl_open_memory(&log, bytes, len, NULL), 0);
	evl_use_threads(log, 2);
	growing_use(g, log);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

static void drop(struct evl_log *log)
{
	const uint8_t *bytes = log->source.data;
	evl_close(log);
	free((void *)(uintptr_t)bytes);
}

/* Blocks of capabilities that run threads, collect, and lose stops; the end of each block is a place to cut the log. */
static struct built random_log(size_t *ends)
{
	struct built b = log_begin();
	uint64_t t[CAPS] = {100, 100, 100};
	unsigned running[CAPS] = {0};
	for (unsigned i = 0; i < BLOCKS; i++) {
		unsigned cap = i < CAPS ? i : below(CAPS);
		block_begin(&b, (uint16_t)cap, t[cap]);
		if (i < CAPS)
			put(&b, t[cap] += 5, EVL_CREATE_THREAD, "4", i + 1);
		for (unsigned n = 2 + below(60); n--;) {
			uint64_t now = t[cap] += below(4) ? below(300) : 0;
			unsigned thread = 1 + below(THREADS);
			switch (below(8)) {
			case 0:
			case 1:
			case 2: put_run(&b, now, running[cap] = thread); break;
			case 3:
			case 4:
				if (running[cap])
					put_stop(&b, now, running[cap], below(14));
				running[cap] = 0;
				break;
			case 5: put(&b, now, EVL_THREAD_WAKEUP, "42", thread, below(CAPS)); break;
			case 6:
				put_gc(&b, now, now + below(20), now + 20 + below(90), 0);
				t[cap] = now + 120;
				break;
			default:
				if (below(60) == 0)
					put(&b, now, EVL_THREAD_LABEL, "4s", thread, "worker");
				else if (below(2))
					put(&b, now, EVL_CREATE_THREAD, "4", thread);
			}
		}
		block_end(&b, t[cap] += 3);
		ends[i] = b.len;
		for (unsigned c = 0; c < CAPS; c++) /* none is silent for long */
			t[c] = max_u64(t[c], t[cap] > 4000 ? t[cap] - 4000 : 0);
	}
	return b;
}

struct group {
	const struct evl_log *log;
	int lane;
};

/* Threads with a label and some others share a lane. */
static int lane_of(void *ctx, uint32_t thread)
{
	const struct group *g = ctx;
	return thread % GROUP == 0 || evl_label(g->log, thread).len ? g->lane : -1;
}

static void expect_same(const struct thread_column *got, const struct thread_column *want, bool group)
{
	for (int i = 0; i < THREAD_STATES; i++)
		assert_int_equal(got->ns[i], want->ns[i]);
	assert_int_equal(got->paused_ns, want->paused_ns);
	assert_int_equal(got->caps, want->caps);
	assert_int_equal(got->switches, want->switches);
	assert_int_equal(got->wakeups, want->wakeups);
	assert_int_equal(got->known, want->known);
	if (group)
		return;
	assert_int_equal(got->split, want->split);
	assert_int_equal(got->cap, want->cap);
	assert_int_equal(got->first, want->first);
	assert_int_equal(got->last, want->last);
	assert_int_equal(got->stop, want->stop);
}

/* Return whether the course went on. */
static bool compare(struct thread_course *c, const struct evl_log *log, size_t n_ids)
{
	uint32_t ids[LANES];
	uint64_t first, last;
	struct group group = {log, (int)n_ids};
	for (uint32_t i = 0; i < n_ids; i++)
		ids[i] = i * 3 + 1;
	assert_true(evl_range(log, &first, &last));
	struct thread_shares_ask ask = {.t0 = first,
		.t1 = first + course_window(last + 1 - first, COLS),
		.cols = COLS,
		.ids = ids,
		.n_ids = n_ids,
		.n_lanes = 1,
		.lane_of = lane_of,
		.ctx = &group};
	struct thread_shares_ask large = ask;
	large.n_lanes = 1 << 20;
	assert_false(thread_course_can(log, &large));
	if (!thread_course_can(log, &ask))
		return false;
	bool fits = thread_course_fits(c, log, &ask);
	struct thread_shares got, want;
	assert_int_equal(thread_course_run(c, log, &ask, &got), 0);
	assert_int_equal(thread_shares_run(&want, log, &ask), 0);
	for (size_t k = 0; k < n_ids + 1; k++)
		for (int i = 0; i < COLS; i++) {
			const struct thread_column *col = &got.columns[k * COLS + (size_t)i];
			uint64_t from = column_edge(ask.t0, ask.t1, COLS, i),
				 to = column_edge(ask.t0, ask.t1, COLS, i + 1);
			uint64_t sum = 0;
			for (int state = 0; state < THREAD_STATES; state++)
				sum += col->ns[state];
			if (to <= last + 1)
				expect_same(col, &want.columns[k * COLS + (size_t)i], k == n_ids);
			else
				assert_int_equal(col->known, from <= last);
			if (k < n_ids && from <= last)
				assert_int_equal(sum, to - from);
		}
	thread_shares_free(&got);
	thread_shares_free(&want);
	return fits;
}

static void random_logs(void **state)
{
	enum { LOGS = 60 };
	size_t went_on = 0, all = 0;
	(void)state;
	for (seed = 1; seed < LOGS;) {
		uint64_t now = seed;
		size_t ends[BLOCKS];
		struct built b = random_log(ends);
		struct growing *g = growing_new();
		struct thread_course course = {0};
		for (unsigned i = CAPS; i < BLOCKS; i += 1 + below(6)) {
			struct evl_log *log = snapshot(g, &b, ends[i] - below(20));
			went_on += compare(&course, log, LANES);
			all++;
			drop(log);
		}
		thread_course_free(&course);
		growing_free(g);
		free(b.data);
		seed = now + 1;
	}
	assert_true(went_on > all / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_logs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
