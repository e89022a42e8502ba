/* gc_delays.h - the time from the request to the start of collections: while threads still ran, and after the last had stopped
 *
 * For one collection let D be the time from the request to GC_START, and L the time from the request to the last moment
 * before GC_START at which another capability still ran a thread. That thread is the cause of the delay if L is at
 * least half of D. Of threads that stopped at the same time it is the one whose STOP_THREAD is last in the file; of those
 * that still ran at GC_START, the one on the lowest capability. In the rest, D - L, no thread ran: it was spent on
 * waking idle capabilities and waiting for the operating system. All durations are in ns. */
#ifndef EVL_GC_DELAYS_H
#define EVL_GC_DELAYS_H

#include "base/histogram.h"
#include "base/idmap.h"
#include "gc/gc.h"

enum { GC_DELAY_THREADS = 1 << 16, GC_DELAY_TIES = 1 << 14 };

/* The delays caused by one thread. Not all of L is its fault: its capability may have run other threads before it, or have been
 * in an earlier collection. */
struct gc_delay_thread {
	uint32_t thread;
	uint64_t ns, n;       /* sum of L; number of collections */
	uint64_t ran;         /* sum of the parts of L in which it ran (gc_late_run) */
	uint64_t longest, at; /* the longest of these parts, and the GC_START of that collection */
	uint16_t cap;         /* capability on which the thread ran during that delay */
};

/* The run, on another capability, that ended last after the request for a collection. late is L; 0: there was no such
 * run. */
struct gc_late_run {
	uint64_t late;
	uint64_t ran; /* the part of L in which `thread` ran there, since another thread did */
	uint64_t off; /* file offset of the event that ended it before GC_START; 0: none, or not known */
	uint32_t thread;
	uint16_t cap;
	bool tied; /* several ended at the same time, and their offsets are not known: the lowest capability */
};

/* A collection that a tied run delayed. */
struct gc_delay_tie {
	struct gc_row gc;
	uint64_t late, ran;
	uint32_t thread, cap; /* of the lowest capability */
};

/* Sums over collections that have a request. Initialise with zeros. Threads past the first GC_DELAY_THREADS are not
 * listed. The first GC_DELAY_TIES ties are kept apart: their threads are found later (gc_laggards.h). */
struct gc_delays {
	uint64_t thread_ns, wakeup_ns; /* sums of L and of D - L */
	struct histogram rests;        /* all D - L of more than 1 ms */
	uint64_t rests_cut;            /* the part of them that does not count */
	struct gc_delay_thread *threads;
	size_t n_threads, room;
	struct idmap places; /* thread id to index in `threads` */
	struct gc_delay_tie *ties;
	size_t n_ties, ties_room;
};

void gc_delays_free(struct gc_delays *d);

/* Report whether the run is the cause of the delay: L is at least half of D. */
static inline bool gc_late_is_cause(const struct gc_row *gc, uint64_t late) { return late && late >= gc->sync - late; }

/* Replace *out by a run that ended at `to` on another capability if that run ended later, or last of those that ended at
 * the same time. ran, off: as in gc_late_run. */
static inline void gc_late_note(struct gc_late_run *out, const struct gc_row *gc, uint64_t to, uint64_t ran,
	uint64_t off, uint16_t cap, uint32_t thread)
{
	uint64_t late = sub_or_0(min_u64(to, gc->start), gc_requested(gc));
	bool tied = late && late == out->late;
	if (late > out->late || (tied && (off != out->off ? off > out->off : cap < out->cap)))
		*out = (struct gc_late_run){late, ran, off, thread, cap, false};
	out->tied = out->tied || (tied && late < gc->sync);
}

/* The parts of L, of the time in it in which the thread ran, and of D - L that count, in ns. */
struct gc_delay_parts {
	uint64_t late, ran, rest;
};

/* Add a collection. parts: NULL: all counts. If memory runs out, the thread is dropped and the failure recorded by
 * oom_note (base.h). */
void gc_delays_add(struct gc_delays *d, const struct gc_row *gc, const struct gc_late_run *run,
	const struct gc_delay_parts *parts);

/* Add a delay to those of its thread. */
void gc_delays_blame(
	struct gc_delays *d, const struct gc_row *gc, uint64_t late, uint64_t ran, uint32_t thread, uint16_t cap);

/* Add the sums in *more, without its ties. */
void gc_delays_join(struct gc_delays *d, const struct gc_delays *more);

/* Return the thread that ran longest during its delays, of equals the one with the largest sum of them; NULL: there is none. */
const struct gc_delay_thread *gc_delays_worst(const struct gc_delays *d);

#endif
