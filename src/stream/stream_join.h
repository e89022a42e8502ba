/* stream_join.h - a further log of the same program, or of its next run, put behind the first on one axis of time.
 *
 * A program that is connected to again begins a log anew: with a header, and, if it was started anew itself, with a clock
 * of its own. What comes goes to a file of its own first; from there whole blocks are taken over, without the header, their
 * times moved by what the clocks on the wall say. Where a log does not tell the time of day it goes on where the first
 * ended. */
#ifndef EVL_STREAM_JOIN_H
#define EVL_STREAM_JOIN_H

#include "stream/stream_tail.h"

struct stream_join {
	int fd;
	uint64_t bytes; /* that came */
	uint64_t at;    /* taken over up to here */
	struct stream_tail tail;
	uint64_t shift; /* is added to times, modulo 2^64 */
	bool timed;     /* the shift is known */
	uint8_t *block;
};

/* What comes of a look at what came. */
enum stream_join_result {
	JOINT_NONE,   /* nothing whole is there yet */
	JOINT_PIECE,  /* *piece, of *len bytes, is next: valid until the next call */
	JOINT_OTHER,  /* its events are not those of the first log: it cannot be joined */
	JOINT_FAILED, /* err says why */
};

int stream_join_open(struct stream_join *j) EVL_MUST_USE;
void stream_join_close(struct stream_join *j);

/* Bytes have come. */
int stream_join_put(struct stream_join *j, const uint8_t *bytes, size_t len, struct evl_err *err) EVL_MUST_USE;

/* The next whole piece. first: the log that it is joined to; over: no more will come. */
enum stream_join_result stream_join_next(struct stream_join *j, const struct stream_tail *first, bool over,
	const uint8_t **piece, size_t *len, struct evl_err *err);

#endif
