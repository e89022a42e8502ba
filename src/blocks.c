#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>

struct marker {
	uint64_t t, end_t, size;
	uint16_t cap;
};

/* Is there a block marker at off whose fields make sense together? */
static bool marker_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	const struct header_type *type = header_find(b->header, EVL_BLOCK_MARKER);
	if (!type || type->size < BLOCK_HEAD - FRAME_FIXED || off > b->len || b->len - off < BLOCK_HEAD)
		return false;
	const uint8_t *p = b->data + off;
	if (be16(p) != EVL_BLOCK_MARKER)
		return false;
	*out = (struct marker){.t = be64(p + 2), .size = be32(p + 10), .end_t = be64(p + 14), .cap = be16(p + 22)};
	return out->size >= BLOCK_HEAD && out->end_t >= out->t && out->end_t <= INT64_MAX
		&& (out->cap == EVL_NO_CAP || out->cap <= MAX_CAP);
}

static bool data_end_at(const struct blocks *b, uint64_t off)
{
	return b->len - off >= 2 && be16(b->data + off) == EVL_DATA_END;
}

/* Zeros decode as valid events (tag 0, time 0), but GHC never writes them: a hole left by a crashed file system. */
static bool zeros_at(const struct blocks *b, uint64_t off)
{
	enum { ENOUGH = 28 };
	static const uint8_t zeros[ENOUGH];
	return memcmp(b->data + off, zeros, min_u64(ENOUGH, b->len - off)) == 0;
}

/* Can an event outside of every block begin here? Two in a row must make sense. */
static bool stray_at(const struct blocks *b, uint64_t off)
{
	struct frame f;
	if (zeros_at(b, off) || frame_read(b->header, b->data, off, b->len, &f) != FRAME_OK || f.tag == EVL_BLOCK_MARKER)
		return false;
	if (f.next == b->len || data_end_at(b, f.next))
		return true;
	return header_find(b->header, b->len - f.next >= 2 ? be16(b->data + f.next) : f.tag) != NULL;
}

/* Is this a place where a block may have ended? */
static bool landing(const struct blocks *b, uint64_t off)
{
	struct marker m;
	if (off >= b->len)
		return off == b->len;
	return data_end_at(b, off) || marker_at(b, off, &m) || stray_at(b, off);
}

static struct chain *chain_for(struct blocks *b, uint16_t cap)
{
	uint16_t *slot = &b->chain_of[cap == EVL_NO_CAP ? MAX_CAP + 1 : cap];
	if (*slot == 0) {
		if (!GROW(b->chains, b->n_chains, b->chains_room))
			return NULL;
		b->chains[b->n_chains++] = (struct chain){.cap = cap};
		*slot = (uint16_t)b->n_chains;
	}
	return &b->chains[*slot - 1];
}

static int add(struct blocks *b, struct block block, uint16_t cap)
{
	struct chain *chain = chain_for(b, cap);
	if (!chain || !GROW(b->items, b->n, b->room) || !GROW(chain->blocks, chain->n, chain->room))
		return EVL_NOMEM;
	block.chain = (uint32_t)(chain - b->chains);
	block.chain_at = chain->len;
	chain->len += block.len;
	chain->blocks[chain->n++] = (uint32_t)b->n;
	b->items[b->n++] = block;
	return 0;
}

/* Walk the block at off, whose size cannot be trusted, event by event. Where it really ends: at the size it claims, at
 * the next marker, at the end of the file, or at the first thing that is no event. */
static uint64_t true_end(const struct blocks *b, const struct block *block)
{
	uint64_t at = block->off + block->head, claimed = block->off + block->len;
	while (at < b->len && at != claimed) {
		struct marker m;
		struct frame f;
		if (marker_at(b, at, &m))
			break;
		enum frame_result r = frame_read(b->header, b->data, at, b->len, &f);
		if (r == FRAME_CUT && claimed > b->len)
			return b->len;
		if (r == FRAME_DATA_END)
			return f.next;
		if (r != FRAME_OK || !block_admits(block, f.tag, f.t))
			break;
		at = f.next;
	}
	return at;
}

/* Take the block at *off and move behind it. */
static int take_block(struct blocks *b, uint64_t *off, const struct marker *m)
{
	struct block block = {.off = *off, .len = m->size, .t = m->t, .end_t = m->end_t, .head = BLOCK_HEAD};
	if (!landing(b, block.off + block.len))
		block.len = true_end(b, &block) - block.off;
	*off += block.len;
	b->max_end = max_u64(b->max_end, block.end_t);
	return add(b, block, m->cap);
}

/* Take the events outside of blocks at *off and move behind them. */
static int take_stray(struct blocks *b, uint64_t *off)
{
	struct block block = {.off = *off, .end_t = INT64_MAX};
	struct marker m;
	struct frame f;
	uint64_t at = *off;
	while (at < b->len && !marker_at(b, at, &m) && !(zeros_at(b, at) && b->len - at >= 2)
		&& frame_read(b->header, b->data, at, b->len, &f) == FRAME_OK)
		at = f.next;
	block.len = at - *off;
	*off = at;
	return add(b, block, EVL_NO_CAP);
}

/* A marker that can be believed after damage: the event behind it fits, and its hop lands well. */
static bool believable(const struct blocks *b, uint64_t off)
{
	struct marker m;
	struct frame f;
	if (!marker_at(b, off, &m))
		return false;
	if (off + m.size < b->len && !landing(b, off + m.size))
		return false;
	if (m.size == BLOCK_HEAD || off + BLOCK_HEAD >= b->len)
		return true;
	struct block block = {.t = m.t, .end_t = m.end_t};
	enum frame_result r = frame_read(b->header, b->data, off + BLOCK_HEAD, b->len, &f);
	return r == FRAME_DATA_END || r == FRAME_CUT || (r == FRAME_OK && block_admits(&block, f.tag, f.t));
}

/* The next believable marker after off, or the end of the file. */
static uint64_t resync(const struct blocks *b, uint64_t off)
{
	static const uint8_t tag[2] = {0, EVL_BLOCK_MARKER};
	while (++off < b->len) {
		const uint8_t *found = memmem(b->data + off, b->len - off, tag, sizeof tag);
		if (!found)
			break;
		off = (uint64_t)(found - b->data);
		if (believable(b, off))
			return off;
	}
	return b->len;
}

static enum damage_reason reason_at(const struct blocks *b, uint64_t off, uint16_t *tag)
{
	struct frame f;
	enum frame_result r = frame_read(b->header, b->data, off, b->len, &f);
	*tag = f.tag;
	if (b->len - off >= 4 && memcmp(b->data + off, "hdrb", 4) == 0)
		return DAMAGE_SECOND;
	if (zeros_at(b, off))
		return DAMAGE_ZEROS;
	if (r == FRAME_CUT)
		return DAMAGE_CUT;
	if (b->ended)
		return DAMAGE_TRAILING;
	return r == FRAME_UNDECLARED ? DAMAGE_UNDECLARED : DAMAGE_MARKER;
}

static void skip_damage(struct blocks *b, uint64_t *off)
{
	uint16_t tag;
	enum damage_reason reason = reason_at(b, *off, &tag);
	uint64_t next = resync(b, *off);
	damage_add(&b->damage, *off, next - *off, reason, tag);
	*off = next;
}

int blocks_hop(struct blocks *b, const struct header *h, const uint8_t *data, uint64_t len)
{
	*b = (struct blocks){.header = h, .data = data, .len = len};
	for (uint64_t off = h->data_off; off < len;) {
		struct marker m;
		int result = 0;
		if (marker_at(b, off, &m)) {
			result = take_block(b, &off, &m);
		} else if (data_end_at(b, off)) {
			b->ended = true;
			off += 2;
		} else if (stray_at(b, off)) {
			result = take_stray(b, &off);
		} else {
			skip_damage(b, &off);
		}
		if (result < 0)
			return result;
	}
	return 0;
}

void blocks_free(struct blocks *b)
{
	for (size_t i = 0; i < b->n_chains; i++)
		free(b->chains[i].blocks);
	free(b->chains);
	free(b->items);
	free(b->damage.items);
	*b = (struct blocks){0};
}

void damage_add(struct damage_list *list, uint64_t off, uint64_t len, enum damage_reason reason, uint16_t tag)
{
	struct damage *last = list->n ? &list->items[list->n - 1] : NULL;
	if (len == 0)
		return;
	if (last && last->off + last->len == off) {
		last->len += len;
	} else if (list->n < MAX_DAMAGE && GROW(list->items, list->n, list->room)) {
		list->items[list->n++] = (struct damage){.off = off, .len = len, .reason = (uint16_t)reason, .tag = tag};
	} else {
		list->more++;
	}
}

char *damage_text(const struct damage *d, char *out, size_t room)
{
	static const char *const texts[] = {
#define X(name, text) text,
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
