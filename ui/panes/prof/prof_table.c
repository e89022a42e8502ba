#include "panes/prof/prof_table.h"

#include "draw/bars.h"
#include "draw/text.h"

#include <stdio.h>
#include <string.h>

enum { WIDE = 120, OPEN = 0x25be, SHUT = 0x25b8, INDENT = 2, LEAST_NAME = 12 };

/* Where the columns stand; widths of 0: there is no room for it. */
struct columns {
	int incl, self, samples; /* where they end; 0: not there */
	int bar, bar_w, name, name_w, module, module_w, source, source_w;
};

static struct columns columns_for(int x, int width)
{
	struct columns k = {0};
	int end = x + width;
	if (width < 36) {
		k.incl = x + 6;
		k.name = x + 7;
		k.name_w = end - k.name;
		return k;
	}
	k.incl = x + 6;
	k.self = x + 14;
	if (width < 70) {
		k.name = x + 16;
		k.name_w = end - k.name;
		return k;
	}
	if (width < WIDE) {
		k.bar_w = width / 5;
		k.bar = end - k.bar_w;
		k.name = x + 16;
		k.module_w = 12;
		k.module = k.bar - k.module_w - 1;
		k.name_w = k.module - k.name - 1;
		return k;
	}
	k.samples = x + 25;
	k.bar = x + 27;
	k.bar_w = 20;
	k.name = k.bar + k.bar_w + 1;
	k.source_w = (end - k.name) * 2 / 5;
	k.source = end - k.source_w;
	k.module_w = 18;
	k.module = k.source - k.module_w - 1;
	k.name_w = k.module - k.name - 1;
	return k;
}

static void put_right(struct canvas *c, int y, int end, struct pen pen, const char *text)
{
	int width = (int)strlen(text);
	if (end > 0)
		canvas_str(c, y, end - width, width, pen, text);
}

bool table_order_at(int x, int width, int at, enum prof_order *out)
{
	struct columns k = columns_for(x, width);
	bool bar = k.bar_w && at >= k.bar && at < k.bar + k.bar_w;
	if (at < k.incl || (k.samples && at >= k.self && at < k.samples))
		*out = PROF_BY_INCL;
	else if (at < k.self || bar)
		*out = PROF_BY_SELF;
	else if (at >= k.name && at < k.name + k.name_w)
		*out = PROF_BY_NAME;
	else if (k.module_w && at >= k.module && at < k.module + k.module_w)
		*out = PROF_BY_MODULE;
	else
		return false;
	return true;
}

/* "33.5", in a column that says %. */
static void put_share(struct canvas *c, int y, int end, struct pen pen, uint64_t n, uint64_t total)
{
	char text[TEXT_ROOM];
	snprintf(text, sizeof text, "%.1f", total ? 100.0 * (double)n / (double)total : 0.0);
	put_right(c, y, end, pen, text);
}

static void put_bar(struct canvas *c, int y, int x, int width, enum style style, uint64_t n, uint64_t most)
{
	int eighths = bars_eighths((double)n, (double)most, width);
	for (int i = 0; i < width; i++) {
		int part = eighths - 8 * i;
		if (c->mono)
			canvas_printf(c, y, x + i, 1, PEN(ST_TEXT), "%c", part > 3 ? '#' : part > 0 ? '-' : ' ');
		else
			canvas_left(c, y, x + i, part, (uint8_t)style, ST_BAR);
	}
}

static void put_head(const struct columns *k, const struct prof_look *look, bool by_self, struct canvas *c, int y)
{
	struct pen pen = {ST_DIM, ST_PAGE, ATTR_UNDERLINE};
	put_right(c, y, k->incl, pen, by_self ? "self%" : look->bottom_up ? "via%" : "incl%");
	put_right(c, y, k->self, pen, look->compares ? "base%" : "self%");
	put_right(c, y, k->samples, pen, look->compares ? "change" : look->whole ? "time" : "samples");
	if (k->bar_w && !(look->compares && k->samples))
		canvas_str(c, y, k->bar, k->bar_w, pen,
			look->compares             ? "change"
				: k->bar < k->name ? "self bar"
						   : "self");
	canvas_str(c, y, k->name, k->name_w, pen, look->whole ? "thread, kind of time, stack" : "cost centre");
	canvas_str(c, y, k->module, k->module_w, pen, "module");
	canvas_str(c, y, k->source, k->source_w, pen, "source");
}

/* Columns of indentation that are left out so that the selected row has room for its name. */
static int shift_for(const struct prof_rows *r, const struct columns *k)
{
	int depth = (int)(prof_rows_item(r, r->selected)->depth - prof_rows_item(r, r->focus)->depth);
	int over = depth * INDENT - k->name_w / 2;
	return over > 0 ? over : 0;
}

/* "▾ name" by its depth; what is deep keeps room for its name. */
static void put_name(const struct prof_rows *r, const struct prof_look *look, uint32_t item, const struct columns *k,
	int shift, struct canvas *c, int y, uint8_t bg, bool here)
{
	const struct prof_item *i = prof_rows_item(r, item);
	int indent = (int)(i->depth - prof_rows_item(r, r->focus)->depth) * INDENT;
	bool found = look->found && look->found[i->name], open = prof_rows_is_open(r, item);
	struct pen pen = {found ? ST_KEY : here ? ST_EM : ST_TEXT, bg, (uint8_t)(here || found ? ATTR_BOLD : 0)};
	char depth[16] = "";
	if (shift > 0)
		snprintf(depth, sizeof depth, "%u ", i->depth);
	int most = k->name_w - LEAST_NAME - INDENT - (int)strlen(depth);
	indent -= shift;
	indent = indent > most ? (most > 0 ? most : 0) : indent < 0 ? 0 : indent;
	if (i->child)
		canvas_glyph(c, y, k->name + indent, (struct pen){ST_KEY, bg, 0}, open ? OPEN : SHUT, open ? '-' : '+');
	indent += 2;
	indent += canvas_str(c, y, k->name + indent, k->name_w - indent, (struct pen){ST_DIM, bg, 0}, depth);
	if (item == 0 && look->root)
		canvas_str(c, y, k->name + 2, k->name_w - 2, pen, look->root);
	else
		prof_put_name(look->names, c, y, k->name + indent, k->name_w - indent, pen, i->name, i->times);
}

/* The shares of both ranges, and by how many points they differ; grey: within chance. */
static void put_change(const struct prof_rows *r, const struct prof_item *i, const struct columns *k, struct canvas *c,
	int y, uint8_t bg, bool here)
{
	bool noise;
	char text[TEXT_ROOM];
	const struct prof_tree *t = r->tree;
	double change = 100 * prof_tree_change(t, i, &noise);
	uint8_t attr = here ? ATTR_BOLD : 0;
	struct pen pen = {noise ? ST_DIM : change > 0 ? ST_WARN : ST_ACCENT, bg, attr};
	put_share(c, y, k->incl, pen, prof_tree_now(t, i), t->items[0].incl);
	if (k->self)
		put_share(c, y, k->self, pen, prof_tree_base(t, i), t->items[0].base_incl);
	snprintf(text, sizeof text, "%+.1f%s", change, noise ? " =" : "");
	if (k->samples)
		put_right(c, y, k->samples, pen, text);
	else if (k->bar_w)
		canvas_str(c, y, k->bar, k->bar_w, pen, text);
}

static void put_row(const struct prof_rows *r, const struct prof_look *look, uint32_t item, const struct columns *k,
	int shift, uint64_t most, struct canvas *c, int y, int x, int width, bool here)
{
	const struct prof_item *i = prof_rows_item(r, item);
	uint8_t bg = here ? ST_ROW : ST_PAGE;
	struct pen plain = {ST_TEXT, bg, here ? ATTR_BOLD : 0}, dim = {ST_DIM, bg, 0}, link = {ST_ACCENT, bg, 0};
	if (here)
		canvas_fill(c, y, x, 1, width, ST_ROW);
	if (here && c->mono)
		canvas_glyph(c, y, x, plain, SHUT, '>');
	if (look->compares) {
		put_change(r, i, k, c, y, bg, here);
	} else {
		put_share(c, y, k->incl, plain, i->incl, look->total);
		if (k->self)
			put_share(c, y, k->self, plain, i->self, look->total);
		put_right(c, y, k->samples, plain, look->whole ? as_duration(i->incl) : as_count(i->incl));
		if (k->bar_w)
			put_bar(c, y, k->bar, k->bar_w, ST_MINOR, i->self, most);
	}
	put_name(r, look, item, k, shift, c, y, bg, here);
	if (item == 0 && look->root)
		return;
	/* the ends of modules and paths tell them apart */
	canvas_tail(c, y, k->module, k->module_w, dim, prof_module(look->names, i->name));
	canvas_tail(c, y, k->source, k->source_w - 1, link, prof_location(look->names, i->name));
}

void table_draw(const struct prof_rows *r, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, bool here)
{
	struct columns k = columns_for(x, width);
	uint64_t most = 0;
	int shift = r->tree && r->tree->n ? shift_for(r, &k) : 0;
	if (rows < 2 || !r->tree || r->tree->n == 0)
		return;
	for (uint32_t i = 0; i < r->n; i++)
		most = max_u64(most, prof_rows_item(r, r->items[i])->self);
	put_head(&k, look, look->compares && r->tree->by_self, c, y);
	for (uint32_t i = 0; i + 1 < (uint32_t)rows && r->first + i < r->n; i++)
		put_row(r, look, r->items[r->first + i], &k, shift, most, c, y + 1 + (int)i, x, width,
			here && r->first + i == r->at);
	if (r->first > 0)
		canvas_glyph(c, y + 1, x + width - 1, PEN_BOLD(ST_KEY), 0x25b4, '^');
	if (r->first + (uint32_t)rows - 1 < r->n)
		canvas_glyph(c, y + rows - 1, x + width - 1, PEN_BOLD(ST_KEY), 0x25be, 'v');
}

/* --- callers and callees ------------------------------------------------------------------------------------------- */

static void list_row(const struct prof_tree *t, const struct prof_look *look, struct canvas *c, int y, int x, int width,
	uint32_t name, uint64_t samples, int indent, bool is_self)
{
	int bar_w = width >= 60 ? 20 : width >= 40 ? 10 : 0, at = x + 8 + bar_w + (bar_w ? 1 : 0);
	int module_w = width >= 50 ? 16 : 0, name_w = x + width - at - module_w - 1;
	put_right(
		c, y, x + 7, PEN(ST_TEXT), as_share(t->items[0].incl ? (double)samples / (double)t->items[0].incl : 0));
	put_bar(c, y, x + 8, bar_w, ST_RUN, samples, t->items[0].incl);
	indent = indent < name_w / 2 ? indent : name_w / 2;
	if (is_self)
		canvas_str(c, y, at, name_w, PEN(ST_DIM), "self");
	else
		canvas_name(c, y, at + indent, name_w - indent, PEN(ST_TEXT), prof_label(look->names, name));
	if (module_w && !is_self)
		canvas_tail(c, y, at + name_w + 1, module_w, PEN(ST_DIM), prof_module(look->names, name));
}

/* The callers' and callees' own ones too where all of the first level has room. */
static uint32_t after(const struct prof_tree *t, uint32_t item, bool deep)
{
	return deep ? prof_tree_after(t, item) : t->items[item].next;
}

void table_list(const struct prof_tree *t, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, const char *title, bool self)
{
	char text[32];
	if (rows < 2)
		return;
	for (int i = 0; i < width; i++)
		canvas_glyph(c, y, x + i, PEN(ST_OUTSIDE), 0x2500, '-');
	int used = canvas_printf(c, y, x + 2, width - 4, PEN_BOLD(ST_EM), " %s ", title);
	if (t->n == 0)
		return;
	used += canvas_name(
		c, y, x + 2 + used, width - used - 20, PEN_BOLD(ST_EM), prof_label(look->names, t->items[0].name));
	canvas_str(c, y, x + 2 + used, 1, PEN(ST_TEXT), " ");
	int at = y + 1, end = y + rows;
	bool deep = t->items[0].kids + (self && t->items[0].self) + 1 < (uint32_t)rows;
	if (self && t->items[0].self)
		list_row(t, look, c, at++, x, width, 0, t->items[0].self, 0, true);
	uint32_t item = t->items[0].child, left = 0;
	for (; item && at < end; item = after(t, item, deep))
		list_row(t, look, c, at++, x, width, t->items[item].name, t->items[item].incl,
			(int)(t->items[item].depth - 1) * INDENT, false);
	for (; item; item = after(t, item, deep))
		left++;
	if (left) {
		snprintf(text, sizeof text, " %u more ", left);
		canvas_str(c, y, x + width - (int)strlen(text) - 1, (int)strlen(text), PEN(ST_DIM), text);
	}
}

/* --- one row in words ---------------------------------------------------------------------------------------------- */

/* "main > go > leaf"; of one too long for the room, the end. */
static void put_path(struct line *l, const struct prof_rows *r, const struct prof_look *look)
{
	enum { LEAST = 20 };
	struct prof_path path;
	prof_rows_path(r, r->selected, &path);
	if (path.n == 0 || line_room(l) < LEAST)
		return;
	line_put(l, ST_DIM, false, "   path ");
	size_t first = path.n;
	int room = line_room(l), used = 0; /* what is left out needs four columns for its sign */
	while (first > 0) {
		int width = text_width(prof_label(look->names, path.names[first - 1]), l->c->ascii);
		if (first < path.n && used + width > room - (first > 1 ? 4 : 0))
			break;
		used += width + 3;
		first--;
	}
	if (first)
		line_put(l, ST_DIM, false, "… > ");
	for (size_t i = first; i < path.n; i++) {
		struct evl_str label = prof_label(look->names, path.names[i]);
		if (i > first)
			line_put(l, ST_DIM, false, " > ");
		if (path.n - first == 1)
			l->x += canvas_name(l->c, l->y, l->x, line_room(l), (struct pen){ST_DIM, l->bg, 0}, label);
		else
			line_text(l, ST_DIM, false, label);
	}
}

enum { FIGURES = 30 };

/* Cut at its start to make room for the numbers after it. */
static void put_location(struct line *l, struct evl_str location)
{
	struct pen pen = {ST_ACCENT, l->bg, 0};
	if (line_room(l) > FIGURES)
		l->x += canvas_tail(l->c, l->y, l->x, line_room(l) - FIGURES, pen, location);
}

/* "go  now 35.6%  base 18.5%: +17.1 points, beyond chance (over 3 standard errors)" */
static void put_chance(
	struct line *l, const struct prof_tree *t, const struct prof_item *i, const struct prof_look *look)
{
	bool noise;
	double change = 100 * prof_tree_change(t, i, &noise), now = (double)prof_tree_now(t, i),
	       base = (double)prof_tree_base(t, i);
	line_text(l, ST_EM, true, prof_label(look->names, i->name));
	line_pair(l,
		t->by_self                ? "   self now "
			: look->bottom_up ? "   via now "
					  : "   incl now ",
		ST_TEXT, as_share(now / (double)max_u64(t->items[0].incl, 1)));
	line_pair(l, "  base ", ST_TEXT, as_share(base / (double)max_u64(t->items[0].base_incl, 1)));
	line_printf(l, noise ? ST_TEXT : change > 0 ? ST_WARN : ST_ACCENT, true, ": %+.1f points, ", change);
	const char *why = noise ? " (under 3 standard errors, or half a point)" : " (over 3 standard errors)";
	line_put(l, ST_DIM, false, noise ? "not significant" : "significant");
	if (line_room(l) >= (int)strlen(why))
		line_put(l, ST_DIM, false, why);
}

void table_details(const struct prof_rows *r, const struct prof_look *look, uint64_t interval, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	if (!r->tree || r->tree->n == 0)
		return;
	const struct prof_item *i = prof_rows_item(r, r->selected);
	double total = (double)(look->total ? look->total : 1);
	if (look->compares) {
		put_chance(&l, r->tree, i, look);
		put_path(&l, r, look);
		return;
	}
	struct evl_str module = prof_module(look->names, i->name);
	int room = line_room(&l) > 2 * FIGURES ? line_room(&l) - FIGURES : line_room(&l) / 2;
	l.x += canvas_name(l.c, l.y, l.x, room, PEN_BOLD(ST_EM), prof_label(look->names, i->name));
	const char *what = prof_counts(prof_label(look->names, i->name), module);
	line_skip(&l, module.len ? 2 : 0);
	if (*what) {
		line_put(&l, ST_TEXT, false, what);
	} else {
		line_text(&l, ST_DIM, false, module);
		line_skip(&l, 2);
		put_location(&l, prof_location(look->names, i->name));
	}
	line_pair(&l, look->bottom_up ? "   via " : "   incl ", ST_TEXT, as_share((double)i->incl / total));
	line_put(&l, ST_DIM, false, "  self ");
	line_put(&l, ST_WARN, true, as_share((double)i->self / total));
	char more[2 * TEXT_ROOM];
	snprintf(more, sizeof more, "  %s sample%s", as_count(i->incl), i->incl == 1 ? "" : "s");
	if (!look->whole && line_room(&l) >= (int)strlen(more))
		line_put(&l, ST_DIM, false, more);
	snprintf(more, sizeof more, "  %s",
		interval && i->incl < UINT64_MAX / interval ? as_duration(i->incl * interval) : "");
	if (more[2] && line_room(&l) >= text_width(str_of(more), c->ascii))
		line_put(&l, ST_DIM, false, more);
	put_path(&l, r, look);
}
