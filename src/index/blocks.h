/* blocks.h - directory of blocks: where each capability's events are in the file, found without reading them; damage
 * list.
 *
 * A block is one flushed buffer of one capability. The directory is built by hopping from the marker of a block to the
 * next marker, which touches one page per block. Each landing is checked; if it is implausible, the events of the block
 * are read to find the cause: a wrong size, truncation, a destroyed marker. Unreadable bytes are listed as damage.
 * After damage, reading resumes at the next good marker or, inside a block, at the next place where several records in
 * a row make sense (block_resume in block_read.c).
 *
 * The blocks of one capability in file order are its chain: its history in time order. Events outside all blocks and
 * events of the global buffer belong to no capability. They form the chain of EVL_NO_CAP, together with those of
 * capabilities past MAX_CHAINS. A second log in the same file is read, too, if it declares the same event types; its
 * header is listed as damage. */
#ifndef EVL_BLOCKS_H
#define EVL_BLOCKS_H

#include "base/image.h"
#include "format/frame.h"
#include "format/schema.h"

enum { EVL_NO_CAP = 0xffff, MAX_CAP = 4095, MAX_CHAINS = 4097 };

struct block {
	uint64_t off, len; /* file offset and length, including the marker */
	/* times at which the buffer was started and flushed, ns; 0 and INT64_MAX for events outside blocks */
	uint64_t t, end_t;
	uint32_t chain;  /* index into blocks.chains */
	uint32_t head;   /* bytes of the marker; 0: events outside all blocks */
	uint32_t row;    /* index into blocks.rows */
	uint32_t listed; /* index into blocks.list + 1; 0: none, or not known */
};

/* A row of the directory: one block, or several small blocks that are adjacent in the file; their positions are found
 * again by hopping. This keeps the directory small compared to the log even if a flush interval left blocks of a few
 * bytes. */
struct block_row {
	uint64_t off, len;
	uint64_t t, end_t; /* of several blocks: the earliest and the latest */
	union {
		uint64_t chains; /* of several blocks, not listed: set of their chains, bit 1 << chain */
		uint64_t next;   /* of one block: the next row with a block of its chain; 0: none */
		struct {
			uint32_t first, n;
		} list; /* listed: its elements of blocks.list */
	};
	uint32_t n;           /* number of blocks */
	uint32_t chain : 30;  /* chain, if n is 1 */
	uint32_t outside : 1; /* n is 1, and these are events outside all blocks */
	uint32_t listed : 1;  /* n is not 1, and blocks.list has the chains of the blocks */
};

/* Adjacent blocks of a listed row: one of this chain, and `more` of the chains that follow it, in their order. Tiny
 * blocks share an element, so that the list stays small compared to the log even if they are empty. */
struct block_run {
	uint32_t off : 16; /* of the first, from the start of the row */
	uint32_t chain : 13;
	uint32_t more : 3;
};
enum { RUN_MORE = 7, RUN_MOST = 512 /* bytes from the first block of a run to its last */ };

/* The times of ROWS_A_SPAN rows: the earliest start and the latest end of their blocks. */
enum { ROWS_A_SPAN = 256 };
struct row_span {
	uint64_t t, end_t;
};

/* ROW_MOST: largest size in bytes of a row of several blocks. Once there are more than ROW_CHAINS chains, which would
 * have to hop over the blocks of too many others, the chains of the blocks are listed, and the size is ROW_MOST_LISTED. */
enum { ROW_MOST = 128 << 10, ROW_MOST_LISTED = 64 << 10, ROW_CHAINS = 64 };

struct chain {
	uint16_t cap;             /* capability number, or EVL_NO_CAP */
	uint64_t len;             /* bytes of all its blocks */
	size_t n;                 /* number of blocks */
	struct block first, last; /* first and last block, in file order */
};

/* X(name, whether bytes are lost, text) */
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
	X(HEADER, true, "the file ends within its header")                                                             \
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
	uint32_t unused; /* no bytes without a value: the cache of indexes keeps them, too */
};

enum { MAX_DAMAGE = 10000 }; /* number listed; further ones are only counted */

struct damage_list {
	struct damage *items;
	size_t n, room;
	uint64_t more;      /* number of items not listed */
	uint64_t more_lost; /* number of those that lose bytes */
};

struct blocks {
	const struct header *header;
	const uint8_t *data;
	uint64_t len;
	uint32_t head; /* bytes of a marker, as the file declares it; 0: the file has no blocks */
	struct block_row *rows;
	size_t n_rows, rows_room;
	struct block_run *list; /* of the listed rows, in file order */
	size_t n_list, list_room;
	struct row_span *spans; /* n_spans elements: of all rows, once the whole log is hopped over; until then none */
	size_t n_spans;
	/* While hopping, and until the log is cut: bytes of the chains of each row of several blocks, in the order of
	 * row_chains, all at the first place of a chain. */
	uint32_t *sums;
	size_t n_sums, sums_room;
	uint32_t *row_bytes; /* of the last row, by chain; NULL: there are no sums */
	size_t summed;       /* number of rows */
	uint64_t n;          /* number of blocks */
	struct chain *chains;
	size_t n_chains, chains_room;
	uint16_t *chain_of; /* by capability: chain + 1; 0: none yet */
	struct damage_list damage;
	uint64_t first_t;          /* start of the first block, ns; 0 if there are events outside blocks */
	uint64_t max_end;          /* latest flush of a block, ns; 0: there are no blocks */
	struct prefetch *fetch;    /* for threads that must not wait for the disk (cursor.h); NULL: all may wait */
	struct known_gaps *known;  /* recent results of block_resume; NULL: none are kept */
	uint64_t found;            /* while hopping: everything before this file offset is in the directory */
	size_t small;              /* while hopping: the last blocks in a row that were small */
	uint64_t warm;             /* while hopping: the markers before this file offset have been looked at */
	uint64_t stop;             /* while hopping: file offset of the first block found ahead; 0: none */
	const atomic_bool *cancel; /* set to true to stop hopping; may be NULL */
	bool last_regular;         /* while hopping: the blocks of the last row have the sizes in their markers */
	bool reads_inside;         /* while hopping: read all events, to find blocks inside blocks */
	bool ended;                /* a DATA_END follows all blocks, and no other log follows it */
};

/* Build the directory. The bytes and the header must outlive it. Return 0 or EVL_NOMEM. */
int blocks_hop(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len) EVL_MUST_USE;
void blocks_free(struct blocks *b);

/* Build the directory step by step: call blocks_begin, set b->cancel and b->reads_inside if needed, and call
 * blocks_more, which makes the given number of hops, until b->found is the length of the log. Return 0 or EVL_NOMEM;
 * call blocks_free in either case. */
int blocks_begin(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len) EVL_MUST_USE;
int blocks_more(struct blocks *b, size_t hops) EVL_MUST_USE;

/* Find the blocks of a later piece of the log on another thread. blocks_ahead looks for a block that starts at file offset
 * `off` or soon after it, and makes *out start there, with the chains that b has. It returns false if there is none or memory ran
 * out. blocks_more_ahead finds the blocks from there on, up to the first place where anything but a sound block starts. Set
 * b->stop to the value that out->found has before: blocks_more then stops there, if a block of b ends there. In that case
 * blocks_append adds what was found ahead, unless the chains have got other numbers there. Call blocks_free for *out. */
bool blocks_ahead(struct blocks *out, const struct blocks *b, uint64_t off) EVL_MUST_USE;
int blocks_more_ahead(struct blocks *out) EVL_MUST_USE;
int blocks_append(struct blocks *b, const struct blocks *ahead) EVL_MUST_USE;

/* Free the sums. */
void blocks_drop_sums(struct blocks *b);

/* Copy the blocks found so far, without damage. Return 0 or EVL_NOMEM; call blocks_free in either case. */
int blocks_copy(struct blocks *out, const struct blocks *b) EVL_MUST_USE;

/* Build a directory of the blocks found so far and of the last block of the log, if that is intact: enough to tell
 * which capabilities exist and when the log ends. Return 0 or EVL_NOMEM; call blocks_free in either case. */
int blocks_sketch(struct blocks *out, const struct blocks *b) EVL_MUST_USE;

/* Store the first block in file order, the block after *at, or the block that contains file offset `off`. Return false
 * if there is none. */
bool blocks_first(const struct blocks *b, struct block *out);
bool blocks_next(const struct blocks *b, struct block *at);
bool blocks_from_row(const struct blocks *b, size_t row, struct block *out); /* the first in that row or a later one */
bool blocks_at(const struct blocks *b, uint64_t off, struct block *out);

/* Store the block that starts at file offset `off`, which must be known to be the start of a block; faster than
 * blocks_at. */
bool blocks_starting_at(const struct blocks *b, uint64_t off, struct block *out);

/* Store the first block of a chain in a row that starts at file offset `at` or later (0: the first in the row). Return
 * false if there is none. This reads the log if the row has several blocks. */
bool blocks_in_row(const struct blocks *b, size_t row, uint64_t at, uint32_t chain, struct block *out);

/* Bring the markers of a row of many blocks into the cache, to go through them soon. This reads the log. */
void blocks_warm_row(const struct blocks *b, size_t row);

/* Replace *at by the next block of its chain. Return false if there is none. */
bool blocks_next_of(const struct blocks *b, struct block *at);

/* Iterate over the chains of a row, each of them at least once. This does not read the log. */
struct row_chains {
	const struct block_run *list;
	uint64_t n_list, bits;
	uint32_t at, end;
};
struct row_chains row_chains(const struct blocks *b, const struct block_row *row);
static inline bool row_chains_next(struct row_chains *c, uint32_t *chain)
{
	if (c->at == c->end && c->n_list) {
		c->at = c->list->chain;
		c->end = c->at + c->list->more + 1u;
		c->list++;
		c->n_list--;
	} else if (c->at == c->end && c->bits) {
		c->at = (uint32_t)__builtin_ctzll(c->bits);
		c->end = c->at + 1;
		c->bits &= c->bits - 1;
	}
	*chain = c->at;
	return c->at < c->end && ++c->at;
}
size_t row_chains_count(const struct block_row *row); /* how many it returns, of a row of several blocks */

/* Return the next row, after `row`, that may contain blocks of the chain, or n_rows. */
size_t blocks_row_after(const struct blocks *b, size_t row, uint32_t chain);
/* Return the row that contains file offset `off`, or else the last row that starts before it; there must be one. */
size_t blocks_row_near(const struct blocks *b, size_t row, uint64_t off); /* fast if it is near `row` */

/* Store the first time after t (or, unless `forward`, the last before t) at which a block starts. Return false if there
 * is none. If the blocks of a capability are out of time order (a damaged log), the result may be the start of another
 * block. */
bool blocks_near(const struct blocks *b, uint64_t t, bool forward, uint64_t *out);

/* Add the counts of items that another list did not list. */
void damage_add_more(struct damage_list *list, const struct damage_list *other);

/* Add damage. Adjacent pieces are merged if both lose bytes or neither does. */
void damage_add(struct damage_list *list, uint64_t off, uint64_t len, enum damage_reason reason, uint16_t tag);

/* Report whether the damage lost bytes; otherwise the place was only odd. damage_lost returns the number of places that
 * lost bytes. */
bool damage_loses(const struct damage *d);
uint64_t damage_lost(const struct damage_list *list);

/* Write the reason as a sentence to out[room] and return `out`. */
char *damage_text(const struct damage *d, char *out, size_t room);

/* Report whether zeros start here that no GHC can have written. They would read as events. */
bool blocks_zeros_at(const struct blocks *b, uint64_t off);

/* Report whether a time fits the block: not after the flush, and not before the start, except for the events that carry
 * a different time: GC_START, GC_END, WALL_CLOCK_TIME, and CREATE_MACHINE of Eden's GHC. A time of 0 does not fit,
 * because zeros are usually not events; block_judge then decides. */
static inline bool block_admits(const struct block *b, uint16_t tag, uint64_t t)
{
	return t <= b->end_t
		&& ((t >= b->t && t > 0) || tag == EVL_GC_START || tag == EVL_GC_END || tag == EVL_WALL_CLOCK_TIME
			|| tag == EVL_CREATE_MACHINE);
}

/* Return the latest time, in ns, accepted for an event of the block: one second after the last flush of the log. An
 * event outside blocks must not be later than the last flush; if there are no blocks, any time is accepted. */
static inline uint64_t block_latest(const struct blocks *b, const struct block *block)
{
	const uint64_t grace = 1000000000;
	if (block->head)
		return max_u64(block->end_t, b->max_end + grace);
	return b->max_end ? b->max_end : block->end_t;
}

/* Decide about r, the result of frame_read, for an event whose time does not fit the block, or for a DATA_END. A time
 * may be odd, so such an event is accepted if the time is plausible and more events follow it; otherwise the result is
 * FRAME_BAD_TIME. A DATA_END must end the block or be followed by a usual event; otherwise the result is
 * FRAME_UNDECLARED. */
enum frame_result block_judge(
	const struct blocks *b, const struct block *block, enum frame_result r, const struct frame *f);

/* Read the event at file offset `off` of a block. Return the result of frame_read, corrected by block_judge. */
static inline enum frame_result block_read(
	const struct blocks *b, const struct block *block, uint64_t off, struct frame *out)
{
	enum frame_result r = frame_read(b->header, b->data, off, block->off + block->len, out);
	if (unlikely(r == FRAME_OK ? !block_admits(block, out->tag, out->t) : r == FRAME_DATA_END))
		return block_judge(b, block, r, out);
	return r;
}

/* Return the file offset at which to resume after damage: the next place from which several records in a row make
 * sense, or the end of the block. block_read failed at `bad`; the record before it in the block is at `before` (0:
 * none). The result is after `before`, but may be before `bad`, inside the payload of a record whose length was
 * damaged. At most SEARCH_MOST bytes after `bad` are examined.
 *
 * This function alone decides which events a damaged block contains. */
uint64_t block_resume(const struct blocks *b, const struct block *block, uint64_t before, uint64_t bad);

enum { SEARCH_MOST = 2 << 20 /* bytes: the largest buffer of GHC */ };

/* Store the first event of the block at file offset `off` or later, skipping damage. Return false at the end of the
 * block. before is the file offset of the preceding event; 0: `off` is the start of the block or of an event. */
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

/* Report whether the payload has all the fields of the schema. Of other events only the tag is known. */
static inline bool event_readable(const struct header *h, const struct frame *f)
{
	const struct schema *schema = header_of(h, f->tag)->schema;
	return schema && f->payload.len >= schema->size;
}

/* Save or load a directory, or a list of damage (image.h). To load, pass the header and the bytes of the log. Free
 * b->known of a loaded directory with blocks_unload. */
void blocks_image(struct image *im, struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len);
void blocks_unload(struct blocks *b);
void damage_image(struct image *im, struct damage_list *list);

#endif
