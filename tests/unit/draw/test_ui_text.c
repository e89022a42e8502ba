/* Log bytes on the screen, and formats of numbers. */
#include "base/utf8.h"
#include "draw/text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <cmocka.h>

static struct evl_str str(const char *s) { return (struct evl_str){(const uint8_t *)s, strlen(s)}; }

/* The text as its cells, put together again. */
static const char *shown(struct evl_str s, bool ascii)
{
	static char out[512];
	char *to = out;
	struct text_cell cell;
	while (text_next(&s, ascii, &cell)) {
		assert_in_range(cell.width, 1, 2);
		to += utf8_encode(cell.ch, to);
		for (size_t i = 0; i < countof(cell.mark) && cell.mark[i]; i++)
			to += utf8_encode(cell.mark[i], to);
		if (cell.tail)
			*to++ = (char)cell.tail;
	}
	*to = '\0';
	return out;
}

static const char *utf8(const char *s) { return shown(str(s), false); }
static const char *ascii(const char *s) { return shown(str(s), true); }

static void plain_text_is_itself(void **state)
{
	(void)state;
	assert_string_equal(utf8("main: 42 ~|"), "main: 42 ~|");
	assert_string_equal(utf8("é漢字 Ω → 👍"), "é漢字 Ω → 👍");
	assert_int_equal(text_width(str("é漢字"), false), 5);
	assert_int_equal(text_width(str(""), false), 0);
}

static void controls_become_pictures(void **state)
{
	(void)state;
	assert_string_equal(utf8("\x1b[2J\a\r\n\t\x7f"), "␛[2J␇␍␊␉␡");
	assert_string_equal(shown(EVL_STR("a\0b"), false), "a␀b");
	assert_string_equal(ascii("\x1b]0;\a\n\x7f"), "^[]0;^G^J^?");
	assert_int_equal(text_width(str("\t"), true), 2);
}

static void bad_bytes_become_dots(void **state)
{
	(void)state;
	assert_string_equal(utf8("\xff\xfe"), "··");
	assert_string_equal(utf8("\x9b"
				 "31m"),
		"·31m");
	assert_string_equal(utf8("\xc2\x9b"
				 "31m"),
		"·31m");                                       /* C1 in UTF-8 */
	assert_string_equal(utf8("\xc0\xaf"), "··");           /* overlong */
	assert_string_equal(utf8("\xed\xa0\x80"), "···");      /* a surrogate */
	assert_string_equal(utf8("\xf4\x90\x80\x80"), "····"); /* above U+10FFFF */
	assert_string_equal(utf8("\xe6\xbc"), "··");           /* cut */
}

static void nothing_unseen_passes(void **state)
{
	(void)state;
	assert_string_equal(utf8("a\u202e\u2066\u200fb"), "a···b"); /* bidi */
	assert_string_equal(utf8("\u200b\u200d\u2060\ufeff\u00ad\u034f\u180e"), "·······");
	assert_string_equal(utf8("\u115f\u1160\u3164\uffa0"), "····");
	assert_string_equal(utf8("\ufe0f\U000e0041\ue000\u2028"), "····");
	assert_string_equal(utf8("\u0378"), "·");    /* not assigned, for curses */
	assert_string_equal(utf8("👍🏽"), "👍·"); /* would join into one glyph */
	assert_string_equal(utf8("\u0301x"), "·x");  /* a mark on nothing */
}

static void two_marks_at_most(void **state)
{
	(void)state;
	assert_string_equal(utf8("e\u0301"), "e\u0301");
	assert_string_equal(utf8("e\u0301\u0302\u0303\u0304x"), "e\u0301\u0302x");
	assert_int_equal(text_width(str("e\u0301\u0302\u0303"), false), 1);
}

static void ascii_has_stand_ins(void **state)
{
	(void)state;
	assert_string_equal(ascii("3 µs · a…b ▸ 漢é"), "3 us . a~b > ??");
}

/* Over all of Unicode: what is shown is never a control, is as wide as it says, and as curses thinks. */
static void every_code_point_is_safe(void **state)
{
	(void)state;
	for (uint32_t ch = 0; ch <= 0x10ffff; ch++) {
		char bytes[UTF8_MAX];
		struct evl_str s = {(const uint8_t *)bytes, utf8_encode(ch, bytes)};
		struct text_cell cell;
		assert_true(text_next(&s, false, &cell));
		assert_true(cell.ch >= 0x20 && cell.ch != 0x7f && (cell.ch < 0x80 || cell.ch >= 0xa0));
		assert_int_equal(text_columns(cell.ch), cell.width);
		if (MB_CUR_MAX > 1)
			assert_int_equal(wcwidth((wchar_t)cell.ch), cell.width);
	}
}

static void layout_is_capped(void **state)
{
	(void)state;
	size_t len = 1 << 20;
	uint8_t *much = malloc(len);
	assert_non_null(much);
	memset(much, 'x', len);
	assert_int_equal(text_width((struct evl_str){much, len}, false), TEXT_CAP);
	free(much);
}

static void durations(void **state)
{
	(void)state;
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{0, "0 s"},
		{1, "1 ns"},
		{999, "999 ns"},
		{1000, "1.00 µs"},
		{86800, "86.8 µs"},
		{412000, "412 µs"},
		{999499, "999 µs"},
		{999500, "1.00 ms"},
		{3190000, "3.19 ms"},
		{9994999, "9.99 ms"},
		{9995000, "10.0 ms"},
		{82100000, "82.1 ms"},
		{999499999, "999 ms"},
		{999500000, "1.00 s"},
		{12480000000, "12.48 s"},
		{59994999999, "59.99 s"},
		{59995000000, "1m 0s"},
		{200000000000, "3m 20s"},
		{1455000000000, "24m 15s"},
		{3599600000000, "1h 0m"},
		{7500000000000, "2h 5m"},
		{100000000000000, "1d 3h"},
		{UINT64_MAX, "213503d 23h"},
	};
	char out[TEXT_ROOM];
	for (size_t i = 0; i < countof(cases); i++)
		assert_string_equal(text_duration(out, cases[i].ns), cases[i].text);
}

static void sizes_and_counts(void **state)
{
	(void)state;
	char out[TEXT_ROOM];
	assert_string_equal(text_bytes(out, 0), "0 B");
	assert_string_equal(text_bytes(out, 999), "999 B");
	assert_string_equal(text_bytes(out, 1000), "1.0 kB");
	assert_string_equal(text_bytes(out, 421000000), "421 MB");
	assert_string_equal(text_bytes(out, 2100000000), "2.1 GB");
	assert_string_equal(text_bytes(out, UINT64_MAX), ">18 EB");
	assert_string_equal(text_bytes(out, UINT64_MAX - 1), "18 EB");
	assert_string_equal(text_bytes(out, 999600000), "1.0 GB");
	assert_string_equal(text_count(out, 0), "0");
	assert_string_equal(text_count(out, 999), "999");
	assert_string_equal(text_count(out, 1000), "1,000");
	assert_string_equal(text_count(out, 4213871), "4,213,871");
	assert_string_equal(text_count(out, UINT64_MAX), "18,446,744,073,709,551,615");
	assert_string_equal(text_time(out, 3199871104), "3.199871104");
	assert_string_equal(text_time(out, UINT64_MAX), "18446744073.709551615");
}

static void shares_are_never_quite_all(void **state)
{
	(void)state;
	char out[TEXT_ROOM];
	assert_string_equal(text_share(out, 0), "0.0%");
	assert_string_equal(text_of_caps(out, 2.34, 4), "2.3/4");
	assert_string_equal(text_of_caps(out, 0.0234, 4), "0.02/4");
	assert_string_equal(text_of_caps(out, 0.00001, 4), "0.0/4");
	assert_string_equal(text_of_caps(out, 0, 4), "0.0/4");
	assert_string_equal(text_share(out, 1e-9), "<0.1%");
	assert_string_equal(text_share(out, 0.0006), "0.1%");
	assert_string_equal(text_share(out, 0.813), "81.3%");
	assert_string_equal(text_share(out, 0.99949), "99.9%");
	assert_string_equal(text_share(out, 0.9999), ">99.9%");
	assert_string_equal(text_share(out, 1), "100.0%");
	assert_string_equal(text_share(out, 7), "100.0%");
	assert_string_equal(text_share(out, -1), "0.0%");
	assert_string_equal(text_share(out, strtod("nan", NULL)), "0.0%");
}

/* Per cent below tenfold, then a factor; values below zero have none. */
static void differences_are_relative(void **state)
{
	static const struct {
		double from, by;
		const char *text;
	} of[] = {{100, 12.34, "+12.3%"}, {100, -40, "-40.0%"}, {-100, 40, "+40.0%"}, {100, 0, "0.0%"},
		{100, -0.0, "0.0%"}, {1e6, 1, "+<0.1%"}, {1e6, -1, "-<0.1%"}, {100, 100, "+100.0%"},
		{100, 512, "+512%"}, {100, 899.4, "+899%"}, {100, 900, "10.0x"}, {100, 1140, "12.4x"},
		{100, 9894, "99.9x"}, {100, 9895, "100x"}, {1, 4509, "4,510x"}, {1, 999998, "999,999x"},
		{1, 45e6, "4.5e+07x"}, {100, -512, "-512%"}, {-1, 12, "+1200%"}, {-1, 45e6, "+4.5e+09%"},
		{1, -45e6, "-4.5e+09%"}, {0, 5, ""}, {0, 0, ""}};
	(void)state;
	char out[TEXT_ROOM];
	for (size_t i = 0; i < countof(of); i++)
		assert_string_equal(text_relative(out, of[i].from, of[i].by), of[i].text);
	assert_string_equal(text_relative(out, strtod("nan", NULL), 1), "");
	assert_string_equal(text_relative(out, 1, strtod("nan", NULL)), "");
	assert_string_equal(text_relative(out, 1, strtod("inf", NULL)), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_is_itself),
		cmocka_unit_test(controls_become_pictures),
		cmocka_unit_test(bad_bytes_become_dots),
		cmocka_unit_test(nothing_unseen_passes),
		cmocka_unit_test(two_marks_at_most),
		cmocka_unit_test(ascii_has_stand_ins),
		cmocka_unit_test(every_code_point_is_safe),
		cmocka_unit_test(layout_is_capped),
		cmocka_unit_test(durations),
		cmocka_unit_test(sizes_and_counts),
		cmocka_unit_test(shares_are_never_quite_all),
		cmocka_unit_test(differences_are_relative),
	};
	/* widths come from the C library where the locale has UTF-8, from utf8proc where it has not: both hold */
	int failed = cmocka_run_group_tests_name("C", tests, NULL, NULL);
	if (setlocale(LC_CTYPE, "C.UTF-8"))
		failed += cmocka_run_group_tests_name("C.UTF-8", tests, NULL, NULL);
	return failed;
}
