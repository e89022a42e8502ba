#include "tiles.h"

#include <stdlib.h>

static void change(struct cap_pos *pos, enum cap_state state, uint64_t t)
{
	if (pos->state == CAP_RUN)
		pos->run_ns += sub_or_0(t, pos->since);
	else if (pos->state == CAP_GC)
		pos->gc_ns += sub_or_0(t, pos->since);
	pos->state = state;
	pos->since = t;
	pos->switches++;
}

bool cap_step(struct cap_pos *pos, uint16_t tag, uint64_t t, const uint8_t *payload)
{
	switch (tag) {
	case EVL_RUN_THREAD:
		change(pos, CAP_RUN, t);
		pos->thread = be32(payload);
		return true;
	case EVL_STOP_THREAD:
		if (pos->state != CAP_RUN)
			return false;
		change(pos, CAP_IDLE, t);
		return true;
	case EVL_GC_START:
	case EVL_GC_WORK:
	case EVL_GC_IDLE:
	case EVL_GC_DONE: /* the first of them begins a GC; in an open one they are its phases */
		if (pos->state == CAP_GC)
			return false;
		change(pos, CAP_GC, t);
		return true;
	case EVL_GC_END:
		if (pos->state != CAP_GC)
			return false;
		change(pos, CAP_IDLE, t);
		return true;
	default:
		return false;
	}
}

struct tile_table *tiles_new(const struct blocks *blocks)
{
	struct tile_table *tables = calloc(blocks->n_chains ? blocks->n_chains : 1, sizeof *tables);
	for (size_t i = 0; tables && i < blocks->n_chains; i++) {
		tables[i].first_t = UINT64_MAX;
		tables[i].n = (blocks->chains[i].len + TILE_BYTES - 1) >> TILE_SHIFT;
		tables[i].tiles = calloc(tables[i].n ? tables[i].n : 1, sizeof *tables[i].tiles);
		if (!tables[i].tiles) {
			tiles_free(tables, i);
			return NULL;
		}
	}
	return tables;
}

void tiles_free(struct tile_table *tables, size_t n)
{
	for (size_t i = 0; tables && i < n; i++)
		free(tables[i].tiles);
	free(tables);
}

void tile_walk_begin(struct tile_walk *w, const struct blocks *blocks, struct tile_table *table)
{
	*w = (struct tile_walk){.blocks = blocks, .table = table, .first_t = UINT64_MAX};
}

/* Begin all tiles up to the one that chain position `at` lies in; those that no event begins in are like the next. */
static void open_tiles(struct tile_walk *w, uint64_t at, const struct frame *f)
{
	while (w->next_tile <= at) {
		w->tile = &w->table->tiles[w->next_tile >> TILE_SHIFT];
		*w->tile = (struct tile){.off = f->off & 0xffffffffffff, .state = (uint64_t)w->pos.state & 0xf,
			.events_high = (w->events >> 32) & 0xfff, .events = (uint32_t)w->events, .t = w->t_max,
			.run_ns = w->pos.run_ns, .gc_ns = w->pos.gc_ns, .since = w->pos.since,
			.thread = w->pos.thread, .switches = w->pos.switches};
		if (w->pos.state == CAP_RUN)
			w->tile->filter = 1ull << (w->pos.thread & 63);
		w->next_tile += TILE_BYTES;
	}
}

/* A payload that is shorter than what cap_step reads is that of an unknown event. */
static bool readable(const struct header_type *type, const struct frame *f)
{
	return type->schema && f->payload.len >= type->schema->size;
}

static void take(struct tile_walk *w, const struct frame *f, const struct block *block)
{
	const struct header_type *type = header_find(w->blocks->header, f->tag);
	w->t_max = max_u64(w->t_max, f->t);
	if (block->head || !w->blocks->max_end || f->t <= w->blocks->max_end) { /* a stray event may lie about its time */
		w->first_t = min_u64(w->first_t, f->t);
		w->last_t = max_u64(w->last_t, f->t);
	}
	open_tiles(w, block->chain_at + (f->off - block->off), f);
	w->events++;
	if (!readable(type, f))
		return;
	w->tile->classes |= 1u << type->schema->group;
	if (cap_step(&w->pos, f->tag, f->t, f->payload.p) && w->pos.state == CAP_RUN)
		w->tile->filter |= 1ull << (w->pos.thread & 63);
}

static void note(struct damage_list *damage, const struct block *block, const struct frame *f, enum frame_result r)
{
	enum damage_reason reason = r == FRAME_UNDECLARED ? DAMAGE_UNDECLARED : r == FRAME_CUT ? DAMAGE_CUT : DAMAGE_TIME;
	damage_add(damage, f->off, block->off + block->len - f->off, reason, f->tag);
}

bool tile_walk_block(struct tile_walk *w, const struct block *block, struct damage_list *damage, tile_visit *visit,
	void *ctx)
{
	uint64_t end = block->off + block->len;
	struct frame f;
	for (uint64_t at = block->off; at < end; at = f.next) {
		enum frame_result r = frame_read(w->blocks->header, w->blocks->data, at, end, &f);
		if (r == FRAME_DATA_END)
			return true;
		if (r != FRAME_OK || !block_admits(block, f.tag, f.t)) {
			note(damage, block, &f, r);
			return false;
		}
		take(w, &f, block);
		visit(ctx, &f, block);
	}
	return false;
}

void tile_walk_publish(struct tile_walk *w, const struct block *block, bool last)
{
	size_t ready = w->next_tile >> TILE_SHIFT;
	atomic_store_explicit(&w->table->first_t, w->first_t, memory_order_relaxed);
	atomic_store_explicit(&w->table->last_t, w->last_t, memory_order_relaxed);
	atomic_store_explicit(&w->table->ready, ready < w->table->n ? ready : w->table->n, memory_order_release);
	atomic_fetch_add_explicit(&w->table->walked, 1, memory_order_release);
	uint64_t known = last ? UINT64_MAX : block->head ? block->end_t : w->t_max;
	atomic_store_explicit(&w->table->known_t, known, memory_order_release);
}

size_t tiles_before(const struct tile_table *table, size_t ready, uint64_t t)
{
	size_t low = 0, high = ready;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (table->tiles[mid].t < t)
			low = mid;
		else
			high = mid;
	}
	return low;
}
