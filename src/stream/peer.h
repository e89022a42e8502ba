/* peer.h - the program at the other end of a socket: "unix:PATH" or "tcp:HOST:PORT". */
#ifndef EVL_PEER_H
#define EVL_PEER_H

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

#endif
