#include "show/event_merge.h"

#include "base/minheap.h"

#include <stdlib.h>

enum { MOST_KEYS = MERGE_PIECE / FRAME_FIXED + 1, LEAST_KEYS = 16, ALL_KEYS = 1 << 20 }; /* of one window, and of all */

/* The place of an event in the order. */
struct key {
	uint64_t t, off;
};

/* The next events of a piece, in order. */
struct window {
	struct block block; /* that the piece lies in */
	struct key keys[];
};

/* Pieces do not overlap in the file, so of two events at one time that of the earlier piece comes first. */
struct event_merge_piece {
	uint64_t t;            /* of its next wanted event */
	uint64_t off;          /* where the piece begins in the file */
	struct window *window; /* its next events; NULL: not open yet */
	uint32_t into;         /* how far that is from the start of its block */
	uint16_t at;           /* keys before it were handed out */
	uint16_t n : 15;
	uint16_t more : 1; /* there are others after the window */
};
_Static_assert(sizeof(struct event_merge_piece) == 32, "as event_merge.h promises");
_Static_assert(MOST_KEYS < 1 << 15, "n has 15 bits");

static bool wanted(const struct event_merge_want *want, const struct frame *f)
{
	return f->t >= want->from && f->t < want->to && (!want->tags || want->tags[f->tag]);
}

/* --- the first walk ----------------------------------------------------------------------------------------------- */

/* Walk over a piece and find its earliest time; UINT64_MAX if no event is selected. Return the first event of the
 * next piece, or 0. */
static uint64_t survey(struct event_merge *m, const struct block *block, struct event_merge_piece *piece)
{
	struct frame f = {.next = piece->off};
	progress_tell(m->want.watch, 0);
	piece->t = UINT64_MAX;
	while (f.next < piece->off + MERGE_PIECE) {
		if (!block_next(m->blocks, block, f.off, f.next, &f))
			return 0;
		m->nested = m->nested || (f.tag == EVL_BLOCK_MARKER && f.off != block->off);
		if (f.t < piece->t && wanted(&m->want, &f))
			piece->t = f.t;
	}
	return block_next(m->blocks, block, f.off, f.next, &f) ? f.off : 0;
}

static int add_block(struct event_merge *m, const struct block *block)
{
	for (uint64_t off = block->off; off;) {
		struct event_merge_piece piece = {.off = off, .into = (uint32_t)min_u64(off - block->off, UINT32_MAX)};
		off = survey(m, block, &piece);
		if (piece.t == UINT64_MAX)
			continue;
		if (!GROW(m->pieces, m->n, m->room))
			return EVL_NOMEM;
		m->pieces[m->n++] = piece;
	}
	return 0;
}

/* --- the heap ----------------------------------------------------------------------------------------------------- */

static bool before(struct event_merge_piece a, struct event_merge_piece b)
{
	return a.t != b.t ? a.t < b.t : a.off < b.off;
}

int event_merge_begin(struct event_merge *m, const struct blocks *blocks, const struct event_merge_want *want)
{
	int result = 0;
	struct block block;
	*m = (struct event_merge){.blocks = blocks, .want = *want};
	for (bool more = blocks_first(blocks, &block); more && result == 0; more = blocks_next(blocks, &block))
		if (want->cap < 0 || blocks->chains[block.chain].cap == want->cap)
			result = add_block(m, &block);
	MINHEAP_MAKE(m->pieces, m->n, before);
	if (result < 0)
		event_merge_end(m);
	return result;
}

void event_merge_end(struct event_merge *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->pieces[i].window);
	free(m->pieces);
	*m = (struct event_merge){0};
}

/* --- windows ------------------------------------------------------------------------------------------------------ */

static bool later(struct key a, struct key b) { return a.t != b.t ? a.t > b.t : a.off > b.off; }

/* Put a key where it belongs in the window of `room` keys; the last gives way if it is full. */
static void insert(struct event_merge_piece *piece, size_t room, struct key key)
{
	struct key *keys = piece->window->keys;
	size_t i = piece->n;
	if (i == room) {
		piece->more = true;
		if (!later(keys[--i], key))
			return;
	}
	for (; i > 0 && later(keys[i - 1], key); i--)
		keys[i] = keys[i - 1];
	keys[i] = key;
	if (piece->n < room)
		piece->n++;
}

static bool block_of(const struct blocks *b, const struct event_merge_piece *piece, struct block *out)
{
	if (piece->into == UINT32_MAX)
		return blocks_at(b, piece->off, out);
	return blocks_starting_at(b, piece->off - piece->into, out);
}

/* Fill the window with the wanted events that come after a key; NULL: with the first ones. */
static bool fill(struct event_merge *m, struct event_merge_piece *piece, const struct key *after)
{
	size_t room = max_u64(min_u64(ALL_KEYS / (m->open + 1), MOST_KEYS), LEAST_KEYS);
	struct window *former = piece->window;
	struct frame f = {.next = piece->off};
	progress_tell(m->want.watch, 0);
	piece->window = malloc(sizeof *piece->window + room * sizeof *piece->window->keys);
	piece->at = piece->n = piece->more = 0;
	if (piece->window && !block_of(m->blocks, piece, &piece->window->block))
		piece->window->block = (struct block){0}; /* the file became shorter: nothing is found */
	while (piece->window && f.next < piece->off + MERGE_PIECE
		&& block_next(m->blocks, &piece->window->block, f.off, f.next, &f)) {
		struct key key = {f.t, f.off};
		if (wanted(&m->want, &f) && (!after || later(key, *after)))
			insert(piece, room, key);
	}
	m->open += !former && piece->window;
	free(former); /* which `after` may be part of */
	m->failed = m->failed || !piece->window;
	return piece->window;
}

/* On to the next event of the piece on top, which may not be the next of all. */
static void step(struct event_merge *m)
{
	struct event_merge_piece *top = &m->pieces[0];
	bool on = ++top->at < top->n || (top->more && fill(m, top, &top->window->keys[top->n - 1]) && top->n > 0);
	if (on) {
		top->t = top->window->keys[top->at].t;
	} else {
		free(top->window);
		m->open--;
		*top = m->pieces[--m->n];
	}
	MINHEAP_SIFT(m->pieces, m->n, 0, before);
}

/* The event was read before, so its extent is known to be good, unless the file became shorter. */
static bool read_key(const struct event_merge *m, const struct key *key, struct frame *out)
{
	const struct blocks *b = m->blocks;
	const struct block *block = &m->block;
	return (frame_read(b->header, b->data, key->off, block->off + block->len, out) == FRAME_OK && out->t == key->t)
		|| block_next(b, block, 0, key->off, out);
}

/* A piece finds less than before where the file became shorter meanwhile. */
bool event_merge_next(struct event_merge *m, struct frame *out, const struct block **block)
{
	while (m->n && !m->failed) {
		struct event_merge_piece *top = &m->pieces[0];
		if (!top->window && !fill(m, top, NULL))
			break;
		m->block = top->window->block; /* NOLINT(clang-analyzer-unix.Malloc): step replaces the first piece */
		*block = &m->block;
		const struct key *key = &top->window->keys[top->at];
		bool there = top->n && read_key(m, key, out);
		step(m);
		if (there)
			return true;
	}
	return false;
}
