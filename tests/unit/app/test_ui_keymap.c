/* The key table: unambiguous, documented, and every hint in the bar is bound. */
#include "app/help.h"
#include "base/base.h"
#include "draw/glossary.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Feed a sequence as the terminal would: key by key. */
static enum action typed(const char *sequence)
{
	struct keymap_state state = {0};
	enum action action = ACT_NONE;
	for (const char *p = sequence; *p;) {
		char key[32];
		size_t len = *p == '<' ? strcspn(p, ">") + 1 : 1;
		bool any = strncmp(p, "{a-z}", 5) == 0;
		memcpy(key, any ? "q" : p, len);
		key[len] = 0;
		len = any ? 5 : len;
		action = keymap_feed(&state, key, NULL);
		p += len;
	}
	return action;
}

/* Call f for each blank-separated sequence of a row. */
static void for_each(const char *keys, void (*f)(const char *keys, enum action want), enum action want)
{
	char copy[128], *rest = NULL;
	snprintf(copy, sizeof copy, "%s", keys);
	for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
		f(one, want);
}

static void acts(const char *keys, enum action want)
{
	if (typed(keys) != want)
		fail_msg("%s does not do what its row says", keys);
}

static void every_sequence_reaches_its_action(void **state)
{
	(void)state;
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	assert_true(n > 30);
	for (size_t i = 0; i < n; i++)
		for_each(rows[i].keys, acts, rows[i].action);
}

static void rows_are_whole(void **state)
{
	(void)state;
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(rows[i].action, ACT_MORE + 1 + i);
		assert_true(strlen(rows[i].help) > 3);
		assert_true(strlen(rows[i].keys) > 0);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(rows[i].keys, rows[k].keys);
	}
}

/* The help is read whole on a screen of 80 columns. */
static void rows_fit_the_help(void **state)
{
	(void)state;
	struct canvas c = {0};
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	assert_int_equal(canvas_resize(&c, (int)n * 2 + 4, 80), 0);
	help_draw(&(struct help){.open = true}, KEYMAP_TIMELINE, &c);
	char *text = canvas_dump(&c);
	for (size_t i = 0; i < n; i++) {
		char keys[KEYMAP_TEXT];
		if (!strstr(text, keymap_text(rows[i].keys, keys)) || !strstr(text, rows[i].help))
			fail_msg("%s is too long for the help", rows[i].keys);
	}
	free(text);
	const struct keymap_note *notes = keymap_notes(&n);
	for (size_t i = 0; i < n; i++) {
		char keys[KEYMAP_TEXT];
		canvas_clear(&c);
		help_draw(&(struct help){.open = true}, notes[i].pane, &c);
		text = canvas_dump(&c);
		if (!strstr(text, keymap_text(notes[i].keys, keys)) || !strstr(text, notes[i].help))
			fail_msg("%s is too long for the help", notes[i].keys);
		free(text);
	}
	canvas_free(&c);
}

static void the_help_scrolls(void **state)
{
	(void)state;
	struct canvas c = {0};
	struct help h = {.open = true};
	assert_int_equal(canvas_resize(&c, 24, 80), 0);
	help_draw(&h, KEYMAP_TIMELINE, &c);
	assert_int_equal(h.top, 0);
	int first_page = h.page, rows = h.rows;
	help_scroll(&h, ACT_PAGE_DOWN);
	help_draw(&h, KEYMAP_TIMELINE, &c);
	assert_int_equal(h.top, first_page);
	help_scroll(&h, ACT_PAGE_UP);
	help_draw(&h, KEYMAP_TIMELINE, &c);
	assert_int_equal(h.top, 0);
	int seen = 0; /* each row is on one page */
	while (seen + h.page < rows) {
		seen += h.page;
		help_scroll(&h, ACT_PAGE_DOWN);
		help_draw(&h, KEYMAP_TIMELINE, &c);
		assert_int_equal(h.top, seen);
	}
	assert_int_equal(seen + h.page, rows);
	help_scroll(&h, ACT_PAGE_DOWN);
	assert_int_equal(h.top, seen);
	help_scroll(&h, ACT_END);
	help_draw(&h, KEYMAP_TIMELINE, &c);
	char *text = canvas_dump(&c);
	const char *word = NULL; /* the last line is the last word of the pane */
	size_t n;
	const struct glossary_word *words = glossary_words(&n);
	for (size_t i = 0; i < n; i++)
		word = strpbrk(words[i].places, "LST") ? words[i].word : word;
	assert_non_null(strstr(text, word));
	int last = h.top;
	help_scroll(&h, ACT_DOWN); /* the last one */
	help_draw(&h, KEYMAP_TIMELINE, &c);
	assert_int_equal(h.top, last);
	help_scroll(&h, ACT_START);
	help_draw(&h, KEYMAP_TIMELINE, &c);
	assert_int_equal(h.top, 0);
	free(text);
	canvas_free(&c);
}

static void hints_are_bound(void **state)
{
	(void)state;
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].hint)
			continue;
		size_t len = strcspn(rows[i].hint, " ");
		assert_true(rows[i].hint[len] == ' ');
		char key[3] = {rows[i].hint[0], rows[i].hint[0] == ']' ? rows[i].hint[1] : 0, 0};
		if (typed(key) != rows[i].action)
			fail_msg("the hint «%s» is not bound", rows[i].hint);
	}
}

static void chords(void **state)
{
	(void)state;
	struct keymap_state s = {0};
	char unknown[64];
	assert_int_equal(keymap_feed(&s, "]", NULL), ACT_MORE);
	assert_string_equal(s.typed, "]");
	assert_int_equal(keymap_feed(&s, "g", NULL), ACT_NEXT_GC);
	assert_string_equal(s.typed, "");
	assert_int_equal(keymap_feed(&s, "[", NULL), ACT_MORE);
	assert_int_equal(keymap_feed(&s, "<F9>", unknown), ACT_NONE);
	assert_string_equal(unknown, "[<F9>");
	assert_int_equal(keymap_feed(&s, "q", NULL), ACT_QUIT); /* nothing remains */
}

/* The panes whose notes list the key, and the timeline for keys of lanes; nothing where the key has a meaning. */
static void elsewhere(void **state)
{
	(void)state;
	char text[KEYMAP_TEXT];
	assert_string_equal(
		keymap_elsewhere(ACT_DIFFERENCE, KEYMAP_EVENTS, text), "; D works in: heap, profile, stats");
	assert_string_equal(keymap_elsewhere(ACT_TASKS, KEYMAP_STATS, text), "; T works in: timeline, profile");
	assert_string_equal(keymap_elsewhere(ACT_DIFFERENCE, KEYMAP_HEAP, text), "");
	assert_string_equal(keymap_elsewhere(ACT_NEXT_GC, KEYMAP_EVENTS, text), "");
}

static void letters(void **state)
{
	(void)state;
	struct keymap_state s = {0};
	assert_int_equal(keymap_feed(&s, "m", NULL), ACT_MORE);
	assert_int_equal(keymap_feed(&s, "z", NULL), ACT_MARK);
	assert_int_equal(s.letter, 'z');
	assert_int_equal(keymap_feed(&s, "'", NULL), ACT_MORE);
	assert_int_equal(keymap_feed(&s, "a", NULL), ACT_TO_MARK);
	assert_int_equal(s.letter, 'a');
	assert_int_equal(keymap_feed(&s, "'", NULL), ACT_MORE);
	assert_int_equal(keymap_feed(&s, "'", NULL), ACT_BACK);
	static const char *const none[] = {"A", "{", "0", "<Left>", "\303\244"};
	for (size_t i = 0; i < countof(none); i++) {
		assert_int_equal(keymap_feed(&s, "m", NULL), ACT_MORE);
		assert_int_equal(keymap_feed(&s, none[i], NULL), ACT_NONE);
	}
}

/* Ever more keys never overflow the state. */
static void long_names(void **state)
{
	(void)state;
	struct keymap_state s = {0};
	for (int i = 0; i < 1000; i++)
		keymap_feed(&s, i % 2 ? "]" : "<C-M-S-something-long>", NULL);
	assert_true(strlen(s.typed) < sizeof s.typed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sequence_reaches_its_action),
		cmocka_unit_test(rows_are_whole),
		cmocka_unit_test(rows_fit_the_help),
		cmocka_unit_test(the_help_scrolls),
		cmocka_unit_test(hints_are_bound),
		cmocka_unit_test(chords),
		cmocka_unit_test(elsewhere),
		cmocka_unit_test(letters),
		cmocka_unit_test(long_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
