/* stream_join.h - append the log of a reconnected program to the previous log, with its times moved to the same axis
 *
 * A new connection to a program delivers a new log with a header and, if the program was restarted, another start
 * time. Its bytes first go to a separate file. Complete blocks are taken from there, without the header, and the
 * difference of the two wall clocks is added to their times. A log without wall-clock time continues where the first
 * one ended. */
#ifndef EVL_STREAM_JOIN_H
#define EVL_STREAM_JOIN_H

#include "stream/stream_tail.h"

struct stream_join {
	int fd;                  /* the separate file */
	uint64_t bytes;          /* bytes received */
	uint64_t at;             /* offset up to which they were taken */
	struct stream_tail tail; /* how far the bytes are complete */
	uint64_t shift;          /* ns added to times, modulo 2^64 */
	bool timed;              /* shift is known */
	uint8_t *block;          /* the block returned last, with new times */
};

/* Result of stream_join_next. */
enum stream_join_result {
	JOINT_NONE,   /* no complete block yet */
	JOINT_PIECE,  /* *piece is the next block, of *len bytes */
	JOINT_OTHER,  /* its event types differ from those of the first log: it cannot be joined */
	JOINT_FAILED, /* *err tells why */
};

/* Open the file for a new connection. quit: another thread sets it to true to cancel. Return 0 or an error code. */
int stream_join_open(struct stream_join *j, const atomic_bool *quit) EVL_MUST_USE;
void stream_join_close(struct stream_join *j);

/* Add received bytes. Return 0, or an error code with *err filled. */
int stream_join_put(struct stream_join *j, const uint8_t *bytes, size_t len, struct evl_err *err) EVL_MUST_USE;

/* Get the next complete block, valid until the next call. first: the log to join to; over: no more bytes will come. */
enum stream_join_result stream_join_next(struct stream_join *j, const struct stream_tail *first, bool over,
	const uint8_t **piece, size_t *len, struct evl_err *err);

#endif
