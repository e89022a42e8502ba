/* absence.h - why there is nothing to show: none in the range, none in the log, or not recorded. */
#ifndef EVL_ABSENCE_H
#define EVL_ABSENCE_H

#include "log/log.h"

enum absence {
	ABSENCE_GCS,
	ABSENCE_REQUESTS, /* of collections */
	ABSENCE_HEAP,     /* sizes of the heap */
	ABSENCE_RUNS,
	ABSENCE_THREADS,
	ABSENCE_SPARKS, /* counters of sparks */
	ABSENCE_SPANS,
	ABSENCE_PHASES,
	ABSENCE_TICKY,
	ABSENCE_NONMOVING,
	ABSENCE_NM_CENSUS,
	ABSENCE_TASKS,
	ABSENCES
};

/* "none in this range" where the log has some, "none in this log" where it would have them, else "not recorded" with the
 * flag that records them, which is never one that the program ran with. A constant. Call when the walk is over. */
const char *absence_text(const struct evl_log *log, enum absence of);

/* Would this flag of the run-time system ("-lg") make known what this log does not tell? */
bool absence_flag_helps(const struct evl_log *log, const char *flag);

/* Does the log hold some, or would it if there were any? */
bool absence_is_recorded(const struct evl_log *log, enum absence of);

#endif
