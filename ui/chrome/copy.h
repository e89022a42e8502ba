/* copy.h - the y and Y keys: the selected row or the whole screen as text.
 *
 * The row is drawn, so it has passed the one gate from log text to the screen (text.h); it is drawn on a separate
 * canvas wide enough for all of it. */
#ifndef EVTUI_COPY_H
#define EVTUI_COPY_H

#include "base/buf.h"
#include "chrome/pane.h"

/* Append the selected row of the shown pane, else the item at the cursor, as one line. Return false if there is nothing, or memory runs out. */
bool copy_row(struct pane_host *h, bool ascii, struct buf *out) EVL_MUST_USE;

/* A screen, trailing blanks cut. */
bool copy_screen(const struct canvas *c, struct buf *out) EVL_MUST_USE;

#endif
