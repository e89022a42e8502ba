/* pages.h - large pieces of zeroed memory for tables that may grow to a good part of the machine's.
 *
 * They come from the system and go back to it at once, and may ask for its huge pages: a table that is filled all over
 * then costs one page fault for 2 MiB instead of 512. One that is filled here and there must not ask. */
#ifndef EVL_PAGES_H
#define EVL_PAGES_H

#include "base.h"

/* A multiple of PAGES_PIECE bytes, aligned to it. NULL when memory is out; word is left of it (evl_noted). */
enum { PAGES_PIECE = 2 << 20 };
void *pages_new(size_t bytes, bool huge);
void pages_free(void *pages, size_t bytes); /* NULL is allowed */

#endif
