/* sgr.h - shrink a frame by dropping colour sequences (SGR) that repeat the terminal's present state
 *
 * curses sends foreground and background at every change of either, and a reset before most attributes; that is 63 %
 * of a frame. Here these sequences only set the wanted state. The difference to the terminal's state is sent when a
 * glyph needs it; a blank only needs its background. All other bytes pass unchanged. */
#ifndef EVTUI_SGR_H
#define EVTUI_SGR_H

#include "base/buf.h"

/* Colours and attributes. */
struct sgr_look {
	char fg[24], bg[24]; /* SGR parameters as in the sequence, "38;5;107"; "": default */
	unsigned attrs;      /* bit n: SGR parameter n, 1 to 9 */
};

struct sgr {
	struct sgr_look want, have; /* wanted by curses; present in the terminal */
	bool known;                 /* `have` is the state of the terminal */
	bool charset;               /* the selected character set (G0) may not be ASCII */
};

/* Note that the terminal's state is unknown: at the start, and after another program has written to it. */
void sgr_forget(struct sgr *s);

/* Append the shortened form of the bytes to *out. `in` must hold complete sequences. */
void sgr_compact(struct sgr *s, const uint8_t *in, size_t len, struct buf *out);

#endif
