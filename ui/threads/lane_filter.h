/* lane_filter.h - filter of lanes (`f` in the timeline: worker, cap 0-3, run>5%, state:mvar, !…): parse and apply.
 *
 *   worker        the label or the id of a thread contains it (a capital letter makes it case-sensitive)
 *   cap 0-3       capabilities 0 to 3, and threads that were there last; also cap 2
 *   idle          did nothing in the window
 *   run>5%        ran for more than 5% of the window; also < and wait (runnable, but for pauses), and times: run>2ms
 *   wakeups>100   woken more than 100 times
 *   state:mvar    was once in that state, or blocked for that reason: running, runnable, blocked, foreign, mvar, stm,
 *                 blackhole, read, write, delay, throwto …; a prefix of the word is enough
 *   !term         negation
 * All terms must hold; they are separated by blanks. Terms that do not concern capabilities let them pass. An
 * incomplete term lets everything pass. */
#ifndef EVTUI_LANE_FILTER_H
#define EVTUI_LANE_FILTER_H

#include "base/base.h"
#include "sched/thread_state.h"

enum { FILTER_TERMS = 16, FILTER_WORD = 64 };

enum filter_kind { FILTER_TEXT, FILTER_CAP, FILTER_IDLE, FILTER_RUN, FILTER_WAIT, FILTER_WAKEUPS, FILTER_STATE };

struct filter_term {
	enum filter_kind kind;
	bool negated, less, share; /* less: <; share: of the window, in millionths */
	uint64_t from, to;         /* of capabilities; a bound is `from` */
	char word[FILTER_WORD];
	size_t len;
	bool exact_case;
};

struct lane_filter {
	struct filter_term terms[FILTER_TERMS];
	int n;
};

/* What is known of a lane in the window. */
struct lane_facts {
	bool is_cap;
	uint16_t cap; /* its number; of a thread: where it was last, EVL_NO_CAP: unknown */
	uint32_t thread;
	struct evl_str label;
	uint64_t run_ns, wait_ns, window_ns;
	uint32_t wakeups, stops, states; /* as in struct thread_sum */
};

void lane_filter_parse(struct lane_filter *f, const char *text);

/* Do the terms ask for what only a scan of the window knows? */
bool lane_filter_needs_sums(const struct lane_filter *f);

bool lane_filter_keeps(const struct lane_filter *f, const struct lane_facts *facts);

#endif
