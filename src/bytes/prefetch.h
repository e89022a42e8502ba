/* prefetch.h - background reader of log pages that are not in memory, so that the drawing thread never waits for the
 * disk.
 *
 * Before it decodes a piece of the map the drawing thread calls prefetch_ready; if a page is missing the answer is
 * no, a thread reads the piece, and wake is called when it is in memory. */
#ifndef EVL_PREFETCH_H
#define EVL_PREFETCH_H

#include "bytes/source.h"

struct prefetch;

enum { FETCH_TRUSTED_MS = 50 }; /* for so long it is believed of what was in memory that it still is */

/* NULL when no thread or no memory can be had. wake(ctx) only wakes a sleeper. The source outlives it. */
struct prefetch *prefetch_new(const struct source *src, void (*wake)(void *), void *ctx);
void prefetch_free(struct prefetch *f);

/* Report whether all bytes of [off, off + len) are in memory; those past the end of the file count as present. Only
 * the thread that called prefetch_new must not wait: for any other the answer is true. */
bool prefetch_ready(struct prefetch *f, uint64_t off, uint64_t len);

/* Is anything that was asked for still on its way? Each piece is counted before it is no longer. */
bool prefetch_due(const struct prefetch *f);

/* How many pieces were fetched so far. */
uint64_t prefetch_count(const struct prefetch *f);

#endif
