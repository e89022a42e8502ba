/* thread_choice.h - which threads have lanes (filter, groups), and the sort orders of threads.
 *
 * Labels are read from the log: for the thread job's thread. */
#ifndef EVTUI_THREAD_CHOICE_H
#define EVTUI_THREAD_CHOICE_H

#include "query/thread_shares.h"
#include "threads/lane_filter.h"

enum { LIST_FOLDS = 40, LIST_NAME = 128, LIST_HIDDEN = 1024, LIST_FILTER = 256, THREADS_LISTED = 1 << 20 };

/* Parts of a list: the members of each group, then all threads that are in none. */
enum { PART_REST = LIST_FOLDS, LIST_PARTS };

enum thread_order { ORDER_RUN, ORDER_WAIT, ORDER_WAKEUPS, ORDER_ID, ORDER_NAME, ORDERS };

/* Selection and order of a list of threads. */
struct thread_list_ask {
	uint64_t t0, t1;
	bool whole; /* the window is the whole run */
	enum thread_order order;
	char filter[LIST_FILTER];
	char folds[LIST_FOLDS][LIST_NAME]; /* groups, each a lane and a part of the list: folded labels; "": no label */
	uint32_t n_folds, n_hidden;
	bool patterns;                /* only tell what can be grouped, list nothing yet */
	uint32_t hidden[LIST_HIDDEN]; /* threads that are not shown, nor are they in a group; in order of their ids */
};

/* An ask made ready for asking thread by thread. */
struct thread_choice {
	size_t most; /* threads are listed: THREADS_LISTED */
	const struct evl_log *log;
	const struct thread_list_ask *ask;
	struct filter filter;
	enum {
		CHOICE_WINDOW,
		CHOICE_RUN,
		CHOICE_ANY
	} known; /* what of a thread: its sums in the window; of the whole run;
		nothing yet, so a filter that asks for sums keeps all */
};

/* sums: those of the window are known. The caller frees its filter. */
struct thread_choice thread_choice(const struct evl_log *log, const struct thread_list_ask *ask, bool sums);

/* Does the filter keep a thread that did this in the window? sum NULL: nothing. */
bool thread_keeps(const struct thread_choice *c, uint32_t thread, const struct thread_sum *sum);

/* How long a thread ran in the whole run, ns. */
uint64_t thread_total_run(const struct evl_log *log, uint32_t thread);

/* Is the order the same for every window? */
bool thread_order_is_fixed(enum thread_order order);

/* "run time", "waiting" … */
const char *thread_order_name(enum thread_order order);

/* Orders for sys_sort; ctx: the log. Threads that ran longer in the whole run come first, then lower ids; worker-2
 * comes before worker-10, and threads without a label last. */
int thread_by_total(const void *a, const void *b, void *log);
int thread_by_name(const void *a, const void *b, void *log);
int thread_by_id(const void *a, const void *b);

/* "worker-17" -> "worker-#". out has LIST_NAME bytes. */
void thread_fold(char *out, struct evl_str label);

/* The group of a thread: an index into ask->folds, or -1. */
int thread_fold_of(const struct evl_log *log, const struct thread_list_ask *ask, uint32_t thread);

#endif
