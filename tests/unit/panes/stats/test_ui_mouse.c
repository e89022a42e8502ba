/* The mouse on a timeline of one second: zoom at the pointer, drags, double clicks in time. */
#include "chrome/pane.h"
#include "lanes/lane_threads.h"
#include "logs.h"
#include "panes/events/events_pane.h"
#include "panes/heap/heap_pane.h"
#include "panes/prof/prof_pane.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/mouse.h"
#include "panes/timeline/timeline.h"

enum { ROWS = 24, COLS = 80, MS = 1000000 };

static struct evl_log *log_;
static struct built bytes;
static struct canvas canvas;
static struct timeline timeline;
static struct pane_host host = {.theme = THEME_DARK,
	.kinds = {[PANE_TIMELINE] = &timeline_pane,
		[PANE_HEAP] = &heap_pane,
		[PANE_PROF] = &prof_pane,
		[PANE_EVENTS] = &events_pane,
		[PANE_STATS] = &stats_pane}};
static struct mouse mouse;

static void wake(void *ctx) { (void)ctx; }

static void draw(void)
{
	model_refresh(&host.model);
	timeline_draw(&timeline, &host, &canvas);
}

static int open_log(void **state)
{
	(void)state;
	bytes = log_begin();
	block_begin(&bytes, 0, 0);
	put_run(&bytes, 0, 1);
	put_stop(&bytes, 500 * MS, 1, 3);
	put_run(&bytes, 600 * MS, 2);
	put_stop(&bytes, 1000 * MS - 1, 2, 3);
	block_end(&bytes, 1000 * MS - 1);
	block_begin(&bytes, 1, 0);
	put_run(&bytes, 0, 3);
	put_stop(&bytes, 10 * MS, 3, 3);
	block_end(&bytes, 10 * MS);
	log_ = walked(&bytes);
	model_init(&host.model, log_);
	mouse = (struct mouse){.on = true};
	timeline_init(&timeline, log_, wake, NULL, true);
	host.views[PANE_TIMELINE] = &timeline;
	canvas = (struct canvas){0};
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
	draw();
	return 0;
}

static int close_log(void **state)
{
	(void)state;
	timeline_free(&timeline);
	canvas_free(&canvas);
	done(log_, &bytes);
	return 0;
}

static void event(enum key_kind kind, int button, int mods, int y, int x, int64_t now_ms)
{
	struct key key = {.kind = kind, .button = button, .mods = mods, .y = y, .x = x};
	mouse_event(&mouse, &timeline, &host.model, &key, now_ms);
	draw();
}

static void click(int y, int x, int64_t now_ms)
{
	event(KEY_PRESS, 1, 0, y, x, now_ms);
	event(KEY_RELEASE, 1, 0, y, x, now_ms);
}

/* The screen's row of a capability. */
static int row_of(const struct lane_ops *ops, uint32_t index)
{
	for (size_t i = 0; i < timeline.n_placed; i++)
		if (timeline.placed[i].lane.ops == ops && timeline.placed[i].lane.index == index)
			return timeline.placed[i].y;
	fail_msg("no such lane on the screen");
	return -1;
}

static int x_of(int col) { return timeline.spots.place.plot_x + col; }

static void zooms_at_the_pointer(void **state)
{
	(void)state;
	int y = row_of(&lane_cap, 0);
	for (int i = 0; i < 20; i++) {
		uint64_t under = model_edge(&host.model, 40);
		event(KEY_WHEEL, -1, i % 2 ? MOD_CTRL : 0, y, x_of(40), 0);
		int col = model_col(&host.model, under);
		assert_true(col == 40 || col == 39);
	}
	uint64_t narrow = model_width(&host.model);
	assert_true(narrow < 200000);
	event(KEY_WHEEL, 1, 0, y, x_of(40), 0);
	assert_int_equal(model_width(&host.model), 2 * narrow);
	for (int i = 0; i < 40; i++)
		event(KEY_WHEEL, 1, 0, y, x_of(3), 0);
	assert_int_equal(model_width(&host.model), 1000 * MS);
}

static void pans(void **state)
{
	(void)state;
	int y = row_of(&lane_cap, 0);
	model_fit(&host.model, 400 * MS, 480 * MS, 0);
	event(KEY_WHEEL, 2, 0, y, x_of(9), 0);
	assert_int_equal(host.model.at.t0, 410 * MS);
	event(KEY_WHEEL, -1, MOD_SHIFT, y, x_of(9), 0);
	event(KEY_WHEEL, -1, MOD_SHIFT, y, x_of(9), 0);
	assert_int_equal(host.model.at.t0, 390 * MS);
	uint64_t held = model_edge(&host.model, 10);
	event(KEY_PRESS, 1, 0, timeline.spots.ruler_y, x_of(10), 0);
	event(KEY_DRAG, 1, 0, timeline.spots.ruler_y, x_of(30), 0);
	assert_int_equal(model_col(&host.model, held), 30);
	assert_int_equal(model_width(&host.model), 80 * MS);
	event(KEY_RELEASE, 1, 0, timeline.spots.ruler_y, x_of(30), 0);
	uint64_t t0 = host.model.at.t0;
	event(KEY_DRAG, 1, 0, timeline.spots.ruler_y, x_of(50), 0); /* nothing is held any more */
	assert_int_equal(host.model.at.t0, t0);
	event(KEY_PRESS, 1, 0, timeline.spots.overview_y, COLS - 1, 0);
	assert_int_equal(host.model.at.t1, 1000 * MS);
	event(KEY_DRAG, 1, 0, timeline.spots.overview_y, -5, 0);
	assert_int_equal(host.model.at.t0, 0);
}

static void a_click_selects(void **state)
{
	(void)state;
	click(row_of(&lane_cap, 1), x_of(20), 0);
	assert_ptr_equal(timeline_lane(&timeline)->ops, &lane_cap);
	assert_int_equal(timeline_lane(&timeline)->index, 1);
	assert_int_equal(host.model.at.cursor, model_edge(&host.model, 20));
	click(row_of(&lane_thread, 1), 3, 0); /* on its label: the cursor stays */
	assert_int_equal(lanes_thread(timeline_lane(&timeline)), 1);
	assert_int_equal(host.model.at.cursor, model_edge(&host.model, 20));
	assert_false(host.model.selection.on);
	event(KEY_PRESS, 3, 0, row_of(&lane_cap, 0), x_of(5), 0);
	assert_int_equal(host.model.at.cursor, model_edge(&host.model, 20));
}

static void a_drag_makes_a_range(void **state)
{
	(void)state;
	int y = row_of(&lane_cap, 0);
	event(KEY_PRESS, 1, 0, y, x_of(10), 0);
	event(KEY_DRAG, 1, 0, y + 1, x_of(15), 0);
	assert_int_equal(selection_from(&host.model.selection), model_edge(&host.model, 10));
	assert_int_equal(selection_to(&host.model.selection), model_edge(&host.model, 16));
	event(KEY_DRAG, 1, 0, y, x_of(5), 0); /* to the other side: the column of the press is still in it */
	assert_int_equal(selection_from(&host.model.selection), model_edge(&host.model, 5));
	assert_int_equal(selection_to(&host.model.selection), model_edge(&host.model, 11));
	event(KEY_DRAG, 1, 0, y, 1000, 0);
	assert_int_equal(selection_to(&host.model.selection), host.model.at.t1);
	event(KEY_RELEASE, 1, 0, y, 1000, 0);
	assert_true(host.model.selection.on);
	assert_false(host.model.selection.moving);
}

static void a_double_click_fits(void **state)
{
	(void)state;
	int y = row_of(&lane_cap, 0), x = x_of(model_col(&host.model, 550 * MS));
	click(y, x, 1000);
	click(y, x, 1400); /* too late: the first of two again */
	assert_int_equal(host.model.at.t0, 0);
	assert_int_equal(model_width(&host.model), 1000 * MS);
	click(y, x + 1, 1450); /* elsewhere */
	assert_int_equal(model_width(&host.model), 1000 * MS);
	click(y, x + 1, 1849);
	assert_true(host.model.at.t0 < 500 * MS
		&& host.model.at.t0 > 480 * MS); /* idle from 500 to 600 ms, with a margin */
	assert_true(host.model.at.t1 > 600 * MS && host.model.at.t1 < 620 * MS);
}

static void hints_are_keys(void **state)
{
	(void)state;
	const struct hint_spots *hints = &host.hints;
	bool seen = false;
	assert_true(hints->n > 3);
	for (int i = 0; i < hints->n; i++) {
		assert_int_equal(mouse_hint(hints, hints->items[i].x), hints->items[i].action);
		assert_int_equal(mouse_hint(hints, hints->items[i].end - 1), hints->items[i].action);
		seen = seen || hints->items[i].action == ACT_ZOOM_IN;
	}
	assert_true(seen);
	assert_int_equal(mouse_hint(hints, 0), ACT_NONE);
}

/* Any report of the terminal, from any place: nothing breaks, and the cursor stays in the window. */
static void storms(void **state)
{
	(void)state;
	uint32_t seed = 1;
	for (int i = 0; i < 3000; i++) {
		seed = seed * 1664525u + 1013904223u;
		enum key_kind kind = (enum key_kind)(KEY_PRESS + (seed >> 30));
		int button = (int)(seed >> 8 & 3), wheel[] = {-1, 1, -2, 2};
		int y = (int)(seed >> 10 & 31) - 2, x = (int)(seed >> 15 & 127) - 10;
		event(kind, kind == KEY_WHEEL ? wheel[button] : button, (int)(seed >> 5 & 7), y, x, i);
		assert_true(host.model.at.cursor >= host.model.at.t0 && host.model.at.cursor < host.model.at.t1);
		assert_true(host.model.at.t1 <= 1000 * MS && host.model.at.t0 < host.model.at.t1);
	}
	mouse.on = false;
	struct model_place was = host.model.at;
	event(KEY_PRESS, 1, 0, 7, 40, 0);
	event(KEY_WHEEL, -1, 0, 7, 40, 0);
	assert_memory_equal(&was, &host.model.at, sizeof was);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, open_log, close_log)
	const struct CMUnitTest tests[] = {
		T(zooms_at_the_pointer),
		T(pans),
		T(a_click_selects),
		T(a_drag_makes_a_range),
		T(a_double_click_fits),
		T(hints_are_keys),
		T(storms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
