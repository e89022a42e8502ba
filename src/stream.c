#include "stream.h"

#include "joint.h"
#include "peer.h"
#include "spool.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_ROOM = 1 << 20, TELL_MS = 50, LOOK_MS = 1000, FIRST_PAUSE_MS = 100, LONGEST_PAUSE_MS = 5000 };

struct stream {
	struct stream_spec spec;
	char *name, *header;
	struct peer peer;
	bool is_peer;
	void (*wake)(void *);
	void *ctx;
	pthread_t thread;
	bool joined;         /* the thread, by who waited for it */
	int quit_fd;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t over;
	struct stream_news news;
	int fd;              /* the spool, or the file that grows */
	int input;           /* what is read now; -1: nothing */
	int64_t told_ms;     /* the thread's own from here on */
	bool untold;
	uint64_t bytes;
	struct tail tail;
	struct joint joint;  /* the log of a later connection */
	bool joining;
	uint8_t *room;
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool stream_is(const char *name)
{
	struct stat st;
	return strcmp(name, "-") == 0 || peer_is(name) || (stat(name, &st) == 0 && S_ISFIFO(st.st_mode));
}

/* --- news ---------------------------------------------------------------------------------------------------------- */

static void tell(struct stream *s, bool now)
{
	int64_t t = now_ms();
	s->untold = !now && t - s->told_ms < TELL_MS;
	if (s->untold)
		return;
	s->told_ms = t;
	if (s->wake)
		s->wake(s->ctx);
}

/* How long a wait may last until news has to be told; -1: for ever. */
static int patience(const struct stream *s)
{
	int64_t left = s->told_ms + TELL_MS - now_ms();
	return !s->untold ? -1 : left > 0 ? (int)left : 0;
}

static void set_state(struct stream *s, enum stream_state state, const struct evl_err *why)
{
	pthread_mutex_lock(&s->lock);
	s->news.state = state;
	if (why)
		s->news.why = *why;
	if (state == STREAM_ENDED || state == STREAM_FAILED) {
		s->news.whole = s->bytes; /* what is cut is shown too */
		pthread_cond_broadcast(&s->over);
	}
	pthread_mutex_unlock(&s->lock);
	tell(s, true);
}

/* Drop the oldest blocks, and some more than need be, so that it does not happen all the time. */
static void limit(struct stream *s)
{
	uint64_t kept = s->tail.at - s->news.base, most = s->spec.spool_max;
	if (!most || kept <= most || s->tail.heading)
		return;
	uint64_t goal = s->tail.at - most / 8 * 7, base = max_u64(s->news.base, s->tail.head_len), piece = 1;
	while (base < goal && (piece = tail_piece(&s->tail, s->fd, base)))
		base += piece;
	s->news.base = base;
	s->news.base_t = tail_begun(&s->tail, s->fd, base);
}

static void publish(struct stream *s, bool arrived)
{
	pthread_mutex_lock(&s->lock);
	if (arrived) {
		s->news.came_ms = now_ms();
		if (s->news.state == STREAM_WAITING && (s->tail.blocks || s->tail.damaged))
			s->news.state = STREAM_LIVE;
	}
	s->news.bytes = s->bytes;
	s->news.whole = s->tail.at;
	s->news.end_t = s->tail.end_t;
	s->news.settled_t = tail_settled(&s->tail);
	s->news.wall_ns = s->tail.wall_ns;
	s->news.data_end = s->tail.ended;
	limit(s);
	pthread_mutex_unlock(&s->lock);
	tell(s, false);
}

/* --- what comes ---------------------------------------------------------------------------------------------------- */

static int append(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	if (!spool_write(s->fd, s->bytes, bytes, len))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", spool_dir(), strerror(errno));
	s->bytes += len;
	return s->spec.raw ? 0 : tail_advance(&s->tail, s->fd, s->bytes, err);
}

/* Another log takes the place of what was there. */
static int begin_anew(struct stream *s, int fd, struct evl_err *err)
{
	struct tail tail;
	if (fd < 0 || tail_init(&tail) < 0) {
		if (fd >= 0)
			close(fd);
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", s->name, strerror(errno));
	}
	pthread_mutex_lock(&s->lock);
	close(s->fd);
	tail_free(&s->tail);
	s->fd = fd;
	s->tail = tail;
	s->bytes = 0;
	s->news.epoch++;
	s->news.base = s->news.base_t = s->news.whole = s->news.bytes = 0;
	pthread_mutex_unlock(&s->lock);
	return 0;
}

/* The log of this connection cannot be joined to the first: it is shown in its place. */
static int replace(struct stream *s, struct evl_err *err)
{
	int result = begin_anew(s, spool_open(), err);
	int64_t n = 1;
	while (result == 0 && (n = spool_read(s->joint.fd, s->bytes, s->room, READ_ROOM)) > 0)
		result = append(s, s->room, (size_t)n, err);
	joint_close(&s->joint);
	s->joining = false;
	return result;
}

/* Take over what is whole of the log of this connection. */
static int join(struct stream *s, bool over, struct evl_err *err)
{
	const uint8_t *piece;
	size_t len;
	enum joint_result r;
	int result = 0;
	while (result == 0 && (r = joint_next(&s->joint, &s->tail, over, &piece, &len, err)) == JOINT_PIECE)
		result = append(s, piece, len, err);
	if (result < 0 || r == JOINT_NONE)
		return result;
	return r == JOINT_OTHER ? replace(s, err) : err->code;
}

static int take(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	int result;
	if (s->joining) {
		result = joint_put(&s->joint, bytes, len, err);
		result = result < 0 ? result : join(s, false, err);
	} else {
		result = append(s, bytes, len, err);
	}
	publish(s, true);
	return result;
}

/* A stream whose first bytes are no header gets that of another log. */
static int borrow_header(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	enum { STRAY = 24 };
	struct source src;
	struct header h;
	bool own = (len >= 4 && memcmp(bytes, "hdrb", 4) == 0) || (len >= STRAY + 4 && memcmp(bytes + STRAY, "hdrb", 4) == 0);
	if (own || !s->header || s->bytes)
		return 0;
	int result = source_open(&src, s->header, err);
	if (result < 0)
		return result;
	struct evl_err why = {0};
	result = header_parse(&h, src.data, src.len, &why);
	if (result == 0 && h.cut)
		result = evl_fail(&why, EVL_NOT_A_LOG, src.len, "it ends in its header");
	if (result < 0)
		evl_fail(err, result, why.off, "%.100s: %.90s", s->header, why.text);
	else
		result = append(s, src.data, (size_t)h.data_off, err);
	if (result == 0)
		header_free(&h);
	source_close(&src);
	return result;
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

enum ended { QUIT, AT_END, BROKEN };

/* Wait until there is something to read. False: the stream is to end. */
static bool wait_for(struct stream *s, int fd, int ms)
{
	for (;;) {
		int told = patience(s), least = told < 0 || (ms >= 0 && ms < told) ? ms : told;
		struct pollfd fds[] = {{s->quit_fd, POLLIN, 0}, {fd, POLLIN, 0}};
		int n = poll(fds, fd < 0 ? 1 : 2, least);
		if (fds[0].revents)
			return false;
		if (n > 0 || (n == 0 && least == ms))
			return true;
		if (n == 0)
			tell(s, true);
	}
}

static enum ended read_all(struct stream *s, int fd, struct evl_err *err)
{
	while (wait_for(s, fd, -1)) {
		ssize_t n = read(fd, s->room, READ_ROOM);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) /* a connection that was reset has ended */
			return AT_END;
		if (borrow_header(s, s->room, (size_t)n, err) < 0 || take(s, s->room, (size_t)n, err) < 0)
			return BROKEN;
	}
	return QUIT;
}

/* What comes can be kept no more; who writes it is not to wait for us, nor to die of us. */
static void discard(struct stream *s)
{
	while (wait_for(s, s->input, -1)) {
		ssize_t n = read(s->input, s->room, READ_ROOM);
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
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
	set_state(s, err.code ? STREAM_FAILED : STREAM_ENDED, &err);
	if (ended == BROKEN)
		discard(s);
}

/* --- sockets ------------------------------------------------------------------------------------------------------- */

/* The connection is gone, maybe in the middle of a block. */
static int cut_off(struct stream *s, struct evl_err *err)
{
	if (s->joining) {
		s->joint.bytes = tail_cut(&s->joint.tail, s->joint.fd, s->joint.bytes);
		int result = tail_advance(&s->joint.tail, s->joint.fd, s->joint.bytes, err);
		result = result < 0 ? result : join(s, true, err);
		if (result < 0)
			return result;
	}
	s->bytes = tail_cut(&s->tail, s->fd, s->bytes);
	return tail_advance(&s->tail, s->fd, s->bytes, err);
}

/* One connection, from its begin to its end. */
static enum ended converse(struct stream *s, int fd, struct evl_err *err)
{
	bool further = s->tail.head_len > 0;
	if (further && joint_open(&s->joint) < 0) {
		evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", spool_dir(), strerror(errno));
		return BROKEN;
	}
	s->joining = further;
	pthread_mutex_lock(&s->lock);
	s->input = fd;
	s->news.joined += further;
	pthread_mutex_unlock(&s->lock);
	set_state(s, STREAM_WAITING, NULL);
	enum ended ended = read_all(s, fd, err);
	pthread_mutex_lock(&s->lock);
	s->input = -1;
	pthread_mutex_unlock(&s->lock);
	if (ended == AT_END && cut_off(s, err) < 0)
		ended = BROKEN;
	if (s->joining)
		joint_close(&s->joint);
	s->joining = false;
	publish(s, false);
	return ended;
}

static void read_peer(struct stream *s)
{
	struct evl_err err = {0};
	enum ended ended = AT_END;
	for (int pause = FIRST_PAUSE_MS; ended == AT_END;) {
		int fd = peer_connect(&s->peer, s->quit_fd);
		if (fd >= 0) {
			ended = converse(s, fd, &err);
			close(fd);
			pause = FIRST_PAUSE_MS;
			if (s->spec.once)
				break;
			set_state(s, STREAM_LOST, NULL);
		} else if (s->spec.once) {
			evl_fail(&err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", s->name, strerror(errno));
			break;
		}
		if (ended == AT_END && !wait_for(s, -1, pause))
			break;
		pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS;
	}
	set_state(s, err.code ? STREAM_FAILED : STREAM_ENDED, &err);
}

/* --- a file that grows --------------------------------------------------------------------------------------------- */

/* Another file has the name by now, or this one was begun anew. */
static bool is_another(const struct stream *s)
{
	struct stat here, there;
	if (fstat(s->fd, &here))
		return false;
	if ((uint64_t)here.st_size < s->bytes)
		return true;
	return stat(s->name, &there) == 0 && (there.st_ino != here.st_ino || there.st_dev != here.st_dev);
}

static int look_at_file(struct stream *s, bool *cut, struct evl_err *err)
{
	struct stat st;
	int result = is_another(s) ? begin_anew(s, open(s->name, O_RDONLY | O_CLOEXEC), err) : 0;
	if (result < 0 || fstat(s->fd, &st))
		return result;
	bool grown = (uint64_t)st.st_size > s->bytes;
	s->bytes = (uint64_t)st.st_size;
	if (grown) {
		result = tail_advance(&s->tail, s->fd, s->bytes, err);
		publish(s, true);
	} else if (s->tail.at < s->bytes && s->tail.head_len && !*cut) {
		pthread_mutex_lock(&s->lock); /* it rests in the middle of a block: what is there is shown as it is */
		s->news.whole = s->bytes;
		pthread_mutex_unlock(&s->lock);
		tell(s, true);
	}
	*cut = !grown;
	return result;
}

/* Told of changes; and looks now and then, as some file systems tell nothing. */
static void watch_file(struct stream *s)
{
	struct evl_err err = {0};
	int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	bool cut = true;
	if (watch >= 0)
		inotify_add_watch(watch, s->name, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB);
	set_state(s, STREAM_WAITING, NULL);
	unsigned epoch = s->news.epoch;
	while (look_at_file(s, &cut, &err) == 0 && wait_for(s, watch, LOOK_MS)) {
		while (watch >= 0 && read(watch, s->room, READ_ROOM) > 0) {
		}
		if (epoch != s->news.epoch && watch >= 0)
			inotify_add_watch(watch, s->name, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB);
		epoch = s->news.epoch;
	}
	if (watch >= 0)
		close(watch);
	set_state(s, err.code ? STREAM_FAILED : STREAM_ENDED, &err);
}

/* --- beginning and end --------------------------------------------------------------------------------------------- */

static void *run(void *arg)
{
	struct stream *s = arg;
	if (s->is_peer)
		read_peer(s);
	else if (s->spec.follow)
		watch_file(s);
	else
		read_pipe(s);
	return NULL;
}

/* What is read, and what it is kept in. */
static int open_ends(struct stream *s, struct evl_err *err)
{
	enum { PIPE_BYTES = 1 << 20 };
	if (s->is_peer) {
		int result = peer_find(&s->peer, s->name, err);
		if (result < 0)
			return result;
	} else {
		bool is_stdin = strcmp(s->name, "-") == 0;
		s->input = s->spec.fd >= 0 ? s->spec.fd : is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			: open(s->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (s->input < 0)
			return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: %s", s->name, strerror(errno));
		if (isatty(s->input))
			return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: is a terminal, not a log", s->name);
		fcntl(s->input, F_SETPIPE_SZ, PIPE_BYTES); /* the writer waits less; no harm where it cannot be had */
	}
	if (s->spec.follow) {
		s->fd = s->input;
		s->input = -1;
		return 0;
	}
	s->fd = spool_open();
	return s->fd >= 0 ? 0 : evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", spool_dir(), strerror(errno));
}

static void free_stream(struct stream *s)
{
	int fds[] = {s->fd, s->quit_fd, s->is_peer ? -1 : s->input};
	for (size_t i = 0; i < countof(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	peer_free(&s->peer);
	tail_free(&s->tail);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->over);
	free(s->room);
	free(s->name);
	free(s->header);
	free(s);
}

int stream_open(struct stream **out, const struct stream_spec *spec, void (*wake)(void *), void *ctx, struct evl_err *err)
{
	struct stream *s = *out = calloc(1, sizeof *s);
	if (!s)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	*s = (struct stream){.spec = *spec, .name = strdup(spec->name), .wake = wake, .ctx = ctx, .fd = -1, .input = -1,
		.header = spec->header ? strdup(spec->header) : NULL, .is_peer = spec->fd < 0 && peer_is(spec->name),
		.room = malloc(READ_ROOM), .quit_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
	s->news.settled_t = UINT64_MAX;
	s->news.state = s->is_peer ? STREAM_CONNECTING : STREAM_WAITING;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->over, NULL);
	bool memory = s->name && s->room && (s->header || !spec->header) && s->quit_fd >= 0 && tail_init(&s->tail) == 0;
	int result = memory ? open_ends(s, err) : evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	s->spec.spool_max = spec->raw ? 0 : spec->spool_max;
	if (result == 0 && !worker_start(&s->thread, run, s))
		result = evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "no thread can be had");
	if (result < 0) {
		free_stream(s);
		*out = NULL;
	}
	return result;
}

void stream_stop(struct stream *s)
{
	uint64_t one = 1;
	if (write(s->quit_fd, &one, sizeof one) < 0) {
		/* it was told before */
	}
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

static bool is_over(const struct stream *s)
{
	return s->news.state == STREAM_ENDED || s->news.state == STREAM_FAILED;
}

struct stream_news stream_wait(struct stream *s, int ms)
{
	struct timespec until = worker_until(ms);
	int late = 0;
	pthread_mutex_lock(&s->lock);
	while (!is_over(s) && !late)
		late = ms < 0 ? pthread_cond_wait(&s->over, &s->lock) : pthread_cond_clockwait(&s->over, &s->lock, CLOCK_MONOTONIC, &until);
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

void stream_release(struct stream *s, uint64_t base)
{
	pthread_mutex_lock(&s->lock);
	if (base && !s->spec.follow)
		spool_drop(s->fd, base - s->tail.head_len);
	pthread_mutex_unlock(&s->lock);
}

int stream_send(struct stream *s, const void *bytes, size_t len, struct evl_err *err)
{
	int result;
	pthread_mutex_lock(&s->lock);
	if (!s->is_peer)
		result = evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "the log does not come from a socket (unix:PATH, tcp:HOST:PORT)");
	else if (s->input < 0)
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "not connected");
	else if (send(s->input, bytes, len, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)len)
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "not sent: %s", strerror(errno));
	else
		result = 0;
	pthread_mutex_unlock(&s->lock);
	return result;
}
