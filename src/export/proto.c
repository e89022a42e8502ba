/* proto.c - protocol buffers. */
#include "export/proto.h"

#include "base/utf8.h"

#include <assert.h>

/* A field in the buffer. */
#define PUT(b, room, put)                                                                                              \
	do {                                                                                                           \
		if (buf_fits(b, room)) {                                                                               \
			char *at = (b)->p + (b)->len;                                                                  \
			(b)->len += (size_t)((put)-at);                                                                \
		}                                                                                                      \
	} while (0)

void proto_number(struct buf *b, unsigned field, uint64_t v) { PUT(b, PROTO_MOST, proto_put_number(at, field, v)); }

void proto_bytes(struct buf *b, unsigned field, const void *p, size_t len)
{
	PUT(b, PROTO_MOST, proto_put_varint(proto_put_varint(at, (uint64_t)field << 3 | PROTO_BYTES), len));
	buf_put(b, p, len);
}

void proto_clean(struct buf *b, struct evl_str s)
{
	char utf8[UTF8_MAX];
	if (utf8_valid(s)) {
		buf_str(b, s);
		return;
	}
	while (s.len) {
		uint32_t cp = utf8_take(&s);
		buf_put(b, utf8, utf8_encode(cp > 0x10ffff ? 0xfffd : cp, utf8));
	}
}

char *proto_put_text(char *p, unsigned field, struct evl_str s)
{
	char *open = p = proto_put_open(p, field);
	if (utf8_valid(s)) {
		if (s.len)
			memcpy(p, s.p, s.len);
		p += s.len;
	} else {
		while (s.len) {
			uint32_t cp = utf8_take(&s);
			p += utf8_encode(cp > 0x10ffff ? 0xfffd : cp, p);
		}
	}
	proto_put_close(open, p);
	return p;
}

void proto_text(struct buf *b, unsigned field, struct evl_str s)
{
	PUT(b, PROTO_MOST + 3 * s.len, proto_put_text(at, field, s));
}

size_t proto_open(struct buf *b, unsigned field)
{
	PUT(b, PROTO_MOST, proto_put_open(at, field));
	return b->len;
}

void proto_close(struct buf *b, size_t opened)
{
	if (b->failed)
		return;
	assert(b->len - opened < 1u << 28);
	proto_put_close(b->p + opened, b->p + b->len);
}
