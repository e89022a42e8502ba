/* thread_list.h - the threads of a log in lane order: filtered, sorted, grouped.
 *
 * Made by the thread job for an order and a window. A list has a part per group and one for all other threads. In
 * each part the threads with events in the window come first; then all others in the order of the base
 * (thread_order.h), without those at the front, those that the filter drops for their activity in the window, and the
 * hidden ones. So the cost of a list depends on its window, however many threads the log has. */
#ifndef EVTUI_THREAD_LIST_H
#define EVTUI_THREAD_LIST_H

#include "threads/thread_order.h"
#include "threads/thread_patterns.h"

/* A part of a list. */
struct list_part {
	uint32_t *front; /* ids; inside of thread_list.front */
	size_t n_front;
	uint32_t *gaps; /* places in the base that are left out, ascending; inside of thread_list.gaps */
	size_t n_gaps;
	size_t n;     /* all that it has */
	uint64_t key; /* of a group: what its threads did together of that by which the list is sorted */
	size_t at;    /* of a group: how many of the rest come before it */
};

struct thread_list {
	struct thread_base *base;
	struct list_part parts[LIST_PARTS];
	uint32_t *front, *gaps;
	size_t n;                               /* of all parts */
	size_t more;                            /* that are selected but not listed */
	size_t all;                             /* threads of the log */
	const struct thread_patterns *patterns; /* of labels: what can be grouped; they belong to the job */
	uint64_t t0, t1;                        /* the window it was made for */
	bool in_window;  /* the order is that of the window; else of the whole run (or not known yet) */
	uint64_t others; /* events of threads past the ceiling, which are not in the sums */
};

/* Make a list of a base that fits the choice; sums: of the window, or NULL while they are unknown. Return 0 or EVL_NOMEM. */
int thread_list_make(struct thread_list *out, struct thread_base *base, const struct thread_choice *c,
	const struct thread_shares *sums) EVL_MUST_USE;
void thread_list_free(struct thread_list *l);

/* The thread at place i < n of a part. */
uint32_t thread_list_at(const struct thread_list *l, size_t part, size_t i);

/* Find a thread: its part and its place in it. Return false if it is not in the list. */
bool thread_list_find(const struct thread_list *l, uint32_t thread, size_t *part, size_t *place);

/* Take a thread out of a list, until the next list is made. When memory is out it stays. */
void thread_list_drop(struct thread_list *l, uint32_t thread);

#endif
