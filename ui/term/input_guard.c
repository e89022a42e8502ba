#include "term/input_guard.h"

#include "base/utf8.h"

enum { ESC = 0x1b, BEL = 0x07, CAN = 0x18, SUB = 0x1a };

/* How long to wait for the rest of a unit, in ms: a sequence with parameters, a string or a paste was not typed, and
 * treating its rest as typed keys would do harm. */
enum { WAIT_SEQUENCE = 1000, WAIT_PASTE = 2000 };

enum { MAX_PARAMETERS = 14, MAX_DIGITS = 7, MAX_SEQUENCE = 256, MAX_REPLY = 256 };

static void keep(struct input_guard *g, uint8_t byte)
{
	if (g->len < sizeof g->bytes)
		g->bytes[g->len++] = byte;
}

static enum input_guard_unit begin(struct input_guard *g, enum input_guard_state state)
{
	g->state = state;
	g->bad = g->in_string = g->reply = false;
	g->len = 0;
	return GUARD_NONE;
}

static enum input_guard_unit done(struct input_guard *g, enum input_guard_unit unit)
{
	g->state = GUARD_IN_TEXT;
	return unit;
}

/* --- text --- */

static enum input_guard_unit character(struct input_guard *g)
{
	bool alt = g->alt;
	g->alt = false;
	return done(g, alt ? GUARD_ALT : GUARD_TEXT);
}

static enum input_guard_unit in_text(struct input_guard *g, uint8_t byte)
{
	if (byte == ESC)
		return begin(g, GUARD_IN_ESC);
	begin(g, GUARD_IN_TEXT);
	keep(g, byte);
	if (byte < 0x80)
		return character(g);
	if (byte < 0xc2 || byte > 0xf4) { /* no code point begins so; C1 controls among them */
		g->alt = false;
		return GUARD_NONE;
	}
	g->left = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
	g->state = GUARD_IN_UTF8;
	return GUARD_NONE;
}

static enum input_guard_unit in_utf8(struct input_guard *g, uint8_t byte)
{
	if ((byte & 0xc0) != 0x80) { /* cut short: the byte begins something else */
		g->alt = false;
		return in_text(g, byte);
	}
	keep(g, byte);
	if (--g->left > 0)
		return GUARD_NONE;
	struct evl_str s = {g->bytes, g->len};
	if (utf8_take(&s) != UTF8_BAD)
		return character(g);
	g->alt = false;
	return done(g, GUARD_NONE);
}

/* --- sequences --- */

static enum input_guard_unit in_esc(struct input_guard *g, uint8_t byte)
{
	bool st = g->in_string && byte == '\\', reply = g->reply;
	g->introducer = byte;
	switch (byte) {
	case ESC: begin(g, GUARD_IN_ESC); return GUARD_ALT; /* the former one was the key */
	case '[': return begin(g, GUARD_IN_CSI);
	case 'O': return begin(g, GUARD_IN_SS3);
	case ']':
		begin(g, GUARD_IN_STRING);
		g->reply = true;
		return GUARD_NONE;
	case 'P':
	case 'X':
	case '^':
	case '_': return begin(g, GUARD_IN_STRING);
	default: break;
	}
	if (st)
		return done(g, reply ? GUARD_REPLY : GUARD_NONE);
	g->alt = true;
	return in_text(g, byte);
}

/* ESC O x. With a number between them (old xterms, modifiers) it is swallowed. */
static enum input_guard_unit in_ss3(struct input_guard *g, uint8_t byte)
{
	if (is_digit(byte) || byte == ';') {
		g->bad = true;
		return GUARD_NONE;
	}
	if (byte < 0x40 || byte > 0x7e || g->bad)
		return done(g, GUARD_NONE);
	memcpy(g->bytes, (uint8_t[]){ESC, 'O', byte}, 3);
	g->len = 3;
	return done(g, GUARD_KEY);
}

/* Parameters of a CSI sequence, sub-parameters (":…") cut off: "97;2u" of "97:65;2u". Return their number; 0 if one
 * is missing or too long, or there are too many. The first three are also read as numbers. */
static size_t parameters(struct input_guard *g, size_t from)
{
	size_t n = 0, digits = 0, to = from;
	bool sub = false;
	for (size_t i = from; i < g->len - 1; i++) {
		uint8_t b = g->bytes[i];
		if (b == ';') {
			if (digits == 0 || ++n >= MAX_PARAMETERS)
				return 0;
			digits = 0;
			sub = false;
		} else if (b == ':') {
			sub = true;
			continue;
		} else if (sub) {
			continue;
		} else if (++digits > MAX_DIGITS) {
			return 0;
		} else if (n < countof(g->number)) {
			g->number[n] = (digits == 1 ? 0 : g->number[n] * 10) + (uint32_t)(b - '0');
		}
		g->bytes[to++] = b;
	}
	g->bytes[to++] = g->bytes[g->len - 1];
	g->len = to;
	return digits > 0 ? n + 1 : 0;
}

static enum input_guard_unit key_unit(struct input_guard *g)
{
	memmove(g->bytes + 2, g->bytes, g->len);
	memcpy(g->bytes, "\x1b[", 2);
	g->len += 2;
	return GUARD_KEY;
}

/* "?62;4c", after its introducer. */
static enum input_guard_unit reply_unit(struct input_guard *g)
{
	if (g->len >= MAX_REPLY)
		return GUARD_NONE;
	memmove(g->bytes + 1, g->bytes, g->len);
	g->bytes[0] = '[';
	g->len++;
	return GUARD_REPLY;
}

/* A finished CSI sequence, without its introducer: digits, ';' and ':', perhaps '<' before them, and the final byte. */
static enum input_guard_unit csi_unit(struct input_guard *g, uint8_t final)
{
	bool bare = g->len == 1, sgr = g->bytes[0] == '<';
	size_t n = bare ? 0 : parameters(g, sgr ? 1 : 0);
	if (sgr)
		return n == 3 && (final == 'M' || final == 'm') ? GUARD_MOUSE : GUARD_NONE;
	if (!bare && n == 0)
		return GUARD_NONE;
	if (final == 'R' && n > 0
		&& (n != 2 || g->number[0] != 1 || g->number[1] > 16)) /* F3; or where the cursor is */
		return GUARD_NONE;
	if (strchr("ABCDEFHPQRSZabcd", final))
		return key_unit(g);
	if (final == 'u' && n > 0)
		return key_unit(g);
	if (final == '~' && n > 0 && (g->number[0] != 27 || n == 3))
		return key_unit(g);
	return GUARD_NONE;
}

static bool is_paste_start(const struct input_guard *g) { return g->len == 4 && memcmp(g->bytes, "200~", 4) == 0; }

static enum input_guard_unit csi_final(struct input_guard *g, uint8_t final)
{
	g->state = GUARD_IN_TEXT;
	if (g->bad)
		return GUARD_NONE;
	if (g->reply) {
		keep(g, final);
		return reply_unit(g);
	}
	if (g->len == 0 && final == 'M') { /* an X10 report: three bytes of any value */
		g->left = 3;
		return begin(g, GUARD_IN_X10);
	}
	if (g->len == 0 && final == '[')
		return begin(g, GUARD_IN_LINUX);
	keep(g, final);
	if (is_paste_start(g)) {
		g->match = 0;
		return begin(g, GUARD_IN_PASTE);
	}
	return csi_unit(g, final);
}

static enum input_guard_unit in_csi(struct input_guard *g, uint8_t byte)
{
	if (byte == CAN || byte == SUB)
		return done(g, GUARD_NONE);
	if (byte >= 0x40 && byte <= 0x7e)
		return csi_final(g, byte);
	bool digit = byte >= '0' && byte <= ';'; /* and ':' */
	bool leader = byte == '<' && g->len == 0;
	g->reply = g->reply || (byte == '?' && g->len == 0);
	bool fits = g->reply ? byte >= 0x20 && byte < 0x40 : digit || leader;
	if (!fits || g->len >= MAX_SEQUENCE)
		g->bad = true;
	else
		keep(g, byte);
	return GUARD_NONE;
}

/* OSC, DCS and the like end with ST (ESC \) or BEL. The start of an OSC is kept: it may be a reply. */
static enum input_guard_unit in_string(struct input_guard *g, uint8_t byte)
{
	g->bad = true; /* it has content, so it is no typed ESC ] */
	if (byte == CAN || byte == SUB)
		return done(g, GUARD_NONE);
	if (byte == BEL)
		return done(g, g->reply && g->len ? GUARD_REPLY : GUARD_NONE);
	if (g->reply && g->len == 0)
		keep(g, ']');
	if (g->reply && g->len < MAX_REPLY)
		keep(g, byte);
	else
		g->reply = false;
	return GUARD_NONE;
}

static enum input_guard_unit in_x10(struct input_guard *g, UNUSED uint8_t byte)
{
	return --g->left == 0 ? done(g, GUARD_NONE) : GUARD_NONE;
}

static enum input_guard_unit in_linux(struct input_guard *g, uint8_t byte)
{
	keep(g, byte);
	return done(g, byte >= 'A' && byte <= 'E' ? GUARD_LINUX : GUARD_NONE);
}

/* --- paste --- */

static enum input_guard_unit in_paste(struct input_guard *g, uint8_t byte)
{
	static const uint8_t end[] = "\x1b[201~";
	if (byte == end[g->match]) {
		if (++g->match < sizeof end - 1)
			return GUARD_NONE;
		return done(g, GUARD_PASTE);
	}
	for (unsigned i = 0; i < g->match; i++)
		keep(g, end[i]);
	g->match = byte == ESC;
	if (!g->match)
		keep(g, byte);
	return GUARD_NONE;
}

/* --- all of them --- */

enum input_guard_unit input_guard_byte(struct input_guard *g, uint8_t byte)
{
	static enum input_guard_unit (*const in[])(struct input_guard *, uint8_t) = {
		[GUARD_IN_TEXT] = in_text,
		[GUARD_IN_UTF8] = in_utf8,
		[GUARD_IN_ESC] = in_esc,
		[GUARD_IN_CSI] = in_csi,
		[GUARD_IN_SS3] = in_ss3,
		[GUARD_IN_STRING] = in_string,
		[GUARD_IN_X10] = in_x10,
		[GUARD_IN_LINUX] = in_linux,
		[GUARD_IN_PASTE] = in_paste,
	};
	g->waited = 0;
	bool open = g->state == GUARD_IN_CSI || g->state == GUARD_IN_SS3 || g->state == GUARD_IN_STRING;
	if (byte == ESC && open) { /* ends what was unfinished; within a string it may be half of ST */
		bool within = g->state == GUARD_IN_STRING, reply = within && g->reply && g->len;
		size_t len = g->len;
		begin(g, GUARD_IN_ESC);
		g->in_string = within;
		g->reply = reply;
		g->len = reply ? len : 0; /* it may end here */
		return GUARD_NONE;
	}
	return in[g->state](g, byte);
}

bool input_guard_pending(const struct input_guard *g) { return g->state != GUARD_IN_TEXT; }

/* An introducer that nothing followed may be a key: Esc, Alt-[, Alt-O, Alt-]. */
static bool is_typed(const struct input_guard *g)
{
	bool introducer = g->state == GUARD_IN_CSI || g->state == GUARD_IN_SS3 || g->state == GUARD_IN_STRING;
	return g->state == GUARD_IN_ESC || (introducer && !g->bad && g->len == 0);
}

static enum input_guard_unit typed(struct input_guard *g)
{
	bool alone = g->state == GUARD_IN_ESC;
	g->len = 0;
	if (!alone)
		keep(g, g->introducer);
	return done(g, GUARD_ALT);
}

enum input_guard_unit input_guard_silence(struct input_guard *g, int ms)
{
	bool paste = g->state == GUARD_IN_PASTE;
	g->waited += ms;
	if (!input_guard_pending(g))
		return GUARD_NONE;
	if (is_typed(g))
		return typed(g);
	if (g->waited < (paste ? WAIT_PASTE : WAIT_SEQUENCE))
		return GUARD_NONE;
	g->alt = false;
	return done(g, paste ? GUARD_PASTE : GUARD_NONE);
}
