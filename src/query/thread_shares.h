/* thread_shares.h - states of all threads in a time window: time in each state per column of the screen, and totals per
 * thread.
 *
 * One pass over the window's events of all capabilities, merged by time, runs the state machines of thread_state.h for
 * all threads at once, so its cost depends on the size of the window's part of the log, not on the number of threads.
 * It runs on the thread of a background job (ui/threads/thread_job.h), reports how many columns are final, and can be
 * cancelled. The log must be indexed.
 *
 * A lane is a row of the timeline that shows one thread or several. At most SCAN_THREADS threads are followed; of
 * further threads, only the number of events is kept (others). Times are in ns. */
#ifndef EVL_THREAD_SHARES_H
#define EVL_THREAD_SHARES_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { SCAN_THREADS = 1 << 17 };

/* One column of a lane; if the lane shows several threads, the times are sums over them. */
struct thread_column {
	/* time in each enum thread_state */
	uint64_t ns[THREAD_STATES];
	uint64_t paused_ns;  /* of THREAD_RUNNABLE: in pauses of collections */
	uint64_t caps;       /* capabilities on which it ran: bit 1 << (number % 64) */
	uint64_t split;      /* time of the last state change in the column, if any */
	uint32_t switches;   /* number of state changes in the column */
	uint32_t wakeups;    /* number of wake-ups among them */
	uint16_t cap;        /* capability on which it ran last; EVL_NO_CAP: it did not run */
	uint8_t first, last; /* enum thread_state at the start and at the end */
	uint8_t stop;        /* enum thread_stop of the last wait */
	bool known;          /* the column is final */
};

/* One thread in the window. */
struct thread_sum {
	struct thread_pos pos;    /* state at the end of the part scanned */
	uint64_t at, paused;      /* time up to which it is accounted for; time in pauses before that */
	uint64_t run_ns, wait_ns; /* running; runnable outside pauses, that is, waiting for a capability */
	uint32_t thread, wakeups;
	uint32_t stops;    /* set of its stop reasons: bit 1 << enum thread_stop */
	uint32_t states;   /* set of its states: bit 1 << enum thread_state */
	int32_t lane, col; /* lane to which its time is added, and column reached; -1: none */
	/* For a thread with its own lane (ids of thread_shares_ask): the lane of several threads to which its time is
	 * also added, from its first event on; -1: none, or no event yet. */
	int32_t group;
	bool met; /* it had an event; false only for threads with their own lanes */
};

struct thread_shares_ask {
	uint64_t t0, t1;
	uint64_t end; /* the time from which on all is unknown; 0: states last until t1 */
	int cols;
	bool sums;           /* compute the sums of every thread; otherwise only of threads that have a lane */
	const uint32_t *ids; /* threads of lanes 0 to n_ids - 1, which show single threads */
	size_t n_ids;
	size_t n_lanes; /* number of lanes of several threads, which follow those of ids */
	/* Return the lane of several threads (n_ids or above) to which a thread belongs, even if the thread is in ids;
	 * or -1. Called once per thread; may be NULL. */
	int (*lane_of)(void *ctx, uint32_t thread);
	void (*progress)(void *ctx, int cols); /* reports the number of final columns; may be NULL */
	void *ctx;
	const atomic_bool *cancel; /* may be NULL */
};

struct thread_shares {
	struct thread_column *columns; /* index: lane * cols + column */
	struct thread_sum *sums;
	size_t n_sums, sums_room;
	uint64_t others; /* number of events of threads not followed */
	uint32_t *index; /* hash table by thread: index in sums + 1 */
	size_t index_room;
	int cols;
};

/* Run the pass. Return 0, EVL_CANCELLED or EVL_NOMEM; call thread_shares_free in any case. */
int thread_shares_run(
	struct thread_shares *s, const struct evl_log *log, const struct thread_shares_ask *ask) EVL_MUST_USE;
void thread_shares_free(struct thread_shares *s);

/* Return the sum of a thread, or NULL if it has none. */
struct thread_sum *thread_shares_find(const struct thread_shares *s, uint32_t thread);

/* The columns of threads from the start of a growing log can go on from those of its earlier snapshots. The states of the threads
 * and narrow columns of the settled part of the log (evl_log.settled_t) are kept, and for a longer snapshot only the
 * events after that are read. The window is one of whole narrow columns (course_window), 16 to 32 to a column of the screen;
 * when there are 32, each two become one. So the result is that of thread_shares_run, but for what depends on the order in
 * which a group's threads are taken: the states at the edges of a column, its last change, and the last capability. */
enum { COURSE_COLS = 32 }; /* narrow columns to one of the screen, at most */

struct thread_course {
	struct thread_shares at; /* of the settled part, in narrow columns */
	uint64_t until, paused;  /* events before this time are taken; time in pauses before it */
	uint64_t t0, unit;       /* start of the log; ns of a narrow column */
	int cols;                /* of the screen */
	uint32_t *ids;           /* of the lanes */
	bool *absent;            /* by lane of a single thread: it was created in the log */
	uint64_t *labels;        /* by element of at.sums: where its label was, when its lane was chosen */
	size_t n_ids, n_lanes, n_labels, labels_room, n_caps;
};

/* Return the ns of a narrow column of a run of this many ns, or the width of a window that shows all of it. */
static inline uint64_t course_unit(uint64_t run, int cols)
{
	uint64_t unit = 1;
	while (unit * COURSE_COLS * (uint64_t)cols < run)
		unit *= 2;
	return unit;
}
static inline uint64_t course_window(uint64_t run, int cols)
{
	uint64_t col = course_unit(run, cols) * (uint64_t)cols;
	return (run + col - 1) / col * col;
}

/* Return whether a question about this window of the log can be answered, in at most 12 MiB and half a percent of the log;
 * whether that only takes the events since the last answer. ask->sums must be false. */
bool thread_course_can(const struct evl_log *log, const struct thread_shares_ask *ask);
bool thread_course_fits(const struct thread_course *c, const struct evl_log *log, const struct thread_shares_ask *ask);

/* Answer a question that can be answered: fill out->columns, also before each call of ask->progress. If it does not fit, the log
 * is read from its start. Return 0, EVL_CANCELLED, from which the next call goes on, or EVL_NOMEM. Call
 * thread_shares_free in any case. */
int thread_course_run(struct thread_course *c, const struct evl_log *log, const struct thread_shares_ask *ask,
	struct thread_shares *out) EVL_MUST_USE;
void thread_course_free(struct thread_course *c);

#endif
