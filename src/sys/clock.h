/* clock.h - monotonic clock in milliseconds, for timeouts and rate limits; unrelated to times in logs */
#ifndef EVL_CLOCK_H
#define EVL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Return CLOCK_MONOTONIC in milliseconds. */
static inline int64_t clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Sleep for ms milliseconds or until a signal arrives. */
static inline void sleep_ms(int ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL); }

#endif
