/* log_gaps.h - gaps in a capability's log while its full buffer was being written
 *
 * A gap is the time between the end of a block and the start of the next block of the same capability, in which no
 * events are logged. The blocks of a capability form a chain. Gaps are found while the parts of a chain are walked. A gap of
 * at least GAPS_LEAST_NS takes 16 bytes; shorter ones are left out. series.h limits the number of gaps kept. */
#ifndef EVL_LOG_GAPS_H
#define EVL_LOG_GAPS_H

#include "index/blocks.h"
#include "index/series.h"

enum { GAPS_LEAST_NS = 1000000 };

/* A gap [from, to) in the log of a capability. */
struct gap {
	uint64_t from, to;
	uint16_t cap; /* EVL_NO_CAP: the log outside of all capabilities */
};

/* The last block of a chain: its file offset, and when it was flushed; 0: events outside blocks. */
struct log_gaps_end {
	uint64_t off, flushed;
};

struct log_gaps {
	_Atomic(struct series *) *chains; /* indexed by chain: start and length of each gap; NULL: the chain has none */
	const struct blocks *blocks;
	size_t n;
	struct log_gaps_end *ends; /* by chain, of the joined parts */
	atomic_bool any;           /* at least one chain has a gap */
};

/* The gaps of one part of a chain, and its first and last block. Initialise with zeros. */
struct log_gaps_partial {
	struct series_row *items;
	size_t n, room;
	uint64_t first, first_t; /* file offset; start, 0: events outside blocks */
	struct log_gaps_end end;
};

/* Prepare for the blocks, which must outlive *g. Return 0 or EVL_NOMEM. */
int log_gaps_init(struct log_gaps *g, const struct blocks *blocks) EVL_MUST_USE;
/* Take the next block of a part. */
void log_gaps_block(struct log_gaps_partial *partial, const struct block *block);
/* Append the gaps of the next part of a chain, which may start with the last block of the part before, and free them. */
void log_gaps_join(struct log_gaps *g, uint32_t chain, struct log_gaps_partial *partial);
void log_gaps_free(struct log_gaps *g);

/* Count the gaps that overlap [t0, t1), and get the longest (ns). */
size_t log_gaps_in(const struct log_gaps *g, uint64_t t0, uint64_t t1, uint64_t *longest);

/* Find the first gap that starts after t, or the last one that starts before t. Return false if there is none. */
bool log_gaps_after(const struct log_gaps *g, uint64_t t, struct gap *out);
bool log_gaps_before(const struct log_gaps *g, uint64_t t, struct gap *out);

/* Save to, or load from, the index cache (image.h). */
void log_gaps_image(struct image *im, struct log_gaps *g, const struct blocks *blocks);

#endif
