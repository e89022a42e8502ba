/* faults.h - things that fail on purpose: memory, threads, disks, calls of the system. Programs that the Makefile links
 * with faults.o have these calls come here first (--wrap).
 *
 *   faults_begin(FAULT_MEMORY, 7, false);    the 8th allocation from now on fails, the others do not
 *   faults_begin(FAULT_DISK, 0, true);       all do, from the first on
 *   uint64_t n = faults_end();               how many there were
 *
 * For runs that take each place in turn, where a place is a call stack, and passing it a second time in a run another:
 *
 *   faults_begin_new(FAULT_MEMORY, false, 0);   the first call at a place that has not failed in this program fails
 *   faults_begin_new(FAULT_MEMORY, false, n);   so that the first n calls, known from the run before, are not looked at
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum fault {
	FAULT_NONE,
	FAULT_MEMORY,
	FAULT_THREAD,
	FAULT_DISK,      /* what is written: ENOSPC */
	FAULT_CALL,      /* what is opened, read, mapped, waited for and so on: EIO and the like */
	FAULT_INTERRUPT, /* every second call that a signal may interrupt is; the others do a part of what was asked */
};

struct faults {
	_Atomic int kind;
	_Atomic uint64_t seen;
	_Atomic uint64_t at;
	bool on;       /* and all after it */
	bool places;   /* at is not known yet: the first call at a new place sets it */
	uint64_t from; /* calls before this one are at no new place */
	atomic_long live;
	const char *_Atomic last; /* the call that failed last */
};
extern struct faults faults;

/* Calls of the current thread belong to the test and never fail. */
extern _Thread_local bool faults_own;

void faults_begin(enum fault kind, uint64_t at, bool on);
void faults_begin_new(enum fault kind, bool on, uint64_t from);
uint64_t faults_end(void);

/* Allocations that were not freed. */
long faults_live(void);

#endif
