/* Work divided among several threads. */
#include "sys/worker.h"

#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static _Atomic int called[3];

static int first(void *arg)
{
	atomic_fetch_add(&called[0], 1);
	return *(int *)arg;
}

static int second(void *arg)
{
	atomic_fetch_add(&called[1], 1);
	return *(int *)arg;
}

static int third(UNUSED void *arg)
{
	atomic_fetch_add(&called[2], 1);
	return 0;
}

static void each_step_once(UNUSED void **state)
{
	static worker_step *const steps[] = {first, second, third};
	for (int n = 1; n <= 5; n++) {
		int good = 0;
		memset(called, 0, sizeof called);
		assert_int_equal(workers_do(n, steps, 3, &good), 0);
		for (int i = 0; i < 3; i++)
			assert_int_equal(called[i], 1);
	}
}

static void none_after_a_failure(UNUSED void **state)
{
	static worker_step *const steps[] = {third, first, second};
	for (int n = 1; n <= 5; n++) {
		int bad = -7;
		memset(called, 0, sizeof called);
		assert_int_equal(workers_do(n, steps, 3, &bad), bad);
		assert_true(called[0] + called[1] >= 1 && (n > 1 || called[1] == 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(each_step_once), cmocka_unit_test(none_after_a_failure)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
