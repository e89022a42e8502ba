/* Where a log says that a source is: taken apart, found, and how an editor is told. */
#include "logs.h"

#include "chrome/edit_source.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct edit_place parsed(const char *location)
{
	struct edit_place place;
	assert_true(edit_place_parse((struct evl_str){(const uint8_t *)location, strlen(location)}, &place));
	return place;
}

static void assert_place(const char *location, const char *path, unsigned line, unsigned col)
{
	struct edit_place place = parsed(location);
	assert_string_equal(place.path, path);
	assert_int_equal(place.line, line);
	assert_int_equal(place.col, col);
}

static void locations_are_taken_apart(void **state)
{
	(void)state;
	assert_place("src/Sort/Merge.hs:88:13-41", "src/Sort/Merge.hs", 88, 13);
	assert_place("Main.hs:(88,13)-(90,2)", "Main.hs", 88, 13);
	assert_place("Main.hs:7:3", "Main.hs", 7, 3);
	assert_place("Main.hs:7", "Main.hs", 7, 0);
	assert_place("Main.hs", "Main.hs", 0, 0);
	assert_place("odd:name.hs:7:3-4", "odd:name.hs", 7, 3);
	assert_place("C:\\x.hs:7:3-4", "C:\\x.hs", 7, 3);
}

static void what_names_no_file_is_refused(void **state)
{
	struct edit_place place;
	(void)state;
	assert_false(edit_place_parse(EVL_STR(""), &place));
	assert_false(edit_place_parse(EVL_STR("<built-in>"), &place));
	assert_false(edit_place_parse(EVL_STR(":3:4-5"), &place));
	assert_false(edit_place_parse(EVL_STR("a\0b:3:4"), &place));
}

/* A tree in a separate directory: DIR/src/Main.hs and DIR/logs/deep/prog.eventlog. */
static void files_are_found_from_the_log_upwards(void **state)
{
	char dir[] = "/tmp/evtui-edit-XXXXXX", path[256], log[256];
	(void)state;
	assert_non_null(mkdtemp(dir));
	const char *const made[] = {"src", "logs", "logs/deep", "src/folder"};
	for (size_t i = 0; i < countof(made); i++) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(log, sizeof log, "%s/logs/deep/prog.eventlog", dir);
	fclose(fopen(log, "w"));
	snprintf(path, sizeof path, "%s/src/+Main.hs", dir);
	fclose(fopen(path, "w"));

	struct edit_place place = parsed("src/+Main.hs:3:4-5");
	assert_true(edit_place_find(&place, &(struct source_places){.log = log}));
	assert_string_equal(place.path, path);
	assert_int_equal(place.line, 3);
	place = parsed("src/None.hs:3:4-5");
	assert_false(edit_place_find(&place, &(struct source_places){.log = log}));
	place = parsed("src/folder:3:4-5"); /* no regular file */
	assert_false(edit_place_find(&place, &(struct source_places){.log = log}));
	place = parsed("/dev/null:3:4-5");
	assert_false(edit_place_find(&place, &(struct source_places){.log = log}));

	unlink(path);
	unlink(log);
	for (size_t i = countof(made); i-- > 0;) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		rmdir(path);
	}
	rmdir(dir);
}

static void assert_words(
	const char *editor, const struct edit_place *place, int n, const char *last_but_one, const char *last)
{
	char words_of[256], room[EDIT_ROOM];
	const char *words[EDIT_WORDS];
	snprintf(words_of, sizeof words_of, "%s", editor);
	assert_int_equal(edit_words(words_of, place, room, words), n);
	if (n == 0)
		return;
	assert_null(words[n]);
	assert_string_equal(words[n - 1], last);
	assert_string_equal(words[n - 2], last_but_one);
}

static void editors_are_told_in_their_way(void **state)
{
	struct edit_place place = {.path = "/x/a b.hs", .line = 88, .col = 13}, start = {.path = "/x/a b.hs"};
	(void)state;
	assert_words("vi", &place, 3, "+88", "/x/a b.hs");
	assert_words("emacsclient -c  -a vi", &place, 6, "+88", "/x/a b.hs");
	assert_words("vi", &start, 2, "vi", "/x/a b.hs");
	assert_words("/usr/bin/code -w", &place, 4, "-g", "/x/a b.hs:88:13");
	assert_words("hx", &place, 2, "hx", "/x/a b.hs:88:13");
	assert_words("1 2 3 4 5 6 7 8 9 10 11 12 13 14", &place, 0, "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locations_are_taken_apart),
		cmocka_unit_test(what_names_no_file_is_refused),
		cmocka_unit_test(files_are_found_from_the_log_upwards),
		cmocka_unit_test(editors_are_told_in_their_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
