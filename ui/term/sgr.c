#include "term/sgr.h"

#include <stdio.h>

void sgr_forget(struct sgr *s) { *s = (struct sgr){.charset = true}; }

/* --- what is wanted --- */

enum { MAX_TOKENS = 32 };

struct token {
	const uint8_t *begin, *end;
	int number; /* without sub-parameters (":…"); -1: none of an SGR sequence */
};

static int number_of(const uint8_t *p, const uint8_t *end)
{
	int n = 0;
	for (; p < end && *p != ':'; p++) {
		if (*p < '0' || *p > '9' || n > 999)
			return -1;
		n = n * 10 + (*p - '0');
	}
	return n;
}

/* 0: too many. */
static size_t split(const uint8_t *p, size_t len, struct token tokens[MAX_TOKENS])
{
	const uint8_t *end = p + len;
	for (size_t n = 0; n < MAX_TOKENS; n++) {
		const uint8_t *stop = memchr(p, ';', (size_t)(end - p));
		tokens[n] = (struct token){p, stop ? stop : end, number_of(p, stop ? stop : end)};
		if (!stop)
			return n + 1;
		p = stop + 1;
	}
	return 0;
}

/* How many tokens a colour of 38 or 48 takes: 38;5;N, 38;2;R;G;B, or one with sub-parameters. 0: no such colour. */
static size_t long_colour(const struct token *t, size_t left)
{
	if (memchr(t->begin, ':', (size_t)(t->end - t->begin)))
		return 1;
	size_t n = left < 2 ? 0 : t[1].number == 5 ? 3 : t[1].number == 2 ? 5 : 0;
	return n <= left ? n : 0;
}

static bool set_colour(char slot[24], const struct token *first, const struct token *last)
{
	size_t len = (size_t)(last->end - first->begin);
	if (len >= 24)
		return false;
	memcpy(slot, first->begin, len);
	slot[len] = '\0';
	return true;
}

static bool within(int n, int low, int high) { return n >= low && n <= high; }

/* Take one parameter into the look; returns the tokens used, 0 for what is not understood. */
static size_t take(struct sgr_look *look, const struct token *t, size_t left)
{
	static const unsigned off[] = {[22] = 1 << 1 | 1 << 2,
		[23] = 1 << 3,
		[24] = 1 << 4,
		[25] = 1 << 5,
		[27] = 1 << 7,
		[28] = 1 << 8,
		[29] = 1 << 9};
	int n = t->number;
	if (n == 0)
		*look = (struct sgr_look){0};
	else if (within(n, 1, 9))
		look->attrs |= 1u << n;
	else if (within(n, 22, 29) && off[n])
		look->attrs &= ~off[n];
	else if (n == 39)
		look->fg[0] = '\0';
	else if (n == 49)
		look->bg[0] = '\0';
	else if (within(n, 30, 37) || within(n, 90, 97))
		return set_colour(look->fg, t, t);
	else if (within(n, 40, 47) || within(n, 100, 107))
		return set_colour(look->bg, t, t);
	else if (n == 38 || n == 48) {
		size_t used = long_colour(t, left);
		return used && set_colour(n == 38 ? look->fg : look->bg, t, t + used - 1) ? used : 0;
	} else
		return 0;
	return 1;
}

static bool want(struct sgr *s, const uint8_t *parameters, size_t len)
{
	struct token tokens[MAX_TOKENS];
	struct sgr_look look = s->want;
	size_t n = split(parameters, len, tokens);
	for (size_t i = 0, used; i < n; i += used) {
		used = take(&look, tokens + i, n - i);
		if (used == 0)
			return false;
	}
	s->want = look;
	return n > 0;
}

/* --- what is sent --- */

struct parameters {
	char text[96];
	size_t len;
	bool any;
};

static void add_parameter(struct parameters *p, const char *text)
{
	int n = snprintf(p->text + p->len, sizeof p->text - p->len, "%s%s", p->any ? ";" : "", text);
	p->len += (size_t)n;
	p->any = true;
}

static void change(struct parameters *p, char *have, const char *wanted, const char *none)
{
	if (strcmp(have, wanted) == 0)
		return;
	add_parameter(p, *wanted ? wanted : none);
	memcpy(have, wanted, sizeof((struct sgr_look *)0)->fg);
}

static void change_attrs(struct parameters *p, struct sgr *s)
{
	if (!s->known || s->have.attrs & ~s->want.attrs) { /* reset: not every terminal can switch one off */
		add_parameter(p, "");
		s->have = (struct sgr_look){0};
		s->known = true;
	}
	for (int n = 1; n <= 9; n++) {
		if (s->want.attrs & ~s->have.attrs & 1u << n)
			add_parameter(p, (char[]){(char)('0' + n), '\0'});
	}
	s->have.attrs = s->want.attrs;
}

static void send(struct sgr *s, bool glyph, struct buf *out)
{
	enum { SEEN_ON_BLANKS = 1 << 4 | 1 << 7 | 1 << 9 }; /* underline, reverse, strike */
	struct parameters p = {.len = 0};
	if (glyph || !s->known || (s->want.attrs | s->have.attrs) & SEEN_ON_BLANKS) {
		change_attrs(&p, s);
		change(&p, s->have.fg, s->want.fg, "39");
	}
	change(&p, s->have.bg, s->want.bg, "49");
	if (!p.any)
		return;
	buf_lit(out, "\x1b[");
	buf_put(out, p.text, p.len);
	buf_char(out, 'm');
}

/* --- the stream --- */

enum { ESC = 0x1b };

/* The length of the sequence at the ESC; a CSI one ends with its final byte. */
static size_t sequence_length(const uint8_t *p, size_t len)
{
	size_t n = 2;
	if (len < 2)
		return len;
	if (p[1] == '[') {
		while (n < len && (p[n] < 0x40 || p[n] > 0x7e))
			n++;
		n++;
	} else if (p[1] >= 0x20 && p[1] <= 0x2f) {
		n = 3;
	}
	return n < len ? n : len;
}

static bool is_csi(const uint8_t *p, size_t len, const char *finals)
{
	return len >= 3 && p[1] == '[' && p[len - 1] && strchr(finals, p[len - 1]);
}

static bool is_charset(const uint8_t *p, size_t len) { return len == 3 && p[1] == '('; }

/* Choosing ASCII belongs to every reset of xterm; only the first one says something new. */
static void charset(struct sgr *s, const uint8_t *p, size_t len, struct buf *out)
{
	bool ascii = p[2] == 'B';
	if (s->charset || !ascii)
		buf_put(out, p, len);
	s->charset = !ascii;
}

static bool is_reverse_index(const uint8_t *p, size_t len) { return len == 2 && p[1] == 'M'; }

/* The sequences of a frame: colours, which are held back; fills with the background; motion. Any other sequence may
 * change the colours without our knowledge. */
static void sequence(struct sgr *s, const uint8_t *p, size_t len, struct buf *out)
{
	if (is_csi(p, len, "m") && want(s, p + 2, len - 3))
		return;
	if (is_charset(p, len)) {
		charset(s, p, len, out);
		return;
	}
	if (is_csi(p, len, "JKXP@LMSTb") || is_reverse_index(p, len))
		send(s, false, out);
	else if (!is_csi(p, len, "ABCDEFGHdfr"))
		s->known = false;
	buf_put(out, p, len);
}

static bool is_motion(uint8_t c) { return c == '\r' || c == '\b' || c == '\t'; }

void sgr_compact(struct sgr *s, const uint8_t *in, size_t len, struct buf *out)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = in[i] == ESC ? sequence_length(in + i, len - i) : 1;
		if (in[i] == ESC) {
			sequence(s, in + i, n, out);
			continue;
		}
		if (!is_motion(in[i]))
			send(s, in[i] > ' ', out);
		buf_char(out, (char)in[i]);
	}
}
