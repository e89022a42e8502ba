/* thread_list.h - the threads of a log in lane order: filtered, sorted, grouped
 *
 * A background job (thread_job.h) makes a list for an order and a window. A list has one part per group of threads
 * with similar labels (thread_patterns.h) and one part for all other threads. Each part starts with its `front`: the
 * threads whose sort value in the window (run time, …) is not 0, and active threads that the base (thread_order.h) does
 * not list. If sorted by id or name, there are no sort values. The base follows without its `gaps`: threads of the
 * front, hidden threads, and threads that the filter drops because of their activity in the window. Only active and
 * hidden threads are visited, so the cost of a list does not depend on the number of threads in the log. Times are in
 * ns. */
#ifndef EVTUI_THREAD_LIST_H
#define EVTUI_THREAD_LIST_H

#include "threads/thread_order.h"
#include "threads/thread_patterns.h"

/* A part of a list. The arrays point into those of thread_list. */
struct list_part {
	uint32_t *front; /* ids of the threads at the front */
	size_t n_front;
	uint32_t *gaps; /* ascending indices of threads in the base that this part leaves out */
	size_t n_gaps;
	size_t n;     /* number of threads in this part */
	uint64_t key; /* for a group: sum over its threads in the list of the value that it is sorted by */
	size_t at;    /* for a group: number of threads outside of groups that come before it */
};

struct thread_list {
	struct thread_base *base;
	struct list_part parts[LIST_PARTS];
	uint32_t *front, *gaps;
	size_t n;                               /* in all parts */
	size_t more;                            /* matching threads that the base does not list (THREADS_LISTED) */
	size_t all;                             /* threads in the log */
	const struct thread_patterns *patterns; /* labels that can be grouped; owned by the job */
	uint64_t t0, t1;                        /* window that the list was made for */
	/* True: in the requested order. False: sorted by run time in the whole run, because the activity in the window
	 * is not known yet. */
	bool in_window;
	uint64_t others; /* events of threads past a limit, which are missing from the sums */
};

/* Make a list. base: made for the same choice c of filter, groups and order (thread_order_fits). sums: activity in the
 * window; NULL: not known yet. Return 0 or EVL_NOMEM. */
int thread_list_make(struct thread_list *out, struct thread_base *base, const struct thread_choice *c,
	const struct thread_shares *sums) EVL_MUST_USE;
void thread_list_free(struct thread_list *l);

/* Return the thread at index i < n of a part. */
uint32_t thread_list_at(const struct thread_list *l, size_t part, size_t i);

/* Find a thread: its part, and its index in that part. Return false if it is not in the list. */
bool thread_list_find(const struct thread_list *l, uint32_t thread, size_t *part, size_t *place);

/* Remove a thread from the list until the next list is made. Does nothing if memory runs out. */
void thread_list_drop(struct thread_list *l, uint32_t thread);

#endif
