/* summary.c - line 2: the window in figures. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/parts.h"
#include "report/abilities.h"
#include "report/figures.h"

#include <math.h>
#include <stdio.h>

enum { WIDE = 120, BAR_LEAST = 5, BAR_MOST = 20 };

static double of_total(const struct time_split *t, uint64_t ns) { return t->total ? (double)ns / (double)t->total : 0; }

/* Line 2 is a row of items. Where there is not room for all, those of the highest rank go first; then names get brief. */
enum rank { ALWAYS, BASE, IDLE, SYNC, LONGEST, LITTLE_SYNC, BAR, LIVE, GENERATIONS, P99, PAUSES, P50, ALLOCATION };

struct item {
	const char *name, *brief;
	char value[2 * TEXT_ROOM];
	uint8_t style, value_style;
	enum rank rank;
	bool bar, apart;
};

struct answers {
	struct item items[ANSWERS];
	size_t n;
	bool brief;
	int bar; /* cells */
};

static struct item *add(struct answers *a, const char *name, const char *brief, enum style style, enum rank rank)
{
	struct item *item = &a->items[a->n++];
	*item = (struct item){.name = name,
		.brief = brief,
		.style = (uint8_t)style,
		.value_style = (uint8_t)(style == ST_DIM ? ST_TEXT : style),
		.rank = rank};
	return item;
}

static void add_share(struct answers *a, const struct time_split *t, const char *name, enum style style, enum rank rank,
	uint64_t ns, const char *after)
{
	struct item *item = add(a, name, name, style, rank);
	snprintf(item->value, sizeof item->value, "%s%s", as_share(of_total(t, ns)), after);
}

static void add_value(
	struct answers *a, const char *name, const char *brief, enum rank rank, enum style style, const char *value)
{
	struct item *item = add(a, name, brief, ST_DIM, rank);
	item->value_style = (uint8_t)style;
	item->apart = true;
	snprintf(item->value, sizeof item->value, "%s", value);
}

/* "(minor 11.2% major 7.5%, census pauses 4.1%)": one pair of parentheses. */
static void join_parentheses(struct answers *a)
{
	for (size_t i = 1; i < a->n; i++) {
		char *before = a->items[i - 1].value;
		if (*a->items[i].name != '(' || !*before || before[strlen(before) - 1] != ')')
			continue;
		before[strlen(before) - 1] = ',';
		a->items[i].name++;
		a->items[i].brief++;
	}
}

/* Only pauses of the length that the finding gc-pauses counts are coloured. */
static enum style pause_style(uint64_t ns) { return ns >= LONG_PAUSE_NS ? ST_WARN : ST_TEXT; }

static void add_pauses(struct answers *a, const struct pause_stats *p)
{
	if (p->n == 0)
		return;
	add_value(a, "pauses ", "pauses ", PAUSES, ST_TEXT, as_count(p->n));
	add_value(a, "p50 ", "p50 ", P50, ST_TEXT, as_duration(p->p50));
	add_value(a, "p99 ", "p99 ", P99, ST_TEXT, as_duration(p->p99));
	add_value(a, "max pause ", "max ", LONGEST, pause_style(p->max), as_duration(p->max));
}

static void add_rates(struct answers *a, const struct model *m, double busy)
{
	const struct time_split *t = &m->log->run_stats.time;
	const struct heap *heap = &m->log->heap;
	char text[2 * TEXT_ROOM];
	if (heap->has_live)
		add_value(a, "peak live ", "live ", LIVE, ST_TEXT, text_bytes(text, heap->max_live));
	if (heap->has_allocated && t->total) {
		double rate = (double)heap_allocated(heap) / ((double)t->total / 1e9);
		text_bytes(text, rate < 1e18 ? (uint64_t)rate : UINT64_MAX);
		memcpy(text + strlen(text), "/s", 3);
		add_value(a, "alloc ", "alloc ", ALLOCATION, ST_TEXT, text);
	}
	if (m->log->n_caps && t->total && absence_seen(m->log, ABSENCE_RUNS)) {
		bool exact = !isnan(busy); /* else it includes what runs in syncs */
		char running[TEXT_ROOM];
		text_of_caps(running, exact ? busy : of_total(t, t->run), m->log->n_caps);
		snprintf(text, sizeof text, "%s%s", exact ? "" : "<=", running);
		add_value(a, "caps busy ", "caps busy ", ALWAYS, ST_TEXT, text);
	}
}

static int columns(const char *text, bool ascii) { return text_width(str_of(text), ascii); }

static int item_width(const struct answers *a, const struct item *item, bool ascii)
{
	if (item->bar)
		return a->bar + 1;
	return columns(a->brief ? item->brief : item->name, ascii) + columns(item->value, ascii) + 1
		+ (item->apart && !a->brief);
}

static int width(const struct answers *a, bool ascii)
{
	int sum = 0;
	for (size_t i = 0; i < a->n; i++)
		sum += item_width(a, &a->items[i], ascii);
	return sum - 1;
}

/* Leave out the items of the highest rank, if that is above `least`. False: there is none. */
static bool drop(struct answers *a, enum rank least)
{
	enum rank most = least;
	size_t kept = 0;
	for (size_t i = 0; i < a->n; i++)
		most = a->items[i].rank > most ? a->items[i].rank : most;
	for (size_t i = 0; i < a->n && most > least; i++)
		if (a->items[i].rank < most)
			a->items[kept++] = a->items[i];
	a->n = most > least ? kept : a->n;
	return most > least;
}

static void fit(struct answers *a, int room, bool ascii)
{
	a->bar = BAR_LEAST;
	while (width(a, ascii) > room && drop(a, LIVE))
		;
	a->brief = width(a, ascii) > room;
	while (width(a, ascii) > room && drop(a, ALWAYS))
		;
	join_parentheses(a);
	a->bar += room > width(a, ascii) ? room - width(a, ascii) : 0;
	a->bar = a->bar > BAR_MOST ? BAR_MOST : a->bar;
}

static void put_bar(struct line *l, const struct time_split *t, int cells)
{
	const struct cell_shares shares = {.ns = {
						   [CELL_RUN] = t->mutator,
						   [CELL_MINOR] = t->minor_gc,
						   [CELL_MAJOR] = t->major_gc,
						   [CELL_SYNC] = t->sync,
						   [CELL_IDLE] = t->idle,
					   }};
	cells_draw_bar(l->c, l->y, l->x, cells, &shares);
	line_skip(l, cells + 1);
}

static void put_answers(struct line *l, struct answers *a, const struct time_split *t, struct answer_spots *spots)
{
	fit(a, line_room(l), l->c->ascii);
	for (size_t i = 0; i < a->n; i++) {
		const struct item *item = &a->items[i];
		if (line_room(l) + 1 < item_width(a, item, l->c->ascii))
			return;
		if (item->bar) {
			put_bar(l, t, a->bar);
			continue;
		}
		if (item->apart && !a->brief)
			line_skip(l, 1);
		spots->items[spots->n].name = item->name;
		spots->items[spots->n].x = l->x;
		line_put(l, (enum style)item->style, false, a->brief ? item->brief : item->name);
		line_put(l, (enum style)item->value_style, true, item->value);
		spots->items[spots->n++].end = l->x;
		line_skip(l, 1);
	}
}

void part_answers(
	const struct model *m, uint64_t census_ns, double busy, struct canvas *c, int y, struct answer_spots *spots)
{
	spots->n = 0;
	struct evl_progress progress = evl_progress(m->log);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	const struct time_split *t = &m->log->run_stats.time;
	if (!progress.done || progress.result < 0) {
		line_put(&l, ST_DIM, false,
			!progress.done ? "reading …"
				: progress.result == EVL_NOMEM
				? "out of memory: parts are missing, no metrics of the whole run"
				: "not read to the end: no metrics of the whole run");
		return;
	}
	if (t->total == 0) {
		line_put(&l, ST_DIM, false,
			m->live ? "no events yet (they come sooner with +RTS --eventlog-flush-interval=0.2)"
				: m->log->header.cut ? "no events: the file ends within its header"
						     : "no events: a program writes them with +RTS -l");
		return;
	}
	struct answers a = {0};
	if (!model_is_whole(m)) /* the figures of lanes are those of the window */
		add(&a, "whole run:", "run:", ST_DIM, BASE);
	if (absence_seen(m->log, ABSENCE_RUNS)) {
		add_share(&a, t, "mutator ", ST_RUN, ALWAYS, t->mutator, "");
		a.items[a.n - 1].brief = "mut ";
		if (!c->mono)
			add(&a, "", "", ST_PAGE, BAR)->bar = true;
	} else { /* then what is not GC may be anything */
		struct item *item = add(&a, "what ran: ", "ran: ", ST_DIM, ALWAYS);
		snprintf(item->value, sizeof item->value, "%s", absence_text(m->log, ABSENCE_RUNS));
	}
	if (absence_seen(m->log, ABSENCE_GCS)) {
		add_share(&a, t, "GC ", ST_EM, ALWAYS, t->gc, "");
	} else {
		struct item *item = add(&a, "GC: ", "GC: ", ST_DIM, ALWAYS);
		snprintf(item->value, sizeof item->value, "%s", absence_text(m->log, ABSENCE_GCS));
	}
	if (t->gc) {
		add_share(&a, t, "(minor ", ST_MINOR, GENERATIONS, t->minor_gc, "");
		add_share(&a, t, "major ", ST_WARN, GENERATIONS, t->major_gc, ")");
	}
	if (t->sync)
		add_share(&a, t, "sync ", ST_SYNC, of_total(t, t->sync) < 0.01 ? LITTLE_SYNC : SYNC, t->sync, "");
	if (census_ns) { /* which says nothing about the program */
		enum rank how = of_total(t, census_ns) < 0.02 ? GENERATIONS : ALWAYS;
		add_share(&a, t, "(census pauses ", ST_WARN, how, census_ns, ")");
		a.items[a.n - 1].brief = "(for -h ";
	}
	if (absence_seen(m->log, ABSENCE_RUNS) && absence_seen(m->log, ABSENCE_GCS))
		add_share(&a, t, "all idle ", ST_DIM, IDLE, t->idle, "");
	add_pauses(&a, &m->log->run_stats.pauses);
	add_rates(&a, m, busy);
	put_answers(&l, &a, t, spots);
}

static void put_range_share(struct line *l, const struct time_split *t, enum style style, const char *name, uint64_t ns)
{
	line_put(l, style, false, name);
	line_put(l, ST_TEXT, true, as_share(t->total ? (double)ns / (double)t->total : 0));
	line_skip(l, 1);
}

static void put_absence(struct line *l, const struct evl_log *log, const char *name, enum absence of)
{
	line_pair(l, name, ST_TEXT, absence_text(log, of));
	line_skip(l, 1);
}

static void put_time(struct line *l, const struct evl_log *log, const struct time_split *t, bool wide)
{
	bool runs = absence_seen(log, ABSENCE_RUNS), gcs = absence_seen(log, ABSENCE_GCS);
	if (runs)
		put_range_share(l, t, ST_RUN, wide ? "mutator " : "mut ", t->mutator);
	else
		put_absence(l, log, wide ? "what ran: " : "ran: ", ABSENCE_RUNS);
	if (gcs)
		put_range_share(l, t, ST_MINOR, "GC ", t->gc);
	else
		put_absence(l, log, "GC: ", ABSENCE_GCS);
	if (gcs && (wide || t->sync))
		put_range_share(l, t, ST_SYNC, "sync ", t->sync);
	if (runs && gcs)
		put_range_share(l, t, ST_DIM, "all idle ", t->idle);
}

/* " 14 GCs", " 1 marker", if there is room for it. */
static void put_count(struct line *l, const char *sign, uint64_t n, const char *name)
{
	char text[TEXT_ROOM + 32];
	snprintf(text, sizeof text, " %s%s %s%s", sign, as_count(n), name, n == 1 ? "" : "s");
	if (line_room(l) >= (int)strlen(text))
		line_put(l, ST_TEXT, false, text);
}

void part_range(const struct evl_log *log, const struct range_figures *f, uint64_t as_of, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	bool wide = c->cols >= WIDE;
	if (wide)
		line_put(&l, ST_ACCENT, true, as_of ? "range" : "range: ");
	if (as_of)
		line_printf(&l, ST_TEXT, false, "%sas of %s: ", wide ? " " : "", as_value(UNIT_MOMENT, (double)as_of));
	if (!f || f->result < 0) {
		line_put(&l, ST_DIM, false, f ? "out of memory" : "…");
		return;
	}
	put_time(&l, log, &f->stats.time, wide);
	const struct run_stats *stats = &f->stats;
	if (stats->pauses.n == 0 && stats->time.gc + stats->time.sync > 0)
		line_put(&l, ST_TEXT, false, " no GC starts");
	else if (absence_seen(log, ABSENCE_GCS))
		put_count(&l, "", stats->pauses.n, "GC");
	if (f->stats.pauses.n)
		line_pair(&l, wide ? " (longest " : " max ", pause_style(f->stats.pauses.max),
			as_duration(f->stats.pauses.max));
	if (f->stats.pauses.n && wide)
		line_put(&l, ST_DIM, false, ")");
	if (wide || f->markers)
		put_count(&l, f->more_markers ? ">" : "", f->markers, "marker");
	if (wide || f->messages)
		put_count(&l, f->about_messages ? "~" : "", f->messages, wide ? "message" : "msg");
}
