/* find.h - search bytes for a word or a byte: memmem and memrchr, which not every system has. */
#ifndef EVL_FIND_H
#define EVL_FIND_H

#include "base/base.h"

/* Return the first occurrence of what[n] in bytes[len], or NULL; n must not be 0. The search stops at each occurrence
 * of the last byte of `what`, so it is fastest if that byte is rare. */
void *find_bytes(const void *bytes, size_t len, const void *what, size_t n);

/* Return the last occurrence of the byte, or NULL. */
void *find_last_byte(const void *bytes, int byte, size_t len);

/* Report whether the word occurs in the bytes (case-sensitive). */
bool find_word(struct evl_str bytes, const char *word);

/* Report whether a word of the text begins so ("gc" in "all GCs", not in "logcat"), ignoring the case of ASCII
 * letters. */
bool find_start(const char *text, const char *start);

#endif
