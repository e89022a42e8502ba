/* stream_tail.h - find how far a growing log is complete: the end of its last whole block or event.
 *
 * Reads only the markers, and the global blocks until it knows the wall-clock time.
 *
 * Blocks of one flush arrive one after the other, so capabilities are known up to different times: everything before
 * the earliest of their last flushes is final (stream_tail_is_idle), later times may still be added to. */
#ifndef EVL_STREAM_TAIL_H
#define EVL_STREAM_TAIL_H

#include "index/blocks.h"

#include <stdatomic.h>

enum { TAIL_WINDOW = 128 << 10 }; /* longer than any event, and than any header of a GHC */

struct stream_tail {
	struct header header; /* once it is whole: data_off > 0 */
	uint8_t *head;        /* its bytes, and those of the first global blocks, which say whose log it is */
	uint64_t head_len;    /* 0: the header is not whole yet */
	uint64_t at;          /* everything before this offset is whole */
	uint64_t blocks;      /* that hold events */
	uint64_t first_t;     /* when the first block was begun */
	uint64_t end_t;       /* of the latest flush, or event outside of blocks */
	uint64_t wall_ns;     /* Unix time of the log's time 0, as the log says; 0: not known yet */
	uint64_t *ends;       /* by capability: its last flush; 0: none yet */
	bool heading;         /* nothing but the header and global blocks came so far */
	bool ended;           /* a DATA_END is the last that came */
	int failed;           /* stream_tail_advance, stream_tail_piece, stream_tail_cut: EVL_IO or EVL_NOMEM, or 0 */
	bool damaged;         /* the bytes at `at` are neither a block nor an event: the rest is left to the reader */
	const atomic_bool *quit; /* cancels the current work */
	uint8_t *window;         /* bytes [window_at, window_at + window_len) of the file */
	uint64_t window_at;
	size_t window_len;
};

/* quit: becomes true when the result is no longer needed, and cancels the work. Return 0 or EVL_NOMEM. */
int stream_tail_init(struct stream_tail *t, const atomic_bool *quit) EVL_MUST_USE;
void stream_tail_free(struct stream_tail *t);

/* The file has `len` bytes now: look at the new ones. 0; EVL_NOT_A_LOG with err filled where they are no log; EVL_IO or
 * EVL_NOMEM likewise. */
int stream_tail_advance(struct stream_tail *t, int fd, uint64_t len, struct evl_err *err) EVL_MUST_USE;

/* The length of the block, or of the event outside of blocks, at off < t->at; 0 where there is none. */
uint64_t stream_tail_piece(struct stream_tail *t, int fd, uint64_t off);

/* After damage: return the next offset after `off` < t->at at which a block appears to start, or t->at. */
uint64_t stream_tail_resync(struct stream_tail *t, int fd, uint64_t off);

/* When the block, or the event outside of blocks, at off < t->at began; 0 where there is none. */
uint64_t stream_tail_begun(struct stream_tail *t, int fd, uint64_t off);

/* Finish a stream of `len` bytes: if they end in the middle of a block, make it end with its last complete event, in
 * the file too. Return the number of bytes that remain; those after them make no sense without the rest. */
uint64_t stream_tail_cut(struct stream_tail *t, int fd, uint64_t len) EVL_MUST_USE;

/* All that happened before this time is there. UINT64_MAX: no capability has flushed anything. */
uint64_t stream_tail_is_idle(const struct stream_tail *t);

#endif
