/* log_gaps.h - gaps in a capability's log while its full buffer was being written.
 *
 * Nothing is logged between the end of a block and the start of the next of its chain. Found in the directory of
 * blocks, before the first event is read. 16 bytes per gap of at least GAPS_LEAST_NS, by the rules of series.h. */
#ifndef EVL_LOG_GAPS_H
#define EVL_LOG_GAPS_H

#include "index/blocks.h"
#include "index/series.h"

enum { GAPS_LEAST_NS = 1000000 };

struct gap {
	uint64_t from, to;
	uint16_t cap; /* or EVL_NO_CAP */
};

struct log_gaps {
	struct series **chains; /* when each gap begins and how long it is; NULL: the chain has none */
	const struct blocks *blocks;
	size_t n;
	bool any;
};

int log_gaps_init(struct log_gaps *g, const struct blocks *blocks) EVL_MUST_USE;
void log_gaps_free(struct log_gaps *g);

/* Count the gaps that touch [t0, t1), and find the longest. */
size_t log_gaps_in(const struct log_gaps *g, uint64_t t0, uint64_t t1, uint64_t *longest);

/* Find the first that starts after t, or the last that starts before t; return false if there is none. */
bool log_gaps_after(const struct log_gaps *g, uint64_t t, struct gap *out);
bool log_gaps_before(const struct log_gaps *g, uint64_t t, struct gap *out);

/* To or from a file (image.h). */
void log_gaps_image(struct image *im, struct log_gaps *g, const struct blocks *blocks);

#endif
