/* text.h - sanitise text for the screen: next displayable grapheme and its width.
 *
 * text_next is the one gate from log bytes to the screen: strict UTF-8 in; nothing that moves the cursor, reorders
 * text or has no width comes out. Control characters become control pictures, everything else unprintable U+00B7. */
#ifndef EVTUI_TEXT_H
#define EVTUI_TEXT_H

#include "base/base.h"
#include "base/units.h"

struct text_cell {
	uint32_t ch;      /* printable */
	uint32_t mark[2]; /* at most two combining marks; 0 where none */
	uint8_t tail;     /* ASCII mode: the X of ^X, in a separate column; otherwise 0 */
	int width;        /* 1 or 2 columns */
};

/* Take the next cell from *s and move *s past it; return false at the end. With ascii all is printable ASCII: ^X for
 * controls, replacements for the symbols of our texts (µ · … ▸ etc.), '?' for anything else. */
bool text_next(struct evl_str *s, bool ascii, struct text_cell *out);

/* Only this many bytes of a text are laid out. */
enum { TEXT_CAP = 64 << 10 };
static inline struct evl_str text_capped(struct evl_str s)
{
	return (struct evl_str){s.p, s.len < TEXT_CAP ? s.len : TEXT_CAP};
}

/* Columns that the (capped) text takes. */
int text_width(struct evl_str s, bool ascii);

/* Columns of a code point: 1 or 2; 0 for a combining mark; -1: never shown as it is. */
int text_columns(uint32_t ch);

#endif
