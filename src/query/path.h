/* path.h - the critical path: where the time of a range went, followed backwards from its end.
 *
 * The path follows one thread back in time. Where that thread was blocked and a thread of the program ended the wait,
 * it continues with that thread; where a thread was created, with its creator. Each moment of the range lies in one
 * segment.
 *
 * One pass reads the events of the range once, newest first (sched_back.h), so neither stretches of threads nor a second
 * index are kept, and the newest part of the answer is there at once. Read backwards, a wake-up does not tell whether it
 * ended a wait: perhaps an earlier one did, or the thread did not wait. So the path assumes that it did and hops to the waker,
 * and watches the woken thread until its history proves the assumption. If it was wrong (a wake-up was posted twice, or to a
 * running thread), the segments since are dropped and the pass continues from there: it never turns back. The same holds
 * before the start of the range: earlier events are read until all hops are proved.
 *
 * Segments that may be dropped are kept, 24 bytes each, up to PATH_PENDING and 1/256 of the log; past that the
 * oldest are treated as proved. If one of these is refuted after all, the pass starts again with that knowledge.
 * Call only when the walk is over. */
#ifndef EVL_PATH_H
#define EVL_PATH_H

#include "gc/gc_pauses.h"
#include "log/log.h"
#include "sys/progress.h"

enum { PATH_SEGMENTS = 1000, PATH_THREADS = 1 << 16, PATH_PENDING = 1 << 17, PATH_ALONG = 8 };

/* Kinds of segment, with name and the part of the summary that they count in. */
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

/* The parts that a path is divided into, in the order of their keys in JSON. */
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
const char *path_what_name(enum path_what what);
enum path_part path_part_of(enum path_what what);
const char *path_part_key(enum path_part part); /* "run_ns" */

struct path_segment {
	uint64_t from, to;
	uint32_t thread;
	uint16_t cap; /* of PATH_RUN */
	uint8_t what; /* enum path_what */
};

struct path_thread {
	uint64_t total_ns, ns[PATH_PART_COUNT];
	uint64_t timer_ns; /* of external: waits for timers */
	uint32_t thread;
};

/* Where the path goes in one column of a window. */
struct path_col {
	uint64_t ns[PATH_PART_COUNT];
	uint64_t caps;                /* that it runs on: bit 1 << number % 64 */
	uint32_t threads[PATH_ALONG]; /* that it follows, most time first; 0: no more */
	uint32_t n_threads;           /* of them; more may be left out */
	uint16_t cap;                 /* that it runs on most; EVL_NO_CAP: none */
};

/* Where a path ends, and how far back it goes. */
struct path_ask {
	uint64_t from, to; /* ns; clipped to the log */
	uint32_t
		thread; /* thread at its end; 0: the main thread (in a range without an explicit end, at the main thread's end) */
	uint32_t main;                  /* the main thread, if the asker knows it; 0: it is looked for */
	const struct gc_pauses *pauses; /* those of the range and perhaps more, if the asker has them; or NULL */
	uint32_t segments;              /* number of segments to list, longest first; 0: PATH_SEGMENTS */
	uint32_t ms;                    /* stop after about this time with a partial result; 0: never */
	uint64_t t0, t1;                /* a window, and its columns; 0 columns: none are wanted */
	int cols;
};

struct path {
	uint64_t from, to;            /* the range as it was found */
	uint64_t windows, covered;    /* path_over: number of windows, lengths of those with a path; else 0 */
	uint64_t reached;             /* the path before it is not known yet; `from` when the path is complete */
	bool found;                   /* false: there is no such thread, or no thread ever ran */
	bool proved;                  /* all hops are (see above): always so where no `ms` was asked for */
	uint32_t thread;              /* that it ends with */
	uint64_t ns[PATH_PART_COUNT]; /* together to - reached */
	uint64_t by_what[PATH_WHAT_COUNT];
	uint64_t hops;                 /* changes of thread */
	struct path_segment *segments; /* the longest, in order of time */
	size_t n_segments;
	uint64_t segments_not_listed;
	struct path_thread *threads; /* most time first, then by id: PATH_THREADS at most, */
	size_t n_threads;
	uint64_t threads_not_listed; /* number of those with less time that were dropped */
	struct path_col *columns;    /* that were asked for; NULL: none. Zeros outside of [reached, to) */
};

/* Compute the path. Return 0, or EVL_CANCELLED or EVL_NOMEM with nothing to free. */
int path_make(struct path *p, const struct evl_log *log, const struct path_ask *ask,
	const struct progress *watch) EVL_MUST_USE;
void path_free(struct path *p);

/* Return the time that the complete path covers. */
static inline uint64_t path_total(const struct path *p) { return p->windows ? p->covered : p->to - p->from; }

/* Add up the paths of n windows of time, which are in order and do not touch; each ends with its thread (0: the main thread).
 * Sums, segments and threads cover all windows; from is the start of the first, to the end of the last. Ignores `ms`.
 * Same results. */
struct path_window {
	uint64_t from, to;
	uint32_t thread;
};
int path_over(struct path *p, const struct evl_log *log, const struct path_ask *ask, const struct path_window *windows,
	size_t n, const struct progress *watch) EVL_MUST_USE;

/* Find a time *to, at t or later, at which the path runs *thread, so that the part of the path before t can be computed from
 * there. Return false if no listed segment has one: start from the end. */
bool path_enter(const struct path *p, uint64_t t, uint64_t *to, uint32_t *thread);

#endif
