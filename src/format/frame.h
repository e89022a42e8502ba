/* frame.h - one record of the data section: its extent, time, tag and payload.
 *
 * Never reads outside of [0, end). Does not interpret payloads, except for the two records whose declared size
 * is not their real one: DATA_END, which has no time, and IPE, whose length GHC 9.6.5 and later write one too large. */
#ifndef EVL_FRAME_H
#define EVL_FRAME_H

#include "format/header.h"

struct frame {
	uint64_t off;  /* of its first byte in the file */
	uint64_t next; /* of the first byte after it */
	uint64_t t;    /* ns since the start of the program's run-time system */
	struct evl_str payload;
	uint16_t tag;
};

enum frame_result {
	FRAME_OK,
	FRAME_DATA_END,   /* out->next is after it; no time, no payload */
	FRAME_CUT,        /* the record starts before `end` and continues after it */
	FRAME_UNDECLARED, /* a tag that the header does not declare: its length cannot be known */
	FRAME_BAD_TIME,   /* 2^63 ns or more: 292 years. All of *out is set */
};

enum { FRAME_FIXED = 10, FRAME_VARIABLE = 12 }; /* bytes before the payload */
enum { BLOCK_HEAD = 24 };                       /* bytes of a block marker, its payload included */

/* Read the record at off < end. FRAME_CUT and FRAME_UNDECLARED set only off and tag (0 if the tag is cut). frame_read_any
 * handles all records; frame_read is a fast path for most of them. */
enum frame_result frame_read_any(
	const struct header *h, const uint8_t *data, uint64_t off, uint64_t end, struct frame *out);

static inline enum frame_result frame_read(
	const struct header *h, const uint8_t *data, uint64_t off, uint64_t end, struct frame *out)
{
	const uint8_t *p = data + off;
	uint64_t left = end - off;
	int32_t size = likely(left >= FRAME_VARIABLE && p[0] == 0) ? h->quick[p[1]] : HEADER_ODD;
	if (unlikely(size == HEADER_ODD))
		return frame_read_any(h, data, off, end, out);
	uint64_t head = size == EVL_VARIABLE ? FRAME_VARIABLE : FRAME_FIXED;
	uint64_t len = size == EVL_VARIABLE ? be16(p + FRAME_FIXED) : (uint64_t)size, t = be64(p + 2);
	if (unlikely(left - head < len || t > INT64_MAX))
		return frame_read_any(h, data, off, end, out);
	*out = (struct frame){.off = off, .next = off + head + len, .t = t, .payload = {p + head, len}, .tag = p[1]};
	return FRAME_OK;
}

#endif
