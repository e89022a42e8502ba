/* blocks.h - the directory of blocks: where every capability's events are, found without reading them.
 *
 * A block is one flushed buffer of one capability; hopping from marker to marker costs one page a block. Each landing
 * is checked, and where it is not plausible the block is walked to see what is wrong: sizes that lie, cut files,
 * destroyed markers. What cannot be read is listed as damage, and reading goes on at the next good marker.
 *
 * The blocks of one capability in file order are its chain: its history in time order. Events outside of every block
 * and those of the global buffer belong to no capability; they form the chain of EVL_NO_CAP. */
#ifndef EVL_BLOCKS_H
#define EVL_BLOCKS_H

#include "frame.h"
#include "schema.h"

enum { EVL_NO_CAP = 0xffff, MAX_CAP = 4095, BLOCK_HEAD = 24 };

struct block {
	uint64_t off, len; /* in the file, the marker included */
	uint64_t t, end_t; /* when the buffer was begun and flushed; outside of blocks 0 and INT64_MAX */
	uint64_t chain_at; /* bytes of its chain before it */
	uint32_t chain;    /* index into blocks.chains */
	uint32_t head;     /* bytes of its marker; 0: events outside of every block */
};

struct chain {
	uint16_t cap; /* capability number, or EVL_NO_CAP */
	uint64_t len; /* bytes of all its blocks */
	uint32_t *blocks; /* indices into blocks.items, in file order */
	size_t n, room;
};

#define DAMAGE_REASONS(X)                                                                                              \
	X(UNDECLARED, "undeclared tag %u")                                                                             \
	X(TIME, "the time of an event (tag %u) lies outside of its block")                                             \
	X(CUT, "the last event (tag %u) is cut")                                                                       \
	X(ZEROS, "zeros")                                                                                              \
	X(MARKER, "no block begins where one should")                                                                  \
	X(SECOND, "a second log begins here")                                                                          \
	X(TRAILING, "bytes after the end of the log")

enum damage_reason {
#define X(name, text) DAMAGE_##name,
	DAMAGE_REASONS(X)
#undef X
};

struct damage {
	uint64_t off, len;
	uint16_t reason, tag;
};

enum { MAX_DAMAGE = 10000 }; /* listed; more are counted */

struct damage_list {
	struct damage *items;
	size_t n, room;
	uint64_t more; /* those that were not listed */
};

struct blocks {
	const struct header *header;
	const uint8_t *data;
	uint64_t len;
	struct block *items;
	size_t n, room;
	struct chain *chains;
	size_t n_chains, chains_room;
	uint16_t chain_of[MAX_CAP + 2]; /* capability -> chain + 1; the last is EVL_NO_CAP's */
	struct damage_list damage;
	uint64_t max_end; /* the latest flush of a block; 0: there are no blocks */
	bool ended; /* a DATA_END stands outside of all blocks */
};

/* Find all blocks. 0 or EVL_NOMEM. The bytes and the header must outlive the result. */
int blocks_hop(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len) EVL_MUST_USE;
void blocks_free(struct blocks *b);

/* Note damage; consecutive pieces become one. */
void damage_add(struct damage_list *list, uint64_t off, uint64_t len, enum damage_reason reason, uint16_t tag);

/* The reason as a sentence, into out, which is returned. */
char *damage_text(const struct damage *d, char *out, size_t room);

/* May the event stand in the block? Its time is not later than the flush, and not earlier than the begin, but for the
 * events that carry a time of their own: GC_START, GC_END, WALL_CLOCK_TIME, and CREATE_MACHINE of Eden's GHC. */
static inline bool block_admits(const struct block *b, uint16_t tag, uint64_t t)
{
	return t <= b->end_t && (t >= b->t || tag == EVL_GC_START || tag == EVL_GC_END || tag == EVL_WALL_CLOCK_TIME
		|| tag == EVL_CREATE_MACHINE);
}

#endif
