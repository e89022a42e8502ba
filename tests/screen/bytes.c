/* bytes.c - see bytes.h */
#include "bytes.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_add(struct bytes *b, const void *p, size_t n)
{
	if (b->len + n > b->room) {
		b->room = 2 * (b->len + n);
		b->p = realloc(b->p, b->room);
		if (!b->p)
			abort();
	}
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
}

void bytes_add_text(struct bytes *b, const char *text) { bytes_add(b, text, strlen(text)); }

void bytes_add_format(struct bytes *b, const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	bytes_add_text(b, text);
}

void bytes_add_utf8(struct bytes *b, uint32_t c)
{
	char u[4];
	if (c < 0x80) {
		bytes_add(b, &(char){(char)c}, 1);
		return;
	}
	int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (int i = n - 1; i > 0; i--, c >>= 6)
		u[i] = (char)(0x80 | (c & 0x3f));
	u[0] = (char)((0xf00 >> n & 0xf0) | (int)c);
	bytes_add(b, u, (size_t)n);
}

uint32_t bytes_take_utf8(const char **p)
{
	unsigned char lead = (unsigned char)*(*p)++;
	int more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
	uint32_t c = more ? lead & (0x3fu >> more) : lead;
	for (; more && (**p & 0xc0) == 0x80; more--)
		c = c << 6 | ((uint32_t) * (*p)++ & 0x3f);
	return c;
}

struct bytes bytes_unescape(const char *text)
{
	struct bytes b = {0};
	while (*text) {
		char c = *text++;
		if (c == '\\' && *text) {
			c = *text++;
			if (c == 'x' && isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1])) {
				c = (char)strtol((char[]){text[0], text[1], 0}, NULL, 16);
				text += 2;
			} else {
				c = c == 'e' ? '\033' : c == 'a' ? '\a' : c;
			}
		}
		bytes_add(&b, &c, 1);
	}
	return b;
}
