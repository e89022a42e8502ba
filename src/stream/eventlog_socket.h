/* eventlog_socket.h - connect to a program's eventlog socket, "unix:PATH" or "tcp:HOST:PORT", and send it control
 * messages. */
#ifndef EVL_EVENTLOG_SOCKET_H
#define EVL_EVENTLOG_SOCKET_H

#include "base/base.h"
#include "base/err.h"

struct addrinfo;

struct peer {
	char *path;             /* of a Unix socket; or NULL */
	struct addrinfo *found; /* where a host name leads to; or NULL */
};

/* Is it the name of one? */
bool peer_is(const char *name);

/* Find out where the name leads to: it may be asked on the net. EVL_IO, EVL_USAGE or EVL_NOMEM with err filled. */
int peer_find(struct peer *p, const char *name, struct evl_err *err) EVL_MUST_USE;
void peer_free(struct peer *p);

/* Connect, unless quit_fd becomes readable before. The socket, or -1 with errno. */
int peer_connect(const struct peer *p, int quit_fd);

/* Requests to a program that serves its log with eventlog-socket, if it was built with control commands. It sends no
 * reply: the effect is seen in the log. */

enum control {
	CONTROL_START_PROFILING = 1,
	CONTROL_STOP_PROFILING,
	CONTROL_START_HEAP,
	CONTROL_STOP_HEAP,
	CONTROL_CENSUS
};

enum { CONTROL_ROOM = 32 };

/* The message, into out; its length. */
size_t control_message(enum control what, uint8_t out[CONTROL_ROOM]);

#endif
