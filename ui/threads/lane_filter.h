/* lane_filter.h - filter of lanes (`f` in the timeline): the fields of a filter expression (filter.h), and their answers.
 *
 *   worker  label~work    the label of a thread contains it; a word alone may also be in its id
 *   cap:0-3  thread:26    capabilities 0 to 3, and threads that were there last; one thread
 *   idle                  did nothing in the window
 *   run>5%  wait>2ms      ran for more than 5% of the window; was runnable, but for pauses, for more than 2 ms
 *   wakeups>100           woken more than 100 times
 *   state:mvar            was once in that state, or blocked for that reason: running, runnable, blocked, foreign,
 *                         finished, mvar, stm, blackhole, read, write, delay, throwto …
 *
 * Terms that do not concern capabilities let them pass. */
#ifndef EVTUI_LANE_FILTER_H
#define EVTUI_LANE_FILTER_H

#include "base/filter.h"

/* Facts about a lane in the window. */
struct lane_facts {
	bool is_cap;
	uint16_t cap; /* its number; of a thread: where it was last, EVL_NO_CAP: unknown */
	uint32_t thread;
	struct evl_str label;
	uint64_t run_ns, wait_ns, window_ns;
	uint32_t wakeups, stops, states; /* as in struct thread_sum */
};

extern const struct filter_fields lane_filter_fields;

/* Do the terms ask for what only a scan of the window knows? */
bool lane_filter_needs_sums(const struct filter *f);

bool lane_filter_keeps(const struct filter *f, const struct lane_facts *facts);

#endif
