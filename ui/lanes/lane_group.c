/* A group: threads whose labels differ in digits only, together in one lane. */
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "lanes/thread_cells.h"

#include <stdio.h>
#include <stdlib.h>

static size_t none(const struct evl_log *log)
{
	(void)log;
	return 0;
}

static int one_row(const struct lane_place *at)
{
	(void)at;
	return 1;
}

static const char *group_name(const struct lanes *l, uint32_t fold)
{
	return l->ask.folds[fold][0] ? l->ask.folds[fold] : "(no label)";
}

static void draw_group(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	struct thread_column *cols = thread_cells_new(p);
	char text[LIST_NAME + 32];
	snprintf(text, sizeof text, at->wide ? "%s (%u)" : "%s", group_name(p->lanes, lane->index),
		p->lanes->threads.in_fold[lane->index]);
	canvas_glyph(c, y, at->label_x, PEN(ST_KEY), 0x25b8, '+');
	struct evl_str name = {(const uint8_t *)text, strlen(text)};
	canvas_name(c, y, at->label_x + 2, at->label_w - 2, PEN(ST_TEXT), name);
	if (cols && p->lanes->job)
		thread_job_group(p->lanes->job, lane->index, cols, p->cols);
	if (cols) {
		thread_cells_draw(lane, p, cols, true, at, c, y);
		thread_cells_figure(p, cols, at, c, y);
	}
	free(cols);
}

static void inspect_group_column(const struct lane *lane, struct plot *p, int i, struct line *l)
{
	struct thread_column *cols = thread_cells_new(p);
	if (cols && p->lanes->job && thread_job_group(p->lanes->job, lane->index, cols, p->cols) && cols[i].known)
		thread_cells_inspect(&cols[i], max_u64(thread_cells_alive(&cols[i]), 1), l);
	else
		line_put(l, ST_DIM, false, "  not known yet");
	free(cols);
}

static void inspect_group(const struct lane *lane, const struct model *m, struct line *l)
{
	(void)lane;
	(void)m;
	line_put(l, ST_DIM, false, "threads with labels that differ in digits, together; Enter unfolds them");
}

const struct lane_ops lane_group = {.name = "group", .count = none, .rows = one_row, .draw = draw_group,
	.inspect = inspect_group, .inspect_column = inspect_group_column};
