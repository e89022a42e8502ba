#include "base/find.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* All short strings over two letters, against a comparison at each place. */
static void finds_bytes(void **state)
{
	enum { LONGEST = 10, WORDS = 4 };
	(void)state;
	for (unsigned len = 0; len <= LONGEST; len++)
		for (unsigned bits = 0; bits < 1u << len; bits++)
			for (unsigned n = 1; n <= WORDS; n++)
				for (unsigned word = 0; word < 1u << n; word++) {
					char text[LONGEST + 1], what[WORDS];
					const char *want = NULL;
					for (unsigned i = 0; i < len; i++)
						text[i] = bits >> i & 1 ? 'b' : 'a';
					for (unsigned i = 0; i < n; i++)
						what[i] = word >> i & 1 ? 'b' : 'a';
					for (unsigned i = 0; !want && i + n <= len; i++)
						want = memcmp(text + i, what, n) == 0 ? text + i : NULL;
					assert_ptr_equal(find_bytes(text, len, what, n), want);
				}
}

static void finds_last_byte(void **state)
{
	static const char text[] = "a/b/c";
	(void)state;
	assert_ptr_equal(find_last_byte(text, '/', 5), text + 3);
	assert_ptr_equal(find_last_byte(text, 'a', 5), text);
	assert_null(find_last_byte(text, 'x', 5));
	assert_null(find_last_byte(NULL, 'x', 0));
}

static void finds_words(void **state)
{
	struct evl_str way = {(const uint8_t *)"rts_thr_p", 9};
	(void)state;
	assert_true(find_word(way, "_thr"));
	assert_false(find_word(way, "_debug"));
	assert_false(find_word((struct evl_str){0}, "_p"));
	assert_true(find_start("Pauses of GCs", "gc"));
	assert_true(find_start("pauses (GC)", "gc"));
	assert_true(find_start("with-A64m", "-a")); /* not a letter: anywhere */
	assert_false(find_start("concurrent", "current"));
	assert_false(find_start("ab", "abc"));
	assert_true(find_start("abc", ""));
	assert_true(find_start("", ""));
	assert_false(find_start("", "a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_bytes), cmocka_unit_test(finds_last_byte), cmocka_unit_test(finds_words)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
