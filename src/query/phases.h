/* phases.h - divide the time of phases (intervals between user markers), or of the windows covered by spans of one
 * name, by activity.
 *
 * A phase is named by the marker that starts it; the first phase, before any marker, has no name. Markers that start or
 * end spans (span_syntax.h) do not count, and without markers there are no phases. A range has the phases that overlap
 * it, the first and the last clipped to it. Empty intervals are not phases. Times are in ns. */
#ifndef EVL_PHASES_H
#define EVL_PHASES_H

#include "gc/gc_pauses.h"
#include "log/log.h"
#include "log/run_stats.h"
#include "sys/progress.h"

enum { PHASES_MOST = 1000 }; /* the longest ones are kept; others are counted */

struct phase {
	uint64_t from, to;
	uint64_t marker;                  /* file offset of the marker that starts it; 0: none */
	uint64_t mutator, gc, sync, idle; /* as in struct time_split; they add up to the length of the phase */
	uint64_t run;                     /* time running threads, summed over all capabilities */
	uint64_t busy;                    /* part of run outside pauses */
	/* collections that start in the phase, the longest of their pauses, bytes allocated */
	uint64_t gc_n, max_pause, allocated;
};

struct phases {
	struct phase *items; /* in time order */
	size_t n;
	uint64_t others; /* number of markers that start no listed phase */
};

/* Compute the phases of [from, to), reading that part of the log once. watch may be NULL. Return 0, EVL_CANCELLED or
 * EVL_NOMEM. */
int phases_make(struct phases *p, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;
void phases_free(struct phases *p);

/* Compute phases in steps, together with other results of one pass (thread_waits.h). phases_find determines the phases from
 * the markers. phases_marks allocates the times at which sums are needed, two per phase; NULL: no memory. phases_fill
 * completes the phases from these sums; pauses: all of the range. Return 0, EVL_CANCELLED or EVL_NOMEM. */
struct waits_mark;
int phases_find(struct phases *p, const struct evl_log *log, uint64_t from, uint64_t to) EVL_MUST_USE;
struct waits_mark *phases_marks(const struct phases *p);
int phases_fill(struct phases *p, const struct evl_log *log, const struct waits_mark *marks,
	const struct gc_pauses *pauses, const struct progress *watch) EVL_MUST_USE;

/* Return the text of the marker of a phase, borrowed from the log; empty if p is NULL or has none. */
struct evl_str phase_name(const struct evl_log *log, const struct phase *p);

/* Return the average number of capabilities that ran threads outside pauses. */
double phase_caps_busy(const struct phase *p);

/* The time covered by all spans of one label, by activity; for example, that of all requests of a server. Spans that
 * overlap, on several threads or nested, form one window. While the windows are computed, a span takes 88 bytes and
 * each collection in the windows 8 bytes. */
struct span_windows {
	uint64_t spans, spans_ns;  /* number of spans of the label, sum of their lengths */
	struct phases windows;     /* in time order, disjoint */
	struct phase sum;          /* sums over all windows; from: start of the first, to: end of the last */
	uint64_t covered;          /* total length of the windows: mutator, gc, sync and idle of `sum` add up to it */
	struct pause_stats pauses; /* pauses that start in windows */
};

/* Report whether a span has this label or name, given as idmap_key of spans_label or spans_name. */
bool span_is_of(const struct blocks *b, const struct span *s, uint64_t label);

/* Compute the windows of the spans that start in [from, to), clipped to it. label is as for span_is_of. watch may be
 * NULL. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int span_windows_make(struct span_windows *w, const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;
void span_windows_free(struct span_windows *w);

#endif
