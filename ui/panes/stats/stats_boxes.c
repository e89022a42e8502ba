#include "panes/stats/stats_boxes.h"

#include "draw/text.h"

#include <stdlib.h>

enum { WIDE = 150, HALF_WIDE = 100, MOST_COLUMNS = 3, MARGIN = 1, GAP = 2, SIGN = 0x25b8 };

static const struct section_ops *const sections[STATS_SECTIONS] = {
#define SECTION(name) [STATS_##name] = &section_##name,
#include "panes/stats/section.def"
#undef SECTION
};

/* --- layout -------------------------------------------------------------------------------------------------------- */

struct columns {
	int n, width;
	int y[MOST_COLUMNS]; /* where each ends */
};

static int lowest(const struct columns *k)
{
	int y = 0;
	for (int i = 0; i < k->n; i++)
		y = k->y[i] > y ? k->y[i] : y;
	return y;
}

static int shortest(const struct columns *k)
{
	int found = 0;
	for (int i = 1; i < k->n; i++)
		found = k->y[i] < k->y[found] ? i : found;
	return found;
}

static bool is_continued(const struct stats_box *box, int row)
{
	return row > 0 && row < BOX_CONTINUED && row < box->rows && box->continued[row];
}

static int first_row(const struct stats_box *box, int row)
{
	while (is_continued(box, row))
		row--;
	return row;
}

static int last_row(const struct stats_box *box, int row)
{
	while (is_continued(box, row + 1))
		row++;
	return row;
}

static void find_entries(struct stats_box *box, const struct section_ops *ops, const struct stats_data *d)
{
	int row = 0, n;
	memset(box->continued, 0, sizeof box->continued);
	for (size_t i = 0; section_has_entries(ops) && row < box->rows && (n = section_entry_rows(ops, d, i)) > 0;
		i++, row += n)
		for (int k = row + 1; k < row + n && k < BOX_CONTINUED; k++)
			box->continued[k] = true;
}

/* Count the rows of a box, and place it if it has any. */
static void place_box(struct stats_boxes *b, struct columns *k, int section, const struct stats_data *d, int cols)
{
	const struct section_ops *ops = sections[section];
	struct stats_box *box = &b->items[section];
	struct stats_data own = *d;
	box->width = own.width = (ops->wide ? cols - MARGIN : k->width) - GAP;
	int rows = section_rows(ops, &own), column = ops->wide ? 0 : shortest(k);
	box->missing = rows == 0;
	box->rows = box->folded ? 0 : rows;
	find_entries(box, ops, &own);
	if (box->missing)
		return;
	box->y = ops->wide ? lowest(k) : k->y[column];
	box->x = MARGIN + column * k->width;
	for (int i = 0; i < k->n; i++)
		if (ops->wide || i == column)
			k->y[i] = box->y + 1 + box->rows + 1;
}

static const char *why_missing(const struct section_ops *ops, const struct stats_data *d)
{
	if (d->f->windows.label && !ops->of_log)
		return FIGURES_NOT_OVER_WINDOWS;
	if (!ops->missing && ops->absence == ABSENCE_GCS && d->f->stats.time.gc + d->f->stats.time.sync > 0)
		return "none starts in this range";
	return ops->missing ? ops->missing : absence_over(d->log, ops->absence, d->f->whole);
}

enum { IN_ANOTHER = -1 }; /* rows of a box whose title is in the line of another one */

/* Boxes without rows are lines at the end of the page that say why; those for the same reason share a line. */
static void place_missing(struct stats_boxes *b, const struct stats_data *d, int y, int cols)
{
	for (int i = 0; i < STATS_SECTIONS; i++) {
		struct stats_box *box = &b->items[i];
		if (!box->missing || box->rows == IN_ANOTHER)
			continue;
		for (int k = i; k < STATS_SECTIONS; k++) {
			struct stats_box *other = &b->items[k];
			if (!other->missing || strcmp(why_missing(sections[k], d), why_missing(sections[i], d)) != 0)
				continue;
			other->x = MARGIN;
			other->width = cols - MARGIN - GAP;
			other->y = y;
			other->rows = k == i ? 0 : IN_ANOTHER;
			b->section = b->section == k ? i : b->section;
		}
		y++;
	}
	b->height = y;
}

static int row_y(const struct stats_boxes *b, int section, int row) { return b->items[section].y + 1 + row; }

static int here_y(const struct stats_boxes *b) { return row_y(b, b->section, b->row); }

static void show_here(struct stats_boxes *b)
{
	const struct stats_box *box = &b->items[b->section];
	int most = b->height > b->shown ? b->height - b->shown : 0;
	int y = here_y(b), end = row_y(b, b->section, last_row(box, b->row));
	y = b->row < 1 ? box->y : y; /* the title too */
	b->top = end >= b->top + b->shown ? end - b->shown + 1 : b->top;
	b->top = y < b->top ? y : b->top;
	b->top = b->top > most ? most : b->top < 0 ? 0 : b->top;
}

void stats_boxes_layout(struct stats_boxes *b, const struct stats_data *d, int cols, int rows)
{
	struct columns k = {.n = cols >= WIDE ? 3 : cols >= HALF_WIDE ? 2 : 1};
	k.width = (cols - MARGIN) / k.n;
	for (int i = 0; i < STATS_SECTIONS; i++)
		place_box(b, &k, i, d, cols);
	place_missing(b, d, lowest(&k), cols);
	b->shown = rows;
	b->row = b->row < b->items[b->section].rows ? b->row : b->items[b->section].rows - 1;
	b->row = first_row(&b->items[b->section], b->row);
	show_here(b);
}

/* --- moves --------------------------------------------------------------------------------------------------------- */

static bool covers(const struct stats_box *box, int x) { return x >= box->x && x < box->x + box->width; }

/* How far a row is off, in the order of moves up and down: rows first, then whether it is in our column. */
static int distance(const struct stats_boxes *b, int section, int y, bool down)
{
	enum { FAR = 1 << 10 };
	int by = down ? y - here_y(b) : here_y(b) - y;
	return by <= 0 ? -1 : by + (covers(&b->items[section], b->goal_x) ? 0 : FAR);
}

/* The next row below or above, in this column if it has any. False: there is none. */
static bool step(struct stats_boxes *b, bool down)
{
	int best = -1, section = 0, row = 0;
	for (int i = 0; i < STATS_SECTIONS; i++) {
		for (int k = -1; k < b->items[i].rows; k++) {
			int far = distance(b, i, row_y(b, i, k), down);
			if (far < 0 || (best >= 0 && far >= best) || is_continued(&b->items[i], k))
				continue;
			best = far;
			section = i;
			row = k;
		}
	}
	if (best < 0)
		return false;
	b->section = section;
	b->row = row;
	return true;
}

/* On by rows of the page. */
static void move(struct stats_boxes *b, int by)
{
	int from = here_y(b);
	while (abs(here_y(b) - from) < abs(by) && step(b, by > 0))
		;
	show_here(b);
}

/* The nearest row of the adjacent box. */
static void move_beside(struct stats_boxes *b, bool right)
{
	int best = -1, y = here_y(b), x = b->items[b->section].x, to = b->section, at = b->row;
	for (int i = 0; i < STATS_SECTIONS; i++) {
		const struct stats_box *box = &b->items[i];
		if (right ? box->x <= x : box->x >= x)
			continue;
		for (int k = -1; k < box->rows; k++) {
			int far = abs(row_y(b, i, k) - y) + 8 * abs(box->x - x);
			if ((best >= 0 && far >= best) || is_continued(box, k))
				continue;
			best = far;
			to = i;
			at = k;
		}
	}
	b->section = to;
	b->row = at;
	b->goal_x = b->items[to].x;
	show_here(b);
}

/* Is box i further down than box k, or right of it? */
static bool is_after(const struct stats_boxes *b, int i, int k)
{
	const struct stats_box *x = &b->items[i], *y = &b->items[k];
	return x->y != y->y ? x->y > y->y : x->x > y->x;
}

/* A box that is not seen whole comes to the top if its title is selected. */
static void show_box(struct stats_boxes *b)
{
	const struct stats_box *box = &b->items[b->section];
	b->goal_x = box->x;
	if (b->row < 0 && (box->y + box->rows >= b->top + b->shown || box->y < b->top))
		b->top = box->y;
	show_here(b);
}

/* To the title of the next box down the page, or the one before. */
static void move_to_box(struct stats_boxes *b, bool on)
{
	int found = -1;
	for (int i = 0; i < STATS_SECTIONS; i++) {
		bool there = on ? is_after(b, i, b->section) : is_after(b, b->section, i);
		there = there && b->items[i].rows != IN_ANOTHER;
		if (there && (found < 0 || (on ? is_after(b, found, i) : is_after(b, i, found))))
			found = i;
	}
	if (found < 0 && (on || b->row < 0))
		return;
	b->section = found < 0 || (!on && b->row >= 0) ? b->section : found; /* back: first to the title of this one */
	b->row = -1;
	show_box(b);
}

/* To a row of the same box, or to the title if it is folded. */
static void move_within(struct stats_boxes *b, int row)
{
	const struct stats_box *box = &b->items[b->section];
	b->row = box->rows ? first_row(box, row) : -1;
	show_here(b);
}

static void fold(struct stats_boxes *b, bool folded)
{
	b->items[b->section].folded = folded;
	b->row = folded ? -1 : b->row;
}

bool stats_boxes_act(struct stats_boxes *b, enum action action)
{
	int by = (int)keymap_scroll(action, b->shown, b->height);
	if (by > 1 || by < -1)
		b->top += by; /* the page moves along; move() clamps it */
	if (by)
		move(b, by);
	if (action == ACT_START && b->row < 0)
		move_within(b, 0);
	switch (action) {
	case ACT_LEFT: move_beside(b, false); return true;
	case ACT_RIGHT: move_beside(b, true); return true;
	case ACT_NEXT_BOX: move_to_box(b, true); return true;
	case ACT_PREV_BOX: move_to_box(b, false); return true;
	case ACT_LOWER: fold(b, true); return true;
	case ACT_HIGHER: fold(b, false); return true;
	case ACT_HOME: move_within(b, 0); return true;
	case ACT_WINDOW_END: move_within(b, b->items[b->section].rows - 1); return true;
	default: return by;
	}
}

static struct stats_place place_of(const struct stats_boxes *b, const struct stats_data *d, int row)
{
	struct stats_place place = {0};
	const struct section_ops *ops = sections[b->section];
	struct stats_data own = *d;
	own.width = b->items[b->section].width;
	if (!b->items[b->section].missing)
		section_place(ops, &own, row, &place);
	return place;
}

struct stats_place stats_boxes_place(const struct stats_boxes *b, const struct stats_data *d)
{
	return place_of(b, d, b->row);
}

const struct table_source *stats_boxes_table(const struct stats_boxes *b, const struct stats_data *d)
{
	struct stats_place title = place_of(b, d, -1);
	if (b->items[b->section].missing)
		return NULL;
	return sections[b->section]->table ? sections[b->section]->table : title.kind == PLACE_LIST ? title.list : NULL;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

/* The next box after k whose title is in the line of this one; STATS_SECTIONS: there is none. */
static int next_with(const struct stats_boxes *b, int section, int k)
{
	for (k++; k < STATS_SECTIONS; k++)
		if (b->items[k].rows == IN_ANOTHER && b->items[k].y == b->items[section].y)
			break;
	return k;
}

/* "NONMOVING GC, NM CYCLES  it did not run (+RTS --nonmoving-gc)" */
static void draw_missing(const struct stats_boxes *b, int section, const struct stats_data *d, struct line *l)
{
	enum { LONGEST = 20, ALIGNED = 60, GAP_BEFORE = 2 };
	const char *why = why_missing(sections[section], d);
	struct line titles = *l;
	int from = l->x;
	titles.end = max_int(titles.end - text_width(str_of(why), l->c->ascii) - GAP_BEFORE,
		from + (int)strlen(sections[section]->title)); /* its title comes before the end of a long reason */
	line_put(&titles, ST_KEY, true, sections[section]->title);
	for (int k = next_with(b, section, section), after; k < STATS_SECTIONS; k = after) {
		enum { COMMA = 2, MORE = 3 }; /* ", ", ", …" */
		after = next_with(b, section, k);
		int rest = COMMA + (after < STATS_SECTIONS ? MORE : 0);
		bool fits = line_room(&titles) >= (int)strlen(sections[k]->title) + rest;
		line_put(&titles, ST_KEY, true, fits ? ", " : ", …");
		if (!fits)
			break;
		line_put(&titles, ST_KEY, true, sections[k]->title);
	}
	l->x = titles.x;
	if (b->items[section].width >= ALIGNED && titles.x - from < LONGEST)
		l->x = from + LONGEST;
	line_skip(l, GAP_BEFORE);
	line_put(l, ST_DIM, false, why);
}

static void draw_title(const struct stats_boxes *b, int section, const struct stats_data *d, struct line *l)
{
	const struct stats_box *box = &b->items[section];
	const struct section_ops *ops = sections[section];
	if (box->missing) {
		draw_missing(b, section, d, l);
		return;
	}
	line_put(l, ST_KEY, true, ops->title);
	line_skip(l, 2);
	if (box->folded)
		line_put(l, ST_DIM, false, "… (> unfolds)");
	else if (ops->head)
		ops->head(d, l);
}

/* Does Enter on the title open a list? Say so at the right edge, where the head leaves room. */
static void draw_link(const struct section_ops *ops, const struct stats_data *d, struct line *l)
{
	static const char full[] = "Enter: list all", brief[] = "Enter: all";
	struct stats_place place = {0};
	section_place(ops, d, -1, &place);
	if (place.kind != PLACE_LIST)
		return;
	int room = line_room(l) - 1, most = (int)strlen(full);
	const char *text = room > most ? full : brief;
	if (room < (int)strlen(text))
		return;
	struct line end = *l;
	end.x = l->end - (int)strlen(text) - 1;
	const struct cell *before = canvas_at(l->c, l->y, end.x - 1);
	if (before && before->ch == ' ')
		line_put(&end, ST_KEY, false, text);
}

static void draw_row(const struct stats_boxes *b, int section, const struct stats_data *d, int row, struct line *l)
{
	if (row < 0)
		draw_title(b, section, d, l);
	else
		section_draw(sections[section], d, row, l);
}

/* Mark a row of the selected entry; the first: by a full arrow if Enter leads somewhere, otherwise by an empty one. */
static void draw_here(
	const struct stats_boxes *b, const struct stats_data *d, struct canvas *c, const struct line *l, bool first)
{
	enum { NOWHERE = 0x25b9 };
	canvas_fill(c, l->y, l->x, 1, l->end - l->x, ST_ROW);
	if (!first)
		return;
	bool leads = stats_boxes_place(b, d).kind != PLACE_NONE;
	canvas_glyph(c, l->y, l->x - 1, PEN_BOLD(ST_KEY), leads ? SIGN : NOWHERE, leads ? '>' : '-');
}

void stats_boxes_draw(const struct stats_boxes *b, const struct stats_data *d, struct canvas *c, int y)
{
	for (int i = 0; i < STATS_SECTIONS; i++) {
		const struct stats_box *box = &b->items[i];
		struct stats_data own = *d;
		own.width = box->width;
		for (int row = -1; row < box->rows; row++) {
			int at = row_y(b, i, row) - b->top;
			bool here = i == b->section && first_row(box, row) == b->row;
			struct line l = {.c = c,
				.y = y + at,
				.x = box->x,
				.end = box->x + box->width,
				.bg = here ? ST_ROW : ST_PAGE};
			if (at < 0 || at >= b->shown)
				continue;
			if (here)
				draw_here(b, d, c, &l, row == b->row);
			draw_row(b, i, &own, row, &l);
			if (row < 0 && !box->folded && !box->missing)
				draw_link(sections[i], &own, &l);
		}
	}
}

/* The lines of an entry are broken for a box as wide as the canvas, so all is in the first few of them. */
void stats_boxes_copy(const struct stats_boxes *b, const struct stats_data *d, struct canvas *c)
{
	const struct section_ops *ops = sections[b->section];
	const struct stats_box *box = &b->items[b->section];
	struct stats_data own = *d;
	int row = b->row, n = 1;
	own.width = box->width;
	if (row >= 0 && section_has_entries(ops) && !box->missing) {
		size_t i = 0;
		for (int at = 0; (n = section_entry_rows(ops, &own, i)) > 0 && at + n <= b->row; i++)
			at += n;
		own.width = c->cols;
		row = 0;
		for (size_t k = 0; k < i; k++)
			row += section_entry_rows(ops, &own, k);
		n = section_entry_rows(ops, &own, i);
	}
	for (int y = 0; y < n && y < c->rows; y++) {
		struct line l = {.c = c, .y = y, .end = section_has_entries(ops) ? c->cols : box->width, .bg = ST_PAGE};
		draw_row(b, b->section, &own, row + y, &l);
	}
}

/* --- searching ----------------------------------------------------------------------------------------------------- */

/* Does the text of a row contain the pattern? A row that the present answer has no more does not. c: a canvas of one row. */
static bool row_has(const struct stats_boxes *b, const struct stats_data *d, const struct pattern *p, int section,
	int row, struct canvas *c)
{
	const struct stats_box *box = &b->items[section];
	struct stats_data own = *d;
	struct line l = {.c = c, .end = box->width, .bg = ST_PAGE};
	own.width = box->width;
	if (row >= 0 && row >= section_rows(sections[section], &own))
		return false;
	canvas_clear(c);
	draw_row(b, section, &own, row, &l);
	char *text = canvas_dump(c);
	bool has = text && pattern_in(p, str_of(text));
	free(text);
	return has;
}

static int first_box(const struct stats_boxes *b, int after)
{
	int found = -1;
	for (int i = 0; i < STATS_SECTIONS; i++)
		if ((after < 0 || is_after(b, i, after)) && (found < 0 || is_after(b, found, i)))
			found = i;
	return found;
}

size_t stats_boxes_find(struct stats_boxes *b, const struct stats_data *d, const struct pattern *p, int by, size_t *n)
{
	struct {
		int section, row;
		size_t number;
	} first = {0}, last = {0}, before = {0}, from = {0}, *to;
	struct canvas c = {0};
	*n = 0;
	int width = 0;
	for (int i = 0; i < STATS_SECTIONS; i++)
		width = b->items[i].width > width ? b->items[i].width : width;
	if (width <= 0 || canvas_resize(&c, 1, width))
		return 0;
	bool passed = false; /* the selection */
	for (int i = first_box(b, -1); i >= 0; i = first_box(b, i))
		for (int row = -1, end; row < b->items[i].rows; row = end + 1) {
			bool here = i == b->section && row == b->row, has = false;
			end = last_row(&b->items[i], row);
			for (int k = row; k <= end && !has; k++)
				has = row_has(b, d, p, i, k, &c);
			passed = passed || (here && by == 0);
			if (has) {
				last.section = i;
				last.row = row;
				last.number = ++*n;
				first = *n == 1 ? last : first;
				before = passed || here ? before : last;
				from = passed && !from.number ? last : from;
			}
			passed = passed || here;
		}
	canvas_free(&c);
	to = by < 0 ? (before.number ? &before : &last) : from.number ? &from : &first;
	if (to->number == 0)
		return 0;
	b->section = to->section;
	b->row = to->row;
	show_box(b);
	return to->number;
}

bool stats_boxes_click(struct stats_boxes *b, int y, int x)
{
	int at = y + b->top;
	for (int i = 0; i < STATS_SECTIONS && y >= 0 && y < b->shown; i++) {
		const struct stats_box *box = &b->items[i];
		if (!covers(box, x) || at < box->y || at > box->y + box->rows)
			continue;
		b->section = i;
		b->row = first_row(box, at - box->y - 1);
		b->goal_x = box->x;
		return true;
	}
	return false;
}

const char *stats_boxes_exported(const struct stats_boxes *b)
{
	const char *form = sections[b->section]->exported;
	return form ? form : "csv metrics";
}
