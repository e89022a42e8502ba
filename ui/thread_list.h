/* thread_list.h - the threads of a log in the order of their lanes: filtered, sorted, some folded into groups.
 *
 * Made by the thread job, once for an order and a window. All threads are sorted once, by their run time in the whole
 * run; a window sorts only those that did something in it, and takes the others over. 4 bytes a thread, and as much
 * again where the order is not that of the whole run. */
#ifndef EVTUI_THREAD_LIST_H
#define EVTUI_THREAD_LIST_H

#include "lane_filter.h"
#include "thread_scan.h"

enum { LIST_FOLDS = 8, LIST_NAME = 128, LIST_HIDDEN = 1024, LIST_FILTER = 256 };

enum thread_order { ORDER_RUN, ORDER_WAIT, ORDER_WAKEUPS, ORDER_ID, ORDER_NAME, ORDERS };

/* What the list shall be. */
struct thread_list_ask {
	uint64_t t0, t1;
	bool whole;                    /* the window is the whole run */
	enum thread_order order;
	char filter[LIST_FILTER];
	char folds[LIST_FOLDS][LIST_NAME]; /* groups shown as one lane each: folded labels; "": no label */
	uint32_t n_folds, n_hidden;
	uint32_t hidden[LIST_HIDDEN];  /* threads that are not shown, nor are they in a group; in order of their ids */
};

struct thread_list {
	uint32_t *ids;
	size_t n;
	bool borrowed;     /* the ids are those of the base */
	uint32_t in_fold[LIST_FOLDS]; /* members of each group, in the order of the ask */
	size_t all;        /* threads of the log */
	uint64_t t0, t1;   /* the window it was made for */
	bool in_window;    /* the order is that of the window; else of the whole run (or not known yet) */
	uint64_t others;   /* events of threads past the ceiling, which are not in the sums */
};

/* All threads, those that ran most first. 0 or EVL_NOMEM; freed like any list. */
int thread_list_base(struct thread_list *out, const struct evl_log *log) EVL_MUST_USE;

/* Make a list. sums: of the window, or NULL while they are not known. A list that is the same as the base borrows from it,
 * which then outlives the list. 0 or EVL_NOMEM. */
int thread_list_make(struct thread_list *out, const struct evl_log *log, const struct thread_list *base,
	const struct thread_list_ask *ask, const struct thread_scan *sums) EVL_MUST_USE;
void thread_list_free(struct thread_list *l);

/* Take a thread out of a list, until the next list is made. */
void thread_list_drop(struct thread_list *l, uint32_t thread);

/* "worker-17" -> "worker-#". out has LIST_NAME bytes. */
void thread_fold(char *out, struct evl_str label);

/* The group that a thread is folded into: an index into ask->folds, or -1. */
int thread_fold_of(const struct evl_log *log, const struct thread_list_ask *ask, uint32_t thread);

/* "run time", "waiting" … */
const char *thread_order_name(enum thread_order order);

#endif
