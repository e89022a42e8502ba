#include "index/chain_seek.h"

#include "format/schema.h"

static void fetch(struct chain_seek *s)
{
	const struct block *block;
	s->have_next = cursor_next_of(&s->cursor, UINT64_MAX, UINT64_MAX, &s->next, &block);
}

void chain_seek_enter(struct chain_seek *s, size_t tile)
{
	s->tile = tile;
	s->phase = 0;
	memset(s->sparks, 0, sizeof s->sparks);
	s->pos = tile_pos(&s->table->tiles[tile]);
	cursor_seek(&s->cursor, s->table->tiles[tile].off);
	fetch(s);
}

/* Events of a fixed size that the state of a capability follows from, as bits 1 << tag. */
static uint64_t steps_of(const struct header *h)
{
	uint64_t steps = 0;
	for (uint16_t tag = EVL_RUN_THREAD; tag <= EVL_GC_DONE; tag++) {
		const struct header_type *type = cap_steps(tag) ? header_find(h, tag) : NULL;
		bool fits = type && type->schema && h->quick[tag] >= (int32_t)type->schema->size;
		steps |= (uint64_t)fits << tag;
	}
	return steps;
}

bool chain_seek_begin(struct chain_seek *s, const struct blocks *b, const struct tile_table *table, uint32_t chain)
{
	uint64_t walked = load_acquire(&table->walked);
	*s = (struct chain_seek){.table = table};
	s->ready = load_acquire(&table->ready);
	s->steps = steps_of(b->header);
	cursor_begin(&s->cursor, b, &b->chains[chain], walked);
	if (s->ready == 0)
		return false;
	chain_seek_enter(s, 0);
	return true;
}

static inline bool is_before_end(uint16_t tag) { return tag == EVL_GC_STATS_GHC || tag == EVL_GC_GLOBAL_SYNC; }

/* GHC posts the statistics of a GC before its GC_END, which carries an earlier time: the current event is one of
 * them and later than t, but the GC_END after it may not be. */
static __attribute__((noinline)) bool earlier_end_follows(const struct chain_seek *s, uint64_t t)
{
	enum { AT_MOST = 4 };
	struct cursor ahead = s->cursor;
	struct frame f = s->next;
	const struct block *block;
	for (int i = 0; i < AT_MOST && is_before_end(f.tag); i++) {
		if (!cursor_next(&ahead, &f, &block))
			return false;
		if (f.tag == EVL_GC_END)
			return f.t < t;
	}
	return false;
}

bool chain_seek_due(const struct chain_seek *s, uint64_t t)
{
	return s->have_next && (s->next.t < t || (is_before_end(s->next.tag) && earlier_end_follows(s, t)));
}

static inline void count_spark(struct chain_seek *s, uint16_t tag)
{
	unsigned kind = spark_kind_of(tag);
	if (unlikely(kind < SPARK_KINDS))
		s->sparks[kind]++;
}

bool chain_seek_step(struct chain_seek *s)
{
	count_spark(s, s->next.tag);
	bool changed = cap_steps(s->next.tag) && event_readable(s->cursor.blocks->header, &s->next)
		&& cap_step(&s->pos, s->next.tag, s->next.t, s->next.payload.p);
	s->phase = chain_seek_is_phase(s->next.tag) ? s->next.tag : s->phase;
	fetch(s);
	return changed;
}

/* Make events before t part of the position as long as they are of usual sizes and lie in the same block, in bytes
 * that are in memory: the fast path of chain_seek_step. */
static void hurry(struct chain_seek *s, uint64_t t, chain_seek_seen *seen, void *ctx)
{
	const struct header *h = s->cursor.blocks->header;
	const struct block *block = &s->cursor.block;
	const uint8_t *data = s->cursor.blocks->data, *p = data + s->next.off;
	uint64_t to = block->off + block->len, at_hand = s->cursor.blocks->fetch ? s->cursor.to : to;
	const uint8_t *end = data + min_u64(to, at_hand);
	uint64_t latest = min_u64(block->end_t, t - 1), before = s->next.off;
	const uint64_t steps = s->steps;
	while ((uint64_t)(end - p) >= FRAME_VARIABLE && p[0] == 0 && h->quick[p[1]] != HEADER_ODD) {
		int32_t size = h->quick[p[1]];
		uint64_t at = be64(p + 2),
			 len = size == EVL_VARIABLE ? (uint64_t)be16(p + FRAME_FIXED) + 2 : (uint64_t)size;
		if (at < block->t || at == 0 || at > latest || len > (uint64_t)(end - p) - FRAME_FIXED)
			break;
		count_spark(s, p[1]);
		if (cap_steps(p[1])) {
			const bool phase = chain_seek_is_phase(p[1]);
			enum cap_state was = s->pos.state;
			uint64_t since = s->pos.since;
			s->phase = phase ? p[1] : s->phase;
			bool changed = steps >> p[1] & 1 && cap_step(&s->pos, p[1], at, p + FRAME_FIXED);
			if (seen && (changed || phase))
				seen(ctx, was, since, p[1], at);
		}
		before = (uint64_t)(p - data);
		p += FRAME_FIXED + len;
	}
	if (p > data + s->next.off) {
		s->cursor.at = (uint64_t)(p - data);
		s->cursor.before = before;
		fetch(s);
	}
}

void chain_seek_advance(struct chain_seek *s, uint64_t t)
{
	size_t tile = tiles_from(s->table, s->ready, s->tile, s->stride, t);
	s->stride = tile - s->tile;
	chain_seek_advance_in(s, tile, t);
}

void chain_seek_advance_in(struct chain_seek *s, size_t tile, uint64_t t)
{
	if (tile > s->tile)
		chain_seek_enter(s, tile);
	chain_seek_walk(s, t, NULL, NULL);
	chain_seek_leave_open(s, t);
}

void chain_seek_step_seen(struct chain_seek *s, chain_seek_seen *seen, void *ctx)
{
	enum cap_state was = s->pos.state;
	uint64_t since = s->pos.since;
	struct frame f = s->next;
	bool changed = chain_seek_step(s);
	if (seen && (changed || chain_seek_is_phase(f.tag)))
		seen(ctx, was, since, f.tag, f.t);
}

void chain_seek_walk(struct chain_seek *s, uint64_t t, chain_seek_seen *seen, void *ctx)
{
	while (chain_seek_due(s, t)) {
		if (s->next.t < t)
			hurry(s, t, seen, ctx);
		if (chain_seek_due(s, t))
			chain_seek_step_seen(s, seen, ctx);
	}
}

bool chain_seek_leave_open(struct chain_seek *s, uint64_t t)
{
	uint64_t open_until = chain_seek_open_until(s->table);
	if (s->pos.state != CAP_RUN || s->have_next || s->cursor.missing || open_until >= t)
		return false;
	cap_change(&s->pos, CAP_IDLE, open_until);
	return true;
}

uint64_t chain_seek_open_until(const struct tile_table *table)
{
	uint64_t moved = load_acquire(&table->moved_t);
	return moved ? moved : UINT64_MAX;
}

uint64_t chain_seek_known(const struct tile_table *table)
{
	uint64_t known = load_acquire(&table->known_t), lost = load_acquire(&table->lost_t);
	return lost ? min_u64(known, lost) : known;
}
