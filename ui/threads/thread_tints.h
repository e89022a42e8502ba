/* thread_tints.h - numbers that tell threads apart by colour: the same in all windows, and different for the threads that ran most */
#ifndef EVTUI_THREAD_TINTS_H
#define EVTUI_THREAD_TINTS_H

#include "log/log.h"

enum { THREAD_TINTS = 512 };

/* The threads that ran most in the whole run, by id. */
struct thread_tints {
	struct thread_tint {
		uint64_t run_ns;
		uint32_t id, rank;
	} items[2 * THREAD_TINTS]; /* the second half is used only while they are found */
	size_t n;
};

/* Find the threads. Visits all threads of the log. */
void thread_tints_find(const struct evl_log *log, struct thread_tints *out);

/* Return a thread's place in the order of run times, or, if it is not among the first THREAD_TINTS, its id. */
uint32_t thread_tints_of(const struct thread_tints *t, uint32_t thread);

#endif
