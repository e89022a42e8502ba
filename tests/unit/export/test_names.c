/* A log and the program that wrote it: with its names the log without IPE events says what the one with them says. */
#include "named.h"

#include "exported.h"
#include "query/source_lines.h"
#include "query/ticky.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/evtui-names-XXXXXX", path[64], other[64], empty[64];

static char *csv(const struct evl_log *log)
{
	struct buf all = {0};
	struct export x = {.log = log, .to = UINT64_MAX, .table = "census", .put = keep_bytes, .ctx = &all};
	assert_int_equal(export_run(export_find("csv"), &x), 0);
	buf_char(&all, '\0');
	return all.p;
}

/* The cells after the bytes of the row of a band in the first sample: name and source. */
static void has_name(const char *table, uint64_t id, const char *want)
{
	char key[48];
	snprintf(key, sizeof key, ",0x%llx,", (unsigned long long)id);
	const char *row = strstr(table, key);
	assert_non_null(row);
	row = strchr(row + strlen(key), ',') + 1;
	size_t len = strcspn(row, "\r\n");
	if (len != strlen(want) || memcmp(row, want, len) != 0)
		fail_msg("%s is %.*s, not %s", key, (int)len, row, want);
}

static void the_program_says_what_the_log_would(void **state)
{
	struct built with = make_log(true), without = make_log(false);
	struct evl_log *told = walked(&with), *bare = walked(&without);
	(void)state;
	char *before = csv(bare), *told_before = csv(told);
	has_name(before, ids[0], ",");
	has_name(told_before, ids[0], "go,src/Main.hs:12:3-9");
	has_name(told_before, ids[4], ",");
	assert_int_equal(use(told, path).code, 0);
	assert_int_equal(use(bare, path).code, 0);
	char *hp = exported(bare, "hp", 0, UINT64_MAX), *folded = exported(bare, "folded", 0, UINT64_MAX);
	char *a = csv(told), *b = csv(bare), *folded_told = exported(told, "folded", 0, UINT64_MAX);
	assert_string_equal(a, b);
	has_name(b, ids[0], "go,src/Main.hs:12:3-9");
	has_name(b, ids[1], "table_info,:");
	has_name(b, ids[2], "f,\"./src/Main.hs:(20,9)-(24,20)\"");
	has_name(b, ids[3], "in Main.con -48,");
	has_name(b, ids[4], "Main.con,");
	has_name(b, ids[5], "in GHC.Base.map -48,");
	has_name(b, ids[7], "in GHC.Base.map +48,");
	has_name(b, 0x7f0012345678, ",");
	assert_non_null(strstr(hp, "go_Main:12:3-9\t100\n"));
	assert_non_null(strstr(hp, "in_Main.con_-48\t400\n"));
	assert_non_null(strstr(hp, "0x7f0012345678\t900\n"));
	assert_string_equal(folded, "all;Main.go;in GHC.Base.map -48 1\n");
	assert_string_equal(folded, folded_told);
	free(before);
	free(told_before);
	free(a);
	free(b);
	free(hp);
	free(folded);
	free(folded_told);
	done(told, &with);
	done(bare, &without);
}

static void what_is_not_the_program_changes_nothing(void **state)
{
	struct built b = make_log(false);
	struct evl_log *log = walked(&b);
	char *before = csv(log);
	(void)state;
	assert_non_null(strstr(use(log, other).text, "another build"));
	assert_int_equal(use(log, empty).code, EVL_EMPTY);
	assert_int_equal(use(log, dir).code, EVL_IO);
	assert_int_equal(use(log, "/nowhere/at/all").code, EVL_IO);
	char *after = csv(log);
	assert_string_equal(before, after);
	free(before);
	free(after);
	done(log, &b);
}

static struct evl_err use_db(struct evl_log *log, const char *db)
{
	struct exe *exe = NULL;
	struct evl_err err = {0};
	if (exe_match_ipedb(&exe, log, db, NULL, &err) == 0)
		evl_use_exe(log, exe);
	return err;
}

/* An export from log and program gives the same names without the program; for another log it is refused. */
static void names_are_kept_in_a_file(void **state)
{
	struct built b = make_log(false);
	struct evl_log *log = walked(&b), *later = walked(&b);
	struct buf db = {0};
	struct export x = {.log = log, .to = UINT64_MAX, .put = keep_bytes, .ctx = &db};
	char db_path[80];
	(void)state;
	snprintf(db_path, sizeof db_path, "%s/names.db", dir);
	assert_int_equal(use(log, path).code, 0);
	assert_int_equal(export_run(export_find("ipedb"), &x), 0);
	save(db_path, db.p, db.len);
	assert_int_equal(use_db(later, db_path).code, 0);
	char *a = csv(log), *c = csv(later), *folded = exported(log, "folded", 0, UINT64_MAX),
	     *folded_later = exported(later, "folded", 0, UINT64_MAX);
	assert_string_equal(a, c);
	has_name(c, ids[3], "in Main.con -48,");
	assert_string_equal(folded, folded_later);
	assert_non_null(strstr(use_db(later, path).text, "not a database of info tables"));
	assert_int_equal(use_db(later, empty).code, EVL_EMPTY);
	free(a);
	free(c);
	free(folded);
	free(folded_later);
	/* any damage is survived: it is refused, or some names are others */
	struct ipe_entry entry;
	struct ipedb *damaged;
	uint8_t *bytes = malloc(db.len);
	for (size_t i = 0; i < db.len; i += i < 200 ? 1 : 37) {
		memcpy(bytes, db.p, db.len);
		bytes[i] = (uint8_t)(i % 3 ? ~bytes[i] : 0xff);
		size_t len = i % 5 ? db.len : i;
		struct source source;
		source_from_memory(&source, bytes, len);
		if (ipedb_open(&damaged, &source, "names.db", NULL) < 0)
			continue;
		for (unsigned k = 0; k < CLOSURES; k++)
			(void)!ipedb_find(damaged, ids[k], &entry);
		ipedb_close(damaged);
	}
	free(bytes);
	for (unsigned k = 0; k < CLOSURES; k++)
		ids[k] += 8; /* a log of another program */
	struct built other_log = make_log(false);
	struct evl_log *wrong = walked(&other_log);
	assert_non_null(strstr(use_db(wrong, db_path).text, "names none"));
	for (unsigned k = 0; k < CLOSURES; k++)
		ids[k] -= 8;
	done(wrong, &other_log);
	evl_close(later);
	done(log, &b);
	buf_free(&db);
	unlink(db_path);
}

static bool near_to(double a, double b) { return fabs(a - b) < 1e-6; }

/* Five cost centres with four names on line 5, and one on line 6: all names of a line are told, and their samples are those
 * that are counted one by one. */
static void lines_name_all_who_cost(void **state)
{
	static const struct {
		const char *name, *place;
		unsigned n;
	} centres[] = {{"a", "M.hs:5:1", 3}, {"b", "M.hs:5:9", 4}, {"c", "M.hs:5:20", 1}, {"d", "M.hs:6:1", 5},
		{"e", "M.hs:5:30", 2}, {"c", "M.hs:5:50", 4}};
	struct built b = log_begin();
	struct source_lines s;
	struct buf names = {0};
	uint64_t t = 1000;
	(void)state;
	block_begin(&b, EVL_NO_CAP, 0);
	for (unsigned i = 0; i < countof(centres); i++)
		put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", i + 1, centres[i].name, 0u, "M", 0u, centres[i].place,
			0u, 0u);
	for (unsigned i = 0; i < countof(centres); i++)
		for (unsigned k = 0; k < centres[i].n; k++, t += 1000)
			put(&b, t, EVL_PROF_SAMPLE_COST_CENTRE, "4814", 0u, t, 1u, i + 1);
	block_end(&b, t);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(source_lines_make(&s, log, 0, UINT64_MAX, NULL), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.samples, 19);
	assert_true(
		s.items[0].line == 5 && s.items[0].samples == 14 && s.items[0].n_names == 4 && s.items[0].col == 50);
	source_line_names(&s, &s.items[0], &names);
	buf_char(&names, 0);
	assert_string_equal(names.p, "M.c 26.3%, M.b 21.1%, 2 more");
	buf_clear(&names);
	for (size_t i = 0; i < s.n; i++)
		for (size_t k = 0; k < s.items[i].n_names; k++) {
			const struct source_name *name = &s.names[s.items[i].names + k];
			unsigned n = 0;
			for (unsigned c = 0; c < countof(centres); c++)
				n += centres[c].place[5] - '0' == (int)s.items[i].line
						&& centres[c].name[0] == (char)name->name.p[2]
					? centres[c].n
					: 0;
			assert_int_equal(name->samples, n);
			assert_true(n > 0 && (k == 0 || name[-1].samples > n));
		}
	struct json j = {.out = &names};
	source_lines_json(&s, EVL_STR(""), &j);
	buf_char(&names, 0);
	assert_non_null(strstr(names.p,
		"\"names\":[{\"name\":\"M.c\",\"samples\":5,\"bytes\":null},{\"name\":\"M.b\",\"samples\":4,"));
	buf_clear(&names);
	source_line_names(&s, &s.items[1], &names);
	buf_char(&names, 0);
	assert_string_equal(names.p, "M.d");
	buf_free(&names);
	source_lines_free(&s);
	done(log, &b);
}

static void lines_are_summed(void **state)
{
	struct built b = make_log(false);
	struct evl_log *log = walked(&b);
	struct source_lines s;
	(void)state;
	assert_int_equal(use(log, path).code, 0);
	assert_int_equal(source_lines_make(&s, log, 0, UINT64_MAX, NULL), 0);
	assert_int_equal(s.n, 2); /* ":" is no line */
	assert_int_equal(s.samples, 1);
	/* all bands: 100 + … + 900, and of one of them 0, 1000, 2000, 3000 more */
	assert_true(near_to(s.bytes, 4500 + 1500));
	const struct source_line *f = &s.items[0];
	assert_true(str_is(f->file, "./src/Main.hs") && f->line == 20 && f->col == 9 && str_is(f->name, "Main.f"));
	assert_true(near_to(f->bytes, 300 + 1500) && near_to(f->growth, 1000) && f->samples == 0);
	assert_true(near_to(source_heap_share(&s, f), 0.3) && near_to(source_time_share(&s, f), 0));
	const struct source_line *go = &s.items[1];
	assert_true(str_is(go->file, "src/Main.hs") && go->line == 12 && go->col == 3 && str_is(go->name, "Main.go"));
	assert_true(near_to(go->bytes, 100) && near_to(go->growth, 0) && go->samples == 0);
	struct buf text_ = {0};
	struct json j = {.out = &text_};
	source_lines_json(&s, EVL_STR("Main.hs"), &j);
	assert_true(text_.len > 200);
	buf_clear(&text_);
	j = (struct json){.out = &text_};
	source_lines_json(&s, EVL_STR("ain.hs"), &j);
	buf_char(&text_, 0);
	assert_string_equal(text_.p, "{\"samples\":1,\"bytes\":6000,\"lines\":[]}");
	buf_free(&text_);
	source_lines_free(&s);
	/* one second of it: a sample, so no growth */
	assert_int_equal(source_lines_make(&s, log, 2000000000, 3000000000, NULL), 0);
	assert_true(s.n == 2 && near_to(s.items[0].bytes, 1300) && isnan(s.items[0].growth) && s.samples == 0);
	source_lines_free(&s);
	done(log, &b);
}

/* Counters of the closures, and one without an info table. */
static struct built make_ticky(bool ipe)
{
	struct built b = log_begin();
	block_begin(&b, 0xffff, 0);
	put(&b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, "GHC-9.4.7 rts");
	for (unsigned i = 0; ipe && i < MAPPED; i++)
		put(&b, 5, EVL_IPE, "8s1s1s1s1s1s1", ids[i], "table_info", 0u, "16", 0u, "Int", 0u, mapped[i].label, 0u,
			"Main", 0u, mapped[i].place, 0u);
	put(&b, 10, EVL_TICKY_BEGIN_SAMPLE, "");
	for (unsigned i = 0; i <= CLOSURES; i++)
		put(&b, 10, EVL_TICKY_COUNTER_SAMPLE, "8888", (uint64_t)100 + i, (uint64_t)1, (uint64_t)(1000 - i),
			(uint64_t)0);
	for (unsigned i = 0; i <= CLOSURES; i++)
		put(&b, 20, EVL_TICKY_COUNTER_DEF, "82s1s18s1", (uint64_t)100 + i, 1u, "L", 0u, "f", 0u,
			i < CLOSURES ? ids[i] : (uint64_t)0, "{}", 0u);
	block_end(&b, 9000000000);
	return b;
}

/* The place of each counter's closure, of those with a map; they allocate in the order of the closures. */
static void ticky_is_placed(const struct evl_log *log, bool placed, bool told)
{
	struct ticky t;
	atomic_bool cancel = true;
	assert_int_equal(ticky_make(&t, log, 0, UINT64_MAX, NULL), 0);
	assert_int_equal(t.n, CLOSURES + 1);
	for (size_t i = 0; i < t.n; i++) /* not asked for */
		assert_int_equal(t.items[i].source.len, 0);
	if (told)
		assert_int_equal(ticky_find_sources(&t, log, &(struct progress){.cancel = &cancel}), EVL_CANCELLED);
	assert_int_equal(ticky_find_sources(&t, log, NULL), 0);
	for (size_t i = 0; i < t.n; i++) {
		bool has = placed && i < MAPPED && strcmp(mapped[i].place, ":") != 0;
		assert_int_equal(t.items[i].table, i < CLOSURES ? ids[i] : 0);
		assert_true(str_is(t.items[i].source, has ? mapped[i].place : ""));
	}
	ticky_free(&t);
}

static void counters_have_places(void **state)
{
	struct built with = make_ticky(true), without = make_ticky(false);
	struct evl_log *told = walked(&with), *bare = walked(&without);
	(void)state;
	assert_true(exe_is_wanted(bare));
	ticky_is_placed(told, true, true);
	ticky_is_placed(bare, false, false);
	assert_non_null(strstr(use(bare, other).text, "another build"));
	ticky_is_placed(bare, false, false);
	assert_int_equal(use(bare, path).code, 0);
	ticky_is_placed(bare, true, false);
	done(told, &with);
	done(bare, &without);
}

static void files_are_the_same_as_far_as_both_go(void **state)
{
	(void)state;
	assert_true(source_is(EVL_STR("./src/Main.hs"), EVL_STR("src/Main.hs")));
	assert_true(source_is(EVL_STR("/home/me/src/Main.hs"), EVL_STR("./src/Main.hs")));
	assert_true(source_is(EVL_STR("Main.hs"), EVL_STR("src/Main.hs")));
	assert_false(source_is(EVL_STR("src/Main.hs"), EVL_STR("lib/Main.hs")));
	assert_false(source_is(EVL_STR("src/XMain.hs"), EVL_STR("Main.hs")));
	assert_false(source_is(EVL_STR(""), EVL_STR("")));
}

/* A log named after its program, in the same folder; and one that is not. */
static void the_program_is_found(void **state)
{
	struct built b = make_log(false);
	char log_path[80], odd_path[80];
	(void)state;
	snprintf(log_path, sizeof log_path, "%s/prog.eventlog", dir);
	snprintf(odd_path, sizeof odd_path, "%s/other.eventlog", dir);
	save(log_path, b.data, b.len);
	save(odd_path, b.data, b.len);
	struct evl_log *log = walked_file(log_path);
	struct exe *exe = exe_search(log, NULL);
	assert_true(exe_is_wanted(log));
	assert_non_null(exe);
	assert_string_equal(exe_path(exe), path);
	exe_close(exe);
	evl_close(log);
	log = walked_file(odd_path); /* there is a program of this name, but it is not the one */
	assert_null(exe_search(log, NULL));
	evl_close(log);
	unlink(log_path);
	unlink(odd_path);
	free(b.data);
}

static bool is_path(void *ctx, const char *place)
{
	size_t *found = ctx;
	*found += strcmp(place, path) == 0;
	return true;
}

/* Before a log may be read: its program by raw bytes at its start or end, whatever is around them. */
static void places_are_known_before(void **state)
{
	enum { LARGE = 3 << 20 };
	struct buf bytes = {0};
	char log_path[80];
	(void)state;
	snprintf(log_path, sizeof log_path, "%s/renamed.eventlog", dir);
	for (int at_end = 0; at_end < 2; at_end++) {
		for (int told = 0; told < 2; told++) {
			size_t found = 0;
			struct built b = log_begin();
			block_begin(&b, 0xffff, 0);
			put(&b, 1, EVL_PROGRAM_ARGS, "4s", 0u, told ? "./there/prog" : "./there/gorp");
			block_end(&b, 2);
			for (int i = 0; at_end && i < LARGE / 8; i++)
				buf_put(&bytes, "\0\36\0\0\1\2\3\4", 8); /* looks like it, and is not */
			buf_put(&bytes, b.data, b.len);
			save(log_path, bytes.p, bytes.len);
			exe_places(log_path, is_path, &found);
			assert_int_equal(found, told);
			for (size_t len = 0; len < b.len; len += 7) { /* cut anywhere */
				save(log_path, b.data, len);
				exe_places(log_path, is_path, &found);
			}
			free(b.data);
			buf_clear(&bytes);
		}
	}
	buf_free(&bytes);
	unlink(log_path);
	size_t found = 0;
	exe_places(log_path, is_path, &found);
	snprintf(log_path, sizeof log_path, "%s/prog.eventlog.zst", dir);
	exe_places(log_path, is_path, &found); /* in the folder of a log of its name */
	assert_int_equal(found, 1);
}

static int make(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/prog", dir);
	snprintf(other, sizeof other, "%s/other", dir);
	snprintf(empty, sizeof empty, "%s/empty", dir);
	make_program(other, 20);
	make_program(path, 0);
	save(empty, "", 0);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	unlink(empty);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_program_says_what_the_log_would),
		cmocka_unit_test(what_is_not_the_program_changes_nothing), cmocka_unit_test(names_are_kept_in_a_file),
		cmocka_unit_test(counters_have_places), cmocka_unit_test(places_are_known_before),
		cmocka_unit_test(lines_are_summed), cmocka_unit_test(lines_name_all_who_cost),
		cmocka_unit_test(files_are_the_same_as_far_as_both_go), cmocka_unit_test(the_program_is_found)};
	return cmocka_run_group_tests(tests, make, drop);
}
