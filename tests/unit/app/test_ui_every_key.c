/* Every key of the table in every pane: it changes what is seen, opens something, or says why not. */
#include "app/panes.h"
#include "chrome/copy.h"
#include "logs.h"
#include "panes/marks/marks_pane.h"
#include "panes/program/child.h"
#include "panes/query/query_pane.h"
#include "panes/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 50, COLS = 160 };

static struct evl_log *log_;
static struct pane_host host;
static struct canvas canvas;
static struct child child; /* that has printed more than a screen */

static void wake(void *ctx) { (void)ctx; }

static void draw(void)
{
	model_refresh(&host.model);
	selection_move(&host.model.selection, host.model.at.cursor);
	do {
		panes_draw(&host, &canvas);
		panes_news(&host);
	} while (panes_busy(&host));
	panes_draw(&host, &canvas);
}

/* In the middle of everything: there is something on all sides. */
static void begin(enum pane_kind pane)
{
	host = (struct pane_host){
		.log = log_, .theme = THEME_DARK, .wake = wake, .wait_for_jobs = true, .child = &child};
	model_init(&host.model, log_);
	assert_true(panes_open(&host));
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
	host.shown = pane;
	draw();
	model_goto(&host.model, (host.model.first + host.model.last) / 2, 0);
	for (int i = 0; i < 3; i++)
		model_zoom(&host.model, 1, 2, 5000 * i);
	draw();
	if (pane == PANE_TIMELINE) {
		lanes_move(&timeline_of(&host)->lanes, 3);
		draw();
	}
	if (pane == PANE_QUERY) {
		assert_null(query_run(&host, "SELECT * FROM gc"));
		draw();
		for (int i = 0; i < 3; i++) {
			panes_act(&host, ACT_PAGE_DOWN);
			panes_act(&host, ACT_RIGHT);
			draw();
		}
	}
	if (pane == PANE_MARKS) {
		for (char letter = 'a'; letter < 'k'; letter++)
			bookmarks_set(&host.model.marks, letter, (uint64_t)letter * 1000000);
		draw();
		for (int i = 0; i < 4; i++)
			panes_act(&host, ACT_DOWN);
		draw();
	}
	if (pane == PANE_OUTPUT) {
		panes_act(&host, ACT_PAGE_UP);
		panes_act(&host, ACT_PAGE_UP);
		panes_act(&host, ACT_UP);
		draw();
	}
}

static void end(void)
{
	panes_close(&host);
	canvas_free(&canvas);
}

/* All that a user could see of it. */
struct seen {
	struct cell *cells; /* colours too */
	struct model_place at;
	enum pane_kind shown;
	bool prompt;
};

static struct seen look(void)
{
	struct cell *cells = malloc(ROWS * COLS * sizeof *cells);
	assert_non_null(cells);
	memcpy(cells, canvas.cells, ROWS * COLS * sizeof *cells);
	return (struct seen){cells, host.model.at, host.shown, host.prompt.open};
}

static bool changes(enum action action)
{
	struct seen was = look();
	host.message[0] = '\0';
	bool meant = keymap_owner(action) == OWNER_MARKS;
	if (meant)
		marks_act(&host, action, 'q');
	else
		meant = panes_act(&host, action);
	bool said = host.message[0] || host.colours; /* the program lists colours over the pane */
	host.colours = false;
	draw();
	struct seen is = look();
	bool changed = said || memcmp(was.cells, is.cells, ROWS * COLS * sizeof *is.cells) != 0
		|| memcmp(&was.at, &is.at, sizeof was.at) != 0 || was.shown != is.shown || was.prompt != is.prompt;
	free(was.cells);
	free(is.cells);
	return changed || !meant; /* what means nothing in a pane is told by the program */
}

static const struct keymap_row *row_of(enum action action)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	return &rows[action - ACT_MORE - 1];
}

static void every_key_does_something(void **state)
{
	(void)state;
	for (enum pane_kind pane = 0; pane < PANE_KINDS; pane++) {
		for (enum action action = ACT_MORE + 1; action < ACT_COUNT; action++) {
			begin(pane);
			if (host.kinds[pane]->key != action && !changes(action))
				fail_msg("%s in %s neither does nor says anything", row_of(action)->keys,
					host.kinds[pane]->name);
			end();
		}
	}
}

static void copy(void)
{
	struct buf text = {0};
	if (!copy_row(&host, false, &text))
		assert_false(text.failed);
	buf_free(&text);
}

/* Keys that come faster than frames: what a pane, and what is copied from it, is made of may be that of another pane, of
 * another width, of a moment before. */
static void keys_need_no_frame(void **state)
{
	(void)state;
	for (enum pane_kind pane = 0; pane < PANE_KINDS; pane++) {
		begin(pane);
		for (enum action action = ACT_MORE + 1; action < ACT_COUNT; action++) {
			if (!host.prompt.open)
				panes_act(&host, action);
			if (host.prompt.open)
				pane_prompt_key(&host, &(struct key){.kind = KEY_NAME, .name = "<Esc>"});
			for (int to = 0; to < PANE_KINDS; to++) {
				host.shown = (enum pane_kind)(((int)pane + to) % PANE_KINDS);
				model_set_cols(&host.model, 20 + (int)(action % 7) * 300);
				copy();
			}
			host.shown = pane;
		}
		end();
	}
}

/* Keys in the hints and the help of a pane are bound there. */
static void notes_are_kept(void **state)
{
	(void)state;
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	begin(0);
	for (size_t i = 0; i < n; i++) {
		enum pane_kind pane = 0;
		while (pane < PANE_KINDS && host.kinds[pane]->pane != notes[i].pane)
			pane++;
		assert_true(pane < PANE_KINDS);
		for (const char *key = notes[i].keys; *key; key += strcspn(key, " "), key += strspn(key, " ")) {
			struct keymap_state typed = {0};
			char one[32];
			snprintf(one, sizeof one, "%.*s", (int)strcspn(key, " "), key);
			enum action action = keymap_feed(&typed, one, NULL);
			if (action == ACT_NONE)
				fail_msg("%s, in the help of %s, is not bound", one, host.kinds[pane]->name);
		}
	}
	end();
}

static int open_log(void **state)
{
	(void)state;
	struct evl_err err;
	if (evl_open(&log_, "assets/bazaar.eventlog", &err) < 0 || evl_start(log_, NULL, NULL) < 0)
		return -1;
	if (!output_init(&child.output))
		return -1;
	char line[32];
	for (int i = 0; i < 1000; i++)
		output_put(&child.output, line, (size_t)snprintf(line, sizeof line, "line %d\n", i));
	return evl_wait(log_);
}

static int close_log(void **state)
{
	(void)state;
	evl_close(log_);
	output_free(&child.output);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_does_something),
		cmocka_unit_test(keys_need_no_frame),
		cmocka_unit_test(notes_are_kept),
	};
	return cmocka_run_group_tests(tests, open_log, close_log);
}
