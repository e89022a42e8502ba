#include "stream/stream_join.h"

#include "sys/anon_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Two consecutive readings of the clocks differ by less, a restarted program by more. */
enum { SAME_NS = 1000000000 };
/* Wait for this many bytes of a log before deriving its time. */
enum { PATIENCE = 4 << 20 };
/* No GHC writes longer blocks; longer ones are copied unchanged. */
enum { MOST = 64 << 20 };

int stream_join_open(struct stream_join *j, const atomic_bool *quit)
{
	*j = (struct stream_join){.fd = anon_file_open()};
	if (j->fd < 0)
		return EVL_IO;
	if (stream_tail_init(&j->tail, quit) == 0)
		return 0;
	close(j->fd);
	return EVL_NOMEM;
}

void stream_join_close(struct stream_join *j)
{
	stream_tail_free(&j->tail);
	free(j->block);
	close(j->fd);
	*j = (struct stream_join){.fd = -1};
}

int stream_join_put(struct stream_join *j, const uint8_t *bytes, size_t len, struct evl_err *err)
{
	if (!anon_file_write(j->fd, j->bytes, bytes, len))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: %s", anon_file_dir(), strerror(errno));
	j->bytes += len;
	return stream_tail_advance(&j->tail, j->fd, j->bytes, err);
}

static bool same_types(const struct header *a, const struct header *b)
{
	bool same = a->n == b->n;
	for (size_t i = 0; same && i < a->n; i++)
		same = a->types[i].tag == b->types[i].tag && a->types[i].size == b->types[i].size;
	return same;
}

/* By how much its times are moved. Without a clock on the wall, or where that was set back, it begins where the first
 * log ends. */
static void find_shift(struct stream_join *j, const struct stream_tail *first)
{
	uint64_t shift = j->tail.wall_ns - first->wall_ns;
	bool clocks = j->tail.wall_ns && first->wall_ns;
	if (clocks && shift + SAME_NS < 2 * (uint64_t)SAME_NS)
		shift = 0; /* one process: its clock goes on */
	uint64_t begin = j->tail.first_t + shift;
	if (!clocks || (shift && (begin > INT64_MAX || begin < first->end_t)))
		shift = first->end_t - j->tail.first_t;
	j->shift = shift;
	j->timed = true;
}

static uint64_t moved(const struct stream_join *j, uint64_t t)
{
	return t <= INT64_MAX && t + j->shift <= INT64_MAX ? t + j->shift : t;
}

static void put_be64(uint8_t *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, sizeof v);
}

/* All times in the piece, as far as its events can be read. */
static void move_times(const struct stream_join *j, uint8_t *piece, size_t len)
{
	enum { TIME_AT = 2, END_AT = 14 };
	struct frame f;
	for (uint64_t off = 0; off < len; off = f.next) {
		enum frame_result r = frame_read(&j->tail.header, piece, off, len, &f);
		if (r != FRAME_OK && r != FRAME_DATA_END)
			return;
		if (r == FRAME_OK)
			put_be64(piece + off + TIME_AT, moved(j, f.t));
		if (r == FRAME_OK && f.tag == EVL_BLOCK_MARKER && f.next - off >= BLOCK_HEAD)
			put_be64(piece + off + END_AT, moved(j, be64(piece + off + END_AT)));
	}
}

static size_t length_of_next(struct stream_join *j)
{
	uint64_t left = j->tail.at - j->at;
	uint64_t len = left && !j->tail.damaged ? stream_tail_piece(&j->tail, j->fd, j->at) : left;
	return (size_t)min_u64(len ? len : left, MOST);
}

static enum stream_join_result fail(struct evl_err *err, int code)
{
	evl_fail(err, code, EVL_NO_OFFSET, "%s", evl_strerror(code));
	return JOINT_FAILED;
}

enum stream_join_result stream_join_next(struct stream_join *j, const struct stream_tail *first, bool over,
	const uint8_t **piece, size_t *len, struct evl_err *err)
{
	struct stream_tail *t = &j->tail;
	if (t->head_len == 0)
		return JOINT_NONE;
	if (!same_types(&t->header, &first->header))
		return JOINT_OTHER;
	j->at = max_u64(j->at, t->header.data_off);
	if (!j->timed && (t->wall_ns || over || t->at > PATIENCE || t->damaged))
		find_shift(j, first);
	t->failed = 0;
	*len = j->timed ? length_of_next(j) : 0;
	if (t->failed)
		return fail(err, t->failed);
	if (*len == 0)
		return JOINT_NONE;
	uint8_t *block = realloc(j->block, *len);
	if (!block)
		return fail(err, EVL_NOMEM);
	j->block = block;
	if (anon_file_read(j->fd, j->at, block, *len) != (int64_t)*len)
		return fail(err, EVL_IO);
	if (j->shift)
		move_times(j, block, *len);
	j->at += *len;
	anon_file_drop(j->fd, j->at);
	*piece = block;
	return JOINT_PIECE;
}
