/* whole_time.h - split the lifetime of threads into time on the CPU by call stack, and time off it by reason
 *
 * One pass reads the lives of threads (thread_history.h) together with the samples of the time profile. A sample
 * belongs to the thread that ran on its capability at that time. The running time of a thread is divided among its
 * samples; it includes the time that it went on running after a collection was requested. In pauses: the time in them
 * that it was runnable. Time off the CPU is attributed to the stack of the thread's last sample before it, which is an
 * estimate. The rows of a thread add up exactly to the time that it lived in the range. At most WHOLE_ROWS rows are
 * kept; further time has no stack. Times are in ns. */
#ifndef EVL_WHOLE_TIME_H
#define EVL_WHOLE_TIME_H

#include "base/filter.h"
#include "log/log.h"
#include "sys/progress.h"

enum { WHOLE_ROWS = 1 << 18, WHOLE_NO_STACK = UINT32_MAX };

#define WHOLE_KINDS_DEF(K)                                                                                             \
	K(CPU, "on CPU")                                                                                               \
	K(GC, "in pauses")                                                                                             \
	K(RUNNABLE, "waiting for a capability")                                                                        \
	K(BLOCKED, "blocked")                                                                                          \
	K(TIMER, "sleeping: woken by the timer manager")                                                               \
	K(FOREIGN, "in foreign calls")                                                                                 \
	K(UNKNOWN, "not known")
enum whole_kind {
#define K(id, text) WHOLE_##id,
	WHOLE_KINDS_DEF(K)
#undef K
		WHOLE_KINDS
};

/* Time of one thread, of one kind, with one stack. */
struct whole_row {
	uint32_t thread, node; /* node: stack in the profile; WHOLE_NO_STACK: the thread had no sample before */
	uint8_t kind, reason;  /* enum whole_kind; if blocked: thread_block_reason */
	uint64_t ns, samples;  /* samples: 0 unless on the CPU */
};

struct whole_time {
	struct whole_row *rows; /* sorted by thread, then kind, then time, longest first */
	size_t n;
	uint64_t samples, of_threads; /* samples in the range; samples that belong to a thread */
};

/* Filter: threads, and of each thread all its time or only that in spans that it started. */
struct whole_only {
	uint32_t thread;            /* one thread; 0: all */
	struct filter filter;       /* more conditions (whole_only_parse) */
	uint8_t span;               /* number of its term on spans, from 1; 0: none, all times count */
	const struct prof *profile; /* profile whose samples are used; NULL: evl_profile */
};

enum { WHOLE_ONLY_TEXT = 256 };

/* Parse a filter expression (filter.h) with the fields thread, label, stem (whole_stem) and span, such as "thread:8-12",
 * "worker" or "label=worker-# span:req"; "": everything. There may be one term on spans, whose name or label it matches, neither
 * negated nor in an `or`. Return 0, or EVL_USAGE or EVL_NOMEM with *err filled. Call whole_only_free in any case. */
int whole_only_parse(struct whole_only *only, const char *text, struct evl_err *err) EVL_MUST_USE;
void whole_only_free(struct whole_only *only);

/* Return a label without its final number, or the label if nothing else is left. */
struct evl_str whole_stem(struct evl_str label);

/* Report whether a text begins with one of these fields and an operator. */
bool whole_only_is_meant(const char *text);

/* Compute the times in [from, to). only: NULL for all threads. Return 0; or EVL_CANCELLED or EVL_NOMEM, then there
 * is nothing to free. */
int whole_time_make(struct whole_time *w, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct whole_only *only, const struct progress *watch) EVL_MUST_USE;

/* Add up the samples of all threads by stack in self[n_nodes]. Return their sum. */
uint64_t whole_time_samples(const struct whole_time *w, uint64_t *self, uint32_t n_nodes);
void whole_time_free(struct whole_time *w);

/* Return the name of a kind of time as shown: "on CPU", "blocked", … */
const char *whole_kind_name(enum whole_kind kind);

#endif
