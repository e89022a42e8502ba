/* The inspector of a capability names all of a column: its parts add up to 100 %. */
#include "lanes/lanes.h"
#include "logs.h"
#include "state/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLS = 40, WIDE = 400 };

static void read_column(struct plot *plot, unsigned cap, int i, char *row)
{
	struct lane lane = {.ops = &lane_cap, .index = cap, .rows = 1};
	struct canvas c = {.ascii = true};
	assert_int_equal(canvas_resize(&c, 1, WIDE), 0);
	lane_cap.inspect_column(&lane, plot, i, &(struct line){.c = &c, .end = WIDE, .bg = ST_PAGE});
	for (int x = 0; x < WIDE; x++)
		row[x] = (char)(canvas_at(&c, 0, x)->ch & 0x7f);
	row[WIDE] = '\0';
	canvas_free(&c);
}

/* Each part is rounded to 0.1 %; "<0.1%" may be nothing. */
static void expect_whole(const char *name, unsigned cap, int i, const char *row)
{
	double sum = 0;
	int parts = 0;
	for (const char *at = strchr(row, '%'); at; at = strchr(at + 1, '%'), parts++) {
		const char *number = at;
		while (number > row && strchr("0123456789.", number[-1]))
			number--;
		sum += strtod(number, NULL);
	}
	if (parts && fabs(sum - 100) > 0.1 * parts)
		fail_msg("%s: cap %u, column %d: %.1f%%: %s", name, cap, i, sum, row);
}

static void parts_add_up(void **state)
{
	static const char *const names[] = {"tests/logs/9.10.3-capdance-N4.eventlog",
		"tests/logs/9.10.3-conczoo-thr-N2.eventlog", "tests/logs/9.6.6-boundherd.eventlog"};
	(void)state;
	for (size_t k = 0; k < countof(names); k++) {
		struct evl_log *log = walked_file(names[k]);
		struct plot plot = {0};
		struct model m;
		model_init(&m, log);
		for (int cols = 1; cols <= COLS; cols++) {
			model_set_cols(&m, cols);
			assert_true(plot_update(&plot, &m));
			for (unsigned cap = 0; cap < log->n_caps; cap++)
				for (int i = 0; i < m.cols; i++) {
					char row[WIDE + 1];
					read_column(&plot, cap, i, row);
					expect_whole(names[k], cap, i, row);
				}
		}
		plot_free(&plot);
		evl_close(log);
	}
}

/* A capability that is created, runs, is disabled, enabled and deleted. */
static void absence_is_named(void **state)
{
	struct built b = log_begin();
	struct plot plot = {0};
	struct model m;
	char row[WIDE + 1];
	(void)state;
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 0, EVL_CAP_CREATE, "2", 0u);
	put(&b, 100, EVL_CAP_CREATE, "2", 1u);
	put(&b, 500, EVL_CAP_DISABLE, "2", 1u);
	put(&b, 800, EVL_CAP_ENABLE, "2", 1u);
	put(&b, 850, EVL_CAP_DELETE, "2", 1u);
	block_end(&b, 1000);
	block_begin(&b, 0, 0);
	put_run(&b, 0, 1);
	put_stop(&b, 999, 1, STOP_YIELD);
	block_end(&b, 1000);
	block_begin(&b, 1, 100);
	put_run(&b, 200, 2);
	put_stop(&b, 400, 2, STOP_YIELD);
	put_run(&b, 999, 2); /* an event at the end of the only column */
	block_end(&b, 1000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	model_init(&m, log);
	model_set_cols(&m, 1);
	assert_true(plot_update(&plot, &m));
	read_column(&plot, 1, 0, row);
	if (!strstr(row, "run 20.1%  idle 25.0%  not created 10.0%  disabled 29.9%  deleted 15.0%"))
		fail_msg("%s", row);
	plot_free(&plot);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(parts_add_up), cmocka_unit_test(absence_is_named)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
