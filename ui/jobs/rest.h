/* rest.h - how long work rests that is done again because the log has grown: the rule that bounds its processor time
 *
 * Work that took c of processor time is begun again 19 c later, so it takes at most a twentieth of a processor. When the log has
 * ended, nothing rests. Times are in ms: of the clock, and of the program's processor time, which includes all else that it did
 * meanwhile. */
#ifndef EVTUI_REST_H
#define EVTUI_REST_H

#include <stdint.h>

enum { REST_TIMES = 19 };

/* Initialize with zeros: there is no rest. */
struct rest {
	int64_t begun_cpu_ms, until_ms;
};

/* The work begins; a part of it, or all of it, is done. */
static inline void rest_begin(struct rest *r, int64_t cpu_ms) { *r = (struct rest){.begun_cpu_ms = cpu_ms}; }
static inline void rest_spent(struct rest *r, int64_t cpu_ms, int64_t now_ms)
{
	r->until_ms = now_ms + REST_TIMES * (cpu_ms - r->begun_cpu_ms);
}

/* Return for how long it still rests; 0: no more. */
static inline int64_t rest_left_ms(const struct rest *r, int64_t now_ms)
{
	return r->until_ms > now_ms ? r->until_ms - now_ms : 0;
}

#endif
