/* Groups of heap bands: their names, and on real logs their bytes in each sample, against sums by name. */
#include "logs.h"

#include "query/census_label.h"

#include <stdio.h>
#include <stdlib.h>

static void is_in(const char *how, const char *label, const char *module, const char *want)
{
	struct census_grouping g;
	struct buf out = {0};
	assert_int_equal(census_grouping_parse(&g, how, NULL), 0);
	census_group_name(&g, (struct evl_str){(const uint8_t *)label, strlen(label)},
		(struct evl_str){(const uint8_t *)module, strlen(module)}, &out);
	buf_char(&out, '\0');
	assert_string_equal(out.p, want);
	buf_free(&out);
	census_grouping_free(&g);
}

static void bands_are_in_groups(void **state)
{
	(void)state;
	is_in("package", "base:GHC.Maybe.Just", "", "base");
	is_in("package", "containers-0.6.7:Data.Map.Internal.Bin", "", "containers-0.6.7");
	is_in("package", "ARR_WORDS", "", "ARR_WORDS");
	is_in("package", "go", "Main", "Main");
	is_in("module", "base:GHC.Maybe.Just", "", "GHC.Maybe");
	is_in("module", "ghc-prim:GHC.Types.:", "", "GHC.Types");
	is_in("module", "base:GHC.Base.:|", "", "GHC.Base");
	is_in("module", "main:Main.Op..+", "", "Main.Op");
	is_in("module", "main:Main.", "", "main:Main.");
	is_in("module", "THUNK_1_1", "", "THUNK_1_1");
	is_in("module", "f/g/main", "Data.Map", "Data.Map");
	is_in("prefix", "base:GHC.Maybe.Just", "", "base");
	is_in("prefix 2", "base:GHC.Maybe.Just", "", "base:GHC");
	is_in("prefix 2", "Data.Map.Internal", "", "Data.Map");
	is_in("prefix 9", "Data.Map.Internal", "", "Data.Map.Internal");
	is_in("prefix", ":", "", ":");
	is_in("prefix", "Main.", "", "Main.");
	is_in("/Map.*/maps/", "containers:Data.Map.Internal.Bin", "", "containers:Data.maps");
	is_in("/^([a-z]+)-?[0-9.]*:.*$/pkg \\1, &/", "base:A.B", "", "pkg base, base:A.B");
	is_in("|a/b|x\\|y|", "1a/b2", "", "1x|y2");
	is_in("/x*/-/", "", "", "");
	is_in("/nowhere/x/", "Main.Box", "", "Main.Box");
	is_in("/Main/x", "Main.Box", "", "x.Box");
	is_in("none", "Main.Box", "Main", "Main.Box");
}

static void what_is_no_grouping_is_refused(void **state)
{
	static const char *const wrong[] = {
		"modules", "prefix 0", "prefix x", "prefix 2x", "/", "//x/", "/x", "/(/x/", "/x/y/z"};
	(void)state;
	for (size_t i = 0; i < countof(wrong); i++) {
		struct census_grouping g;
		struct evl_err err = {0};
		assert_int_equal(census_grouping_parse(&g, wrong[i], &err), EVL_USAGE);
		assert_true(err.text[0]);
	}
}

/* --- real logs --- */

struct sum {
	char name[GROUP_NAME + 1];
	uint64_t bytes, peak;
};

static struct sum *sum_of(struct sum *sums, size_t *n, struct evl_str name)
{
	size_t i = 0;
	while (i < *n && (strlen(sums[i].name) != name.len || memcmp(sums[i].name, name.p, name.len) != 0))
		i++;
	if (i == *n) {
		sums[i] = (struct sum){.bytes = 0};
		memcpy(sums[i].name, name.p, name.len);
		(*n)++;
	}
	return &sums[i];
}

/* A slow census, band by band. */
static size_t add_up(const struct evl_log *log, struct census_survey *plain, const struct census_grouping *g,
	size_t sample, struct sum *sums, size_t n)
{
	const struct prof_naming names = evl_naming(log);
	struct census_values v = {0};
	assert_int_equal(
		census_values_read(&v, &plain->bands, &log->census, &log->blocks, plain->samples[sample], 0, NULL), 0);
	for (size_t i = 0; i < n; i++)
		sums[i].bytes = 0;
	for (uint32_t i = 0; i < bands_count(&plain->bands); i++) {
		const struct band *band = bands_at(&plain->bands, i);
		struct buf label = {0}, name = {0}, full = {0};
		census_label(&names, band, &label);
		buf_char(&label, '\0');
		census_name(&names, band, &full);
		size_t own = label.len - 1; /* the module is what is in front of the name */
		struct evl_str module = {0};
		if (band->is_stack || band->ipe) {
			const char *dot = memrchr(full.p, '.', full.len);
			module = (struct evl_str){(const uint8_t *)full.p, dot ? (size_t)(dot - full.p) : 0};
		}
		census_group_name(g, (struct evl_str){(const uint8_t *)label.p, own}, module, &name);
		struct sum *sum = sum_of(sums, &n, (struct evl_str){(const uint8_t *)name.p, name.len});
		sum->bytes += census_bytes(&v, i);
		buf_free(&label);
		buf_free(&name);
		buf_free(&full);
	}
	for (size_t i = 0; i < n; i++)
		sums[i].peak = sums[i].bytes > sums[i].peak ? sums[i].bytes : sums[i].peak;
	census_values_free(&v);
	return n;
}

static void check_groups(const struct evl_log *log, const char *how)
{
	enum { MOST = 4096 };
	struct census_run run = {.census = &log->census, .blocks = &log->blocks};
	struct census_survey plain, grouped;
	struct census_grouping g;
	struct sum *sums = calloc(MOST, sizeof *sums);
	size_t n = 0;
	assert_non_null(sums);
	assert_int_equal(census_grouping_parse(&g, how, NULL), 0);
	assert_int_equal(census_survey(&plain, &run), 0);
	assert_int_equal(census_resolve(&plain.bands, log, NULL), 0);
	assert_int_equal(census_survey(&grouped, &run), 0);
	assert_int_equal(census_resolve(&grouped.bands, log, NULL), 0);
	assert_int_equal(census_group_as(&grouped, log, how, &run), 0);
	for (size_t s = 0; s < plain.n; s++) {
		struct census_values v = {0};
		n = add_up(log, &plain, &g, s, sums, n);
		assert_true(n < MOST);
		assert_int_equal(
			census_values_read(&v, &grouped.bands, &log->census, &log->blocks, grouped.samples[s], 0, NULL),
			0);
		assert_int_equal(bands_count(&grouped.bands), n);
		assert_int_equal(v.total, plain.totals[s]);
		for (size_t i = 0; i < n; i++) {
			struct band *band = bands_find(
				&grouped.bands, (struct evl_str){(const uint8_t *)sums[i].name, strlen(sums[i].name)});
			assert_non_null(band);
			assert_int_equal(census_bytes(&v, band->number), sums[i].bytes);
			if (s + 1 == plain.n)
				assert_int_equal(band->peak, sums[i].peak);
		}
		census_values_free(&v);
	}
	size_t n_plain = bands_count(&plain.bands);
	census_ungroup(&grouped);
	assert_int_equal(bands_count(&grouped.bands), n_plain);
	census_survey_free(&plain);
	census_survey_free(&grouped);
	census_grouping_free(&g);
	free(sums);
}

static void groups_are_sums_of_their_bands(void **state)
{
	static const char *const names[] = {
		"9.6.6-leaky-hT", "9.10.3-leaky-hc-late", "9.0.2-leaky-hm", "9.0.2-leaky-hr"};
	static const char *const ways[] = {
		"package", "module", "prefix", "prefix 2", "/.*Main.*/mine/", "/^.(.).*$/\\1/"};
	(void)state;
	for (size_t i = 0; i < countof(names); i++) {
		char path[128];
		snprintf(path, sizeof path, "tests/logs/%s.eventlog", names[i]);
		struct evl_log *log = walked_file(path);
		for (size_t k = 0; k < countof(ways); k++)
			check_groups(log, ways[k]);
		evl_close(log);
	}
}

/* It is as it was. */
static void a_cancelled_grouping_changes_nothing(void **state)
{
	(void)state;
	struct evl_log *log = walked_file("tests/logs/9.6.6-leaky-hT.eventlog");
	struct census_run run = {.census = &log->census, .blocks = &log->blocks};
	struct census_survey s;
	atomic_bool cancel = true;
	assert_int_equal(census_survey(&s, &run), 0);
	size_t n = bands_count(&s.bands);
	run.cancel = &cancel;
	assert_int_equal(census_group_as(&s, log, "module", &run), EVL_CANCELLED);
	assert_int_equal(bands_count(&s.bands), n);
	assert_null(s.bands.members);
	census_survey_free(&s);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bands_are_in_groups),
		cmocka_unit_test(what_is_no_grouping_is_refused), cmocka_unit_test(groups_are_sums_of_their_bands),
		cmocka_unit_test(a_cancelled_grouping_changes_nothing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
