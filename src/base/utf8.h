/* utf8.h - strict UTF-8 decoding and validation: no surrogates, no overlong forms, nothing above U+10FFFF. */
#ifndef EVL_UTF8_H
#define EVL_UTF8_H

#include "base/base.h"

#define UTF8_BAD UINT32_MAX

enum { UTF8_MAX = 4 };

/* Remove the first code point from *s, which must not be empty, and return it. If no valid sequence starts there,
 * remove one byte and return UTF8_BAD. */
uint32_t utf8_take(struct evl_str *s);

/* Write a code point to out[UTF8_MAX]. Return the number of bytes written. */
size_t utf8_encode(uint32_t cp, char *out);

/* Report whether all of s is valid UTF-8. */
bool utf8_valid(struct evl_str s);

/* Return the first bytes of a text, at most `most`; not cut within a character. */
static inline struct evl_str utf8_cut(struct evl_str s, size_t most)
{
	size_t n = s.len < most ? s.len : most;
	while (n > 0 && n < s.len && n + UTF8_MAX > most && (s.p[n] & 0xc0) == 0x80)
		n--;
	return (struct evl_str){s.p, n};
}

/* Report whether the byte is printable ASCII and neither a nor b. */
static inline bool utf8_is_plain(uint8_t byte, uint8_t a, uint8_t b)
{
	return byte >= 0x20 && byte < 0x7f && byte != a && byte != b;
}

/* Return the number of bytes at the start of s for which utf8_is_plain is true, testing eight at a time. */
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

/* Return the number of printable ASCII bytes at the start of s. */
static inline size_t utf8_plain_run(struct evl_str s) { return utf8_run_without(s, 0, 0); }

/* Report whether a code point is invisible: a control character, a character that reorders text or has no width, a line
 * or paragraph separator, private use, or a noncharacter. */
bool utf8_unseen(uint32_t cp);

#endif
