/* stream_store.c - keep the bytes of a stream, and drop the oldest at the limit. */
#include "stream/stream_private.h"

#include "bytes/decompress.h"
#include "sys/anon_file.h"
#include "sys/clock.h"

#include <errno.h>
#include <unistd.h>

enum { TELL_MS = 50 };

/* --- news ---------------------------------------------------------------------------------------------------------- */

void stream_tell(struct stream *s, bool now)
{
	int64_t t = clock_ms();
	s->untold = !now && t - s->told_ms < TELL_MS;
	if (s->untold)
		return;
	s->told_ms = t;
	if (s->wake)
		s->wake(s->ctx);
}

int stream_due_ms(const struct stream *s)
{
	int64_t left = s->told_ms + TELL_MS - clock_ms();
	return !s->untold ? -1 : left > 0 ? (int)left : 0;
}

void stream_turn(struct stream *s, enum stream_state state, const struct evl_err *why)
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
	stream_tell(s, true);
}

/* Drop the oldest blocks: a quarter of all, as the rest is then indexed from its start. */
static void limit(struct stream *s)
{
	uint64_t kept = s->tail.at - s->news.base, most = s->spec.spool_max;
	if (!most || kept <= most || s->tail.heading)
		return;
	uint64_t goal = s->tail.at - most / 4 * 3, base = max_u64(s->news.base, s->tail.head_len), piece = 1;
	while (base < goal && piece && !atomic_load(&s->quit)) {
		piece = stream_tail_piece(&s->tail, s->fd, base);
		if (piece == 0 && s->tail.damaged)
			piece = stream_tail_resync(&s->tail, s->fd, base) - base;
		base += piece;
	}
	s->news.base = base;
	s->news.base_t = stream_tail_begun(&s->tail, s->fd, base);
}

void stream_publish(struct stream *s, bool arrived)
{
	pthread_mutex_lock(&s->lock);
	if (arrived) {
		s->news.came_ms = clock_ms();
		if (s->news.state == STREAM_WAITING && (s->tail.blocks || s->tail.damaged))
			s->news.state = STREAM_LIVE;
	}
	s->news.bytes = s->bytes;
	s->news.whole = s->tail.at;
	s->news.end_t = s->tail.end_t;
	s->news.final_t = stream_tail_is_idle(&s->tail);
	s->news.wall_ns = s->tail.wall_ns;
	s->news.data_end = s->tail.ended;
	limit(s);
	pthread_mutex_unlock(&s->lock);
	stream_tell(s, false);
}

/* --- what comes ---------------------------------------------------------------------------------------------------- */

/* A stream that is kept until its end, as nothing of it is looked at before: is it one, and is there room for it? */
static int admit_raw(const struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	struct evl_err why;
	if (s->bytes == 0 && len >= HEADER_LOOK && !s->header && !unpack_knows(bytes, len)
		&& header_look(bytes, len, &why) < 0)
		return evl_fail(err, why.code, why.off, "%s", why.text);
	if (s->keep && s->bytes + len > s->keep)
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "the stream is larger than --spool-max allows");
	return 0;
}

static int append(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	int result = s->spec.raw ? admit_raw(s, bytes, len, err) : 0;
	if (result < 0)
		return result;
	if (!anon_file_write(s->fd, s->bytes, bytes, len))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", anon_file_dir(), strerror(errno));
	s->bytes += len;
	return s->spec.raw ? 0 : stream_tail_advance(&s->tail, s->fd, s->bytes, err);
}

/* Another log takes the place of what was there. */
int stream_reset(struct stream *s, int fd, struct evl_err *err)
{
	struct stream_tail tail;
	if (fd < 0 || stream_tail_init(&tail, &s->quit) < 0) {
		if (fd >= 0)
			close(fd);
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", s->name, strerror(errno));
	}
	pthread_mutex_lock(&s->lock);
	close(s->fd);
	stream_tail_free(&s->tail);
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
	int result = stream_reset(s, anon_file_open(), err);
	int64_t n = 1;
	while (result == 0 && (n = anon_file_read(s->joint.fd, s->bytes, s->room, STREAM_ROOM)) > 0)
		result = append(s, s->room, (size_t)n, err);
	if (n < 0)
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", anon_file_dir(), strerror(errno));
	stream_join_close(&s->joint);
	s->joining = false;
	return result;
}

/* Take over what is whole of the log of this connection. */
static int join(struct stream *s, bool over, struct evl_err *err)
{
	const uint8_t *piece;
	size_t len;
	enum stream_join_result r;
	int result = 0;
	while (result == 0 && (r = stream_join_next(&s->joint, &s->tail, over, &piece, &len, err)) == JOINT_PIECE)
		result = append(s, piece, len, err);
	if (result < 0 || r == JOINT_NONE)
		return result;
	return r == JOINT_OTHER ? replace(s, err) : err->code;
}

/* A stream whose first bytes are no header gets that of another log. */
static int borrow_header(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	enum { STRAY = 24 };
	struct source src;
	struct header h;
	bool own = memcmp(bytes, "hdrb", len < 4 ? len : 4) == 0
		|| (len >= STRAY + 4 && memcmp(bytes + STRAY, "hdrb", 4) == 0);
	if (own || !s->header || s->bytes)
		return 0;
	int result = source_open(&src, s->header, err);
	if (result < 0)
		return result;
	struct evl_err why = {0};
	result = header_parse(&h, src.data, src.len, &why);
	bool parsed = result == 0;
	if (parsed && h.cut)
		result = evl_fail(&why, EVL_NOT_A_LOG, src.len, "it ends within its header");
	if (result < 0)
		evl_fail(err, result, why.off, "%.100s: %.90s", s->header, why.text);
	else
		result = append(s, src.data, (size_t)h.data_off, err);
	if (parsed)
		header_free(&h);
	source_close(&src);
	return result;
}

int stream_keep(struct stream *s, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	int result = borrow_header(s, bytes, len, err);
	if (result == 0 && s->joining) {
		result = stream_join_put(&s->joint, bytes, len, err);
		result = result < 0 ? result : join(s, false, err);
	} else if (result == 0) {
		result = append(s, bytes, len, err);
	}
	stream_publish(s, true);
	return result;
}

static int cut_off(struct stream_tail *tail, int fd, uint64_t *bytes, struct evl_err *err)
{
	*bytes = stream_tail_cut(tail, fd, *bytes);
	if (tail->failed)
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.100s: %s", anon_file_dir(), strerror(errno));
	return stream_tail_advance(tail, fd, *bytes, err);
}

int stream_cut_off(struct stream *s, struct evl_err *err)
{
	int result = 0;
	if (s->spec.raw)
		return 0;
	if (s->joining) {
		result = cut_off(&s->joint.tail, s->joint.fd, &s->joint.bytes, err);
		result = result < 0 ? result : join(s, true, err);
	}
	return result < 0 ? result : cut_off(&s->tail, s->fd, &s->bytes, err);
}
