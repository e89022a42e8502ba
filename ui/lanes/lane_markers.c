/* lane_markers.c - lane of user markers (traceMarker).
 *
 * One is drawn with its text where the next one leaves room, or else before it, several as their number. */
#include "draw/text.h"
#include "lanes/parts.h"

#include <stdio.h>

enum { SIGN = 0x25be, MANY = 10, LEAST_TEXT = 8 };

static size_t count(UNUSED const struct evl_log *log) { return 1; }

static bool none(const struct evl_log *log)
{
	struct point first;
	return evl_progress(log).done && points_in(&log->markers, 0, UINT64_MAX, &first) == 0;
}

/* Messages are shown instead of markers that are not there. */
static int rows(const struct lane_place *at)
{
	return !(at->log && none(at->log) && messages_count(&at->log->messages) > 0);
}

/* Return the free columns before column i: from the text of the previous marker on, or from the left edge. */
static int room_before(const struct model *m, uint64_t t, int i, bool ascii)
{
	struct point last;
	int from = points_before(&m->log->markers, t, &last) ? model_col(m, last.t) : -1;
	int text = from < 0 ? 0 : text_width(evl_text_at(m->log, last.off), ascii);
	return text < i - from - 1 ? i - from - 1 - text : 0;
}

/* Return the free columns after column i: until the next marker or the end of the plot. */
static int room_after(const struct model *m, uint64_t t, int i)
{
	struct point next;
	int to = points_after(&m->log->markers, t, &next) ? model_col(m, next.t) : -1;
	return (to < 0 ? m->cols : to) - i - 1;
}

static void draw_one(const struct model *m, const struct point *marker, struct canvas *c, int y, int x, int i)
{
	int room = room_after(m, marker->t, i);
	canvas_glyph(c, y, x, PEN(ST_MARKER), SIGN, 'v');
	struct evl_str text = evl_text_at(m->log, marker->off);
	int width = text_width(text, c->ascii);
	if (width > room && width <= room_before(m, marker->t, i, c->ascii))
		canvas_text(c, y, x - width, width, PEN(ST_TEXT), text);
	else if (width <= room || room >= LEAST_TEXT)
		canvas_name(c, y, x + 1, room, PEN(ST_TEXT), text);
}

static void draw(
	UNUSED const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	static const char empty[] = "none in this log: traceMarker writes them";
	const struct model *m = plot->model;
	struct point first;
	lane_label(at, c, y, at->label_w >= 8 ? "markers" : "marks");
	uint64_t kept_until = atomic_load(&m->log->markers.kept_until);
	int known = lane_known_cols(plot, min_u64(kept_until, evl_known(m->log)));
	for (int i = known; i < plot->cols; i++)
		lane_unknown(c, y, at->plot_x + i);
	if (none(m->log) && known == plot->cols && known > (int)strlen(empty))
		canvas_str(c, y, at->plot_x + 1, known - 1, PEN(ST_DIM), empty);
	for (int i = 0; i < known; i++) {
		size_t n = points_in(&m->log->markers, model_edge(m, i), model_edge(m, i + 1), &first);
		struct pen inverse = {ST_PAGE, ST_MARKER, ATTR_BOLD};
		if (c->mono)
			inverse = (struct pen){ST_TEXT, ST_PAGE, ATTR_REVERSE};
		if (n == 1)
			draw_one(m, &first, c, y, at->plot_x + i, i);
		else if (n > 1)
			canvas_printf(c, y, at->plot_x + i, 1, inverse, "%c", n < MANY ? (char)('0' + n) : '+');
	}
	if (known)
		lane_counted(at, c, y, points_in(&m->log->markers, plot->t0, plot->t1, &first), "marker");
	else
		lane_no_figure(at, c, y);
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct point found;
	if (!(forward ? points_after(&log->markers, t, &found) : points_before(&log->markers, t, &found)))
		return false;
	*out = found.t;
	return true;
}

/* "markers: last "load" 1.94 ms ago, next "merge" in 3.2 ms" */
static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	enum { NAME = 24 };
	struct point last, next;
	bool before = points_before(&m->log->markers, m->at.cursor + 1, &last),
	     after = points_after(&m->log->markers, m->at.cursor, &next);
	line_put(l, ST_DIM, false, before || after ? "markers: " : "markers: none (traceMarker writes them)");
	if (before) {
		line_put(l, ST_DIM, false, "last \"");
		l->x += canvas_name(l->c, l->y, l->x, NAME < line_left(l) ? NAME : line_left(l), PEN(ST_TEXT),
			evl_text_at(m->log, last.off));
		line_pair(l, "\" ", ST_TEXT, as_duration(m->at.cursor - last.t));
		line_put(l, ST_DIM, false, after ? " ago, " : " ago");
	}
	if (after) {
		line_put(l, ST_DIM, false, "next \"");
		l->x += canvas_name(l->c, l->y, l->x, NAME < line_left(l) ? NAME : line_left(l), PEN(ST_TEXT),
			evl_text_at(m->log, next.off));
		line_pair(l, "\" in ", ST_TEXT, as_duration(next.t - m->at.cursor));
	}
}

static const struct lane_colour colours[] = {{"markers", {ST_MARKER, ST_MARKER}, SIGN, 'v'}, {0}};

const struct lane_ops lane_markers = {.name = "markers",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.unshaded = true,
	.colours = colours};
