/* lane_profile.c - lane of the time profile: the sampled cost centre of each capability.
 *
 * The innermost centre by name where there is room, else by the colour of its module. */
#include "lanes/lanes.h"
#include "lanes/prof_time.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 }; /* lanes; the profile pane has all capabilities */

static size_t count(const struct evl_log *log)
{
	if (prof_samples(evl_profile(log)) == 0)
		return 0;
	return log->n_caps < MOST ? log->n_caps : MOST;
}

static uint16_t cap_of(const struct lane *lane, const struct evl_log *log)
{
	return log->blocks.chains[log->cap_chains[lane->index]].cap;
}

/* NULL: this window is not known yet, or has no samples of the capability. */
static const struct prof_lane *find(const struct prof_axis *axis, uint16_t cap)
{
	for (size_t i = 0; axis && i < axis->n_lanes; i++)
		if (axis->lanes[i].cap == cap)
			return &axis->lanes[i];
	return NULL;
}

static const struct prof_axis *axis_of(const struct plot *p)
{
	return p->prof ? prof_job_axis(p->prof, p->t0, p->t1, p->cols) : NULL;
}

static void draw(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	const struct prof_axis *axis = axis_of(p);
	const struct prof_lane *samples = find(axis, cap_of(lane, p->model->log));
	char text[24];
	snprintf(text, sizeof text,
		at->label_w >= 13           ? "profile cap %u"
			: at->label_w >= 10 ? "profile %u"
					    : "prof %u",
		cap_of(lane, p->model->log));
	lane_label(at, c, y, text);
	for (int i = 0; !axis && i < p->cols; i++)
		lane_unknown(c, y, at->plot_x + i);
	if (!samples)
		return;
	const struct prof_look look = {.names = prof_job_names(p->prof), .theme = at->theme, .selected = PROF_NO_NAME};
	time_row(axis, samples, &look, at, c, y);
	const uint64_t until = p->lanes->prof_until;
	for (int i = p->cols; until && i-- > 0 && column_edge(p->t0, p->t1, p->cols, i + 1) > until;)
		lane_unknown(c, y, at->plot_x + i);
}

/* The innermost centre in a column. */
static uint32_t name_in(const struct lane *lane, const struct plot *p, int i)
{
	const struct prof_lane *samples = find(axis_of(p), cap_of(lane, p->model->log));
	bool is = samples && i >= 0 && i < p->cols && samples->nodes[i] != PROF_NO_NODE;
	return is ? prof_job_names(p->prof)->of_node[samples->nodes[i]] : PROF_NO_NAME;
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	line_printf(l, ST_DIM, false, "samples of capability %u; 3 shows the profile", cap_of(lane, m->log));
}

static void inspect_column(const struct lane *lane, struct plot *p, int i, struct line *l)
{
	uint32_t name = name_in(lane, p, i);
	const struct prof_axis *axis = axis_of(p);
	line_skip(l, 2);
	if (name == PROF_NO_NAME) {
		line_put(l, ST_DIM, false, axis && axis->off[i] ? "profiling was off" : "no sample");
		return;
	}
	const struct prof_names *names = prof_job_names(p->prof);
	line_put(l, ST_DIM, false, "mostly ");
	line_text(l, ST_EM, true, prof_label(names, name));
	line_skip(l, 2);
	line_text(l, ST_DIM, false, prof_module(names, name));
	line_skip(l, 2);
	line_text(l, ST_ACCENT, false, prof_location(names, name));
}

/* The centres on the lanes, those with the most columns first. */
static int shown(const struct plot *p, struct shown_colour *out, int room)
{
	const struct prof_axis *axis = axis_of(p);
	const struct prof_names *names = p->prof ? prof_job_names(p->prof) : NULL;
	const struct prof_look look = {.names = names, .selected = PROF_NO_NAME};
	uint32_t *columns = axis && names ? calloc(names->n + 1, sizeof *columns) : NULL;
	int n = 0;
	for (size_t i = 0; columns && i < axis->n_lanes; i++)
		for (int k = 0; k < axis->cols; k++)
			if (axis->lanes[i].nodes[k] != PROF_NO_NODE)
				columns[names->of_node[axis->lanes[i].nodes[k]]]++;
	for (; columns && n < room; n++) {
		uint32_t most = 0;
		for (uint32_t i = 1; i < names->n; i++)
			most = columns[i] > columns[most] ? i : most;
		if (!columns[most])
			break;
		columns[most] = 0;
		const enum style style = prof_style_of(&look, most);
		const char *counts = prof_counts(prof_label(names, most), prof_module(names, most));
		out[n] = (struct shown_colour){.of = {"profile", {style, style}, 0x2588, '#'},
			.name = prof_label(names, most),
			.brief = *counts ? counts : "cost centre, in the lane of the profile"};
	}
	free(columns);
	return n;
}

static const struct lane_colour colours[] = {{"profile", {ST_BAND_0, ST_BAND_1}, 0x2586, '#'}, {0}};

const struct lane_ops lane_profile = {.name = "profile",
	.count = count,
	.draw = draw,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.most_when_low = 1,
	.colours = colours,
	.shown = shown};
