/* messages.h - number of user messages (traceEvent) in any range of time.
 *
 * For each chain (the blocks of one capability), the time of every MESSAGES_STRIDE-th message is stored in 8 bytes: at
 * most about 1 % of the size of the messages themselves. If few tiles (tiles.h) of a range contain messages, they are
 * decoded and counted exactly. Otherwise counts are computed from the stored times and are accurate to one stride per
 * chain at each end. One writer per chain, any number of readers. */
#ifndef EVL_MESSAGES_H
#define EVL_MESSAGES_H

#include "base/image.h"
#include "base/rows.h"
#include "index/cursor.h"

enum { MESSAGES_STRIDE = 64, MESSAGES_DECODE = 256 }; /* MESSAGES_DECODE: largest number of tiles decoded */

struct messages {
	struct rows *times;     /* uint64_t, ns; one table per chain */
	_Atomic uint64_t *seen; /* number of messages of each chain */
	_Atomic uint64_t all;   /* number of all messages */
	size_t n;
};

/* Allocate empty tables for all chains. Return 0 or EVL_NOMEM. */
int messages_init(struct messages *m, size_t n_chains) EVL_MUST_USE;
void messages_free(struct messages *m);

/* The messages of one part of a chain. Initialise with zeros. */
struct message_partial {
	uint64_t *times; /* times of every MESSAGES_STRIDE-th message, starting with the first */
	size_t n, room;
	uint64_t seen;
};

/* Count the event in the part if it is a message. */
void messages_now(struct message_partial *partial, const struct frame *f);

/* Append the messages of the next part of a chain, and free it. At the border of two parts, the distance between stored
 * messages may differ from the stride by up to one stride. */
void messages_join(struct messages *m, uint32_t chain, struct message_partial *partial);

/* Return the number of all messages. */
uint64_t messages_count(const struct messages *m);

struct message_column {
	uint64_t n;
	uint64_t t, off; /* time and file offset of the first message, if exact */
	bool exact;
};

/* Fill out[n] with the counts of [t0, t1) divided into n equal columns. */
void messages_columns(const struct messages *m, const struct blocks *b, const struct tile_table *tiles, uint64_t t0,
	uint64_t t1, int n, struct message_column *out);

/* Save or load the tables (image.h). */
void messages_image(struct image *im, struct messages *m, size_t n_chains);

#endif
