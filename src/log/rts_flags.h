/* rts_flags.h - RTS flags that the traced program ran with, as far as the log tells.
 *
 * The sources are the arguments between +RTS and -RTS, and the effects of flags that the log shows: the number of
 * capabilities, the size of the allocation area, the start and the samples of a heap profile. Flags set by
 * -with-rtsopts or GHCRTS are known only by these effects. */
#ifndef EVL_RTS_FLAGS_H
#define EVL_RTS_FLAGS_H

#include "log/log.h"

/* Report whether a run-time system argument of the program starts with this text, such as "-qn", or the flag of the heap
 * profile that it began. */
bool rts_flag_given(const struct evl_log *log, const char *prefix);

/* Return the flag of the heap profile that the program began, such as "-hT", which may come from GHCRTS or -with-rtsopts; "":
 * it began none. */
const char *rts_heap_profile(const struct evl_log *log);

/* Report whether a flag such as "-N", "-A64m" or "-lg" is worth recommending: false for "", for a flag that the program
 * ran with, and for a flag that its run-time system does not support. */
bool rts_flag_helps(const struct evl_log *log, const char *flag);

/* Report whether the program was linked with -threaded; false if unknown. */
bool rts_is_threaded(const struct evl_log *log);

/* Report whether it was linked with -prof; false if unknown. */
bool rts_is_profiled(const struct evl_log *log);

/* Return whether a class of events was recorded: s (scheduler), g (collections), p (spark counters), f (single sparks),
 * u (user), n (segments of the nonmoving heap), T (ticky). */
enum rts_traced { RTS_TRACED_UNKNOWN, RTS_TRACED, RTS_NOT_TRACED };
enum rts_traced rts_traced(const struct evl_log *log, char class);

#endif
