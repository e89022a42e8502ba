/* The boxes of the pane of figures: their places on screens of all widths, and that every row is reached. */
#include "logs.h"
#include "panes/stats/stats_boxes.h"
#include "panes/stats/stats_job.h"

#include <stdio.h>
#include <stdlib.h>

struct fixture {
	struct evl_log *log;
	struct stats_answer answer;
	struct stats_heat heat;
	struct stats_data data;
};

static void open_fixture(struct fixture *x, const char *path)
{
	struct evl_err err;
	*x = (struct fixture){0};
	assert_int_equal(evl_open(&x->log, path, &err), 0);
	assert_int_equal(evl_start(x->log, NULL, NULL), 0);
	assert_int_equal(evl_wait(x->log), 0);
	struct answer_job *job = stats_job_new(x->log, NULL, NULL);
	assert_non_null(job);
	job_ask(job, &(struct stats_ask){.to = UINT64_MAX, .deep = 1});
	assert_true(job_wait(job, -1));
	assert_true(job_take(job, &x->answer));
	job_free(job);
	assert_true(x->answer.made);
	x->data = (struct stats_data){x->log, &x->answer, &x->answer.figures, &x->heat, 0};
}

static void close_fixture(struct fixture *x)
{
	stats_answer_free(&x->answer);
	evl_close(x->log);
}

static bool overlap(const struct stats_box *a, const struct stats_box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->rows + 1
		&& b->y < a->y + a->rows + 1;
}

static const char *const logs[] = {"tests/logs/9.6.6-nonmover-N2.eventlog", "tests/logs/9.10.3-gcstorm-N64.eventlog",
	"tests/logs/9.10.3-conczoo-nothing.eventlog", "tests/logs/hostile.eventlog"};

static void boxes_do_not_overlap(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		open_fixture(&x, logs[i]);
		for (int cols = 20; cols < 300; cols += 7) {
			struct stats_boxes b = {.goal_x = 1};
			stats_boxes_layout(&b, &x.data, cols, 40);
			for (int k = 0; k < STATS_SECTIONS; k++) {
				assert_true(b.items[k].x + b.items[k].width < cols);
				for (int m = 0; m < k; m++)
					assert_false(overlap(&b.items[k], &b.items[m]));
			}
		}
		close_fixture(&x);
	}
}

/* Down from the top, in one column, comes by every row once. */
static void down_comes_by_every_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		struct stats_boxes b = {.goal_x = 1};
		int rows = 0, met = 1;
		open_fixture(&x, logs[i]);
		stats_boxes_layout(&b, &x.data, 80, 20);
		stats_boxes_act(&b, ACT_START);
		for (int k = 0; k < STATS_SECTIONS; k++)
			rows += b.items[k].rows + 1;
		for (int last = -2; met <= rows; met++) {
			int now = b.items[b.section].y + b.row;
			assert_in_range(now + 1 - b.top, 0, 19);
			if (now == last)
				break;
			last = now;
			stats_boxes_act(&b, ACT_DOWN);
		}
		assert_int_equal(met, rows + 1);
		close_fixture(&x);
	}
}

static void every_row_can_be_drawn_and_asked(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct fixture x;
		struct canvas c = {0};
		open_fixture(&x, logs[i]);
		assert_int_equal(canvas_resize(&c, 400, 160), 0);
		struct stats_boxes b = {.goal_x = 1};
		stats_boxes_layout(&b, &x.data, 160, 400);
		for (int k = 0; k < STATS_SECTIONS; k++) {
			for (int row = -1; row < b.items[k].rows; row++) {
				b.section = k;
				b.row = row;
				canvas_clear(&c);
				stats_boxes_draw(&b, &x.data, &c, 0);
				struct stats_place place = stats_boxes_place(&b, &x.data);
				bool timed = place.kind == PLACE_MOMENT || place.kind == PLACE_RANGE
					|| place.kind == PLACE_THREAD;
				if (timed)
					assert_in_range(place.t, x.data.f->from, x.data.f->until);
			}
		}
		canvas_free(&c);
		close_fixture(&x);
	}
}

static void a_folded_box_is_its_title(void **state)
{
	(void)state;
	struct fixture x;
	struct stats_boxes b = {.goal_x = 1};
	open_fixture(&x, logs[0]);
	stats_boxes_layout(&b, &x.data, 80, 20);
	int height = b.height, rows = b.items[STATS_time].rows;
	stats_boxes_act(&b, ACT_DOWN);
	stats_boxes_act(&b, ACT_LOWER);
	stats_boxes_layout(&b, &x.data, 80, 20);
	assert_int_equal(b.row, -1);
	assert_int_equal(b.height, height - rows);
	stats_boxes_act(&b, ACT_HIGHER);
	stats_boxes_layout(&b, &x.data, 80, 20);
	assert_int_equal(b.height, height);
	close_fixture(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_do_not_overlap),
		cmocka_unit_test(down_comes_by_every_row),
		cmocka_unit_test(every_row_can_be_drawn_and_asked),
		cmocka_unit_test(a_folded_box_is_its_title),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
