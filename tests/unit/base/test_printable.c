/* Text for terminals: nothing that one would obey comes through, all else as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/printable.h"
#include "base/utf8.h"

static void becomes(const char *text, struct printable how, const char *want)
{
	struct buf out = {0};
	printable_put(&out, (struct evl_str){(const uint8_t *)text, strlen(text)}, how);
	buf_char(&out, 0);
	assert_string_equal(out.p, want);
	buf_free(&out);
}

static void what_a_terminal_obeys_is_escaped(void **state)
{
	(void)state;
	becomes("a\x1b]0;b\a\n\tc", (struct printable){0}, "a\\x1b]0;b\\x07\\x0a\\x09c");
	becomes("a\x1b]0;b\a\n\tc\r", (struct printable){.lines = true}, "a\\x1b]0;b\\x07\n\tc\\x0d");
	becomes("é\u202e\xc2\x9b\x9b\x7f", (struct printable){0}, "é\\u{202e}\\u{9b}\\x9b\\x7f");
	becomes("é€", (struct printable){.ascii = true}, "\\u{e9}\\u{20ac}");
}

/* No code point, and no byte, leads to a control. */
static void nothing_comes_through(void **state)
{
	(void)state;
	for (uint32_t cp = 0; cp < 0x110000; cp++) {
		struct buf out = {0};
		char utf8[UTF8_MAX];
		size_t len = cp < 0x100 ? 1 : utf8_encode(cp, utf8);
		if (cp < 0x100)
			utf8[0] = (char)cp;
		printable_put(&out, (struct evl_str){(const uint8_t *)utf8, len}, (struct printable){0});
		for (struct evl_str s = {(const uint8_t *)out.p, out.len}; s.len;) {
			uint32_t got = utf8_take(&s);
			assert_true(got != UTF8_BAD && !utf8_unseen(got));
		}
		buf_free(&out);
	}
}

static size_t whole(const char *text) { return printable_whole((struct evl_str){(const uint8_t *)text, strlen(text)}); }

static void a_sequence_waits_for_its_rest(void **state)
{
	(void)state;
	assert_int_equal(whole(""), 0);
	assert_int_equal(whole("ab"), 2);
	assert_int_equal(whole("aé"), 3);
	assert_int_equal(whole("a\xc3"), 1);
	assert_int_equal(whole("a\xe2\x82"), 1);
	assert_int_equal(whole("a\xf0\x9f\x98"), 1);
	assert_int_equal(whole("a\xf0\x9f\x98\x80"), 5);
	assert_int_equal(whole("\x80\x80\x80\x80"), 4);
	assert_int_equal(whole("\xff"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_terminal_obeys_is_escaped),
		cmocka_unit_test(nothing_comes_through),
		cmocka_unit_test(a_sequence_waits_for_its_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
