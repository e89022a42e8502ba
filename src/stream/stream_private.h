/* stream_private.h - state of a stream, shared by stream.c, stream_read.c (reader thread) and stream_store.c
 * (storage) */
#ifndef EVL_STREAM_PRIVATE_H
#define EVL_STREAM_PRIVATE_H

#include "stream/eventlog_socket.h"
#include "stream/stream.h"
#include "stream/stream_join.h"
#include "sys/system.h"

#include <pthread.h>

enum { STREAM_ROOM = 1 << 20 }; /* largest number of bytes read at once */

struct stream {
	struct stream_spec spec;
	char *name, *header; /* copies of the strings in spec */
	uint64_t keep;       /* if raw: largest number of bytes accepted; 0: any number */
	struct peer peer;
	bool is_peer; /* the stream is a socket */
	void (*wake)(void *);
	void *ctx;
	pthread_t thread;
	bool joined;          /* the thread was joined; used by the owner only */
	struct waker stop;    /* wakes the thread so that it ends */
	atomic_bool quit;     /* the same as `stop`, for loops that do not wait */
	pthread_mutex_t lock; /* guards the next four members */
	pthread_cond_t over;
	struct stream_news news;
	int fd;                   /* the temporary file, or the growing file */
	int input;                /* descriptor being read; -1: none */
	int64_t told_ms;          /* from here on used by the reader thread only */
	bool untold;              /* there is news that the owner was not woken for */
	uint64_t bytes;           /* bytes in the file */
	struct stream_tail tail;  /* how far the bytes are complete */
	struct stream_join joint; /* log of a later connection */
	/* `joint` is in use */
	bool joining;
	uint8_t *room; /* read buffer of STREAM_ROOM bytes */
};

/* The functions below are for the reader thread. */

/* stream_tell: wake the owner; unless `now`, at most twenty times a second. stream_due_ms: return the ms until a
 * delayed wake is due; -1: none. */
void stream_tell(struct stream *s, bool now);
int stream_due_ms(const struct stream *s);

/* stream_turn: publish a new state and its reason (NULL: none). stream_publish: publish the present counts; arrived:
 * bytes have just been received. */
void stream_turn(struct stream *s, enum stream_state state, const struct evl_err *why);
void stream_publish(struct stream *s, bool arrived);

/* Store received bytes. If the stream has no header, that of spec.header is stored first. Return 0, or an error code
 * with *err filled. */
int stream_keep(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err) EVL_MUST_USE;

/* Note that the connection was closed, perhaps in the middle of a block. Return 0, or an error code with *err
 * filled. */
int stream_cut_off(struct stream *s, struct evl_err *err) EVL_MUST_USE;

/* Replace the log with another one, in file fd. fd -1: there is none, and errno holds the reason. Return 0, or an error
 * code with *err filled. */
int stream_reset(struct stream *s, int fd, struct evl_err *err) EVL_MUST_USE;

/* Read the stream to its end. */
void stream_read(struct stream *s);

#endif
