/* stream_read.c - read the bytes of a stream. */
#include "stream/stream_private.h"

#include "sys/anon_file.h"
#include "sys/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_MS = 1000, LOOK_OFTEN_MS = 200, FIRST_PAUSE_MS = 100, LONGEST_PAUSE_MS = 5000 };

/* --- reading ------------------------------------------------------------------------------------------------------- */

enum ended { QUIT, AT_END, BROKEN };

/* Wait until there is something to read. False: the stream is to end, or *err says why there can be no waiting. */
static bool wait_for(struct stream *s, int fd, int ms, struct evl_err *err)
{
	for (;;) {
		int announced = stream_due_ms(s), least = announced < 0 || (ms >= 0 && ms < announced) ? ms : announced;
		struct pollfd fds[] = {{s->stop.fd, POLLIN, 0}, {fd, POLLIN, 0}};
		int n = poll_again(fds, fd < 0 ? 1 : 2, least);
		if (n < 0)
			evl_fail(err, EVL_IO, EVL_NO_OFFSET, "cannot be read: %s", strerror(errno));
		if (n < 0 || fds[0].revents)
			return false;
		if (n > 0 || (n == 0 && least == ms))
			return true;
		if (n == 0)
			stream_tell(s, true);
	}
}

/* A connection that cannot be read any more is one that ended: there may be another. */
static bool is_lost(const struct stream *s) { return errno == ECONNRESET || (s->is_peer && !s->spec.once); }

static enum ended read_all(struct stream *s, int fd, struct evl_err *err)
{
	while (wait_for(s, fd, -1, err)) {
		ssize_t n = read_again(fd, s->room, STREAM_ROOM);
		if (n < 0 && errno == EAGAIN)
			continue;
		if (n == 0 || (n < 0 && is_lost(s)))
			return AT_END;
		if (n < 0)
			evl_fail(err, EVL_IO, EVL_NO_OFFSET, "cannot be read: %s", strerror(errno));
		if (n < 0 || stream_keep(s, s->room, (size_t)n, err) < 0)
			return BROKEN;
	}
	return err->code ? BROKEN : QUIT;
}

/* The bytes can no longer be kept, but are still read: the writer must neither block nor die of SIGPIPE. */
static void discard(struct stream *s)
{
	struct evl_err err;
	while (wait_for(s, s->input, -1, &err)) {
		ssize_t n = read_again(s->input, s->room, STREAM_ROOM);
		if (n == 0 || (n < 0 && errno != EAGAIN))
			return;
	}
}

/* A pipe, or standard input. */
static void read_pipe(struct stream *s)
{
	struct evl_err err = {0};
	enum ended ended = read_all(s, s->input, &err);
	if (ended == AT_END && s->bytes == 0)
		evl_fail(&err, EVL_EMPTY, EVL_NO_OFFSET, "empty");
	stream_turn(s, err.code ? STREAM_FAILED : STREAM_ENDED, &err);
	if (ended == BROKEN)
		discard(s);
}

/* --- sockets ------------------------------------------------------------------------------------------------------- */

/* Read one connection from start to end. */
static enum ended converse(struct stream *s, int fd, struct evl_err *err)
{
	bool further = s->tail.head_len > 0;
	if (further && stream_join_open(&s->joint, &s->quit) < 0) {
		evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", anon_file_dir(), strerror(errno));
		return BROKEN;
	}
	s->joining = further;
	pthread_mutex_lock(&s->lock);
	s->input = fd;
	s->news.joined += further;
	pthread_mutex_unlock(&s->lock);
	stream_turn(s, STREAM_WAITING, NULL);
	enum ended ended = read_all(s, fd, err);
	pthread_mutex_lock(&s->lock);
	s->input = -1;
	pthread_mutex_unlock(&s->lock);
	if (ended == AT_END && stream_cut_off(s, err) < 0)
		ended = BROKEN;
	if (s->joining)
		stream_join_close(&s->joint);
	s->joining = false;
	stream_publish(s, false);
	return ended;
}

static void read_peer(struct stream *s)
{
	struct evl_err err = {0};
	enum ended ended = AT_END;
	for (int pause = FIRST_PAUSE_MS; ended == AT_END;) {
		int fd = peer_connect(&s->peer, s->stop.fd);
		if (fd >= 0) {
			ended = converse(s, fd, &err);
			close(fd);
			pause = FIRST_PAUSE_MS;
			if (s->spec.once)
				break;
			stream_turn(s, STREAM_LOST, NULL);
		} else if (s->spec.once) {
			evl_fail(&err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", s->name, strerror(errno));
			break;
		}
		if (ended == AT_END && !wait_for(s, -1, pause, &err))
			break;
		pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
	}
	stream_turn(s, err.code ? STREAM_FAILED : STREAM_ENDED, &err);
}

/* --- a file that grows --------------------------------------------------------------------------------------------- */

/* Report whether another file has the name by now, or this one was truncated and rewritten. */
static bool is_another(const struct stream *s)
{
	struct stat here, there;
	if (fstat(s->fd, &here))
		return false;
	if ((uint64_t)here.st_size < s->bytes)
		return true;
	return stat(s->name, &there) == 0 && (there.st_ino != here.st_ino || there.st_dev != here.st_dev);
}

/* The other file, if it is one: what is no file is waited with, and said. -1 with errno: it cannot be had; EINVAL: it is
 * none. */
static int open_other(struct stream *s)
{
	struct stat st;
	int fd = open_again(s->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd >= 0 && fstat(fd, &st)) {
		close(fd);
		fd = -1;
		errno = EIO;
	}
	bool odd = fd >= 0 && !S_ISREG(st.st_mode);
	pthread_mutex_lock(&s->lock);
	bool news = s->news.odd != odd;
	s->news.odd = odd;
	pthread_mutex_unlock(&s->lock);
	int why = errno;
	if (news)
		stream_tell(s, true);
	errno = why;
	if (!odd)
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

static int look_at_file(struct stream *s, bool *cut, struct evl_err *err)
{
	uint64_t size = s->bytes;
	int other = is_another(s) ? open_other(s) : -2, result = 0;
	if (other >= 0 || (other == -1 && errno != EINVAL))
		result = stream_reset(s, other, err);
	if (result == 0 && !source_data_end(s->fd, &size))
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "cannot be read: %s", strerror(errno));
	if (result < 0)
		return result;
	bool grown = size > s->bytes;
	s->bytes = size;
	if (grown) {
		result = stream_tail_advance(&s->tail, s->fd, s->bytes, err);
		stream_publish(s, true);
	} else if (s->tail.at < s->bytes && s->tail.head_len && !*cut) {
		pthread_mutex_lock(&s->lock); /* it rests in the middle of a block: what is there is shown as it is */
		s->news.whole = s->bytes;
		pthread_mutex_unlock(&s->lock);
		stream_tell(s, true);
	}
	*cut = !grown;
	return result;
}

/* Told of changes; and looks now and then, as some file systems tell nothing. */
static void watch_file(struct stream *s)
{
	struct evl_err err = {0};
	int watch = sys_watch_open();
	bool cut = true;
	if (watch >= 0)
		sys_watch_add(watch, s->name);
	stream_turn(s, STREAM_WAITING, NULL);
	unsigned epoch = s->news.epoch;
	while (look_at_file(s, &cut, &err) == 0 && wait_for(s, watch, watch < 0 ? LOOK_OFTEN_MS : LOOK_MS, &err)) {
		while (watch >= 0 && read_again(watch, s->room, STREAM_ROOM) > 0) {
		}
		if (epoch != s->news.epoch && watch >= 0)
			sys_watch_add(watch, s->name);
		epoch = s->news.epoch;
	}
	if (watch >= 0)
		close(watch);
	stream_turn(s, err.code ? STREAM_FAILED : STREAM_ENDED, &err);
}

void stream_read(struct stream *s)
{
	if (s->is_peer)
		read_peer(s);
	else if (s->spec.follow)
		watch_file(s);
	else
		read_pipe(s);
}
