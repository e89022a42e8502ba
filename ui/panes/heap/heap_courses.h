/* heap_courses.h - courses of the listed bands over the range, in words: since when each grows. */
#ifndef EVTUI_HEAP_COURSES_H
#define EVTUI_HEAP_COURSES_H

#include "panes/heap/heap_query.h"

void heap_series_free(struct heap_series *s);

/* Describe the course of each row of the page. Reads up to SHAPE_POINTS samples, unless they are known. EVL_CANCELLED,
 * EVL_NOMEM. */
int heap_courses(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

/* The course of the row with this band; kind SHAPE_UNKNOWN where there is none. */
void heap_course(const struct heap_scan *s, uint32_t band, struct census_shape *out);

#endif
