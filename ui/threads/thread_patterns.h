/* thread_patterns.h - find labels that many threads share except for digits ("worker-#"), to be grouped in one lane
 *
 * The thread job finds them once per log. Memory is bounded: a table of PATTERNS_SEEN counters (Misra-Gries
 * algorithm), which never misses a pattern of more than 1/PATTERNS_SEEN of all threads. */
#ifndef EVTUI_THREAD_PATTERNS_H
#define EVTUI_THREAD_PATTERNS_H

#include "threads/thread_choice.h"

enum { PATTERNS = 32, PATTERN_LEAST = 12, PATTERN_FEW = 24, PATTERNS_SEEN = 4096 };

/* Labels with digits replaced by # (thread_fold), of at least PATTERN_LEAST threads each, by total run time, longest
 * first. "" means threads without a label, if others have one. */
struct thread_patterns {
	size_t n;
	bool few_unlabelled; /* the thread that ran longest has no label, and at most PATTERN_FEW have none */
	char names[PATTERNS][LIST_NAME];
};

/* Find the patterns. Return 0; EVL_CANCELLED if *cancel became true; or EVL_NOMEM. */
int thread_patterns_find(
	const struct evl_log *log, const atomic_bool *cancel, struct thread_patterns *out) EVL_MUST_USE;

#endif
