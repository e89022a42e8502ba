/* thread_base.h - all threads of a log in one order: what a list shows of those that do nothing in its window.
 *
 * Made by the thread job, once for an order, a filter and groups; lists of all windows share it, so that none of them
 * costs as much as there are threads. Never changes; freed when nobody holds it. 4.3 bytes a thread, 8 in the order of
 * names. */
#ifndef EVTUI_THREAD_BASE_H
#define EVTUI_THREAD_BASE_H

#include "thread_choice.h"

enum { THREAD_UNLISTED = UINT32_MAX, THREAD_STEP = 64 };

/* Every THREAD_STEP-th of the order, as it is compared. */
struct thread_step {
	uint64_t run_ns; /* in the whole run; 0 where the order is that of ids */
	uint32_t id;
};

struct thread_base {
	_Atomic uint32_t holders;
	struct thread_list_ask ask; /* it was made for; of the window it depends only in so far as `known` tells */
	unsigned known;             /* as in struct thread_choice */
	uint32_t *ids;              /* in order */
	size_t n, all;              /* listed; threads of the log */
	const struct evl_log *log;
	struct thread_step *steps;  /* to find a place by; NULL in the order of names: */
	uint32_t **ranks;           /* by pages of ids: the place in the order + 1; 0: not listed */
	size_t n_pages;
	uint32_t in_fold[LIST_FOLDS]; /* members of each group that the filter keeps */
};

/* NULL: out of memory, or *cancel became true. The caller holds it. */
struct thread_base *thread_base_new(const struct thread_choice *c, const atomic_bool *cancel);

/* Would this choice give the same? */
bool thread_base_fits(const struct thread_base *b, const struct thread_choice *c);

struct thread_base *thread_base_hold(struct thread_base *b);
void thread_base_drop(struct thread_base *b); /* NULL is allowed */

/* The place of a thread in the order, or THREAD_UNLISTED. Touches no log. */
uint32_t thread_base_rank(const struct thread_base *b, uint32_t thread);

#endif
