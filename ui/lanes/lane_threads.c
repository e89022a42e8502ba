/* The header of the threads: how many, which of them are shown, in what order, and how to change that. */
#include "lanes/lane_threads.h"
#include "report/abilities.h"

#include <stdio.h>
#include <string.h>

/* If there is room for both; if not, no later ones. */
static void put_keys(struct line *l, const char *key, const char *what)
{
	if (line_room(l) < (int)(strlen(key) + strlen(what))) {
		l->end = l->x;
		return;
	}
	line_put(l, ST_KEY, true, key);
	line_put(l, ST_DIM, false, what);
}

/* Where no thread is in view, the first: the one that ran most, for example. */
static bool put_first(struct line *line, const struct plot *p)
{
	const struct lanes *l = p->lanes;
	const size_t header = l->n_top + l->n_rest;
	const bool seen = l->shown_first + l->shown_n > header + 1, by_id = l->ask.order >= ORDER_ID;
	const struct lane first = lanes_at(l, header + 1);
	const uint32_t thread = lanes_thread(&first);
	char name[LIST_NAME];
	size_t all;
	if (seen || by_id || !first.ops)
		return false;
	line_put(line, ST_DIM, false, "; most: ");
	if (thread)
		line_printf(line, ST_TEXT, false, "%u ", thread);
	line_text(line, ST_TEXT, false, str_of(thread ? lanes_name(l, &first, name) : group_name(l, first.index)));
	if (!thread)
		line_printf(line, ST_TEXT, false, " (%s)", as_count(lanes_group_size(l, first.index, &all)));
	return true;
}

static void put_order(struct line *l, const struct plot *p, bool wide)
{
	const struct lanes *lanes = p->lanes;
	const char *name = thread_order_name(lanes->ask.order), *brief = "wait to run";
	if (!put_first(l, p)) {
		line_put(l, ST_DIM, false, wide ? " · sorted by " : "; by ");
		line_put(l, ST_DIM, false,
			lanes->ask.order == ORDER_WAIT && line_room(l) < (int)strlen(name) ? brief : name);
	}
	bool fixed = lanes->ask.order == ORDER_ID || lanes->ask.order == ORDER_NAME;
	bool now = lanes->threads.t0 == p->t0 && lanes->threads.t1 == p->t1;
	if (!fixed && !now)
		line_put(l, ST_WARN, false,
			wide ? " in the window before (this one is being read)" : " (window before)");
	else if (!fixed && !lanes->threads.in_window)
		line_put(l, ST_WARN, false, wide ? " in the whole run (the window is being read)" : " (whole run)");
	else if (!fixed && wide)
		line_put(l, ST_DIM, false, " in window");
	if (lanes->threads.more) {
		line_printf(
			l, ST_WARN, false, wide ? " and %s more: filter them" : " +%s", as_count(lanes->threads.more));
	}
	if (lanes->threads.others)
		line_put(l, ST_WARN, false, wide ? " (too many to follow: some are not counted)" : " (not all)");
}

/* "15 of 66 listed, 51 in 1 group": the threads with a lane each, wherever the list is scrolled to, and those that are
 * drawn together in closed groups; in little room "15 of 66, 51 more in 1 group". */
static void put_listed(struct line *line, const struct lanes *l, bool wide)
{
	enum { ROOM_FOR_GROUPS = 42 };
	size_t n = 0, groups = 0, all;
	for (uint32_t i = 0; i < l->ask.n_folds; i++) {
		if (l->folds[i].part == PART_REST || lanes_group_is_open(l, i))
			continue;
		n += l->threads.parts[l->folds[i].part].n;
		groups += lanes_group_size(l, i, &all) > 0;
	}
	line_printf(line, ST_DIM, false, "%s of %s%s", as_count(l->threads.n - n), as_count(l->threads.all),
		wide ? " listed" : "");
	if (groups && line_room(line) >= ROOM_FOR_GROUPS)
		line_printf(line, ST_DIM, false, ", %s%s in %zu group%s", as_count(n), wide ? "" : " more", groups,
			groups == 1 ? "" : "s");
}

static void draw_header(
	UNUSED const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	const struct lanes *l = p->lanes;
	char text[2 * TEXT_ROOM + 32], all[TEXT_ROOM];
	text_count(all, l->threads.all);
	canvas_glyph(
		c, y, at->label_x, PEN(ST_KEY), l->threads_closed ? 0x25b8 : 0x25be, l->threads_closed ? '+' : '-');
	snprintf(text, sizeof text, "%sthreads%s%s", at->wide ? " " : "", at->wide && l->threads.all ? " " : "",
		at->wide && l->threads.all ? all : "");
	canvas_str(c, y, at->label_x + 1, at->label_w - 1, PEN(ST_TEXT), text);
	struct line line = {.c = c, .y = y, .x = at->plot_x, .end = at->plot_x + at->cols, .bg = ST_PAGE};
	if (l->threads.all == 0) {
		line_put(&line, ST_DIM, false,
			l->reading              ? "listed when the log has been read"
				: l->threads.t1 ? absence_text(p->model->log, ABSENCE_THREADS)
						: "being listed");
		return;
	}
	put_listed(&line, l, at->wide);
	if (at->wide || !*l->ask.filter)
		put_order(&line, p, at->wide);
	if (line_room(&line) >= 11) {
		line_put(&line, ST_DIM, false, " · ");
		put_keys(&line, "f", " filter");
	}
	if (*l->ask.filter) {
		line_put(&line, ST_KEY, true, " ");
		line_text(&line, ST_EM, true, str_of(l->ask.filter));
		line_printf(&line, ST_DIM, false, " (%s match%s)", as_count(l->threads.n + l->threads.more),
			l->threads.n + l->threads.more == 1 ? "" : "es");
		put_keys(&line, "  Esc", " all");
	}
	put_keys(&line, "  O", " sort");
	put_keys(&line, "  x", " hide");
	put_keys(&line, "  p", " pin");
	enum thread_order order = l->ask.order;
	lane_figure(at, c, y, ST_DIM, order == ORDER_WAIT ? "waited" : order == ORDER_WAKEUPS ? "woken" : "ran");
}

static void inspect_header(UNUSED const struct lane *lane, UNUSED const struct model *m, struct line *l)
{
	line_put(l, ST_DIM, false, "threads: Enter opens and closes the list, f filters, O sorts");
}

const struct lane_ops lane_threads = {
	.name = "threads", .draw = draw_header, .unshaded = true, .inspect = inspect_header};
