/* clock.h - clocks in milliseconds, for timeouts and rate limits; unrelated to times in logs */
#ifndef EVL_CLOCK_H
#define EVL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Return CLOCK_MONOTONIC, or the processor time of the program or of the calling thread, in milliseconds. */
static inline int64_t clock_ms(void) { return clock_of(CLOCK_MONOTONIC); }
static inline int64_t clock_cpu_ms(void) { return clock_of(CLOCK_PROCESS_CPUTIME_ID); }
static inline int64_t clock_thread_ms(void) { return clock_of(CLOCK_THREAD_CPUTIME_ID); }

/* Sleep for ms milliseconds or until a signal arrives. */
static inline void sleep_ms(int ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL); }

#endif
