/* A stream in fragments, cut, and joined by another one: how far it is whole never goes back nor past its end, and what is
 * taken over of the second is as long as what it is told to be.
 *
 * The first two bytes say how long fragments are and where the first stream ends. */
#include "fuzz.h"

#include "stream/stream_join.h"
#include "sys/anon_file.h"

#include <unistd.h>

static atomic_bool quit;

static bool feed(struct stream_tail *t, int fd, const uint8_t *data, uint64_t len, uint64_t step)
{
	struct evl_err err;
	for (uint64_t at = 0; at < len; at += step) {
		uint64_t n = min_u64(step, len - at), before = t->at;
		check(anon_file_write(fd, at, data + at, (size_t)n));
		if (stream_tail_advance(t, fd, at + n, &err) < 0)
			return false;
		check(t->at >= before && t->at <= at + n);
	}
	return true;
}

static void walk_pieces(struct stream_tail *t, int fd)
{
	uint64_t at = t->header.data_off, n;
	while (t->head_len && at < t->at && (n = stream_tail_piece(t, fd, at))) {
		stream_tail_begun(t, fd, at);
		at += n;
	}
	check(!t->head_len || at <= max_u64(t->at, t->header.data_off));
}

static void join(const struct stream_tail *first, const uint8_t *data, size_t len, size_t step)
{
	struct stream_join j;
	struct evl_err err;
	const uint8_t *piece;
	size_t n;
	uint64_t taken = 0;
	check(stream_join_open(&j, &quit) == 0);
	for (size_t at = 0; at < len; at += step) {
		size_t part = len - at < step ? len - at : step;
		if (stream_join_put(&j, data + at, part, &err) < 0)
			break;
		while (stream_join_next(&j, first, at + part == len, &piece, &n, &err) == JOINT_PIECE)
			for (taken += n; n--; piece++)
				(void)*(const volatile uint8_t *)piece;
		check(taken <= j.bytes);
	}
	stream_join_close(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stream_tail t;
	if (size < 2)
		return 0;
	size_t step = 1 + data[0], cut = (size - 2) * data[1] / 255;
	int fd = anon_file_open();
	check(fd >= 0 && stream_tail_init(&t, &quit) == 0);
	if (feed(&t, fd, data + 2, cut, step)) {
		walk_pieces(&t, fd);
		uint64_t end = stream_tail_cut(&t, fd, cut);
		check(end <= cut);
		if (t.head_len)
			join(&t, data + 2 + cut, size - 2 - cut, step);
	}
	stream_tail_free(&t);
	close(fd);
	return 0;
}
