/* heap_courses.h - describe how each listed band develops over the range, in words, such as "rises since 110 ms" */
#ifndef EVTUI_HEAP_COURSES_H
#define EVTUI_HEAP_COURSES_H

#include "panes/heap/heap_query.h"

void heap_series_free(struct heap_series *s);

/* Describe the course of each row of the page. This reads up to SHAPE_POINTS samples, unless they are cached. Return 0,
 * EVL_CANCELLED or EVL_NOMEM. */
int heap_courses(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

/* Get the course of a band that heap_courses has read; out->kind is SHAPE_UNKNOWN if it has none. */
void heap_course(const struct heap_scan *s, uint32_t band, struct census_shape *out);

#endif
