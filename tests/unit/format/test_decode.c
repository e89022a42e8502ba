/* Payloads to values: whole, short, lying. Each payload is copied to memory of exactly its size, so that reading outside
 * of it is found. */
#include "format/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct evl_value values[EVL_MAX_FIELDS];
static uint8_t *payload;

static int decoded(uint16_t tag, int32_t size, const char *bytes, size_t len)
{
	const struct schema *s = schema_find(tag, size);
	assert_non_null(s);
	free(payload);
	payload = malloc(len ? len : 1);
	assert_non_null(payload);
	memcpy(payload, bytes, len);
	memset(values, 0xee, sizeof values);
	return decode(s, (struct evl_str){payload, len}, values);
}

#define DECODED(tag, size, literal) decoded(tag, size, literal, sizeof(literal) - 1)

static void assert_text(int i, const char *want)
{
	assert_int_equal(values[i].str.len, strlen(want));
	assert_memory_equal(values[i].str.p, want, strlen(want));
}

static int drop_payload(void **state)
{
	(void)state;
	free(payload);
	payload = NULL;
	return 0;
}

static void numbers(void **state)
{
	(void)state;
	assert_int_equal(DECODED(EVL_STOP_THREAD, 10, "\x80\0\0\1\0\x12\xff\xff\xff\xfe"), 3);
	assert_int_equal(values[0].u, 0x80000001);
	assert_int_equal(values[1].u, 18);
	assert_int_equal(values[2].u, 0xfffffffe);
	assert_int_equal(DECODED(EVL_PROF_BEGIN, 8, "\xff\xee\xdd\xcc\xbb\xaa\x99\x88"), 1);
	assert_true(values[0].u == 0xffeeddccbbaa9988);
	assert_int_equal(DECODED(EVL_GC_START, 0, ""), 0);
}

static void surplus_is_ignored(void **state)
{
	(void)state;
	assert_int_equal(DECODED(EVL_RUN_THREAD, 9, "\0\0\0\7zzzzz"), 1);
	assert_int_equal(values[0].u, 7);
	assert_int_equal(DECODED(EVL_HEAP_PROF_SAMPLE_STRING, -1, "\0\0\0\0\0\0\0\0\x20k\0surplus"), 3);
	assert_text(2, "k");
}

static void too_short(void **state)
{
	(void)state;
	assert_int_equal(DECODED(EVL_THREAD_LABEL, -1, "\0\0\1"), -1);
	assert_int_equal(DECODED(EVL_THREAD_LABEL, -1, ""), -1);
	assert_int_equal(DECODED(EVL_IPE, -1, "1234567"), -1);
	assert_int_equal(DECODED(EVL_INTERN_STRING, -1, "\0\0\1"), -1);
	assert_int_equal(DECODED(EVL_HEAP_PROF_BEGIN, -1, "\0\0\0\0\0\0\0\0\1\0\0\0"), -1);
}

static void rest_of_the_payload(void **state)
{
	(void)state;
	assert_int_equal(DECODED(EVL_THREAD_LABEL, -1, "\0\0\0\5main\0x"), 2);
	assert_int_equal(values[0].u, 5);
	assert_int_equal(values[1].str.len, 6);
	assert_int_equal(DECODED(EVL_USER_MSG, -1, ""), 1);
	assert_int_equal(values[0].str.len, 0);
	assert_int_equal(DECODED(EVL_INTERN_STRING, -1, "abc\0\0\0\x09"), 2);
	assert_text(0, "abc");
	assert_int_equal(values[1].u, 9);
	assert_int_equal(DECODED(EVL_INTERN_STRING, -1, "\0\0\0\x09"), 2);
	assert_int_equal(values[0].str.len, 0);
}

static void texts_with_nul(void **state)
{
	(void)state;
	assert_int_equal(DECODED(EVL_HEAP_PROF_COST_CENTRE, -1, "\0\0\0\1foo\0\0A.hs:1\0\1"), 5);
	assert_text(1, "foo");
	assert_text(2, "");
	assert_text(3, "A.hs:1");
	assert_int_equal(values[4].u, 1);
}

/* Older GHCs wrote fewer fields; a text that is not ended ends with its payload. */
static void missing_at_the_end(void **state)
{
	(void)state;
	assert_int_equal(DECODED(EVL_TICKY_COUNTER_DEF, -1, "\0\0\0\0\0\0\0\1\0\2>L\0x\0"), 4);
	assert_text(3, "x");
	assert_int_equal(values[4].u, 0);
	assert_int_equal(values[5].str.len, 0);
	assert_int_equal(DECODED(EVL_HEAP_PROF_COST_CENTRE, -1, "\0\0\0\1foo"), 2);
	assert_text(1, "foo");
	assert_int_equal(values[2].str.len, 0);
	assert_int_equal(values[4].u, 0);
	assert_int_equal(DECODED(EVL_TICKY_COUNTER_DEF, -1, "\0\0\0\0\0\0\0\1\0\2>L\0x\0\1\2\3"), 4);
	assert_int_equal(values[4].u, 0);
}

static void stacks(void **state)
{
	static const char whole[] = "\0\0\0\0\0\0\0\0\x10\2\0\0\0\7\xff\0\0\1";
	(void)state;
	assert_int_equal(DECODED(EVL_HEAP_PROF_SAMPLE_COST_CENTRE, -1, whole), 3);
	assert_int_equal(values[2].str.len, 8);
	assert_int_equal(be32(values[2].str.p), 7);
	assert_int_equal(be32(values[2].str.p + 4), 0xff000001);
	/* deeper than the payload: clamped to whole ids */
	assert_int_equal(decoded(EVL_HEAP_PROF_SAMPLE_COST_CENTRE, -1, whole, 16), 3);
	assert_int_equal(values[2].str.len, 4);
	assert_int_equal(decoded(EVL_HEAP_PROF_SAMPLE_COST_CENTRE, -1, whole, 10), 3);
	assert_int_equal(values[2].str.len, 0);
	assert_int_equal(decoded(EVL_HEAP_PROF_SAMPLE_COST_CENTRE, -1, whole, 9), 2);
	assert_int_equal(values[2].str.len, 0);
}

static void lists_of_texts(void **state)
{
	struct evl_str rest, text;
	(void)state;
	assert_int_equal(DECODED(EVL_PROGRAM_ARGS, -1, "\0\0\0\0./a\0\0-b\0c"), 2);
	rest = values[1].str;
	static const char *const want[] = {"./a", "", "-b", "c"};
	for (size_t i = 0; i < countof(want); i++) {
		assert_true(decode_next_str(&rest, &text));
		assert_int_equal(text.len, strlen(want[i]));
		assert_memory_equal(text.p, want[i], text.len);
	}
	assert_false(decode_next_str(&rest, &text));
}

static void fields_by_name(void **state)
{
	const struct schema *s = schema_find(EVL_GC_STATS_GHC, 58);
	(void)state;
	assert_int_equal(decode_field(s, "capset"), 0);
	assert_int_equal(decode_field(s, "par_balanced_copied"), 8);
	assert_int_equal(decode_field(s, "par"), -1);
	assert_int_equal(decode_field(schema_find(EVL_GC_STATS_GHC, 50), "par_balanced_copied"), -1);
}

/* Every prefix of a payload of every layout, full of ones: no length that it claims is believed. */
static void no_prefix_reads_outside(void **state)
{
	char ones[64];
	size_t n;
	const struct schema *rows = schema_rows(&n);
	(void)state;
	memset(ones, 0xff, sizeof ones);
	for (size_t i = 0; i < n; i++) {
		for (size_t len = 0; len <= sizeof ones; len++) {
			int fields = decoded(rows[i].tag, rows[i].variable ? -1 : rows[i].size, ones, len);
			assert_true(fields >= -1 && fields <= rows[i].n_fields);
			if (!rows[i].variable)
				assert_int_equal(fields, len < rows[i].size ? -1 : rows[i].n_fields);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(numbers, drop_payload),
		cmocka_unit_test_teardown(surplus_is_ignored, drop_payload),
		cmocka_unit_test_teardown(too_short, drop_payload),
		cmocka_unit_test_teardown(rest_of_the_payload, drop_payload),
		cmocka_unit_test_teardown(texts_with_nul, drop_payload),
		cmocka_unit_test_teardown(missing_at_the_end, drop_payload),
		cmocka_unit_test_teardown(stacks, drop_payload),
		cmocka_unit_test_teardown(lists_of_texts, drop_payload),
		cmocka_unit_test(fields_by_name),
		cmocka_unit_test_teardown(no_prefix_reads_outside, drop_payload),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
