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

/* Return "none in this range" if the log has some, "none in this log" if it would record them, else "not recorded" with the
 * flag that records them, which is never one that the program ran with. The text is a constant. Call after the walk. */
const char *absence_text(const struct evl_log *log, enum absence of);

/* Return whether this flag of the run-time system ("-lg") would record something that the log lacks. */
bool absence_flag_helps(const struct evl_log *log, const char *flag);

/* Return whether the log has some, or would have recorded them. */
bool absence_is_recorded(const struct evl_log *log, enum absence of);

#endif
