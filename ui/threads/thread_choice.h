/* thread_choice.h - choose the threads that have lanes (filter, groups), and their order
 *
 * Labels are read from the log, so these functions run on the thread of thread_job.h. */
#ifndef EVTUI_THREAD_CHOICE_H
#define EVTUI_THREAD_CHOICE_H

#include "query/thread_shares.h"
#include "threads/lane_filter.h"

enum { LIST_FOLDS = 40, LIST_NAME = 128, LIST_HIDDEN = 1024, LIST_FILTER = 256, THREADS_LISTED = 1 << 20 };

/* Indices of the parts of a list: one part per group, then all threads outside of groups. */
enum { PART_REST = LIST_FOLDS, LIST_PARTS };

/* Sort orders of threads. */
enum thread_order { ORDER_RUN, ORDER_WAIT, ORDER_WAKEUPS, ORDER_ID, ORDER_NAME, ORDERS };

/* Request: the threads to list, and their order. */
struct thread_list_ask {
	uint64_t t0, t1;
	bool whole; /* [t0, t1) is the whole run */
	bool grows; /* the log grows: the list may be needed when it is closed */
	enum thread_order order;
	char filter[LIST_FILTER];
	/* Labels of the groups, with digits replaced (thread_fold); "": the threads without a label. Each group is one
	 * lane and one part of the list. */
	char folds[LIST_FOLDS][LIST_NAME];
	uint32_t n_folds, n_hidden;
	bool patterns; /* only find labels that can be grouped; list no threads */
	/* Ids of threads that are hidden or pinned, so in no group; ascending. */
	uint32_t hidden[LIST_HIDDEN];
};

/* A request, prepared for testing threads one by one. */
struct thread_choice {
	size_t most; /* maximum number of listed threads per part */
	const struct evl_log *log;
	const struct thread_list_ask *ask;
	struct filter filter;
	/* The activity of a thread that the filter knows: in the window; in the whole run; or none, then a filter that
	 * asks for activity keeps all threads. */
	enum { CHOICE_WINDOW, CHOICE_RUN, CHOICE_ANY } known;
};

/* Prepare a request. sums: the sums in the window are known. If the filter is invalid, or if memory runs out, its first
 * bad term and all later ones exclude no thread (filter_parse). The caller frees the `filter` member. */
struct thread_choice thread_choice(const struct evl_log *log, const struct thread_list_ask *ask, bool sums);

/* Return whether the user hid a thread, or pinned it. */
bool thread_is_hidden(const struct thread_list_ask *ask, uint32_t thread);

/* Return whether the filter keeps a thread. sum: its activity in the window; NULL: none. */
bool thread_keeps(const struct thread_choice *c, uint32_t thread, const struct thread_sum *sum);

/* Return the ns that a thread ran in the whole run. */
uint64_t thread_total_run(const struct evl_log *log, uint32_t thread);

/* Return whether an order is the same for all windows. */
bool thread_order_is_fixed(enum thread_order order);

/* Return the name of an order as shown: "run time", "waiting", … */
const char *thread_order_name(enum thread_order order);

/* Comparison functions of thread ids, for sys_sort; log: the const struct evl_log. thread_by_total: longest run time
 * in the whole run first, then by id. thread_by_name: worker-2 before worker-10, threads without a label last.
 * thread_by_id: ascending. */
int thread_by_total(const void *a, const void *b, void *log);
int thread_by_name(const void *a, const void *b, void *log);
int thread_by_id(const void *a, const void *b);

/* Replace digits in a label: "worker-17" becomes "worker-#". out has LIST_NAME bytes. */
void thread_fold(char *out, struct evl_str label);

/* Return the group of a thread, an index into ask->folds, or -1. */
int thread_fold_of(const struct evl_log *log, const struct thread_list_ask *ask, uint32_t thread);

#endif
