/* prof_whose.h - the list to pick from whose samples are profiled: threads, labels, spans, with their time. */
#ifndef EVTUI_PROF_WHOSE_H
#define EVTUI_PROF_WHOSE_H

#include "tables/table_job.h"

/* A row for all, then for each label that several threads have ("worker #" for those that differ in a number at their end),
 * each thread and each label of spans. The first column is the text that picks it (whole_only_parse). */
enum whose_column { WHOSE_ONLY, WHOSE_N, WHOSE_CPU, WHOSE_SAMPLES, WHOSE_TIME, WHOSE_LABEL, WHOSE_COLUMNS };

/* Of a struct table_range. */
extern const struct table_source prof_whose;

#endif
