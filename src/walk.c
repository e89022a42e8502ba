#include "walk.h"

#include <stdlib.h>

/* What the loop does with a tag: cases that it knows itself, and the ways out of it. */
enum kind {
	SKIP, RUN, STOP, CREATE, GC_BEGIN, GC_PHASE, GC_OVER, NOW, LATER, /* of known size */
	ODD, /* anything else: read with all checks */
};

struct tag_info {
	int32_t size;    /* of a fixed payload; EVL_VARIABLE */
	uint32_t class;  /* 1 << group; 0: unknown */
	uint8_t kind;
	bool own_time;   /* may be earlier than its block */
};

/* Where a chain stands: what was joined so far. */
struct joined {
	struct cap_pos pos;
	uint64_t events, first_t, last_t;
	bool running;
};

struct walk {
	const struct blocks *blocks;
	struct tile_table *tiles;
	struct walk_hooks hooks;
	struct tag_info tags[WALK_TAGS];
	struct joined *joined; /* one a chain */
};

/* The walk of one part. What the loop changes at every event lives in local variables of run_block. */
struct state {
	struct walk *walk;
	struct part *part;
	const struct chain *chain;
	struct tile_table *table;
	struct cap_pos pos;
	uint64_t t_max, next_tile;
	uint32_t running; /* the thread of the last RUN */
	uint64_t running_since;
	bool is_running, now_open, tail;
	struct tile *tile;
	uint64_t *early; /* the earliest time of its events */
	struct walk_note notes[WALK_NOTES];
	size_t n_notes;
};

/* --- the table of tags --------------------------------------------------------------------------------------------- */

static enum kind kind_of(const struct walk_hooks *hooks, unsigned tag, const struct header_type *type)
{
	static const uint8_t known[] = {[EVL_RUN_THREAD] = RUN, [EVL_STOP_THREAD] = STOP, [EVL_CREATE_THREAD] = CREATE,
		[EVL_GC_START] = GC_BEGIN, [EVL_GC_WORK] = GC_PHASE, [EVL_GC_IDLE] = GC_PHASE, [EVL_GC_DONE] = GC_PHASE,
		[EVL_GC_END] = GC_OVER};
	if (!type || tag == EVL_IPE || tag == EVL_BLOCK_MARKER || !type->schema)
		return ODD;
	if (tag < countof(known) && known[tag])
		return type->size == EVL_VARIABLE ? ODD : known[tag];
	if (hooks->when[tag] == WALK_SKIP)
		return SKIP;
	return type->size == EVL_VARIABLE ? ODD : hooks->when[tag] == WALK_NOW ? NOW : LATER;
}

static void fill_tags(struct walk *w)
{
	static const struct block later = {.t = 1, .end_t = 1}; /* does it admit an earlier event? */
	for (unsigned tag = 0; tag < WALK_TAGS; tag++) {
		const struct header_type *type = header_find(w->blocks->header, (uint16_t)tag);
		w->tags[tag] = (struct tag_info){.size = type ? type->size : 0,
			.class = type && type->schema ? 1u << type->schema->group : 0,
			.kind = (uint8_t)kind_of(&w->hooks, tag, type), .own_time = block_admits(&later, (uint16_t)tag, 0)};
	}
}

struct walk *walk_new(const struct blocks *b, struct tile_table *tiles, const struct walk_hooks *hooks)
{
	struct walk *w = calloc(1, sizeof *w);
	struct joined *joined = calloc(b->n_chains ? b->n_chains : 1, sizeof *joined);
	if (!w || !joined) {
		free(w);
		free(joined);
		return NULL;
	}
	*w = (struct walk){.blocks = b, .tiles = tiles, .hooks = *hooks, .joined = joined};
	for (size_t i = 0; i < b->n_chains; i++)
		joined[i].first_t = UINT64_MAX;
	fill_tags(w);
	return w;
}

void walk_free(struct walk *w)
{
	if (w)
		free(w->joined);
	free(w);
}

/* --- what happens less often than once an event ---------------------------------------------------------------------- */

static void flush_notes(struct state *s)
{
	s->walk->hooks.notes(s->part->share, s->notes, s->n_notes);
	s->n_notes = 0;
}

static inline void note(struct state *s, uint64_t t, uint64_t ns, uint32_t thread, int what)
{
	s->notes[s->n_notes++] = (struct walk_note){.t = t, .ns = ns, .thread = thread, .what = what};
	if (s->n_notes == WALK_NOTES)
		flush_notes(s);
}

/* Begin all tiles up to the one that chain position `at` lies in, where an event of time t begins; those that no event
 * begins in are like the next. */
static __attribute__((noinline)) void open_tiles(struct state *s, uint64_t at, uint64_t off, uint64_t t)
{
	const struct part *p = s->part;
	t = max_u64(s->t_max, t);
	while (s->next_tile <= at) {
		s->tile = &s->table->tiles[s->next_tile >> TILE_SHIFT];
		s->early = &s->table->early[s->next_tile >> TILE_SHIFT];
		*s->early = t;
		*s->tile = (struct tile){.off = off & 0xffffffffffff, .state = (uint64_t)s->pos.state & 0xf,
			.events_high = (p->events >> 32) & 0xfff, .events = (uint32_t)p->events, .t = t,
			.run_ns = s->pos.run_ns, .gc_ns = s->pos.gc_ns, .since = s->pos.since,
			.thread = s->pos.thread, .switches = s->pos.switches};
		if (s->pos.state == CAP_RUN)
			s->tile->filter = 1ull << (s->pos.thread & 63);
		s->next_tile += TILE_BYTES;
	}
}

static void keep_for_later(struct state *s, uint64_t off)
{
	struct part *p = s->part;
	if (GROW(p->later, p->n_later, p->later_room))
		p->later[p->n_later++] = off;
	else
		p->failed = true;
}

static void hand_on(struct state *s, const struct frame *f)
{
	enum walk_when when = f->tag < WALK_TAGS ? s->walk->hooks.when[f->tag] : WALK_LATER;
	if (when == WALK_NOW) {
		if (s->walk->hooks.now(s->part->share, f))
			keep_for_later(s, f->off);
		s->now_open = true;
	} else if (when == WALK_LATER) {
		keep_for_later(s, f->off);
	}
}

/* --- the events that the loop knows ----------------------------------------------------------------------------------- */

static inline void take_class(struct state *s, uint32_t class, uint64_t filter)
{
	s->tile->classes |= class;
	s->tile->filter |= filter;
}

/* The capability ran a thread until t, but what ends the run is not its STOP. */
static void lose_run(struct state *s, uint64_t t)
{
	if (s->pos.state == CAP_RUN)
		note(s, t, sub_or_0(t, s->pos.since), s->pos.thread, NOTE_LOST);
}

static void take_run(struct state *s, uint64_t t, const uint8_t *payload)
{
	lose_run(s, t);
	cap_step(&s->pos, EVL_RUN_THREAD, t, payload);
	take_class(s, 0, 1ull << (s->pos.thread & 63));
	if (s->now_open)
		s->walk->hooks.run(s->part->share);
	s->now_open = false;
	s->part->anomalies += s->is_running;
	s->running = s->pos.thread;
	s->running_since = t;
	s->is_running = true;
}

static void take_stop(struct state *s, uint64_t t, const uint8_t *payload)
{
	enum { STATUS_AT = 4, FINISHED = 5 };
	uint32_t thread = be32(payload);
	uint16_t status = be16(payload + STATUS_AT);
	if (s->is_running && s->running == thread) {
		note(s, t, sub_or_0(t, s->running_since), thread, NOTE_RAN);
	} else {
		lose_run(s, t);
		s->part->anomalies++;
	}
	cap_step(&s->pos, EVL_STOP_THREAD, t, payload);
	s->is_running = false;
	if (status == FINISHED)
		note(s, t, 0, thread, NOTE_DIED);
	if (status < WALK_STATUSES)
		s->part->counts->statuses[status]++;
	else
		keep_for_later(s, (uint64_t)(payload - FRAME_FIXED - s->walk->blocks->data));
}

/* An event that can be read, by its kind. */
static void take(struct state *s, enum kind kind, const struct frame *f)
{
	switch (kind) {
	case RUN: take_run(s, f->t, f->payload.p); break;
	case STOP: take_stop(s, f->t, f->payload.p); break;
	case CREATE: note(s, f->t, 0, be32(f->payload.p), NOTE_BORN); break;
	case GC_BEGIN:
	case GC_PHASE:
	case GC_OVER:
		if (kind != GC_OVER)
			lose_run(s, f->t);
		cap_step(&s->pos, f->tag, f->t, f->payload.p);
		if (kind != GC_PHASE)
			hand_on(s, f);
		break;
	default: hand_on(s, f); break;
	}
}

/* --- the loop -------------------------------------------------------------------------------------------------------- */

/* What run_block ends with. */
enum ended { AT_END, AT_RUN, AT_DAMAGE };

static inline void see_time(struct state *s, uint64_t t)
{
	if (likely(t >= s->t_max))
		s->t_max = t;
	else { /* only what is earlier than something can be the first */
		s->part->first_t = min_u64(s->part->first_t, t);
		*s->early = min_u64(*s->early, t);
	}
}

static void note_damage(struct state *s, const struct block *block, const struct frame *f, enum frame_result r)
{
	static const enum damage_reason reasons[] = {
		[FRAME_UNDECLARED] = DAMAGE_UNDECLARED, [FRAME_CUT] = DAMAGE_CUT, [FRAME_BAD_TIME] = DAMAGE_TIME};
	enum damage_reason reason = blocks_zeros_at(s->walk->blocks, f->off) ? DAMAGE_ZEROS : reasons[r];
	damage_add(&s->part->damage, f->off, block->off + block->len - f->off, reason, f->tag);
}

/* An event of an unusual kind, read with all checks. Moves *at behind it. */
static __attribute__((noinline)) enum ended take_odd(struct state *s, const struct block *block, uint64_t *at)
{
	const struct blocks *b = s->walk->blocks;
	struct frame f;
	enum frame_result r = block_read(b, block, *at, &f);
	if (r == FRAME_DATA_END) {
		s->part->data_end = s->part->data_end || f.next == block->off + block->len;
		*at = f.next;
		return AT_END;
	}
	if (r != FRAME_OK) {
		note_damage(s, block, &f, r);
		return AT_DAMAGE;
	}
	if (f.tag == EVL_BLOCK_MARKER && f.off != block->off)
		damage_add(&s->part->damage, f.off, f.next - f.off, DAMAGE_NESTED, f.tag);
	bool sane = block->head || !b->max_end || f.t <= b->max_end; /* a stray event may lie about its time */
	uint64_t chain_at = block->chain_at + (f.off - block->off);
	if (chain_at >= s->next_tile)
		open_tiles(s, chain_at, f.off, sane ? f.t : 0);
	if (sane)
		see_time(s, f.t);
	s->part->liars += !sane;
	s->part->events++;
	if (f.tag < WALK_TAGS) {
		s->part->counts->tags[f.tag]++;
		take_class(s, s->walk->tags[f.tag].class, 0);
	}
	enum kind kind = f.tag < WALK_TAGS ? (enum kind)s->walk->tags[f.tag].kind : ODD;
	if (kind != ODD && kind != SKIP)
		take(s, kind, &f); /* usual, but outside of every block */
	else if (kind == ODD && (f.tag >= WALK_TAGS || event_readable(b->header, &f)))
		hand_on(s, &f);
	*at = f.next;
	return AT_END;
}

/* All events of the block from *at on; *at is left where it ended. */
static enum ended run_block(struct state *s, const struct block *block, uint64_t *at)
{
	const uint8_t *data = s->walk->blocks->data, *end = data + block->off + block->len, *p = data + *at;
	const struct tag_info *tags = s->walk->tags;
	const uint64_t block_t = block->t, end_t = block->end_t;
	const bool stray = block->head == 0;
	struct part *part = s->part;
	uint64_t *counts = part->counts->tags;
	while (p < end) {
		uint16_t tag = end - p >= FRAME_FIXED ? be16(p) : EVL_DATA_END;
		const struct tag_info *info = &tags[tag & (WALK_TAGS - 1)];
		if (unlikely(info->kind == ODD || tag >= WALK_TAGS || stray)) {
			*at = (uint64_t)(p - data);
			if (s->tail && tag == EVL_RUN_THREAD)
				return AT_RUN;
			if (take_odd(s, block, at) == AT_DAMAGE)
				return AT_DAMAGE;
			p = data + *at;
			continue;
		}
		uint64_t t = be64(p + 2), left = (uint64_t)(end - p), len = FRAME_FIXED + (uint64_t)info->size;
		if (info->size == EVL_VARIABLE)
			len = left >= FRAME_VARIABLE ? FRAME_VARIABLE + (uint64_t)be16(p + FRAME_FIXED) : UINT64_MAX;
		if (unlikely(len > left || t > end_t || (t < block_t && !info->own_time))) {
			*at = (uint64_t)(p - data);
			return take_odd(s, block, at) == AT_DAMAGE ? AT_DAMAGE : AT_END; /* says what is wrong */
		}
		if (unlikely(s->tail && info->kind == RUN)) {
			*at = (uint64_t)(p - data);
			return AT_RUN;
		}
		uint64_t off = (uint64_t)(p - data), chain_at = block->chain_at + (off - block->off);
		if (unlikely(chain_at >= s->next_tile))
			open_tiles(s, chain_at, off, t);
		see_time(s, t);
		part->events++;
		counts[tag]++;
		take_class(s, info->class, 0);
		if (info->kind == RUN) {
			take_run(s, t, p + FRAME_FIXED);
		} else if (info->kind == STOP) {
			take_stop(s, t, p + FRAME_FIXED);
		} else if (info->kind != SKIP) {
			struct frame f = {.off = off, .next = off + len, .t = t, .tag = tag,
				.payload = {p + FRAME_FIXED, (size_t)info->size}};
			take(s, (enum kind)info->kind, &f);
		}
		p += len;
	}
	*at = (uint64_t)(p - data);
	return AT_END;
}

/* --- a part ---------------------------------------------------------------------------------------------------------- */

/* The first RUN_THREAD in the blocks of the part: where it begins. */
static bool find_begin(struct state *s, uint32_t *index, uint64_t *at)
{
	const struct part *p = s->part;
	struct frame f;
	for (*index = p->first; *index < p->first + p->n; ++*index) {
		const struct block *block = &s->walk->blocks->items[s->chain->blocks[*index]];
		for (*at = block->off; block_next(s->walk->blocks, block, *at, &f); *at = f.next) {
			*at = f.off;
			if (f.tag == EVL_RUN_THREAD && event_readable(s->walk->blocks->header, &f)) {
				s->part->run_t = f.t;
				return true;
			}
		}
	}
	return false;
}

/* The part begins inside of a tile that begins before it: until its own first tile, events go to a tile of its own. */
static void begin_at(struct state *s, const struct block *block, uint64_t at, struct tile *lead)
{
	uint64_t chain_at = block->chain_at + (at - block->off);
	s->next_tile = s->part->whole ? 0 : ((chain_at >> TILE_SHIFT) + 1) << TILE_SHIFT;
	s->part->first_tile = s->next_tile >> TILE_SHIFT;
	*lead = (struct tile){0};
	s->tile = lead;
	s->part->lead_early = s->part->run_t;
	s->early = &s->part->lead_early;
}

/* Until a first event is known: that of the block, from `at` on. Later ones are seen by see_time. */
static void see_first(struct state *s, const struct block *block, uint64_t at)
{
	const struct blocks *b = s->walk->blocks;
	struct frame f;
	if (s->part->first_t == UINT64_MAX && block_next(b, block, at, &f)
		&& (block->head || !b->max_end || f.t <= b->max_end))
		s->part->first_t = f.t;
}

static void walk_blocks(struct state *s, uint32_t index, uint64_t at, const atomic_bool *cancel)
{
	struct part *p = s->part;
	enum ended ended = AT_END;
	p->last = true;
	for (; index < s->chain->n; index++, at = 0) {
		const struct block *block = &s->walk->blocks->items[s->chain->blocks[index]];
		s->tail = index >= p->first + p->n;
		p->end_block = index;
		if (cancel && atomic_load_explicit(cancel, memory_order_relaxed)) {
			p->last = false;
			p->end_t = s->t_max;
			return;
		}
		at = at ? at : block->off;
		see_first(s, block, at);
		ended = run_block(s, block, &at);
		if (ended == AT_RUN)
			break;
	}
	p->end_block = index;
	if (ended != AT_RUN)
		return;
	const struct block *block = &s->walk->blocks->items[s->chain->blocks[index]];
	uint64_t chain_at = block->chain_at + (at - block->off);
	if (chain_at >= s->next_tile)
		open_tiles(s, chain_at, at, 0); /* the next part begins in this tile, but does not own it */
	p->last = false;
	p->end_t = be64(s->walk->blocks->data + at + 2);
}

void walk_part(struct walk *w, struct part *p, const atomic_bool *cancel)
{
	struct tile lead;
	struct state s = {.walk = w, .part = p, .chain = &w->blocks->chains[p->chain], .table = &w->tiles[p->chain]};
	uint32_t index = 0;
	uint64_t at = w->blocks->items[s.chain->blocks[0]].off;
	p->first_t = UINT64_MAX;
	p->any = p->whole || find_begin(&s, &index, &at);
	p->share = p->any ? w->hooks.open(w->hooks.ctx, p->chain) : NULL;
	p->counts = p->share ? calloc(1, sizeof *p->counts) : NULL;
	p->failed = p->any && !p->counts;
	if (p->any && !p->failed) {
		begin_at(&s, &w->blocks->items[s.chain->blocks[index]], at, &lead);
		walk_blocks(&s, index, at, cancel);
		flush_notes(&s);
		p->lead_classes = lead.classes;
		p->lead_filter = lead.filter;
		p->end_tile = s.next_tile >> TILE_SHIFT;
		p->end = s.pos;
		p->running = s.is_running;
		p->last_t = s.t_max;
	}
}

/* --- joining --------------------------------------------------------------------------------------------------------- */

/* Everything of the part counts from its begin: make it count from that of the chain. */
static void rebase(struct walk *w, struct part *p, const struct joined *j)
{
	const struct cap_pos *base = &j->pos;
	struct tile *tiles = w->tiles[p->chain].tiles;
	for (size_t i = p->first_tile; i < p->end_tile; i++) {
		uint64_t all = j->events + (tiles[i].events | (uint64_t)tiles[i].events_high << 32);
		tiles[i].t = max_u64(tiles[i].t, j->last_t);
		tiles[i].run_ns += base->run_ns;
		tiles[i].gc_ns += base->gc_ns;
		tiles[i].switches += base->switches;
		tiles[i].events = (uint32_t)all;
		tiles[i].events_high = (all >> 32) & 0xfff;
	}
	p->end.run_ns += base->run_ns;
	p->end.gc_ns += base->gc_ns;
	p->end.switches += base->switches;
}

static void publish(struct walk *w, const struct part *p, const struct joined *j)
{
	struct tile_table *t = &w->tiles[p->chain];
	size_t ready = p->last ? p->end_tile : p->end_tile ? p->end_tile - 1 : 0; /* the last is shared with the next part */
	atomic_store_explicit(&t->first_t, j->first_t, memory_order_relaxed);
	atomic_store_explicit(&t->last_t, j->last_t, memory_order_relaxed);
	t->liars += p->liars;
	atomic_store_explicit(&t->ready, ready < t->n ? ready : t->n, memory_order_release);
	atomic_store_explicit(&t->walked, p->last ? p->end_block : p->end_block + 1, memory_order_release);
	atomic_store_explicit(&t->known_t, p->last ? UINT64_MAX : p->end_t, memory_order_release);
}

static void replay(struct walk *w, struct part *p)
{
	const struct blocks *b = w->blocks;
	struct frame f;
	for (size_t i = 0; i < p->n_later; i++)
		if (frame_read(b->header, b->data, p->later[i], b->len, &f) == FRAME_OK)
			w->hooks.later(w->hooks.ctx, p->chain, &f);
}

void part_free(const struct walk *w, struct part *p)
{
	if (p->share)
		w->hooks.free(p->share);
	free(p->later);
	free(p->counts);
	free(p->damage.items);
	p->share = NULL;
	p->later = NULL;
	p->counts = NULL;
	p->damage = (struct damage_list){0};
}

void walk_join(struct walk *w, struct part *p)
{
	struct joined *j = &w->joined[p->chain];
	if (!p->any || p->failed)
		return;
	if (!p->whole) {
		uint8_t thread[4] = {0};
		struct tile *shared = &w->tiles[p->chain].tiles[p->first_tile - 1];
		cap_step(&j->pos, EVL_RUN_THREAD, p->run_t, thread); /* ends what was open */
		j->pos.switches--;                                   /* the part counts its begin itself */
		p->anomalies += j->running;
		shared->classes |= p->lead_classes;
		shared->filter |= p->lead_filter;
		uint64_t *early = &w->tiles[p->chain].early[p->first_tile - 1];
		*early = min_u64(*early, p->lead_early);
		rebase(w, p, j);
	}
	j->pos = p->end;
	j->events += p->events;
	j->first_t = min_u64(j->first_t, p->first_t);
	j->last_t = max_u64(j->last_t, p->last_t);
	j->running = p->running;
	replay(w, p);
	w->hooks.join(w->hooks.ctx, p->chain, p->share, p);
	p->share = NULL;
	publish(w, p, j);
}
