/* html_heap.h - the heap profile as part of an HTML page: stacked bands as SVG, a table with courses, and its filter. */
#ifndef EVL_HTML_HEAP_H
#define EVL_HTML_HEAP_H

#include "export/export.h"

/* Append it; nothing where the log has no heap profile. 0, EVL_CANCELLED or EVL_NOMEM. */
int html_heap_put(struct export *x) EVL_MUST_USE;

#endif
