/* markdown.h - write a text from a log as a cell of a Markdown table, with its markup escaped. */
#ifndef EVL_MARKDOWN_H
#define EVL_MARKDOWN_H

#include "base/buf.h"

/* Append the text in backquotes. Characters that a table cell or a terminal cannot show safely are escaped or
 * replaced. */
void markdown_code(struct buf *out, struct evl_str text);

#endif
