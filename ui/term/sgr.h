/* sgr.h - shrink the colour sequences of a frame: drop those that repeat what the terminal already has.
 *
 * curses sends foreground and background at every change of either, and a reset before most attributes: 63 % of a
 * frame. Here such sequences only set the wanted state; the difference from the terminal's state is sent when a
 * glyph needs it. A blank needs its background only. Everything else passes unchanged. */
#ifndef EVTUI_SGR_H
#define EVTUI_SGR_H

#include "base/buf.h"

struct sgr_look {
	char fg[24], bg[24]; /* parameters verbatim, "38;5;107"; "" for the default */
	unsigned attrs;      /* bit n: parameter n, 1…9 */
};

struct sgr {
	struct sgr_look want, have;
	bool known;   /* `have` is what the terminal has */
	bool charset; /* G0 may be another one than ASCII */
};

/* Forget the state of the terminal: at the start, and after other programs have written to it. */
void sgr_forget(struct sgr *s);

/* Whole sequences in, fewer bytes out, appended to *out. */
void sgr_compact(struct sgr *s, const uint8_t *in, size_t len, struct buf *out);

#endif
