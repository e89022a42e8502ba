/* buf.h - growing byte buffer that all output is appended to.
 *
 * A zeroed buffer is ready for use. After an allocation failure it keeps its contents, ignores further appends and
 * sets `failed`: callers append freely and check once. */
#ifndef EVL_BUF_H
#define EVL_BUF_H

#include "base/base.h"

struct buf {
	char *p; /* not NUL-terminated */
	size_t len, room;
	bool failed;
};

void buf_free(struct buf *b);
bool buf_grow(struct buf *b, size_t n) EVL_MUST_USE;

/* Forget the bytes, keep the memory. */
static inline void buf_clear(struct buf *b) { b->len = 0; }

/* Make sure that n more bytes fit. */
static inline EVL_MUST_USE bool buf_fits(struct buf *b, size_t n)
{
	if (likely(b->room - b->len >= n))
		return true;
	return buf_grow(b, n);
}

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

/* The bytes appended since the buffer had this length; valid until it grows. */
static inline struct evl_str buf_since(const struct buf *b, size_t len)
{
	return len < b->len ? (struct evl_str){(const uint8_t *)b->p + len, b->len - len} : (struct evl_str){0};
}
#define buf_lit(b, literal) buf_put(b, literal, sizeof(literal) - 1)
void buf_cstr(struct buf *b, const char *s);

/* Append as printf does, at any length. */
void buf_printf(struct buf *b, const char *format, ...) EVL_PRINTF(2, 3);

/* The lowest bytes of a number, the highest of them first. */
void buf_be(struct buf *b, uint64_t v, unsigned bytes);

void buf_decimal(struct buf *b, uint64_t v);
void buf_signed(struct buf *b, int64_t v);

/* Hexadecimal in lower case: without padding; all bytes, two digits each. */
void buf_hex(struct buf *b, uint64_t v);
void buf_hex_bytes(struct buf *b, struct evl_str s);

#endif
