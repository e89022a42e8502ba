/* text.h - sanitise text for the screen: get the next displayable grapheme and its width
 *
 * All bytes from the log pass through text_next before they reach the screen. Its input is checked as strict UTF-8;
 * its output never moves the cursor, reorders text or has zero width. Control characters become control pictures
 * (U+2400 to U+2421), other unprintable characters U+00B7. */
#ifndef EVTUI_TEXT_H
#define EVTUI_TEXT_H

#include "base/base.h"
#include "base/units.h"

/* A displayable grapheme. */
struct text_cell {
	uint32_t ch;      /* printable */
	uint32_t mark[2]; /* combining marks; 0: none */
	/* In ASCII mode: the X of ^X, to be drawn in the next column; otherwise 0. */
	uint8_t tail;
	int width; /* columns: 1 or 2 */
};

/* Get the next cell from *s and advance *s. Return false at the end. ascii: return only printable ASCII, ^X for
 * control characters, replacements for the program's own symbols (µ · … ▸), '?' for anything else. */
bool text_next(struct evl_str *s, bool ascii, struct text_cell *out);

/* Text is laid out up to this number of bytes. */
enum { TEXT_CAP = 64 << 10 };
static inline struct evl_str text_capped(struct evl_str s)
{
	return (struct evl_str){s.p, s.len < TEXT_CAP ? s.len : TEXT_CAP};
}

/* Return the number of columns of the first TEXT_CAP bytes of a text. */
int text_width(struct evl_str s, bool ascii);

/* Does the text start with a blank and a unit, as the rest of "12 ms" after its number? Lines do not end between them. */
bool text_is_unit(struct evl_str s);

/* Take what fits into `room` columns, if possible up to a blank, and move *s past it and the blanks that follow. At least
 * one character is taken. */
struct evl_str text_take_line(struct evl_str *s, int room, bool ascii);

/* Return the columns of a code point: 1 or 2; 0 for a combining mark; -1 if it is never shown as it is. */
int text_columns(uint32_t ch);

#endif
