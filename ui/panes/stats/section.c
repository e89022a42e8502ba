#include "panes/stats/section.h"

#include "draw/bars.h"
#include "draw/text.h"

#include <math.h>
#include <stdio.h>

static struct pen pen_of(const struct line *l, enum style style) { return (struct pen){(uint8_t)style, l->bg, 0}; }

static int clip(const struct line *l, int width) { return width < line_room(l) ? width : line_room(l); }

size_t section_used(const uint64_t *counts, size_t n, size_t *first)
{
	for (*first = 0; *first < n && !counts[*first];)
		++*first;
	while (n > *first && !counts[n - 1])
		n--;
	return n - *first;
}

void section_right(struct line *l, enum style style, int width, const char *text)
{
	int used = text_width(str_of(text), l->c->ascii), room = clip(l, width);
	canvas_str(l->c, l->y, used < room ? l->x + room - used : l->x, room, pen_of(l, style), text);
	line_skip(l, width + 1);
}

void section_left(struct line *l, enum style style, int width, const char *text)
{
	canvas_str(l->c, l->y, l->x, clip(l, width), pen_of(l, style), text);
	line_skip(l, width + 1);
}

void section_name(struct line *l, enum style style, int width, struct evl_str text)
{
	canvas_name(l->c, l->y, l->x, clip(l, width), pen_of(l, style), text);
	line_skip(l, width + 1);
}

#define TRIFLE 0.01 /* of a number, which no digits are shown of */

void section_unit(struct line *l, enum style style, int width, enum unit unit, double value)
{
	char text[TEXT_ROOM] = "-";
	if (!isnan(value))
		text_value(text, unit, value);
	if (unit == UNIT_NUMBER && value > 0 && value < TRIFLE)
		snprintf(text, sizeof text, "<%.2f", TRIFLE);
	if (unit == UNIT_COUNT && (int)strlen(text) > width && value >= 0 && value < 1e18)
		lane_short(text, (uint64_t)value);
	section_right(l, isnan(value) ? ST_DIM : style, width, text);
}

void section_titles(struct line *l, const struct section_list *list, bool all)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct section_field *f = &list->fields[i];
		if (all || !f->wide)
			section_right(l, ST_DIM, f->width, f->title ? f->title : list->kind->columns[f->column].title);
	}
}

void section_cells(struct line *l, const struct section_list *list, void *of, size_t row, bool all)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct section_field *f = &list->fields[i];
		if (all || !f->wide)
			section_unit(l, f->style, f->width, f->share ? UNIT_SHARE : list->kind->columns[f->column].unit,
				table_number(list->kind, of, row, f->column, f->share));
	}
}

void section_absent(struct line *l, const struct evl_log *log, enum metric m, bool whole, bool windows)
{
	const char *flag = metric_info(m)->flag;
	bool helps = absence_flag_helps(log, flag), of_census = strcmp(flag, "-hT") == 0;
	line_put(l, ST_DIM, false,
		of_census && census_count(&log->census) == 0 ? "no census"
			: windows                            ? FIGURES_NOT_OVER_WINDOWS
			: helps || whole                     ? "not known"
							     : absence_by_flag(log, flag));
	if (helps && !windows)
		line_printf(l, ST_DIM, false, " (+RTS %s)", flag);
}

void section_metric(const struct stats_data *d, struct line *l, enum metric m, int label_w, int value_w)
{
	const struct metric_info *info = metric_info(m);
	double value = d->f->values[m];
	section_left(l, ST_DIM, label_w, info->label);
	if (!isnan(value)) {
		section_unit(l, ST_TEXT, value_w, info->unit, value);
		return;
	}
	section_absent(l, d->log, m, d->f->whole || !d->f->deep, d->f->windows.label && d->f->deep);
}

void section_bar(struct line *l, int width, double value, double max, enum style style)
{
	int cells = clip(l, width), n = bars_eighths(value, max, cells);
	for (int i = 0; i < cells; i++)
		canvas_left(l->c, l->y, l->x + i, n - 8 * i, (uint8_t)style, ST_BAR_DIM);
	line_skip(l, width + 1);
}

/* The part at the start of a cell, and its share of the cell; a second one fills the rest. */
void section_parts(struct line *l, int width, const struct section_part *parts, size_t n)
{
	int cells = clip(l, width), end = 0;
	size_t i = 0;
	double sum = n ? parts[0].share : 0;
	end = bars_eighths(sum, 1, cells);
	for (int cell = 0; cell < cells; cell++) {
		while (i + 1 < n && end <= 8 * cell) {
			sum += parts[++i].share;
			end = bars_eighths(sum, 1, cells);
		}
		uint8_t own = i < n && end > 8 * cell ? (uint8_t)parts[i].style : ST_BAR_DIM;
		uint8_t next = i + 1 < n ? (uint8_t)parts[i + 1].style : ST_BAR_DIM;
		if (l->c->mono)
			canvas_printf(l->c, l->y, l->x + cell, 1, pen_of(l, ST_TEXT), "%c", style_info(own)->letter);
		else
			canvas_left(l->c, l->y, l->x + cell, end - 8 * cell, own, next);
	}
	line_skip(l, width + 1);
}

void section_thread(const struct stats_data *d, struct line *l, int width, uint32_t thread)
{
	struct line part = *l;
	struct evl_str label = evl_label(d->log, thread);
	part.end = l->x + clip(l, width);
	line_printf(&part, ST_EM, false, "%u ", thread);
	canvas_name(l->c, l->y, part.x, line_room(&part), pen_of(l, ST_TEXT), label);
	line_skip(l, width + 1);
}

void section_more(struct line *l, uint64_t n)
{
	line_printf(l, ST_DIM, false, "%s more (", as_count(n));
	line_put(l, ST_KEY, false, "Enter: all");
	line_put(l, ST_DIM, false, ")");
}

void section_at(struct line *l, uint64_t t)
{
	line_pair(l, "at ", ST_TEXT, as_time(t));
	line_put(l, ST_DIM, false, " s ");
}

void section_place_list(struct stats_place *out, const struct table_source *list)
{
	out->kind = PLACE_LIST;
	out->list = list;
}

/* --- entries of several lines ------------------------------------------------------------------------------------------- */

/* An entry is drawn on a canvas of one row, which is then broken into lines. */
int section_entry_lines(
	const struct section_entries *e, const struct stats_data *d, size_t i, bool ascii, struct canvas *lines)
{
	enum { TEXT_COLS = 1200, LINES = 20 };
	struct canvas wide = {.ascii = ascii};
	int n = 0;
	*lines = (struct canvas){.ascii = ascii};
	if (e->items[i].there && !e->items[i].there(d))
		return 0;
	if (canvas_resize(&wide, 1, TEXT_COLS) == 0 && canvas_resize(lines, LINES, d->width) == 0) {
		struct line l = {.c = &wide, .end = TEXT_COLS, .bg = ST_PAGE};
		const struct section_entry *entry = &e->items[i];
		bool alone = entry->alone && d->log->n_caps == 1;
		section_left(&l, ST_DIM, e->label_w, alone ? entry->alone : entry->label);
		entry->put(d, &l);
		n = canvas_wrap(lines, 0, LINES, &wide, 0);
	}
	canvas_free(&wide);
	return n;
}

/* The entry of a row, and its lines, to be freed; *line: which of them. */
static size_t entry_at(const struct section_entries *e, const struct stats_data *d, int row, bool ascii,
	struct canvas *lines, int *line)
{
	for (size_t i = 0; i < e->n; i++) {
		int n = section_entry_lines(e, d, i, ascii, lines);
		*line = row;
		if (row < n)
			return i;
		canvas_free(lines);
		row -= n;
	}
	return e->n;
}

bool section_has_entries(const struct section_ops *ops) { return ops->entries || ops->entry_rows; }

int section_entry_rows(const struct section_ops *ops, const struct stats_data *d, size_t i)
{
	struct canvas lines;
	if (!ops->entries)
		return ops->entry_rows(d, i);
	if (i >= ops->entries->n)
		return 0;
	int n = section_entry_lines(ops->entries, d, i, false, &lines);
	canvas_free(&lines);
	return n;
}

int section_rows(const struct section_ops *ops, const struct stats_data *d)
{
	int n = 0;
	if (!ops->entries)
		return ops->rows(d);
	for (size_t i = 0; i < ops->entries->n; i++)
		n += section_entry_rows(ops, d, i);
	return n;
}

void section_draw(const struct section_ops *ops, const struct stats_data *d, int row, struct line *l)
{
	struct canvas lines;
	int line;
	if (!ops->entries) {
		ops->draw(d, row, l);
		return;
	}
	if (entry_at(ops->entries, d, row, l->c->ascii, &lines, &line) == ops->entries->n)
		return;
	for (int x = 0; x < lines.cols && line_room(l) > 0; x++, l->x++) {
		struct cell *to = canvas_at(l->c, l->y, l->x);
		if (!to)
			break;
		*to = *canvas_at(&lines, line, x);
		to->bg = to->bg == ST_PAGE ? l->bg : to->bg;
	}
	canvas_free(&lines);
}

void section_place(const struct section_ops *ops, const struct stats_data *d, int row, struct stats_place *out)
{
	const struct section_entries *e = ops->entries;
	struct canvas lines;
	int line;
	if (!e && ops->place)
		ops->place(d, row, out);
	if (!e || row < 0)
		return;
	size_t i = entry_at(e, d, row, false, &lines, &line);
	if (i == e->n)
		return;
	if (e->items[i].place)
		e->items[i].place(d, out);
	canvas_free(&lines);
}
