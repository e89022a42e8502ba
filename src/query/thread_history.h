/* thread_history.h - every interval of every thread (running, runnable, blocked, foreign call) in one pass: history
 * and wakers of threads.
 *
 * Reads the events of all capabilities merged by time (sched_events.h; in file order if times are equal) and reports each
 * stretch of a thread's life to its readers when it closes: running, runnable, blocked, in a foreign call, unknown.
 * Stretches that are open at the end of the log or the range end there. Only the current state of living threads is
 * kept: 88 bytes per thread that lives at the time, the readers' bytes per thread, and a slot of a hash table.
 *
 *   static void on_stretch(void *ctx, const struct stretch *s) { if (s->state == THREAD_BLOCKED) … s->to - s->from … }
 *
 *   const struct thread_history_sink sink = {.stretch = on_stretch, .ctx = x};
 *   struct thread_history_ask ask = {.log = log, .to = UINT64_MAX, .readers = {&sink}, .n_readers = 1};
 *   int result = thread_history_run(&ask);
 *
 * Several readers share a pass: further questions about the same range need another reader, which costs little, but no
 * second pass. If the ask has the pauses of collections, each stretch says how much of it lies in them.
 *
 * To process other events in the same order (messages, markers, collections), drive the pass step by step:
 * thread_history_until(h, t, off) takes all events before the place (t, off); then thread_history_now returns the open
 * stretch of a thread. A span of a thread in [a, b) is then the sum of thread_history_now at its start and end and of
 * the stretches that close in between.
 *
 * A thread's state follows from the events alone:
 *   CREATE_THREAD            runnable, unless the thread is known
 *   RUN_THREAD               runs there, and nowhere else; a thread that ran there until now is unknown from then on
 *   STOP_THREAD              runnable, blocked, in a foreign call or finished, as its status says; another thread that ran
 *                            there is unknown
 *   THREAD_WAKEUP, _RUNNABLE runnable, if it was blocked or unknown; else a copy on its way to another capability
 * Call only when the walk is over. May wait for the disk. */
#ifndef EVL_THREAD_HISTORY_H
#define EVL_THREAD_HISTORY_H

#include "base/idmap.h"
#include "gc/gc_pauses.h"
#include "query/sched_events.h"
#include "sys/progress.h"

enum { HISTORY_THREADS = 1 << 20 }; /* that are followed at once; events of more are counted */

#define NO_DELIVERY UINT64_MAX

struct stretch {
	uint64_t from, to;       /* clipped to the range; from < to, but in `begins`, where they are equal */
	uint64_t since;          /* when it began, in the range or before it */
	uint64_t ready;          /* running: since when the thread was runnable before; `since` if it was not */
	uint64_t paused;         /* of [from, to) in pauses, where the ask has them */
	uint64_t latency_paused; /* running: of [ready, since) in pauses */
	uint64_t delivery;       /* runnable: ns from the wake-up to its arrival at another capability; NO_DELIVERY */
	uint32_t thread;
	uint32_t
		info; /* blocked on a black hole: its owner; runnable after a stack overflow: the new size; 0: unknown */
	uint32_t waker;    /* blocked, and the runnable stretch after it: the thread that woke it; 0: unknown */
	uint16_t cap;      /* running: there; else where it ran last; EVL_NO_CAP: nowhere */
	uint16_t wake_cap; /* blocked, woken: the capability that posted the wake-up */
	uint8_t state;     /* enum thread_state, never THREAD_ABSENT; */
	uint8_t stop;      /* enum thread_stop that led to it: why it is blocked */
	uint8_t next;      /* enum thread_state after it; THREAD_ABSENT: finished, or nothing comes after it */
	bool woken;        /* blocked: an event said that it became runnable */
	bool open;         /* it did not close: the range, the window or the log ended */
	void *own;         /* of the reader, for this thread: `width` bytes, zeros at first; valid during the call */
};

/* A reader of a pass. Members may be NULL. */
struct thread_history_sink {
	void (*stretch)(void *ctx, const struct stretch *s); /* closes at s->to */
	void (*begins)(void *ctx, const struct stretch *s);  /* begins at s->from, within the range */
	/* The thread finished (state THREAD_ABSENT), or the range ends and it lives: the last call for it. cap, since: of the
	 * state, as in struct stretch. */
	void (*leaves)(void *ctx, const struct stretch *last);
	/* n capabilities ran a thread in [from, to), of which `paused` is in pauses. thread, own: of the one that ran
	 * where n == 1, else 0, NULL. In order, without gaps. */
	void (*level)(void *ctx, uint64_t from, uint64_t to, uint64_t paused, uint32_t n, uint32_t thread, void *own);
	/* An event of a thread at t, in the range or before it, that is neither RUN_THREAD nor STOP_THREAD is about to be taken;
	 * was: the thread's state. */
	void (*event)(void *ctx, const struct thread_event *e, uint64_t t, enum thread_state was, void *own);
	size_t width; /* bytes that the reader keeps per thread */
	void *ctx;
};

enum { HISTORY_READERS = 3 };

struct thread_history_ask {
	const struct evl_log *log;
	uint64_t from, to;
	const struct thread_history_sink *readers[HISTORY_READERS];
	size_t n_readers;
	const struct gc_pauses *pauses; /* all from the start of the log to the end of the range; may be NULL */
	/* Report only the pieces of stretches and levels that lie in these windows of the range, which are in order of time and
	 * do not touch. NULL: report all. Needs pauses. */
	const struct time_window *windows;
	size_t n_windows;
	const struct progress *watch;
};

struct history_thread;

struct thread_history {
	const struct evl_log *log;
	struct thread_history_sink readers[HISTORY_READERS];
	size_t own_at[HISTORY_READERS], n_readers;
	bool tells_begins; /* some reader asks for them */
	const struct progress *watch;
	uint64_t from, to; /* the range; to: the end of the log at most */
	uint64_t begin;    /* since when threads are unknown that were not heard of */
	uint64_t until;    /* events before it are taken */
	uint64_t others;   /* events of threads that could not be followed */
	struct thread_feeds feeds;
	const struct gc_pauses *pauses;
	const struct time_window *windows;
	size_t n_windows, window;           /* window: the first that ends after the last event */
	uint64_t paused;                    /* time in pauses before the last event */
	uint64_t paused_from, paused_begin; /* before the range; before `begin` */
	uint32_t *running;                  /* by feed: the place of the thread that runs there, + 1; 0: none */
	uint8_t *lives;                     /* n of `stride` bytes: struct history_thread and what the readers keep */
	size_t stride, n, room;
	uint32_t *spare; /* lives that are free again */
	size_t n_spare, spare_room;
	struct idmap places; /* thread -> lives */
	struct {
		uint64_t since, paused;
		uint32_t n, places; /* places: exclusive or of all that run */
	} level;
	uint64_t taken; /* events */
	bool failed;    /* a thread was left out for want of memory */
};

/* Prepare a pass over [from, to). If at most 64 MB of log precede the range, they are read too, so that the state of every
 * thread is known from its first event in the log on; else threads are unknown until their first event in the range or
 * shortly before it. Return 0 or EVL_NOMEM; call thread_history_free in either case. */
int thread_history_begin(struct thread_history *h, const struct thread_history_ask *ask) EVL_MUST_USE;

/* Take all events before time t, and those at t that come before file offset off. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int thread_history_until(struct thread_history *h, uint64_t t, uint64_t off) EVL_MUST_USE;

/* Take the remaining events, and close all open stretches. */
int thread_history_end(struct thread_history *h) EVL_MUST_USE;
void thread_history_free(struct thread_history *h);

/* Return the first reader's state for a thread, or NULL if it is not followed now. Valid until the next event. */
void *thread_history_own(const struct thread_history *h, uint32_t thread);

/* Get the open stretch of a thread, ending at t, which must not be before the last event. Return false if the thread is
 * unknown or finished. */
bool thread_history_now(const struct thread_history *h, uint32_t thread, uint64_t t, struct stretch *out);

/* Begin, take all events, end, and free. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int thread_history_run(const struct thread_history_ask *ask) EVL_MUST_USE;

#endif
