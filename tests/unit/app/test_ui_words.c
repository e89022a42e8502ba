/* Each word of legend, first lines, panes, boxes, lanes and columns is explained by :help WORD. */
#include "app/help.h"
#include "app/panes.h"
#include "lanes/parts.h"
#include "log/log.h"
#include "panes/events/events_pane.h"
#include "panes/heap/heap_pane.h"
#include "panes/prof/prof_pane.h"
#include "panes/program/output_pane.h"
#include "panes/query/query_pane.h"
#include "panes/stats/section.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/timeline.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
		"self%", "now%", "base%", "self bar"};
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
		part_answers(&m, 0, &c, 0);
		char *text = canvas_dump(&c);
		assert_true(cols < 80 || strstr(text, "sync 5.2%"));
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
	struct legend_spots wide = {.tinted = tinted};
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

/* A wider screen shows every word that 80 columns show: with colours and with letters, with and without colours of threads. */
static void a_wider_legend_shows_no_less(void **state)
{
	static const char *const logs[] = {"assets/bazaar.eventlog", "tests/logs/9.0.2-nonmover-lgn.eventlog"};
	(void)state;
	for (size_t i = 0; i < countof(logs) * 2; i++) {
		struct evl_log *log;
		struct model m;
		struct canvas c = {.mono = i % 2};
		struct legend_spots narrow = {0};
		assert_int_equal(evl_open(&log, logs[i / 2], NULL), 0);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		model_init(&m, log);
		model_refresh(&m);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_legend),
		cmocka_unit_test(panes_boxes_and_lanes),
		cmocka_unit_test(columns),
		cmocka_unit_test(the_second_line),
		cmocka_unit_test(a_wider_legend_shows_no_less),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
