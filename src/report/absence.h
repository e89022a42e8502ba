/* absence.h - explain why there is nothing to show: none in the range, none in the log, or not recorded */
#ifndef EVL_ABSENCE_H
#define EVL_ABSENCE_H

#include "log/log.h"

/* Kinds of data that may be missing. */
enum absence {
	ABSENCE_GCS,
	ABSENCE_REQUESTS, /* GC requests */
	ABSENCE_HEAP,     /* heap sizes */
	ABSENCE_RUNS,
	ABSENCE_THREADS,
	ABSENCE_SPARKS, /* spark counters */
	ABSENCE_SPANS,
	ABSENCE_PHASES,
	ABSENCE_TICKY,
	ABSENCE_NONMOVING,
	ABSENCE_NM_CENSUS,
	ABSENCE_TASKS,
	ABSENCES
};

/* Return "none in this range" if the log has such data elsewhere, "none in this log" if the log would have recorded
 * it, else "not recorded" and the RTS flag that records it (never one that the program ran with); of the nonmoving
 * collector "none in what was written" if the log has no end (the program was killed or still runs). The text is a
 * constant. Call after the log is indexed. */
const char *absence_text(const struct evl_log *log, enum absence of);

/* Return true if an RTS flag, e.g. "-lg", would record something that the log lacks. */
bool absence_flag_helps(const struct evl_log *log, const char *flag);

/* Return true if the log has such data. Without, nothing is known: a log of -l that lacks collections or runs of threads
 * was cut short, as each program that ends has some. */
bool absence_seen(const struct evl_log *log, enum absence of);

/* Return true if the log is indexed and has no such data. Unlike the others, this may be called while it is indexed. */
bool absence_is_sure(const struct evl_log *log, enum absence of);

#endif
