/* html_heap.h - the heap profile as part of an HTML page: stacked bands as SVG, and a table of bands that can be
 * filtered. */
#ifndef EVL_HTML_HEAP_H
#define EVL_HTML_HEAP_H

#include "export/export.h"

/* Append the heap profile to x->out, or nothing if the log has none. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int html_heap_put(struct export *x) EVL_MUST_USE;

#endif
