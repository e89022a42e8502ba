#include "draw/text.h"

#include "base/utf8.h"

#include <ctype.h>
#include <utf8proc.h>
#include <wchar.h>

enum { MIDDLE_DOT = 0xb7, PICTURES = 0x2400, PICTURE_DEL = 0x2421 };

/* --- what may be shown --- */

/* Invisible, or joining its neighbours into a glyph of another width, though the category does not tell: joiner,
 * fillers, inherent vowels, variation selectors, skin tones. */
static const uint32_t hidden[][2] = {
	{0x034f, 0x034f},
	{0x115f, 0x1160},
	{0x17b4, 0x17b5},
	{0x180b, 0x180f},
	{0x3164, 0x3164},
	{0xfe00, 0xfe0f},
	{0xffa0, 0xffa0},
	{0x1f3fb, 0x1f3ff},
	{0xe0100, 0xe01ef},
};

static bool is_hidden(uint32_t ch)
{
	for (size_t i = 0; i < countof(hidden); i++) {
		if (ch >= hidden[i][0] && ch <= hidden[i][1])
			return true;
	}
	return false;
}

/* The width that curses will use: libc's, which in the C locale knows only ASCII. */
static int cell_width(uint32_t ch)
{
	return MB_CUR_MAX > 1 ? wcwidth((wchar_t)ch) : utf8proc_charwidth((utf8proc_int32_t)ch);
}

int text_columns(uint32_t ch)
{
	if (ch < 0x7f)
		return ch < 0x20 ? -1 : 1;
	if (ch > 0x10ffff || is_hidden(ch))
		return -1;
	int width = cell_width(ch);
	switch (utf8proc_category((utf8proc_int32_t)ch)) {
	case UTF8PROC_CATEGORY_CN: /* unassigned */
	case UTF8PROC_CATEGORY_CC: /* controls */
	case UTF8PROC_CATEGORY_CF: /* format: bidi, joiners, tags */
	case UTF8PROC_CATEGORY_CS: /* surrogates */
	case UTF8PROC_CATEGORY_CO: /* private use */
	case UTF8PROC_CATEGORY_ZL: /* line and paragraph separators */
	case UTF8PROC_CATEGORY_ZP: return -1;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ME: return width > 2 ? -1 : width;
	default: return width == 1 || width == 2 ? width : -1;
	}
}

/* The signs of our own texts in ASCII. */
static const struct {
	uint32_t ch;
	char ascii;
} stand_ins[] = {
	{0xb1, '+'},
	{0xb2, '2'},
	{0xb5, 'u'},
	{0xb7, '.'},
	{0xd7, 'x'},
	{0x394, 'd'},
	{0x2013, '-'},
	{0x2014, '-'},
	{0x2022, '*'},
	{0x2026, '~'},
	{0x2190, '<'},
	{0x2191, '^'},
	{0x2192, '>'},
	{0x2193, 'v'},
	{0x2212, '-'},
	{0x2264, '<'},
	{0x2265, '>'},
	{0x2500, '-'},
	{0x2501, '='},
	{0x2502, '|'},
	{0x250a, ';'},
	{0x250b, '%'},
	{0x2514, '`'},
	{0x254c, '-'},
	{0x2571, '/'},
	{0x2575, '\''},
	{0x2588, '#'},
	{0x258b, '|'},
	{0x258c, '|'},
	{0x2591, ':'},
	{0x2592, ':'},
	{0x2594, '\''},
	{0x25b4, '^'},
	{0x25b8, '>'},
	{0x25b9, '>'},
	{0x25bc, 'v'},
	{0x25be, 'v'},
	{0x25c2, '<'},
	{0x2713, '+'},
	{0x2717, 'x'},
};

static char stand_in(uint32_t ch)
{
	for (size_t i = 0; i < countof(stand_ins); i++) {
		if (stand_ins[i].ch == ch)
			return stand_ins[i].ascii;
	}
	return '?';
}

static bool is_control(uint32_t ch) { return ch < 0x20 || ch == 0x7f; }

static void ascii_cell(uint32_t ch, struct text_cell *out)
{
	if (is_control(ch))
		*out = (struct text_cell){.ch = '^', .tail = (uint8_t)(ch ^ 0x40), .width = 2};
	else
		*out = (struct text_cell){.ch = ch < 0x7f ? ch : (uint8_t)stand_in(ch), .width = 1};
}

static void shown_cell(uint32_t ch, struct text_cell *out)
{
	int width = text_columns(ch);
	if (is_control(ch))
		*out = (struct text_cell){.ch = ch == 0x7f ? PICTURE_DEL : PICTURES + ch, .width = 1};
	else if (width > 0)
		*out = (struct text_cell){.ch = ch, .width = width};
	else /* also a combining mark without a base */
		*out = (struct text_cell){.ch = MIDDLE_DOT, .width = 1};
}

/* Combining marks after a cell: two are kept, more are dropped. */
static void take_marks(struct evl_str *s, struct text_cell *out)
{
	size_t kept = 0;
	while (s->len > 0 && s->p[0] >= 0x80) {
		struct evl_str rest = *s;
		uint32_t ch = utf8_take(&rest);
		if (ch == UTF8_BAD || text_columns(ch) != 0)
			return;
		if (kept < countof(out->mark))
			out->mark[kept++] = ch;
		*s = rest;
	}
}

bool text_next(struct evl_str *s, bool ascii, struct text_cell *out)
{
	if (s->len == 0)
		return false;
	uint32_t ch = utf8_take(s);
	if (ascii) {
		ascii_cell(ch, out);
		return true;
	}
	shown_cell(ch, out);
	take_marks(s, out);
	return true;
}

int text_width(struct evl_str s, bool ascii)
{
	int width = 0;
	struct text_cell cell;
	for (s = text_capped(s); text_next(&s, ascii, &cell);)
		width += cell.width;
	return width;
}

bool text_is_unit(struct evl_str s)
{
	static const char *const units[] = {
		"ns", "\xc2\xb5s", "us", "ms", "s", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"};
	for (size_t i = 0; i < countof(units); i++) {
		size_t n = strlen(units[i]);
		if (s.len < n + 1 || s.p[0] != ' ' || memcmp(s.p + 1, units[i], n) != 0)
			continue;
		uint8_t next = s.len > n + 1 ? s.p[n + 1] : ' ';
		if (!isalnum(next) && next < 0x80)
			return true;
	}
	return false;
}

struct evl_str text_take_line(struct evl_str *s, int room, bool ascii)
{
	struct evl_str rest = *s;
	struct text_cell cell;
	size_t fits = 0, blank = 0;
	for (int x = 0; text_next(&rest, ascii, &cell);) {
		size_t at = (size_t)(rest.p - s->p) - 1; /* if it is a blank */
		x += cell.width + (cell.tail != 0);
		if (cell.ch == ' ' && x <= room + 1
			&& !(at && is_digit(s->p[at - 1]) && text_is_unit((struct evl_str){s->p + at, s->len - at})))
			blank = at;
		if (x > room && fits)
			break;
		fits = (size_t)(rest.p - s->p);
	}
	struct evl_str line = {s->p, fits == s->len || blank == 0 ? fits : blank};
	s->p += line.len;
	s->len -= line.len;
	while (s->len && *s->p == ' ')
		s->p++, s->len--;
	return line;
}
