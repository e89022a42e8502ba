/* stream.h - read a log that is still being written (pipe, socket, growing file) into an anonymous file.
 *
 * A reader thread takes bytes as fast as they arrive, so that the writer never waits for more than one read, and
 * stores them in an unlinked file (anon_file.h); a file that grows stays where it is. Everything else maps that file
 * like any log. A lost socket is reconnected, with growing pauses; each connection brings a new log, which is joined
 * to the first by wall-clock time (stream_join.h). */
#ifndef EVL_STREAM_H
#define EVL_STREAM_H

#include "bytes/source.h"

struct stream;

struct stream_spec {
	const char *name; /* a FIFO or file, "-", unix:PATH, tcp:HOST:PORT; else for messages only */
	int fd; /* read this one, which then belongs to the stream, even if it cannot be opened; -1: open the name */
	bool follow;        /* a file: it grows */
	bool once;          /* a socket: one connection is enough */
	bool raw;           /* any bytes: they are looked at when all have come */
	const char *header; /* a log whose header is borrowed by a stream without one; NULL: none */
	uint64_t spool_max; /* bytes that are kept, about; 0: all */
};

enum stream_state {
	STREAM_CONNECTING, /* no listener yet: retried */
	STREAM_WAITING,    /* connected; no event came yet */
	STREAM_LIVE,
	STREAM_LOST, /* connection lost: retried */
	STREAM_ENDED,
	STREAM_FAILED, /* `why` says it; no more will come */
};

/* Return the bytes received. Offsets are those of the whole stream, even if its start was dropped. */
struct stream_news {
	enum stream_state state;
	uint64_t base;    /* what is before it was dropped, but for the header */
	uint64_t base_t;  /* when what is there begins; 0: nothing was dropped */
	uint64_t whole;   /* all before it can be read: blocks that are complete */
	uint64_t bytes;   /* that came */
	uint64_t end_t;   /* ns of the log, of the latest flush */
	uint64_t final_t; /* before it nothing more will come; UINT64_MAX: not known */
	uint64_t wall_ns; /* Unix time of the log's time 0; 0: not known */
	int64_t came_ms;  /* when bytes came last, CLOCK_MONOTONIC */
	unsigned epoch;   /* another log has taken the place of the former so often */
	unsigned joined;  /* connections whose logs were joined */
	bool odd;         /* the file that is followed was replaced by what is none */
	bool data_end;    /* what came last is the end of a log */
	struct evl_err why;
};

/* Is the name one of something that is to be read as a stream? */
bool stream_is(const char *name);

/* Open or connect to what has the name now, for struct stream_spec; waits for a connection. The descriptor; EVL_IO,
 * EVL_USAGE or EVL_NOMEM with err filled. */
int stream_input(const char *name, struct evl_err *err) EVL_MUST_USE;

/* Begin. wake(ctx) is called from another thread when there is news, at most twenty times a second. EVL_IO or EVL_NOMEM
 * with err filled. */
int stream_open(struct stream **out, const struct stream_spec *spec, void (*wake)(void *), void *ctx,
	struct evl_err *err) EVL_MUST_USE;

/* Ends the reading, frees all. NULL is allowed. Sources that were taken stay. */
void stream_close(struct stream *s);

struct stream_news stream_news(struct stream *s);

/* Wait for the end, STREAM_ENDED or STREAM_FAILED, at most `ms` (-1: no limit). */
struct stream_news stream_wait(struct stream *s, int ms);

/* Map what `news` tells of. */
int stream_source(
	struct stream *s, const struct stream_news *news, struct source *out, struct evl_err *err) EVL_MUST_USE;

/* Release the disk space of everything before `base`, which must not be used any more. */
void stream_release(struct stream *s, uint64_t base);

/* Send bytes to the other end of a socket. EVL_IO or EVL_USAGE with err filled. */
int stream_send(struct stream *s, const void *bytes, size_t len, struct evl_err *err);

/* Read no more; what came stays. */
void stream_stop(struct stream *s);

#endif
