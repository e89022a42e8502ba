/* idle_why.h - why a capability is idle: the threads in each state then, and the thread that it runs next
 *
 * The log must be indexed. May wait for the disk. Times are in ns. */
#ifndef EVL_IDLE_WHY_H
#define EVL_IDLE_WHY_H

#include "query/thread_find.h"
#include "sys/progress.h"

enum { IDLE_READY = 32, IDLE_CALLING = 2 };

/* Why a capability is idle at a time: the number of threads in each state. At most 64 MB of log before that time are
 * read (thread_history.h); if the log goes back further, only threads with events in that part are counted. */
struct idle_why {
	uint32_t runnable, blocked, foreign; /* number of threads in these states */
	uint32_t managers;                   /* of those in foreign calls: I/O and timer managers, by their labels */
	uint32_t others;                     /* number of threads that run, or whose state is not known */
	struct {
		uint32_t thread;
		/* the capability where it was created, woken or migrated to, or ran last; EVL_NO_CAP: unknown */
		uint16_t cap;
		bool waits_for_gc; /* it stopped with a heap overflow, and no collection has started since then */
	} ready[IDLE_READY];       /* the first of the runnable ones */
	/* the first of those in foreign calls that are no managers, and their number */
	uint32_t calling[IDLE_CALLING], n_calling;
	uint32_t by_reason[STOP_REASONS]; /* number of blocked threads by thread_block_reason */
	bool partial;                     /* there may be more threads */
	bool had;                         /* there was a thread until then, which may have finished */
};

/* Count the threads after all events up to t. watch may be NULL. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int idle_why_at(struct idle_why *out, const struct evl_log *log, uint64_t t, const struct progress *watch) EVL_MUST_USE;

/* How an idle time ends: with a run of this thread on the capability. */
struct idle_end {
	bool found;
	bool none;       /* no thread runs there later in the log; if !found && !none, that is not known */
	uint32_t thread; /* if found: the thread */
	uint64_t t;      /* if found: the time at which it runs there */
	/* the latest time at which an OS thread came to the capability that is there at that run (TASK_CREATE,
	 * TASK_MIGRATE), if it is nearer to that run than to the requested moment; 0: none */
	uint64_t task_t;
	/* the time at which the capability posts the GC_END of a collection that is over at the requested moment; 0: it is in
	 * none */
	uint64_t left_t;
	uint64_t gc_t; /* the first GC_START after the moment and before that run; 0: none, or not known */
	struct thread_moment before; /* its state at the requested moment, and its wake-up */
};

/* Find the first run of a thread on a capability after t. Each search ends when *each is used up (thread_find.h). */
void idle_end_at(
	struct idle_end *out, const struct evl_log *log, uint16_t cap, uint64_t t, const struct thread_budget *each);

#endif
