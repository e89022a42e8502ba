#include "stream/eventlog_socket.h"

#include "sys/retry.h"
#include "sys/system.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CONNECT_MS = 5000 };

static const char unix_prefix[] = "unix:", tcp_prefix[] = "tcp:";

static const char *past(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	return strncmp(name, prefix, len) == 0 ? name + len : NULL;
}

bool peer_is(const char *name) { return past(name, unix_prefix) || past(name, tcp_prefix); }

static int find_path(struct peer *p, const char *name, const char *path, struct evl_err *err)
{
	struct sockaddr_un address;
	if (!*path || strlen(path) >= sizeof address.sun_path)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%.140s: a socket's path has 1 to %zu bytes", name,
			sizeof address.sun_path - 1);
	p->path = strdup(path);
	return p->path ? 0 : evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
}

/* "HOST:PORT", "[::1]:PORT" */
static int find_host(struct peer *p, const char *name, const char *where, struct evl_err *err)
{
	const char *colon = strrchr(where, ':');
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	if (!colon || colon == where || !colon[1])
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%.140s: not of the form tcp:HOST:PORT", name);
	bool brackets = where[0] == '[' && colon[-1] == ']';
	char *host = strndup(where + brackets, (size_t)(colon - where) - 2 * brackets);
	int why = host ? getaddrinfo(host, colon + 1, &hints, &p->found) : EAI_MEMORY;
	free(host);
	return why ? evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", name, gai_strerror(why)) : 0;
}

int peer_find(struct peer *p, const char *name, struct evl_err *err)
{
	*p = (struct peer){0};
	const char *path = past(name, unix_prefix);
	const char *where = path ? NULL : past(name, tcp_prefix);
	assert(path || where); /* by peer_is */
	return path ? find_path(p, name, path, err) : find_host(p, name, where, err);
}

void peer_free(struct peer *p)
{
	free(p->path);
	if (p->found)
		freeaddrinfo(p->found);
	*p = (struct peer){0};
}

/* Report whether a connection in progress is established; if not, errno has the reason. */
static bool stands(int fd, int quit_fd)
{
	struct pollfd fds[] = {{fd, POLLOUT, 0}, {quit_fd, POLLIN, 0}};
	int why = 0;
	socklen_t size = sizeof why;
	int n = poll_again(fds, countof(fds), CONNECT_MS);
	if (n <= 0 || fds[1].revents) {
		errno = n == 0 ? ETIMEDOUT : n > 0 ? ECANCELED : errno;
		return false;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &size) == 0 && why)
		errno = why;
	return why == 0;
}

static int connect_to(int family, const struct sockaddr *address, socklen_t size, int quit_fd)
{
	int fd = sys_socket(family, O_NONBLOCK);
	if (fd < 0)
		return -1;
	bool stood = connect(fd, address, size) == 0;
	if (stood || ((errno == EINPROGRESS || errno == EINTR) && stands(fd, quit_fd))) /* it goes on in either case */
		return fd;
	int why = errno;
	close(fd);
	errno = why;
	return -1;
}

int peer_connect(const struct peer *p, int quit_fd)
{
	int fd = -1;
	if (p->path) {
		struct sockaddr_un address = {.sun_family = AF_UNIX};
		memcpy(address.sun_path, p->path, strlen(p->path));
		return connect_to(AF_UNIX, (const struct sockaddr *)&address, sizeof address, quit_fd);
	}
	for (const struct addrinfo *a = p->found; a && fd < 0; a = a->ai_next)
		fd = connect_to(a->ai_family, a->ai_addr, a->ai_addrlen, quit_fd);
	return fd;
}

/* Magic, version, length of the name space, the name space, the command. (eventlog-socket 0.1.3; its README shows another
 * length, its code reads this one.) */
size_t control_message(enum control what, uint8_t out[CONTROL_ROOM])
{
	static const uint8_t magic[] = {0xf0, 0x9e, 0x97, 0x8c}, version = 0;
	static const char space[] = "eventlog-socket";
	size_t n = 0;
	memcpy(out, magic, sizeof magic);
	n += sizeof magic;
	out[n++] = version;
	out[n++] = sizeof space - 1;
	memcpy(out + n, space, sizeof space - 1);
	n += sizeof space - 1;
	out[n++] = (uint8_t)what;
	return n;
}
