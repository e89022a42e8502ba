/* frame.h - read one record (event) of the data section: its extent, time, tag and payload.
 *
 * Reading never leaves [0, end). Payloads are not interpreted, except for two records whose declared size differs from
 * their real size: DATA_END, which has no time, and IPE, for which GHC 9.6.5 and later write a length that is one too
 * large. */
#ifndef EVL_FRAME_H
#define EVL_FRAME_H

#include "format/header.h"

struct frame {
	uint64_t off;  /* file offset of the first byte */
	uint64_t next; /* file offset of the first byte after the record */
	uint64_t t;    /* ns since the start of the run-time system */
	struct evl_str payload;
	uint16_t tag;
};

enum frame_result {
	FRAME_OK,
	FRAME_DATA_END,   /* end of the data section; only off, next and tag are set */
	FRAME_CUT,        /* the record extends beyond `end` */
	FRAME_UNDECLARED, /* the header does not declare the tag, so the length is unknown */
	FRAME_BAD_TIME,   /* a time of 2^63 ns (292 years) or more; all of *out is set */
};

enum { FRAME_FIXED = 10, FRAME_VARIABLE = 12 }; /* bytes before a payload of fixed or variable size */
enum { BLOCK_HEAD = 24 };                       /* bytes of a block marker, including its payload */

/* Read the record at offset off < end of `data`. FRAME_CUT and FRAME_UNDECLARED set only off and tag (tag is 0 if it is
 * cut, too). frame_read_any handles all records; frame_read is the fast path for most of them and falls back on it. */
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
