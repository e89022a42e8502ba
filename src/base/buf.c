#include "base/buf.h"

#include "base/decimal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 4096 };

static const char hex_digits[] = "0123456789abcdef";

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){0};
}

bool buf_grow(struct buf *b, size_t n)
{
	size_t want = b->room ? b->room : FIRST_ROOM;
	while (want - b->len < n && want <= SIZE_MAX / 2)
		want *= 2;
	char *grown = !b->failed && want - b->len >= n ? realloc(b->p, want) : NULL;
	if (!grown) {
		b->failed = true;
		return false;
	}
	b->p = grown;
	b->room = want;
	return true;
}

void buf_cstr(struct buf *b, const char *s) { buf_put(b, s, strlen(s)); }

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(b->room > b->len ? b->p + b->len : NULL, b->room - b->len, format, args);
	size_t len = n > 0 ? (size_t)n : 0;
	if (n < 0) {
		b->failed = true;
	} else if (len >= b->room - b->len) { /* the first time only measured it; there is a NUL as well */
		if (buf_fits(b, len + 1))
			vsnprintf(b->p + b->len, len + 1, format, again);
		else
			len = 0;
	}
	b->len += len;
	va_end(again);
	va_end(args);
}

void buf_be(struct buf *b, uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		buf_char(b, (char)(uint8_t)(v >> 8 * bytes));
}

void buf_decimal(struct buf *b, uint64_t v)
{
	if (buf_fits(b, DECIMAL_ROOM))
		b->len = (size_t)(decimal_put(b->p + b->len, v) - b->p);
}

void buf_signed(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_decimal(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_hex(struct buf *b, uint64_t v)
{
	char digits[16], *p = digits + sizeof digits;
	do {
		*--p = hex_digits[v & 15];
		v >>= 4;
	} while (v);
	buf_put(b, p, (size_t)(digits + sizeof digits - p));
}

void buf_hex_bytes(struct buf *b, struct evl_str s)
{
	if (!buf_fits(b, s.len * 2))
		return;
	for (size_t i = 0; i < s.len; i++) {
		b->p[b->len++] = hex_digits[s.p[i] >> 4];
		b->p[b->len++] = hex_digits[s.p[i] & 15];
	}
}
