/* Marks and the file that keeps them: what is no such file is ignored as a whole. */
#include "logs.h"
#include "state/bookmarks_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const char identity[] = "log 1 2 3 0123456789abcdef\n";

static void letters(void **state)
{
	(void)state;
	struct bookmarks b = {0};
	uint64_t t = 7;
	char out[BOOKMARKS + 1];
	assert_int_equal(bookmarks_letters(&b, out), 0);
	assert_int_equal(bookmarks_nearest(&b, 0), 0);
	assert_false(bookmarks_set(&b, 'A', 1));
	assert_false(bookmarks_set(&b, '{', 1));
	assert_false(bookmarks_get(&b, '`', &t));
	assert_true(bookmarks_set(&b, 'z', UINT64_MAX));
	assert_true(bookmarks_set(&b, 'a', 100));
	assert_true(bookmarks_set(&b, 'b', 300));
	assert_int_equal(bookmarks_letters(&b, out), 3);
	assert_string_equal(out, "abz");
	assert_int_equal(bookmarks_nearest(&b, 200), 'a');
	assert_int_equal(bookmarks_nearest(&b, 201), 'b');
	assert_int_equal(bookmarks_nearest(&b, UINT64_MAX), 'z');
	bookmarks_remove(&b, 'a');
	assert_false(bookmarks_get(&b, 'a', &t));
	assert_int_equal(t, 7);
}

static bool parse(const char *marks, struct bookmarks *b)
{
	char text[512];
	snprintf(text, sizeof text, "evtui marks 1\n%s%s", identity, marks);
	return bookmarks_parse(text, identity, b);
}

static void parses(void **state)
{
	(void)state;
	struct bookmarks b;
	assert_true(parse("", &b));
	assert_true(parse("a 0\nq 18446744073709551615\n", &b));
	assert_true(b.set[0] && b.set['q' - 'a']);
	assert_int_equal(b.t[0], 0);
	static const char *const bad[] = {"a", "a ", "a 1", "a 1\nb", "A 1\n", "a -1\n", "a  1\n", "a 1 \n", "aa 1\n",
		"a 18446744073709551616\n", "\n", "a 0x1\n", "a 1\n\n"};
	for (size_t i = 0; i < countof(bad); i++) {
		b.set[3] = true;
		if (parse(bad[i], &b) || b.set[0] || b.set[3])
			fail_msg("«%s» passes for marks", bad[i]);
	}
	assert_false(bookmarks_parse("", identity, &b));
	assert_false(bookmarks_parse("evtui marks 1\n", identity, &b));
	assert_false(bookmarks_parse("evtui marks 2\nlog 1 2 3 0123456789abcdef\n", identity, &b));
	assert_false(bookmarks_parse("evtui marks 1\nlog 1 2 4 0123456789abcdef\n", identity, &b));
}

static void put_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void are_kept(void **state)
{
	(void)state;
	char dir[] = "/tmp/evtui-marks-XXXXXX", path[64];
	struct bookmarks b, again;
	struct bookmarks_file f;
	struct built bytes = log_begin();
	log_end(&bytes);
	assert_non_null(mkdtemp(dir));
	setenv("XDG_STATE_HOME", dir, 1);
	snprintf(path, sizeof path, "%s/a.eventlog", dir);
	put_file(path, (const char *)bytes.data, bytes.len);

	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open(&log, path, &err), 0);
	assert_null(bookmarks_load(&f, log, &b));
	bookmarks_set(&b, 'k', 42);
	assert_null(bookmarks_save(&f, &b));
	assert_null(bookmarks_load(&f, log, &again));
	assert_memory_equal(&b, &again, sizeof b);
	put_file(f.path, "evtui marks 1\nnonsense", 22);
	assert_non_null(bookmarks_load(&f, log, &again));
	assert_false(again.set['k' - 'a']);
	assert_null(bookmarks_save(&f, &b)); /* and is replaced */
	assert_null(bookmarks_load(&f, log, &again));
	assert_int_equal(unlink(f.path), 0);
	assert_int_equal(mkfifo(f.path, 0600), 0); /* not writable */
	assert_non_null(bookmarks_load(&f, log, &again));
	assert_int_equal(unlink(f.path), 0);
	evl_close(log);

	snprintf(path, sizeof path, "%s/evtui", dir);
	assert_int_equal(rmdir(path), 0); /* no temporary files are left */
	snprintf(path, sizeof path, "%s/a.eventlog", dir);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
	free(bytes.data);
}

static void need_a_home(void **state)
{
	(void)state;
	char path[STATE_PATH], small[4];
	setenv("XDG_STATE_HOME", "relative", 1); /* is to be ignored */
	setenv("HOME", "/home/somebody", 1);
	assert_true(state_path(path, "x"));
	assert_string_equal(path, "/home/somebody/.local/state/evtui/x");
	unsetenv("HOME");
	assert_false(state_path(path, "x"));
	assert_int_equal(state_read("/dev/zero", small, sizeof small), -1);
	assert_int_equal(state_read("/proc/self/status", small, sizeof small), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(state_write("/dev/null/x/y", "a", 1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters),
		cmocka_unit_test(parses),
		cmocka_unit_test(are_kept),
		cmocka_unit_test(need_a_home),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
