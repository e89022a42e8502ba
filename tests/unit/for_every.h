/* for_every.h - a run with each thing in it failing once: for_every(FAULT_MEMORY, run). */
#ifndef TESTS_FOR_EVERY_H
#define TESTS_FOR_EVERY_H

#include "faults.h"
#include "logs.h"

/* Run it until each call stack of that kind has failed, up to twice, in this run or in one before; once these calls
 * alone, once all from them on. It must free what it takes. Return how many calls there were at most. */
static inline uint64_t for_every(enum fault kind, void (*run)(void))
{
	uint64_t most = 0;
	for (int on = 0; on < 2; on++) {
		bool failed = true;
		while (failed) {
			long before = faults_live();
			faults_begin_new(kind, on);
			run();
			uint64_t seen = faults_end();
			failed = faults.at != UINT64_MAX;
			most = seen > most ? seen : most;
			if (faults_live() != before)
				fail_msg("failure %llu (%s)%s leaves %ld allocations", (unsigned long long)faults.at,
					faults.last, on ? " and all after it" : "", faults_live() - before);
		}
	}
	return most;
}

#endif
