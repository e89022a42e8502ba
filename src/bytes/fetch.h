/* fetch.h - pages of the log that are not in memory, fetched by a thread of its own.
 *
 * Who draws the screen must not wait for a disk. Before it decodes a piece of the map it asks fetch_ready; where a page
 * is missing the answer is no, the piece is read in the background, and wake is called when it is there. */
#ifndef EVL_FETCH_H
#define EVL_FETCH_H

#include "bytes/source.h"

struct fetch;

enum { FETCH_TRUSTED_MS = 50 }; /* for so long it is believed of what was in memory that it still is */

/* NULL when no thread or no memory can be had. wake(ctx) only wakes a sleeper. The source outlives it. */
struct fetch *fetch_new(const struct source *src, void (*wake)(void *), void *ctx);
void fetch_free(struct fetch *f);

/* Are all bytes of [off, off + len) in memory? What lies behind the end of the file counts as there. Only the thread that
 * called fetch_new must not wait: any other hears yes. */
bool fetch_ready(struct fetch *f, uint64_t off, uint64_t len);

/* Is anything that was asked for still on its way? Each piece is counted before it is no longer. */
bool fetch_due(const struct fetch *f);

/* How many pieces were fetched so far. */
uint64_t fetch_count(const struct fetch *f);

#endif
