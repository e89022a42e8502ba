/* sched_back.h - scheduler events of all capabilities merged in time order, newest first.
 *
 * Each tile (8 KB of a chain, tiles.h) is read once, and only a few decoded tiles per chain (the blocks of one
 * capability) are held, so memory does not depend on the size of the log. An event includes the thread that ran on its
 * capability at that time. Each chain is read in file order; an event with an earlier time than its predecessor in the
 * chain gets the time of the predecessor. The log must be indexed. */
#ifndef EVL_SCHED_BACK_H
#define EVL_SCHED_BACK_H

#include "log/log.h"
#include "sys/progress.h"

/* Kinds of events. SCHED_LOST: the run of a thread ends without a STOP_THREAD, because another thread runs or stops
 * there. */
enum sched_kind { SCHED_CREATE, SCHED_RUN, SCHED_STOP, SCHED_WAKE, SCHED_LOST };

struct sched_back_event {
	uint64_t t, off; /* time in ns, file offset */
	uint32_t thread;
	uint32_t by;  /* SCHED_CREATE, SCHED_WAKE: thread that ran on `cap` at the time; 0: none */
	uint16_t cap; /* capability that posted the event */
	uint8_t kind; /* enum sched_kind */
	uint8_t stop; /* SCHED_STOP: enum thread_stop */
};

struct sched_back {
	const struct evl_log *log;
	struct sched_back_chain *chains;
	struct sched_back_chain **heap; /* heap of chains, the one with the newest event first */
	size_t n, n_chains;
	uint64_t others_t; /* the chains other than the first have no newer event than this */
	bool failed;       /* memory ran out, and the events end early */
};

/* Start with the newest event at or before t. Return false if memory ran out; call sched_back_free in any case. */
bool sched_back_begin(struct sched_back *s, const struct evl_log *log, uint64_t t) EVL_MUST_USE;
bool sched_back_begin_cap(
	struct sched_back *s, const struct evl_log *log, size_t i) EVL_MUST_USE; /* all events of chain i only */
void sched_back_free(struct sched_back *s);

/* Return the next older event, valid until the next call, or NULL at the start of the log. */
const struct sched_back_event *sched_back_next(struct sched_back *s);

/* Find the creators of n threads. born: their times of creation, not 0. The items are sorted by it. Each tile that may
 * contain one of them is decoded at most once. If watch (may be NULL) is cancelled, not all are found. */
struct sched_creation {
	uint64_t born;
	uint32_t thread;
	uint32_t creator; /* result; 0: unknown */
	size_t rank;      /* of the caller */
	bool found;       /* private; set it to false */
};
void sched_creators(const struct evl_log *log, struct sched_creation *items, size_t n, const struct progress *watch);

/* Return the creator of one thread, or 0 if unknown. *others: creations found along the way, for later calls; set it to
 * NULL before the first one, and free it at the end. Threads are looked up fastest in falling order of their creation. */
uint32_t sched_creator(const struct evl_log *log, struct sched_creation **others, uint32_t thread);

#endif
