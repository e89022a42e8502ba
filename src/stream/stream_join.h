/* stream_join.h - append the log of a reconnected program to the previous one, with its times moved onto the same
 * axis.
 *
 * A program that is connected to again starts a new log: with a header, and, if it was restarted, with another
 * clock. Its bytes go to a separate file first; from there whole blocks are taken over, without the header, their
 * times moved by the difference of the wall clocks. A log without wall-clock time continues where the first one
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

/* Result of examining received bytes. */
enum stream_join_result {
	JOINT_NONE,   /* nothing whole is there yet */
	JOINT_PIECE,  /* *piece, of *len bytes, is next: valid until the next call */
	JOINT_OTHER,  /* its events are not those of the first log: it cannot be joined */
	JOINT_FAILED, /* err says why */
};

int stream_join_open(struct stream_join *j, const atomic_bool *quit) EVL_MUST_USE;
void stream_join_close(struct stream_join *j);

/* Bytes have come. */
int stream_join_put(struct stream_join *j, const uint8_t *bytes, size_t len, struct evl_err *err) EVL_MUST_USE;

/* The next whole piece. first: the log that it is joined to; over: no more will come. */
enum stream_join_result stream_join_next(struct stream_join *j, const struct stream_tail *first, bool over,
	const uint8_t **piece, size_t *len, struct evl_err *err);

#endif
