/* thread_patterns.h - labels that many threads have but for their digits, each to be one lane of the timeline.
 *
 * Found once per log, by the thread job. Memory is bounded however many labels there are: a table of PATTERNS_SEEN
 * counters (Misra and Gries), in which a pattern of more than 1/PATTERNS_SEEN of all threads is never lost. */
#ifndef EVTUI_THREAD_PATTERNS_H
#define EVTUI_THREAD_PATTERNS_H

#include "threads/thread_choice.h"

enum { PATTERNS = 32, PATTERN_LEAST = 12, PATTERNS_SEEN = 4096 };

/* Folded labels of at least PATTERN_LEAST threads, those that ran longest first; "" of threads without a label, where others
 * have one. */
struct thread_patterns {
	size_t n;
	bool top_unlabelled; /* the thread that ran longest has no label */
	char names[PATTERNS][LIST_NAME];
};

/* Return 0, EVL_CANCELLED or EVL_NOMEM. */
int thread_patterns_find(
	const struct evl_log *log, const atomic_bool *cancel, struct thread_patterns *out) EVL_MUST_USE;

#endif
