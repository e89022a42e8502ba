/* prefetch.h - background reader of log pages that are not in memory, so that the drawing thread never waits for the
 * disk.
 *
 * Before the drawing thread decodes a piece of the map, it calls prefetch_ready. If a page of the piece is not in
 * memory, the result is false, a background thread reads the piece, and `wake` is called once all requested pieces are
 * in memory. */
#ifndef EVL_PREFETCH_H
#define EVL_PREFETCH_H

#include "bytes/source.h"

struct prefetch;

enum { FETCH_TRUSTED_MS = 50 }; /* how long a page found in memory is assumed to stay there, in milliseconds */

/* Start the background thread, which calls wake(ctx); `wake` must do no more than wake up a waiting thread. src must
 * outlive the result. Return NULL if there is no thread or no memory. */
struct prefetch *prefetch_new(const struct source *src, void (*wake)(void *), void *ctx);

/* Stop the thread and free f, which may be NULL. */
void prefetch_free(struct prefetch *f);

/* Report whether all bytes of [off, off + len) are in memory, and if not, queue them to be read. Bytes past the end of
 * the file count as present. For any thread other than the one that called prefetch_new the result is always true: it
 * may wait. */
bool prefetch_ready(struct prefetch *f, uint64_t off, uint64_t len);

/* Report whether queued pieces are still to be read. A piece is added to prefetch_count before it is removed from the
 * queue. */
bool prefetch_due(const struct prefetch *f);

/* Return the number of pieces read so far. */
uint64_t prefetch_count(const struct prefetch *f);

#endif
