/* proto.h - protocol buffers: append the fields of a message to a buffer or to memory. */
#ifndef EVL_PROTO_H
#define EVL_PROTO_H

#include "base/buf.h"

/* Append a field: a number (varint), bytes, or text, in which each byte that is not part of valid UTF-8 becomes
 * U+FFFD. */
void proto_number(struct buf *b, unsigned field, uint64_t v);
void proto_bytes(struct buf *b, unsigned field, const void *p, size_t len);
void proto_text(struct buf *b, unsigned field, struct evl_str s);

/* Append only the text, without a field: each byte that is not part of valid UTF-8 becomes U+FFFD. */
void proto_clean(struct buf *b, struct evl_str s);

/* Open and close a nested message, which consists of the fields appended in between. proto_open returns the value to
 * pass to proto_close. The length takes PROTO_LENGTH bytes. */
enum { PROTO_LENGTH = 4 };
size_t proto_open(struct buf *b, unsigned field);
void proto_close(struct buf *b, size_t opened);

/* Write a field, or only a number (varint), to memory. Return the end of the bytes written. The caller provides
 * PROTO_MOST bytes per field, plus three times the length of a text. proto_put_open starts a nested message,
 * proto_put_close ends it. */
enum { PROTO_MOST = 20, PROTO_VARINT = 0, PROTO_FIXED64 = 1, PROTO_BYTES = 2 };

static inline char *proto_put_varint(char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (char)(v | 0x80);
	*p++ = (char)v;
	return p;
}

static inline char *proto_put_number(char *p, unsigned field, uint64_t v)
{
	return proto_put_varint(proto_put_varint(p, (uint64_t)field << 3 | PROTO_VARINT), v);
}

static inline char *proto_put_fixed64(char *p, unsigned field, uint64_t v)
{
	p = proto_put_varint(p, (uint64_t)field << 3 | PROTO_FIXED64);
	for (unsigned i = 0; i < sizeof v; i++)
		*p++ = (char)(v >> 8 * i);
	return p;
}

static inline char *proto_put_open(char *p, unsigned field)
{
	return proto_put_varint(p, (uint64_t)field << 3 | PROTO_BYTES) + PROTO_LENGTH;
}

/* Write the length of a nested message; `opened` is the result of proto_put_open. The varint is padded to PROTO_LENGTH
 * bytes, as the format permits. */
static inline void proto_put_close(char *opened, const char *end)
{
	size_t len = (size_t)(end - opened);
	opened[-4] = (char)(len | 0x80);
	opened[-3] = (char)(len >> 7 | 0x80);
	opened[-2] = (char)(len >> 14 | 0x80);
	opened[-1] = (char)(len >> 21);
}

char *proto_put_text(char *p, unsigned field, struct evl_str s);

#endif
