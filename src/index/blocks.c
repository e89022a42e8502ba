#include "index/blocks.h"

#include "base/find.h"
#include "index/blocks_private.h"

#include <stdio.h>
#include <stdlib.h>

static const uint8_t marker_tag[2] = {0, EVL_BLOCK_MARKER};

static bool data_end_at(const struct blocks *b, uint64_t off)
{
	return b->len - off >= 2 && be16(b->data + off) == EVL_DATA_END;
}

/* Read the header of a further log, possibly after a stray marker as at the start of a file. */
static bool second_at(const struct blocks *b, uint64_t off)
{
	uint64_t left = b->len - off, at = left >= 2 && be16(b->data + off) == EVL_BLOCK_MARKER ? BLOCK_HEAD : 0;
	return left >= at + 4 && memcmp(b->data + off + at, "hdrb", 4) == 0;
}

/* Zeros decode as valid events (tag 0, time 0), but GHC never writes them: a hole left by a crashed file system. Two
 * such events in a row are no accident. */
bool blocks_zeros_at(const struct blocks *b, uint64_t off)
{
	static const uint8_t zeros[28];
	return b->len - off >= sizeof zeros && memcmp(b->data + off, zeros, sizeof zeros) == 0;
}

/* Can events outside of every block begin here? Several in a row must make sense, or all up to the next block: there GHC
 * writes a single one only where its log starts. The length of a text that fits counts for two. */
static bool stray_at(const struct blocks *b, uint64_t off)
{
	enum { IN_A_ROW = 4, TIME_BACK = 1000000000 };
	struct frame f = {.next = off};
	struct marker m;
	uint64_t t = 0;
	for (int n = 0; n < IN_A_ROW; n++) {
		if (n > 0 && (f.next == b->len || data_end_at(b, f.next) || marker_at(b, f.next, &m)))
			return n > 1 || off == b->header->data_off || header_of(b->header, f.tag)->size == EVL_VARIABLE;
		enum frame_result r = frame_read(b->header, b->data, f.next, b->len, &f);
		if (n > 0 && r == FRAME_CUT)
			return true;
		if (r != FRAME_OK || f.tag == EVL_BLOCK_MARKER || blocks_zeros_at(b, f.off)
			|| (b->max_end && !event_fields_fit(b->header, &f)) || f.t + TIME_BACK < t)
			return false;
		t = f.t;
	}
	return true;
}

/* Report whether a block certainly ended here. Events outside of blocks may follow too, but bytes like those of an event
 * may also be the middle of a block with a wrong size. */
static bool landing(const struct blocks *b, uint64_t off)
{
	struct marker m;
	if (off >= b->len)
		return off == b->len;
	return data_end_at(b, off) || marker_at(b, off, &m) || second_at(b, off);
}

/* A place in [off, to) where a block seems to start; `to`: none is near. */
static uint64_t guess_block(const struct blocks *b, uint64_t off, uint64_t to)
{
	enum { NEAR = 4 << 10, TRIES = 16 };
	struct marker m;
	const uint64_t end = min_u64(to, off + NEAR);
	for (int i = 0; i < TRIES && off < end; i++, off++) {
		const uint8_t *found = find_bytes(b->data + off, end - off, marker_tag, sizeof marker_tag);
		if (!found)
			break;
		off = (uint64_t)(found - b->data);
		if (marker_at(b, off, &m) && landing(b, off + m.size))
			return off;
	}
	return to;
}

void blocks_warm(const struct blocks *b, uint64_t from, uint64_t to)
{
	enum { PLACES = 8 };
	uint64_t at[PLACES], end[PLACES], step = (to - from) / PLACES;
	size_t n = 0;
	for (unsigned i = 0; i < PLACES; i++) {
		end[n] = i + 1 < PLACES ? from + (i + 1) * step : to;
		at[n] = i ? guess_block(b, from + i * step, end[n]) : from;
		n += at[n] < end[n];
	}
	for (size_t i = 0; n > 0; i = i + 1 < n ? i + 1 : 0) {
		struct marker m;
		if (marker_at(b, at[i], &m) && m.size < end[i] - at[i]) {
			at[i] += m.size;
			__builtin_prefetch(b->data + at[i]);
			__builtin_prefetch(b->data + at[i] + BLOCK_HEAD - 1);
		} else {
			n--;
			at[i] = at[n];
			end[i] = end[n];
			i = 0;
		}
	}
}

static struct chain *chain_for(struct blocks *b, uint16_t cap)
{
	uint32_t room = MAX_CHAINS - (b->chain_of[EVL_NO_CAP] == 0); /* the last chain is kept for this */
	if (b->chain_of[cap] == 0 && b->n_chains >= room)
		cap = EVL_NO_CAP;
	uint16_t *slot = &b->chain_of[cap];
	if (*slot == 0) {
		if (!GROW(b->chains, b->n_chains, b->chains_room))
			return NULL;
		b->chains[b->n_chains++] = (struct chain){.cap = cap};
		*slot = (uint16_t)b->n_chains;
	}
	return &b->chains[*slot - 1];
}

/* Are the chains of rows of several blocks listed from now on? Until then each has its bit. */
static bool is_listing(const struct blocks *b) { return b->n_chains > ROW_CHAINS; }

/* Can a block join the last row? All of it must be found again by hopping. */
static bool joins(const struct blocks *b, const struct block *block, bool regular)
{
	const struct block_row *row = b->n_rows ? &b->rows[b->n_rows - 1] : NULL;
	return regular && b->last_regular && row->off + row->len == block->off
		&& row->len + block->len <= (is_listing(b) ? ROW_MOST_LISTED : ROW_MOST)
		&& (row->n == 1 || row->listed == is_listing(b)) && b->n_list < UINT32_MAX - 1;
}

/* Add a block at `off` of the last row to the list. */
static int list_block(struct blocks *b, struct block_row *row, uint64_t off, uint32_t chain)
{
	struct block_run *last = row->list.n ? &b->list[b->n_list - 1] : NULL;
	if (last && last->chain + last->more + 1u == chain && last->more < RUN_MORE && off - last->off <= RUN_MOST) {
		last->more++;
		return 0;
	}
	if (!GROW(b->list, b->n_list, b->list_room))
		return EVL_NOMEM;
	b->list[b->n_list++] = (struct block_run){.off = off & 0xffff, .chain = chain & 0x1fff};
	row->list.n++;
	return 0;
}

static int join_list(struct blocks *b, struct block_row *row, const struct block *block)
{
	if (!row->listed) {
		row->listed = true;
		row->list.first = (uint32_t)b->n_list;
		row->list.n = 0;
		if (list_block(b, row, 0, row->chain) < 0)
			return EVL_NOMEM;
	}
	return list_block(b, row, block->off - row->off, block->chain);
}

static int join_row(struct blocks *b, struct block_row *row, const struct block *block)
{
	if (!is_listing(b))
		row->chains = (row->n == 1 ? 1ull << row->chain : row->chains) | 1ull << block->chain;
	else if (join_list(b, row, block) < 0)
		return EVL_NOMEM;
	row->len += block->len;
	row->t = min_u64(row->t, block->t);
	row->end_t = max_u64(row->end_t, block->end_t);
	row->n++;
	return 0;
}

void blocks_drop_sums(struct blocks *b)
{
	free_all(b->sums, b->row_bytes);
	b->sums = b->row_bytes = NULL;
	b->n_sums = b->sums_room = 0;
}

/* The last row is complete: sum up its chains. Without memory, no row is. */
static void close_row(struct blocks *b)
{
	uint32_t chain;
	if (!b->row_bytes || b->summed == b->n_rows)
		return;
	const struct block_row *row = &b->rows[b->n_rows - 1];
	for (struct row_chains c = row_chains(b, row); row_chains_next(&c, &chain); b->row_bytes[chain] = 0) {
		if (row->n == 1)
			continue;
		if (!GROW(b->sums, b->n_sums, b->sums_room)) {
			blocks_drop_sums(b);
			return;
		}
		b->sums[b->n_sums++] = b->row_bytes[chain];
	}
	b->summed = b->n_rows;
}

static int add_row(struct blocks *b, const struct block *block)
{
	close_row(b);
	if (b->n_rows == UINT32_MAX || !GROW(b->rows, b->n_rows, b->rows_room))
		return EVL_NOMEM;
	b->rows[b->n_rows++] = (struct block_row){.off = block->off,
		.len = block->len,
		.t = block->t,
		.end_t = block->end_t,
		.n = 1,
		.chain = block->chain & 0x3fffffff,
		.outside = !block->head};
	return 0;
}

/* regular: its length is the size in its marker. */
static int add(struct blocks *b, struct block block, uint16_t cap, bool regular)
{
	struct chain *chain = chain_for(b, cap);
	if (!chain)
		return EVL_NOMEM;
	block.chain = (uint32_t)(chain - b->chains);
	if (joins(b, &block, regular) ? join_row(b, &b->rows[b->n_rows - 1], &block) < 0 : add_row(b, &block) < 0)
		return EVL_NOMEM;
	if (b->row_bytes)
		b->row_bytes[block.chain] += (uint32_t)block.len;
	b->last_regular = regular;
	block.row = (uint32_t)(b->n_rows - 1);
	if (chain->n && chain->last.row != block.row && b->rows[chain->last.row].n == 1)
		b->rows[chain->last.row].next = block.row;
	b->first_t = b->n++ ? min_u64(b->first_t, block.t) : block.t;
	chain->first = chain->n++ ? chain->first : block;
	chain->last = block;
	chain->len += block.len;
	return 0;
}

/* Report whether the events after the marker fit it. */
static bool fits_after(const struct blocks *b, uint64_t off, const struct marker *m)
{
	struct block block = {.off = off + b->head, .len = b->len - off - b->head, .t = m->t, .end_t = m->end_t};
	struct frame f;
	if (m->size == b->head || block.len == 0)
		return true;
	enum frame_result r = frame_read(b->header, b->data, block.off, b->len, &f);
	return (r == FRAME_OK && block_admits(&block, f.tag, f.t)) || r == FRAME_DATA_END || r == FRAME_CUT;
}

/* A marker that can be believed after damage: its hop lands well, and so do the records after it. Its block may be cut. */
static bool believable(const struct blocks *b, uint64_t off)
{
	struct marker m;
	if (!marker_at(b, off, &m) || (m.cap != EVL_NO_CAP && m.cap > MAX_CAP))
		return false;
	struct block block = {
		.off = off, .len = min_u64(m.size, b->len - off), .t = m.t, .end_t = m.end_t, .head = b->head};
	bool cut = block.len < m.size;
	if (!cut && !landing(b, off + m.size) && !stray_at(b, off + m.size))
		return false;
	return block_begins_well(b, &block, cut);
}

/* The next believable marker after off and before `to`; `to` where there is none, or how far it was looked for until the hop
 * was cancelled. */
static uint64_t resync(const struct blocks *b, uint64_t off, uint64_t to)
{
	enum { AT_ONCE = 16 << 20 };
	for (off++; off < to && !is_cancelled(b->cancel);) {
		uint64_t most = min_u64(to - off, AT_ONCE);
		const uint8_t *found = find_bytes(b->data + off, most, marker_tag, sizeof marker_tag);
		if (!found) {
			off = most < AT_ONCE ? to : off + most - 1; /* it may begin with the last byte */
			continue;
		}
		off = (uint64_t)(found - b->data);
		if (believable(b, off))
			return off;
		off++;
	}
	return min_u64(off, to);
}

/* Walk the block at off, whose size cannot be trusted, event by event. Where it really ends: at the size it claims, at
 * the next marker, at the end of the file, or at the first thing that is no event; in a block that the file ends in, damage
 * is passed. */
static uint64_t true_end(const struct blocks *b, const struct block *block)
{
	uint64_t at = block->off + block->head, claimed = block->off + block->len;
	uint64_t before = 0;
	struct block rest = *block; /* whatever its size is */
	rest.len = b->len - block->off;
	while (at < b->len && at != claimed) {
		struct marker m;
		struct frame f;
		if (marker_at(b, at, &m))
			break;
		enum frame_result r = frame_read(b->header, b->data, at, b->len, &f);
		if (r == FRAME_CUT && claimed > b->len)
			return b->len;
		if (r == FRAME_DATA_END
			&& (claimed <= b->len || f.next == b->len || marker_at(b, f.next, &m) || second_at(b, f.next)))
			return f.next;
		if (r == FRAME_OK && (block_admits(block, f.tag, f.t) || block_believes(b, &rest, &f))) {
			at = f.next;
			before = f.off;
			continue;
		}
		uint64_t next = claimed > b->len ? block_resume(b, &rest, before, at) : b->len;
		if (next == b->len || (next > at && resync(b, at, next) < next))
			break; /* what follows is not of this block */
		at = next;
		before = 0;
	}
	return at;
}

/* Is there a block at off that ends before it starts? If the records in it end where it says, its times are wrong and
 * nothing else: then its end is the time of its latest event. */
static bool odd_block_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	struct marker inner;
	struct frame f;
	if (!marker_fields_at(b, off, out) || out->size < b->head || out->size > b->len - off || out->t > INT64_MAX
		|| out->end_t >= out->t || (out->cap != EVL_NO_CAP && out->cap > MAX_CAP))
		return false;
	out->end_t = out->t;
	for (uint64_t at = off + b->head, end = off + out->size; at < end; at = f.next) {
		enum frame_result r = frame_read(b->header, b->data, at, end, &f);
		if (r == FRAME_DATA_END && f.next == end)
			return true;
		if (r != FRAME_OK || marker_at(b, at, &inner) || blocks_zeros_at(b, at))
			return false;
		out->end_t = max_u64(out->end_t, f.t);
	}
	return true;
}

/* The open piece of a block that others begin inside of. */
struct piece {
	struct block block;
	uint64_t end; /* of the block that it is of */
	uint16_t cap;
	bool regular; /* that end is what its marker says */
};

static int close_piece(struct blocks *b, struct piece *p, uint64_t at)
{
	p->block.len = at - p->block.off;
	return p->block.len ? add(b, p->block, p->cap, p->regular && p->end == at) : 0;
}

/* Add a block, in pieces where others begin inside of it. The marker of such a block replaces that of the block around it, as
 * for ghc-events: the events after it are of its capability until its size is used up, then of none. */
static int add_pieces(struct blocks *b, const struct block *whole, uint16_t cap, bool regular)
{
	const uint64_t end = whole->off + whole->len;
	struct piece p = {.block = *whole, .end = end, .cap = cap, .regular = regular};
	struct frame f = {.next = whole->off + whole->head};
	struct marker m;
	int result = 0;
	while (result == 0 && !is_cancelled(b->cancel)) {
		p.block.len = end - p.block.off; /* whatever its size is, the records go on to the end of the whole */
		if (!block_next(b, &p.block, f.off, f.next, &f))
			break;
		if (marker_fields_at(b, f.off, &m) && max_u64(m.t, m.end_t) <= INT64_MAX) {
			damage_add(&b->damage, f.off, b->head, DAMAGE_NESTED, EVL_BLOCK_MARKER);
			result = close_piece(b, &p, f.off);
			p = (struct piece){.end = m.size < b->head ? UINT64_MAX : f.off + m.size, .cap = m.cap};
			p.block =
				(struct block){.off = f.off, .t = m.t, .end_t = max_u64(m.t, m.end_t), .head = b->head};
			p.regular = marker_at(b, f.off, &m);
			b->max_end = max_u64(b->max_end, p.block.end_t);
		} else if (f.off >= p.end) {
			result = close_piece(b, &p, f.off);
			p = (struct piece){.block = {.off = f.off, .end_t = INT64_MAX}, .end = end, .cap = EVL_NO_CAP};
		}
	}
	return result ? result : close_piece(b, &p, end);
}

/* Take the block at *off and move past it. */
static int take_block(struct blocks *b, uint64_t *off, const struct marker *m)
{
	struct block block = {.off = *off, .len = m->size, .t = m->t, .end_t = m->end_t, .head = b->head};
	if (block.len < b->head || !landing(b, block.off + block.len))
		block.len = true_end(b, &block) - block.off;
	*off += block.len;
	b->max_end = max_u64(b->max_end, block.end_t);
	bool regular = m->size >= b->head && block.len == m->size;
	return b->reads_inside ? add_pieces(b, &block, m->cap, regular) : add(b, block, m->cap, regular);
}

/* Take a block whose size is right, and move past it. regular: so is what its marker says of its end. */
static int take_sized(struct blocks *b, uint64_t *off, const struct marker *m, bool regular)
{
	struct block block = {.off = *off, .len = m->size, .t = m->t, .end_t = m->end_t, .head = b->head};
	*off += block.len;
	b->max_end = max_u64(b->max_end, block.end_t);
	return add(b, block, m->cap, regular);
}

/* Take the events outside of blocks at *off and move past them. A log without markers is cut like one with them, so
 * that several threads can walk it. */
static int take_stray(struct blocks *b, uint64_t *off)
{
	enum { ENOUGH = 2 << 20 };
	struct block block = {.off = *off, .end_t = INT64_MAX};
	struct frame f;
	uint64_t at = *off;
	while (at < b->len && !blocks_zeros_at(b, at) && frame_read(b->header, b->data, at, b->len, &f) == FRAME_OK
		&& f.tag != EVL_BLOCK_MARKER && (at - *off < ENOUGH || !stray_at(b, at)))
		at = f.next;
	block.len = at - *off;
	*off = at;
	return add(b, block, EVL_NO_CAP, false);
}

static enum damage_reason reason_at(const struct blocks *b, uint64_t off, uint16_t *tag)
{
	struct frame f;
	enum frame_result r = frame_read(b->header, b->data, off, b->len, &f);
	*tag = f.tag;
	if (blocks_zeros_at(b, off))
		return DAMAGE_ZEROS;
	if (b->ended)
		return DAMAGE_TRAILING;
	if (r == FRAME_CUT)
		return DAMAGE_CUT;
	return r == FRAME_UNDECLARED ? DAMAGE_UNDECLARED : DAMAGE_MARKER;
}

static void skip_damage(struct blocks *b, uint64_t *off)
{
	uint16_t tag;
	enum damage_reason reason = reason_at(b, *off, &tag);
	uint64_t next = resync(b, *off, b->len);
	damage_add(&b->damage, *off, next - *off, reason, tag);
	*off = next;
}

/* Do both headers give a size to the same type, and not the same one? */
static bool clash(const struct header *ours, const struct header *theirs)
{
	for (size_t i = 0; i < theirs->n; i++) {
		const struct header_type *type = header_find(ours, theirs->types[i].tag);
		if (type && type->size != theirs->types[i].size)
			return true;
	}
	return false;
}

/* Skip the header of a further log. Its events are read with the first header's types, unless the sizes differ. */
static int skip_second(struct blocks *b, uint64_t *off)
{
	enum { LONGEST = 64 << 10 }; /* no GHC comes near */
	struct header second;
	uint64_t next = 0, left = min_u64(b->len - *off, LONGEST);
	int result = header_parse(&second, b->data + *off, left, NULL);
	if (result == EVL_NOMEM)
		return result;
	if (result == 0) {
		if (!second.cut || left < LONGEST)
			next = clash(b->header, &second) ? b->len : *off + second.data_off;
		header_free(&second);
	}
	if (next == 0)
		next = resync(b, *off, b->len);
	damage_add(&b->damage, *off, next - *off, DAMAGE_SECOND, 0);
	b->ended = false;
	*off = next;
	return 0;
}

/* Take or skip the block, events or bytes at *off, and move past them. */
static int hop(struct blocks *b, uint64_t *off)
{
	struct marker m;
	if (second_at(b, *off))
		return skip_second(b, off);
	if (marker_at(b, *off, &m) || (marker_like_at(b, *off, &m) && fits_after(b, *off, &m)))
		return take_block(b, off, &m);
	if (odd_block_at(b, *off, &m))
		return take_sized(b, off, &m, false);
	if (stray_at(b, *off))
		return take_stray(b, off);
	if (data_end_at(b, *off)) {
		b->ended = true;
		*off += 2;
	} else {
		skip_damage(b, off);
	}
	return 0;
}

/* How long a marker is in this file: maybe longer than what is known of it. */
static uint32_t marker_len(const struct header *h)
{
	const struct header_type *type = header_find(h, EVL_BLOCK_MARKER);
	return type && type->size >= BLOCK_HEAD - FRAME_FIXED ? (uint32_t)(FRAME_FIXED + type->size) : 0;
}

int blocks_begin(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len)
{
	*b = (struct blocks){
		.header = h, .data = data, .len = len, .head = marker_len(h), .found = min_u64(h->data_off, len)};
	b->known = known_gaps_new();
	b->chain_of = calloc((size_t)EVL_NO_CAP + 1, sizeof *b->chain_of);
	b->row_bytes = calloc(MAX_CHAINS, sizeof *b->row_bytes);
	return b->chain_of ? 0 : EVL_NOMEM;
}

enum { SMALL = 2 << 10, MANY = 16 };

/* Where many blocks in a row were small, so are the next: follow their markers. */
static void warm_ahead(struct blocks *b)
{
	enum { AHEAD = 1 << 20 };
	if (b->small < MANY || b->found < b->warm)
		return;
	b->warm = min_u64(b->found + AHEAD, b->len);
	blocks_warm(b, b->found, b->warm);
}

static int make_spans(struct blocks *b)
{
	b->n_spans = (b->n_rows + ROWS_A_SPAN - 1) / ROWS_A_SPAN;
	b->spans = calloc(b->n_spans + 1, sizeof *b->spans);
	for (size_t i = 0; b->spans && i < b->n_rows; i++) {
		const struct block_row *row = &b->rows[i];
		struct row_span *span = &b->spans[i / ROWS_A_SPAN];
		span->t = i % ROWS_A_SPAN ? min_u64(span->t, row->t) : row->t;
		span->end_t = max_u64(span->end_t, row->end_t);
	}
	return b->spans ? 0 : EVL_NOMEM;
}

int blocks_more(struct blocks *b, size_t hops)
{
	int result = 0;
	for (; hops && b->found < b->len && b->found != b->stop && result == 0 && !is_cancelled(b->cancel); hops--) {
		uint64_t from = b->found;
		warm_ahead(b);
		result = hop(b, &b->found);
		b->small = b->found - from < SMALL ? b->small + 1 : 0;
	}
	if (b->found >= b->len)
		close_row(b);
	return result == 0 && b->found >= b->len && !b->spans ? make_spans(b) : result;
}

int blocks_hop(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len)
{
	int result = blocks_begin(b, h, data, len);
	return result ? result : blocks_more(b, SIZE_MAX);
}

/* A copy of n items, with room for more. */
static void *copy(const void *items, size_t n, size_t room, size_t size)
{
	void *out = calloc(room, size);
	if (!out)
		return NULL;
	if (n)
		memcpy(out, items, n * size);
	return out;
}

/* --- blocks found ahead ---------------------------------------------------------------------------------------------- */

bool blocks_ahead(struct blocks *out, const struct blocks *b, uint64_t off)
{
	enum { FAR = 1 << 20 };
	uint64_t end = min_u64(b->len, off + FAR);
	*out = (struct blocks){.header = b->header, .data = b->data, .len = b->len, .head = b->head};
	out->found = off >= b->found && off < end && !b->reads_inside ? resync(b, off, end) : end;
	if (out->found >= end)
		return false;
	out->chains_room = b->n_chains + 1;
	out->chains = calloc(out->chains_room, sizeof *out->chains);
	out->chain_of = copy(b->chain_of, (size_t)EVL_NO_CAP + 1, (size_t)EVL_NO_CAP + 1, sizeof *out->chain_of);
	out->row_bytes = calloc(MAX_CHAINS, sizeof *out->row_bytes);
	for (; out->chains && out->n_chains < b->n_chains; out->n_chains++)
		out->chains[out->n_chains].cap = b->chains[out->n_chains].cap;
	return out->chains && out->chain_of;
}

int blocks_more_ahead(struct blocks *b)
{
	int result = 0;
	struct marker m;
	while (b->found < b->len && result == 0 && !is_cancelled(b->cancel) && !second_at(b, b->found)
		&& marker_at(b, b->found, &m) && landing(b, b->found + m.size)) {
		warm_ahead(b);
		b->small = m.size < SMALL ? b->small + 1 : 0;
		result = take_sized(b, &b->found, &m, true);
	}
	close_row(b);
	return result;
}

/* Do the two directories give the same number to each capability? */
static bool chains_agree(const struct blocks *b, const struct blocks *ahead)
{
	for (size_t i = 0; i < b->n_chains && i < ahead->n_chains; i++)
		if (b->chains[i].cap != ahead->chains[i].cap)
			return false;
	return true;
}

/* Rows, and elements of the list, before those found ahead. */
struct shift {
	uint32_t rows, list;
};

static struct block shifted(struct block block, struct shift by)
{
	block.row += by.rows;
	block.listed += block.listed ? by.list : 0;
	return block;
}

static int append_chain(struct blocks *b, const struct chain *c, struct shift by)
{
	struct chain *to = chain_for(b, c->cap);
	if (!to)
		return EVL_NOMEM;
	if (c->n == 0)
		return 0;
	if (to->n && b->rows[to->last.row].n == 1)
		b->rows[to->last.row].next = c->first.row + by.rows;
	to->first = to->n ? to->first : shifted(c->first, by);
	to->last = shifted(c->last, by);
	to->n += c->n;
	to->len += c->len;
	return 0;
}

/* Make room for n more elements. */
static bool reserve(void **items, size_t *room, size_t used, size_t n, size_t size)
{
	void *more = *room - used < n ? oom_note(realloc(*items, (used + n) * size)) : *items;
	if (more && more != *items)
		*room = used + n;
	*items = more ? more : *items;
	return more || n == 0;
}

static void append_sums(struct blocks *b, const struct blocks *ahead)
{
	if (!b->row_bytes || !ahead->row_bytes
		|| !reserve((void **)&b->sums, &b->sums_room, b->n_sums, ahead->n_sums, sizeof *b->sums)) {
		blocks_drop_sums(b);
		return;
	}
	if (ahead->n_sums)
		memcpy(b->sums + b->n_sums, ahead->sums, ahead->n_sums * sizeof *b->sums);
	b->n_sums += ahead->n_sums;
	b->summed = b->n_rows;
}

int blocks_append(struct blocks *b, const struct blocks *ahead)
{
	const struct shift by = {(uint32_t)b->n_rows, (uint32_t)b->n_list};
	if (!ahead->n || b->ended || !chains_agree(b, ahead) || ahead->n_rows > UINT32_MAX - b->n_rows
		|| ahead->n_list > UINT32_MAX - 1 - b->n_list)
		return 0;
	if (!reserve((void **)&b->rows, &b->rows_room, b->n_rows, ahead->n_rows, sizeof *b->rows)
		|| !reserve((void **)&b->list, &b->list_room, b->n_list, ahead->n_list, sizeof *b->list))
		return EVL_NOMEM;
	for (size_t i = 0; i < ahead->n_chains; i++)
		if (append_chain(b, &ahead->chains[i], by) < 0)
			return EVL_NOMEM;
	close_row(b);
	for (size_t i = 0; i < ahead->n_rows; i++) {
		struct block_row *row = &b->rows[b->n_rows++];
		*row = ahead->rows[i];
		if (row->n == 1)
			row->next += row->next ? by.rows : 0;
		else if (row->listed)
			row->list.first += by.list;
	}
	if (ahead->n_list)
		memcpy(b->list + b->n_list, ahead->list, ahead->n_list * sizeof *b->list);
	b->n_list += ahead->n_list;
	b->first_t = b->n ? min_u64(b->first_t, ahead->first_t) : ahead->first_t;
	b->n += ahead->n;
	b->max_end = max_u64(b->max_end, ahead->max_end);
	b->last_regular = false; /* the last row is complete */
	b->found = ahead->found;
	append_sums(b, ahead);
	return 0;
}

/* --- a sketch -------------------------------------------------------------------------------------------------------- */

/* Does a block begin at off that ends where the log does? */
static bool is_last(const struct blocks *b, uint64_t off, struct marker *m)
{
	return believable(b, off) && marker_at(b, off, m)
		&& (off + m->size == b->len || (off + m->size < b->len && data_end_at(b, off + m->size)));
}

/* Look for the last block from the end of the log: not further than GHC's largest usual buffer. */
static bool find_last(const struct blocks *b, uint64_t *at, struct marker *m)
{
	enum { FAR = 4 << 20 };
	uint64_t least = b->len > b->found + FAR ? b->len - FAR : b->found;
	for (uint64_t end = b->len; end > least + sizeof marker_tag;) {
		const uint8_t *tail = find_last_byte(b->data + least + 1, marker_tag[1], end - least - 1);
		if (!tail)
			break;
		end = (uint64_t)(tail - b->data);
		*at = end - 1;
		if (b->data[*at] == marker_tag[0] && is_last(b, *at, m))
			return true;
	}
	return false;
}

int blocks_copy(struct blocks *out, const struct blocks *b)
{
	*out = *b;
	out->cancel = NULL;
	out->known = NULL;
	out->spans = NULL;
	out->n_spans = 0;
	out->sums = out->row_bytes = NULL;
	out->n_sums = out->sums_room = 0;
	out->damage = (struct damage_list){0};
	out->rows_room = b->n_rows + 1;
	out->list_room = b->n_list + 2;
	out->chains_room = b->n_chains + 1;
	out->rows = copy(b->rows, b->n_rows, out->rows_room, sizeof *out->rows);
	out->list = copy(b->list, b->n_list, out->list_room, sizeof *out->list);
	out->chains = copy(b->chains, b->n_chains, out->chains_room, sizeof *out->chains);
	out->chain_of = copy(b->chain_of, (size_t)EVL_NO_CAP + 1, (size_t)EVL_NO_CAP + 1, sizeof *out->chain_of);
	return out->rows && out->list && out->chains && out->chain_of ? 0 : EVL_NOMEM;
}

int blocks_sketch(struct blocks *out, const struct blocks *b)
{
	struct marker m;
	uint64_t at;
	int result = blocks_copy(out, b);
	if (result < 0 || !find_last(b, &at, &m))
		return result;
	out->max_end = max_u64(out->max_end, m.end_t);
	return add(out, (struct block){.off = at, .len = m.size, .t = m.t, .end_t = m.end_t, .head = b->head}, m.cap,
		false);
}

void blocks_free(struct blocks *b)
{
	known_gaps_free(b->known);
	blocks_drop_sums(b);
	free_all(b->chains, b->chain_of, b->rows, b->list, b->spans, b->damage.items);
	*b = (struct blocks){0};
}

static bool loses(enum damage_reason reason)
{
	static const bool losing[] = {
#define X(name, lost, text) lost,
		DAMAGE_REASONS(X)
#undef X
	};
	return losing[reason];
}

bool damage_loses(const struct damage *d) { return loses((enum damage_reason)d->reason); }

uint64_t damage_lost(const struct damage_list *list)
{
	uint64_t n = list->more_lost;
	for (size_t i = 0; i < list->n; i++)
		n += damage_loses(&list->items[i]);
	return n;
}

void damage_add(struct damage_list *list, uint64_t off, uint64_t len, enum damage_reason reason, uint16_t tag)
{
	struct damage *last = list->n ? &list->items[list->n - 1] : NULL;
	if (len == 0)
		return;
	if (last && last->off + last->len == off && damage_loses(last) == loses(reason)) {
		last->len += len;
	} else if (list->n < MAX_DAMAGE && GROW(list->items, list->n, list->room)) {
		list->items[list->n++] =
			(struct damage){.off = off, .len = len, .reason = (uint16_t)reason, .tag = tag};
	} else {
		list->more++;
		list->more_lost += loses(reason);
	}
}

void damage_add_more(struct damage_list *list, const struct damage_list *other)
{
	list->more += other->more;
	list->more_lost += other->more_lost;
}

char *damage_text(const struct damage *d, char *out, size_t room)
{
	static const char *const texts[] = {
#define X(name, loses, text) text,
		DAMAGE_REASONS(X)
#undef X
	};
	const char *text = texts[d->reason], *hole = strstr(text, "%u");
	if (hole)
		snprintf(out, room, "%.*s%u%s", (int)(hole - text), text, d->tag, hole + 2);
	else
		snprintf(out, room, "%s", text);
	return out;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

void damage_image(struct image *im, struct damage_list *list)
{
	enum { REASONS = DAMAGE_VANISHED + 1 };
	image_size(im, &list->n, 2 * MAX_DAMAGE);
	list->items = image_array(im, list->items, list->n, sizeof *list->items);
	IMAGE_VALUE(im, list->more);
	IMAGE_VALUE(im, list->more_lost);
	for (size_t i = 0; im->loads && !im->bad && i < list->n; i++)
		image_require(im, list->items[i].reason < REASONS);
}

static bool is_within(const struct blocks *b, uint64_t off, uint64_t len)
{
	return off <= b->len && len > 0 && len <= b->len - off;
}

static bool list_is_good(const struct blocks *b, const struct block_row *row)
{
	uint64_t n = 0, first = row->list.first, end = first + row->list.n;
	bool good = end <= b->n_list && row->list.n;
	for (uint64_t i = first; good && i < end; i++) {
		const struct block_run *run = &b->list[i];
		good = run->off < row->len && (i == first ? run->off == 0 : run->off > run[-1].off)
			&& run->chain + (size_t)run->more < b->n_chains;
		n += run->more + 1u;
	}
	return good && n == row->n;
}

static bool row_is_good(const struct blocks *b, size_t i)
{
	const struct block_row *row = &b->rows[i], *before = row - (i > 0);
	if (!is_within(b, row->off, row->len) || (i && before->off + before->len > row->off) || row->n == 0)
		return false;
	if (row->n == 1)
		return row->chain < b->n_chains && (row->next == 0 || (row->next > i && row->next < b->n_rows));
	if (row->listed)
		return b->head && list_is_good(b, row);
	return b->head && (b->n_chains >= ROW_CHAINS || row->chains >> b->n_chains == 0);
}

static bool place_is_good(const struct blocks *b, const struct block *block, uint32_t chain)
{
	return is_within(b, block->off, block->len) && block->chain == chain && block->row < b->n_rows
		&& (block->head == 0 || block->head == b->head);
}

/* Only what the file says: whatever it is used for stays within the log and within the tables. */
static void check(struct image *im, const struct blocks *b)
{
	uint64_t n = 0;
	for (size_t i = 0; i < b->n_rows && image_require(im, row_is_good(b, i)); i++)
		n += b->rows[i].n;
	image_require(im, n == b->n);
	for (uint32_t i = 0; i < b->n_chains && !im->bad; i++) {
		const struct chain *c = &b->chains[i];
		uint16_t *slot = &b->chain_of[c->cap];
		image_require(im,
			*slot == 0 && c->len <= b->len && place_is_good(b, &c->first, i)
				&& place_is_good(b, &c->last, i));
		*slot = (uint16_t)(i + 1);
	}
}

void blocks_image(struct image *im, struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len)
{
	if (im->loads)
		*b = (struct blocks){.header = h,
			.data = data,
			.len = len,
			.head = marker_len(h),
			.found = len,
			.known = known_gaps_new(),
			.chain_of = image_new(im, (size_t)EVL_NO_CAP + 1, sizeof *b->chain_of)};
	image_size(im, &b->n_rows, UINT32_MAX);
	image_size(im, &b->n_list, UINT32_MAX);
	image_size(im, &b->n_chains, MAX_CHAINS);
	b->rows = image_array(im, b->rows, b->n_rows, sizeof *b->rows);
	b->list = image_array(im, b->list, b->n_list, sizeof *b->list);
	b->chains = image_array(im, b->chains, b->n_chains, sizeof *b->chains);
	b->n_spans = (b->n_rows + ROWS_A_SPAN - 1) / ROWS_A_SPAN;
	b->spans = image_array(im, b->spans, b->n_spans, sizeof *b->spans);
	IMAGE_VALUE(im, b->n);
	IMAGE_VALUE(im, b->first_t);
	IMAGE_VALUE(im, b->max_end);
	image_bool(im, &b->ended);
	damage_image(im, &b->damage);
	if (im->loads && !im->bad)
		check(im, b);
}

void blocks_unload(struct blocks *b)
{
	known_gaps_free(b->known);
	*b = (struct blocks){0};
}
