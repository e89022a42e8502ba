/* input.c - units of the guard to keys. Text and mouse reports are read here; libtermkey reads what the terminal calls
 * its keys, and after every unit it is emptied by force, so that nothing is left for later bytes to fuse with. */
#include "term/input.h"

#include "base/utf8.h"
#include "draw/text.h"
#include "term/input_guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <termkey.h>

enum { PASTE_ROOM = 8192 };

struct input {
	TermKey *tk;
	const char *taken[128]; /* key strings that termkey has from terminfo, while it starts */
	size_t n_taken;
	bool utf8;
	int wait_ms;
	enum input_guard_unit late; /* what a timeout completed; comes before the bytes */
	uint8_t *bytes;             /* pushed, from `at` not looked at yet */
	size_t at, len, room;
	struct input_guard guard;
	uint8_t paste[PASTE_ROOM];
};

/* --- set up --- */

static bool begins(const char *s, const char *prefix) { return strncmp(s, prefix, strlen(prefix)) == 0; }

/* Restrict what libtermkey sees of terminfo. Not the mouse: it takes the SGR introducer there for an old report. Not
 * F13 and up: they are other keys with modifiers. Only what begins with ESC, and no string that is a prefix of
 * another: it aborts on such tables. */
static const char *choose_key(const char *name, const char *value, void *data)
{
	struct input *in = data;
	if (!value || value[0] != '\x1b' || in->n_taken == countof(in->taken))
		return NULL;
	if (strcmp(name, "key_mouse") == 0 || (begins(name, "key_f") && strtol(name + 5, NULL, 10) > 12))
		return NULL;
	for (size_t i = 0; i < in->n_taken; i++) {
		if (begins(value, in->taken[i]) || begins(in->taken[i], value))
			return NULL;
	}
	in->taken[in->n_taken++] = value;
	return value;
}

static int choose_wait(void)
{
	const char *given = getenv("ESCDELAY"), *ssh = getenv("SSH_CONNECTION");
	long ms = given ? strtol(given, NULL, 10) : 0;
	if (ms > 0)
		return ms < 5000 ? (int)ms : 5000;
	return ssh && *ssh ? 100 : 25;
}

struct input *input_new(const char *term, bool utf8)
{
	struct input *in = calloc(1, sizeof *in);
	if (!in)
		return NULL;
	in->utf8 = utf8;
	in->wait_ms = choose_wait();
	in->tk = termkey_new_abstract(term, TERMKEY_FLAG_NOSTART | TERMKEY_FLAG_CONVERTKP | TERMKEY_FLAG_UTF8);
	if (!in->tk) {
		free(in);
		return NULL;
	}
	termkey_hook_terminfo_getstr(in->tk, choose_key, in);
	if (!termkey_start(in->tk)) {
		input_free(in);
		return NULL;
	}
	return in;
}

void input_free(struct input *in)
{
	if (!in)
		return;
	termkey_destroy(in->tk);
	free_all(in->bytes, in);
}

/* --- names --- */

/* Named keys are written in <>, characters only if they have a modifier. */
static bool set_name(struct key *out, const char *base, bool named, int mods)
{
	if (!named && mods == 0)
		snprintf(out->name, sizeof out->name, "%s", base);
	else
		snprintf(out->name, sizeof out->name, "<%s%s%s%s>", mods & MOD_ALT ? "M-" : "",
			mods & MOD_CTRL ? "C-" : "", mods & MOD_SHIFT ? "S-" : "", base);
	out->mods = mods;
	return true;
}

/* Characters with names. A control byte that is not here is Ctrl and a character. */
static const struct {
	uint8_t ch, mods;
	const char *name;
} named_chars[] = {
	{0x00, MOD_CTRL, "Space"},
	{0x09, 0, "Tab"},
	{0x0d, 0, "Enter"},
	{0x1b, 0, "Esc"},
	{0x20, 0, "Space"},
	{0x3c, 0, "lt"},
	{0x7f, 0, "BS"},
};

static bool name_char(const struct input *in, struct key *out, uint32_t ch, int mods)
{
	for (size_t i = 0; i < countof(named_chars); i++) {
		if (ch == named_chars[i].ch)
			return set_name(out, named_chars[i].name, true, mods | named_chars[i].mods);
	}
	if (ch < 0x20) {
		ch |= ch <= 26 ? 0x60 : 0x40;
		mods |= MOD_CTRL;
	}
	if (text_columns(ch) < 0 || (ch >= 0x80 && !in->utf8))
		return false;
	if (mods & MOD_SHIFT && ch >= 'a' && ch <= 'z')
		ch -= 'a' - 'A';
	char base[UTF8_MAX + 1] = "";
	utf8_encode(ch, base);
	return set_name(out, base, false, mods & ~MOD_SHIFT); /* the character tells */
}

static const struct {
	TermKeySym sym;
	const char *name;
} named_syms[] = {
	{TERMKEY_SYM_BACKSPACE, "BS"},
	{TERMKEY_SYM_DEL, "BS"},
	{TERMKEY_SYM_TAB, "Tab"},
	{TERMKEY_SYM_ENTER, "Enter"},
	{TERMKEY_SYM_KPENTER, "Enter"},
	{TERMKEY_SYM_ESCAPE, "Esc"},
	{TERMKEY_SYM_SPACE, "Space"},
	{TERMKEY_SYM_UP, "Up"},
	{TERMKEY_SYM_DOWN, "Down"},
	{TERMKEY_SYM_LEFT, "Left"},
	{TERMKEY_SYM_RIGHT, "Right"},
	{TERMKEY_SYM_INSERT, "Ins"},
	{TERMKEY_SYM_DELETE, "Del"},
	{TERMKEY_SYM_PAGEUP, "PgUp"},
	{TERMKEY_SYM_PAGEDOWN, "PgDn"},
	{TERMKEY_SYM_HOME, "Home"},
	{TERMKEY_SYM_END, "End"},
	{TERMKEY_SYM_FIND, "Home"},
	{TERMKEY_SYM_SELECT, "End"},
};

static bool name_sym(struct key *out, TermKeySym sym, int mods)
{
	for (size_t i = 0; i < countof(named_syms); i++) {
		if (named_syms[i].sym == sym)
			return set_name(out, named_syms[i].name, true, mods);
	}
	return false;
}

static bool name_function(struct key *out, int number, int mods)
{
	char base[8];
	if (number < 1 || number > 63)
		return false;
	snprintf(base, sizeof base, "F%d", number);
	return set_name(out, base, true, mods);
}

/* --- units to keys --- */

static bool name_termkey(const struct input *in, struct key *out, const TermKeyKey *key)
{
	int mods =
		key->modifiers & (MOD_SHIFT | MOD_ALT | MOD_CTRL); /* termkey's bits are ours; others are lock states */
	switch (key->type) {
	case TERMKEY_TYPE_UNICODE:
		return key->code.codepoint >= 0 && name_char(in, out, (uint32_t)key->code.codepoint, mods);
	case TERMKEY_TYPE_FUNCTION: return name_function(out, key->code.number, mods);
	case TERMKEY_TYPE_KEYSYM: return name_sym(out, key->code.sym, mods);
	default: return false;
	}
}

static bool sequence(struct input *in, struct key *out)
{
	TermKeyKey key;
	bool named = false;
	termkey_push_bytes(in->tk, (const char *)in->guard.bytes, in->guard.len);
	for (int i = 0; termkey_getkey_force(in->tk, &key) == TERMKEY_RES_KEY; i++) {
		if (i == 0)
			named = name_termkey(in, out, &key);
	}
	return named;
}

/* A report of the SGR kind. Buttons beyond the wheel are not ours. */
static bool mouse(const struct input_guard *g, struct key *out)
{
	enum { BUTTON = 3, SHIFT = 4, ALT = 8, CTRL = 16, MOTION = 32, WHEEL = 64 };
	static const int wheel[] = {-1, 1, -2, 2};
	uint32_t code = g->number[0], x = g->number[1], y = g->number[2];
	bool released = g->bytes[g->len - 1] == 'm';
	if (code >= 2 * WHEEL || x == 0 || y == 0)
		return false;
	bool wheels = code & WHEEL;
	bool moves = !wheels && (code & BUTTON) == BUTTON && code & MOTION;
	if (wheels ? released || code & MOTION : (code & BUTTON) == BUTTON && !moves)
		return false;
	out->kind = wheels      ? KEY_WHEEL
		: moves         ? KEY_MOVE
		: released      ? KEY_RELEASE
		: code & MOTION ? KEY_DRAG
				: KEY_PRESS;
	out->button = wheels ? wheel[code & BUTTON] : moves ? 0 : (int)(code & BUTTON) + 1;
	out->mods = (code & SHIFT ? MOD_SHIFT : 0) | (code & ALT ? MOD_ALT : 0) | (code & CTRL ? MOD_CTRL : 0);
	out->x = (int)x - 1;
	out->y = (int)y - 1;
	return true;
}

static bool paste(struct input *in, struct key *out)
{
	struct evl_str s = {in->guard.bytes, in->guard.len};
	size_t n = 0;
	while (s.len > 0 && n + UTF8_MAX <= sizeof in->paste) {
		uint32_t ch = utf8_take(&s);
		if (ch == '\r' && s.len > 0 && s.p[0] == '\n')
			continue;
		if (ch == '\r' || ch == '\n' || ch == '\t')
			ch = ' ';
		if (ch != UTF8_BAD && text_columns(ch) >= 0 && (ch < 0x80 || in->utf8))
			n += utf8_encode(ch, (char *)in->paste + n);
	}
	out->kind = KEY_PASTE;
	out->paste = (struct evl_str){in->paste, n};
	return n > 0;
}

/* "rgb:ffff/ffff/ffff", of one to four digits each: is it lighter than it is dark? False: it is no colour. */
static bool parse_colour(const char *s, bool *light)
{
	static const double weights[] = {0.299, 0.587, 0.114};
	double sum = 0;
	if (strncmp(s, "rgb:", 4) != 0)
		return false;
	s += 4;
	for (size_t i = 0; i < countof(weights); i++) {
		size_t digits = strspn(s, "0123456789abcdefABCDEF");
		char one[5] = "";
		if (digits < 1 || digits > 4 || s[digits] != (i < 2 ? '/' : '\0'))
			return false;
		memcpy(one, s, digits);
		sum += weights[i] * (double)strtoul(one, NULL, 16) / (double)((1u << 4 * digits) - 1);
		s += digits + 1;
	}
	*light = sum > 0.5;
	return true;
}

/* Answers to what tty_query asks; others are none of ours. */
static bool reply(const struct input_guard *g, struct key *out)
{
	char text[64];
	bool light;
	if (g->len >= sizeof text)
		return false;
	memcpy(text, g->bytes, g->len);
	text[g->len] = '\0';
	char final = text[g->len - 1];
	out->kind = KEY_REPLY;
	if (begins(text, "]11;") && parse_colour(text + 4, &light))
		out->reply = light ? REPLY_LIGHT : REPLY_DARK;
	else if (strcmp(text, "[?2026;1$y") == 0 || strcmp(text, "[?2026;2$y") == 0)
		out->reply = REPLY_SYNC;
	else if (begins(text, "[?") && final == 'u' && strspn(text + 2, "0123456789") == g->len - 3)
		out->reply = REPLY_KEYS;
	else if (begins(text, "[?") && final == 'c')
		out->reply = REPLY_END;
	else
		return false;
	return true;
}

static bool key_of(struct input *in, enum input_guard_unit unit, struct key *out)
{
	struct evl_str s = {in->guard.bytes, in->guard.len};
	*out = (struct key){.kind = KEY_NAME};
	switch (unit) {
	case GUARD_NONE: return false;
	case GUARD_TEXT: return name_char(in, out, utf8_take(&s), 0);
	case GUARD_ALT:
		return s.len ? name_char(in, out, utf8_take(&s), MOD_ALT) : name_sym(out, TERMKEY_SYM_ESCAPE, 0);
	case GUARD_KEY: return sequence(in, out);
	case GUARD_LINUX: return name_function(out, s.p[0] - 'A' + 1, 0);
	case GUARD_MOUSE: return mouse(&in->guard, out);
	case GUARD_PASTE: return paste(in, out);
	case GUARD_REPLY: return reply(&in->guard, out);
	}
	return false;
}

/* --- the stream --- */

enum { MAX_WAITING = 1 << 20 }; /* more unread bytes than that are dropped */

static bool make_room(struct input *in, size_t more)
{
	in->len -= in->at;
	if (in->len)
		memmove(in->bytes, in->bytes + in->at, in->len);
	in->at = 0;
	size_t want = in->len + more;
	if (want <= in->room)
		return true;
	uint8_t *grown = want <= MAX_WAITING ? realloc(in->bytes, want) : NULL;
	if (!grown)
		return false;
	in->bytes = grown;
	in->room = want;
	return true;
}

void input_push(struct input *in, const uint8_t *bytes, size_t len)
{
	if (len == 0 || !make_room(in, len))
		return;
	memcpy(in->bytes + in->len, bytes, len);
	in->len += len;
}

bool input_next(struct input *in, struct key *out)
{
	enum input_guard_unit late = in->late;
	in->late = GUARD_NONE;
	if (key_of(in, late, out))
		return true;
	while (in->at < in->len) {
		if (key_of(in, input_guard_byte(&in->guard, in->bytes[in->at++]), out))
			return true;
	}
	return false;
}

bool input_pending(const struct input *in)
{
	return in->late == GUARD_NONE && in->at == in->len && input_guard_pending(&in->guard);
}

int input_wait_ms(const struct input *in) { return in->wait_ms; }

void input_set_wait(struct input *in, int ms) { in->wait_ms = ms; }

void input_timeout(struct input *in)
{
	if (input_pending(in))
		in->late = input_guard_silence(&in->guard, in->wait_ms);
}

#define TEXT_OF(x)    #x
#define VERSION_OF(x) TEXT_OF(x)

const char *input_library(void) { return VERSION_OF(TERMKEY_VERSION_MAJOR) "." VERSION_OF(TERMKEY_VERSION_MINOR); }
