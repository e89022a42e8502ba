/* find.h - search bytes: memmem and memrchr, which not every system has. */
#ifndef EVL_FIND_H
#define EVL_FIND_H

#include "base/base.h"

/* The first place of n > 0 bytes among those; NULL: nowhere. `what` is short: it is compared wherever its last byte occurs, which
 * should be its rarest. */
void *find_bytes(const void *bytes, size_t len, const void *what, size_t n);

/* The last place of the byte; NULL: nowhere. */
void *find_last_byte(const void *bytes, int byte, size_t len);

/* Is the word among the bytes; is it in the text whatever the case of ASCII letters? */
bool find_word(struct evl_str bytes, const char *word);
bool find_folded(const char *text, const char *word);

#endif
