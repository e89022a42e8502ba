/* The history of a block size in the nonmoving heap: against every event, on every log of the tests, with room for all censuses
 * and for few. */
#include "each_log.h"
#include "query/nm_cycles.h"
#include "slow_threads.h"

enum { SIZES = 64, MOST = 4096 };

static size_t n_points, n_thinned;

/* All events of censuses of a size, in order of time; sweep: the number of sweeps that began before it. */
struct seen {
	uint64_t t, size, segments, live;
	size_t sweep;
};

static size_t read_all(const struct slow *slow, const struct evl_log *log, struct seen *out)
{
	size_t n = 0, sweeps = 0;
	for (size_t i = 0; i < slow->n && n < MOST; i++) {
		const struct frame *f = &slow->events[i].f;
		const uint8_t *p = f->payload.p;
		sweeps += f->tag == EVL_CONC_SWEEP_BEGIN;
		if (f->tag != EVL_NONMOVING_HEAP_CENSUS)
			continue;
		bool log2 = header_of(&log->header, f->tag)->size == 13;
		out[n++] = (struct seen){f->t, log2 ? 1ull << p[0] : be16(p), be32(p + (log2 ? 1 : 2)), 0, sweeps};
		out[n - 1].segments += be32(p + (log2 ? 5 : 6));
		out[n - 1].live = be32(p + (log2 ? 9 : 10));
	}
	return n;
}

/* Return the place of a point among the events, from `at` on. */
static size_t place(const struct nm_point *p, uint64_t size, const struct seen *all, size_t n, size_t at)
{
	while (at < n && !(all[at].size == size && all[at].t == p->t))
		at++;
	assert_true(at < n);
	assert_int_equal(p->segments, all[at].segments);
	assert_int_equal(p->live, all[at].live);
	return at;
}

/* Few: of one sweep in FEW, and of no other. */
static void check_few(const struct evl_log *log, uint64_t size, const struct seen *all, size_t n)
{
	enum { FEW = 3 };
	struct nm_point points[FEW];
	size_t got = nm_history(log, size, 0, UINT64_MAX, points, FEW), at = 0, sweeps = all[n - 1].sweep + 1;
	size_t step = (sweeps + FEW - 1) / FEW;
	assert_in_range(got, 1, FEW);
	for (size_t i = 0; i < got; i++) {
		at = place(&points[i], size, all, n, at);
		n_thinned += all[at].sweep > 0 && step > 1;
	}
}

static void check_size(const struct evl_log *log, uint64_t size, const struct seen *all, size_t n)
{
	static struct nm_point points[MOST];
	size_t got = nm_history(log, size, 0, UINT64_MAX, points, MOST), at = 0;
	for (size_t i = 0; i < n; i++) {
		if (all[i].size != size)
			continue;
		assert_true(at < got);
		assert_int_equal(points[at].t, all[i].t);
		assert_int_equal(place(&points[at], size, all, n, i), i);
		at++;
	}
	assert_int_equal(at, got);
	n_points += got;
	uint64_t from = all[n / 3].t, to = all[n / 3 * 2].t;
	got = nm_history(log, size, from, to, points, MOST);
	for (size_t i = 0; i < n; i++)
		got -= all[i].size == size && all[i].t >= from && all[i].t < to;
	assert_int_equal(got, 0);
}

static void check_log(const struct evl_log *log, const char *name)
{
	static struct seen all[MOST];
	struct slow slow = {0};
	(void)name;
	slow_read(&slow, log);
	size_t n = read_all(&slow, log, all);
	for (size_t i = 0; i < n && i < SIZES; i++)
		check_size(log, all[i].size, all, n);
	slow_free(&slow);
}

static void on_every_log(void **state)
{
	char *none[] = {NULL};
	(void)state;
	each_log_of(none, check_log);
	assert_true(n_points > 100);
}

/* Sweeps with a census of two sizes each. */
static void few_of_many(void **state)
{
	enum { SWEEPS = 100 };
	struct built b = log_begin();
	struct seen all[2 * SWEEPS];
	size_t n = 0;
	(void)state;
	block_begin(&b, 0xffff, 0);
	for (uint64_t i = 0; i < SWEEPS; i++) {
		uint64_t t = 1000 * (i + 1);
		put(&b, t, EVL_CONC_SWEEP_BEGIN, "");
		put(&b, t + 10, EVL_CONC_SWEEP_END, "");
		for (unsigned k = 0; k < 2; k++) {
			uint64_t size = k ? 64 : 16;
			put(&b, t + 20 + k, EVL_NONMOVING_HEAP_CENSUS, "2444", (unsigned)size, (unsigned)i, 1u,
				(unsigned)i + k);
			all[n++] = (struct seen){t + 20 + k, size, i + 1, i + k, (size_t)i + 1};
		}
	}
	block_end(&b, 1000 * (SWEEPS + 1));
	log_end(&b);
	struct evl_log *log = walked(&b);
	check_size(log, 16, all, n);
	check_size(log, 64, all, n);
	check_few(log, 16, all, n);
	check_few(log, 64, all, n);
	assert_true(n_thinned >= 2);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(on_every_log), cmocka_unit_test(few_of_many)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
