/* Edit distances against their definition, and the nearest names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/nearest.h"

static struct evl_str str(const char *s) { return (struct evl_str){(const uint8_t *)s, strlen(s)}; }

/* By recursion over the ends. */
static unsigned slow(const char *a, size_t n, const char *b, size_t m)
{
	if (n == 0 || m == 0)
		return (unsigned)(n + m);
	unsigned best = slow(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
	unsigned out = slow(a, n - 1, b, m) + 1, in = slow(a, n, b, m - 1) + 1;
	best = out < best ? out : best;
	best = in < best ? in : best;
	if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
		unsigned swap = slow(a, n - 2, b, m - 2) + 1;
		best = swap < best ? swap : best;
	}
	return best;
}

static void distances(void **unused)
{
	(void)unused;
	uint32_t state = 1;
	for (int round = 0; round < 500; round++) {
		char a[7], b[7];
		size_t n = (state = state * 1664525 + 1013904223) >> 29,
		       m = (state = state * 1664525 + 1013904223) >> 29;
		n = n < 6 ? n : 6;
		m = m < 6 ? m : 6;
		for (size_t i = 0; i < 6; i++) {
			a[i] = (char)('a' + ((state = state * 1664525 + 1013904223) >> 30) % 3);
			b[i] = (char)('a' + ((state = state * 1664525 + 1013904223) >> 30) % 3);
		}
		a[n] = b[m] = '\0';
		unsigned want = slow(a, n, b, m);
		assert_int_equal(edit_distance(str(a), str(b), 99), want);
		for (unsigned most = 0; most < 6; most++) {
			unsigned is = edit_distance(str(a), str(b), most);
			assert_true(want <= most ? is == want : is > most);
		}
	}
}

static void nearest_come_first(void **unused)
{
	(void)unused;
	static const char *const names[] = {
		"gc.pause.max", "gc.pause.p50", "gc.pause.p99", "heap.max_live", "gc.pause.p90"};
	struct nearest n = {.wanted = str("gc.pausee.p99")};
	for (size_t i = 0; i < countof(names); i++)
		nearest_offer(&n, str(names[i]));
	nearest_offer(&n, str("gc.pause.p99"));
	assert_int_equal(n.n, 3);
	assert_true(str_is(n.names[0], "gc.pause.p99") && str_is(n.names[1], "gc.pause.p90")
		&& str_is(n.names[2], "gc.pause.p50"));
	struct nearest none = {.wanted = str("zzzz")};
	nearest_offer(&none, str("gc.pause.p99"));
	assert_int_equal(none.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(nearest_come_first)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
