/* gc_detail.h - one collection in detail: its statistics, heap sizes, workers, and the capability and thread that
 * delayed its start.
 *
 * Between the request and the start of a collection all capabilities have to stop; the one that runs a thread longest
 * after the request is the last. The details are read from the log on request: one event, and the events of each
 * capability around two times. */
#ifndef EVL_GC_DETAIL_H
#define EVL_GC_DETAIL_H

#include "gc/gc_delays.h"
#include "gc/gc_scan.h"
#include "log/log.h"

enum { GC_DETAIL_CAPS = 256 }; /* largest number of capabilities examined */

/* Contents of GC_STATS_GHC. */
struct gc_stats {
	uint64_t t;                          /* time of the event: mostly after GC_END */
	uint64_t copied, slop, frag;         /* bytes */
	uint64_t par_threads;                /* number of GC threads */
	uint64_t par_max_copied, par_copied; /* bytes copied by the busiest thread, and by all; 0: one thread */
	uint64_t par_balanced;               /* bytes copied in balance; valid if has_balanced */
	bool has_balanced;                   /* GHC 8.4 and later */
};

/* Read the statistics of a collection. Return false if there are none, or if they are not in memory yet. */
bool gc_stats(const struct evl_log *log, const struct gc_row *gc, struct gc_stats *out);

/* Return the bytes that its busiest GC thread copied. */
static inline uint64_t gc_busiest(const struct gc_row *gc, const struct gc_stats *s)
{
	return gc->parallel && s->par_max_copied ? s->par_max_copied : s->copied;
}

/* Report whether a heap census requested a collection: it is major, and a sample was taken within it. */
bool gc_is_for_census(const struct evl_log *log, const struct gc_row *gc);

/* The capability that delayed a collection. L, D and "cause" are defined in gc_delays.h. */
struct gc_late {
	struct gc_late_run run; /* run.late is L; 0: no other capability ran a thread after the request */
	uint64_t left;          /* the part of L before run.cap left an earlier collection; 0: it had left */
	uint64_t rest;          /* D - L */
	bool by_thread;         /* run.thread is the cause; otherwise no thread ran for most of D */
	bool some;              /* not all capabilities were examined or are known */
};

/* Whether that thread ran for at least half of L; whether its capability was in an earlier collection for at least half of L. */
static inline bool gc_late_ran(const struct gc_late *late) { return late->run.ran >= late->run.late - late->run.ran; }
static inline bool gc_late_in_previous(const struct gc_late *late) { return late->left >= late->run.late - late->left; }

/* Report whether its start is known to have waited for more than 1 ms after all threads had stopped. */
static inline bool gc_late_waits(const struct gc_late *late)
{
	enum { REST_NS = 1000000 };
	return late->rest > REST_NS && !late->some;
}

/* Return the ns that the nonmoving collector marked while that capability was in an earlier collection. */
uint64_t gc_late_nm_mark(const struct evl_log *log, const struct gc_row *gc, const struct gc_late *late);
static inline bool gc_late_is_nm_mark(const struct evl_log *log, const struct gc_row *gc, const struct gc_late *late)
{
	return late->left && gc_late_nm_mark(log, gc, late) >= (late->left + 1) / 2;
}

/* Return the number of other capabilities that posted GC_START between the request and the start of a collection, and
 * store the time from the request to the last of these. 0: none, or not known. */
size_t gc_joined(const struct evl_log *log, const struct gc_row *gc, uint64_t *ns);

/* Find the capability that delayed a collection. */
void gc_late(const struct evl_log *log, const struct gc_row *gc, struct gc_late *out);

/* The threads that ran on that capability between the request and the start: their number, and the one that ran longest
 * (of equals, the first). Return false if there are more than LATE_THREADS, or if not all of its events are known. */
enum { LATE_THREADS = 32 };
struct gc_late_threads {
	size_t n;
	uint32_t most;
	uint64_t most_ns;
};
bool gc_late_threads(
	const struct evl_log *log, const struct gc_row *gc, const struct gc_late *late, struct gc_late_threads *out);

/* Read the events that the leader of a collection (the capability that led it, gc.h) posted around it: the heap sizes
 * after it, up to the next activity of the capability, and the memory returned. chain is the number of the leader's
 * chain in blocks.chains. Return false if the bytes are not in memory yet. */
struct gc_around {
	bool has_live, has_size, has_blocks, has_return;
	uint64_t live, size, blocks;        /* bytes */
	uint32_t current, needed, returned; /* megablocks */
};
bool gc_around(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, struct gc_around *out);

/* Return the bytes that a major collection left live without copying them, if they are more than those that it copied and
 * at least 1 MiB; 0: they are not, or not known. Large objects are not copied. 0 also if others may not be: the program ran
 * with -c, -M (which compacts when the heap is nearly full), -w or the nonmoving collector. */
uint64_t gc_not_copied(const struct evl_log *log, const struct gc_row *gc);

/* Activity of one capability in a collection. */
struct gc_worker {
	uint16_t cap;
	uint64_t start, work, done, end; /* times of its GC_START, first GC_WORK, last GC_DONE and GC_END; 0: none */
	uint64_t idle_ns, work_ns;       /* ns in GC_IDLE, in GC_WORK */
};
/* Store the capabilities that posted GC_START between the request and the end of a collection, in capability order, in
 * out[room]. Return their number, which may exceed `room`. */
size_t gc_workers(const struct evl_log *log, const struct gc_row *gc, struct gc_worker *out, size_t room);

/* Set *n to the number of capabilities, of the first 256, that were in GC_WORK in a collection. Return false if none posted
 * an event. */
bool gc_working(const struct evl_log *log, const struct gc_row *gc, uint64_t *n);

/* How a collection's time in GC_WORK was divided among n workers:
 *   GC_DIVIDED_ONE    one worked for more than half of `elapsed`, and for over 1.5 times as long as all others together
 *   GC_DIVIDED_EQUAL  there are several, and the shortest worked for at least 0.8 times as long as the longest
 *   GC_DIVIDED_SOME   neither
 * *most: the one that worked longest, of several the first; 0 if n is 0. */
enum gc_divided { GC_DIVIDED_SOME, GC_DIVIDED_ONE, GC_DIVIDED_EQUAL };
enum gc_divided gc_divided(const struct gc_worker *workers, size_t n, uint64_t elapsed, size_t *most);

/* The lull of a collection: the longest time, from GC_START to GC_END, in which no capability was in GC_WORK; if several are
 * equal, the first. One GC thread may be known to have held up the others:
 *   BEGAN_LATE   the lull ended with the first GC_WORK of its capability (of several: the lowest), and another had started
 *                before. GC threads are woken together.
 *   DONE_LATE    otherwise: its capability posted its last GC_DONE in the second half of the lull, of several the last
 *                (then the lowest), and does not lead. The leader posted its last GC_DONE before that half: it then waits
 *                for all GC threads.
 *   PRUNES_SPARKS otherwise: SPARK_FIZZLE and SPARK_GC events were posted in the lull, and at least half of it lies
 *                between the first and the last of them.
 * LULL_UNKNOWN: the log does not show whether the leader worked alone or had no CPU. */
enum gc_lull_cause { LULL_UNKNOWN, BEGAN_LATE, DONE_LATE, PRUNES_SPARKS, LULL_CAUSES };
struct gc_lull {
	uint64_t from, to;
	enum gc_lull_cause cause;
	uint16_t cap;   /* of the GC thread that was late */
	uint16_t first; /* BEGAN_LATE: the capability that started first */
	uint64_t
		late_ns; /* from the first GC_WORK of `first` to that of `cap`; from the start of the lull to the GC_DONE */
	uint64_t sparks; /* PRUNES_SPARKS: number of those events */
};
/* Find the lull of a collection, if it takes at least a quarter of the collection. Return false if there is none, if no
 * capability was in GC_WORK, if events are not known up to the end of the collection, or if there are more than
 * GC_DETAIL_CAPS capabilities. */
bool gc_lull(const struct evl_log *log, const struct gc_row *gc, struct gc_lull *out);

/* Return the time from the last GC_DONE of a collection, of any capability, to its end, or 0 if that is unknown. A heap
 * census takes place in it. */
uint64_t gc_after_work(const struct evl_log *log, const struct gc_row *gc);

/* Return whether a heap census was written in the lull, which it then explains: it is taken after the GC threads are
 * done, and written before the collection ends. */
bool gc_lull_is_census(const struct evl_log *log, const struct gc_lull *lull);

/* The usual rate at which the collections of one generation copy: half of the bytes that they copied were copied at this rate or
 * faster, from GC_START to GC_END. A mean would be low after a few collections that got no CPU, and then explain these and
 * others by their bytes. */
enum { GC_RATES = 128 };

struct gc_rate {
	uint64_t start, elapsed, bytes;
};

/* A sample of collections, twice, fastest first: by all bytes that each copied, and by those of its busiest GC thread. */
struct gc_rates {
	size_t n;
	struct gc_rate all[GC_RATES], busiest[GC_RATES];
};

/* Read the collections of a generation in the range, without those of range->skip: every k-th in the order of the tables,
 * and k is the least number for which GC_RATES suffice. n: their number. Generations from GC_GENS - 2 on are one. */
void gc_rates_make(
	struct gc_rates *r, const struct evl_log *log, const struct gc_range *range, unsigned gen, uint64_t n);

/* Return the usual rate of rates[n], in bytes per second, without the collection that starts at `without`; UINT64_MAX: of all.
 * NAN if they copied nothing. */
double gc_rates_usual(const struct gc_rate *rates, size_t n, uint64_t without);

/* Return the ns that `bytes` take at a rate, at most 1e18; 0 if the rate is unknown. */
uint64_t gc_rate_ns(uint64_t bytes, double rate);

/* How far copying explains the time of a collection from GC_START to GC_END, compared with others of its generation. */
enum { GC_COPYING_LEAST = 5 }; /* number of these */
struct gc_copying {
	/* their number; 0: there are fewer, together they copied less than it or nothing, or it has no statistics */
	uint64_t others;
	uint64_t copied; /* bytes */
	double times;    /* copied / the mean of the others */
	double rate;     /* the usual rate of the others (gc_rates_usual), bytes per second */
	uint64_t ns;     /* the time that `copied` takes at that rate */
	/* the time beyond `ns` that the bytes of its busiest GC thread take at the usual rate of those of the others; at most
	 * what `ns` and known_ns leave of elapsed; 0 if these are 90 % of it or more, or the time is less than 5 % of it */
	uint64_t uneven_ns;
	uint64_t left;  /* the rest of elapsed, without known_ns */
	uint64_t known; /* known_ns */
};
/* others, rates: sums over them; rates of them and of the collection itself. known_ns: the time of the collection that is
 * explained otherwise (a census, a lull). */
void gc_copying(struct gc_copying *out, const struct evl_log *log, const struct gc_row *gc, const struct gc_gen *others,
	const struct gc_rates *rates, uint64_t known_ns);

/* Store the bytes that all capabilities allocated between the previous collection and this one. Return false if
 * unknown. */
bool gc_allocated(const struct evl_log *log, const struct gc_row *gc, uint64_t *out);

/* Known reasons for a collection: the bits that gc_why returns. */
enum {
	GC_WHY_IDLE = 1,      /* no capability had run for 0.3 s */
	GC_WHY_FORCED = 2,    /* major, and its leader did not stop because of a heap overflow */
	GC_WHY_NONMOVING = 4, /* the nonmoving collector starts to mark afterwards */
};
unsigned gc_why(const struct evl_log *log, const struct gc_row *gc);

/* A thread that began a foreign call, as performGC is, and how long before the request of a collection. */
struct gc_caller {
	uint32_t thread;
	uint64_t ns;
};

/* Of a collection that was forced (GC_WHY_FORCED): return true if the last stop of a thread on its leader was that, in the
 * last millisecond before the request. */
bool gc_caller(const struct evl_log *log, const struct gc_row *gc, struct gc_caller *out);

/* A reader of the same details for many collections. It is fastest if the collections are passed in order of their
 * starts: each lookup then continues where the previous one ended. Going back costs a search. */
struct gc_sweep;

/* Return NULL if memory ran out, or if there are more than GC_DETAIL_CAPS capabilities. */
struct gc_sweep *gc_sweep_open(const struct evl_log *log);
void gc_sweep_close(struct gc_sweep *s);

/* Return the reasons for a collection (as gc_why), and store the capability that delayed it (gc_late). */
unsigned gc_sweep_why(struct gc_sweep *s, uint32_t chain, const struct gc_row *gc, struct gc_late *late);

/* Read the events of the leader around a collection; see gc_around. */
bool gc_sweep_around(struct gc_sweep *s, uint32_t chain, const struct gc_row *gc, struct gc_around *out);

#endif
