/* The line of input. */
#include "chrome/prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct prompt p;

static enum prompt_result press(const char *name)
{
	struct key key = {.kind = KEY_NAME};
	snprintf(key.name, sizeof key.name, "%s", name);
	return prompt_key(&p, &key);
}

static void type(const char *letters)
{
	for (char key[2] = {0}; *letters; letters++) {
		key[0] = *letters;
		press(*letters == ' ' ? "<Space>" : key);
	}
}

static int fresh(void **state)
{
	(void)state;
	prompt_open(&p, "go: ");
	return 0;
}

static void types_and_ends(void **state)
{
	(void)state;
	type("3.2 s");
	assert_string_equal(p.text, "3.2 s");
	assert_int_equal(press("<Enter>"), PROMPT_DONE);
	assert_false(p.open);
	assert_string_equal(p.text, "3.2 s");
	fresh(state);
	assert_string_equal(p.text, "");
	assert_int_equal(press("<C-g>"), PROMPT_CANCELLED);
}

static void edits(void **state)
{
	(void)state;
	type("one two three");
	press("<M-b>");
	press("<M-b>");
	type("x");
	assert_string_equal(p.text, "one xtwo three");
	press("<BS>");
	press("<M-f>");
	type("y");
	assert_string_equal(p.text, "one twoy three");
	press("<BS>");
	press("<End>");
	press("<C-w>");
	assert_string_equal(p.text, "one two ");
	press("<C-a>");
	press("<Del>");
	assert_string_equal(p.text, "ne two ");
	press("<Right>");
	press("<BS>");
	assert_string_equal(p.text, "e two ");
	press("<End>");
	press("<Left>");
	press("<C-u>");
	assert_string_equal(p.text, " ");
	press("<C-k>");
	assert_string_equal(p.text, "");
	press("<BS>");
	press("<Left>");
	press("<Del>"); /* at the edges nothing happens */
	assert_string_equal(p.text, "");
}

static void letters_of_several_bytes(void **state)
{
	(void)state;
	press("µ");
	press("漢");
	press("s");
	press("<Left>");
	press("<BS>");
	assert_string_equal(p.text, "µs");
	press("<Left>");
	press("<Del>");
	assert_string_equal(p.text, "s");
}

static void pastes_never_end_it(void **state)
{
	(void)state;
	struct key paste = {.kind = KEY_PASTE, .paste = EVL_STR("40ms q")};
	assert_int_equal(prompt_key(&p, &paste), PROMPT_EDITING);
	assert_string_equal(p.text, "40ms q");
	for (int i = 0; i < PROMPT_ROOM; i++)
		prompt_key(&p, &paste); /* too much is left out as a whole */
	assert_true(p.len < PROMPT_ROOM && p.len >= PROMPT_ROOM - paste.paste.len);
	assert_int_equal(p.text[p.len], 0);
}

static void draws_what_is_typed_at(void **state)
{
	(void)state;
	struct canvas c = {.ascii = false};
	assert_int_equal(canvas_resize(&c, 2, 20), 0);
	type("0123456789abcdefghijklmnopqrstuvwxyz");
	prompt_draw(&p, &c, 1);
	char *dump = canvas_dump(&c);
	assert_non_null(strstr(dump, "xyz"));
	assert_true(c.cursor_on && c.cursor_y == 1 && c.cursor_x < 20);
	free(dump);
	canvas_free(&c);
}

static void replaces_what_is_selected(void **state)
{
	(void)state;
	struct key paste = {.kind = KEY_PASTE, .paste = {(const uint8_t *)"cap:1", 5}};
	prompt_open_with(&p, "filter: ", "old");
	p.selected = true;
	type("new");
	assert_string_equal(p.text, "new");
	p.selected = true;
	press("<Left>");
	type("e");
	assert_string_equal(p.text, "neew");
	p.selected = true;
	prompt_key(&p, &paste);
	assert_string_equal(p.text, "cap:1");
	p.selected = true;
	prompt_set(&p, "by history");
	type("!");
	assert_string_equal(p.text, "by history!");
	p.selected = true;
	assert_int_equal(press("<Enter>"), PROMPT_DONE);
	assert_string_equal(p.text, "by history!");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(types_and_ends, fresh),
		cmocka_unit_test_setup(edits, fresh),
		cmocka_unit_test_setup(letters_of_several_bytes, fresh),
		cmocka_unit_test_setup(pastes_never_end_it, fresh),
		cmocka_unit_test_setup(replaces_what_is_selected, fresh),
		cmocka_unit_test_setup(draws_what_is_typed_at, fresh),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
