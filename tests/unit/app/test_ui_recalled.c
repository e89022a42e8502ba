/* A log whose index was kept: the first frame has its figures and says that another follows, which has its lanes. */
#include "chrome/pane.h"
#include "logs.h"
#include "panes/timeline/timeline.h"

enum { ROWS = 24, COLS = 80 };

static void wake(void *ctx) { (void)ctx; }

static bool shows(const struct canvas *c, const char *word)
{
	for (int y = 0; y < c->rows; y++)
		for (int x = 0; x < c->cols; x++) {
			int n = 0;
			while (word[n] && x + n < c->cols && c->cells[y * c->cols + x + n].ch == (uint32_t)word[n])
				n++;
			if (!word[n])
				return true;
		}
	return false;
}

static void figures_then_lanes(void **state)
{
	struct evl_log *log = walked_file("tests/logs/9.10.3-conczoo-thr-N2.eventlog");
	struct timeline timeline = {0};
	struct pane_host host = {.theme = THEME_DARK, .log = log, .kinds = {[PANE_TIMELINE] = &timeline_pane}};
	struct canvas canvas = {0};
	(void)state;
	host.views[PANE_TIMELINE] = &timeline;
	model_init(&host.model, log);
	timeline_init(&timeline, log, wake, NULL, false);
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
	model_refresh(&host.model);
	log->recalled = true;
	for (int frame = 0; frame < 3; frame++) {
		timeline_draw(&timeline, &host, &canvas);
		assert_int_equal(host.draw_again, frame == 0);
		assert_true(shows(&canvas, "max 4.52 ms"));
		assert_int_equal(shows(&canvas, "cap 0"), frame > 0);
	}
	log->recalled = false;
	timeline_free(&timeline);
	canvas_free(&canvas);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(figures_then_lanes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
