/* everything.h - a small log with an event of each kind, for tests that ask every question. */
#ifndef TESTS_EVERYTHING_H
#define TESTS_EVERYTHING_H

#include "logs.h"

/* The start of a log: the run, its cost centres, the breakdown of its heap profile, the sources of closures. */
static inline void put_definitions(struct built *b)
{
	block_begin(b, EVL_NO_CAP, 1);
	put(b, 1, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)1000, 5u);
	put(b, 2, EVL_PROGRAM_ARGS, "4s", 0u, "./prog");
	put(b, 2, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0);
	put(b, 3, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 4u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	put(b, 3, EVL_PROF_BEGIN, "8", (uint64_t)100);
	for (unsigned i = 1; i < 4; i++)
		put(b, 3, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", i,
			i == 1           ? "main"
				: i == 2 ? "go"
					 : "GC",
			0u, "Main", 0u, "a.hs:1", 0u, 0u);
	put(b, 3, EVL_TASK_CREATE, "828", (uint64_t)77, 0u, (uint64_t)1);
	block_end(b, 9);
}

/* A sample of the heap profile, by type of closure, and one of the time profile. */
static inline void put_samples(struct built *b, uint64_t t, uint64_t bytes)
{
	put(b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, bytes, "Main.Node", 0u);
	put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, bytes / 2, "[]", 0u);
	put(b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	put(b, t + 1, EVL_PROF_SAMPLE_COST_CENTRE, "48144", 0u, t / 100, 2u, 2u, 1u);
}

/* A thread that runs and waits, a span, a message, memory, sparks, a collection, one of the nonmoving collector. */
static inline void put_some_work(struct built *b, uint64_t t, unsigned k)
{
	put(b, t, EVL_CREATE_THREAD, "4", k + 1);
	put(b, t, EVL_THREAD_LABEL, "4s", k + 1, "worker");
	put_run(b, t + 10, k + 1);
	put(b, t + 12, EVL_USER_MSG, "s", "START work");
	put(b, t + 14, EVL_USER_MARKER, "s", "here");
	put(b, t + 15, EVL_USER_MSG, "s", "STOP work");
	put(b, t + 16, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)k * 4096);
	put(b, t + 16, EVL_HEAP_SIZE, "48", 0u, (uint64_t)(k + 2) * 4096);
	put(b, t + 16, EVL_HEAP_LIVE, "48", 0u, (uint64_t)(k + 1) * 4096);
	put(b, t + 17, EVL_SPARK_COUNTERS, "8888888", t, t, t, t, t, t, t);
	if (k % 4 == 3)
		put(b, t + 18, EVL_SPARK_CREATE, "");
	put_stop(b, t + 20, k + 1, k == 5 ? 5 : 7);
	put_gc(b, t + 100, t + 110, t + 200, k % 2);
	put(b, t + 300, EVL_CONC_MARK_BEGIN, "");
	put(b, t + 320, EVL_CONC_MARK_END, "4", 1u);
}

/* In `blocks` blocks of two capabilities, and the same number without capability. */
static inline struct built everything(unsigned blocks)
{
	struct built b = log_begin();
	put_definitions(&b);
	for (unsigned k = 0; k < blocks; k++) {
		uint64_t t = 10 + 1000 * k;
		block_begin(&b, (uint16_t)(k % 2), t);
		put_some_work(&b, t, k);
		block_end(&b, t + 400);
		block_begin(&b, EVL_NO_CAP, t + 330);
		put_samples(&b, t + 330, 1000 + k * 100);
		block_end(&b, t + 400);
	}
	log_end(&b);
	return b;
}

#endif
