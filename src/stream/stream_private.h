/* stream_private.h - state of a stream, shared by stream.c (start, stop, queries), stream_read.c (reader thread),
 * stream_store.c (storage). */
#ifndef EVL_STREAM_PRIVATE_H
#define EVL_STREAM_PRIVATE_H

#include "stream/eventlog_socket.h"
#include "stream/stream.h"
#include "stream/stream_join.h"
#include "sys/system.h"

#include <pthread.h>

enum { STREAM_ROOM = 1 << 20 }; /* bytes that are read at once */

struct stream {
	struct stream_spec spec;
	char *name, *header;
	uint64_t keep; /* raw: bytes that may come; 0: any number */
	struct peer peer;
	bool is_peer;
	void (*wake)(void *);
	void *ctx;
	pthread_t thread;
	bool joined; /* the thread, by who waited for it */
	struct waker stop;
	atomic_bool quit;     /* the same for loops that do not wait */
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t over;
	struct stream_news news;
	int fd;          /* the spool, or the file that grows */
	int input;       /* what is read now; -1: nothing */
	int64_t told_ms; /* the thread's own from here on */
	bool untold;
	uint64_t bytes;
	struct stream_tail tail;
	struct stream_join joint; /* the log of a later connection */
	bool joining;
	uint8_t *room;
};

/* All that follows is for the thread that reads. */

/* Tell the owner, or soon: `now`, or no more often than twenty times a second. In how many ms that is due; -1: it is not. */
void stream_tell(struct stream *s, bool now);
int stream_due_ms(const struct stream *s);

/* Publish: a new state, why it came (or NULL); what is there by now, and that something has just arrived. */
void stream_turn(struct stream *s, enum stream_state state, const struct evl_err *why);
void stream_publish(struct stream *s, bool arrived);

/* Keep bytes that came; the first of a stream without header get that of another log before. Codes of enum evl_code, with
 * err filled. */
int stream_keep(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err) EVL_MUST_USE;

/* The connection was closed, maybe in the middle of a block: no more of it will arrive. */
int stream_cut_off(struct stream *s, struct evl_err *err) EVL_MUST_USE;

/* Another log, which is in this file, takes the place of what was there. fd -1: errno says why there is none. */
int stream_reset(struct stream *s, int fd, struct evl_err *err) EVL_MUST_USE;

/* Read to the end, whatever it is. */
void stream_read(struct stream *s);

#endif
