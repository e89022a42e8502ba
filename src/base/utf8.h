/* utf8.h - strict UTF-8 decoding and validation: no surrogates, no overlong forms, nothing above U+10FFFF. */
#ifndef EVL_UTF8_H
#define EVL_UTF8_H

#include "base/base.h"

#define UTF8_BAD UINT32_MAX

enum { UTF8_MAX = 4 };

/* Take one code point from *s, which is not empty. UTF8_BAD: the byte taken begins none. */
uint32_t utf8_take(struct evl_str *s);

/* Write a code point to out[UTF8_MAX]; the number of bytes. */
size_t utf8_encode(uint32_t cp, char *out);

bool utf8_valid(struct evl_str s);

/* The length of the leading run of bytes that are ASCII and no control characters. */
size_t utf8_plain_run(struct evl_str s);

/* Report whether a code point is invisible: controls, characters that reorder text or take no room, line and
 * paragraph separators, private use, noncharacters. */
bool utf8_unseen(uint32_t cp);

#endif
