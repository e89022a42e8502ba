/* picture.h - the timeline as an SVG element: capabilities, collections, heap, spans, markers; for export svg and html. */
#ifndef EVL_PICTURE_H
#define EVL_PICTURE_H

#include "export/export.h"

/* Append <svg …>…</svg> of the export's range. 0, EVL_CANCELLED or EVL_NOMEM. */
int picture_put(struct export *x) EVL_MUST_USE;

/* Append text for XML and HTML: markup is escaped, and what is no character of XML becomes U+FFFD. */
void picture_text(struct buf *out, struct evl_str s);

#endif
