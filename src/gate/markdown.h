/* markdown.h - text from a log inside a Markdown table: one cell, nothing that the page would obey. */
#ifndef EVL_MARKDOWN_H
#define EVL_MARKDOWN_H

#include "base/buf.h"

/* Append the text as code (`name`). Characters that a table cell cannot contain are replaced. */
void markdown_code(struct buf *out, struct evl_str text);

#endif
