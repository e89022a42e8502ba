/* proto.c - protocol buffers. */
#include "export/proto.h"

#include "base/utf8.h"

#include <assert.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, MORE = 0x80, GROUP = 7 };

void proto_varint(struct buf *b, uint64_t v)
{
	for (; v >= MORE; v >>= GROUP)
		buf_char(b, (char)(v | MORE));
	buf_char(b, (char)v);
}

static void key(struct buf *b, unsigned field, unsigned wire) { proto_varint(b, (uint64_t)field << 3 | wire); }

void proto_number(struct buf *b, unsigned field, uint64_t v)
{
	key(b, field, VARINT);
	proto_varint(b, v);
}

void proto_fixed64(struct buf *b, unsigned field, uint64_t v)
{
	key(b, field, FIXED64);
	for (int i = 0; i < 64; i += 8)
		buf_char(b, (char)(v >> i));
}

void proto_bytes(struct buf *b, unsigned field, const void *p, size_t len)
{
	key(b, field, BYTES);
	proto_varint(b, len);
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

void proto_text(struct buf *b, unsigned field, struct evl_str s)
{
	size_t open = proto_open(b, field);
	proto_clean(b, s);
	proto_close(b, open);
}

size_t proto_open(struct buf *b, unsigned field)
{
	static const char room[PROTO_LENGTH] = {0};
	key(b, field, BYTES);
	buf_put(b, room, sizeof room);
	return b->len;
}

/* A varint may have more groups than it needs. */
void proto_close(struct buf *b, size_t opened)
{
	size_t len = b->len - opened;
	if (b->failed)
		return;
	assert(len < 1u << (GROUP * PROTO_LENGTH));
	for (size_t i = 0; i < PROTO_LENGTH; i++, len >>= GROUP)
		b->p[opened - PROTO_LENGTH + i] = (char)((len & (MORE - 1)) | (i + 1 < PROTO_LENGTH ? MORE : 0));
}
