/* Buffers: formatted text of any length is appended whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"

#include <stdio.h>
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

static void check_decimal(struct buf *b, uint64_t v)
{
	char want[32];
	int len = snprintf(want, sizeof want, "%ju", (uintmax_t)v);
	buf_clear(b);
	buf_decimal(b, v);
	assert_int_equal(b->len, len);
	assert_memory_equal(b->p, want, b->len);
}

/* As printf writes them: all small ones, around all powers of ten, and a spread of all sizes. */
static void numbers_are_decimal(void **state)
{
	struct buf b = {0};
	uint64_t any = 1;
	(void)state;
	for (uint64_t v = 0; v < 20000; v++)
		check_decimal(&b, v);
	for (uint64_t power = 1;; power *= 10) {
		for (uint64_t v = power - 2; v != power + 2; v++)
			check_decimal(&b, v);
		for (int i = 0; i < 100; i++, any = any * 6364136223846793005 + 1442695040888963407)
			check_decimal(&b, any % power);
		if (power > UINT64_MAX / 10)
			break;
	}
	check_decimal(&b, UINT64_MAX);
	buf_free(&b);
}

/* Each byte at each place, before and after others that end a run. */
static void runs_of_plain_bytes_end_where_they_should(void **state)
{
	uint8_t text[20];
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++)
		for (size_t at = 0; at < sizeof text; at++)
			for (unsigned after = 0; after < 256; after += 51) {
				memset(text, 'x', sizeof text);
				text[at] = (uint8_t)byte;
				if (at + 1 < sizeof text)
					text[at + 1] = (uint8_t)after;
				size_t want = 0;
				while (want < sizeof text && text[want] >= 0x20 && text[want] < 0x7f
					&& text[want] != '"' && text[want] != ',')
					want++;
				struct evl_str s = {text, sizeof text};
				assert_int_equal(utf8_run_without(s, '"', ','), want);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(formatted_text_is_never_cut),
		cmocka_unit_test(numbers_are_decimal), cmocka_unit_test(runs_of_plain_bytes_end_where_they_should)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
