/* event_detail.c - one event in full, field by field. */
#include "draw/text.h"
#include "lanes/parts.h"
#include "panes/events/events_pane.h"

#include <stdio.h>

enum { VALUE_X = 11 };

static struct line begin_line(struct canvas *c, int y, const char *name)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	line_put(&l, ST_DIM, false, name);
	l.x = VALUE_X;
	return l;
}

static void put_what(const struct event_row *row, const struct event_detail *d, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	line_printf(&l, ST_KEY, true, "#%s  %s", as_count(row->number + 1), row->name);
	line_printf(&l, ST_DIM, false, "  type %u  ·  %llu bytes at file offset 0x%llx", (unsigned)row->tag,
		(unsigned long long)d->size, (unsigned long long)row->off);
	if (!d->in_block) {
		line_put(&l, ST_DIM, false, "  ·  outside of every block");
		return;
	}
	line_printf(&l, ST_DIM, false, d->block_cap == EVL_NO_CAP ? "  ·  global block" : "  ·  block of cap %u",
		d->block_cap);
	line_printf(&l, ST_DIM, false, " (%s … %s s, at 0x%llx)", as_time(d->block_t), as_time(d->block_end),
		(unsigned long long)d->block_off);
}

static void put_time(const struct evl_log *log, const struct event_row *row, struct canvas *c, int y)
{
	struct line l = begin_line(c, y, "time");
	struct program_facts facts = program_get(&log->program);
	char text[96];
	snprintf(text, sizeof text, "%s s", as_time(row->t));
	line_put(&l, ST_TEXT, false, text);
	uint64_t wall = add_or_max(facts.wall_ns, row->t);
	if (!facts.wall_ns || wall == UINT64_MAX || !*text_wall(text, wall, true))
		return;
	line_pair(&l, "   (wall clock ", ST_TEXT, text);
	line_put(&l, ST_DIM, false, ")");
}

/* All fields, in two rows. */
static void put_fields(const struct event_detail *d, struct canvas *c, int y)
{
	struct line l = begin_line(c, y, "fields");
	if (d->n_fields == 0)
		line_put(&l, ST_DIM, false, "none");
	for (int i = 0; i < d->n_fields; i++) {
		struct evl_str value = {(const uint8_t *)d->fields[i].value, d->fields[i].len};
		int width = (int)strlen(d->fields[i].name) + 1 + text_width(value, c->ascii);
		if (l.y == y && i > 0 && line_room(&l) < width)
			l.y = y + 1, l.x = VALUE_X;
		line_put(&l, ST_DIM, false, d->fields[i].name);
		line_skip(&l, 1);
		line_text(&l, ST_TEXT, false, value);
		line_skip(&l, 2);
	}
}

static void put_raw(const struct event_detail *d, struct canvas *c, int y)
{
	struct line l = begin_line(c, y, "raw");
	for (size_t i = 0; i < d->n_raw && line_room(&l) >= 5; i++)
		line_printf(&l, ST_DIM, false, "%02x ", d->raw[i]);
	if (d->n_raw < d->size)
		line_put(&l, ST_DIM, false, "…");
}

static void put_related(const struct event_row *row, const struct event_detail *d, struct canvas *c, int y)
{
	struct line l = begin_line(c, y, "related");
	line_put(&l, ST_DIM, false, "next of this type ");
	line_printf(&l, ST_TEXT, false, d->has_next ? "+%s" : "none nearby", as_duration(sub_or_0(d->next_t, row->t)));
	line_put(&l, ST_DIM, false, "   previous ");
	line_printf(&l, ST_TEXT, false, d->has_prev ? "-%s" : "none nearby", as_duration(sub_or_0(row->t, d->prev_t)));
	line_put(&l, ST_DIM, false, "   Enter shows it on the timeline");
}

void part_event(const struct evl_log *log, const struct event_page *page, struct canvas *c, int y)
{
	const struct event_row *row = &page->rows[page->cursor];
	for (int x = 0; x < c->cols; x++)
		canvas_glyph(c, y, x, PEN(ST_OUTSIDE), 0x2500, '-');
	put_what(row, &page->detail, c, y + 1);
	put_time(log, row, c, y + 2);
	put_fields(&page->detail, c, y + 3);
	put_raw(&page->detail, c, y + 5);
	put_related(row, &page->detail, c, y + 6);
}
