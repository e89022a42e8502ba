/* The grid: clipping, wide characters, parts of cells, boxes; and colours that can be distinguished. */
#include "draw/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct evl_str str(const char *s) { return (struct evl_str){(const uint8_t *)s, strlen(s)}; }

static struct canvas grid(int rows, int cols)
{
	struct canvas c = {0};
	assert_int_equal(canvas_resize(&c, rows, cols), 0);
	return c;
}

/* The dump must be this; then the canvas is done with. */
static void expect(struct canvas *c, const char *wanted)
{
	char *dump = canvas_dump(c);
	assert_non_null(dump);
	assert_string_equal(dump, wanted);
	free(dump);
	canvas_free(c);
}

/* Text that follows a full or nearly full row loses nothing: it continues in the next one. */
static void lines_continue(void **state)
{
	static const struct {
		const char *first, *then, *wanted;
	} tests[] = {{"0123456789", "3 threads", "0123456789\n  3\n  threads\n"},
		{"0123456789", "; a", "0123456789\n  ; a\n\n"}, {"0123456", " 3 thr", "0123456 3\n  thr\n\n"},
		{"0123456", "34567 a", "0123456\n  34567 a\n\n"}, {"012345678", " a b", "012345678\n  a b\n\n"},
		{"012345678", "\xe6\x97\xa5 b", "012345678\n  \xe6\x97\xa5 b\n\n"},
		/* numbers and units are not separated, nor is what follows without a blank */
		{"abcd 123", " ms b", "abcd\n  123 ms b\n\n"}, {"abcd 12 ms", "; a", "abcd\n  12 ms; a\n\n"},
		{"abcd 1", " ms 20 kB/s", "abcd 1 ms\n  20 kB/s\n\n"}, {"abcd 12 m", " ms", "abcd 12 m\n  ms\n\n"},
		{"abcd", " 123 ms", "abcd\n  123 ms\n\n"}, {"abcd ", "1234 ms", "abcd\n  1234 ms\n\n"},
		{"abcd (", "12 ms)", "abcd\n  (12 ms)\n\n"}};
	(void)state;
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
		struct canvas c = grid(3, 10);
		struct line l = {.c = &c, .end = 10, .wrap_y = 2, .wrap_x = 2};
		line_put(&l, ST_TEXT, false, tests[i].first);
		line_put(&l, ST_TEXT, false, tests[i].then);
		expect(&c, tests[i].wanted);
	}
}

static void sizes(void **state)
{
	(void)state;
	struct canvas c = grid(2, 3);
	canvas_str(&c, 0, 0, 3, PEN(ST_TEXT), "abc");
	assert_int_equal(canvas_resize(&c, 1, 4), 0);
	assert_int_equal(canvas_at(&c, 0, 0)->ch, ' ');
	assert_null(canvas_at(&c, 1, 0));
	assert_null(canvas_at(&c, 0, 4));
	assert_null(canvas_at(&c, -1, 0));
	assert_null(canvas_at(&c, 0, -1));
	assert_int_equal(canvas_resize(&c, 0, 7), 0);
	assert_int_equal(c.cols, 0);
	canvas_str(&c, 0, 0, 9, PEN(ST_TEXT), "nowhere");
	expect(&c, "");
}

static void text_is_clipped(void **state)
{
	(void)state;
	struct canvas c = grid(2, 10);
	assert_int_equal(canvas_str(&c, 0, 0, 5, PEN(ST_TEXT), "abc"), 3);
	assert_int_equal(canvas_str(&c, 0, 4, 4, PEN(ST_TEXT), "abcdef"), 4);
	assert_int_equal(canvas_str(&c, 1, 7, 99, PEN(ST_TEXT), "abcdef"), 3);
	assert_int_equal(canvas_str(&c, 1, -2, 4, PEN(ST_TEXT), "wxyz"), 4);
	assert_int_equal(canvas_str(&c, 7, 0, 4, PEN(ST_TEXT), "abcdef"), 4);
	assert_int_equal(canvas_str(&c, 0, 10, 4, PEN(ST_TEXT), "abc"), 0);
	assert_int_equal(canvas_str(&c, 0, 0, 0, PEN(ST_TEXT), "abc"), 0);
	assert_int_equal(canvas_str(&c, 0, 0, -4, PEN(ST_TEXT), "abc"), 0);
	expect(&c, "abc abc…\nyz     ab…\n");
}

static void names_keep_both_ends(void **state)
{
	(void)state;
	struct canvas c = grid(4, 12);
	assert_int_equal(canvas_name(&c, 0, 0, 12, PEN(ST_TEXT), str("worker-sort")), 11);
	assert_int_equal(canvas_name(&c, 1, 0, 8, PEN(ST_TEXT), str("worker-sort")), 8);
	assert_int_equal(canvas_name(&c, 2, 0, 2, PEN(ST_TEXT), str("worker-sort")), 2);
	canvas_name(&c, 3, 0, 7, PEN(ST_TEXT), str("漢字漢字漢字"));
	expect(&c, "worker-sort\nwork…ort\nw…\n漢…漢字\n");
}

/* The last component, with its dot, as long as a quarter is left for the start. */
static void the_last_component_of_a_name_is_whole(void **state)
{
	(void)state;
	struct canvas c = grid(6, 12);
	canvas_name(&c, 0, 0, 12, PEN(ST_TEXT), str("Data.Map.Internal.Bin"));
	canvas_name(&c, 1, 0, 12, PEN(ST_TEXT), str("Text.Pandoc.Element"));
	canvas_name(&c, 2, 0, 12, PEN(ST_TEXT), str("Text.WriterState"));
	canvas_name(&c, 3, 0, 12, PEN(ST_TEXT), str("reading files. Done"));
	canvas_name(&c, 4, 0, 12, PEN(ST_TEXT), str("loading the files."));
	canvas_name(&c, 5, 0, 5, PEN(ST_TEXT), str("a.b.c.d.e"));
	expect(&c, "Data.Ma….Bin\nTex….Element\nText.W…State\nreadin… Done\nloadin…iles.\na.….e\n");
}

static void hostile_text_is_harmless(void **state)
{
	(void)state;
	struct canvas c = grid(1, 20);
	canvas_printf(&c, 0, 0, 20, PEN(ST_TEXT), "%s|%d", "\x1b[2J\xff\u202e", 7);
	expect(&c, "␛[2J··|7\n");
}

static void a_wide_character_has_two_cells(void **state)
{
	(void)state;
	struct canvas c = grid(1, 6);
	canvas_str(&c, 0, 0, 6, PEN(ST_TEXT), "a漢字");
	assert_int_equal(canvas_at(&c, 0, 1)->width, 2);
	assert_int_equal(canvas_at(&c, 0, 2)->width, 0);
	canvas_glyph(&c, 0, 2, PEN(ST_TEXT), 'X', 'X'); /* the right half of 漢 */
	assert_int_equal(canvas_at(&c, 0, 1)->ch, ' ');
	assert_int_equal(canvas_at(&c, 0, 1)->width, 1);
	canvas_glyph(&c, 0, 3, PEN(ST_TEXT), 'Y', 'Y'); /* the left half of 字 */
	assert_int_equal(canvas_at(&c, 0, 4)->width, 1);
	expect(&c, "a XY\n");
}

static void no_half_at_the_edges(void **state)
{
	(void)state;
	struct canvas c = grid(2, 4);
	canvas_str(&c, 0, 1, 3, PEN(ST_TEXT), "漢字");
	canvas_str(&c, 1, -1, 4, PEN(ST_TEXT), "漢字");
	assert_int_equal(canvas_at(&c, 1, 0)->ch, ' ');
	assert_int_equal(canvas_at(&c, 1, 0)->width, 1);
	expect(&c, " 漢…\n 字\n");
}

static void marks_stay_with_their_cell(void **state)
{
	(void)state;
	struct canvas c = grid(1, 3);
	assert_int_equal(canvas_str(&c, 0, 0, 3, PEN(ST_TEXT), "e\u0301x"), 2);
	assert_int_equal(canvas_at(&c, 0, 0)->mark[0], 0x301);
	canvas_glyph(&c, 0, 0, PEN(ST_TEXT), 'e', 'e');
	expect(&c, "ex\n");
}

static void fill_is_clipped(void **state)
{
	(void)state;
	struct canvas c = grid(3, 3);
	canvas_str(&c, 1, 0, 3, PEN(ST_TEXT), "abc");
	canvas_fill(&c, -5, 1, INT32_MAX, INT32_MAX, ST_RUN);
	assert_int_equal(canvas_at(&c, 2, 2)->bg, ST_RUN);
	assert_int_equal(canvas_at(&c, 2, 0)->bg, ST_PAGE);
	canvas_fill(&c, 0, 0, -1, 5, ST_IDLE);
	expect(&c, "\na\n\n");
}

static void eighths(void **state)
{
	(void)state;
	struct canvas c = grid(2, 11);
	for (int i = -1; i < 10; i++) {
		canvas_lower(&c, 0, i + 1, i, ST_RUN, ST_IDLE);
		canvas_left(&c, 1, i + 1, i, ST_RUN, ST_IDLE);
	}
	assert_int_equal(canvas_at(&c, 0, 0)->bg, ST_IDLE);
	assert_int_equal(canvas_at(&c, 0, 5)->fg, ST_RUN);
	assert_int_equal(canvas_at(&c, 0, 5)->bg, ST_IDLE);
	assert_int_equal(canvas_at(&c, 0, 10)->bg, ST_RUN);
	canvas_glyph(&c, 0, 10, PEN(ST_TEXT), '|', '|');
	canvas_glyph(&c, 1, 10, PEN(ST_TEXT), '|', '|');
	expect(&c, "  ▁▂▃▄▅▆▇ |\n  ▏▎▍▌▋▊▉ |\n");
}

static void a_whole_cell_shows_without_colours(void **state)
{
	(void)state;
	struct canvas c = grid(1, 2);
	c.mono = true;
	canvas_lower(&c, 0, 0, 8, ST_RUN, ST_IDLE);
	canvas_lower(&c, 0, 1, 0, ST_RUN, ST_IDLE);
	assert_int_equal(canvas_at(&c, 0, 0)->attr, ATTR_REVERSE);
	assert_int_equal(canvas_at(&c, 0, 1)->attr, 0);
	canvas_free(&c);
}

static void ascii_is_ascii(void **state)
{
	(void)state;
	struct canvas c = grid(4, 12);
	c.ascii = true;
	for (int i = 0; i <= 8; i++)
		canvas_lower(&c, 0, i, i, ST_RUN, ST_IDLE);
	canvas_str(&c, 1, 0, 5, PEN(ST_TEXT), "漢\x1b[2Jé");
	canvas_box(&c, 2, 0, 2, 12, PEN(ST_DIM), "µ");
	expect(&c, " .:-=+*#@\n?^[[~\n+- u ------+\n+----------+\n");
}

static void boxes(void **state)
{
	(void)state;
	struct canvas c = grid(5, 14);
	for (int y = 0; y < 5; y++)
		canvas_str(&c, y, 0, 14, PEN(ST_TEXT), "xxxxxxxxxxxxxx");
	canvas_box(&c, 0, 0, 3, 13, PEN(ST_DIM), "a long title");
	canvas_box(&c, 3, 0, 1, 9, PEN(ST_DIM), "none");
	canvas_box(&c, 3, 10, 2, 9, PEN(ST_DIM), NULL);
	expect(&c, "┌─ a long… ─┐x\n│           │x\n└───────────┘x\nxxxxxxxxxx┌───\nxxxxxxxxxx└───\n");
}

/* --- styles: the colours of cells --- */

/* Long lines are broken at blanks; what has no room is marked as cut. */
static void long_lines_are_wrapped(void **state)
{
	struct canvas c = grid(6, 12), wide = grid(2, 100);
	(void)state;
	canvas_str(&wide, 1, 0, 100, PEN(ST_TEXT), "one two three fourfivesixseven eight");
	assert_int_equal(canvas_wrap(&c, 0, 6, &wide, 0), 0); /* an empty row */
	assert_int_equal(canvas_wrap(&c, 0, 6, &wide, 1), 5);
	expect(&c, "one two\n   three\n   fourfives\n   ixseven\n   eight\n\n");
	c = grid(6, 12);
	assert_int_equal(canvas_wrap(&c, 4, 1, &wide, 1), 1);
	expect(&c, "\n\n\n\none two    …\n\n");
	canvas_free(&wide);
}

static void styles_are_complete(void **state)
{
	(void)state;
	assert_string_equal(style_info(ST_RUN)->name, "RUN");
	assert_int_equal(style_info(ST_MAJOR)->letter, 'M');
	assert_string_equal(style_info((enum style)9999)->name, "PAGE");
	assert_int_equal(ST_BAND_13 - ST_BAND_0 + 1, STYLE_BANDS);
	for (int s = 0; s < ST_COUNT; s++) {
		for (int theme = THEME_DARK; theme < THEMES; theme++) {
			assert_in_range(style_colour((enum style)s, (enum theme)theme, 256) + 1, 0, 256);
			assert_in_range(style_colour((enum style)s, (enum theme)theme, 16) + 1, 0, 16);
			assert_in_range(style_colour((enum style)s, (enum theme)theme, 8) + 1, 0, 8);
			assert_int_equal(style_colour((enum style)s, (enum theme)theme, 0), -1);
		}
	}
}

static void labels_stand_out(void **state)
{
	(void)state;
	static const struct {
		enum style state, dark, light;
	} cases[] = {
		{ST_RUN, ST_LABEL_DARK, ST_LABEL_LIGHT},
		{ST_MINOR, ST_LABEL_DARK, ST_LABEL_DARK},
		{ST_MAJOR, ST_LABEL_LIGHT, ST_LABEL_LIGHT},
		{ST_SYNC, ST_LABEL_DARK, ST_LABEL_LIGHT},
		{ST_IDLE, ST_LABEL_LIGHT, ST_LABEL_DARK},
		{ST_BLOCKED, ST_LABEL_LIGHT, ST_LABEL_DARK},
		{ST_RUNNABLE, ST_LABEL_DARK, ST_LABEL_DARK},
		{ST_NM_MARK, ST_LABEL_LIGHT, ST_LABEL_LIGHT},
	};
	for (size_t i = 0; i < countof(cases); i++) {
		assert_int_equal(style_label(cases[i].state, THEME_DARK), cases[i].dark);
		assert_int_equal(style_label(cases[i].state, THEME_LIGHT), cases[i].light);
	}
}

static void text_is_seen_on_a_light_page_of_few_colours(void **state)
{
	(void)state;
	static const enum style texts[] = {ST_TEXT, ST_EM, ST_CURSOR};
	for (size_t i = 0; i < countof(texts); i++) {
		assert_int_equal(style_colour(texts[i], THEME_LIGHT, 16), 0);
		assert_int_equal(style_colour(texts[i], THEME_LIGHT, 8), 0);
	}
	assert_int_equal(style_colour(ST_BAR, THEME_LIGHT, 8), 7);
	assert_int_equal(style_colour(ST_RUN, THEME_LIGHT, 8), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_continue),
		cmocka_unit_test(sizes),
		cmocka_unit_test(text_is_clipped),
		cmocka_unit_test(names_keep_both_ends),
		cmocka_unit_test(the_last_component_of_a_name_is_whole),
		cmocka_unit_test(hostile_text_is_harmless),
		cmocka_unit_test(a_wide_character_has_two_cells),
		cmocka_unit_test(no_half_at_the_edges),
		cmocka_unit_test(marks_stay_with_their_cell),
		cmocka_unit_test(fill_is_clipped),
		cmocka_unit_test(eighths),
		cmocka_unit_test(a_whole_cell_shows_without_colours),
		cmocka_unit_test(ascii_is_ascii),
		cmocka_unit_test(boxes),
		cmocka_unit_test(long_lines_are_wrapped),
		cmocka_unit_test(styles_are_complete),
		cmocka_unit_test(labels_stand_out),
		cmocka_unit_test(text_is_seen_on_a_light_page_of_few_colours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
