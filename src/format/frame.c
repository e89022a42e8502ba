#include "format/frame.h"

#include "format/schema.h"

enum { IPE_ID = 8, IPE_STRINGS = 6 };

/* The bytes that an IPE payload of the declared length really takes: u64 and six NUL-terminated strings.
 * room: bytes until the end of the block. */
static uint64_t ipe_len(const uint8_t *payload, uint64_t declared, uint64_t room)
{
	uint64_t at = IPE_ID;
	for (int i = 0; i < IPE_STRINGS; i++) {
		const uint8_t *nul = at < room ? memchr(payload + at, 0, room - at) : NULL;
		if (!nul)
			return declared;
		at = (uint64_t)(nul - payload) + 1;
	}
	return at;
}

enum frame_result frame_read_any(
	const struct header *h, const uint8_t *data, uint64_t off, uint64_t end, struct frame *out)
{
	const uint8_t *p = data + off;
	uint64_t left = end - off;
	*out = (struct frame){.off = off, .next = off, .tag = left >= 2 ? be16(p) : 0};
	if (left < 2)
		return FRAME_CUT;
	if (out->tag == EVL_DATA_END) {
		out->next = off + 2;
		return FRAME_DATA_END;
	}
	const struct header_type *type = header_find(h, out->tag);
	if (!type)
		return FRAME_UNDECLARED;
	uint64_t head = type->size == EVL_VARIABLE ? FRAME_VARIABLE : FRAME_FIXED;
	if (left < head)
		return FRAME_CUT;
	out->t = be64(p + 2);
	uint64_t len = type->size == EVL_VARIABLE ? be16(p + FRAME_FIXED) : (uint64_t)type->size;
	if (out->tag == EVL_IPE && type->size == EVL_VARIABLE)
		len = ipe_len(p + head, len, left - head);
	if (left - head < len)
		return FRAME_CUT;
	out->payload = (struct evl_str){p + head, len};
	out->next = off + head + len;
	return out->t > INT64_MAX ? FRAME_BAD_TIME : FRAME_OK;
}
