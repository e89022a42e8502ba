#include "lanes/parts.h"
#include "draw/text.h"

#include <stdio.h>

enum { WIDE = 120 };

static void put_share(struct line *l, const struct time_split *t, enum style style, const char *name, uint64_t ns)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, name);
	line_put(l, ST_TEXT, true, text_share(text, t->total ? (double)ns / (double)t->total : 0));
	line_skip(l, 1);
}

static void put_time(struct line *l, const struct time_split *t, bool wide)
{
	put_share(l, t, ST_RUN, wide ? "mutator " : "mut ", t->mutator);
	put_share(l, t, ST_MINOR, "GC ", t->gc);
	if (wide || t->sync)
		put_share(l, t, ST_SYNC, "sync ", t->sync);
	put_share(l, t, ST_DIM, "idle ", t->idle);
}

/* " 14 GCs", " 1 marker", if there is room for it. */
static void put_count(struct line *l, const char *sign, uint64_t n, const char *name)
{
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	snprintf(text, sizeof text, " %s%s %s%s", sign, text_count(number, n), name, n == 1 ? "" : "s");
	if (line_room(l) >= (int)strlen(text))
		line_put(l, ST_TEXT, false, text);
}

void part_range(const struct range_figures *f, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	bool wide = c->cols >= WIDE;
	if (wide)
		line_put(&l, ST_ACCENT, true, "range: ");
	if (!f || f->result < 0) {
		line_put(&l, ST_DIM, false, f ? "out of memory" : "…");
		return;
	}
	put_time(&l, &f->stats.time, wide);
	put_count(&l, "", f->stats.pauses.n, "GC");
	if (f->stats.pauses.n) {
		line_put(&l, ST_DIM, false, wide ? ", the longest " : " max ");
		line_duration(&l, ST_WARN, f->stats.pauses.max);
	}
	if (wide || f->markers)
		put_count(&l, f->more_markers ? ">" : "", f->markers, "marker");
	if (wide || f->messages)
		put_count(&l, f->about_messages ? "~" : "", f->messages, wide ? "message" : "msg");
}
