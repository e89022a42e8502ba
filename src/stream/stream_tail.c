#include "stream/stream_tail.h"

#include "format/decode.h"
#include "sys/anon_file.h"

#include <stdlib.h>

enum { MOST_HEAD = 4 << 20 };

int stream_tail_init(struct stream_tail *t, const atomic_bool *quit)
{
	*t = (struct stream_tail){.heading = true, .first_t = UINT64_MAX, .quit = quit};
	t->window = malloc(TAIL_WINDOW);
	t->ends = calloc(MAX_CAP + 1, sizeof *t->ends);
	if (t->window && t->ends)
		return 0;
	stream_tail_free(t);
	return EVL_NOMEM;
}

void stream_tail_free(struct stream_tail *t)
{
	if (t->head_len)
		header_free(&t->header);
	free_all(t->head, t->window, t->ends);
	*t = (struct stream_tail){0};
}

static size_t read_at(struct stream_tail *t, int fd, uint64_t off, void *bytes, size_t len)
{
	int64_t n = anon_file_read(fd, off, bytes, len);
	t->failed = n < 0 ? EVL_IO : t->failed;
	return n > 0 ? (size_t)n : 0;
}

/* The bytes from `off` on, as many as the window holds and as there are before `len`. */
static const uint8_t *look(struct stream_tail *t, int fd, uint64_t off, uint64_t len, size_t least, size_t *there)
{
	size_t room = (size_t)min_u64(len - off, TAIL_WINDOW);
	least = least < room ? least : room;
	if (off < t->window_at || off + least > t->window_at + t->window_len) {
		t->window_len = read_at(t, fd, off, t->window, room);
		t->window_at = off;
	}
	size_t skip = (size_t)(off - t->window_at);
	*there = t->window_len > skip ? t->window_len - skip : 0;
	return t->window + skip;
}

/* The bytes that have come so far may end within the header. */
static int take_header(struct stream_tail *t, int fd, uint64_t len, struct evl_err *err)
{
	size_t there;
	const uint8_t *bytes = look(t, fd, 0, len, TAIL_WINDOW, &there);
	struct header h;
	if (t->failed)
		return EVL_IO;
	int result = header_parse(&h, bytes, there, err);
	if (result < 0)
		return result;
	bool cut = h.cut;
	uint64_t data_off = h.data_off;
	header_free(&h);
	if (cut)
		return there < TAIL_WINDOW ? 0 : evl_fail(err, EVL_NOT_A_LOG, there, "no end of the header");
	t->head = malloc((size_t)data_off);
	if (!t->head)
		return EVL_NOMEM;
	memcpy(t->head, bytes, (size_t)data_off);
	result = header_parse(&t->header, t->head, data_off, err);
	if (result == 0)
		t->head_len = t->at = data_off;
	return result;
}

/* A wall clock time, in an event of the global block. */
static void note_wall(struct stream_tail *t, const struct frame *f)
{
	struct evl_value v[EVL_MAX_FIELDS];
	const struct schema *schema = header_of(&t->header, f->tag)->schema;
	if (f->tag != EVL_WALL_CLOCK_TIME || !schema || f->payload.len < schema->size
		|| decode(schema, f->payload, v) < 3)
		return;
	if (v[1].u < UINT32_MAX * 4ull)
		t->wall_ns = sub_or_0(v[1].u * 1000000000 + v[2].u, f->t);
}

static void find_wall(struct stream_tail *t, int fd, uint64_t off, uint64_t end)
{
	struct frame f;
	while (!t->wall_ns && off < end && !load_relaxed(t->quit)) {
		size_t there;
		const uint8_t *bytes = look(t, fd, off, end, UINT16_MAX + FRAME_VARIABLE, &there);
		if (there == 0 || frame_read(&t->header, bytes, 0, there, &f) != FRAME_OK)
			return;
		note_wall(t, &f);
		off += f.next;
	}
}

/* Blocks that say whose log it is stay with the header. */
static void keep_head(struct stream_tail *t, int fd, uint64_t off, uint64_t len)
{
	bool fits = off == t->head_len && off + len <= MOST_HEAD;
	uint8_t *more = fits ? realloc(t->head, (size_t)(off + len)) : NULL;
	if (!more) {
		t->heading = false;
		t->failed = fits ? EVL_NOMEM : t->failed;
		return;
	}
	/* the descriptions of the header's types are borrowed from these bytes, but not used here */
	t->head = more;
	if (read_at(t, fd, off, more + off, (size_t)len) == len)
		t->head_len = off + len;
}

static void take_block(struct stream_tail *t, int fd, uint64_t off, const uint8_t *marker)
{
	enum { TIME_AT = 2, SIZE_AT = 10, END_AT = 14, CAP_AT = 22 };
	uint64_t size = be32(marker + SIZE_AT), end = be64(marker + END_AT), begun = be64(marker + TIME_AT);
	uint16_t cap = be16(marker + CAP_AT), last = 0;
	uint8_t two[2];
	if (size > BLOCK_HEAD && read_at(t, fd, off + size - 2, two, 2) == 2)
		last = be16(two);
	t->blocks += size > BLOCK_HEAD;
	t->ended = last == EVL_DATA_END;
	t->first_t = min_u64(t->first_t, begun);
	t->end_t = max_u64(t->end_t, end);
	if (cap <= MAX_CAP)
		t->ends[cap] = max_u64(t->ends[cap], end);
	t->heading = t->heading && cap == EVL_NO_CAP;
	if (t->heading)
		keep_head(t, fd, off, size);
	if (cap == EVL_NO_CAP)
		find_wall(t, fd, off, off + size);
}

static bool is_marker(const uint8_t *p, size_t there)
{
	enum { TIME_AT = 2, SIZE_AT = 10, END_AT = 14 };
	return there >= BLOCK_HEAD && be16(p) == EVL_BLOCK_MARKER && be32(p + SIZE_AT) >= BLOCK_HEAD
		&& be64(p + END_AT) >= be64(p + TIME_AT) && be64(p + END_AT) <= INT64_MAX;
}

/* Return the length of the block or event at off, or 0 if it is incomplete or not one. */
static uint64_t piece_at(
	struct stream_tail *t, int fd, uint64_t off, uint64_t len, enum frame_result *what, struct frame *f)
{
	size_t there;
	const uint8_t *p = look(t, fd, off, len, BLOCK_HEAD, &there);
	*what = FRAME_CUT;
	if (is_marker(p, there)) {
		uint64_t size = be32(p + 10);
		*what = size <= len - off ? FRAME_OK : FRAME_CUT;
		*f = (struct frame){.tag = EVL_BLOCK_MARKER};
		return *what == FRAME_OK ? size : 0;
	}
	if (there == 0 || (there < BLOCK_HEAD && there >= 2 && be16(p) == EVL_BLOCK_MARKER))
		return 0;
	p = look(t, fd, off, len, UINT16_MAX + FRAME_VARIABLE, &there);
	*what = frame_read(&t->header, p, 0, there, f);
	return *what == FRAME_OK || *what == FRAME_DATA_END ? f->next : 0;
}

/* Take what begins at t->at. False: it is not whole yet, or the rest is damaged. */
static bool take_piece(struct stream_tail *t, int fd, uint64_t len)
{
	enum frame_result what;
	struct frame f;
	uint64_t size = piece_at(t, fd, t->at, len, &what, &f);
	if (size == 0) {
		t->damaged = what != FRAME_CUT;
		return false;
	}
	if (what == FRAME_OK && f.tag == EVL_BLOCK_MARKER) {
		size_t there;
		uint8_t marker[BLOCK_HEAD];
		memcpy(marker, look(t, fd, t->at, len, BLOCK_HEAD, &there), BLOCK_HEAD);
		take_block(t, fd, t->at, marker);
	} else {
		t->ended = what == FRAME_DATA_END;
		t->heading = false;
		t->blocks += what == FRAME_OK;
		t->end_t = what == FRAME_OK ? max_u64(t->end_t, f.t) : t->end_t;
	}
	t->at += size;
	return true;
}

int stream_tail_advance(struct stream_tail *t, int fd, uint64_t len, struct evl_err *err)
{
	t->window_len = 0; /* more may follow it now */
	t->failed = 0;
	int result = t->head_len == 0 && len ? take_header(t, fd, len, err) : 0;
	while (result == 0 && t->head_len && !t->damaged && t->at < len && !load_relaxed(t->quit))
		if (!take_piece(t, fd, len))
			break;
	if (t->damaged)
		t->at = len;
	result = t->failed ? t->failed : result;
	return result == EVL_NOT_A_LOG || result == 0
		? result
		: evl_fail(err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
}

/* The end of the last whole event of the block at `off`, whose end is missing. */
static uint64_t last_whole(struct stream_tail *t, int fd, uint64_t off, uint64_t len)
{
	struct frame f;
	uint64_t at = off + BLOCK_HEAD;
	while (at < len && !load_relaxed(t->quit)) {
		size_t there;
		const uint8_t *bytes = look(t, fd, at, len, UINT16_MAX + FRAME_VARIABLE, &there);
		if (there == 0 || frame_read(&t->header, bytes, 0, there, &f) != FRAME_OK)
			break;
		at += f.next;
	}
	return at;
}

uint64_t stream_tail_cut(struct stream_tail *t, int fd, uint64_t len)
{
	enum { SIZE_AT = 10 };
	size_t there;
	t->failed = 0;
	if (t->head_len == 0 || t->at >= len)
		return t->head_len ? len : 0;
	const uint8_t *p = look(t, fd, t->at, len, BLOCK_HEAD, &there);
	if (!is_marker(p, there))
		return t->at;
	uint64_t end = last_whole(t, fd, t->at, len), size = end - t->at;
	uint8_t bytes[4] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size};
	if (!anon_file_write(fd, t->at + SIZE_AT, bytes, sizeof bytes))
		t->failed = EVL_IO;
	return end;
}

uint64_t stream_tail_piece(struct stream_tail *t, int fd, uint64_t off)
{
	enum frame_result what;
	struct frame f;
	t->failed = 0;
	return off < t->at ? piece_at(t, fd, off, t->at, &what, &f) : 0;
}

/* Report whether a block starts here that is followed by another one, or by nothing. */
static bool is_believable(struct stream_tail *t, int fd, uint64_t off)
{
	enum { SIZE_AT = 10 };
	size_t there;
	const uint8_t *p = look(t, fd, off, t->at, BLOCK_HEAD, &there);
	if (!is_marker(p, there))
		return false;
	uint64_t next = off + be32(p + SIZE_AT);
	if (next >= t->at)
		return true;
	p = look(t, fd, next, t->at, BLOCK_HEAD, &there);
	return there < BLOCK_HEAD || is_marker(p, there);
}

uint64_t stream_tail_resync(struct stream_tail *t, int fd, uint64_t off)
{
	t->failed = 0;
	for (off++; off < t->at && !t->failed && !load_relaxed(t->quit); off++) {
		size_t there, i = 0;
		const uint8_t *p = look(t, fd, off, t->at, BLOCK_HEAD, &there);
		while (i + 2 <= there && be16(p + i) != EVL_BLOCK_MARKER)
			i++;
		off += i;
		if (i + 2 <= there && is_believable(t, fd, off))
			return off;
	}
	return t->at;
}

uint64_t stream_tail_begun(struct stream_tail *t, int fd, uint64_t off)
{
	enum { TIME_AT = 2 };
	size_t there = 0;
	const uint8_t *p = off < t->at ? look(t, fd, off, t->at, FRAME_FIXED, &there) : NULL;
	return there >= FRAME_FIXED ? be64(p + TIME_AT) : 0;
}

uint64_t stream_tail_is_idle(const struct stream_tail *t)
{
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; i <= MAX_CAP; i++)
		if (t->ends[i])
			least = min_u64(least, t->ends[i]);
	return least;
}
