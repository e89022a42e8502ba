/* messages.h - number of user messages (traceEvent) in any range of time.
 *
 * For each chain the time of every MESSAGES_STRIDE-th message is kept, 8 bytes: a fraction of a per mille of the
 * log. If few tiles of a window hold messages they are decoded and counted exactly; otherwise counts come from those
 * times and are right to within one stride per chain and edge. One writer per chain, any number of readers. */
#ifndef EVL_MESSAGES_H
#define EVL_MESSAGES_H

#include "base/image.h"
#include "base/rows.h"
#include "index/cursor.h"

enum { MESSAGES_STRIDE = 64, MESSAGES_DECODE = 256 }; /* tiles that are decoded at most */

struct messages {
	struct rows *times;     /* uint64_t; one a chain */
	_Atomic uint64_t *seen; /* messages of each chain */
	_Atomic uint64_t all;
	size_t n;
};

int messages_init(struct messages *m, size_t n_chains) EVL_MUST_USE;
void messages_free(struct messages *m);

/* Messages of one part of a chain; starts as zeros. */
struct message_partial {
	uint64_t *times; /* of every MESSAGES_STRIDE-th, from the first on */
	size_t n, room;
	uint64_t seen;
};
void messages_now(struct message_partial *share, const struct frame *f);

/* Append what the next part of a chain found, and free it. Which messages of a chain have their times kept is then right
 * to within a stride. */
void messages_join(struct messages *m, uint32_t chain, struct message_partial *share);

uint64_t messages_count(const struct messages *m);

struct message_column {
	uint64_t n;
	uint64_t t, off; /* of the first; if exact */
	bool exact;
};

/* The columns of [t0, t1) cut into n equal parts. */
void messages_columns(const struct messages *m, const struct blocks *b, const struct tile_table *tiles, uint64_t t0,
	uint64_t t1, int n, struct message_column *out);

/* To or from a file (image.h). */
void messages_image(struct image *im, struct messages *m, size_t n_chains);

#endif
