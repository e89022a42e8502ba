#include "stream/stream_private.h"

#include "sys/anon_file.h"
#include "sys/retry.h"
#include "sys/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

bool stream_is(const char *name)
{
	struct stat st;
	return strcmp(name, "-") == 0 || peer_is(name) || (stat(name, &st) == 0 && S_ISFIFO(st.st_mode));
}

/* --- beginning and end --------------------------------------------------------------------------------------------- */

static void *run(void *arg)
{
	stream_read(arg);
	return NULL;
}

static int open_name(const char *name)
{
	return strcmp(name, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
				      : open_again(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
}

int stream_input(const char *name, struct evl_err *err)
{
	struct peer peer;
	if (!peer_is(name)) {
		int fd = open_name(name);
		return fd >= 0 ? fd : evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", name, strerror(errno));
	}
	int result = peer_find(&peer, name, err);
	if (result == 0 && (result = peer_connect(&peer, -1)) < 0)
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", name, strerror(errno));
	peer_free(&peer);
	return result;
}

/* The source, and the file that it is spooled to. */
static int open_ends(struct stream *s, struct evl_err *err)
{
	enum { PIPE_BYTES = 1 << 20 };
	if (s->is_peer) {
		int result = peer_find(&s->peer, s->name, err);
		if (result < 0)
			return result;
	} else {
		if (s->input < 0)
			s->input = open_name(s->name);
		if (s->input < 0)
			return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", s->name, strerror(errno));
		if (isatty(s->input))
			return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: is a terminal, not a log", s->name);
		sys_pipe_room(s->input, PIPE_BYTES);
	}
	if (s->spec.follow) {
		struct stat st;
		if (fstat(s->input, &st) || !S_ISREG(st.st_mode))
			return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: is not a file that can grow", s->name);
		s->fd = s->input;
		s->input = -1;
		return 0;
	}
	s->fd = anon_file_open();
	return s->fd >= 0 ? 0 : evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", anon_file_dir(), strerror(errno));
}

static void free_stream(struct stream *s)
{
	int fds[] = {s->fd, s->is_peer ? -1 : s->input};
	for (size_t i = 0; i < countof(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	waker_close(&s->stop);
	peer_free(&s->peer);
	stream_tail_free(&s->tail);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->over);
	free_all(s->room, s->name, s->header, s);
}

int stream_open(
	struct stream **out, const struct stream_spec *spec, void (*wake)(void *), void *ctx, struct evl_err *err)
{
	struct stream *s = *out = calloc(1, sizeof *s);
	if (!s) {
		if (spec->fd >= 0)
			close(spec->fd);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	}
	*s = (struct stream){.spec = *spec,
		.name = strdup(spec->name),
		.wake = wake,
		.ctx = ctx,
		.fd = -1,
		.input = spec->fd,
		.header = spec->header ? strdup(spec->header) : NULL,
		.is_peer = spec->fd < 0 && peer_is(spec->name),
		.room = malloc(STREAM_ROOM)};
	bool stoppable = waker_open(&s->stop);
	s->news.final_t = UINT64_MAX;
	s->news.state = s->is_peer ? STREAM_CONNECTING : STREAM_WAITING;
	pthread_mutex_init(&s->lock, NULL);
	worker_cond_init(&s->over);
	bool memory = s->name && s->room && (s->header || !spec->header) && stoppable
		&& stream_tail_init(&s->tail, &s->quit) == 0;
	int result = memory ? open_ends(s, err) : evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	s->keep = spec->raw ? spec->spool_max : 0;
	s->spec.spool_max = spec->raw ? 0 : spec->spool_max;
	if (result == 0 && !worker_start(&s->thread, run, s))
		result = evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "cannot start a thread");
	if (result < 0) {
		free_stream(s);
		*out = NULL;
	}
	return result;
}

void stream_stop(struct stream *s)
{
	atomic_store(&s->quit, true);
	waker_wake(&s->stop);
	if (!s->joined)
		pthread_join(s->thread, NULL);
	s->joined = true;
}

void stream_close(struct stream *s)
{
	if (!s)
		return;
	stream_stop(s);
	free_stream(s);
}

struct stream_news stream_news(struct stream *s)
{
	pthread_mutex_lock(&s->lock);
	struct stream_news news = s->news;
	pthread_mutex_unlock(&s->lock);
	return news;
}

static bool is_over(const struct stream *s) { return s->news.state == STREAM_ENDED || s->news.state == STREAM_FAILED; }

struct stream_news stream_wait(struct stream *s, int ms)
{
	struct timespec until = worker_until(ms);
	int late = 0;
	pthread_mutex_lock(&s->lock);
	while (!is_over(s) && !late)
		late = ms < 0 ? pthread_cond_wait(&s->over, &s->lock)
			      : pthread_cond_timedwait(&s->over, &s->lock, &until);
	struct stream_news news = s->news;
	pthread_mutex_unlock(&s->lock);
	return news;
}

int stream_source(struct stream *s, const struct stream_news *news, struct source *out, struct evl_err *err)
{
	pthread_mutex_lock(&s->lock);
	bool same = news->epoch == s->news.epoch;
	struct evl_str head = {0};
	if (news->base) /* it grows no more then */
		head = (struct evl_str){s->tail.head, s->tail.head_len};
	int result = same ? source_from_part(out, s->fd, head, news->base, news->whole, err)
			  : evl_fail(err, EVL_CANCELLED, EVL_NO_OFFSET, "%s", evl_strerror(EVL_CANCELLED));
	pthread_mutex_unlock(&s->lock);
	return result;
}

bool stream_reads(struct stream *s, const struct source_id *id)
{
	struct stat st;
	pthread_mutex_lock(&s->lock);
	bool same = fstat(s->fd, &st) == 0 && st.st_dev == id->dev && st.st_ino == id->ino;
	pthread_mutex_unlock(&s->lock);
	return same;
}

void stream_release(struct stream *s, uint64_t base)
{
	pthread_mutex_lock(&s->lock);
	if (base && !s->spec.follow)
		anon_file_drop(s->fd, base - s->tail.head_len);
	pthread_mutex_unlock(&s->lock);
}

int stream_send(struct stream *s, const void *bytes, size_t len, struct evl_err *err)
{
	int result;
	pthread_mutex_lock(&s->lock);
	if (!s->is_peer)
		result = evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
			"the log does not come from a socket (unix:PATH, tcp:HOST:PORT)");
	else if (s->input < 0)
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "not connected");
	else if (send(s->input, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)len)
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "not sent: %s", strerror(errno));
	else
		result = 0;
	pthread_mutex_unlock(&s->lock);
	return result;
}
