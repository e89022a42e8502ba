/* Files of ipedb and ccdb 0.2: the entries of their tables, and cost centres that a log does not define. */
#include "logs.h"

#include "exported.h"
#include "saved.h"

#include "exe/ipedb.h"
#include "exe/saved_table.h"
#include "prof/ccdb.h"
#include "query/exe_match.h"

#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

static char dir[] = "/tmp/evtui-ccdb-XXXXXX", path[64];

static void save(const void *bytes, size_t len)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* --- tables -------------------------------------------------------------------------------------------------------- */

enum { PAIRS = 400, LARGE = 123, LARGE_LEN = 10000 };

/* Keys 7, 17, 27, …; one value takes three pages. */
static void make_pairs(struct saved_pair *pairs)
{
	for (unsigned i = 0; i < PAIRS; i++) {
		pairs[i] = (struct saved_pair){.key = 10 * (uint64_t)i + 7};
		size_t len = i == LARGE ? LARGE_LEN : i % 61;
		for (size_t k = 0; k < len; k++)
			buf_char(&pairs[i].value, (char)(i + k));
	}
}

static void drop_pairs(struct saved_pair *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_free(&pairs[i].value);
}

static void find_all(struct source *source, const struct saved_pair *pairs, unsigned size)
{
	struct saved_table t;
	struct evl_str value;
	struct evl_err err = {0};
	if (saved_table_open(&t, source, "table", &err) < 0)
		fail_msg("%s", err.text);
	for (unsigned i = 0; i < PAIRS; i++) {
		assert_true(saved_table_find(&t, pairs[i].key, size, &value));
		assert_int_equal(value.len, pairs[i].value.len);
		assert_true(!value.len || memcmp(value.p, pairs[i].value.p, value.len) == 0);
		assert_false(saved_table_find(&t, pairs[i].key + 1, size, &value));
		assert_false(saved_table_find(&t, pairs[i].key, 12 - size, &value)); /* keys of another size */
	}
	saved_table_close(&t);
}

static void every_value_is_found(void **state)
{
	struct saved_pair pairs[PAIRS];
	(void)state;
	make_pairs(pairs);
	for (unsigned size = 4; size <= 8; size += 4) {
		struct buf tar = {0};
		struct source source;
		saved_put_archive(&tar, pairs, PAIRS, size);
		source_from_memory(&source, tar.p, tar.len);
		find_all(&source, pairs, size);
#ifdef HAVE_ZLIB
		z_stream z = {.next_in = (unsigned char *)tar.p, .avail_in = (unsigned)tar.len};
		unsigned char *packed = malloc(tar.len + 1024);
		assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
		z.next_out = packed;
		z.avail_out = (unsigned)tar.len + 1024;
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		source_from_memory(&source, packed, z.total_out);
		find_all(&source, pairs, size);
		deflateEnd(&z);
		free(packed);
#endif
		buf_free(&tar);
	}
	drop_pairs(pairs, PAIRS);
}

/* --- info tables ----------------------------------------------------------------------------------------------------- */

static void ipedb_entries(void **state)
{
	static const char *const places[] = {"src/Main.hs:12:3-9", ":", "M.hs:(12,9)-(14,20)", "M.hs:1:2"};
	struct saved_pair pairs[countof(places)];
	struct buf tar = {0};
	struct source source;
	struct ipedb *db;
	struct ipe_entry entry;
	(void)state;
	for (size_t i = 0; i < countof(places); i++) {
		struct buf *v = &pairs[i].value;
		pairs[i] = (struct saved_pair){.key = 0x400040 + i};
		saved_put_text(v, EVL_STR("go_info"));
		saved_be(v, 16 + i, 8);
		saved_put_text(v, EVL_STR("Int -> Int"));
		saved_put_text(v, EVL_STR("f.\xc3\x97"));
		saved_put_text(v, EVL_STR("Main"));
		saved_put_place(v, places[i]);
	}
	saved_put_archive(&tar, pairs, countof(places), 8);
	source_from_memory(&source, tar.p, tar.len);
	assert_int_equal(ipedb_open(&db, &source, "names", NULL), 0);
	for (size_t i = 0; i < countof(places); i++) {
		char closure[8];
		assert_true(ipedb_find(db, pairs[i].key, &entry));
		snprintf(closure, sizeof closure, "%zu", 16 + i);
		assert_int_equal(entry.id, pairs[i].key);
		assert_true(str_is(entry.table, "go_info") && str_is(entry.closure, closure));
		assert_true(str_is(entry.type, "Int -> Int") && str_is(entry.label, "f.\xc3\x97"));
		assert_true(str_is(entry.module, "Main") && str_is(entry.location, places[i]));
	}
	assert_false(ipedb_find(db, 0x400050, &entry));
	ipedb_close(db);
	drop_pairs(pairs, countof(places));
	buf_free(&tar);
}

/* --- cost centres -------------------------------------------------------------------------------------------------- */

static const struct centre {
	uint32_t id;
	const char *label, *module, *place;
	bool caf;
} centres[] = {{1, "MAIN", "MAIN", "<built-in>", false}, {2, "GC", "GC", "<built-in>", false},
	{7, "go", "Main", "src/Main.hs:12:3-9", false}, {9, "CAF", "Data.Map", "<entire-module>", true}};
enum { CENTRES = countof(centres) };

/* One that defines the first n centres and has samples of all. */
static struct built make_log(size_t n)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	for (size_t i = 0; i < n; i++)
		put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", centres[i].id, centres[i].label, 0u,
			centres[i].module, 0u, centres[i].place, 0u, (unsigned)centres[i].caf);
	for (unsigned t = 2; t < 20; t++)
		put(&b, t, EVL_PROF_SAMPLE_COST_CENTRE, "48144", 0u, (uint64_t)t, 2u, centres[t % CENTRES].id, 1u);
	block_end(&b, 100);
	return b;
}

/* A file of the first n centres; `last` is the name of the last one (NULL: its own). */
static void save_centres(size_t n, const char *last)
{
	struct saved_pair pairs[CENTRES] = {0};
	struct buf tar = {0};
	for (size_t i = 0; i < n; i++) {
		bool placed = *centres[i].place != '<';
		const char *label = last && i == n - 1 ? last : centres[i].label;
		pairs[i].key = centres[i].id;
		saved_put_text(&pairs[i].value, str_of(label));
		saved_put_text(&pairs[i].value, str_of(centres[i].module));
		saved_put_place(&pairs[i].value, placed ? centres[i].place : ":");
		buf_char(&pairs[i].value, centres[i].caf);
	}
	saved_put_archive(&tar, pairs, n, 4);
	save(tar.p, tar.len);
	drop_pairs(pairs, n);
	buf_free(&tar);
}

static struct evl_err use(struct evl_log *log)
{
	struct ccdb *db;
	struct evl_err err = {0};
	if (ccdb_match(&db, log, path, &err) == 0)
		evl_use_ccdb(log, db);
	return err;
}

/* A log without definitions says with the file what the one with them says. */
static void centres_of_a_file(void **state)
{
	struct built with = make_log(CENTRES), without = make_log(0), half = make_log(2);
	struct evl_log *told = walked(&with), *bare = walked(&without), *some = walked(&half);
	struct cost_centre c;
	(void)state;
	save_centres(CENTRES, NULL);
	assert_false(evl_cost_centre(bare, 7, &c));
	assert_int_equal(use(bare).code, 0);
	assert_int_equal(use(some).code, 0);
	for (size_t i = 0; i < CENTRES; i++) {
		struct cost_centre want;
		assert_true(evl_cost_centre(told, centres[i].id, &want));
		assert_true(evl_cost_centre(bare, centres[i].id, &c));
		assert_true(str_order(c.label, want.label) == 0 && str_order(c.module, want.module) == 0);
		assert_true(str_order(c.location, want.location) == 0);
		assert_int_equal(c.is_caf, want.is_caf);
		assert_int_equal(c.is_rts, want.is_rts);
	}
	char *a = exported(told, "folded", 0, UINT64_MAX), *b = exported(bare, "folded", 0, UINT64_MAX),
	     *d = exported(some, "folded", 0, UINT64_MAX);
	assert_non_null(strstr(a, "MAIN.MAIN;Main.go 5\n"));
	assert_string_equal(a, b);
	assert_string_equal(a, d);
	free(a);
	free(b);
	free(d);
	done(told, &with);
	done(bare, &without);
	done(some, &half);
}

static void files_of_other_programs_are_refused(void **state)
{
	struct built with = make_log(CENTRES), without = make_log(0);
	struct evl_log *told = walked(&with), *bare = walked(&without);
	(void)state;
	save_centres(CENTRES - 1, NULL);
	assert_non_null(strstr(use(bare).text, "another program: it lacks cost centre 9"));
	save_centres(CENTRES - 1, "stop");
	assert_non_null(strstr(use(told).text, "another program: it has another name for cost centre 7"));
	save("SQLite format 3", 16);
	assert_non_null(strstr(use(bare).text, "not a table of ipedb or ccdb"));
	save("ustar", 5);
	assert_non_null(strstr(use(bare).text, "not a table of ipedb or ccdb"));
	save_centres(CENTRES, NULL);
	assert_int_equal(truncate(path, 3 * SAVED_BLOCK + SAVED_PAGE), 0);
	assert_non_null(strstr(use(bare).text, "the archive is truncated"));
	save("", 0);
	assert_int_equal(use(bare).code, EVL_EMPTY);
	done(told, &with);
	done(bare, &without);
}

/* An archive of n runs without entries. */
static struct evl_err error_with_runs(struct evl_log *log, size_t n)
{
	struct buf tar = {0}, run = {0};
	for (size_t i = 0; i < n; i++)
		saved_put_file(&tar, "data/1.keyops", &run);
	save(tar.p, tar.len);
	buf_free(&tar);
	return use(log);
}

/* Else each lookup in a forged file takes as long as there are runs. */
static void the_number_of_runs_is_bounded(void **state)
{
	struct built built = make_log(0);
	struct evl_log *log = walked(&built);
	(void)state;
	assert_null(strstr(error_with_runs(log, 128).text, "runs"));
	assert_non_null(strstr(error_with_runs(log, 129).text, "has too many runs"));
	done(log, &built);
}

static void any_damage_is_survived(void **state)
{
	struct built without = make_log(0);
	struct evl_log *bare = walked(&without);
	static uint8_t bytes[1 << 15], original[1 << 15];
	(void)state;
	save_centres(CENTRES, NULL);
	FILE *f = fopen(path, "rb");
	size_t len = fread(original, 1, sizeof original, f);
	fclose(f);
	assert_in_range(len, 1, sizeof original - 1);
	for (size_t i = 0; i < len; i += i % 4096 < 200 ? 1 : 37) {
		struct ccdb *db;
		struct cost_centre c;
		memcpy(bytes, original, len);
		bytes[i] = (uint8_t)(i % 3 ? ~bytes[i] : 0xff);
		save(bytes, i % 5 ? len : i + 1);
		if (ccdb_open(&db, path, NULL) == 0) {
			ccdb_find(db, 7, &c);
			ccdb_close(db);
		}
	}
	done(bare, &without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_value_is_found), cmocka_unit_test(ipedb_entries),
		cmocka_unit_test(centres_of_a_file), cmocka_unit_test(files_of_other_programs_are_refused),
		cmocka_unit_test(the_number_of_runs_is_bounded), cmocka_unit_test(any_damage_is_survived)};
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof path, "%s/names", dir);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	rmdir(dir);
	return failed;
}
