/* thread_history.h - every interval of every thread (running, runnable, blocked, foreign call) in one pass: history and
 * wakers of threads.
 *
 * The pass reads the scheduler's events of all capabilities in time order (sched_events.h; in file order if times are
 * equal) and reports each stretch of a thread's life to its readers when it closes. A stretch is a maximal interval in
 * one state: running, runnable, blocked, in a foreign call, unknown. Stretches that are open at the end of the log or
 * of the range end there. Only the current state of living threads is kept: 88 bytes per thread alive at the time, the
 * readers' bytes per thread, and a slot of a hash table.
 *
 *   static void on_stretch(void *ctx, const struct stretch *s) { if (s->state == THREAD_BLOCKED) … s->to - s->from … }
 *
 *   const struct thread_history_sink sink = {.stretch = on_stretch, .ctx = x};
 *   struct thread_history_ask ask = {.log = log, .to = UINT64_MAX, .readers = {&sink}, .n_readers = 1};
 *   int result = thread_history_run(&ask);
 *
 * Several readers can share a pass: a further query about the same range needs only another reader, which costs little,
 * and no second pass. If thread_history_ask has the pauses of collections, each stretch includes the time that was
 * within pauses.
 *
 * To process other events in the same order (messages, markers, collections), run the pass step by step:
 * thread_history_until(h, t, off) processes all events before the position (t, off); then thread_history_now returns
 * the open stretch of a thread. The time that a thread spends in a state during [a, b) is then the sum of the stretches
 * in that state that close in [a, b) and of the stretch open at b (thread_history_now at b), less the part before a of
 * the stretch open at a (thread_history_now at a).
 *
 * The state of a thread follows from the events alone:
 *   CREATE_THREAD            runnable, unless the thread is already known
 *   RUN_THREAD               running on this capability only; a thread that was running there becomes unknown
 *   STOP_THREAD              runnable, blocked, in a foreign call or finished, according to its status; another thread
 *                            that was running there becomes unknown
 *   GC_START                 a thread that was running there becomes unknown: its stop was lost
 *   THREAD_WAKEUP, _RUNNABLE runnable if it was blocked or unknown; otherwise unchanged: a capability repeats the event
 *                            when a wake-up from another one arrives
 * The log must be indexed. May wait for the disk. Times are in ns. */
#ifndef EVL_THREAD_HISTORY_H
#define EVL_THREAD_HISTORY_H

#include "base/idmap.h"
#include "gc/gc_pauses.h"
#include "query/sched_events.h"
#include "sys/progress.h"

enum { HISTORY_THREADS = 1 << 20 }; /* threads followed at the same time; events of further threads are counted */

#define NO_DELIVERY UINT64_MAX

/* Callbacks that are inlined into a pass (thread_history_pass.h). */
#define HISTORY_INLINE static inline __attribute__((always_inline))

struct stretch {
	/* clipped to the range; from < to, except in the callback `begins`, where they are equal */
	uint64_t from, to;
	uint64_t since;          /* start of the stretch, in the range or before it */
	uint64_t ready;          /* running: start of the runnable stretch before it; `since` if there was none */
	uint64_t paused;         /* time of [from, to) in pauses; 0 if the query has no pauses */
	uint64_t latency_paused; /* running: time of [ready, since) in pauses */
	/* runnable: ns from the wake-up to its arrival at another capability, or NO_DELIVERY */
	uint64_t delivery;
	uint32_t thread;
	/* blocked on a black hole: its owner; runnable after a stack overflow: new size in words; 0: unknown */
	uint32_t info;
	uint32_t waker;    /* blocked, and the runnable stretch after that: the thread that woke it; 0: unknown */
	uint16_t cap;      /* capability on which it runs or ran last; EVL_NO_CAP: none */
	uint16_t wake_cap; /* blocked and woken: the capability that posted the wake-up */
	uint8_t state;     /* enum thread_state; THREAD_ABSENT only in the callback `leaves` */
	uint8_t stop; /* enum thread_stop of the stop before it, such as the reason for which the thread is blocked */
	uint8_t was;  /* in the callback `begins`: enum thread_state before it */
	uint8_t next; /* enum thread_state after it; THREAD_ABSENT: finished, or nothing follows */
	bool woken;   /* blocked: ended by a wake-up, which may come after the range (wants_wakers) */
	bool open;    /* it did not close: the range, the window or the log ended */
	void *own;    /* the reader's data for this thread: `width` bytes, initially zero; valid during the call */
	void *by;     /* blocked and woken: the first reader's data for the waker; NULL: it is not followed */
};

/* Copy a stretch member by member: unlike *s, that lets the compiler keep the members in registers where no copy is made. */
HISTORY_INLINE struct stretch stretch_copy(const struct stretch *s)
{
	return (struct stretch){.from = s->from,
		.to = s->to,
		.since = s->since,
		.ready = s->ready,
		.paused = s->paused,
		.latency_paused = s->latency_paused,
		.delivery = s->delivery,
		.thread = s->thread,
		.info = s->info,
		.waker = s->waker,
		.cap = s->cap,
		.wake_cap = s->wake_cap,
		.state = s->state,
		.stop = s->stop,
		.was = s->was,
		.next = s->next,
		.woken = s->woken,
		.open = s->open,
		.own = s->own,
		.by = s->by};
}

struct thread_history;

/* A reader of a pass. Callbacks may be NULL. */
struct thread_history_sink {
	void (*stretch)(void *ctx, const struct stretch *s); /* a stretch closes, at s->to */
	void (*begins)(void *ctx, const struct stretch *s);  /* a stretch starts, at s->from within the range */
	/* The last call for a thread: it finished (state THREAD_ABSENT), or the range ends while it lives. cap and
	 * since are those of its state, as in struct stretch. */
	void (*leaves)(void *ctx, const struct stretch *last);
	/* An event of a type other than RUN_THREAD and STOP_THREAD is about to be processed; it is about one thread.
	 * t: its time, in the range or before it. was: the thread's state before the event. */
	void (*event)(void *ctx, const struct thread_event *e, uint64_t t, enum thread_state was, void *own);
	size_t width;      /* bytes of the reader's data per thread */
	bool wants_wakers; /* also of the threads that are blocked at the end of the range */
	void *ctx;
	/* A thread's state changes to s->state at s->from: before the range, as it starts, or between windows.
	 * THREAD_ABSENT: the thread finishes. */
	void (*before)(void *ctx, const struct stretch *s);
	/* Time goes on to t: the next event is about to be processed. Only of the first reader, and if it has `until`. */
	void (*tick)(void *ctx, uint64_t t);
	/* As thread_history_until, with these callbacks inlined (thread_history_pass.h), if this is the first reader. */
	int (*until)(struct thread_history *h, uint64_t t, uint64_t off);
};

enum { HISTORY_READERS = 3, HISTORY_RECENT = 256 };

struct thread_history_ask {
	const struct evl_log *log;
	uint64_t from, to;
	const struct thread_history_sink *readers[HISTORY_READERS];
	size_t n_readers;
	const struct gc_pauses *pauses; /* all pauses from the start of the log to the end of the range; may be NULL */
	/* Report only the parts of stretches within these windows of the range, which are in time order and
	 * disjoint. NULL: report all. Requires pauses. */
	const struct time_window *windows;
	size_t n_windows;
	const struct progress *watch;
};

struct history_thread;

struct thread_history {
	const struct evl_log *log;
	struct thread_history_sink readers[HISTORY_READERS];
	size_t own_at[HISTORY_READERS], n_readers;
	bool tells_others;  /* some reader but the first has the callback `stretch`, `begins` or `event` */
	bool wants_wakers;  /* some reader does */
	bool wakers_unread; /* a thread blocked at the end of the range may be woken by events not read */
	const struct progress *watch;
	uint64_t from, to;   /* the range; `to` is at most the end of the log */
	uint64_t plain_from; /* changes after a stretch since then may be plain (thread_history_pass.h) */
	uint64_t begin;      /* start of reading: threads without an event since then are unknown */
	uint64_t until;      /* events before it have been processed */
	uint64_t others;     /* number of events of threads that could not be followed */
	struct thread_feeds feeds;
	const struct gc_pauses *pauses;
	const struct time_window *windows;
	size_t n_windows, window;           /* window: index of the first that ends after the last event */
	uint64_t at, paused;                /* time of the last event; total time in pauses before it */
	uint64_t unpaused_until;            /* and before all times from then until this one */
	uint64_t paused_from, paused_begin; /* time in pauses before the range, and before `begin` */
	uint32_t *running;                  /* by feed: index in `lives` of the running thread + 1; 0: none */
	/* n elements of `stride` bytes: struct history_thread and the readers' data */
	uint8_t *lives;
	size_t stride, n, room;
	uint32_t *spare; /* free elements of `lives` */
	size_t n_spare, spare_room;
	struct idmap places;             /* thread id to index in `lives` */
	uint32_t recent[HISTORY_RECENT]; /* by the low bits of an id: index in `lives` of a thread found lately */
	uint64_t batches;                /* of events that were merged */
	bool failed;                     /* a thread was omitted because memory ran out */
};

/* Prepare a pass over [from, to). If at most 64 MB of log precede the range, that part is read, too, so that the state
 * of every thread is known from its first event in the log; otherwise threads are unknown until their first event in or
 * shortly before the range. Return 0 or EVL_NOMEM; call thread_history_free in either case. */
int thread_history_begin(struct thread_history *h, const struct thread_history_ask *ask) EVL_MUST_USE;

/* Process all events before time t, and those at t before file offset `off`. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int thread_history_until(struct thread_history *h, uint64_t t, uint64_t off) EVL_MUST_USE;

/* Process the remaining events and close all open stretches. If a reader wants it, read up to 64 MB of log after the
 * range for the wakers of threads that are blocked at its end. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int thread_history_end(struct thread_history *h) EVL_MUST_USE;
void thread_history_free(struct thread_history *h);

/* Store the open stretch of a thread, cut at t, which must not be before the last event. Return false if the thread is
 * unknown or finished. */
bool thread_history_now(const struct thread_history *h, uint32_t thread, uint64_t t, struct stretch *out);

/* Cut [*from, *to) to its first piece in a window, from window *window on (0: find the first one), and set *window for the
 * next piece. Return false if there is none. */
bool thread_history_piece(const struct thread_history *h, size_t *window, uint64_t *from, uint64_t *to);

/* Run a whole pass: begin, process all events, end, free. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int thread_history_run(const struct thread_history_ask *ask) EVL_MUST_USE;

#endif
