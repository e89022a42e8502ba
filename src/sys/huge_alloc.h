/* huge_alloc.h - large zeroed allocations for tables, mapped from and returned to the system directly. */
#ifndef EVL_HUGE_ALLOC_H
#define EVL_HUGE_ALLOC_H

#include "base/base.h"

/* NULL when memory is out; word is left of it (oom_note). */
void *huge_alloc_new(size_t bytes);
void huge_alloc_free(void *pages, size_t bytes); /* NULL is allowed */

/* They will be written to all over: the system may give all the memory at once, which is cheaper than piece by piece. */
void huge_alloc_fill(void *pages, size_t bytes);

#endif
