/* blocks.h - directory of blocks: where each capability's events are in the file, built without reading them; damage
 * list.
 *
 * A block is one flushed buffer of one capability; hopping from marker to marker costs one page per block. Each
 * landing is checked, and where it is implausible the block is walked to find the cause: wrong sizes, truncation,
 * destroyed markers. Unreadable bytes are listed as damage, and reading resumes at the next good marker; inside a
 * block, at the next place where several records in a row make sense (block_resume in block_read.c).
 *
 * The blocks of one capability in file order are its chain: its history in time order. Events outside of blocks and
 * those of the global buffer belong to no capability; they form the chain of EVL_NO_CAP, as do those of capabilities
 * past MAX_CHAINS. A second log in the same file, with the same types, is read too; its header is listed. */
#ifndef EVL_BLOCKS_H
#define EVL_BLOCKS_H

#include "base/image.h"
#include "format/frame.h"
#include "format/schema.h"

#include <stdatomic.h>

enum { EVL_NO_CAP = 0xffff, MAX_CAP = 4095, MAX_CHAINS = 4097 };

struct block {
	uint64_t off, len; /* in the file, the marker included */
	uint64_t t, end_t; /* when the buffer was begun and flushed; outside of blocks 0 and INT64_MAX */
	uint32_t chain;    /* index into blocks.chains */
	uint32_t head;     /* bytes of its marker; 0: events outside of every block */
	uint32_t row;      /* index into blocks.rows */
};

/* One block, or several in a row of the file, if they are small: where each of those begins is found by hopping. So the
 * directory is a small part of a log even if a flush interval left blocks of some bytes. */
struct block_row {
	uint64_t off, len;
	uint64_t t, end_t; /* of several: the earliest and the latest */
	union {
		uint64_t chains; /* of several: whose they are, bit 1 << chain */
		uint64_t next;   /* of one: the next row with a block of its chain; 0: none */
	};
	uint32_t n;
	uint32_t chain : 31;  /* of the only block */
	uint32_t outside : 1; /* the only block: events outside of every block */
};

enum {
	ROW_MOST = 128 << 10,
	ROW_CHAINS = 64
}; /* bytes of a row of several; there are no such rows in a log of more chains,
	as each chain hops over the blocks of all others */

struct chain {
	uint16_t cap;             /* capability number, or EVL_NO_CAP */
	uint64_t len;             /* bytes of all its blocks */
	size_t n;                 /* blocks */
	struct block first, last; /* of them, in file order */
};

/* Name, whether bytes are lost, text. */
#define DAMAGE_REASONS(X)                                                                                              \
	X(UNDECLARED, true, "undeclared tag %u")                                                                       \
	X(TIME, true, "the time of an event (tag %u) cannot be")                                                       \
	X(LENGTH, true, "the length of an event (tag %u) leads nowhere")                                               \
	X(ODD_TIME, false, "the time of an event (tag %u) is outside its block; the event was read")                   \
	X(ODD_BLOCK, false, "a block ends before it starts; it was read")                                              \
	X(CUT, true, "the last event (tag %u) is cut")                                                                 \
	X(ZEROS, true, "zeros")                                                                                        \
	X(MARKER, true, "no block begins where one should")                                                            \
	X(NESTED, false, "a block begins inside of another; both were read")                                           \
	X(SECOND, true, "a second log begins here")                                                                    \
	X(TRAILING, true, "bytes after the end of the log")                                                            \
	X(HEADER, true, "the file ends in its header")                                                                 \
	X(TWICE, false, "event type %u is declared twice; the last declaration counts")                                \
	X(UNPACK, true, "the compressed file is cut or broken here")                                                   \
	X(VANISHED, true, "the file became shorter while it was read")

enum damage_reason {
#define X(name, loses, text) DAMAGE_##name,
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
	uint64_t more;      /* those that were not listed, */
	uint64_t more_lost; /* and how many of them lose bytes */
};

struct blocks {
	const struct header *header;
	const uint8_t *data;
	uint64_t len;
	uint32_t head; /* bytes of a marker, as this file declares it; 0: it has none */
	struct block_row *rows;
	size_t n_rows, rows_room;
	uint64_t n; /* blocks */
	struct chain *chains;
	size_t n_chains, chains_room;
	uint16_t *chain_of; /* capability -> chain + 1; 0: none yet */
	struct damage_list damage;
	uint64_t first_t;          /* when the first block was begun; 0 where there are events outside of blocks */
	uint64_t max_end;          /* the latest flush of a block; 0: there are no blocks */
	struct prefetch *fetch;    /* for who must not wait for the disk (cursor.h); NULL: waiting is fine */
	struct known_gaps *known;  /* what block_resume found lately; NULL: nothing is kept */
	uint64_t found;            /* while hopping: all before this offset is known */
	const atomic_bool *cancel; /* ends the hop soon after it becomes true; may be NULL */
	bool last_regular;         /* while hopping: the last row's blocks have the sizes in their markers */
	bool reads_inside;         /* while hopping: all events are read, to find the blocks inside of blocks */
	bool ended;                /* a DATA_END is outside of all blocks, and no further log follows it */
};

/* Find all blocks. The bytes and the header must outlive the result. Return 0 or EVL_NOMEM. */
int blocks_hop(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len) EVL_MUST_USE;
void blocks_free(struct blocks *b);

/* The same step by step: begin, which may be given a `cancel` and told to read inside of blocks then, and some hops more
 * until b->found is the length of the log. Return 0 or EVL_NOMEM; call blocks_free in either case. */
int blocks_begin(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len) EVL_MUST_USE;
int blocks_more(struct blocks *b, size_t hops) EVL_MUST_USE;

/* A directory of what was found so far, and of the last block of the log, if it ends as it should: enough to tell which
 * capabilities there are, and when it ends. Return 0 or EVL_NOMEM; call blocks_free in either case. */
int blocks_sketch(struct blocks *out, const struct blocks *b) EVL_MUST_USE;

/* Get the first block in file order, the next one, or the one that contains off. Return false if there is none. */
bool blocks_first(const struct blocks *b, struct block *out);
bool blocks_next(const struct blocks *b, struct block *at);
bool blocks_at(const struct blocks *b, uint64_t off, struct block *out);

/* The block that starts at off: as blocks_at, without hopping to it. */
bool blocks_starting_at(const struct blocks *b, uint64_t off, struct block *out);

/* Find the first block of a chain in a row, from the block that starts at `at` on (0: from the row's start). Return
 * false if there is none. Reads the log if the row has several blocks. */
bool blocks_in_row(const struct blocks *b, size_t row, uint64_t at, uint32_t chain, struct block *out);

/* The next block of the chain of *at. */
bool blocks_next_of(const struct blocks *b, struct block *at);

/* Return the next row after one with blocks of a chain that may have more of them, or n_rows. And the row that
 * contains off, or the last one that starts before it; there must be one. */
size_t blocks_row_behind(const struct blocks *b, size_t row, uint32_t chain);
size_t blocks_row_near(const struct blocks *b, size_t row, uint64_t off); /* quick where it is near this row */

/* The first begin of a block after t, or the last before t; false: there is none. Where blocks of a capability are not in
 * order of time (a damaged log): some begin. */
bool blocks_near(const struct blocks *b, uint64_t t, bool forward, uint64_t *out);

/* Add what another list left out. */
void damage_add_more(struct damage_list *list, const struct damage_list *other);

/* Note damage; consecutive pieces become one, but not those that lose bytes and those that do not. */
void damage_add(struct damage_list *list, uint64_t off, uint64_t len, enum damage_reason reason, uint16_t tag);

/* Report whether bytes could not be read there; otherwise the place was only odd. And count the places of the first kind. */
bool damage_loses(const struct damage *d);
uint64_t damage_lost(const struct damage_list *list);

/* The reason as a sentence, into out, which is returned. */
char *damage_text(const struct damage *d, char *out, size_t room);

/* Do zeros begin here that no GHC can have written? They would read as events. */
bool blocks_zeros_at(const struct blocks *b, uint64_t off);

/* Report whether the time fits the block: not later than the flush, and not earlier than the start, except for the
 * events that carry a different time: GC_START, GC_END, WALL_CLOCK_TIME, and CREATE_MACHINE of Eden's GHC. A time of
 * 0 is looked at more closely, as zeros are no events. */
static inline bool block_admits(const struct block *b, uint16_t tag, uint64_t t)
{
	return t <= b->end_t
		&& ((t >= b->t && t > 0) || tag == EVL_GC_START || tag == EVL_GC_END || tag == EVL_WALL_CLOCK_TIME
			|| tag == EVL_CREATE_MACHINE);
}

/* The latest time that is believed of an event of the block: a second after the last flush of the log. Outside of blocks
 * an event may lie about its time; without any block there is nothing to compare it with. */
static inline uint64_t block_latest(const struct blocks *b, const struct block *block)
{
	const uint64_t grace = 1000000000;
	if (block->head)
		return max_u64(block->end_t, b->max_end + grace);
	return b->max_end ? b->max_end : block->end_t;
}

/* Decide about r, the result of frame_read: an event whose time does not fit the block, or an end of data. Times are
 * data, so such an event is accepted if its time is plausible and more events follow it; otherwise FRAME_BAD_TIME.
 * An end of data must end the block or be followed by a usual event; otherwise FRAME_UNDECLARED. */
enum frame_result block_judge(
	const struct blocks *b, const struct block *block, enum frame_result r, const struct frame *f);

/* The event at off, within its block: like frame_read, and as block_judge says. */
static inline enum frame_result block_read(
	const struct blocks *b, const struct block *block, uint64_t off, struct frame *out)
{
	enum frame_result r = frame_read(b->header, b->data, off, block->off + block->len, out);
	if (unlikely(r == FRAME_OK ? !block_admits(block, out->tag, out->t) : r == FRAME_DATA_END))
		return block_judge(b, block, r, out);
	return r;
}

/* Where to read on after damage: block_read fails at `bad`, and the record before it in the block is at `before` (0:
 * there is none). The next place from which several records in a row make sense, or the end of the block. It may be
 * before `bad`, in the payload of a record whose length was damaged; it is after `before`.
 *
 * This alone decides which events a damaged block holds. It looks at SEARCH_MOST bytes after `bad` at most. */
uint64_t block_resume(const struct blocks *b, const struct block *block, uint64_t before, uint64_t bad);

enum { SEARCH_MOST = 2 << 20 /* the largest buffer of GHC */ };

/* The next event of the block from off on, past damage; false at its end. before: the offset of the event before, 0:
 * off is where the block or an event starts. */
static inline bool block_next(
	const struct blocks *b, const struct block *block, uint64_t before, uint64_t off, struct frame *out)
{
	for (uint64_t end = block->off + block->len; off < end;) {
		enum frame_result r = block_read(b, block, off, out);
		if (likely(r == FRAME_OK))
			return true;
		off = r == FRAME_DATA_END ? out->next : block_resume(b, block, before, off);
		before = r == FRAME_DATA_END ? before : 0;
	}
	return false;
}

/* Does the event hold the fields that its schema names? Others are known by their tag only. */
static inline bool event_readable(const struct header *h, const struct frame *f)
{
	const struct schema *schema = header_of(h, f->tag)->schema;
	return schema && f->payload.len >= schema->size;
}

/* To or from a file (image.h); and a list of damage. Loading, the bytes and the header are those of the log; b->known is then
 * to be freed by blocks_unload. */
void blocks_image(struct image *im, struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len);
void blocks_unload(struct blocks *b);
void damage_image(struct image *im, struct damage_list *list);

#endif
