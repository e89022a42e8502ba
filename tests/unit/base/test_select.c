/* Selection against sorting, for arrays of many kinds, and its cost for the worst of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/order.h"
#include "base/select.h"

#include <stdlib.h>

struct item {
	uint32_t key, number, unused;
};

static uint64_t compared;

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	compared++;
	return ORDER(x->key, y->key);
}

enum { MOST = 3000 };

static uint32_t key_of_kind(int kind, uint32_t i, uint32_t n, uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	switch (kind) {
	case 0: return *state;
	case 1: return *state >> 29; /* many equals */
	case 2: return i;
	case 3: return n - i;
	case 4: return i < n / 2 ? i : n - i; /* up and down */
	default: return 7;
	}
}

static void check(int kind, uint32_t n, uint32_t k)
{
	static struct item is[MOST], sorted[MOST];
	static uint8_t seen[MOST];
	uint32_t state = n + k;
	memset(seen, 0, sizeof seen);
	for (uint32_t i = 0; i < n; i++)
		is[i] = sorted[i] = (struct item){key_of_kind(kind, i, n, &state), i, 0};
	select_first(is, n, sizeof *is, k, by_key);
	qsort(sorted, n, sizeof *sorted, by_key);
	for (uint32_t i = 0; i < n; i++) {
		assert_false(seen[is[i].number]++); /* the same items */
		if (i < k)
			assert_true(is[i].key <= sorted[k - 1].key);
		else
			assert_true(k == 0 || is[i].key >= sorted[k - 1].key);
	}
}

static void equals_sorting(void **unused)
{
	(void)unused;
	for (int kind = 0; kind < 6; kind++) {
		for (uint32_t n = 0; n < 40; n++)
			for (uint32_t k = 0; k <= n; k++)
				check(kind, n, k);
		for (uint32_t n = 997; n <= MOST; n += 997)
			for (uint32_t k = 0; k <= n; k += n / 7)
				check(kind, n, k);
	}
}

/* An order that is settled while it is asked for, so that the pivots are bad (McIlroy's adversary). */
static uint32_t values[MOST], gas, n_solid, candidate;

static int adversary(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	compared++;
	if (values[x->number] == gas && values[y->number] == gas)
		values[x->number == candidate ? x->number : y->number] = n_solid++;
	if (values[x->number] == gas)
		candidate = x->number;
	else if (values[y->number] == gas)
		candidate = y->number;
	return ORDER(values[x->number], values[y->number]);
}

static void is_never_quadratic(void **unused)
{
	(void)unused;
	static struct item is[MOST];
	gas = MOST + 1;
	n_solid = candidate = 0;
	for (uint32_t i = 0; i < MOST; i++) {
		is[i] = (struct item){.number = i};
		values[i] = gas;
	}
	compared = 0;
	select_first(is, MOST, sizeof *is, MOST / 2, adversary);
	assert_in_range(compared, MOST, 40 * MOST); /* of MOST * MOST / 2 */
	uint64_t worst = 0;
	for (uint32_t i = 0; i < MOST / 2; i++)
		worst = max_u64(worst, values[is[i].number]);
	for (uint32_t i = MOST / 2; i < MOST; i++)
		assert_true(values[is[i].number] >= worst);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_sorting),
		cmocka_unit_test(is_never_quadratic),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
