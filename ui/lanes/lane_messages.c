/* lane_messages.c - lane of user messages (traceEvent).
 *
 * How many there are in each column, as a share of the fullest; one alone with its text where the next leaves
 * room. */
#include "draw/bars.h"
#include "lanes/parts.h"

enum { LEAST_ROWS = 30, SIGN = 0x25be, MANY = 10, LEAST_TEXT = 3 };

static size_t count(const struct evl_log *log) { return messages_count(&log->messages) > 0; }

/* On a low screen only where there is no lane of markers. */
static int rows(const struct lane_place *at) { return at->rows >= LEAST_ROWS || (at->log && !lane_markers.rows(at)); }

/* Its text, up to the next column that holds any. */
static void draw_one(const struct plot *p, const struct message_column *cols, int i, struct canvas *c, int y, int x)
{
	int room = 0;
	while (i + 1 + room < p->cols && !cols[i + 1 + room].n)
		room++;
	canvas_glyph(c, y, x, PEN(ST_MARKER), SIGN, 'v');
	if (room > LEAST_TEXT)
		canvas_text(c, y, x + 1, room, PEN(ST_DIM), evl_text_at(p->model->log, cols[i].off));
}

static void draw_many(uint64_t n, uint64_t most, struct canvas *c, int y, int x)
{
	if (c->mono)
		canvas_printf(c, y, x, 1, PEN(ST_TEXT), "%c", n < MANY ? (char)('0' + n) : '+');
	else
		canvas_lower(c, y, x, bars_eighths((double)n, (double)most, 1), ST_MARKER, ST_PAGE);
}

static void draw(
	UNUSED const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct message_column *cols = plot_messages(plot);
	int known = lane_known_cols(plot, evl_known(plot->model->log));
	uint64_t most = 1, all = 0;
	lane_label(at, c, y, at->label_w >= 8 ? "messages" : "msgs");
	for (int i = 0; cols && i < plot->cols; i++) {
		most = max_u64(most, cols[i].n);
		all += cols[i].n;
	}
	for (int i = 0; cols && i < plot->cols; i++)
		if (i >= known)
			lane_unknown(c, y, at->plot_x + i);
		else if (cols[i].n == 1 && cols[i].exact)
			draw_one(plot, cols, i, c, y, at->plot_x + i);
		else if (cols[i].n)
			draw_many(cols[i].n, most, c, y, at->plot_x + i);
	lane_counted(at, c, y, all, "msg");
}

static bool find(const struct evl_log *log, uint64_t t, bool forward, struct found *out)
{
	return (forward ? find_after : find_before)(&log->blocks, log->tiles, EVL_USER_MSG, t, out);
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct found found;
	if (!find(log, t, forward, &found))
		return false;
	*out = found.t;
	return true;
}

/* The last one before the cursor: that at the cursor is shown anyway. */
static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	struct found last;
	if (!find(m->log, m->at.cursor, false, &last)) {
		line_put(l, ST_DIM, false, "no message yet");
		return;
	}
	line_pair(l, "last message ", ST_DIM, as_duration(m->at.cursor - last.t));
	line_put(l, ST_DIM, false, " ago: ");
	line_text(l, ST_TEXT, false, evl_text_at(m->log, last.off));
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct message_column *cols = plot_messages(plot);
	if (!cols)
		return;
	line_printf(l, ST_TEXT, false, "  %s%s message%s", cols[i].exact ? "" : "about ", as_count(cols[i].n),
		cols[i].n == 1 ? "" : "s");
}

static const struct lane_colour colours[] = {{"messages", {ST_MARKER, ST_MARKER}, 0x2586, '#'}, {0}};

const struct lane_ops lane_messages = {.name = "messages",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.unshaded = true,
	.colours = colours};
