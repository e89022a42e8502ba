/* stream.h - read a log that is still being written (pipe, socket, growing file) into an unlinked temporary file
 *
 * A reader thread takes bytes as fast as they arrive, so that the writing program does not have to wait, and stores
 * them in an unlinked file (anon_file.h), which is then mapped like any log. A growing file is not copied. A lost
 * socket connection is retried after increasing pauses; each connection delivers a new log, which is appended to the
 * first one by wall-clock time (stream_join.h). */
#ifndef EVL_STREAM_H
#define EVL_STREAM_H

#include "bytes/source.h"

struct stream;

/* The source to read, and options. The strings are copied. */
struct stream_spec {
	/* A FIFO, a file, "-" (standard input), unix:PATH or tcp:HOST:PORT; with fd >= 0 only used in messages. */
	const char *name;
	/* Descriptor to read; the stream owns it, even if stream_open fails. -1: open the name. */
	int fd;
	bool follow;        /* a file that grows */
	bool once;          /* a socket: do not reconnect */
	bool raw;           /* accept any bytes and do not parse them until all have arrived */
	const char *header; /* file name of a log whose header is used if the stream has none; NULL: none */
	uint64_t spool_max; /* approximate limit of bytes kept; 0: no limit */
};

enum stream_state {
	STREAM_CONNECTING, /* nothing listens yet; retrying */
	STREAM_WAITING,    /* connected; no event has arrived yet */
	STREAM_LIVE,
	STREAM_LOST, /* connection lost; retrying */
	STREAM_ENDED,
	STREAM_FAILED, /* stream_news.why tells why; no more data will come */
};

/* State of a stream. Offsets count from the start of the whole stream, even if its start was dropped. */
struct stream_news {
	enum stream_state state;
	uint64_t base;      /* start of the kept bytes; those before were dropped, except the header */
	uint64_t base_t;    /* time (ns) of the first kept block; 0: nothing was dropped */
	uint64_t whole;     /* end of the readable bytes: complete blocks */
	uint64_t bytes;     /* number of bytes received */
	uint64_t end_t;     /* time (ns) of the latest flush */
	uint64_t final_t;   /* no events before this time will be added; UINT64_MAX: unknown */
	uint64_t wall_ns;   /* Unix time (ns) of time 0 of the log; 0: unknown */
	int64_t came_ms;    /* when the last bytes arrived, in ms of CLOCK_MONOTONIC */
	unsigned epoch;     /* number of times that another log replaced the previous one */
	unsigned joined;    /* number of later connections whose logs were appended */
	bool odd;           /* the followed file was replaced by something that is not a regular file */
	bool data_end;      /* the last event received is the end marker of a log */
	struct evl_err why; /* reason, if STREAM_FAILED or STREAM_LOST */
};

/* Return whether a name denotes a stream: "-", a socket or a FIFO. */
bool stream_is(const char *name);

/* Open or connect to a name, for stream_spec.fd; waits for the connection. Return a descriptor; or EVL_IO, EVL_USAGE
 * or EVL_NOMEM with *err filled. */
int stream_input(const char *name, struct evl_err *err) EVL_MUST_USE;

/* Start reading. wake(ctx) is called from another thread when there is news, at most twenty times a second. Return
 * 0; or EVL_IO or EVL_NOMEM with *err filled. */
int stream_open(struct stream **out, const struct stream_spec *spec, void (*wake)(void *), void *ctx,
	struct evl_err *err) EVL_MUST_USE;

/* Stop reading and free the stream. Sources made by stream_source stay valid. s may be NULL. */
void stream_close(struct stream *s);

/* Return the present state. */
struct stream_news stream_news(struct stream *s);

/* Wait for STREAM_ENDED or STREAM_FAILED, at most ms milliseconds (-1: no limit). Return the state then. */
struct stream_news stream_wait(struct stream *s, int ms);

/* Map the bytes that `news` describes. Return 0; EVL_CANCELLED if another log has replaced them; or another error
 * code. *err is filled on failure. */
int stream_source(
	struct stream *s, const struct stream_news *news, struct source *out, struct evl_err *err) EVL_MUST_USE;

/* Return whether the stream reads the file that had this identity, when it may have been shorter. */
bool stream_reads(struct stream *s, const struct source_id *id);

/* Free the disk space before offset base, which must not be read any more. */
void stream_release(struct stream *s, uint64_t base);

/* Send bytes to the other end of a socket. Return 0; or EVL_IO, or EVL_USAGE if the stream is no socket, with *err
 * filled. */
int stream_send(struct stream *s, const void *bytes, size_t len, struct evl_err *err);

/* Stop reading. The bytes received stay available. */
void stream_stop(struct stream *s);

#endif
