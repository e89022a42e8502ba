/* for_every.h - a run with each thing in it failing once: for_every(FAULT_MEMORY, run). */
#ifndef TESTS_FOR_EVERY_H
#define TESTS_FOR_EVERY_H

#include "faults.h"
#include "logs.h"

/* Run it until each call stack of that kind has failed, up to twice, in this run or in one before; once these calls
 * alone, once all from them on. It must free what it takes. Return how many calls there were at most.
 *
 * Finding the place of a call takes longer than the call, so a run begins to look where the last one failed: all before
 * that has failed already. As threads may pass their places in another order, only a run that has looked from its start
 * and failed nowhere is the last one. */
static inline uint64_t for_every(enum fault kind, void (*run)(void))
{
	uint64_t most = 0;
	for (int on = 0; on < 2; on++) {
		uint64_t from;
		bool failed = false;
		do {
			long before = faults_live();
			from = failed ? faults.at + 1 : 0;
			faults_begin_new(kind, on, from);
			run();
			uint64_t seen = faults_end();
			failed = faults.at != UINT64_MAX;
			most = seen > most ? seen : most;
			if (faults_live() != before)
				fail_msg("failure %llu (%s)%s leaves %ld allocations", (unsigned long long)faults.at,
					faults.last, on ? " and all after it" : "", faults_live() - before);
		} while (failed || from > 0);
	}
	return most;
}

/* Let a log compute the pauses that it keeps: a run that is the first to need them has no more to free than others. */
static inline void keep_pauses(const struct evl_log *log)
{
	struct gc_pauses pauses;
	assert_int_equal(evl_all_pauses(&pauses, log, NULL), 0);
	gc_pauses_free(&pauses);
}

#endif
