/* inspector.c - the inspector: a line about the cursor's moment on the selected lane. */
#include "base/order.h"
#include "base/utf8.h"
#include "draw/text.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "report/abilities.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIGN = 0x25b8 };

/* The marker or message exactly at the cursor. */
static bool put_text_here(struct line *l, const struct model *m)
{
	static const struct {
		uint16_t tag;
		const char *name;
	} kinds[] = {{EVL_USER_MARKER, "marker: "}, {EVL_USER_MSG, "message: "}};
	for (size_t i = 0; i < countof(kinds); i++) {
		struct found found;
		if (!find_at(&m->log->blocks, m->log->tiles, kinds[i].tag, m->at.cursor, &found))
			continue;
		line_put(l, ST_MARKER, true, kinds[i].name);
		line_text(l, ST_EM, false, evl_text_at(m->log, found.off));
		line_skip(l, 2);
		return true;
	}
	return false;
}

/* "range 12.3 ms from 0.034" */
static void put_range(struct line *l, const struct model *m)
{
	const struct selection *s = &m->selection;
	if (!s->on)
		return;
	line_printf(l, ST_ACCENT, true, "range %s", as_duration(selection_to(s) - selection_from(s)));
	line_skip(l, 2);
}

/* "   mark a +12.3 ms" */
static void put_nearest_mark(struct line *l, const struct model *m)
{
	uint64_t t = 0, cursor = m->at.cursor;
	char letter = bookmarks_nearest(&m->marks, cursor);
	if (!bookmarks_get(&m->marks, letter, &t) || line_left(l) < 20)
		return;
	line_printf(l, ST_ACCENT, false, "   mark %c ", letter);
	line_put(l, ST_ACCENT, false, t < cursor ? "-" : t > cursor ? "+" : "here");
	if (t != cursor)
		line_duration(l, ST_ACCENT, t < cursor ? cursor - t : t - cursor);
}

static void put_next_gc(struct line *l, const struct model *m)
{
	const struct gc_row *next = gcs_after(&m->log->gcs, m->at.cursor, GC_ALL);
	if (!next || gcs_at(&m->log->gcs, m->at.cursor) || line_left(l) < 45)
		return;
	line_put(l, ST_DIM, false, "   next: ");
	line_gc(l, m->log, next);
	line_pair(l, " in ", ST_MINOR,
		as_duration(sub_or_0(gc_requested(next), m->at.cursor))); /* where its pause begins */
	line_pair(l, " (", ST_DIM, as_duration(gc_pause(next)));
	line_put(l, ST_DIM, false, ")");
}

static void put_last_marker(struct line *l, const struct model *m)
{
	struct point marker;
	if (!points_before(&m->log->markers, m->at.cursor + 1, &marker) || line_left(l) < 55)
		return;
	line_put(l, ST_DIM, false, "   last marker \"");
	struct line name = *l;
	name.end = name.x + 24 < l->end ? name.x + 24 : l->end;
	name.wrap_y = name.y;
	line_text(&name, ST_TEXT, false, evl_text_at(m->log, marker.off));
	l->x = name.x;
	line_pair(l, "\" ", ST_DIM, as_duration(m->at.cursor - marker.t));
	line_put(l, ST_DIM, false, " ago");
}

enum { NARROW = 100 }; /* columns of a screen with room for names and reasons */

/* "4 mvar, 3 stm, 1 delay": most first, then the others as they are numbered; the number of letters. */
static size_t say_reasons(const struct idle_why *why, char *out, size_t room)
{
	unsigned most = 0;
	size_t len = 0;
	*out = '\0';
	for (unsigned i = 1; i < STOP_REASONS; i++)
		most = why->by_reason[i] > why->by_reason[most] ? i : most;
	for (unsigned k = 0; k < STOP_REASONS; k++) {
		unsigned i = k == 0 ? most : k <= most ? k - 1 : k;
		if (why->by_reason[i] && len < room)
			len += (size_t)snprintf(out + len, room - len, "%s%u %s", len ? ", " : "", why->by_reason[i],
				thread_block_name((uint8_t)i));
	}
	return len;
}

/* " (thread 8 "hog-1", 9 "hog-2", 3 more, 2 managers of the RTS)", of those in foreign calls. */
static void say_calling(const struct evl_log *log, const struct idle_why *why, char *out, size_t room)
{
	enum { LABEL = 24 };
	const uint32_t more = why->foreign - why->managers - why->n_calling;
	size_t len = 0;
	*out = '\0';
	for (uint32_t i = 0; i < why->n_calling && len < room; i++) {
		struct evl_str label = utf8_cut(evl_label(log, why->calling[i]), LABEL);
		len += (size_t)snprintf(out + len, room - len, "%s%u", i ? ", " : " (thread ", why->calling[i]);
		if (label.len && len < room)
			len += (size_t)snprintf(
				out + len, room - len, " \"%.*s\"", (int)label.len, (const char *)label.p);
	}
	if (more && len < room)
		len += (size_t)snprintf(out + len, room - len, ", %u more", more);
	if (why->managers && why->managers == why->foreign)
		len = (size_t)snprintf(out, room, " (managers of the RTS");
	else if (why->managers && len < room)
		len += (size_t)snprintf(out + len, room - len, "%s%u manager%s of the RTS", len ? ", " : " (",
			why->managers, why->managers == 1 ? "" : "s");
	if (len && len < room)
		snprintf(out + len, room - len, ")");
}

/* ": 8 threads blocked (4 mvar, 4 stm), 5 in foreign calls (thread 7, 2 managers of the RTS)"; in less room
 * " (8 blocked, 5 foreign)" or " (8 blk, 5 call)". */
static void put_waiting(struct line *l, const struct evl_log *log, const struct idle_why *why)
{
	static const struct {
		const char *before, *least, *blocked, *one, *foreign, *after;
		bool reasons, calling;
	} forms[] = {{": ", "at least ", " threads blocked", " thread blocked", " in foreign calls", "", true, true},
		{": ", "at least ", " threads blocked", " thread blocked", " in foreign calls", "", true, false},
		{": ", "at least ", " blocked", " blocked", " in foreign calls", "", true, false},
		{" (", ">", " blocked", " blocked", " foreign", ")", false, false},
		{" (", ">", " blk", " blk", " call", ")", false, false}};
	char reasons[128], calling[128], text[256 + sizeof calling];
	say_calling(log, why, calling, sizeof calling);
	say_reasons(why, reasons, sizeof reasons);
	for (size_t i = 0; i < countof(forms); i++) {
		size_t len = (size_t)snprintf(
			text, sizeof text, "%s%s", forms[i].before, why->partial ? forms[i].least : "");
		if (why->blocked)
			len += (size_t)snprintf(text + len, sizeof text - len, "%u%s", why->blocked,
				why->blocked == 1 ? forms[i].one : forms[i].blocked);
		if (why->blocked && forms[i].reasons)
			len += (size_t)snprintf(text + len, sizeof text - len, " (%s)", reasons);
		if (why->foreign)
			len += (size_t)snprintf(text + len, sizeof text - len, "%s%u%s%s", why->blocked ? ", " : "",
				why->foreign, forms[i].foreign, forms[i].calling ? calling : "");
		snprintf(text + len, sizeof text - len, "%s", forms[i].after);
		if (line_room(l) >= text_width(str_of(text), l->c->ascii))
			break;
	}
	line_text(l, ST_DIM, false, str_of(text));
}

/* The system may have run others: only it can tell. */
#define NOT_TOLD " (why is not logged; perf sched shows waits for a processor)"
enum { CHOICE = 192 }; /* bytes of a text */

/* Put the longest of n texts that has room, or else the last. */
static void put_longest(struct line *l, enum style style, const char (*texts)[CHOICE], size_t n)
{
	size_t i = 0;
	while (i + 1 < n && line_room(l) < (int)strlen(texts[i]))
		i++;
	line_put(l, style, false, texts[i]);
}

/* Is it in the queue of this capability, as far as the log tells? */
static bool is_here(const struct idle_why *why, uint32_t i, uint16_t cap) { return why->ready[i].cap == cap; }

/* The label of a thread, if it leaves room for more. */
static void put_label(struct line *l, const struct evl_log *log, uint32_t thread)
{
	enum { AFTER = 40 };
	if (line_room(l) >= text_width(evl_label(log, thread), l->c->ascii) + AFTER)
		line_label(l, log, thread);
}

/* ": thread 17 "loader" (cap 2), 9 (cap 0) and 3 more": those in the queue of this capability, or the others. */
static void put_ready(
	struct line *l, const struct evl_log *log, const struct idle_why *why, uint16_t cap, bool here, uint32_t all)
{
	enum { NAMED = 4 };
	uint32_t named = 0;
	for (uint32_t i = 0; i < why->runnable && i < IDLE_READY && named < NAMED; i++) {
		if (is_here(why, i, cap) != here)
			continue;
		line_printf(l, ST_DIM, false, named ? ", " : ": ");
		line_printf(l, ST_EM, false, "%s%u", named++ ? "" : "thread ", why->ready[i].thread);
		put_label(l, log, why->ready[i].thread);
		if (!here && why->ready[i].cap != EVL_NO_CAP)
			line_printf(l, ST_DIM, false, " (cap %u)", why->ready[i].cap);
	}
	if (all > named)
		line_printf(l, ST_DIM, false, " and %u more", all - named);
}

/* Does the log tell for what the capability waited? */
static bool has_cause(const struct idle_end *end) { return end->task_t || end->left_t; }

/* "; an OS thread takes cap 0 only at 0.006858820 s, 1.66 µs before thread 7 runs", or when it leaves the previous collection */
static void put_cause(struct line *l, const struct idle_end *end, uint16_t cap)
{
	uint64_t t = end->left_t ? end->left_t : end->task_t;
	if (!has_cause(end))
		return;
	if (end->left_t)
		line_printf(l, ST_DIM, false, "; cap %u leaves the previous GC only at ", (unsigned)cap);
	else
		line_printf(l, ST_DIM, false, "; an OS thread takes cap %u only at ", (unsigned)cap);
	line_put(l, ST_TEXT, false, as_time(t));
	line_put(l, ST_DIM, false, " s");
	if (!end->found || end->t < t)
		return;
	line_pair(l, ", ", ST_TEXT, as_duration(end->t - t));
	line_printf(l, ST_DIM, false, " before thread %u runs", end->thread);
}

/* Threads in the queue of this capability are about to run here. The others wait elsewhere. */
static void put_queues(
	struct line *l, const struct evl_log *log, const struct idle_why *why, const struct idle_end *end, uint16_t cap)
{
	const char *least = why->partial || why->runnable > IDLE_READY ? "at least " : "";
	uint32_t here = 0, known = why->runnable < IDLE_READY ? why->runnable : IDLE_READY;
	for (uint32_t i = 0; i < known; i++)
		here += is_here(why, i, cap);
	uint32_t others = known - here;
	if (here) {
		line_printf(l, ST_RUNNABLE, false, "%s%u thread%s runnable here, but cap %u has not started %s%s",
			least, here, here == 1 ? "" : "s", (unsigned)cap, here == 1 ? "it" : "one",
			l->c->cols < NARROW || has_cause(end) ? "" : NOT_TOLD);
		put_ready(l, log, why, cap, true, here);
		if (others)
			line_printf(l, ST_DIM, false, "; %s%u on other capabilities", least, others);
		put_cause(l, end, cap);
		return;
	}
	line_printf(l, ST_RUNNABLE, false, "%s%u thread%s runnable on other capabilities", least, others,
		others == 1 ? "" : "s");
	put_ready(l, log, why, cap, false, others);
}

void idle_around_at(struct idle_around *out, const struct evl_log *log, uint64_t t, uint16_t cap)
{
	enum { MOST = 64 };
	struct spark_column sparks;
	*out = (struct idle_around){.all = log->n_caps <= MOST};
	sparks_at(&log->sparks, t, &sparks);
	if (!sparks.missing && spark_events_any(&log->sparks.events)) /* counters may be of long ago */
		out->sparks = sparks.pool;
	for (size_t i = 0; i < log->n_caps && i < MOST; i++) {
		struct cap_moment now;
		uint32_t chain = log->cap_chains[i];
		caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
		out->all = out->all && now.known;
		if (!now.known || now.state != CAP_RUN || log->blocks.chains[chain].cap == cap)
			continue;
		out->n++;
		out->thread = now.thread;
		out->on = log->blocks.chains[chain].cap;
	}
}

/* "; only thread 9 "loader" runs, on cap 2": what the other capabilities do meanwhile. */
static void put_others(struct line *l, const struct evl_log *log, const struct idle_around *around)
{
	if (around->n == 1) {
		line_put(l, ST_DIM, false, around->all ? "; only " : "; ");
		line_printf(l, ST_DIM, false, "thread %u", around->thread);
		put_label(l, log, around->thread);
		line_printf(l, ST_DIM, false, " runs, on cap %u", around->on);
	} else if (around->n) {
		line_printf(l, ST_DIM, false, "; %s%u other capabilities run threads", around->all ? "" : "at least ",
			around->n);
	}
}

/* "thread 3 "main" filled its nursery; the next GC starts at 49.074 s": it does not wait for the
 * capability. Return false if no thread in its queue did. */
static bool put_before_gc(
	struct line *l, const struct evl_log *log, const struct idle_why *why, const struct idle_end *end, uint16_t cap)
{
	for (uint32_t i = 0; i < why->runnable && i < IDLE_READY && end->gc_t; i++) {
		if (!why->ready[i].waits_for_gc || !is_here(why, i, cap))
			continue;
		line_printf(l, ST_EM, true, "thread %u", why->ready[i].thread);
		put_label(l, log, why->ready[i].thread);
		line_put(l, ST_DIM, false, " filled its nursery");
		line_put(l, ST_DIM, false, l->c->cols < NARROW ? "" : " (a GC is needed)");
		line_pair(l, "; the next GC starts at ", ST_TEXT, as_time(end->gc_t));
		line_put(l, ST_DIM, false, l->c->cols < NARROW ? " s" : " s (the log does not tell why not at once)");
		if (why->runnable > 1)
			line_printf(l, ST_DIM, false, "; %s%u more runnable", why->partial ? "at least " : "",
				why->runnable - 1);
		return true;
	}
	return false;
}

/* On the only capability, no thread waits for another one. */
static void put_runnable(struct line *l, const struct idle_why *why, const struct idle_end *end, uint16_t cap)
{
	const char *reason = has_cause(end) ? "" : NOT_TOLD;
	const char *least = why->partial ? "at least " : "", *over = why->partial ? ">" : "";
	const char *s = why->runnable == 1 ? "" : "s";
	char who[32], texts[3][CHOICE];
	if (why->runnable == 1 && !why->partial)
		snprintf(who, sizeof who, "thread %u", why->ready[0].thread);
	else
		snprintf(who, sizeof who, "%s%u thread%s", least, why->runnable, s);
	for (size_t i = 0; i < 2; i++)
		snprintf(texts[i], sizeof *texts, "%s runnable, but the capability has not started %s%s", who,
			why->runnable == 1 ? "it" : "one", i ? "" : reason);
	snprintf(texts[2], sizeof *texts, "%s%u runnable", over, why->runnable);
	put_longest(l, ST_RUNNABLE, (const char(*)[CHOICE])texts, countof(texts));
	put_cause(l, end, cap);
}

/* No thread is runnable, but threads could be made for sparks. */
static void put_sparks(struct line *l, uint64_t sparks, bool partial)
{
	char texts[2][CHOICE];
	const char *wait = sparks == 1 ? "spark waits" : "sparks wait";
	snprintf(texts[0], sizeof *texts, "%s %s, no thread is %srunnable", as_count(sparks), wait,
		partial ? "known to be " : "");
	snprintf(texts[1], sizeof *texts, "%s %s", as_count(sparks), wait);
	put_longest(l, ST_TEXT, (const char(*)[CHOICE])texts, countof(texts));
}

/* " (mvar), woken by thread 4 "x" on cap 0": why the thread that runs next does not run yet. */
static void put_before(struct line *l, const struct evl_log *log, const struct thread_moment *before, bool narrow)
{
	const char *event;
	switch (before->known ? before->pos.state : THREAD_UNKNOWN) {
	case THREAD_ABSENT: line_put(l, ST_DIM, false, ", created in between"); break;
	case THREAD_RUNNING: line_printf(l, ST_DIM, false, ", from cap %u", before->pos.cap); break;
	case THREAD_FOREIGN: line_put(l, ST_DIM, false, ", back from a foreign call"); break;
	case THREAD_BLOCKED:
		event = before->woken ? line_waited_for(log, before->waker) : NULL;
		line_printf(l, ST_DIM, false, " (%s%s%s)", thread_block_name(thread_block_reason(before->pos.stop)),
			event ? ", for " : "", event ? event : "");
		if (before->woken && before->waker) {
			line_put(l, ST_DIM, false, ", woken by ");
			line_printf(l, ST_EM, true, "thread %u", before->waker);
			if (!narrow) {
				line_label(l, log, before->waker);
				line_printf(l, ST_DIM, false, " on cap %u", before->wake.cap);
			}
		} else if (before->woken) {
			line_printf(l, ST_DIM, false, ", woken by cap %u", before->wake.cap);
		}
		break;
	default: break;
	}
}

/* "; runs next: thread 7 "w" at 3.43 s (mvar), woken by thread 4 "x" on cap 0": how the idle time ends. Narrow: only the
 * numbers of the threads. */
static void put_next(struct line *l, const struct evl_log *log, const struct idle_end *end)
{
	bool narrow = l->c->cols < NARROW;
	if (end->none)
		line_put(l, ST_DIM, false, "; no thread runs here later");
	if (!end->found)
		return;
	line_put(l, ST_DIM, false, "; runs next: ");
	line_printf(l, ST_EM, true, "thread %u", end->thread);
	if (!narrow) {
		line_label(l, log, end->thread);
		line_pair(l, " at ", ST_TEXT, as_time(end->t));
		line_put(l, ST_DIM, false, " s");
	}
	put_before(l, log, &end->before, narrow);
}

void line_why_idle(struct line *l, const struct evl_log *log, const struct idle_why *why, const struct idle_end *end,
	const struct idle_around *around, uint16_t cap)
{
	if (why->runnable) {
		if (put_before_gc(l, log, why, end, cap))
			return;
		if (log->n_caps > 1)
			put_queues(l, log, why, end, cap);
		else
			put_runnable(l, why, end, cap);
		return;
	}
	if (around->sparks)
		put_sparks(l, around->sparks, why->partial);
	else
		line_put(l, ST_TEXT, false, why->partial ? "nothing known to run" : "nothing to run");
	if (why->blocked + why->foreign)
		put_waiting(l, log, why);
	else if (!why->partial && !why->others)
		line_put(l, ST_DIM, false, why->had ? ": all threads have ended" : ": no thread yet");
	put_others(l, log, around);
	put_next(l, log, end);
}

/* A part of idle time. */
struct idle_part {
	uint64_t ns;
	enum style style;
	const char *bound, *is;
};

COMPARE_BY(compare_parts, struct idle_part, FALLING(ns));

void line_idle_parts(struct line *l, const struct evl_log *log, const struct cap_idle *idle, bool all_threads,
	const char *before, uint64_t whole)
{
	enum { ALWAYS = 2, TOLD = 3 };
	const double SEEN = 0.0005, MUCH = 0.1;                 /* of the idle time; less than SEEN is 0.0% */
	const bool one = log->n_caps == 1, split = all_threads; /* else an unknown thread may be in any queue */
	const uint64_t nothing = idle->ns - idle->ready_ns, blocked = nothing - idle->others_ns - idle->none_ns;
	struct idle_part parts[] = {
		{split && !one ? idle->here_ns : 0, ST_RUNNABLE, "", " a thread ready in its queue"},
		{split && !one ? idle->ready_ns - idle->here_ns : 0, ST_RUNNABLE, "",
			" threads ready only in other caps' queues"},
		{split && !one ? 0 : idle->ready_ns, ST_RUNNABLE, split ? "" : "at least ",
			one ? " between runs, with a thread ready" : " a thread waited to run"},
		{split ? 0 : nothing, ST_TEXT, "at most ", " no thread waited to run"},
		{split ? idle->others_ns : 0, ST_TEXT, "", " none ready, other caps ran threads"},
		{split ? blocked : 0, ST_TEXT, "", " all threads blocked or in foreign calls"},
		{split ? idle->none_ns : 0, ST_TEXT, "", " no thread alive"}};
	uint64_t others = idle->ns;
	qsort(parts, countof(parts), sizeof *parts, compare_parts);
	for (size_t i = 0; i < TOLD && (double)parts[i].ns >= (i < ALWAYS ? SEEN : MUCH) * (double)idle->ns; i++) {
		line_put(l, ST_DIM, false, i ? ", " : before);
		line_put(l, ST_DIM, false, parts[i].bound);
		line_put(l, parts[i].style, false, as_share((double)parts[i].ns / (double)whole));
		line_put(l, parts[i].style, false, parts[i].is);
		others -= parts[i].ns;
	}
	if ((double)others >= SEEN * (double)idle->ns)
		line_printf(l, ST_DIM, false, ", %s other", as_share((double)others / (double)whole));
}

/* Does the state of the lane begin at the cursor, with an event before it? */
static bool is_at_start(const struct lane *lane, const struct model *m)
{
	uint64_t since;
	return lane->ops->change && m->at.cursor > m->first
		&& lane->ops->change(lane, m->log, m->at.cursor + 1, false, &since) && since == m->at.cursor;
}

/* The reason at the cursor; it may be another one later in the same idle interval. */
static void put_why_idle(
	struct line *l, const struct model *m, const struct why_answer *answer, const struct lane *lane)
{
	uint16_t cap = m->log->blocks.chains[m->log->cap_chains[lane->index]].cap;
	struct idle_around around = {0};
	if (!answer->why.runnable)
		idle_around_at(&around, m->log, m->at.cursor, cap);
	line_put(l, ST_DIM, false, is_at_start(lane, m) ? "  why at its start: " : "  why here: ");
	line_why_idle(l, m->log, &answer->why, &answer->end, &around, cap);
}

/* Does the first line of the inspector give the figures of the column? */
static bool is_told_by_column(const struct lane *lane)
{
	return !lane->ops->inspect && lane->ops != &lane_group && lane->ops != &lane_thread;
}

int part_column(const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y, int last)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE, .wrap_y = last, .wrap_x = 3};
	int i = model_col(m, m->at.cursor);
	if (i < 0)
		return y;
	line_pair(&l, "this column (", ST_DIM, as_duration(model_edge(m, i + 1) - model_edge(m, i)));
	line_put(&l, ST_DIM, false, "):");
	if (lane && lane->ops->inspect_column && !is_told_by_column(lane)) {
		lane->ops->inspect_column(lane, plot, i, &l);
	} else if (!absence_is_sure(m->log, ABSENCE_GCS)) {
		line_printf(&l, ST_DIM, false, "  %zu GC%s", plot->gc[i].n, plot->gc[i].n == 1 ? "" : "s");
	}
	put_last_marker(&l, m);
	return l.y + 1;
}

int part_inspector(const struct model *m, const struct lane *lane, struct plot *plot, bool column, struct canvas *c,
	int y, int last)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE, .wrap_y = last, .wrap_x = 3};
	if (!m->ranged)
		return y + 1;
	canvas_glyph(c, y, 1, PEN_BOLD(ST_KEY), SIGN, '>');
	line_printf(&l, ST_KEY, true, "%s s  ", as_time(m->at.cursor));
	put_text_here(&l, m);
	put_range(&l, m);
	if (lane && lane->ops == &lane_cap && plot && !column && cap_inspect_start(lane, plot, &l))
		; /* in place of its state */
	else if (lane && lane->ops == &lane_group && plot && plot->lanes)
		group_inspect(plot->lanes, lane->index, &l);
	else if (lane && lane->ops == &lane_thread && plot && plot->lanes && plot->lanes->moment)
		thread_inspect(lane, m, plot->lanes->moment, &l);
	else if (lane && lane->ops->inspect)
		lane->ops->inspect(lane, m, &l);
	else if (lane && lane->ops->inspect_column && plot && model_col(m, m->at.cursor) >= 0) {
		line_put(&l, ST_DIM, false, "in this column:");
		lane->ops->inspect_column(lane, plot, model_col(m, m->at.cursor), &l);
	}
	if (lane && lane->ops == &lane_cap && plot && plot->lanes && plot->lanes->why)
		put_why_idle(&l, m, plot->lanes->why, lane);
	put_nearest_mark(&l, m);
	put_next_gc(&l, m);
	return l.y + 1;
}
