/* Lifetimes of threads against a count moment by moment: created in any order, many at one time, few or many close together. */
#include "logs.h"
#include "sched/thread_lives.h"
#include "sched/thread_state.h"

enum { MOST = 400, START = 1000 };

struct life {
	uint64_t born, died; /* died: UINT64_MAX, not in the log */
	uint64_t run_ns;
	uint32_t id, runs;
};

static struct life lives[MOST];
static uint64_t seed = 5;

static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return below ? (seed >> 11) % below : 0;
}

/* Events of all threads in order of time: each is created, runs once for as long as it lives if it ends, and ends. */
struct moment {
	uint64_t t;
	const struct life *of;
	bool birth;
};

static int by_moment(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;
	int order = (x->t > y->t) - (x->t < y->t);
	return order ? order : y->birth - x->birth; /* one that lives for no time is created first */
}

/* Numbers of threads in no order of time: up to n, or up to apart * n, which are on several pages of the table. */
static struct evl_log *random_log(struct built *b, size_t n, uint64_t width, uint32_t apart)
{
	static struct moment moments[2 * MOST];
	size_t k = 0;
	for (size_t i = 0; i < n; i++) {
		size_t other = any(i + 1);
		lives[i].id = lives[other].id;
		lives[other].id = apart * ((uint32_t)i + 1);
	}
	for (size_t i = 0; i < n; i++) {
		struct life *l = &lives[i];
		l->born = START + any(width);
		l->died = any(4) ? l->born + any(width / 4 + 2) : UINT64_MAX;
		moments[k++] = (struct moment){l->born, l, true};
		if (l->died < UINT64_MAX)
			moments[k++] = (struct moment){l->died, l, false};
	}
	qsort(moments, k, sizeof *moments, by_moment);
	*b = log_begin();
	block_begin(b, 0, START - 1);
	put(b, START - 1, EVL_USER_MSG, "s", "first");
	for (size_t i = 0; i < k; i++) {
		if (moments[i].birth)
			put(b, moments[i].t, EVL_CREATE_THREAD, "4", moments[i].of->id);
		else
			put_stop(b, moments[i].t, moments[i].of->id, STOP_FINISHED);
	}
	put(b, START + 2 * width, EVL_USER_MSG, "s", "last");
	block_end(b, START + 2 * width);
	log_end(b);
	return walked(b);
}

static uint64_t alive_at(size_t n, uint64_t t)
{
	uint64_t alive = 0;
	for (size_t i = 0; i < n; i++)
		alive += lives[i].born <= t && t < lives[i].died;
	return alive;
}

static void compare(const struct evl_log *log, size_t n, uint64_t from, uint64_t to)
{
	struct thread_lives got, again;
	uint64_t created = 0, finished = 0, peak = 0;
	assert_int_equal(thread_lives_make(&got, &log->threads, from, to, 1), 0);
	assert_int_equal(thread_lives_make(&again, &log->threads, from, to, 3), 0);
	assert_memory_equal(&got, &again, sizeof got);
	for (size_t i = 0; i < n; i++) {
		created += lives[i].born >= from && lives[i].born < to;
		finished += lives[i].died >= from && lives[i].died < to;
		if (lives[i].born >= from && lives[i].born < to)
			peak = max_u64(peak, alive_at(n, lives[i].born)); /* it only rises where one is born */
	}
	peak = max_u64(peak, alive_at(n, from));
	assert_int_equal(got.created, created);
	assert_int_equal(got.finished, finished);
	assert_int_equal(got.peak, peak);
	assert_true(got.peak_at >= from && got.peak_at < to);
	assert_int_equal(alive_at(n, got.peak_at), peak);
	assert_int_equal(got.alive_end, alive_at(n, to - 1));
}

static void random_lives(void **state)
{
	static const uint64_t widths[] = {1, 7, 60, 1000, 1000000};
	static const size_t numbers[] = {1, 2, 20, 33, 90, MOST};
	(void)state;
	enum { APART = 600 };
	for (size_t w = 0; w < countof(widths); w++)
		for (size_t k = 0; k < countof(numbers); k++) {
			struct built b;
			struct evl_log *log = random_log(&b, numbers[k], widths[w], k % 2 ? APART : 1);
			for (int i = 0; i < 20; i++) {
				uint64_t from = i ? START + any(widths[w]) : 1,
					 to = i ? from + 1 + any(2 * widths[w]) : START + 3 * widths[w];
				compare(log, numbers[k], from, to);
			}
			done(log, &b);
		}
}

/* Threads by time run, of equals the lower number first; those that never ran are left out. */
static void those_that_ran_most(void **state)
{
	enum { THREADS = 30, CREATED = 40 };
	struct built b = log_begin();
	struct thread_lives got;
	uint64_t t = 10, ns[THREADS + 1] = {0};
	(void)state;
	block_begin(&b, 0, 1);
	for (unsigned i = 1; i <= CREATED; i++)
		put(&b, 1, EVL_CREATE_THREAD, "4", i);
	for (unsigned i = 0; i < 3 * THREADS; i++) {
		unsigned id = (unsigned)any(THREADS) + 1;
		uint64_t more = any(4);
		put_run(&b, t, id);
		put_stop(&b, t += more, id, STOP_YIELD);
		ns[id] += more;
	}
	block_end(&b, t);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(thread_lives_make(&got, &log->threads, 0, t + 1, 2), 0);
	assert_int_equal(got.runs, 3 * THREADS);
	assert_int_equal(got.n_top, THREAD_LIVES_TOP);
	for (size_t i = 0; i < got.n_top; i++) {
		unsigned most = 1;
		for (unsigned id = 1; id <= THREADS; id++)
			most = ns[id] > ns[most] ? id : most;
		assert_int_equal(got.top[i].thread, most);
		assert_int_equal(got.top[i].ns, ns[most]);
		ns[most] = 0;
	}
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_lives), cmocka_unit_test(those_that_ran_most)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
