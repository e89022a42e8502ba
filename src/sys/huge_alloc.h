/* huge_alloc.h - allocate large zeroed tables directly from the system, and return them to it */
#ifndef EVL_HUGE_ALLOC_H
#define EVL_HUGE_ALLOC_H

#include "base/base.h"

/* Return zeroed memory, or NULL if memory ran out (recorded by oom_note). Free it with huge_alloc_free and the same
 * size. */
void *huge_alloc_new(size_t bytes);
void huge_alloc_free(void *pages, size_t bytes); /* pages may be NULL */

/* Announce that all of this memory will be written, so that the system can provide it at once, which is cheaper. */
void huge_alloc_fill(void *pages, size_t bytes);

#endif
