/* pages.h - large pieces of zeroed memory for tables that may grow to a good part of the machine's: they come from the
 * system and go back to it at once. */
#ifndef EVL_PAGES_H
#define EVL_PAGES_H

#include "base/base.h"

/* NULL when memory is out; word is left of it (evl_noted). */
void *pages_new(size_t bytes);
void pages_free(void *pages, size_t bytes); /* NULL is allowed */

/* They will be written to all over: the system may give all the memory at once, which is cheaper than piece by piece. */
void pages_fill(void *pages, size_t bytes);

#endif
