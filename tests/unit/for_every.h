/* for_every.h - a run with each thing in it failing once: for_every(FAULT_MEMORY, run). */
#ifndef TESTS_FOR_EVERY_H
#define TESTS_FOR_EVERY_H

#include "faults.h"
#include "logs.h"

/* Run it with the n-th thing failing, for every n there is; once that one alone, once all from it on. It must free what
 * it takes. How many there were. */
static inline uint64_t for_every(enum fault kind, void (*run)(void))
{
	uint64_t most = 0;
	for (int on = 0; on < 2; on++) {
		uint64_t n = 0, seen;
		do {
			long before = faults_live();
			faults_begin(kind, n, on);
			run();
			seen = faults_end();
			if (faults_live() != before)
				fail_msg("failure %llu (%s)%s leaves %ld allocations", (unsigned long long)n,
					faults.last, on ? " and all after it" : "", faults_live() - before);
		} while (n++ < seen); /* one that was reached */
		most = n - 1 > most ? n - 1 : most;
	}
	return most;
}

#endif
