/* gc_delays.h - time between the request and the start of collections: lost to threads that had not stopped, or to waking.
 *
 * D = GC_START - request; L = the last moment between them at which another capability still ran a thread, after the
 * request. The thread is the cause of the delay if L is at least half of D; the rest, D - L, went into waking idle
 * capabilities and waiting for the operating system. */
#ifndef EVL_GC_DELAYS_H
#define EVL_GC_DELAYS_H

#include "base/histogram.h"
#include "base/idmap.h"
#include "gc/gc.h"

enum { GC_DELAY_THREADS = 1 << 16 };

/* The delays that one thread caused. */
struct gc_delay_thread {
	uint32_t thread;
	uint64_t ns, n;       /* sum of L; collections */
	uint64_t longest, at; /* the longest L, and the GC_START of its collection */
	uint16_t cap;         /* where it ran then */
};

/* Sums over collections that have a request; starts as zeros. Threads after the first GC_DELAY_THREADS are not listed. */
struct gc_delays {
	uint64_t thread_ns, wakeup_ns; /* sums of L and of D - L */
	struct histogram rests;        /* each D - L of more than 1 ms */
	struct gc_delay_thread *threads;
	size_t n_threads, room;
	struct idmap places;
};

void gc_delays_free(struct gc_delays *d);

/* The capability that ran a thread longest after the request for a collection; late: L; 0: none did. */
struct gc_late_run {
	uint64_t late;
	uint32_t thread;
	uint16_t cap;
};
static inline bool gc_late_is_cause(const struct gc_row *gc, uint64_t late) { return late && late >= gc->sync - late; }

/* Keep a run that ended at `to` on another capability, if it is later than the one in *out; of equals, that of the lower
 * capability. */
static inline void gc_late_note(
	struct gc_late_run *out, const struct gc_row *gc, uint64_t to, uint16_t cap, uint32_t thread)
{
	uint64_t late = sub_or_0(min_u64(to, gc->start), gc_requested(gc));
	if (late > out->late || (late && late == out->late && cap < out->cap))
		*out = (struct gc_late_run){late, thread, cap};
}

/* Add a collection; report lack of memory to oom_note. */
void gc_delays_add(struct gc_delays *d, const struct gc_row *gc, const struct gc_late_run *run);

/* Add the sums of other collections. */
void gc_delays_join(struct gc_delays *d, const struct gc_delays *more);

/* Return the thread with the largest sum of delays, or NULL. */
const struct gc_delay_thread *gc_delays_worst(const struct gc_delays *d);

#endif
