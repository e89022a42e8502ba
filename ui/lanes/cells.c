#include "lanes/cells.h"

#include "lanes/lane.h"

#include <assert.h>

enum { TICK = 0x2594, HATCH = 0x2591, MOST_ROWS = 32 };

static const struct {
	uint8_t style;
	bool bottom; /* drawn from the bottom of a single row */
	bool rare;   /* worth a tick */
	bool quiet;  /* omitted next to running if there is only one letter */
} states[CELL_STATES] = {
	[CELL_RUN] = {.style = ST_RUN, .bottom = true},
	[CELL_FOREIGN] = {.style = ST_FOREIGN},
	[CELL_NM_MARK] = {.style = ST_NM_MARK, .bottom = true},
	[CELL_NM_SWEEP] = {.style = ST_NM_SWEEP},
	[CELL_NM_SYNC] = {.style = ST_NM_SYNC, .rare = true},
	[CELL_MINOR] = {.style = ST_MINOR},
	[CELL_MAJOR] = {.style = ST_MAJOR, .rare = true},
	[CELL_WAIT] = {.style = ST_GC_WAIT},
	[CELL_SYNC] = {.style = ST_SYNC},
	[CELL_STOPPED] = {.style = ST_STOPPED},
	[CELL_RUNNABLE_GC] = {.style = ST_RUNNABLE_GC},
	[CELL_RUNNABLE] = {.style = ST_RUNNABLE},
	[CELL_BLOCKED] = {.style = ST_BLOCKED, .quiet = true},
	[CELL_UNKNOWN] = {.style = ST_UNKNOWN, .quiet = true},
	[CELL_IDLE] = {.style = ST_IDLE, .quiet = true},
	[CELL_ABSENT] = {.style = ST_PAGE, .quiet = true},
};

static const uint8_t of_shares[CAP_SHARES] = {[SHARE_IDLE] = CELL_IDLE,
	[SHARE_RUN] = CELL_RUN,
	[SHARE_MINOR] = CELL_MINOR,
	[SHARE_MAJOR] = CELL_MAJOR,
	[SHARE_WAIT] = CELL_WAIT,
	[SHARE_SYNC] = CELL_SYNC,
	[SHARE_STOPPED] = CELL_STOPPED};

/* One of them has at least half an eighth of any time. */
_Static_assert(CELL_STATES <= 2 * CELL_EIGHTHS, "too many states for cells_share");

typedef unsigned __int128 wide;

static int smaller(int a, int b) { return a < b ? a : b; }

static wide total(const struct cell_shares *s)
{
	wide sum = 0;
	for (size_t i = 0; i < CELL_STATES; i++)
		sum += s->ns[i];
	return sum;
}

/* part / all of `units`, rounded. all > 0. */
static int rounded(wide part, wide all, int units) { return (int)((2 * part * (unsigned)units + all) / (2 * all)); }

/* The largest state but one; of equals the lower. */
static enum cell_state largest(const struct cell_shares *s, enum cell_state but)
{
	enum cell_state best = but == CELL_IDLE ? CELL_ABSENT : CELL_IDLE;
	for (size_t i = CELL_STATES; i-- > 0;)
		if (i != but && s->ns[i] && s->ns[i] >= s->ns[best])
			best = (enum cell_state)i;
	return best;
}

enum style cells_style(enum cell_state state) { return (enum style)states[state].style; }

int cells_part(uint64_t part, uint64_t all)
{
	int n = cells_eighths(part, all);
	return n < 1 ? 1 : n < CELL_EIGHTHS ? n : CELL_EIGHTHS - 1;
}

int cells_eighths(uint64_t part, uint64_t all) { return all ? rounded(min_u64(part, all), all, CELL_EIGHTHS) : 0; }

void cells_share(const struct cell_shares *s, int units, int out[CELL_STATES])
{
	wide all = total(s), sum = 0, rest[CELL_STATES];
	int left = units;
	memset(out, 0, CELL_STATES * sizeof *out);
	for (size_t i = 0; i < CELL_STATES; i++) {
		rest[i] = 2 * (wide)s->ns[i] * (unsigned)units >= all ? s->ns[i] : 0;
		sum += rest[i];
	}
	for (size_t i = 0; i < CELL_STATES && sum; i++) {
		out[i] = (int)(rest[i] * (unsigned)units / sum);
		rest[i] = rest[i] * (unsigned)units % sum;
		left -= out[i];
	}
	for (; sum && left > 0; left--) {
		size_t most = 0;
		for (size_t i = 1; i < CELL_STATES; i++)
			most = rest[i] > rest[most] ? i : most;
		out[most]++;
		rest[most] = 0;
	}
	assert(sum == 0 || left == 0); /* no part of the cells is lost, and none is drawn twice */
}

/* The two largest of a cell, which stay where they are: what lies below the lower one is added to it. */
static struct cell_pair cut(const int units[CELL_STATES], int at)
{
	struct cell_shares in = {0};
	int low = 0, tops[CELL_STATES];
	for (size_t i = 0; i < CELL_STATES; i++) {
		int from = low < at ? at : low, to = smaller(low + units[i], at + CELL_EIGHTHS);
		in.ns[i] = to > from ? (uint64_t)(to - from) : 0;
		low += units[i];
		tops[i] = smaller(low - at, CELL_EIGHTHS);
	}
	if (low < at + CELL_EIGHTHS)
		in.ns[CELL_IDLE] += (uint64_t)(at + CELL_EIGHTHS - (low > at ? low : at));
	enum cell_state first = largest(&in, CELL_STATES), second = largest(&in, first);
	if (in.ns[second] == 0)
		return (struct cell_pair){first, first, CELL_STATES, CELL_EIGHTHS};
	struct cell_pair pair = {first, second, CELL_STATES, 0};
	if (second < first)
		pair = (struct cell_pair){second, first, CELL_STATES, 0};
	pair.eighths = tops[pair.low];
	return pair;
}

static struct cell_pair one_row(const struct cell_shares *s)
{
	enum cell_state base = CELL_RUN;
	wide all = total(s);
	while (base < CELL_STATES && !(states[base].bottom && s->ns[base]))
		base++;
	enum cell_state other = largest(s, base);
	int k = base < CELL_STATES && all ? rounded(s->ns[base], all, CELL_EIGHTHS) : 0;
	if (k == 0)
		return (struct cell_pair){other, other, CELL_STATES, CELL_EIGHTHS};
	return (struct cell_pair){base, k < CELL_EIGHTHS ? other : base, CELL_STATES, k};
}

/* The rare state that no cell shows. */
static enum cell_state unseen(const struct cell_shares *s, const struct cell_pair *pairs, int rows)
{
	for (size_t i = CELL_STATES; i-- > 0;) {
		bool seen = !states[i].rare || s->ns[i] == 0;
		for (int row = 0; row < rows && !seen; row++)
			seen = pairs[row].low == i || pairs[row].high == i;
		if (!seen)
			return (enum cell_state)i;
	}
	return CELL_STATES;
}

void cells_pairs(const struct cell_shares *s, int rows, struct cell_pair *out)
{
	int units[CELL_STATES];
	if (rows == 1) {
		out[0] = one_row(s);
	} else {
		cells_share(s, rows * CELL_EIGHTHS, units);
		for (int row = 0; row < rows; row++)
			out[row] = cut(units, row * CELL_EIGHTHS);
	}
	if (rows > 0 && out[rows - 1].low == out[rows - 1].high)
		out[rows - 1].tick = unseen(s, out, rows);
}

static uint8_t style_of(const struct cells *to, enum cell_state state)
{
	if (state == CELL_IDLE && to->blank)
		return ST_PAGE;
	return state == CELL_RUN && to->run ? to->run : states[state].style;
}

static void draw_pair(const struct cells *to, int y, int x, const struct cell_pair *p)
{
	uint8_t low = style_of(to, p->low), high = style_of(to, p->high);
	if (p->low != p->high)
		canvas_lower(to->c, y, x, p->eighths, low, high);
	else if (p->tick != CELL_STATES)
		canvas_glyph(to->c, y, x, (struct pen){states[p->tick].style, low, 0}, TICK, '\'');
	else
		lane_solid(to->c, y, x, (enum style)low);
}

static void draw_letter(const struct cells *to, int x, const struct cell_shares *s)
{
	enum cell_state most = largest(s, CELL_STATES);
	char letter = style_info(cells_style(most))->letter;
	wide run = s->ns[CELL_RUN], all = total(s);
	bool part = 2 * CELL_EIGHTHS * run >= all && 2 * run < all;
	if (run && part && (most == CELL_RUN || states[most].quiet))
		letter = ':';
	canvas_printf(to->c, to->y, x, 1, PEN(ST_TEXT), "%c", letter);
}

/* Without colours: running as a bar, what else there is hatched where it has cells for itself. */
static void draw_plain(struct canvas *c, int y, int x, const struct cell_pair *p)
{
	bool blank = p->low == CELL_IDLE || p->low == CELL_ABSENT;
	if (p->low == CELL_RUN)
		canvas_lower(c, y, x, p->eighths, ST_RUN, ST_PAGE);
	else if (!blank)
		canvas_glyph(c, y, x, PEN(ST_DIM), HATCH, ':');
}

void cells_draw(const struct cells *to, int x, const struct cell_shares *s)
{
	struct cell_pair pairs[MOST_ROWS];
	int rows = smaller(to->rows, MOST_ROWS);
	if (to->c->mono && !to->blank) {
		draw_letter(to, x, s);
		return;
	}
	cells_pairs(s, rows, pairs);
	for (int row = 0; row < rows; row++)
		if (to->c->mono)
			draw_plain(to->c, to->y + rows - 1 - row, x, &pairs[row]);
		else
			draw_pair(to, to->y + rows - 1 - row, x, &pairs[row]);
}

/* The page has no colour to draw with: a cell that starts with it is drawn inverted. */
void cells_draw_edge(const struct cells *to, int x, enum cell_state left, enum cell_state right, int eighths)
{
	uint8_t from = style_of(to, left), then = style_of(to, right);
	bool turned = from == ST_PAGE, whole = eighths <= 0 || eighths >= CELL_EIGHTHS;
	for (int row = 0; row < to->rows; row++) {
		int y = to->y + row;
		if (whole)
			lane_solid(to->c, y, x, (enum style)(eighths > 0 ? from : then));
		else if (turned && to->c->ascii)
			canvas_left(to->c, y, x, CELL_EIGHTHS - eighths, then, ST_PAGE);
		else
			canvas_left(to->c, y, x, eighths, turned ? then : from, turned ? ST_PAGE : then);
		struct cell *cell = turned && !whole && !to->c->ascii ? canvas_at(to->c, y, x) : NULL;
		if (cell)
			cell->attr |= ATTR_REVERSE;
	}
}

void cells_draw_bar(struct canvas *c, int y, int x, int n, const struct cell_shares *s)
{
	int units[CELL_STATES];
	cells_share(s, n * CELL_EIGHTHS, units);
	for (int i = 0; i < n; i++) {
		struct cell_pair p = cut(units, i * CELL_EIGHTHS);
		canvas_left(c, y, x + i, p.eighths, states[p.low].style, states[p.high].style);
	}
}

enum cell_state cells_of_share(enum cap_share share) { return (enum cell_state)of_shares[share]; }

struct cell_shares cells_of_caps(const uint64_t ns[CAP_SHARES], uint64_t all)
{
	struct cell_shares s = {0};
	for (size_t k = 0; k < CAP_SHARES; k++) {
		s.ns[of_shares[k]] = ns[k];
		all = sub_or_0(all, ns[k]);
	}
	s.ns[CELL_IDLE] += all;
	return s;
}
