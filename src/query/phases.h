/* phases.h - the time of phases, which are the intervals between user markers, and of the windows that spans of one
 * name cover, split by activity.
 *
 * A phase is named by the marker that starts it; the first one, before any marker, has no name. Markers of spans
 * (span_syntax.h) do not count, and without markers there are no phases. A range has the phases that overlap it, the first and
 * the last clipped. Empty intervals are not phases. */
#ifndef EVL_PHASES_H
#define EVL_PHASES_H

#include "log/log.h"
#include "log/run_stats.h"
#include "query/thread_history.h"
#include "sys/progress.h"

enum { PHASES_MOST = 1000 }; /* that are kept, the longest; others are counted */

struct phase {
	uint64_t from, to;
	uint64_t marker;                     /* file offset of the marker that starts it; 0: none */
	uint64_t mutator, gc, sync, idle;    /* ns, as in struct time_split; they add up to its length */
	uint64_t run;                        /* thread time, summed over all capabilities */
	uint64_t busy;                       /* of it, outside of pauses */
	uint64_t gc_n, max_pause, allocated; /* collections that start in it, the longest of their pauses, bytes */
};

struct phases {
	struct phase *items; /* in order of time */
	size_t n;
	uint64_t others; /* markers that start no phase of the list */
};

/* The phases of [from, to). Reads the log of the range once. 0, EVL_CANCELLED or EVL_NOMEM. */
int phases_make(struct phases *p, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;
void phases_free(struct phases *p);

/* The same in two steps, as a reader of a pass (thread_history.h) that others share: what phases there are, from markers alone,
 * then what happens in them. The pass holds them all, and has all pauses of the range. phases_close takes them into account
 * where the pass was good (0); it returns that or its own trouble. */
struct phases_reader {
	struct phases *out;
	const struct evl_log *log;
	const struct gc_pauses *pauses;
	size_t at; /* the phase that levels have come to */
	struct thread_history_sink sink;
};
int phases_find(struct phases *p, const struct evl_log *log, uint64_t from, uint64_t to) EVL_MUST_USE;
void phases_open(struct phases_reader *r, struct phases *p, const struct evl_log *log, const struct gc_pauses *pauses);
int phases_close(struct phases_reader *r, int passed, const struct progress *watch) EVL_MUST_USE;

/* Split the time of any intervals that are in order of time and do not overlap: fill in all members but from, to and
 * marker. Reads the log from the first to the last. Same results. */
int phases_fill(struct phases *p, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* The text of its marker, borrowed from the log; empty, p NULL: it has none. */
struct evl_str phase_name(const struct evl_log *log, const struct phase *p);

/* How many capabilities ran threads outside of pauses, on average. */
double phase_caps_busy(const struct phase *p);

/* The time that all spans of one label cover, and what happened in it: statistics of a request's windows. Spans that overlap,
 * on several threads or nested, are one window. 88 bytes per span while it works, 8 per collection in them. */
struct span_windows {
	uint64_t spans, spans_ns;  /* of the label, and their lengths added up */
	struct phases windows;     /* in order of time, none touches another */
	struct phase sum;          /* over all windows; from, to: of the first and the last */
	uint64_t covered;          /* by windows; mutator, gc, sync and idle of the sum add up to it */
	struct pause_stats pauses; /* that start in windows */
};

/* Is it one of this label or name (idmap_key of spans_label, spans_name)? */
bool span_is_of(const struct blocks *b, const struct span *s, uint64_t label);

/* Of the spans that start in [from, to), clipped to it. label: as for span_is_of. 0, EVL_CANCELLED or EVL_NOMEM. */
int span_windows_make(struct span_windows *w, const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;
void span_windows_free(struct span_windows *w);

#endif
