/* thread_order.h - all threads of a log in one order, by groups: the shared base of the lists of all windows.
 *
 * The thread job makes it once per order, filter and set of groups; the lists of all windows share it, so the cost of a
 * list does not depend on the number of threads. Immutable and reference counted. Each part lists at most THREADS_LISTED
 * threads, the first of the order, and counts the rest: threads active in the window are listed anyway
 * (thread_list.h), and all can be found by the filter. 4.3 bytes per listed thread, 12 in the order of names; twice
 * that while it is made. */
#ifndef EVTUI_THREAD_ORDER_H
#define EVTUI_THREAD_ORDER_H

#include "threads/thread_choice.h"

enum { THREAD_UNLISTED = UINT32_MAX, THREAD_STEP = 64 };

/* Every THREAD_STEP-th of the order, as it is compared. */
struct thread_step {
	uint64_t run_ns; /* in the whole run; 0 where the order is that of ids */
	uint32_t id;
};

/* Place of a thread in the order. */
struct thread_place {
	uint32_t id, rank;
};

/* The threads of a group, or of none. */
struct thread_part {
	uint32_t *ids;               /* in order */
	size_t n, room;              /* listed */
	size_t more;                 /* that are selected, too, but come after the last that is listed */
	bool pruned;                 /* while it is made: the first ones are in order; later ones are dropped */
	struct thread_step *steps;   /* to find a place by; NULL in the order of names: */
	struct thread_place *places; /* by id */
};

struct thread_base {
	_Atomic uint32_t holders;
	struct thread_list_ask ask;   /* request it was made for; depends on the window only as `known` says */
	unsigned known;               /* as in struct thread_choice */
	size_t all;                   /* threads of the log */
	uint32_t members[LIST_FOLDS]; /* of each group, whether or not the filter keeps them */
	const struct evl_log *log;
	struct thread_part parts[LIST_PARTS];
};

/* Make an order, which the caller owns. Return NULL if memory ran out or *cancel became true. */
struct thread_base *thread_order_new(const struct thread_choice *c, const atomic_bool *cancel);

/* Would this choice result in the same order? */
bool thread_order_fits(const struct thread_base *b, const struct thread_choice *c);

struct thread_base *thread_order_hold(struct thread_base *b);
void thread_order_drop(struct thread_base *b); /* NULL is allowed */

/* Return the place of a thread in a part, or THREAD_UNLISTED. Does not read the log. */
uint32_t thread_order_rank(const struct thread_base *b, size_t part, uint32_t thread);

#endif
