/* thread_order.h - all threads of a log, sorted and grouped: the base of the lists for all windows
 *
 * The thread job makes it once per order, filter and set of groups, so the cost of a list does not depend on the
 * number of threads. It is immutable and reference-counted. Each part lists the first THREADS_LISTED threads of the
 * order and counts the rest: threads active in the window are listed anyway (thread_list.h), and the filter finds
 * all. Memory: 4.3 bytes per listed thread, 12 if sorted by name or if the log grows; twice that while it is made. */
#ifndef EVTUI_THREAD_ORDER_H
#define EVTUI_THREAD_ORDER_H

#include "threads/thread_choice.h"

enum { THREAD_UNLISTED = UINT32_MAX, THREAD_STEP = 64 };

/* Sort key of every THREAD_STEP-th thread of the order, for searching. */
struct thread_step {
	uint64_t run_ns; /* in the whole run; 0 if sorted by id */
	uint32_t id;
};

/* Index of a thread in the order. */
struct thread_place {
	uint32_t id, rank;
};

/* The threads of one group, or those outside of groups. */
struct thread_part {
	uint32_t *ids;  /* in the order */
	size_t n, room; /* n: number of listed threads */
	size_t more;    /* further threads that match, after the last listed one */
	/* Used only while the order is made: the first threads are sorted, and threads that come after them are
	 * dropped. */
	bool pruned;
	struct thread_step *steps;   /* for searching; NULL if there are places */
	struct thread_place *places; /* for searching if sorted by name, or if the log grows; sorted by id */
};

struct thread_base {
	_Atomic uint32_t holders;     /* number of references */
	struct thread_list_ask ask;   /* the request it was made for; its window only matters according to `known` */
	unsigned known;               /* thread_choice.known */
	size_t all;                   /* threads in the log */
	uint32_t members[LIST_FOLDS]; /* number of threads in each group, whether or not the filter keeps them */
	const struct evl_log *log;    /* of which it was made; may be closed */
	struct thread_part parts[LIST_PARTS];
};

/* Make an order, and return the first reference. Return NULL if memory ran out or *cancel became true. */
struct thread_base *thread_order_new(const struct thread_choice *c, const atomic_bool *cancel);

/* Return whether this choice would result in the same order. */
bool thread_order_fits(const struct thread_base *b, const struct thread_choice *c);

/* thread_order_hold: add a reference and return b. thread_order_drop: remove one, the last frees it. */
struct thread_base *thread_order_hold(struct thread_base *b);
void thread_order_drop(struct thread_base *b); /* b may be NULL */

/* Return the index of a thread in a part, or THREAD_UNLISTED. Does not read the log. */
uint32_t thread_order_rank(const struct thread_base *b, size_t part, uint32_t thread);

#endif
