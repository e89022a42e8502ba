/* sched_back.h - scheduler events of all capabilities merged in time order, newest first.
 *
 * Reads each tile once and holds a few decoded tiles of each chain, so memory does not depend on the log. An event
 * carries the thread that ran on its capability at that moment. A chain is taken in file order: an event that is
 * earlier than one before it in its chain is moved to the time of that one. Only when the walk is over. */
#ifndef EVL_SCHED_BACK_H
#define EVL_SCHED_BACK_H

#include "log/log.h"

/* Kinds of events. LOST: the run of a thread ends without a STOP_THREAD, as another thread runs or stops there. */
enum sched_kind { SCHED_CREATE, SCHED_RUN, SCHED_STOP, SCHED_WAKE, SCHED_LOST };

struct sched_back_event {
	uint64_t t, off;
	uint32_t thread;
	uint32_t by;  /* CREATE, WAKE: the thread that ran where it was posted; 0: none did */
	uint16_t cap; /* that posted it */
	uint8_t kind; /* enum sched_kind */
	uint8_t stop; /* STOP: enum thread_stop */
};

struct sched_back {
	const struct evl_log *log;
	struct sched_back_chain *chains;
	struct sched_back_chain **heap; /* the chain with the newest event on top */
	size_t n, n_chains;
	bool failed; /* memory ran out: the events end early */
};

/* Start at the end of time t: its events are among those returned. False when memory is out; sched_back_free in any
 * case. */
bool sched_back_begin(struct sched_back *s, const struct evl_log *log, uint64_t t) EVL_MUST_USE;
bool sched_back_begin_cap(
	struct sched_back *s, const struct evl_log *log, size_t i) EVL_MUST_USE; /* one chain, all of it */
void sched_back_free(struct sched_back *s);

/* Return the next older event, valid until the next call, or NULL at the start of the log. */
const struct sched_back_event *sched_back_next(struct sched_back *s);

/* Return the thread that created a thread, or 0 where the log does not say. Decodes a tile or two of each chain. */
uint32_t sched_creator(const struct evl_log *log, uint32_t thread);

#endif
