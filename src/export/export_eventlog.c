/* export_eventlog.c - export eventlog: a valid log of a range. */
#include "export/export.h"

/* Write the log unchanged, whatever the range: this saves a stream, and unpacks a compressed log. */
int export_log(struct export *x)
{
	enum { PIECE = 256 << 10 };
	const struct source *src = &x->log->source;
	int result = 0;
	for (uint64_t at = 0; result == 0 && at < src->len; at += PIECE) {
		buf_put(&x->out, src->data + at, (size_t)min_u64(PIECE, src->len - at));
		result = export_more(x);
	}
	return result;
}

/* export_eventlog - a log of a range of another: its header, then each block with its events in the range.
 *
 * Definitions before the range are kept, as names depend on them: they move to its start, so that the new log's time
 * starts there too, and a wall clock is moved by the same amount. Damage is omitted. Large blocks are split. */

enum { BODY = 1 << 20, TIME_AT = 2, MARKER_PAYLOAD = 14 };

struct slice {
	struct export *x;
	const struct blocks *blocks;
	struct buf body;           /* of the block that is being cut */
	uint64_t earliest, latest; /* of its events; earliest: without those that may precede their block */
};

/* Does what it says hold from then on? */
static bool defines(const struct header_type *type)
{
	switch (type->tag) {
	case EVL_BLOCK_MARKER: return false;
	case EVL_THREAD_LABEL:
	case EVL_TASK_CREATE:
	case EVL_HEAP_INFO_GHC:
	case EVL_INTERN_STRING:
	case EVL_HEAP_PROF_BEGIN:
	case EVL_HEAP_PROF_COST_CENTRE:
	case EVL_PROF_BEGIN:
	case EVL_IPE:
	case EVL_TICKY_COUNTER_DEF: return true;
	default: return type->schema && type->schema->group == EVL_META;
	}
}

/* A wall clock of a moment that moved: set(4) sec(8) nsec(4). */
static void put_later_clock(struct buf *b, struct evl_str payload, uint64_t later)
{
	enum { SET = 4, CLOCK = 16, SECOND = 1000000000 };
	const uint8_t *p = payload.p;
	uint64_t sec = 0, nsec = 0;
	for (int i = 0; i < 8; i++)
		sec = sec << 8 | p[SET + i];
	for (int i = 0; i < 4; i++)
		nsec = nsec << 8 | p[SET + 8 + i];
	nsec += later % SECOND;
	buf_put(b, p, SET);
	buf_be(b, sec + later / SECOND + nsec / SECOND, 8);
	buf_be(b, nsec % SECOND, 4);
	buf_put(b, p + CLOCK, payload.len - CLOCK);
}

static void put_record(struct slice *s, const struct frame *f)
{
	const uint8_t *data = s->blocks->data;
	uint64_t t = max_u64(f->t, s->x->from);
	struct buf *b = &s->body;
	if (!block_admits(&(struct block){.t = t + 1, .end_t = UINT64_MAX}, f->tag, t))
		s->earliest = min_u64(s->earliest, t);
	s->latest = max_u64(s->latest, t);
	buf_put(b, data + f->off, TIME_AT);
	buf_be(b, t, 8);
	if (f->tag == EVL_WALL_CLOCK_TIME && t != f->t && event_readable(s->blocks->header, f))
		put_later_clock(b, f->payload, t - f->t);
	else
		buf_put(b, data + f->off + FRAME_FIXED, f->next - f->off - FRAME_FIXED);
}

static bool wanted(const struct slice *s, const struct frame *f)
{
	if (f->tag == EVL_BLOCK_MARKER || f->t >= s->x->to)
		return false;
	return f->t >= s->x->from || defines(header_of(s->blocks->header, f->tag));
}

/* Write the block so far, after a marker if it had one. */
static int put_block(struct slice *s, const struct block *block)
{
	struct buf *out = &s->x->out;
	uint64_t end = max_u64(min_u64(block->end_t, s->x->to - 1), s->latest);
	uint64_t begin = min_u64(min_u64(max_u64(block->t, s->x->from), s->earliest), end);
	if (s->body.failed)
		return EVL_NOMEM;
	if (block->head && s->body.len > 0) {
		buf_be(out, EVL_BLOCK_MARKER, 2);
		buf_be(out, begin, 8);
		buf_be(out, block->head + s->body.len, 4);
		buf_be(out, end, 8);
		buf_be(out, s->blocks->chains[block->chain].cap, 2);
		for (uint32_t known = BLOCK_HEAD; known < block->head; known++) /* what else the header declares */
			buf_char(out, 0);
	}
	buf_put(out, s->body.p, s->body.len);
	buf_clear(&s->body);
	s->earliest = UINT64_MAX;
	s->latest = 0;
	return export_more(s->x);
}

static int cut_block(struct slice *s, const struct block *block)
{
	struct frame f = {.next = block->off + block->head};
	int result = 0;
	while (result == 0 && block_next(s->blocks, block, f.off, f.next, &f)) {
		if (!wanted(s, &f))
			continue;
		if (s->body.len + (f.next - f.off) > BODY)
			result = put_block(s, block);
		put_record(s, &f);
	}
	return result < 0 ? result : put_block(s, block);
}

int export_eventlog(struct export *x)
{
	static const uint8_t end[] = {0xff, 0xff};
	const struct source *source = &x->log->source;
	struct slice s = {.x = x, .blocks = &x->log->blocks, .earliest = UINT64_MAX};
	struct block block;
	int result = 0;
	if (x->log->header.cut)
		return EVL_NOT_A_LOG;
	buf_put(&x->out, source->data, x->log->header.data_off);
	for (bool more = blocks_first(s.blocks, &block); more && result == 0; more = blocks_next(s.blocks, &block))
		result = cut_block(&s, &block);
	buf_put(&x->out, end, sizeof end);
	buf_free(&s.body);
	return result;
}
