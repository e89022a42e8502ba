/* Numbers by id: all ids from 0 to 2^32-1, from several threads, also those that were chosen to meet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prof/by_id.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, IDS = 20000, LARGE_EACH = 3 };

static uint32_t scattered(unsigned i) { return i % LARGE_EACH ? (uint32_t)(i * 2654435761u) | FEW_IDS : i; }

static void *count_all(void *arg)
{
	struct by_id *t = arg;
	for (unsigned i = 0; i < IDS; i++) {
		_Atomic uint64_t *n = by_id_add(t, scattered(i));
		if (n)
			atomic_fetch_add(n, i + 1);
	}
	return NULL;
}

struct sum {
	uint64_t ids, total;
	uint32_t last_small;
	bool ordered;
};

static void add_up(void *ctx, uint32_t id, uint64_t number)
{
	struct sum *sum = ctx;
	sum->ids++;
	sum->total += number;
	sum->ordered &= id >= FEW_IDS || id >= sum->last_small;
	sum->last_small = id < FEW_IDS ? id : FEW_IDS;
}

static void several_threads_count(void **state)
{
	(void)state;
	struct by_id t = {.n_large = 0};
	pthread_t threads[THREADS];
	struct sum sum = {.ordered = true};
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, count_all, &t), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	by_id_each(&t, add_up, &sum);
	assert_true(sum.ordered);
	assert_int_equal(sum.total, (uint64_t)THREADS * IDS * (IDS + 1) / 2);
	for (unsigned i = 0; i < IDS; i++)
		assert_true(by_id_get(&t, scattered(i)) >= (uint64_t)THREADS * (i + 1));
	assert_int_equal(by_id_get(&t, FEW_IDS + 1), 0);
	by_id_free(&t);
}

static void edges(void **state)
{
	(void)state;
	static const uint32_t ids[] = {0, 1, FEW_IDS - 1, FEW_IDS, FEW_IDS + 7, UINT32_MAX - 1, UINT32_MAX};
	struct by_id t = {.n_large = 0};
	assert_int_equal(by_id_get(&t, 0), 0);
	assert_int_equal(by_id_get(&t, UINT32_MAX), 0);
	for (size_t i = 0; i < countof(ids); i++)
		atomic_store(by_id_add(&t, ids[i]), i + 1);
	for (size_t i = 0; i < countof(ids); i++)
		assert_int_equal(by_id_get(&t, ids[i]), i + 1);
	by_id_free(&t);
}

/* Past its room an id has no number, and those that have one keep it. */
static void it_is_bounded(void **state)
{
	(void)state;
	struct by_id t = {.n_large = 0};
	size_t kept = 0;
	for (uint32_t i = 0; i < 3 * MORE_IDS; i++) {
		_Atomic uint64_t *n = by_id_add(&t, UINT32_MAX - i);
		if (n)
			atomic_store(n, i + 1);
		kept += n != NULL;
	}
	assert_in_range(kept, MORE_IDS - 1000, MORE_IDS);
	for (uint32_t i = 0; i < 3 * MORE_IDS; i++)
		kept -= by_id_get(&t, UINT32_MAX - i) == i + 1;
	assert_int_equal(kept, 0);
	by_id_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_threads_count), cmocka_unit_test(edges), cmocka_unit_test(it_is_bounded)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
