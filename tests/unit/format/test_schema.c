/* The table of events as a whole: tags, names, layouts. */
#include "format/schema.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* The payloads that GHC has written, from its own tables. */
static void sizes_are_those_of_ghc(void **state)
{
	static const struct {
		uint16_t tag;
		int32_t size;
	} known[] = {
		/* clang-format off */
		{0, 4}, {1, 4}, {2, 10}, {3, 4}, {4, 6}, {8, 6}, {9, 0}, {10, 0}, {15, 4}, {17, 2}, {18, 14}, {25, 6},
		{26, 4}, {27, 6}, {28, 6}, {32, 8}, {33, 8}, {34, 56}, {39, 2}, {43, 16}, {45, 2}, {48, 2}, {49, 12},
		{50, 12}, {51, 12}, {52, 38}, {53, 58}, {54, 0}, {55, 18}, {56, 12}, {57, 8}, {60, 0}, {62, 4}, {64, 8},
		{65, 10}, {66, 2}, {67, 19}, {68, 23}, {69, 17}, {90, 16}, {91, 12}, {100, 12}, {101, 8}, {103, 12},
		{104, 12}, {110, 4}, {141, 20}, {142, 12}, {162, 8}, {165, 8}, {166, 16}, {168, 8}, {200, 0}, {201, 4},
		{206, 2}, {207, 14}, {208, 8}, {211, 32}, {212, 0},
		/* clang-format on */
	};
	(void)state;
	for (size_t i = 0; i < countof(known); i++) {
		const struct schema *s = schema_find(known[i].tag, known[i].size);
		assert_non_null(s);
		assert_int_equal(s->tag, known[i].tag);
		assert_int_equal(s->size, known[i].size);
		assert_null(s->until);
	}
}

static void texts_are_variable(void **state)
{
	static const uint16_t tags[] = {
		16, 19, 23, 24, 29, 30, 31, 42, 44, 58, 140, 160, 161, 163, 164, 167, 169, 181, 210};
	(void)state;
	for (size_t i = 0; i < countof(tags); i++) {
		assert_non_null(schema_find(tags[i], -1));
		assert_true(schema_find(tags[i], -1)->variable);
		assert_null(schema_find(tags[i], 100)); /* declared as fixed: not ours */
	}
	assert_null(schema_find(EVL_RUN_THREAD, -1));
}

static void the_largest_layout_that_fits(void **state)
{
	(void)state;
	assert_int_equal(schema_find(EVL_GC_STATS_GHC, 58)->n_fields, 9);
	assert_int_equal(schema_find(EVL_GC_STATS_GHC, 57)->n_fields, 8);
	assert_int_equal(schema_find(EVL_GC_STATS_GHC, 50)->n_fields, 8);
	assert_null(schema_find(EVL_GC_STATS_GHC, 49));
	assert_int_equal(schema_find(EVL_STOP_THREAD, 6)->n_fields, 2);
	assert_null(schema_find(EVL_STOP_THREAD, 6)->text);
	assert_int_equal(schema_find(EVL_STOP_THREAD, 65534)->n_fields, 3);
	assert_string_equal(schema_find(EVL_NONMOVING_HEAP_CENSUS, 13)->fields[0].name, "log_block_size");
	assert_string_equal(schema_find(EVL_NONMOVING_HEAP_CENSUS, 14)->fields[0].name, "block_size");
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(schema_name(1), "RUN_THREAD");
	assert_string_equal(schema_name(212), "TICKY_BEGIN_SAMPLE");
	assert_null(schema_name(209));
	assert_null(schema_name(65535));
	assert_null(schema_find(209, 0));
}

static bool is_key(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) && *p != '_')
			return false;
	static const char *const taken[] = {"t", "cap", "tag", "name", "desc", "raw"};
	for (size_t i = 0; i < countof(taken); i++)
		if (strcmp(taken[i], name) == 0)
			return false;
	return true;
}

/* A field must not be named as another of its event, nor as what every line of JSON has anyway. */
static void fields_are_good_keys(void **state)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	(void)state;
	assert_true(n > 100);
	for (const struct schema *s = rows; s < rows + n; s++) {
		for (int i = 0; i < s->n_fields; i++) {
			assert_true(is_key(s->fields[i].name));
			for (int k = 0; k < i; k++)
				assert_string_not_equal(s->fields[i].name, s->fields[k].name);
		}
	}
}

/* The first row of a tag is the layout of today; sizes and counts are what the fields say. */
static void rows_are_consistent(void **state)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	(void)state;
	for (size_t i = 0; i < n; i++) {
		unsigned size = 0, texts = 0;
		for (int k = 0; k < rows[i].n_fields; k++) {
			size += schema_width(rows[i].fields[k].kind);
			texts += schema_width(rows[i].fields[k].kind) == 0;
		}
		assert_int_equal(rows[i].size, size);
		assert_int_equal(rows[i].variable, texts > 0);
		assert_true(rows[i].n_fields <= EVL_MAX_FIELDS);
		bool first = true;
		for (size_t k = 0; k < i; k++)
			first = first && rows[k].tag != rows[i].tag;
		assert_int_equal(first, rows[i].until == NULL);
		assert_string_equal(rows[i].name, schema_name(rows[i].tag));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_those_of_ghc),
		cmocka_unit_test(texts_are_variable),
		cmocka_unit_test(the_largest_layout_that_fits),
		cmocka_unit_test(names),
		cmocka_unit_test(fields_are_good_keys),
		cmocka_unit_test(rows_are_consistent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
