/* thread_base.h - all threads of a log in one order: what a list shows of those that do nothing in its window.
 *
 * Made by the thread job, once for an order, a filter and groups; lists of all windows share it, so that none of them
 * costs as much as there are threads. Never changes; freed when nobody holds it. 8 bytes a thread. */
#ifndef EVTUI_THREAD_BASE_H
#define EVTUI_THREAD_BASE_H

#include "thread_choice.h"

enum { THREAD_UNLISTED = UINT32_MAX };

struct thread_base {
	_Atomic uint32_t holders;
	struct thread_list_ask ask; /* it was made for; of the window it depends only in so far as `known` tells */
	unsigned known;             /* as in struct thread_choice */
	uint32_t *ids;              /* in order */
	size_t n, all;              /* listed; threads of the log */
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

/* The place of a thread in the order, or THREAD_UNLISTED. */
static inline uint32_t thread_base_rank(const struct thread_base *b, uint32_t thread)
{
	enum { PAGE = 1 << THREADS_PAGE_BITS };
	size_t page = thread >> THREADS_PAGE_BITS;
	const uint32_t *ranks = page < b->n_pages ? b->ranks[page] : NULL;
	return ranks ? ranks[thread % PAGE] - 1 : THREAD_UNLISTED;
}

#endif
