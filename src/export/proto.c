/* proto.c - protocol buffers. */
#include "export/proto.h"

#include "base/utf8.h"

#include <assert.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, MORE = 0x80, GROUP = 7 };

static char *varint(char *p, uint64_t v)
{
	for (; v >= MORE; v >>= GROUP)
		*p++ = (char)(v | MORE);
	*p++ = (char)v;
	return p;
}

/* A key and maybe a number after it, at once. */
static void put(struct buf *b, uint64_t key, bool has_number, uint64_t v)
{
	enum { MOST = 20 };
	if (!buf_fits(b, MOST))
		return;
	char *begin = b->p + b->len, *end = varint(begin, key);
	end = has_number ? varint(end, v) : end;
	b->len += (size_t)(end - begin);
}

static uint64_t key_of(unsigned field, unsigned wire) { return (uint64_t)field << 3 | wire; }

void proto_number(struct buf *b, unsigned field, uint64_t v) { put(b, key_of(field, VARINT), true, v); }

void proto_fixed64(struct buf *b, unsigned field, uint64_t v)
{
	char bytes[sizeof v];
	for (size_t i = 0; i < sizeof v; i++, v >>= 8)
		bytes[i] = (char)v;
	put(b, key_of(field, FIXED64), false, 0);
	buf_put(b, bytes, sizeof bytes);
}

void proto_bytes(struct buf *b, unsigned field, const void *p, size_t len)
{
	put(b, key_of(field, BYTES), true, len);
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
	put(b, key_of(field, BYTES), false, 0);
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
