/* Buffers: formatted text of any length is appended whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"

#include <stdlib.h>

/* Around each place where the buffer grows. */
static void formatted_text_is_never_cut(void **state)
{
	enum { LONGEST = 9000 };
	static char want[LONGEST + 1];
	(void)state;
	for (int len = 0; len <= LONGEST; len += len < 600 || (len > 4080 && len < 4110) ? 1 : 97) {
		struct buf b = {0};
		for (int i = 0; i < len; i++)
			want[i] = (char)('a' + i % 26);
		want[len] = '\0';
		buf_lit(&b, "<");
		buf_printf(&b, "%s", want);
		buf_printf(&b, "%s", "");
		buf_printf(&b, "|%d>", len);
		assert_false(b.failed);
		assert_int_equal(b.p[0], '<');
		assert_memory_equal(b.p + 1, want, (size_t)len);
		buf_char(&b, '\0');
		assert_int_equal(b.p[1 + len], '|');
		assert_int_equal(atoi(b.p + 2 + len), len);
		buf_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(formatted_text_is_never_cut)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
