/* The JSON writer and its base: growing buffers and UTF-8. */
#include "base/json.h"
#include "base/utf8.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct buf out;

static void assert_out(const char *want)
{
	assert_false(out.failed);
	buf_char(&out, 0);
	assert_string_equal(out.p, want);
	buf_clear(&out);
}

static int tear_down(void **state)
{
	(void)state;
	buf_free(&out);
	return 0;
}

static void commas(void **state)
{
	struct json j = {&out, false};
	(void)state;
	json_open(&j, '{');
	json_key(&j, "a");
	json_open(&j, '[');
	json_open(&j, '[');
	json_close(&j, ']');
	json_u64(&j, 1);
	json_open(&j, '{');
	json_key(&j, "x");
	json_null(&j);
	json_close(&j, '}');
	json_close(&j, ']');
	json_key(&j, "b");
	json_bool(&j, true);
	json_key(&j, "c");
	json_bool(&j, false);
	json_close(&j, '}');
	assert_out("{\"a\":[[],1,{\"x\":null}],\"b\":true,\"c\":false}");
}

static void integers(void **state)
{
	struct json j = {&out, false};
	(void)state;
	json_open(&j, '[');
	json_u64(&j, 0);
	json_u64(&j, 9);
	json_u64(&j, 10);
	json_u64(&j, 99);
	json_u64(&j, 100);
	json_u64(&j, UINT64_MAX);
	json_close(&j, ']');
	assert_out("[0,9,10,99,100,18446744073709551615]");
	buf_hex(&out, 0);
	buf_char(&out, ' ');
	buf_hex(&out, UINT64_MAX);
	buf_char(&out, ' ');
	buf_hex(&out, 0xabc0);
	assert_out("0 ffffffffffffffff abc0");
}

static void assert_double(double v, const char *want)
{
	struct json j = {&out, false};
	json_double(&j, v);
	assert_out(want);
}

static void doubles(void **state)
{
	(void)state;
	assert_double(0, "0");
	assert_double(-0.0, "-0");
	assert_double(-7, "-7");
	assert_double(999999999999999, "999999999999999");
	assert_double(-999999999999999, "-999999999999999");
	assert_double(1e15, "1e+15");
	assert_double(0.1, "0.1");
	assert_double(1.0 / 3, "0.3333333333333333");
	assert_double(-2.5e300, "-2.5e+300");
	assert_double(5e-324, "4.94065645841247e-324");
	assert_double(NAN, "null");
	assert_double(INFINITY, "null");
}

/* As printf and strtod have it. */
static void assert_shortest(double v)
{
	char want[40];
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(want, sizeof want, "%.*g", precision, v);
		if (strtod(want, NULL) == v)
			break;
	}
	assert_double(v, want);
}

/* Numbers of all usual sizes, shares, decimals and powers of 2 and their neighbours, sixteenths that are ties. */
static void doubles_have_the_shortest_digits(void **state)
{
	uint64_t random = 1;
	(void)state;
	for (int i = 0; i < 20000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		uint64_t a = random >> 34, b = random >> 13 & 0xfffff;
		assert_shortest(ldexp((double)(random >> 11 | 1), (int)(a % 90) - 93));
		assert_shortest(-(double)b / (double)(a + 1));
		assert_shortest((double)(random >> 14) + (double)(2 * (a % 8) + 1) / 16);
		for (int toward = -1; toward <= 1; toward++) {
			double decimal = (double)b * pow(10, -(double)(a % 17)), power = ldexp(1, (int)(a % 40) - 41);
			assert_shortest(toward ? nextafter(decimal + 1e-12, 2e9 * toward) : decimal + 1e-12);
			assert_shortest(toward ? nextafter(power, toward) : power);
		}
	}
}

/* A German locale is made for this, where the sources of locales are installed. */
static void doubles_have_a_point_everywhere(void **state)
{
	char dir[] = "/tmp/locale-XXXXXX", command[128];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(command, sizeof command, "localedef -f UTF-8 -i de_DE %s/de_DE.UTF-8 >/dev/null 2>&1", dir);
	int made = system(command);
	setenv("LOCPATH", dir, 1);
	bool german = made == 0 && setlocale(LC_NUMERIC, "de_DE.UTF-8");
	snprintf(command, sizeof command, "rm -r %s", dir);
	assert_int_equal(system(command), 0);
	if (!german) {
		print_message("skipped: no German locale can be made here\n");
		skip();
	}
	snprintf(command, sizeof command, "%.2f", 0.25);
	assert_string_equal(command, "0,25");
	assert_double(0.25, "0.25");
	assert_double(-2.5e300, "-2.5e+300");
	setlocale(LC_NUMERIC, "C");
}

static void assert_str(struct evl_str s, const char *want)
{
	struct json j = {&out, false};
	json_str(&j, s);
	assert_out(want);
}

static void strings(void **state)
{
	(void)state;
	assert_str(EVL_STR(""), "\"\"");
	assert_str(EVL_STR("a\"b\\c/\n\t"), "\"a\\\"b\\\\c/\\n\\t\"");
	assert_str(EVL_STR("\0\x1b\x7f"), "\"\\u0000\\u001b\\u007f\"");
	assert_str(EVL_STR("é☃😀"), "\"é☃😀\"");
	assert_str(EVL_STR("\xc3("), "\"\xef\xbf\xbd(\"");
	assert_str(EVL_STR("\xed\xa0\x80"), "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	assert_str(EVL_STR("\xe2\x80\xae"), "\"\\u202e\"");
	struct json j = {&out, false};
	json_hex(&j, EVL_STR("\x00\xff\x10"));
	assert_out("\"00ff10\"");
}

static void buffers_grow(void **state)
{
	size_t want = 0;
	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		buf_decimal(&out, i);
		want += i < 10 ? 1 : i < 100 ? 2 : i < 1000 ? 3 : 4;
	}
	assert_int_equal(out.len, want);
	assert_memory_equal(out.p, "0123456789101112", 16);
	assert_memory_equal(out.p + out.len - 8, "99989999", 8);
}

/* Data that does not fit is dropped and reported; earlier data stays. */
static void buffers_fail_softly(void **state)
{
	(void)state;
	buf_lit(&out, "kept");
	assert_false(buf_grow(&out, SIZE_MAX - 100));
	assert_true(out.failed);
	assert_int_equal(out.len, 4);
	assert_memory_equal(out.p, "kept", 4);
}

static void utf8_is_strict(void **state)
{
	static const char *const bad[] = {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xe0\x9f\xbf", "\xe2\x98",
		"\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80",
		"\xff", "a\xe2(\xa1"};
	static const char *const good[] = {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
		"\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
	(void)state;
	for (size_t i = 0; i < countof(bad); i++)
		assert_false(utf8_valid((struct evl_str){(const uint8_t *)bad[i], strlen(bad[i])}));
	for (size_t i = 0; i < countof(good); i++)
		assert_true(utf8_valid((struct evl_str){(const uint8_t *)good[i], strlen(good[i])}));
}

static void utf8_there_and_back(void **state)
{
	(void)state;
	for (uint32_t cp = 0; cp <= 0x10ffff; cp += cp < 0x3000 ? 1 : 97) {
		char bytes[UTF8_MAX];
		struct evl_str s = {(const uint8_t *)bytes, utf8_encode(cp, bytes)};
		bool surrogate = cp >= 0xd800 && cp <= 0xdfff;
		assert_int_equal(utf8_take(&s), surrogate ? UTF8_BAD : cp);
		assert_int_equal(s.len, surrogate ? 2 : 0);
	}
}

/* A byte that starts no sequence is taken alone. */
static void utf8_goes_on_after_bad_bytes(void **state)
{
	struct evl_str s = EVL_STR("\xe2\x98x");
	(void)state;
	assert_int_equal(utf8_take(&s), UTF8_BAD);
	assert_int_equal(utf8_take(&s), UTF8_BAD);
	assert_int_equal(utf8_take(&s), 'x');
	assert_int_equal(s.len, 0);
}

static void unseen(void **state)
{
	static const uint32_t yes[] = {0, 0x1b, 0x7f, 0x9b, 0xad, 0x61c, 0x200b, 0x200f, 0x2028, 0x202a, 0x202e, 0x2066,
		0x2069, 0xe000, 0xfeff, 0xfffe, 0x1ffff, 0xe0001, 0x10ffff};
	static const uint32_t no[] = {' ', '~', 0xa0, 0xe9, 0x2010, 0x2027, 0x2603, 0xfffd, 0x1f600};
	(void)state;
	for (size_t i = 0; i < countof(yes); i++)
		assert_true(utf8_unseen(yes[i]));
	for (size_t i = 0; i < countof(no); i++)
		assert_false(utf8_unseen(no[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(commas, tear_down),
		cmocka_unit_test_teardown(integers, tear_down),
		cmocka_unit_test_teardown(doubles, tear_down),
		cmocka_unit_test_teardown(doubles_have_the_shortest_digits, tear_down),
		cmocka_unit_test_teardown(doubles_have_a_point_everywhere, tear_down),
		cmocka_unit_test_teardown(strings, tear_down),
		cmocka_unit_test_teardown(buffers_grow, tear_down),
		cmocka_unit_test_teardown(buffers_fail_softly, tear_down),
		cmocka_unit_test(utf8_is_strict),
		cmocka_unit_test(utf8_there_and_back),
		cmocka_unit_test(utf8_goes_on_after_bad_bytes),
		cmocka_unit_test(unseen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
