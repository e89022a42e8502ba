/* lane_filter.h - filter expressions for lanes (f in the timeline): cap:0-3, run>5%, … (syntax: filter.h)
 *
 *   worker  label~work    threads whose label contains the word; a bare word also matches ids
 *   no label              threads without a label, by the name of their lane
 *   cap:0-3  thread:26    capabilities 0 to 3, and threads last seen there; one thread
 *   idle                  did nothing in the window
 *   run>5%                ran for more than 5% of the window
 *   runnable_wait>2ms     was runnable, outside of GC pauses, for more than 2 ms; formerly wait
 *   wakeups>100           was woken more than 100 times in the window
 *   state:mvar            was in this state, or blocked for this reason, in the window: running, runnable, blocked,
 *                         foreign, finished, mvar, stm, blackhole, read, write, delay, throwto, …
 *
 * Terms that do not apply to capabilities let them pass. */
#ifndef EVTUI_LANE_FILTER_H
#define EVTUI_LANE_FILTER_H

#include "base/filter.h"

/* Facts about a lane in the window. */
struct lane_facts {
	bool is_cap;
	uint16_t cap; /* for a thread: where it was last, EVL_NO_CAP: unknown */
	uint32_t thread;
	struct evl_str label;
	uint64_t run_ns, wait_ns, window_ns; /* running, runnable, length of the window */
	uint32_t wakeups, stops, states;     /* as in struct thread_sum */
};

extern const struct filter_fields lane_filter_fields;

/* Return whether a term needs data that only a scan of the window provides. */
bool lane_filter_needs_sums(const struct filter *f);

/* Return whether a lane passes the filter. */
bool lane_filter_keeps(const struct filter *f, const struct lane_facts *facts);

#endif
