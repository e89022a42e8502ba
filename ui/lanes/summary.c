#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/parts.h"
#include "report/absence.h"

#include <stdio.h>

enum { WIDE = 120, VERY_WIDE = 180, BAR_WIDE = 20, BAR_NARROW = 10 };

static double of_total(const struct time_split *t, uint64_t ns) { return t->total ? (double)ns / (double)t->total : 0; }

/* The run as a bar. */
static void put_bar(struct line *l, const struct time_split *t, int cells)
{
	const struct cell_shares shares = {.ns = {
						   [CELL_RUN] = t->mutator,
						   [CELL_MINOR] = t->minor_gc,
						   [CELL_MAJOR] = t->major_gc,
						   [CELL_SYNC] = t->sync,
						   [CELL_IDLE] = t->idle,
					   }};
	if (line_room(l) < cells)
		return;
	cells_draw_bar(l->c, l->y, l->x, cells, &shares);
	line_skip(l, cells + 1);
}

static void put_share(struct line *l, const struct time_split *t, enum style style, const char *name, uint64_t ns)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, name);
	line_put(l, style == ST_DIM ? ST_TEXT : style, true, text_share(text, of_total(t, ns)));
	line_skip(l, 1);
}

/* "name VALUE", if there is room for it. */
static void put_value(struct line *l, const char *name, enum style style, const char *value)
{
	if (line_room(l) < (int)(strlen(name) + strlen(value)) + 2)
		return;
	line_skip(l, 1);
	line_put(l, ST_DIM, false, name);
	line_put(l, style, true, value);
}

static void put_pauses(struct line *l, const struct pause_stats *p, bool wide)
{
	char text[TEXT_ROOM + 8], number[TEXT_ROOM];
	if (p->n == 0)
		return;
	if (wide) {
		snprintf(text, sizeof text, "%s pauses", text_count(number, p->n));
		put_value(l, text, ST_TEXT, "");
		if (l->c->cols >= VERY_WIDE)
			put_value(l, "p50 ", ST_TEXT, text_duration(text, p->p50));
		put_value(l, "p99 ", ST_TEXT, text_duration(text, p->p99));
	}
	put_value(l, "max ", ST_WARN, text_duration(text, p->max));
}

static void put_rates(struct line *l, const struct model *m, bool wide)
{
	const struct time_split *t = &m->log->run_stats.time;
	const struct heap *heap = &m->log->heap;
	char text[TEXT_ROOM + 24];
	if (heap->has_live)
		put_value(l, " peak live ", ST_TEXT, text_bytes(text, heap->max_live));
	if (wide && heap->has_allocated && t->total) {
		double rate = (double)heap_allocated(heap) / ((double)t->total / 1e9);
		text_bytes(text, rate < 1e18 ? (uint64_t)rate : UINT64_MAX);
		memcpy(text + strlen(text), "/s", 3);
		put_value(l, " alloc ", ST_TEXT, text);
	}
}

/* "caps busy 2.3/4 " */
static int caps_text(const struct model *m, char *out, size_t room)
{
	const struct time_split *t = &m->log->run_stats.time;
	return snprintf(out, room, "%.1f/%zu ", of_total(t, t->run), m->log->n_caps);
}

void part_answers(const struct model *m, struct canvas *c, int y)
{
	struct evl_progress progress = evl_progress(m->log);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	const struct time_split *t = &m->log->run_stats.time;
	bool wide = c->cols >= WIDE;
	if (!progress.done || progress.result < 0) {
		line_put(&l, ST_DIM, false,
			!progress.done ? "reading …"
				: progress.result == EVL_NOMEM
				? "out of memory: not all is shown, no figures of the whole run"
				: "not read to the end: no figures of the whole run");
		return;
	}
	if (t->total == 0) {
		line_put(&l, ST_DIM, false,
			m->live ? "no events yet (they come sooner with +RTS --eventlog-flush-interval=0.2)"
				: m->log->header.cut ? "no events: the file ends in its header"
						     : "no events: a program writes them with +RTS -l");
		return;
	}
	if (!absence_is_recorded(m->log, ABSENCE_RUNS)) { /* then what is not GC may be anything */
		line_put(&l, ST_DIM, false, "what ran and what was idle: ");
		line_put(&l, ST_DIM, false, absence_text(m->log, ABSENCE_RUNS));
		line_skip(&l, 1);
		if (t->gc)
			put_share(&l, t, ST_EM, "GC ", t->gc);
		put_pauses(&l, &m->log->run_stats.pauses, wide);
		put_rates(&l, m, wide);
		return;
	}
	static const char busy[] = "caps busy ";
	char caps[TEXT_ROOM];
	int end = l.end, caps_width = m->log->n_caps ? caps_text(m, caps, sizeof caps) + (int)strlen(busy) : 0;
	l.end -= caps_width; /* it is shown at every width */
	put_share(&l, t, ST_RUN, "mutator ", t->mutator);
	if (!c->mono)
		put_bar(&l, t, wide ? BAR_WIDE : BAR_NARROW);
	put_share(&l, t, ST_EM, "GC ", t->gc);
	if (wide && t->gc) {
		put_share(&l, t, ST_MINOR, "(minor ", t->minor_gc);
		put_share(&l, t, ST_WARN, "major ", t->major_gc);
		l.x--;
		line_put(&l, ST_DIM, false, ") ");
	}
	if (wide && t->sync)
		put_share(&l, t, ST_SYNC, "sync ", t->sync);
	put_share(&l, t, ST_DIM, "idle ", t->idle);
	l.x = l.x < l.end ? l.x : l.end;
	l.end = end;
	if (caps_width) {
		line_put(&l, ST_DIM, false, busy);
		line_put(&l, ST_TEXT, true, caps);
	}
	put_pauses(&l, &m->log->run_stats.pauses, wide);
	put_rates(&l, m, wide);
}

static void put_range_share(struct line *l, const struct time_split *t, enum style style, const char *name, uint64_t ns)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, name);
	line_put(l, ST_TEXT, true, text_share(text, t->total ? (double)ns / (double)t->total : 0));
	line_skip(l, 1);
}

static void put_time(struct line *l, const struct time_split *t, bool wide)
{
	put_range_share(l, t, ST_RUN, wide ? "mutator " : "mut ", t->mutator);
	put_range_share(l, t, ST_MINOR, "GC ", t->gc);
	if (wide || t->sync)
		put_range_share(l, t, ST_SYNC, "sync ", t->sync);
	put_range_share(l, t, ST_DIM, "idle ", t->idle);
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
