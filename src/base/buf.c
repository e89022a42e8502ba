#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DIGITS = 20, FIRST_ROOM = 4096 };

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

/* Two digits a division: this is the inner loop of every dump. */
void buf_decimal(struct buf *b, uint64_t v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
				    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";
	char digits[2 * MAX_DIGITS] = {0}, *p = digits + MAX_DIGITS;
	if (!buf_fits(b, MAX_DIGITS))
		return;
	for (; v >= 100; v /= 100) {
		p -= 2;
		memcpy(p, pairs + v % 100 * 2, 2);
	}
	if (v >= 10) {
		p -= 2;
		memcpy(p, pairs + v * 2, 2);
	} else {
		*--p = (char)('0' + v);
	}
	memcpy(b->p + b->len, p,
		MAX_DIGITS); /* of one size, which is quicker: what is after the last digit does not count */
	b->len += (size_t)(digits + MAX_DIGITS - p);
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
