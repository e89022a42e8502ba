/* stream_tail.h - find how far a growing log is complete: the end of its last whole block or event
 *
 * It reads only block markers and, until it knows the wall-clock time, the blocks without a capability.
 *
 * The blocks of one flush arrive one after another, so capabilities are known up to different times. Everything
 * before the earliest of their last flushes is final (stream_tail_is_idle); events of later times may still arrive. */
#ifndef EVL_STREAM_TAIL_H
#define EVL_STREAM_TAIL_H

#include "index/blocks.h"

enum { TAIL_WINDOW = 128 << 10 }; /* longer than any event and than the header of any GHC */

struct stream_tail {
	struct header header; /* parsed header; complete if data_off > 0 */
	/* The bytes of the header and of the first blocks without a capability, which identify the program. */
	uint8_t *head;
	uint64_t head_len; /* length of `head`; 0: the header is not complete yet */
	uint64_t at;       /* everything before this offset is complete */
	uint64_t blocks;   /* number of blocks that hold events */
	uint64_t first_t;  /* start time (ns) of the first block */
	uint64_t end_t;    /* time (ns) of the latest flush, or of the latest event outside of blocks */
	uint64_t wall_ns;  /* Unix time (ns) of time 0 of the log, as the log says; 0: unknown yet */
	uint64_t *ends;    /* indexed by capability: time of its last flush; 0: none yet */
	bool heading;      /* only the header and blocks without a capability have arrived */
	bool ended;        /* the last event is the log's end marker */
	/* 0, or EVL_IO or EVL_NOMEM, set by stream_tail_advance, stream_tail_piece and stream_tail_cut */
	int failed;
	/* The bytes at `at` are neither a block nor an event; reading of the rest is left to the caller. */
	bool damaged;
	const atomic_bool *quit; /* another thread sets it to true to cancel */
	uint8_t *window;         /* cached bytes [window_at, window_at + window_len) of the file */
	uint64_t window_at;
	size_t window_len;
};

/* Initialize. quit: another thread sets it to true to cancel work. Return 0 or EVL_NOMEM. */
int stream_tail_init(struct stream_tail *t, const atomic_bool *quit) EVL_MUST_USE;
void stream_tail_free(struct stream_tail *t);

/* Examine the new bytes, after the file has grown to len bytes. Return 0; or EVL_NOT_A_LOG, EVL_IO or EVL_NOMEM with
 * *err filled. */
int stream_tail_advance(struct stream_tail *t, int fd, uint64_t len, struct evl_err *err) EVL_MUST_USE;

/* Return the length in bytes of the block, or event outside of blocks, at off (< t->at); 0 if there is none. */
uint64_t stream_tail_piece(struct stream_tail *t, int fd, uint64_t off);

/* Return the next offset after off, up to t->at, at which a block seems to start; t->at if there is none. Used after
 * damage. */
uint64_t stream_tail_resync(struct stream_tail *t, int fd, uint64_t off);

/* Return the start time (ns) of the block, or event outside of blocks, at off (< t->at); 0 if there is none. */
uint64_t stream_tail_begun(struct stream_tail *t, int fd, uint64_t off);

/* Finish a stream of len bytes. If it ends in the middle of a block, shorten that block, also in the file, to its
 * last complete event. Return the number of usable bytes. */
uint64_t stream_tail_cut(struct stream_tail *t, int fd, uint64_t len) EVL_MUST_USE;

/* Return the time (ns) before which everything has arrived; UINT64_MAX if no capability has flushed anything. */
uint64_t stream_tail_is_idle(const struct stream_tail *t);

#endif
