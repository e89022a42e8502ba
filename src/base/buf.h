/* buf.h - growing byte buffer to which all output is appended.
 *
 * A zeroed buffer is ready for use. After a failed allocation the buffer keeps its contents, ignores further appends
 * and sets `failed`, so callers append freely and check once. */
#ifndef EVL_BUF_H
#define EVL_BUF_H

#include "base/base.h"

struct buf {
	char *p; /* not NUL-terminated */
	size_t len, room;
	bool failed;
};

void buf_free(struct buf *b);

/* Make room for n more bytes by reallocating. Return false, and set `failed`, if memory ran out. Use buf_fits instead:
 * it calls this only when needed. */
bool buf_grow(struct buf *b, size_t n) EVL_MUST_USE;

/* Set the length to 0 and keep the memory. */
static inline void buf_clear(struct buf *b) { b->len = 0; }

/* Make sure that n more bytes fit. Return false if memory ran out. */
static inline EVL_MUST_USE bool buf_fits(struct buf *b, size_t n)
{
	if (likely(b->room - b->len >= n))
		return true;
	return buf_grow(b, n);
}

/* Append n bytes, a character, or a slice. */
static inline void buf_put(struct buf *b, const void *bytes, size_t n)
{
	if (n == 0 || !buf_fits(b, n))
		return;
	if (!b->p) /* analyzers do not see that there is room now */
		__builtin_unreachable();
	memcpy(b->p + b->len, bytes, n);
	b->len += n;
}

static inline void buf_char(struct buf *b, char c)
{
	if (buf_fits(b, 1))
		b->p[b->len++] = c;
}

static inline void buf_str(struct buf *b, struct evl_str s) { buf_put(b, s.p, s.len); }

/* Return `len` bytes from `at` on; they are valid until the buffer grows. An empty buffer has no memory to point to. */
static inline struct evl_str buf_slice(const struct buf *b, size_t at, size_t len)
{
	return len ? (struct evl_str){(const uint8_t *)b->p + at, len} : (struct evl_str){0};
}

/* Return the bytes appended since the buffer had length `len`; they are valid until the buffer grows. */
static inline struct evl_str buf_since(const struct buf *b, size_t len)
{
	return len < b->len ? buf_slice(b, len, b->len - len) : (struct evl_str){0};
}

/* Append a string literal or a C string. */
#define buf_lit(b, literal) buf_put(b, literal, sizeof(literal) - 1)
void buf_cstr(struct buf *b, const char *s);

/* Append formatted text of any length, as printf does. */
void buf_printf(struct buf *b, const char *format, ...) EVL_PRINTF(2, 3);

/* Append the lowest `bytes` bytes of v, in big-endian order. */
void buf_be(struct buf *b, uint64_t v, unsigned bytes);

/* Append a number in decimal. */
void buf_decimal(struct buf *b, uint64_t v);
void buf_signed(struct buf *b, int64_t v);

/* Append in lower-case hexadecimal: a number without leading zeros, or each byte of s as two digits. */
void buf_hex(struct buf *b, uint64_t v);
void buf_hex_bytes(struct buf *b, struct evl_str s);

#endif
