#include "base/printable.h"

#include "base/utf8.h"

void printable_byte(struct buf *out, uint8_t byte)
{
	buf_lit(out, "\\x");
	buf_hex_bytes(out, (struct evl_str){&byte, 1});
}

static void escape(struct buf *out, uint32_t cp)
{
	if (cp < 0x80) {
		printable_byte(out, (uint8_t)cp);
		return;
	}
	buf_lit(out, "\\u{");
	buf_hex(out, cp);
	buf_char(out, '}');
}

void printable_code_point(struct buf *out, uint32_t cp)
{
	if (buf_fits(out, UTF8_MAX))
		out->len += utf8_encode(cp, out->p + out->len);
}

void printable_char(struct buf *out, uint32_t cp)
{
	if (utf8_unseen(cp))
		escape(out, cp);
	else
		printable_code_point(out, cp);
}

bool printable_next(struct buf *out, struct evl_str *text, uint32_t *cp)
{
	while (text->len) {
		size_t plain = utf8_plain_run(*text);
		buf_put(out, text->p, plain);
		text->p += plain;
		text->len -= plain;
		if (text->len == 0)
			return false;
		uint8_t byte = *text->p;
		*cp = utf8_take(text);
		if (*cp != UTF8_BAD)
			return true;
		printable_byte(out, byte);
	}
	return false;
}

void printable_put(struct buf *out, struct evl_str text, struct printable how)
{
	for (uint32_t cp; printable_next(out, &text, &cp);) {
		if (how.lines && (cp == '\n' || cp == '\t'))
			buf_char(out, (char)cp);
		else if (how.ascii && cp >= 0x80)
			escape(out, cp);
		else
			printable_char(out, cp);
	}
}

size_t printable_whole(struct evl_str text)
{
	static const struct {
		uint8_t mask, lead;
		size_t len;
	} leads[] = {{0xe0, 0xc0, 2}, {0xf0, 0xe0, 3}, {0xf8, 0xf0, 4}};
	for (size_t back = 1; back < UTF8_MAX && back <= text.len; back++) {
		uint8_t byte = text.p[text.len - back];
		for (size_t i = 0; i < countof(leads); i++)
			if ((byte & leads[i].mask) == leads[i].lead)
				return leads[i].len > back ? text.len - back : text.len;
		if ((byte & 0xc0) != 0x80)
			break;
	}
	return text.len;
}
