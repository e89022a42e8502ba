/* path.h - the critical path: how the time of a range was spent, followed backwards from its end.
 *
 * The path follows one thread back in time. If that thread was blocked and a thread of the program ended the wait, the
 * path continues with that thread; if a thread was created, it continues with its creator. Such a change of thread is a
 * hop. Each moment of the range lies in one segment of the path.
 *
 * A single pass reads the events of the range, newest first (sched_back.h), so intervals of threads need not be stored,
 * and the newest part of the result is available at once. Read backwards, a wake-up does not reveal whether it ended a
 * wait: an earlier wake-up may have done so, or the thread may not have waited. The path therefore assumes that it did,
 * hops to the waker, and watches the woken thread until its history proves or refutes the assumption. If it is refuted
 * (a wake-up was posted twice, or to a running thread), the segments after it are dropped and the pass continues
 * without rereading events. Events before the range are read until all hops are proved.
 *
 * Segments that may still be dropped take 24 bytes each. PATH_PENDING of them are kept, and as many more as fit into
 * 1/256 of the size of the log; beyond this limit, the oldest are treated as proved. If an assumption of theirs is
 * refuted after all, a new pass starts that knows of it. Call these functions only when the log is indexed. Times are
 * in ns. */
#ifndef EVL_PATH_H
#define EVL_PATH_H

#include "base/buf.h"
#include "gc/gc_pauses.h"
#include "log/log.h"
#include "sys/progress.h"

enum { PATH_SEGMENTS = 1000, PATH_THREADS = 1 << 16, PATH_PENDING = 1 << 17, PATH_ALONG = 8 };

/* Kinds of segment: X(id, name, part of the summary in which it counts). */
#define PATH_WHATS(X)                                                                                                  \
	X(RUN, "run", RUN)                                                                                             \
	X(GC, "gc", GC)                                                                                                \
	X(SYNC, "sync", SYNC)                                                                                          \
	X(RUNNABLE, "runnable", RUNNABLE)                                                                              \
	X(FOREIGN, "foreign", FOREIGN)                                                                                 \
	X(TIMER, "timer", EXTERNAL)                                                                                    \
	X(READ, "read", EXTERNAL)                                                                                      \
	X(WRITE, "write", EXTERNAL)                                                                                    \
	X(IO, "io", EXTERNAL)                                                                                          \
	X(EXTERNAL, "external", EXTERNAL)                                                                              \
	X(UNKNOWN, "unknown", UNKNOWN)
enum path_what {
#define X(id, name, part) PATH_##id,
	PATH_WHATS(X)
#undef X
		PATH_WHAT_COUNT
};

/* The parts of the summary: X(id, JSON key), in the order of their keys. */
#define PATH_PARTS(X)                                                                                                  \
	X(RUN, "run_ns")                                                                                               \
	X(GC, "gc_ns")                                                                                                 \
	X(SYNC, "sync_ns")                                                                                             \
	X(RUNNABLE, "runnable_ns")                                                                                     \
	X(FOREIGN, "foreign_ns")                                                                                       \
	X(EXTERNAL, "external_ns")                                                                                     \
	X(UNKNOWN, "unknown_ns")
enum path_part {
#define X(id, key) PATH_PART_##id,
	PATH_PARTS(X)
#undef X
		PATH_PART_COUNT
};
/* Return the name of a kind of segment, the part in which it counts, or the JSON key of a part. */
const char *path_what_name(enum path_what what);
enum path_part path_part_of(enum path_what what);
const char *path_part_key(enum path_part part); /* such as "run_ns" */

struct path_segment {
	uint64_t from, to;
	uint32_t thread;
	uint16_t cap; /* capability, for PATH_RUN */
	uint8_t what; /* enum path_what */
};

struct path_thread {
	uint64_t total_ns, ns[PATH_PART_COUNT];
	uint64_t timer_ns, io_ns; /* parts of the external time: waits for timers; for input or output */
	uint32_t thread;
};

/* The path within one column of a window. */
struct path_col {
	uint64_t ns[PATH_PART_COUNT];
	uint64_t caps;                /* capabilities on which it runs: bit 1 << (number % 64) */
	uint32_t threads[PATH_ALONG]; /* threads that it follows, most time first; 0: no more */
	uint32_t n_threads;           /* number of threads that it follows; some may not be listed */
	uint16_t cap;                 /* capability on which it runs most; EVL_NO_CAP: none */
};

/* How the time followed so far was spent. A hop that is refuted later takes back what follows from it. */
struct path_so_far {
	uint64_t reached, to; /* followed from `to` back to here */
	double share;         /* of the range, or of the windows */
	uint64_t ns[PATH_PART_COUNT];
};

/* A request: where the path ends, how far back it goes, and what to compute besides the path. */
struct path_ask {
	uint64_t from, to; /* range; clipped to the log */
	/* thread at the end of the path; 0: the main thread (if `to` is past the end of the log, the range then ends
	 * with the main thread) */
	uint32_t thread;
	uint32_t main;                  /* the main thread, if main_known; 0: there is none */
	bool main_known;                /* false: the main thread is searched for */
	const struct gc_pauses *pauses; /* pauses of the range or more, if the caller has them; may be NULL */
	uint32_t segments;              /* number of longest segments to list; 0: PATH_SEGMENTS */
	/* stop after about this number of milliseconds with a partial result; 0: never */
	uint32_t ms;
	uint64_t t0, t1; /* window for which to compute columns */
	int cols;        /* number of columns; 0: none */
	/* called about every tell_ms milliseconds while the path is followed; NULL: never */
	void (*tell)(void *ctx, const struct path_so_far *so_far);
	void *ctx;
	uint32_t tell_ms;
};

/* Why the path ends with its thread. */
enum path_end {
	PATH_END_ASKED,    /* it was asked for, or it ended the span */
	PATH_END_MAIN,     /* the main thread */
	PATH_END_UNLOGGED, /* the last that ran: the end of the main thread is not logged */
	PATH_END_NO_MAIN   /* the last that ran: no main thread is known */
};

struct path {
	uint64_t from, to;            /* the range actually used */
	uint64_t windows, covered;    /* path_over: number of windows, total length of those that have a path; else 0 */
	uint64_t reached;             /* the path before this time is not known yet; equals `from` when complete */
	bool found;                   /* false: the thread does not exist, or no thread ever ran */
	bool proved;                  /* all hops are proved; always true if `ms` was 0 */
	uint8_t end;                  /* why it ends with `thread`: enum path_end */
	uint32_t thread;              /* thread at the end of the path */
	uint64_t ns[PATH_PART_COUNT]; /* sum: to - reached */
	uint64_t by_what[PATH_WHAT_COUNT];
	uint64_t paused_ns; /* time of GC pauses in foreign calls: performGC is one, too */
	uint64_t
		waiting_ns; /* PATH_EXTERNAL at the end: the thread waits there, and the range does not show until when */
	uint64_t hops;      /* number of changes of thread */
	struct path_segment *segments; /* the longest, in time order */
	size_t n_segments;
	uint64_t segments_not_listed;
	struct path_thread *threads; /* most time first, then by id; at most PATH_THREADS */
	size_t n_threads;
	uint64_t threads_not_listed; /* number of threads with less time that are not listed */
	struct path_col *columns;    /* path_ask.cols elements, or NULL; zeros outside [reached, to) */
};

/* Compute the path. watch may be NULL. Return 0, or EVL_CANCELLED or EVL_NOMEM with nothing to free. */
int path_make(struct path *p, const struct evl_log *log, const struct path_ask *ask,
	const struct progress *watch) EVL_MUST_USE;
void path_free(struct path *p);

/* Return the time covered by the complete path. */
static inline uint64_t path_total(const struct path *p) { return p->windows ? p->covered : p->to - p->from; }

/* Append with which thread the path ends, why, and what to do if more than half of it is unknown: "ends with thread 30, the
 * last that ran: the end of the main thread is not logged". The label of the thread is not escaped. Return true if the
 * reader would not expect this end, or if more than half is unknown. */
bool path_end_text(struct buf *out, const struct evl_log *log, const struct path *p);

/* Sum the paths of n windows, which are in time order and disjoint; the path of each ends with its thread (0: the main
 * thread). Sums, segments and threads cover all windows; p->from is the start of the first, p->to the end of the last.
 * ask->ms is ignored. Return values as for path_make. */
struct path_window {
	uint64_t from, to;
	uint32_t thread;
};
int path_over(struct path *p, const struct evl_log *log, const struct path_ask *ask, const struct path_window *windows,
	size_t n, const struct progress *watch) EVL_MUST_USE;

/* Find a time *to, at t or later, at which the path runs *thread, so that the path before t can be computed starting
 * there. Return false if no listed segment has such a time; start from the end then. */
bool path_enter(const struct path *p, uint64_t t, uint64_t *to, uint32_t *thread);

/* path_span.c: the spans that `evtui path --span` refers to. */

/* Find the span to which a text refers. "NAME" is the longest finished span of that name, the first of equally long
 * ones. "NAME#K" is the K-th to start, counted from 1. The name may omit the number of the instance: "job" for "0 job".
 * *out is borrowed from the log, or NULL if there is no such span. Return 0 or EVL_NOMEM. */
int path_span_find(const struct evl_log *log, struct evl_str text, const struct span **out) EVL_MUST_USE;

/* Find the time covered by spans of a label (span_is_of) that start in [from, to) (ns), clipped to it, as windows:
 * spans that overlap or touch share one. The path of a window ends with the thread that ended the span at its end (of
 * several such spans, the one that started first); if the range cuts that span, with the thread that started it. The
 * caller frees *out. Return 0 or EVL_NOMEM. */
int path_windows_find(const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to, struct path_window **out,
	size_t *n) EVL_MUST_USE;

#endif
