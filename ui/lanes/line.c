/* line.c - the line of lane names and numbers left of the lanes. */
#include "base/utf8.h"
#include "draw/text.h"
#include "lanes/parts.h"
#include "query/gc_detail.h"
#include "sched/thread_state.h"

#include <stdio.h>
#include <string.h>

void line_thinned(struct line *l, const struct evl_log *log)
{
	char text[TEXT_ROOM + 48];
	snprintf(text, sizeof text, "  (the largest of each %s of log)", as_bytes(1ull << log->downsample_shift));
	if (log->downsample_shift && line_room(l) > (int)strlen(text))
		line_put(l, ST_DIM, false, text);
}

void line_gc(struct line *l, const struct evl_log *log, const struct gc_row *gc)
{
	char text[48];
	bool major = gc_is_major(&log->gcs, gc);
	if (gc->gen == GC_GEN_UNKNOWN)
		snprintf(text, sizeof text, "GC");
	else
		snprintf(text, sizeof text, "%s GC gen %u", major ? "major" : "minor", (unsigned)gc->gen);
	line_put(l, major ? ST_WARN : ST_MINOR, true, text);
}

const char *line_stop_text(uint16_t status, int room)
{
	enum { THEN = 7, NEXT = 45 }; /* columns of the word before it, and of what may follow */
	static const char full[] = "nursery full (GC needed)";
	switch (status) { /* their names in stops.def sound like failures */
	case STOP_HEAP: return room < THEN + (int)strlen(full) + NEXT ? "GC needed" : full;
	case STOP_STACK: return "stack grown";
	default: return thread_stop_text(status);
	}
}

const char *line_waited_for(const struct evl_log *log, uint32_t waker)
{
	static const char *const events[] = {[TITLE_TIMER] = "a timer", [TITLE_IO] = "I/O"};
	enum thread_title title = waker ? thread_title_of(evl_label(log, waker)) : TITLE_NONE;
	return title < countof(events) ? events[title] : NULL;
}

void line_label(struct line *l, const struct evl_log *log, uint32_t thread)
{
	enum { LABEL = 120 };
	struct evl_str label = evl_label(log, thread);
	if (label.len == 0)
		return;
	uint8_t text[LABEL + 8] = " \""; /* in one piece, or it may be wrapped after its quote */
	size_t len = strlen((const char *)text), n = utf8_cut(label, LABEL).len;
	memcpy(text + len, label.p, n);
	line_text(l, ST_EM, true, (struct evl_str){text, len + n});
	line_text(l, ST_EM, true, (struct evl_str){label.p + n, label.len - n});
	line_put(l, ST_EM, true, "\"");
}

void line_thread(struct line *l, const struct evl_log *log, uint32_t thread)
{
	line_printf(l, ST_EM, true, "thread %u", thread);
	line_label(l, log, thread);
}

/* "(no thread ran: caps were woken or waited for a processor; 3 other caps joined within 15 µs)": they then waited for the
 * leader. Nothing if the sync is less than a tenth of the pause. */
static void put_nobody_late(struct line *l, const struct evl_log *log, const struct gc_row *gc,
	const struct gc_late *late, bool oversubscribed)
{
	uint64_t ns = 0;
	enum { LEAST = 10 };
	if (gc->sync < gc_pause(gc) / LEAST)
		return;
	size_t n = gc->sync > gc->elapsed ? gc_joined(log, gc, &ns) : 0;
	line_put(l, ST_DIM, false, late->run.late ? " (no thread ran for most of it: " : " (no thread ran: ");
	line_put(l, ST_DIM, false,
		oversubscribed && gc_late_waits(late) ? "caps most likely waited for a processor"
						      : "caps were woken or waited for a processor");
	if (n && ns < gc->sync / 2) {
		line_printf(l, ST_DIM, false, "; %s other cap%s joined within ", as_count(n), n == 1 ? "" : "s");
		line_duration(l, ST_TEXT, ns);
	}
	line_put(l, ST_DIM, false, ")");
}

/* "3 threads ran there, thread 17 "chunk" longest, 72.3 µs; thread 4 last" */
static void put_late_threads(
	struct line *l, const struct evl_log *log, const struct gc_row *gc, const struct gc_late *late)
{
	struct gc_late_threads threads;
	uint32_t last = late->run.thread;
	if (!gc_late_threads(log, gc, late, &threads) || threads.n < 2) {
		line_thread(l, log, last);
		line_pair(l, " ran there for ", ST_TEXT, as_duration(late->run.ran));
		return;
	}
	line_printf(l, ST_TEXT, false, "%s threads ran there, ", as_count(threads.n));
	line_thread(l, log, threads.most);
	line_pair(
		l, threads.most == last ? " longest and last, " : " longest, ", ST_TEXT, as_duration(threads.most_ns));
	if (threads.most == last)
		return;
	line_put(l, ST_DIM, false, "; ");
	line_thread(l, log, last);
	line_put(l, ST_DIM, false, " last");
}

/* " (nm mark for 1.53 ms of it)": the nonmoving collector marked meanwhile. */
static void put_nm_mark(struct line *l, uint64_t ns)
{
	if (ns == 0)
		return;
	line_pair(l, " (nm mark for ", ST_NM_MARK, as_duration(ns));
	line_put(l, ST_DIM, false, " of it)");
}

void line_late(struct line *l, const struct evl_log *log, const struct gc_row *gc, bool wide, bool oversubscribed)
{
	struct gc_late late;
	gc_late(log, gc, &late);
	if (!late.by_thread) {
		if (wide && !late.some && log->n_caps > 1)
			put_nobody_late(l, log, gc, &late, oversubscribed);
		return;
	}
	bool ran = gc_late_ran(&late);
	if (!wide && ran)
		line_printf(l, ST_DIM, false, " (thread %u, cap %u)", late.run.thread, late.run.cap);
	else if (!wide)
		line_printf(l, ST_DIM, false, " (cap %u last)", late.run.cap);
	if (!wide)
		return;
	if (!ran) {
		line_printf(l, ST_TEXT, false, " (cap %u stopped last, ", late.run.cap);
		line_duration(l, ST_SYNC, late.run.late);
		line_put(l, ST_DIM, false, " after the request; ");
		if (late.left) {
			line_pair(l, "it was in the previous GC for ", ST_TEXT, as_duration(late.left));
			line_put(l, ST_DIM, false, " of that");
			put_nm_mark(l, gc_late_nm_mark(log, gc, &late));
			line_put(l, ST_DIM, false, ", then ");
		}
		put_late_threads(l, log, gc, &late);
		line_put(l, ST_DIM, false, ")");
		return;
	}
	line_put(l, ST_DIM, false, late.some ? " (held up, among others, by " : " (held up by ");
	line_thread(l, log, late.run.thread);
	line_printf(l, ST_TEXT, false, " on cap %u", late.run.cap);
	line_pair(l, " for ", ST_SYNC, as_duration(late.run.late));
	line_put(l, ST_DIM, false, ")");
}

/* "2nd longest of 840 pauses: ": the ten longest by their places, others are pauses. */
static void put_rank(struct line *l, const struct evl_log *log, const struct gc_row *gc)
{
	enum { RANKED = 10 };
	static const char *const ends[] = {"th", "st", "nd", "rd"};
	char text[TEXT_ROOM + 32];
	size_t n = 0;
	const struct gc_row *r = gcs_longest(&log->gcs, 0, UINT64_MAX, NULL);
	int rank = 1;
	for (; r && r != gc && rank < RANKED; rank++)
		r = gcs_longest(&log->gcs, 0, UINT64_MAX, r);
	for (size_t i = 0; i < log->gcs.n; i++)
		n += rows_count(&log->gcs.tables[i].rows);
	if (rank == 1)
		snprintf(text, sizeof text, "longest of %s pauses: ", as_count(n));
	else
		snprintf(text, sizeof text, "%d%s longest of %s pauses: ", rank,
			ends[rank < (int)countof(ends) ? rank : 0], as_count(n));
	line_put(l, ST_DIM, false, r == gc && n > 1 ? text : "pause ");
}

/* In little room: "  7.17 ms = 3.99 ms sync + 3.18 ms GC  longest", or "  7.17 ms (3.99 ms sync)": the rest is in the anatomy. */
static void put_short_pause(struct line *l, const struct evl_log *log, const struct gc_row *gc)
{
	static const char longest[] = "  longest";
	char sync[TEXT_ROOM], text[2 * TEXT_ROOM + 32];
	line_duration(l, ST_TEXT, gc_pause(gc));
	text_duration(sync, gc->sync);
	snprintf(text, sizeof text, " = %s sync + %s GC", sync, as_duration(gc->elapsed));
	if (gc->sync && line_room(l) < text_width(str_of(text), l->c->ascii))
		snprintf(text, sizeof text, " (%s sync)", sync);
	if (gc->sync && line_room(l) >= text_width(str_of(text), l->c->ascii))
		line_put(l, ST_SYNC, false, text);
	if (line_room(l) >= (int)strlen(longest) && evl_progress(log).done
		&& gcs_longest(&log->gcs, 0, UINT64_MAX, NULL) == gc)
		line_put(l, ST_WARN, false, longest);
}

void line_pause(struct line *l, const struct model *m, const struct gc_row *gc)
{
	const struct evl_log *log = m->log;
	enum { RANKED_LATE = 115, RANKED = 92, WIDE = 90, SHORT = 62 };
	struct gc_late late;
	gc_late(log, gc, &late);
	int least = late.by_thread ? RANKED_LATE : RANKED;
	bool wide = line_room(l) >= WIDE, ranked = line_room(l) >= least && evl_progress(log).done;
	line_skip(l, 2);
	if (line_room(l) < SHORT) {
		put_short_pause(l, log, gc);
		return;
	}
	if (ranked)
		put_rank(l, log, gc);
	else
		line_put(l, ST_DIM, false, "pause ");
	line_duration(l, ST_TEXT, gc_pause(gc));
	if (!gc->sync)
		return;
	line_pair(l, " = ", ST_SYNC, as_duration(gc->sync));
	line_put(l, ST_DIM, false, " sync");
	line_late(l, log, gc, wide, m->oversubscribed);
	line_pair(l, " + ", ST_TEXT, as_duration(gc->elapsed));
	line_put(l, ST_DIM, false, " GC");
}
