/* Where copied text goes: the terminal's clipboard, tmux's, a file. */
#include "logs.h"
#include "term/clipboard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64], path[128];

static struct evl_str text_of(const char *s) { return (struct evl_str){(const uint8_t *)s, strlen(s)}; }

static void says(const char *text, bool in_screen, const char *want)
{
	struct buf out = {0};
	clipboard_sequence(text_of(text), in_screen, &out);
	buf_char(&out, 0);
	assert_string_equal(out.p, want);
	buf_free(&out);
}

static void sequences(void **state)
{
	(void)state;
	says("", false, "\x1b]52;c;\x1b\\");
	says("f", false, "\x1b]52;c;Zg==\x1b\\");
	says("fo", false, "\x1b]52;c;Zm8=\x1b\\");
	says("foo", false, "\x1b]52;c;Zm9v\x1b\\");
	says("foobar", false, "\x1b]52;c;Zm9vYmFy\x1b\\");
	says("\xff\xfe\xfd", false, "\x1b]52;c;//79\x1b\\");
	says("foo", true, "\x1bP\x1b]52;c;Zm9v\a\x1b\\");
}

/* screen lets no long string through: pieces, which together are the sequence. */
static void pieces(void **state)
{
	(void)state;
	char text[4000];
	struct buf plain = {0}, wrapped = {0}, joined = {0};
	memset(text, 'x', sizeof text);
	struct evl_str s = {(const uint8_t *)text, sizeof text};
	clipboard_sequence(s, false, &plain);
	clipboard_sequence(s, true, &wrapped);
	for (size_t i = 0; i < wrapped.len;) {
		assert_memory_equal(wrapped.p + i, "\x1bP", 2);
		const char *end = memmem(wrapped.p + i + 2, wrapped.len - i - 2, "\x1b\\", 2);
		assert_non_null(end);
		size_t len = (size_t)(end - (wrapped.p + i + 2));
		assert_true(len <= 512);
		buf_put(&joined, wrapped.p + i + 2, len);
		i += len + 4;
	}
	assert_int_equal(joined.len, plain.len - 1); /* BEL instead of ESC \ */
	assert_memory_equal(joined.p, plain.p, plain.len - 2);
	buf_free(&plain);
	buf_free(&wrapped);
	buf_free(&joined);
}

static void assert_file(const char *name, const char *want)
{
	char got[256] = "";
	FILE *f = fopen(name, "r");
	assert_non_null(f);
	size_t n = fread(got, 1, sizeof got - 1, f);
	fclose(f);
	got[n] = 0;
	assert_string_equal(got, want);
}

static void files(void **state)
{
	(void)state;
	char say[CLIPBOARD_SAY];
	unsetenv("TMUX");
	assert_true(clipboard_copy(text_of("one line that is long"), path, say));
	assert_file(path, "one line that is long\n");
	assert_non_null(strstr(say, path));
	assert_true(clipboard_copy(text_of("short"), path, say));
	assert_file(path, "short\n");
	assert_false(clipboard_copy(text_of("x"), "/nowhere/at/all", say));
	assert_non_null(strstr(say, "cannot be written"));
	assert_true(clipboard_copy(text_of("x"), NULL, say));
	char *big = calloc(1, CLIPBOARD_MOST + 2);
	assert_non_null(big);
	memset(big, 'y', CLIPBOARD_MOST + 1);
	assert_false(clipboard_copy(text_of(big), NULL, say));
	assert_non_null(strstr(say, "too much"));
	assert_true(clipboard_copy(text_of(big), path, say)); /* there is room in a file */
	big[CLIPBOARD_MOST] = 0;
	assert_true(clipboard_copy(text_of(big), NULL, say));
	free(big);
}

/* A program that is called tmux and does what the script says. */
static void put_tmux(const char *script)
{
	char name[128];
	snprintf(name, sizeof name, "%s/tmux", dir);
	FILE *f = fopen(name, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s\n", script);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(name, 0755), 0);
}

static void tmux(void **state)
{
	(void)state;
	char say[CLIPBOARD_SAY], script[200], *was = strdup(getenv("PATH")), with[4096];
	snprintf(with, sizeof with, "%s:%s", dir, was);
	setenv("PATH", with, 1);
	setenv("TMUX", "/tmp/x,1,0", 1);
	snprintf(script, sizeof script, "[ \"$*\" = 'load-buffer -w -' ] && cat >%s", path);
	put_tmux(script);
	assert_true(clipboard_copy(text_of("through tmux"), NULL, say));
	assert_file(path, "through tmux");
	assert_non_null(strstr(say, "tmux"));
	put_tmux("exit 1"); /* an old one: the terminal is told itself */
	assert_true(clipboard_copy(text_of("x"), NULL, say));
	assert_null(strstr(say, "tmux"));
	put_tmux("sleep 5"); /* one that hangs is not waited for */
	assert_true(clipboard_copy(text_of("x"), NULL, say));
	setenv("PATH", was, 1);
	unsetenv("TMUX");
	free(was);
}

static int begin(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/evtui-clip-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof path, "%s/copy", dir);
	return 0;
}

static int end(void **state)
{
	(void)state;
	char name[128];
	snprintf(name, sizeof name, "%s/tmux", dir);
	unlink(name);
	unlink(path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences),
		cmocka_unit_test(pieces),
		cmocka_unit_test(files),
		cmocka_unit_test(tmux),
	};
	return cmocka_run_group_tests(tests, begin, end);
}
