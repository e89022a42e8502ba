#include "panes/heap/heap_table.h"

#include "draw/line.h"
#include "draw/text.h"
#include "panes/heap/heap_chart.h"
#include "panes/heap/heap_filter.h"

#include <math.h>
#include <stdio.h>

enum { SWATCH = 2, NAME_AT = 3, GAP = 1, NAME_LEAST = 14, DEEPEST = 16, FOLD_WIDTH = 2 };

/* --- columns ------------------------------------------------------------------------------------------------------- */

struct place {
	struct canvas *c;
	const struct heap_answer *page;
	const struct heap_row *row;
	struct pen pen;
	int y, x, width; /* of the column */
};

static void put_right(const struct place *p, struct pen pen, const char *text)
{
	int width = text_width(str_of(text), p->c->ascii);
	canvas_str(p->c, p->y, p->x + (width < p->width ? p->width - width : 0), p->width, pen, text);
}

static struct pen dim(const struct place *p) { return (struct pen){ST_DIM, p->pen.bg, p->pen.attr}; }

static void put_bytes(const struct place *p, uint64_t bytes)
{
	put_right(p, bytes ? p->pen : dim(p), bytes ? as_bytes(bytes) : "-");
}

static void col_bytes(const struct place *p) { put_bytes(p, p->row->bytes); }
static void col_other(const struct place *p) { put_bytes(p, p->row->other); }
static void col_self(const struct place *p) { put_bytes(p, p->row->self); }
static void col_shared(const struct place *p) { put_bytes(p, sub_or_0(p->row->bytes, p->row->self)); }
static void col_peak(const struct place *p) { put_bytes(p, p->row->peak); }

static void col_share(const struct place *p)
{
	if (p->page->at.total == 0 || p->row->bytes == 0)
		return;
	put_right(p, dim(p), as_share((double)p->row->bytes / (double)p->page->at.total));
}

static void col_trend(const struct place *p)
{
	heap_spark(p->row->spark, p->page->trend_most ? p->page->trend_most : p->row->peak, (enum style)p->row->style,
		p->pen, p->c, p->y, p->x + 1, p->width - 1);
}

char *heap_change(char *out, int64_t by)
{
	snprintf(out, TEXT_ROOM, "%s%.30s",
		by > 0           ? "+"
			: by < 0 ? "-"
				 : "",
		as_bytes(by < 0 ? (uint64_t)-by : (uint64_t)by));
	return out;
}

static void col_change(const struct place *p)
{
	char text[TEXT_ROOM];
	uint64_t by = p->row->bytes > p->row->other ? p->row->bytes - p->row->other : p->row->other - p->row->bytes;
	int64_t some = (int64_t)min_u64(by, INT64_MAX);
	bool grew = p->row->bytes > p->row->other;
	struct pen pen = {(uint8_t)(grew ? ST_WARN : ST_TEXT), p->pen.bg, p->pen.attr};
	bool changed = by && !p->page->at.early;
	put_right(p, changed ? pen : dim(p), changed ? heap_change(text, grew ? some : -some) : "-");
}

static void col_growth(const struct place *p)
{
	const struct census_growth *g = &p->row->growth;
	double by = fabs(g->slope);
	char text[TEXT_ROOM + 4];
	if (!g->known || by < 1) {
		put_right(p, dim(p), g->known ? "0 B/s" : p->row->number == BANDS_REST ? "" : "?");
		return;
	}
	snprintf(text, sizeof text, "%s%s/s", g->slope > 0 ? "+" : "-",
		as_bytes(by < 1e18 ? (uint64_t)by : (uint64_t)1e18));
	put_right(p, g->slope > 0 && g->r2 >= 0.5 ? (struct pen){ST_WARN, p->pen.bg, p->pen.attr} : p->pen, text);
}

static void col_fit(const struct place *p)
{
	char text[16];
	if (!p->row->growth.known || isnan(p->row->growth.r2))
		return;
	snprintf(text, sizeof text, "%.2f", p->row->growth.r2);
	put_right(p, dim(p), text);
}

struct column {
	const char *title;
	int width;
	void (*put)(const struct place *p);
	int least;           /* the table must be so wide */
	enum heap_sort sort; /* order by the column; UNSORTED: there is none */
};
#define UNSORTED HEAP_SORT_COUNT

static void col_since(const struct place *p)
{
	put_right(p, p->row->still ? (struct pen){ST_WARN, p->pen.bg, p->pen.attr} : p->pen, p->row->since);
}

static const struct column of_bands[] = {{"at cursor", 10, col_bytes, 0, HEAP_BY_AT},
	{"%", 7, col_share, 36, HEAP_BY_AT}, {"trend", 8, col_trend, 44, UNSORTED},
	{"growth", 11, col_growth, 56, HEAP_BY_GROWTH}, {"r²", 5, col_fit, 66, UNSORTED},
	{"peak", 10, col_peak, 72, HEAP_BY_PEAK}};
static const struct column of_peaks[] = {{"at cursor", 10, col_bytes, 0, HEAP_BY_AT},
	{"%", 7, col_share, 36, HEAP_BY_AT}, {"trend", 8, col_trend, 44, UNSORTED},
	{"history", 21, col_since, 66, UNSORTED}, {"peak", 10, col_peak, 76, HEAP_BY_PEAK}};
static const struct column of_changes[] = {{"before", 10, col_other, 40, UNSORTED},
	{"at cursor", 10, col_bytes, 30, HEAP_BY_AT}, {"change", 11, col_change, 0, HEAP_BY_CHANGE},
	{"trend", 9, col_trend, 60, UNSORTED}};
static const struct column of_nodes[] = {
	{"incl", 13, col_bytes, 0, UNSORTED}, {"%", 7, col_share, 40, UNSORTED}, {"self", 10, col_self, 44, UNSORTED}};
static const struct column of_roots[] = {{"in all", 10, col_bytes, 0, UNSORTED}, {"%", 7, col_share, 40, UNSORTED},
	{"alone", 10, col_self, 36, UNSORTED}, {"with others", 12, col_shared, 50, UNSORTED}};

static const struct {
	const struct column *columns;
	int n;
	const char *title;
} tables[] = {{of_bands, countof(of_bands), "band"}, {of_peaks, countof(of_peaks), "band"},
	{of_changes, countof(of_changes), "band"}, {of_nodes, countof(of_nodes), "call path"},
	{of_roots, countof(of_roots), "root"}};

static int table_of(const struct heap_ask *ask)
{
	enum { BANDS, PEAKS, CHANGES, NODES, ROOTS };
	return ask->mode == HEAP_TREE       ? NODES
		: ask->mode == HEAP_ROOTS   ? ROOTS
		: ask->compares             ? CHANGES
		: ask->sort == HEAP_BY_PEAK ? PEAKS
					    : BANDS;
}

/* Place as many columns as fit at the right edge and call put for each. Return the column where names end. */
static int each_column(
	const struct heap_box *box, int table, void (*put)(const struct column *, int x, void *ctx), void *ctx)
{
	int width = 0;
	for (int i = 0; i < tables[table].n; i++)
		width += box->cols >= tables[table].columns[i].least ? tables[table].columns[i].width : 0;
	int x = box->x + box->cols - width, names_end = x - GAP;
	for (int i = 0; i < tables[table].n; i++) {
		if (box->cols < tables[table].columns[i].least)
			continue;
		put(&tables[table].columns[i], x, ctx);
		x += tables[table].columns[i].width;
	}
	return names_end;
}

struct sought {
	int at; /* screen column */
	enum heap_sort sort;
};

static void find_column(const struct column *column, int x, void *ctx)
{
	struct sought *s = ctx;
	if (s->at >= x && s->at < x + column->width)
		s->sort = column->sort;
}

bool heap_table_sort(const struct heap_answer *page, const struct heap_box *box, int at, enum heap_sort *out)
{
	struct sought s = {at, UNSORTED};
	int table = table_of(&page->ask), end = each_column(box, table, find_column, &s);
	bool of_names =
		at >= box->x && at < end && tables[table].columns != of_nodes && tables[table].columns != of_roots;
	enum heap_sort sort = of_names ? HEAP_BY_NAME : s.sort;
	*out = sort == UNSORTED ? *out : sort;
	return sort != UNSORTED;
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static void put_title(const struct column *column, int x, void *ctx)
{
	const struct place *p = ctx;
	struct place at = *p;
	at.x = x;
	at.width = column->width;
	bool later = column->put == col_other && p->page->other.t > p->page->at.t && !p->page->ask.against;
	put_right(&at, p->pen, later ? "later" : column->title);
}

static void put_cell(const struct column *column, int x, void *ctx)
{
	const struct place *p = ctx;
	struct place at = *p;
	at.x = x + (column->put == col_trend ? 0 : GAP);
	at.width = column->width - (column->put == col_trend ? 0 : GAP);
	column->put(&at);
}

static void draw_swatch(const struct heap_row *row, struct canvas *c, int y, int x)
{
	for (int i = 0; i < SWATCH && row->style != ST_PAGE; i++) {
		lane_solid(c, y, x + i, (enum style)row->style);
		if (c->mono)
			canvas_printf(c, y, x + i, 1, PEN(ST_TEXT), "%c", style_info((enum style)row->style)->letter);
	}
}

/* How a label may be cut: at its end (of a stack the innermost centre tells most), in its middle, at its beginning, or from
 * where it differs from one that would look the same. */
enum cut { CUT_END, CUT_MIDDLE, CUT_BEGIN, CUTS };

/* Report whether two labels look the same in `width` columns. */
static bool look_alike(const char *a, const char *b, enum cut cut, int width, bool ascii)
{
	int wide_a = text_width(str_of(a), ascii), wide_b = text_width(str_of(b), ascii);
	size_t n = strlen(a), m = strlen(b), same = 0, tail = 0;
	if (strcmp(a, b) == 0)
		return false; /* no cut tells them apart */
	if (wide_a <= width || wide_b <= width)
		return false;
	while (same < n && same < m && a[same] == b[same])
		same++;
	while (tail < n && tail < m && a[n - 1 - tail] == b[m - 1 - tail])
		tail++;
	if (cut == CUT_MIDDLE
		&& canvas_name_start(str_of(a), width, ascii) != canvas_name_start(str_of(b), width, ascii))
		return false;
	size_t left = cut == CUT_END ? (size_t)width - 1
		: cut == CUT_MIDDLE  ? (size_t)canvas_name_start(str_of(a), width, ascii)
				     : 0,
	       right = cut == CUT_END ? 0 : (size_t)width - 1 - left;
	return same >= left && tail >= right;
}

/* The row among those shown that the label would look like; NULL: none. */
static const struct heap_row *twin(
	const struct heap_answer *page, const struct heap_row *row, enum cut cut, int width, bool ascii)
{
	for (size_t i = 0; i < page->n; i++)
		if (&page->rows[i] != row && look_alike(row->label, page->rows[i].label, cut, width, ascii))
			return &page->rows[i];
	return NULL;
}

static void put_label(const struct heap_answer *page, const struct heap_row *row, struct canvas *c, int y, int x,
	int width, struct pen pen)
{
	struct evl_str label = str_of(row->label);
	enum cut usual = page->announced.by == BY_COST_CENTRE ? CUT_END : CUT_MIDDLE, cut = usual;
	const struct heap_row *like = width > 3 ? twin(page, row, usual, width, c->ascii) : NULL;
	for (int k = 0; like && k < CUTS; k++)
		if (!twin(page, row, (enum cut)k, width, c->ascii)) {
			cut = (enum cut)k;
			like = NULL;
		}
	if (like) { /* "…" and what follows the beginning that both have */
		size_t same = 0;
		while (row->label[same] && row->label[same] == like->label[same])
			same++;
		while (same && ((uint8_t)row->label[same] & 0xc0) == 0x80)
			same--;
		canvas_glyph(c, y, x, pen, 0x2026, '~');
		canvas_text(c, y, x + 1, width - 1, pen, str_of(row->label + same));
	} else if (cut == CUT_END) {
		canvas_text(c, y, x, width, pen, label);
	} else if (cut == CUT_BEGIN) {
		canvas_tail(c, y, x, width, pen, label);
	} else {
		canvas_name(c, y, x, width, pen, label);
	}
}

static void draw_row(const struct heap_answer *page, const struct heap_row *row, bool here, struct canvas *c,
	const struct heap_box *box, int y)
{
	struct pen pen = {ST_TEXT, here ? ST_ROW : ST_PAGE, here ? ATTR_BOLD : 0};
	struct place p = {.c = c, .page = page, .row = row, .pen = pen, .y = y};
	bool folds = page->grouped && page->ask.mode == HEAP_BANDS;
	int indent = (row->depth < DEEPEST ? row->depth : DEEPEST) + (folds ? FOLD_WIDTH : 0);
	if (here)
		canvas_fill(c, y, box->x, 1, box->cols, ST_ROW);
	if (page->ask.mode == HEAP_BANDS)
		draw_swatch(row, c, y, box->x);
	if (here)
		canvas_glyph(c, y, box->x + SWATCH, pen, 0x25b8, '>');
	if (folds && row->fold != FOLD_NONE)
		canvas_glyph(c, y, box->x + NAME_AT, (struct pen){ST_KEY, pen.bg, pen.attr},
			row->fold == FOLD_OPEN ? 0x25be : 0x25b8, row->fold == FOLD_OPEN ? '-' : '+');
	int end = each_column(box, table_of(&page->ask), put_cell, &p), x = box->x + NAME_AT + indent;
	put_label(page, row, c, y, x, end - x, pen);
}

static void draw_head(const struct heap_answer *page, struct canvas *c, const struct heap_box *box)
{
	struct pen pen = {ST_DIM, ST_PAGE, ATTR_UNDERLINE};
	struct place p = {.c = c, .page = page, .pen = pen, .y = box->y};
	int table = table_of(&page->ask), end = each_column(box, table, put_title, &p);
	canvas_str(c, box->y, box->x + NAME_AT, end - box->x - NAME_AT, pen, tables[table].title);
}

/* "other (212)" */
static void draw_rest(const struct heap_answer *page, struct canvas *c, const struct heap_box *box, int y)
{
	struct heap_row row = page->rest;
	snprintf(row.label, sizeof row.label, "other (%s)", as_count(page->unlisted));
	draw_row(page, &row, false, c, box, y);
}

static bool has_rest(const struct heap_answer *page) { return page->ask.mode == HEAP_BANDS && page->unlisted > 0; }

int heap_table_room(const struct heap_answer *page, int rows)
{
	int room = rows - 1 - has_rest(page);
	return room > 1 ? room : 1;
}

void heap_table(const struct heap_answer *page, const char *filter, struct canvas *c, const struct heap_box *box)
{
	int room = heap_table_room(page, box->rows), y = box->y + 1;
	if (box->rows < 1)
		return;
	draw_head(page, c, box);
	for (size_t i = 0; i < page->n && y < box->y + box->rows && (int)i < room; i++)
		draw_row(page, &page->rows[i], i == page->cursor, c, box, y++);
	if (page->n == 0)
		canvas_str(c, y++, box->x + NAME_AT, box->cols - NAME_AT, PEN(ST_DIM),
			page->hidden ? filter_none(&heap_filter_fields, filter, "band", (char[FILTER_SAY]){0})
				: page->at.early ? "no sample yet"
						 : "no band");
	if (has_rest(page) && y < box->y + box->rows)
		draw_rest(page, c, box, y);
}

/* --- details ------------------------------------------------------------------------------------------------------- */

/* Put text from the pen on, word by word; a line that follows begins at column `left`, and the last is cut. */
static void put_words(struct line *l, enum style style, const char *string, int left, int last)
{
	struct evl_str text = {(const uint8_t *)string, strlen(string)};
	while (l->y < last && text_width(text, l->c->ascii) > line_room(l)) {
		size_t fits = 0;
		for (size_t i = 1; i < text.len; i++)
			if (text.p[i] == ' ' && text_width((struct evl_str){text.p, i}, l->c->ascii) <= line_room(l))
				fits = i;
		if (fits == 0 && l->x <= left)
			break; /* a word longer than a line */
		line_text(l, style, false, (struct evl_str){text.p, fits});
		text = (struct evl_str){text.p + fits + (fits > 0), text.len - fits - (fits > 0)};
		l->y++;
		l->x = left;
	}
	line_text(l, style, false, text);
}

/* "Map.Bin  growth +3.1 MB/s  peak 12 MB at 0.3 s", in all of the few lines: its course, what it is, other figures. */
static void details_text(const struct heap_answer *page, struct canvas *c, const struct heap_box *box)
{
	enum { LEAST = 8 };
	int last = box->y + box->rows - 1, what = page->n_numbers > 1 ? page->n_numbers : 1;
	struct line l = {.c = c, .y = box->y, .x = box->x, .end = box->x + box->cols, .bg = ST_PAGE};
	const struct heap_row *row = &page->rows[page->cursor];
	l.x += canvas_name(c, l.y, l.x, box->rows > 1 ? box->cols : box->cols / 3, PEN_BOLD(ST_EM), str_of(row->label));
	for (int i = 0; i < page->n_facts; i++) {
		int n = i == 0 ? 0 : i + what - 1 < page->n_facts ? i + what - 1 : i - (page->n_facts - what);
		const struct heap_fact *fact = &page->facts[n];
		int width =
			(int)strlen(fact->name) + 3 + (l.y == last ? text_width(str_of(fact->text), c->ascii) : LEAST);
		if (line_room(&l) < width && (i > 0 || l.y < last)) {
			if (l.y == last)
				continue; /* shorter facts may fit */
			l.y++;
			l.x = box->x;
		}
		line_skip(&l, l.x > box->x ? 2 : 0);
		line_put(&l, ST_DIM, false, fact->name);
		line_skip(&l, *fact->name != 0);
		put_words(&l, (enum style)fact->style, fact->text, box->x, last);
	}
}

void heap_details(const struct heap_answer *page, struct canvas *c, const struct heap_box *box)
{
	enum { NAMES = 13, TEXT_ROWS = 3, LIST_ROWS = 8 };
	int y = box->y, end = box->y + box->rows, spare = box->rows - 1 - page->n_facts;
	if (page->n == 0 || box->rows < 1)
		return;
	const struct heap_row *row = &page->rows[page->cursor];
	if (box->rows <= TEXT_ROWS || (box->rows <= LIST_ROWS && spare < 0)) {
		details_text(page, c, box);
		return;
	}
	canvas_name(c, y++, box->x, box->cols, PEN_BOLD(ST_EM), str_of(row->label));
	for (int i = 0; i < page->n_facts && y < end; i++, y++) {
		const struct heap_fact *fact = &page->facts[i];
		struct line l = {.c = c, .y = y, .x = box->x + NAMES, .end = box->x + box->cols, .bg = ST_PAGE};
		canvas_str(c, y, box->x, NAMES, PEN(ST_DIM), fact->name);
		put_words(&l, (enum style)fact->style, fact->text, l.x, y + (spare > 0 ? spare : 0));
		spare -= l.y - y;
		y = l.y;
	}
}
