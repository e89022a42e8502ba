/* input_guard.h - lexer between the terminal and libtermkey that passes only complete, known sequences.
 *
 * libtermkey 0.22 crashes on six bytes, smashes the stack on 17 parameters and treats replies of the terminal as
 * keys. The guard cuts the stream into units and passes only those that are complete and known: text, keys, mouse
 * reports, pastes. Strings, unknown and over-long sequences are swallowed to their end, so that no part of them is
 * treated as typed keys; replies are passed as replies. It also knows how long an incomplete unit may wait for its
 * rest. */
#ifndef EVTUI_INPUT_GUARD_H
#define EVTUI_INPUT_GUARD_H

#include "base/base.h"

enum input_guard_unit {
	GUARD_NONE,  /* nothing is complete yet */
	GUARD_TEXT,  /* one character: a control byte, ASCII, or one code point of strict UTF-8 */
	GUARD_ALT,   /* the same after an ESC; the ESC alone: len is 0 */
	GUARD_KEY,   /* CSI or SS3 key, fit for libtermkey */
	GUARD_LINUX, /* ESC [ [ x, F1 to F5 of the Linux console; bytes holds x, 'A'…'E' */
	GUARD_MOUSE, /* SGR mouse report: number[0…2] and bytes[len - 1], which is 'M' or 'm' */
	GUARD_PASTE, /* bytes holds the pasted text, unchanged */
	GUARD_REPLY, /* the terminal's answer to a question: bytes holds "[?62;4c" or "]11;rgb:0/0/0", ends cut off of the latter */
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

enum { GUARD_ROOM = 16 << 10 }; /* more of a paste is dropped */

struct input_guard {
	enum input_guard_state state;
	bool alt;           /* the character being read follows an ESC */
	bool bad;           /* this sequence will be swallowed */
	bool in_string;     /* the ESC is in a string: with a '\\' it ends the string */
	bool reply;         /* what is being read may be one: its bytes are kept */
	uint8_t introducer; /* what followed the ESC */
	unsigned left;      /* bytes to come: of a code point, of an X10 report */
	unsigned match;     /* bytes of the paste's end seen */
	int waited;         /* ms since the last byte */
	uint32_t number[3];
	size_t len;
	uint8_t bytes[GUARD_ROOM];
};

/* One byte in; the unit that it completes. guard->bytes and ->len hold it until the next call. A zeroed struct is a
 * guard at its beginning. */
enum input_guard_unit input_guard_byte(struct input_guard *g, uint8_t byte);

/* Something is unfinished. */
bool input_guard_pending(const struct input_guard *g);

/* Nothing arrived for `ms` more milliseconds: the pending bytes may now be a complete unit (a lone ESC), or are
 * dropped. */
enum input_guard_unit input_guard_silence(struct input_guard *g, int ms);

#endif
