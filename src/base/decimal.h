/* decimal.h - write the decimal digits of a number, eight at a time: the inner loop of every export. */
#ifndef EVL_DECIMAL_H
#define EVL_DECIMAL_H

#include "base/base.h"

enum { DECIMAL_ROOM = 24 }; /* bytes that may be written at `out`; at most 20 of them are digits */

/* Return the eight digits of v < 10^8 as one byte each (0 to 9), the first digit in the lowest byte. */
static inline uint64_t decimal_eight(uint32_t v)
{
	uint64_t fours = v / 10000 | (uint64_t)(v % 10000) << 32;
	uint64_t hundreds = (fours * 10486) >> 20 & 0x7f0000007f;
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = (twos * 103) >> 10 & 0x000f000f000f000f;
	return tens | (twos - 10 * tens) << 8;
}

/* Write the digits of v < 10^8, with leading zeros. Return the end of the digits. */
static inline char *decimal_all_eight(char *out, uint32_t v)
{
	uint64_t digits = decimal_eight(v) | 0x3030303030303030;
	memcpy(out, &digits, sizeof digits);
	return out + sizeof digits;
}

/* Write the digits of v < 10^8, without leading zeros. Return the end of the digits. */
static inline char *decimal_few(char *out, uint32_t v)
{
	uint64_t digits = decimal_eight(v);
	unsigned zeros = (unsigned)__builtin_ctzll(digits | 1ull << 56) / 8;
	digits = (digits | 0x3030303030303030) >> 8 * zeros;
	memcpy(out, &digits, sizeof digits);
	return out + sizeof digits - zeros;
}

/* Write the digits of v to `out`, which has DECIMAL_ROOM bytes. Return the end of the digits. */
static inline char *decimal_put(char *out, uint64_t v)
{
	enum { EIGHT = 100000000 };
	if (v < 10) {
		*out = (char)('0' + v);
		return out + 1;
	}
	if (v < EIGHT)
		return decimal_few(out, (uint32_t)v);
	uint64_t high = v / EIGHT;
	out = high < EIGHT ? decimal_few(out, (uint32_t)high)
			   : decimal_all_eight(decimal_few(out, (uint32_t)(high / EIGHT)), (uint32_t)(high % EIGHT));
	return decimal_all_eight(out, (uint32_t)(v % EIGHT));
}

#endif
