/* Each word of legend, first lines, panes, boxes, lanes and columns is explained by :help WORD. */
#include "app/help.h"
#include "draw/glossary.h"
#include "draw/text.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "paned.h"
#include "panes/events/events_pane.h"
#include "panes/heap/heap_pane.h"
#include "panes/prof/prof_pane.h"
#include "panes/program/output_pane.h"
#include "panes/query/query_pane.h"
#include "panes/stats/section.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/timeline.h"
#include "report/abilities.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>

static size_t words, missing;

static void check(const char *word, const char *where)
{
	struct help h;
	words++;
	if (help_about(&h, word))
		return;
	missing++;
	fprintf(stderr, "no help on \"%s\" (%s)\n", word, where);
}

static void the_legend(void **state)
{
	const char *names[LEGEND_NAMES];
	struct help h;
	(void)state;
	for (size_t i = 0; part_legend_word(i, names); i++)
		for (size_t k = 0; k < LEGEND_NAMES; k++)
			check(names[k], "legend");
	assert_true(words > 30);
	assert_int_equal(missing, 0);
	assert_false(help_about(&h, "xyzzy"));
}

static void panes_boxes_and_lanes(void **state)
{
	static const struct pane_ops *const panes[] = {
		&timeline_pane, &heap_pane, &prof_pane, &events_pane, &stats_pane, &output_pane, &query_pane};
	static const struct section_ops *const sections[] = {
#define SECTION(name) &section_##name,
#include "panes/stats/section.def"
#undef SECTION
	};
	(void)state;
	for (size_t i = 0; i < countof(panes); i++)
		check(panes[i]->name, "pane");
	for (size_t i = 0; i < countof(sections); i++)
		check(sections[i]->title, "box");
	for (size_t i = 0; lane_kinds[i]; i++)
		check(lane_kinds[i]->name, "lane");
	assert_int_equal(missing, 0);
}

static void columns(void **state)
{
	static const char *const drawn[] = {"#", "Δ", "Δ kind", "delta", "d kind", "cap", "event", "run", "GC", "sync",
		"stopped", "idle", "switches", "at cursor", "trend", "growth", "r²", "peak", "history", "before",
		"change", "incl", "self", "in all", "alone", "with others", "band", "call path", "root", "incl%",
		"self%", "via%", "base%", "self bar"};
	struct figure_term t;
	(void)state;
	for (size_t i = 0; i < countof(drawn); i++)
		check(drawn[i], "column");
	for (size_t i = 0; figure_term(i, &t); i++)
		if (t.title[0])
			check(t.title, "column or figure");
	assert_true(words > 300);
	assert_int_equal(missing, 0);
}

/* A name on line 2: letters and blanks, and p50. Values and their units are passed over. */
static const char *next_name(const char *at, char *out, size_t room)
{
	static const char *const units[] = {"ns", "ms", "s", "kB", "MB", "GB", "B", "s "};
	while (*at) {
		size_t n = 0;
		bool unit = false;
		while (*at && !isalpha((unsigned char)*at))
			at++;
		while (at[n] && n + 1 < room
			&& (isalpha((unsigned char)at[n]) || (at[n] == ' ' && isalpha((unsigned char)at[n + 1]))
				|| (n == 1 && *at == 'p' && isdigit((unsigned char)at[1]))
				|| (n == 2 && *at == 'p' && isdigit((unsigned char)at[2]))))
			n++;
		for (size_t i = 0; i < countof(units); i++) {
			size_t len = strlen(units[i]);
			if (strncmp(at, units[i], len) == 0 && n >= len && !isalpha((unsigned char)at[len])) {
				unit = true;
				at += len;
				break;
			}
		}
		if (unit)
			continue;
		snprintf(out, room, "%.*s", (int)n, at);
		if (n)
			return at + n;
	}
	return NULL;
}

static void the_second_line(void **state)
{
	struct evl_log *log;
	struct model m;
	struct canvas c = {0};
	bool sync = false, idle = false;
	(void)state;
	assert_int_equal(evl_open(&log, "assets/bazaar.eventlog", NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	model_init(&m, log);
	model_refresh(&m);
	for (int cols = 40; cols <= 240; cols += 40) {
		char name[32];
		assert_int_equal(canvas_resize(&c, 1, cols), 0);
		canvas_clear(&c);
		struct answer_spots spots;
		part_answers(&m, 0, cols < 200 ? 2.345 : (double)NAN, &c, 0, &spots);
		for (int i = 0; i < spots.n; i++)
			assert_true(spots.items[i].x < spots.items[i].end && spots.items[i].end <= cols);
		char *text = canvas_dump(&c);
		assert_true(cols < 80 || strstr(text, "sync 5.2%"));
		assert_true(cols < 80 || strstr(text, cols < 200 ? "caps busy 2.3/4" : "caps busy <=0.6/4"));
		for (const char *at = text; (at = next_name(at, name, sizeof name));) {
			check(name, "line 2");
			sync = sync || strcmp(name, "sync") == 0;
			idle = idle || strcmp(name, "all idle") == 0;
		}
		free(text);
	}
	assert_true(sync && idle);
	assert_int_equal(missing, 0);
	canvas_free(&c);
	evl_close(log);
}

/* Does the legend on a screen so wide hold each word of `narrow`, and those of lower rows, if there are? */
static void check_legend(const struct model *m, struct canvas *c, const struct legend_spots *narrow, bool tinted)
{
	struct legend_spots wide = {.tinted = tinted, .rows = 1, .screen = 50, .shaded = true};
	canvas_clear(c);
	part_legend(m, c, 0, &wide);
	for (int i = 0; i < narrow->n; i++) {
		bool there = false;
		for (int k = 0; k < wide.n; k++)
			there = there || strcmp(wide.items[k].word, narrow->items[i].word) == 0;
		if (!there)
			fail_msg("\"%s\" is not in the legend of %d columns", narrow->items[i].word, c->cols);
	}
}

enum { LEGENDS = 4 };

/* Two logs, each with colours and with letters. */
static struct evl_log *open_legend(size_t i, struct model *m, struct canvas *c)
{
	static const char *const logs[LEGENDS / 2] = {
		"assets/bazaar.eventlog", "tests/logs/9.0.2-nonmover-lgn.eventlog"};
	struct evl_log *log = walked_file(logs[i / 2]);
	*c = (struct canvas){.mono = i % 2};
	model_init(m, log);
	model_refresh(m);
	return log;
}

/* A screen of 24 rows and 80 columns has room for every word, none cut, in two rows. */
static void a_legend_of_two_rows_has_all_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEGENDS; i++) {
		struct model m;
		struct canvas c;
		struct evl_log *log = open_legend(i, &m, &c);
		struct legend_spots spots = {.screen = 24, .shaded = true};
		assert_int_equal(canvas_resize(&c, 23, 80), 0);
		assert_int_equal(part_legend_rows(&m, &c, &spots), 1);
		assert_int_equal(canvas_resize(&c, 24, 80), 0);
		spots.rows = part_legend_rows(&m, &c, &spots);
		assert_int_equal(spots.rows, 2);
		canvas_clear(&c);
		part_legend(&m, &c, 10, &spots);
		assert_true(spots.n > 8);
		for (int k = 0; k < spots.n; k++) {
			const struct legend_spot *spot = &spots.items[k];
			assert_in_range(spot->y, 10, 11);
			assert_true(spot->x < spot->end && spot->x < c.cols);
			assert_string_equal(part_legend_at(&spots, spot->y, spot->x), spot->word);
		}
		canvas_free(&c);
		evl_close(log);
	}
}

/* A wider screen shows every word that 80 columns show: with colours and with letters, with and without colours of threads. */
static void a_wider_legend_shows_no_less(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEGENDS; i++) {
		struct model m;
		struct canvas c;
		struct evl_log *log = open_legend(i, &m, &c);
		struct legend_spots narrow = {.rows = 1, .screen = 50, .shaded = true};
		assert_int_equal(canvas_resize(&c, 1, 80), 0);
		canvas_clear(&c);
		part_legend(&m, &c, 0, &narrow);
		assert_true(narrow.n > 8);
		for (int cols = 81; cols <= 240; cols++) {
			assert_int_equal(canvas_resize(&c, 1, cols), 0);
			check_legend(&m, &c, &narrow, false);
			check_legend(&m, &c, &narrow, true);
		}
		canvas_free(&c);
		evl_close(log);
	}
}

/* --- the list of colours --- */

/* States and curves; of the colours that tell names apart, one for all. Others: -1. */
static int colour_of(uint8_t style)
{
	bool band = style >= ST_BAND_0 && style < ST_BAND_0 + STYLE_BANDS;
	bool own = style_info(style)->letter != ' ' || *style_info(style)->text || style == ST_MARKER;
	return band ? ST_BAND_0 : own ? style : -1;
}

static void collect(const struct canvas *c, int from, int to, bool *out)
{
	for (int i = from * c->cols; i < to * c->cols; i++) {
		const struct cell *cell = &c->cells[i];
		int fg = cell->ch > ' ' ? colour_of(cell->fg) : -1, bg = colour_of(cell->bg);
		if (fg >= 0)
			out[fg] = true;
		if (bg >= 0)
			out[bg] = true;
	}
}

static void expect_all_colours(const char *path, int rows, int cols)
{
	bool drawn[256] = {false}, listed[256] = {false}, absent[256] = {false};
	struct shown_colour colours[TIMELINE_COLOURS];
	struct canvas sign = {0};
	struct evl_log *log = walked_file(path);
	paned_open(log, PANE_TIMELINE, rows, cols);
	const struct timeline *t = timeline_of(&host);
	collect(&canvas, t->spots.lanes_y, t->spots.lanes_end, drawn);
	int n = timeline_colours(t, &host.model, &canvas, colours);
	assert_int_equal(canvas_resize(&sign, 1, SIGN_W), 0);
	size_t place = 0; /* in the legend, whose order is the same on all screens */
	for (int i = 0; i < t->spots.legend.n; i++) {
		const struct legend_spot *spot = &t->spots.legend.items[i];
		const char *names[LEGEND_NAMES];
		while (part_legend_word(place, names) && strcmp(names[0], spot->word) != 0)
			place++;
		assert_true(part_legend_word(place, names));
		if (spot->absent && cols < 120 && spot->x < spot->end)
			fail_msg("%s: \"%s\" is in the legend, but not on the lanes", path, spot->word);
	}
	for (int i = 0; i < n; i++) {
		canvas_clear(&sign);
		part_sign(&sign, 0, 0, &colours[i].of);
		collect(&sign, 0, 1, colours[i].absent ? absent : listed);
		const char *brief = colours[i].name.len ? colours[i].brief : glossary_find(colours[i].of.word)->brief;
		assert_true(brief && text_width(str_of(brief), false) <= 48); /* a line of C at 80 columns */
		check(colours[i].of.word, "list of colours");
	}
	for (int i = 0; i < 256; i++)
		if (drawn[i] && !listed[i])
			fail_msg("%s: colour %d \"%s\" of the lanes is %s", path, i, style_info((enum style)i)->text,
				absent[i] ? "listed as not on the screen" : "not in the list");
	canvas_free(&sign);
	paned_close();
	evl_close(log);
}

/* --- the list of signs --- */

/* Signs that are no part of texts, from line 2 to the legend. Those of times on the ruler, the rule over the inspector and "…" are
 * read as text. */
static bool is_sign(const struct timeline_spots *s, const struct cell *cell, int y)
{
	enum { SYMBOLS = 0x2190, ARROW = 0x2192, RULE = 0x2500, TIME = 0x2502, GREATER = 0x2264, NOT_LESS = 0x2265 };
	bool text = cell->ch == ARROW || cell->ch == RULE || cell->ch == GREATER || cell->ch == NOT_LESS
		|| (cell->ch == TIME && y == s->ruler_y);
	return (cell->ch >= SYMBOLS && !text) || (y == s->overview_y && strchr("[]", (int)cell->ch) && cell->ch);
}

static size_t signs_seen;

/* Colours that only tell names apart count as one. */
static uint8_t one_band(uint8_t style)
{
	return style > ST_BAND_0 && style < ST_BAND_0 + STYLE_BANDS ? ST_BAND_0 : style;
}

static bool explains(struct lane_colour colour, int y, int x)
{
	for (int k = 0; k < 2; k++)
		colour.styles[k] = (enum style)one_band((uint8_t)colour.styles[k]);
	return part_has_sign(&canvas, y, y + 1, x, x + 1, &colour);
}

/* Signs that look like others, and blanks, by their places. */
static void expect_listed(const char *name, const struct timeline *t, const struct shown_colour *colours, int n)
{
	bool bar = false, blank = false, bar_listed = false, blank_listed = false;
	for (size_t i = 0; i < t->n_placed; i++) {
		const struct lane_ops *ops = t->placed[i].lane.ops;
		const struct cell *row = &canvas.cells[t->placed[i].y * canvas.cols];
		for (int x = 1; x < t->spots.place.plot_x; x++)
			bar = bar || row[x].bg == ST_BAR_DIM || (row[x].fg == ST_RUN && row[x].ch == 0x2588);
		if (ops == &lane_cap || ops == &lane_thread || ops == &lane_group)
			for (int x = t->spots.place.plot_x; x < t->spots.place.plot_x + t->spots.place.cols; x++)
				blank = blank || (row[x].ch == ' ' && row[x].bg == ST_PAGE);
	}
	for (int k = 0; k < n; k++) {
		bar_listed = bar_listed || strcmp(colours[k].of.word, "share bar") == 0;
		blank_listed = blank_listed || strcmp(colours[k].of.word, "blank") == 0;
	}
	if (bar != bar_listed)
		fail_msg("%s: bars after names are%s listed", name, bar ? " not" : "");
	if (blank != blank_listed && !absence_is_sure(host.log, ABSENCE_RUNS))
		fail_msg("%s: blanks are%s listed", name, blank ? " not" : "");
}

static void expect_all_signs(const char *name)
{
	const struct timeline *t = timeline_of(&host);
	const struct timeline_spots *s = &t->spots;
	struct shown_colour colours[TIMELINE_COLOURS];
	int n = timeline_colours(t, &host.model, &canvas, colours), end = canvas.rows - 1 - s->legend.rows;
	assert_true(n < TIMELINE_COLOURS);
	expect_listed(name, t, colours, n);
	for (int i = 0; i < canvas.rows * canvas.cols; i++) {
		canvas.cells[i].fg = one_band(canvas.cells[i].fg);
		canvas.cells[i].bg = one_band(canvas.cells[i].bg);
	}
	for (int i = 0; i < end * canvas.cols; i++) {
		int y = i / canvas.cols, x = i % canvas.cols;
		bool listed = y == 0 || !is_sign(s, &canvas.cells[i], y);
		signs_seen += !listed;
		for (int k = 0; k < n && !listed; k++) {
			struct lane_colour then = colours[k].of;
			then.sign = colours[k].then;
			listed = explains(colours[k].of, y, x) || (then.sign && explains(then, y, x));
		}
		if (!listed)
			fail_msg("%s, %dx%d: C does not explain U+%04X at row %d, column %d (%s on %s)", name,
				canvas.cols, canvas.rows, (unsigned)canvas.cells[i].ch, y, x,
				style_info((enum style)canvas.cells[i].fg)->name,
				style_info((enum style)canvas.cells[i].bg)->name);
	}
	for (int k = 0; k < n; k++)
		assert_true(colours[k].name.len || glossary_find(colours[k].of.word)->brief);
}

/* Resting the mouse on line 2, on the overview, on the name of a lane that is not selected, on figures and on the legend explains
 * them. */
static void expect_words(const char *name)
{
	const struct timeline *t = timeline_of(&host);
	const struct timeline_spots *s = &t->spots;
	for (int y = 0; y < canvas.rows; y++)
		for (int x = 0; x < canvas.cols; x++) {
			const char *word = timeline_word_at(t, y, x);
			assert_true(!word || glossary_find(word));
		}
	for (int i = 0; i < s->line_2.n; i++)
		if (!timeline_word_at(t, 1, s->line_2.items[i].x))
			fail_msg("%s: line 2 \"%s\" is not explained", name, s->line_2.items[i].name);
	for (size_t i = 0; i < t->n_placed; i++) {
		const struct placed_lane *p = &t->placed[i];
		bool tells = p->lane.ops != &lane_thread && p->position != t->lanes.position;
		if (tells != (timeline_word_at(t, p->y, 1) != NULL))
			fail_msg("%s: the lane \"%s\" is%s explained", name, p->lane.ops->name, tells ? " not" : "");
		assert_string_equal(timeline_word_at(t, p->y, s->place.gutter_x + 1), "right-hand figures");
	}
	for (int i = 0; i < s->legend.n; i++)
		if (s->legend.items[i].x < s->legend.items[i].end)
			assert_ptr_equal(timeline_word_at(t, s->legend.items[i].y, s->legend.items[i].x),
				s->legend.items[i].word);
}

/* On the first screen, zoomed in, with a range, with the critical path, and with all lanes. */
static void expect_signs(const char *path, int rows, int cols, bool mono)
{
	static const enum action steps[] = {
		ACT_ZOOM_IN, ACT_EXPAND, ACT_SELECT, ACT_RIGHT, ACT_RIGHT, ACT_PATH, ACT_TASKS, ACT_WHOLE};
	struct evl_log *log = walked_file(path);
	paned_open(log, PANE_TIMELINE, rows, cols);
	canvas.ascii = false;
	canvas.mono = mono;
	paned_draw();
	expect_all_signs(path);
	expect_words(path);
	for (size_t i = 0; i < countof(steps); i++) {
		panes_act(&host, steps[i]);
		paned_draw();
		expect_all_signs(path);
	}
	paned_close();
	evl_close(log);
}

static void every_sign_of_the_screen_is_listed(void **state)
{
	glob_t found;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &found), 0);
	expect_signs("assets/bazaar.eventlog", 50, 160, false);
	for (size_t i = 0; i < found.gl_pathc; i++)
		expect_signs(found.gl_pathv[i], i % 2 ? 24 : 50, i % 2 ? 80 : 160, i % 5 == 4);
	globfree(&found);
	assert_true(signs_seen > 10000);
}

static void every_colour_of_the_lanes_is_listed(void **state)
{
	glob_t found;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &found), 0);
	expect_all_colours("assets/bazaar.eventlog", 50, 160);
	for (size_t i = 0; i < found.gl_pathc; i++)
		expect_all_colours(found.gl_pathv[i], i % 2 ? 50 : 24, i % 2 ? 160 : 80);
	globfree(&found);
	assert_int_equal(missing, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_legend),
		cmocka_unit_test(panes_boxes_and_lanes),
		cmocka_unit_test(columns),
		cmocka_unit_test(the_second_line),
		cmocka_unit_test(a_legend_of_two_rows_has_all_words),
		cmocka_unit_test(a_wider_legend_shows_no_less),
		cmocka_unit_test(every_colour_of_the_lanes_is_listed),
		cmocka_unit_test(every_sign_of_the_screen_is_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
