/* thread_list.h - the threads of a log in lane order: filtered, sorted, grouped.
 *
 * Made by the thread job for an order and a window. First come the threads with events in the window; then all
 * others in the order of the base (thread_order.h), without those at the front, those that the filter drops for
 * their activity in the window, and the hidden ones. So the cost of a list depends on its window, however many
 * threads the log has. */
#ifndef EVTUI_THREAD_LIST_H
#define EVTUI_THREAD_LIST_H

#include "threads/thread_order.h"

struct thread_list {
	struct thread_base *base;
	uint32_t *front; /* ids */
	size_t n_front;
	uint32_t *gaps; /* places in the base that are left out, ascending */
	size_t n_gaps;
	size_t n;                     /* all that the list shows */
	size_t all;                   /* threads of the log */
	uint32_t in_fold[LIST_FOLDS]; /* members of each group, in the order of the ask */
	uint64_t t0, t1;              /* the window it was made for */
	bool in_window;               /* the order is that of the window; else of the whole run (or not known yet) */
	uint64_t others;              /* events of threads past the ceiling, which are not in the sums */
};

/* Make a list of a base that fits the choice; sums: of the window, or NULL while they are unknown. Return 0 or EVL_NOMEM. */
int thread_list_make(struct thread_list *out, struct thread_base *base, const struct thread_choice *c,
	const struct thread_shares *sums) EVL_MUST_USE;
void thread_list_free(struct thread_list *l);

/* The thread at place i < n; and the place of a thread, n where it is not. */
uint32_t thread_list_at(const struct thread_list *l, size_t i);
size_t thread_list_find(const struct thread_list *l, uint32_t thread);

/* Take a thread out of a list, until the next list is made. When memory is out it stays. */
void thread_list_drop(struct thread_list *l, uint32_t thread);

#endif
