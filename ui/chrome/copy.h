/* copy.h - the y and Y keys: copy the selected row, or the whole screen, as text
 *
 * The row is drawn on a separate canvas that is wide enough for all of it, so that log text is sanitised as on the
 * screen (text.h). */
#ifndef EVTUI_COPY_H
#define EVTUI_COPY_H

#include "base/buf.h"
#include "chrome/pane.h"

/* Append the selected row of the shown pane, or else the item at the cursor, as one line. ascii: only ASCII
 * characters. Return false if there is nothing to copy or memory ran out. */
bool copy_row(struct pane_host *h, bool ascii, struct buf *out) EVL_MUST_USE;

/* Append a screen as text, without trailing blanks. Return false if it is empty or memory ran out. */
bool copy_screen(const struct canvas *c, struct buf *out) EVL_MUST_USE;

#endif
