/* rts_flags.h - RTS flags that the traced program ran with, as far as the log tells.
 *
 * Known are the arguments between +RTS and -RTS, and the traces that flags leave in the log: capabilities, the
 * allocation area, censuses. Flags set by -with-rtsopts or GHCRTS show only by these traces. */
#ifndef EVL_RTS_FLAGS_H
#define EVL_RTS_FLAGS_H

#include "log/log.h"

/* Report whether an argument starts with this text ("-qn"). */
bool rts_flag_given(const struct evl_log *log, const char *prefix);

/* Is a flag worth advising: "-N", "-A64m", "-lg"? False for "", for one that the program ran with, and for one that its
 * run-time system does not have. */
bool rts_flag_helps(const struct evl_log *log, const char *flag);

/* Does the run-time system have several OS threads (-threaded)? False where it is not known. */
bool rts_is_threaded(const struct evl_log *log);

/* Was a class of events (s scheduler, g collections, p counters of sparks, f single sparks, u user, T ticky) recorded? */
enum rts_traced { RTS_TRACED_UNKNOWN, RTS_TRACED, RTS_NOT_TRACED };
enum rts_traced rts_traced(const struct evl_log *log, char class);

#endif
