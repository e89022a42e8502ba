/* input_guard.h - filter between the terminal and libtermkey that passes only complete, known sequences
 *
 * libtermkey 0.22 crashes on a certain sequence of six bytes, overflows the stack on 17 parameters, and treats
 * replies of the terminal as keys. This lexer divides the input into units and passes only those that are complete
 * and known: text, keys, mouse reports, pastes, replies. Strings, unknown and over-long sequences are dropped as a
 * whole, so that no part of them is treated as typed keys. It also decides how long an incomplete unit may wait for
 * its rest. */
#ifndef EVTUI_INPUT_GUARD_H
#define EVTUI_INPUT_GUARD_H

#include "base/base.h"

/* Kind of a complete unit. */
enum input_guard_unit {
	GUARD_NONE,  /* no unit is complete yet */
	GUARD_TEXT,  /* one character: a control byte, ASCII, or one code point of strict UTF-8 */
	GUARD_ALT,   /* a character after an ESC; if len is 0: a lone ESC */
	GUARD_KEY,   /* a CSI or SS3 key, safe for libtermkey */
	GUARD_LINUX, /* ESC [ [ x, F1 to F5 of the Linux console; bytes holds x, 'A' to 'E' */
	GUARD_MOUSE, /* an SGR mouse report: number[0] to number[2], and bytes[len - 1], which is 'M' or 'm' */
	GUARD_PASTE, /* a paste; bytes holds the text, unchanged */
	GUARD_REPLY, /* a reply to a query; bytes holds "[?62;4c" or "]11;rgb:0/0/0" (without its terminator) */
};

enum input_guard_state {
	GUARD_IN_TEXT,
	GUARD_IN_UTF8,
	GUARD_IN_ESC,
	GUARD_IN_CSI,
	GUARD_IN_SS3,
	GUARD_IN_STRING,
	GUARD_IN_X10,
	GUARD_IN_LINUX,
	GUARD_IN_PASTE,
};

enum { GUARD_ROOM = 16 << 10 }; /* longer pastes are cut */

struct input_guard {
	enum input_guard_state state;
	bool alt;           /* the current character follows an ESC */
	bool bad;           /* the current sequence will be dropped */
	bool in_string;     /* the ESC is inside a string; a '\\' after it ends the string */
	bool reply;         /* the current sequence may be a reply, so its bytes are kept */
	uint8_t introducer; /* byte after the ESC */
	unsigned left;      /* bytes still missing, of a code point or an X10 mouse report */
	unsigned match;     /* bytes of the paste's end marker seen so far */
	int waited;         /* ms since the last byte */
	uint32_t number[3]; /* first parameters of a sequence */
	size_t len;
	uint8_t bytes[GUARD_ROOM];
};

/* Process one byte. Return the unit that it completes; g->bytes and g->len hold it until the next call. Initialize
 * *g with zeros. */
enum input_guard_unit input_guard_byte(struct input_guard *g, uint8_t byte);

/* Return whether a unit is incomplete. */
bool input_guard_pending(const struct input_guard *g);

/* Report that nothing arrived for another `ms` milliseconds. Return the unit that the pending bytes now are (a lone
 * ESC), or GUARD_NONE if they still wait or were dropped. */
enum input_guard_unit input_guard_silence(struct input_guard *g, int ms);

#endif
