/* whole_time.h - a thread's time on and off the CPU: on it by stack, off it by reason with the last stack before, collections
 * apart.
 *
 * One pass over the lives of threads (thread_history.h) with the samples of the time profile between them. A sample belongs to
 * the thread that ran on its capability at that time. A thread's running time, without pauses, is divided among its samples;
 * what it waited for is put below its last sample before, which is an estimate. All rows of a thread add up to the time it
 * lived in the range, to the nanosecond. Rows are at most WHOLE_ROWS: past that, time has no stack. */
#ifndef EVL_WHOLE_TIME_H
#define EVL_WHOLE_TIME_H

#include "base/text_match.h"
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

struct whole_row {
	uint32_t thread, node; /* node: of the profile's stacks, or WHOLE_NO_STACK: no sample of the thread before */
	uint8_t kind, reason;  /* enum whole_kind; of BLOCKED: thread_block_reason */
	uint64_t ns, samples;  /* samples: of CPU */
};

struct whole_time {
	struct whole_row *rows; /* by thread, then kind, then most time */
	size_t n;
	uint64_t samples, of_threads; /* in the range; of them those that belong to a thread */
};

/* Threads and times that count: a thread, those with a label, or each thread while it is in a span of a label that it began. */
struct whole_only {
	uint32_t thread;            /* 0: any */
	struct pattern label;       /* in the label; len 0: any */
	struct evl_str exact;       /* the whole label, a # at its end for any number; borrowed; empty: any */
	struct evl_str span;        /* borrowed; empty: any time */
	const struct prof *profile; /* whose samples; NULL: evl_profile */
};

enum { WHOLE_ONLY_TEXT = 256 };

/* Parse "thread:9", "label:worker" (contained, or \v and a regular expression), "label=worker-#" (all of it; a # at its end is
 * any number, too), "span:req", or "". Return 0, or EVL_USAGE with
 * *err filled, then nothing is to be freed. */
int whole_only_parse(struct whole_only *only, const char *text, struct evl_err *err) EVL_MUST_USE;
void whole_only_free(struct whole_only *only);

/* Sum up [from, to). only: NULL for all threads. EVL_CANCELLED, EVL_NOMEM or 0; whole_time_free if 0. */
int whole_time_make(struct whole_time *w, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct whole_only *only, const struct progress *watch) EVL_MUST_USE;

/* Samples of threads by stack, into self[n_nodes]; return their sum. */
uint64_t whole_time_samples(const struct whole_time *w, uint64_t *self, uint32_t n_nodes);
void whole_time_free(struct whole_time *w);

const char *whole_kind_name(enum whole_kind kind);

#endif
