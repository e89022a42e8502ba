/* eventlog_socket.h - connect to a program's eventlog socket (unix:PATH, tcp:HOST:PORT), send control messages */
#ifndef EVL_EVENTLOG_SOCKET_H
#define EVL_EVENTLOG_SOCKET_H

#include "base/base.h"
#include "base/err.h"

struct addrinfo;

/* A parsed address. */
struct peer {
	char *path;             /* path of a Unix socket; NULL: a TCP socket */
	struct addrinfo *found; /* resolved addresses of a TCP socket; NULL: a Unix socket */
};

/* Return whether a name has the form of a socket address. */
bool peer_is(const char *name);

/* Parse a name and resolve its host, which may ask the network. Return 0; or EVL_IO, EVL_USAGE or EVL_NOMEM with
 * *err filled. */
int peer_find(struct peer *p, const char *name, struct evl_err *err) EVL_MUST_USE;
void peer_free(struct peer *p);

/* Connect. Fail if quit_fd becomes readable (-1: never). Return the socket, or -1 with errno set. */
int peer_connect(const struct peer *p, int quit_fd);

/* Requests to a program that serves its log with eventlog-socket and was built with control commands. The program
 * does not reply; the effect shows in the log. */

enum control {
	CONTROL_START_PROFILING = 1,
	CONTROL_STOP_PROFILING,
	CONTROL_START_HEAP,
	CONTROL_STOP_HEAP,
	CONTROL_CENSUS
};

enum { CONTROL_ROOM = 32 };

/* Write the message to out. Return its length in bytes. */
size_t control_message(enum control what, uint8_t out[CONTROL_ROOM]);

#endif
