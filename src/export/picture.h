/* picture.h - the timeline as an SVG element: capabilities, collections, heap, spans, markers; for export svg and
 * html. */
#ifndef EVL_PICTURE_H
#define EVL_PICTURE_H

#include "export/export.h"

/* Append <svg …>…</svg> for the range of the export. styled: include picture_style; an HTML page has that text in its
 * head instead. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int picture_put(struct export *x, bool styled) EVL_MUST_USE;
extern const char picture_style[];

/* Append text for XML and HTML: markup is escaped, and characters that XML does not allow become U+FFFD. */
void picture_text(struct buf *out, struct evl_str s);

#endif
