/* utf8.h - strict UTF-8 decoding and validation: no surrogates, no overlong forms, nothing above U+10FFFF. */
#ifndef EVL_UTF8_H
#define EVL_UTF8_H

#include "base/base.h"

#define UTF8_BAD UINT32_MAX

enum { UTF8_MAX = 4 };

/* Take one code point from *s, which is not empty. Return UTF8_BAD, with one byte taken, if none starts there. */
uint32_t utf8_take(struct evl_str *s);

/* Write a code point to out[UTF8_MAX]; the number of bytes. */
size_t utf8_encode(uint32_t cp, char *out);

bool utf8_valid(struct evl_str s);

/* Is the byte ASCII, no control character, and neither a nor b? */
static inline bool utf8_is_plain(uint8_t byte, uint8_t a, uint8_t b)
{
	return byte >= 0x20 && byte < 0x7f && byte != a && byte != b;
}

/* The length of the leading run of such bytes, found eight at a time. */
static inline size_t utf8_run_without(struct evl_str s, uint8_t a, uint8_t b)
{
	const uint64_t ones = 0x0101010101010101, tops = ones << 7;
	size_t i = 0;
	for (; i + sizeof ones <= s.len; i += sizeof ones) {
		uint64_t v;
		memcpy(&v, s.p + i, sizeof v);
		uint64_t del = v ^ (0x7f * ones), is_a = v ^ (a * ones), is_b = v ^ (b * ones);
		uint64_t odd = (v | ((v - 0x20 * ones) & ~v) | ((del - ones) & ~del) | ((is_a - ones) & ~is_a)
				       | ((is_b - ones) & ~is_b))
			& tops;
		if (odd) /* the lowest bit is exact: borrows only go up */
			return i + (unsigned)__builtin_ctzll(odd) / 8;
	}
	while (i < s.len && utf8_is_plain(s.p[i], a, b))
		i++;
	return i;
}

/* The length of the leading run of bytes that are ASCII and no control characters. */
static inline size_t utf8_plain_run(struct evl_str s) { return utf8_run_without(s, 0, 0); }

/* Report whether a code point is invisible: controls, characters that reorder text or take no room, line and
 * paragraph separators, private use, noncharacters. */
bool utf8_unseen(uint32_t cp);

#endif
