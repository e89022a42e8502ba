/* prof_whose.h - table from which the user chooses whose samples to profile: threads, labels, spans, with their time */
#ifndef EVTUI_PROF_WHOSE_H
#define EVTUI_PROF_WHOSE_H

#include "tables/table_job.h"

/* Rows: one for all; one per label shared by several threads, or its stem (whole_stem) if they differ only in a final number; one
 * per thread; one per label of spans. Columns:
 *   ONLY     the filter that selects them (whole_only_parse)
 *   N        number of threads, or of spans that start in the range
 *   RUN      ns that they ran
 *   SAMPLES  samples of the profile while they ran; unknown for spans
 *   TIME     threads: ns that they lived in the range; spans: sum of their lengths, ns
 *   LABEL    label of a row of one thread */
enum whose_column { WHOSE_ONLY, WHOSE_N, WHOSE_RUN, WHOSE_SAMPLES, WHOSE_TIME, WHOSE_LABEL, WHOSE_COLUMNS };

/* A table made from a struct table_range. */
extern const struct table_source prof_whose;

#endif
