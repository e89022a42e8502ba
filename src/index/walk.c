#include "index/walk.h"

#include <stdlib.h>

/* Actions of the loop by tag: cases that it handles itself, and exits from it. */
enum kind {
	SKIP,
	RUN,
	STOP,
	CREATE,
	GC_BEGIN,
	GC_PHASE,
	GC_OVER,
	SAMPLE, /* for later, where downsample_take keeps it */
	HAND,   /* on to the floors above */
	ODD,    /* anything else: read with all checks */
};

/* Three events of four in a busy log. The start of the next one is then known from the tag alone, which the processor
 * predicts, and not from a table that it has to wait for. */
enum { RUN_LEN = 14, STOP_LEN = 20, WAKEUP_LEN = 16 };

struct tag_info {
	uint32_t len;   /* of the event, if its payload is of fixed size; 0: it is not */
	uint32_t class; /* 1 << group; 0: unknown */
	uint8_t kind;
	bool later, sampled;      /* kept for later: all, or those that downsample_take keeps */
	uint8_t sample, value_at; /* of those: downsample_kind, downsample_value_at */
	uint16_t least;           /* bytes of payload without which it cannot be read */
	void (*take)(void *partial, const struct frame *f, uint32_t thread);
	bool (*spare)(void *partial, const struct frame *f);
};

/* The part of a chain that was joined so far. */
struct joined {
	struct cap_pos pos;
	uint64_t events, first_t, last_t;
	bool running;
	struct downsample thin; /* samples that are kept unless the next part has a larger one in the same section */
};

struct walk {
	const struct blocks *blocks;
	struct tile_table *tiles;
	struct walk_hooks hooks;
	struct tag_info tags[WALK_TAGS];
	bool speculate;        /* RUN, STOP and WAKEUP have the sizes that they have had since GHC 7.8 */
	bool passes_markers;   /* block markers are only counted */
	struct joined *joined; /* one a chain */
};

/* State that nearly every event changes. The loop over usual events works on a copy, which stays in registers as
 * long as its address is not taken. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
struct hot {
	struct cap_pos pos;
	uint64_t t_max;
	uint64_t filter; /* of the open tile */
	bool apart; /* by RUN and STOP alone the capability does something else than `pos` says: struct state knows what */
	bool now_open; /* something was handed on since the last RUN */
};

/* The walk of one part. */
struct state {
	struct walk *walk;
	struct part *part;
	struct tile_table *table;
	struct hot hot;
	uint32_t
		running; /* where hot.apart: the thread of the last RUN, since when, and whether its STOP has not come */
	uint64_t running_since;
	bool is_running;
	uint64_t events;            /* before the open tile; and those in it whose tags are past the table */
	uint16_t counts[WALK_TAGS]; /* the others in it, by tag: a tile has fewer than 1000 */
	uint64_t next_tile;         /* where it begins in the chain */
	struct block block;         /* that is being walked */
	uint64_t before;            /* the last event but for usual ones since; 0: damage or nothing was before these */
	uint64_t chain_at;          /* bytes of the chain before it */
	bool tail;                  /* after the blocks of the part: its end is the next RUN */
	struct tile *tile;
	uint64_t *early;                        /* the earliest time of its events */
	struct walk_run *runs, *run, *runs_end; /* room for the next ones: all of it, what is left of it */
	size_t n_lives;
	struct walk_life lives[WALK_NOTES];
	struct walk_run spare[WALK_NOTES]; /* for runs that get no other room */
	struct tile lead;                  /* for the events before the first tile that starts in the part */
};

/* --- the table of tags --------------------------------------------------------------------------------------------- */

static enum kind kind_of(const struct walk_hooks *hooks, unsigned tag, const struct header_type *type)
{
	static const uint8_t known[] = {[EVL_RUN_THREAD] = RUN,
		[EVL_STOP_THREAD] = STOP,
		[EVL_CREATE_THREAD] = CREATE,
		[EVL_GC_START] = GC_BEGIN,
		[EVL_GC_WORK] = GC_PHASE,
		[EVL_GC_IDLE] = GC_PHASE,
		[EVL_GC_DONE] = GC_PHASE,
		[EVL_GC_END] = GC_OVER};
	if (!type || tag == EVL_IPE || tag == EVL_BLOCK_MARKER || !type->schema)
		return ODD;
	if (type->size != EVL_VARIABLE && type->size < type->schema->size)
		return SKIP; /* cannot be read */
	if (tag < countof(known) && known[tag])
		return type->size == EVL_VARIABLE ? ODD : known[tag];
	if (hooks->take[tag])
		return HAND;
	return !hooks->later[tag] ? SKIP : downsample_wants((uint16_t)tag) ? SAMPLE : HAND;
}

static void fill_tags(struct walk *w)
{
	for (unsigned tag = 0; tag < WALK_TAGS; tag++) {
		const struct header_type *type = header_find(w->blocks->header, (uint16_t)tag);
		w->tags[tag] = (struct tag_info){
			.len = type && type->size != EVL_VARIABLE ? FRAME_FIXED + (uint32_t)type->size : 0,
			.class = tile_class(type),
			.kind = (uint8_t)kind_of(&w->hooks, tag, type),
			.later = w->hooks.later[tag] && !downsample_wants((uint16_t)tag),
			.sampled = w->hooks.later[tag] && downsample_wants((uint16_t)tag),
			.least = type && type->schema ? type->schema->size : 0,
			.take = w->hooks.take[tag],
			.spare = w->hooks.spare[tag]};
		if (w->tags[tag].sampled) {
			w->tags[tag].sample = (uint8_t)downsample_kind((uint16_t)tag);
			w->tags[tag].value_at = (uint8_t)downsample_value_at((uint16_t)tag);
		}
	}
	const struct tag_info *run = &w->tags[EVL_RUN_THREAD], *stop = &w->tags[EVL_STOP_THREAD],
			      *wakeup = &w->tags[EVL_THREAD_WAKEUP];
	const struct tag_info *marker = &w->tags[EVL_BLOCK_MARKER];
	w->passes_markers = !marker->take && !marker->later && !marker->sampled;
	w->speculate = run->kind == RUN && run->len == RUN_LEN && stop->kind == STOP && stop->len == STOP_LEN
		&& wakeup->kind == SKIP && wakeup->len == WAKEUP_LEN;
}

struct walk *walk_new(const struct blocks *b, struct tile_table *tiles, const struct walk_hooks *hooks)
{
	struct walk *w = calloc(1, sizeof *w);
	struct joined *joined = calloc(b->n_chains ? b->n_chains : 1, sizeof *joined);
	if (!w || !joined) {
		free_all(w, joined);
		return NULL;
	}
	*w = (struct walk){.blocks = b, .tiles = tiles, .hooks = *hooks, .joined = joined};
	for (size_t i = 0; i < b->n_chains; i++)
		joined[i].first_t = UINT64_MAX;
	fill_tags(w);
	return w;
}

struct walk *walk_go_on(
	const struct walk *w, const struct blocks *b, struct tile_table *tiles, const struct walk_hooks *hooks)
{
	struct walk *more = walk_new(b, tiles, hooks);
	if (more)
		memcpy(more->joined, w->joined, b->n_chains * sizeof *w->joined);
	return more;
}

void walk_free(struct walk *w)
{
	if (w)
		free(w->joined);
	free(w);
}

/* --- what happens less often than once an event ---------------------------------------------------------------------- */

static inline uint64_t thread_bit(uint32_t thread) { return 1ull << (thread & 63); }

static void flush_runs(struct state *s)
{
	if (s->run != s->runs)
		s->walk->hooks.ran(s->part->partial, s->runs, (size_t)(s->run - s->runs));
	s->runs = s->run;
}

static __attribute__((noinline)) void next_runs(struct state *s)
{
	size_t n = 0;
	flush_runs(s);
	s->run = s->runs = s->walk->hooks.room(s->part->partial, &n);
	if (!s->run) {
		s->run = s->runs = s->spare;
		n = WALK_NOTES;
	}
	s->runs_end = s->run + n;
}

static __attribute__((noinline)) void flush_lives(struct state *s)
{
	s->walk->hooks.lived(s->part->partial, s->lives, s->n_lives);
	s->n_lives = 0;
}

static ALWAYS_INLINE void note_run(struct state *s, uint64_t since, uint64_t t, uint32_t thread, bool lost)
{
	if (unlikely(s->run == s->runs_end))
		next_runs(s);
	*s->run++ = (struct walk_run){.from = min_u64(since, t), .to = t, .thread = thread, .lost = lost};
}

static ALWAYS_INLINE void note_life(struct state *s, uint64_t t, uint32_t thread, bool died, bool root)
{
	s->lives[s->n_lives++] = (struct walk_life){.t = t, .thread = thread, .died = died, .root = root};
	if (unlikely(s->n_lives == WALK_NOTES))
		flush_lives(s);
}

/* Count the events of the open tile with one of a few adjacent tags. */
static __attribute__((noinline)) void count_tags(struct state *s, unsigned tag, unsigned end)
{
	for (; tag < end; tag++) {
		unsigned n = s->counts[tag];
		s->tile->classes |= n ? s->walk->tags[tag].class : 0;
		s->part->counts->tags[tag] += n;
		s->events += n;
		s->counts[tag] = 0;
	}
}

/* Fill the open tile with its state. Few tags occur in it: the others are passed four at a time. */
static void close_tile(struct state *s)
{
	enum { SOME = sizeof(uint64_t) / sizeof *s->counts };
	_Static_assert(WALK_TAGS % SOME == 0, "all are looked at");
	for (unsigned tag = 0; tag < WALK_TAGS; tag += SOME) {
		uint64_t some;
		memcpy(&some, &s->counts[tag], sizeof some);
		if (some)
			count_tags(s, tag, tag + SOME);
	}
	s->tile->filter |= s->hot.filter;
}

/* Begin all tiles up to the one that chain position `at` lies in, where an event of time t begins; those that no event
 * begins in are like the next. */
static __attribute__((noinline)) void open_tiles(struct state *s, uint64_t at, uint64_t off, uint64_t t)
{
	const struct hot *h = &s->hot;
	close_tile(s);
	t = max_u64(h->t_max, t);
	while (s->next_tile <= at) {
		s->tile = &s->table->tiles[s->next_tile >> TILE_SHIFT];
		s->early = &s->table->early[s->next_tile >> TILE_SHIFT];
		*s->early = t;
		*s->tile = (struct tile){.off = off & 0xffffffffffff,
			.state = (uint64_t)h->pos.state & 0xf,
			.events_high = (s->events >> 32) & 0xfff,
			.events = (uint32_t)s->events,
			.t = t,
			.run_ns = h->pos.run_ns,
			.gc_ns = h->pos.gc_ns,
			.since = h->pos.since,
			.thread = h->pos.thread,
			.switches = h->pos.switches};
		if (h->pos.state == CAP_RUN)
			s->tile->filter = thread_bit(h->pos.thread);
		if (s->walk->hooks.tile)
			s->walk->hooks.tile(
				s->part->partial, (size_t)(s->next_tile >> TILE_SHIFT), s->part->counts->tags);
		s->next_tile += TILE_BYTES;
	}
	s->hot.filter = 0;
}

static __attribute__((noinline)) void keep_for_later(struct state *s, uint64_t off)
{
	struct part *p = s->part;
	if (GROW(p->later, p->n_later, p->later_room))
		p->later[p->n_later++] = off;
	else
		p->failed = true;
}

static ALWAYS_INLINE void take_sample(
	struct state *s, const struct tag_info *info, uint64_t off, const uint8_t *payload)
{
	uint64_t value = be64(payload + info->value_at);
	off = downsample_take(&s->part->counts->thin, s->walk->hooks.thin_shift, info->sample, off, value);
	if (off)
		keep_for_later(s, off);
}

static ALWAYS_INLINE void hand_on(struct state *s, const struct tag_info *info, const struct frame *f, uint32_t thread)
{
	if (info->take)
		info->take(s->part->partial, f, thread);
	if (info->later && !(info->spare && info->spare(s->part->partial, f)))
		keep_for_later(s, f->off);
	else if (info->sampled)
		take_sample(s, info, f->off, f->payload.p);
}

/* --- the events that the loop knows ----------------------------------------------------------------------------------- */

/* The capability ran a thread until t, but what ends the run is not its STOP. */
static ALWAYS_INLINE void lose_run(struct state *s, const struct hot *h, uint64_t t)
{
	if (h->pos.state == CAP_RUN)
		note_run(s, h->pos.since, t, h->pos.thread, true);
}

/* By RUN and STOP alone: does a thread run? */
static ALWAYS_INLINE bool is_running(const struct state *s, const struct hot *h)
{
	return h->apart ? s->is_running : h->pos.state == CAP_RUN;
}

/* The thread that runs by RUN and STOP alone; 0: none. */
static ALWAYS_INLINE uint32_t thread_running(const struct state *s, const struct hot *h)
{
	return !is_running(s, h) ? 0 : h->apart ? s->running : h->pos.thread;
}

static ALWAYS_INLINE void take_run(struct state *s, struct hot *h, uint64_t t, const uint8_t *payload)
{
	if (unlikely(h->apart || h->pos.state == CAP_RUN)) {
		lose_run(s, h, t);
		s->part->anomalies += is_running(s, h);
		h->apart = false;
	}
	cap_step(&h->pos, EVL_RUN_THREAD, t, payload);
	h->filter |= thread_bit(h->pos.thread);
	if (unlikely(h->now_open))
		s->walk->hooks.run(s->part->partial);
	h->now_open = false;
}

/* A STOP that is not simply that of the thread that runs. */
static ALWAYS_INLINE void stop_other(struct state *s, struct hot *h, uint64_t t, uint32_t thread)
{
	if (h->apart && s->is_running && s->running == thread) {
		note_run(s, s->running_since, t, thread, false);
	} else {
		lose_run(s, h, t);
		s->part->anomalies++;
	}
	if (h->pos.state == CAP_RUN)
		cap_change(&h->pos, CAP_IDLE, t);
	h->apart = false;
}

static ALWAYS_INLINE void take_stop(struct state *s, struct hot *h, uint64_t t, const uint8_t *payload)
{
	enum { STATUS_AT = 4, FINISHED = 5 };
	uint32_t thread = be32(payload);
	uint16_t status = be16(payload + STATUS_AT);
	if (likely(!h->apart && h->pos.state == CAP_RUN && h->pos.thread == thread)) {
		note_run(s, h->pos.since, t, thread, false);
		cap_change(&h->pos, CAP_IDLE, t);
	} else {
		stop_other(s, h, t, thread);
	}
	if (status == FINISHED)
		note_life(s, t, thread, true, false);
	if (likely(status < WALK_STATUSES))
		s->part->counts->statuses[status]++;
	else
		keep_for_later(s, (uint64_t)(payload - FRAME_FIXED - s->walk->blocks->data));
}

/* A collection, or a phase of one. If it begins in a run, that is lost, but its STOP may still come. */
static ALWAYS_INLINE void take_gc(struct state *s, struct hot *h, uint64_t t)
{
	if (h->pos.state == CAP_GC)
		return;
	lose_run(s, h, t);
	if (h->pos.state == CAP_RUN) {
		s->running = h->pos.thread;
		s->running_since = h->pos.since;
		s->is_running = h->apart = true;
	}
	cap_change(&h->pos, CAP_GC, t);
}

/* An event that can be read. */
static ALWAYS_INLINE void take(struct state *s, struct hot *h, const struct tag_info *info, const struct frame *f)
{
	enum kind kind = (enum kind)info->kind;
	switch (kind) {
	case SKIP: return;
	case RUN: take_run(s, h, f->t, f->payload.p); return;
	case STOP: take_stop(s, h, f->t, f->payload.p); return;
	case CREATE: note_life(s, f->t, be32(f->payload.p), false, !is_running(s, h)); return;
	case GC_PHASE: take_gc(s, h, f->t); return;
	case GC_BEGIN: take_gc(s, h, f->t); break;
	case GC_OVER: cap_step(&h->pos, f->tag, f->t, f->payload.p); break;
	case SAMPLE: take_sample(s, info, f->off, f->payload.p); return;
	default: break;
	}
	hand_on(s, info, f, thread_running(s, h));
	h->now_open = true;
}

/* --- the loop -------------------------------------------------------------------------------------------------------- */

/* Result of run_block. */
enum ended { AT_END, AT_RUN };

static inline void see_time(struct state *s, struct hot *h, uint64_t t)
{
	if (likely(t >= h->t_max)) {
		h->t_max = t;
	} else { /* only what is earlier than something can be the first */
		s->part->first_t = min_u64(s->part->first_t, t);
		*s->early = min_u64(*s->early, t);
	}
}

/* The event before `bad`; 0: none is known. */
static uint64_t event_before(const struct state *s, const struct block *block, uint64_t bad)
{
	const struct blocks *b = s->walk->blocks;
	struct frame f = {.next = s->before};
	uint64_t before = s->before;
	while (s->before && f.next < bad) {
		enum frame_result r = frame_read(b->header, b->data, f.next, block->off + block->len, &f);
		if (r != FRAME_OK && r != FRAME_DATA_END)
			break;
		before = r == FRAME_OK ? f.off : before;
	}
	return before;
}

/* Damage at *at: note it, and go on where events start again. */
static void pass_damage(struct state *s, const struct block *block, uint64_t *at, enum frame_result r, uint16_t tag)
{
	static const enum damage_reason reasons[] = {
		[FRAME_UNDECLARED] = DAMAGE_UNDECLARED, [FRAME_CUT] = DAMAGE_CUT, [FRAME_BAD_TIME] = DAMAGE_TIME};
	const struct blocks *b = s->walk->blocks;
	enum damage_reason reason = blocks_zeros_at(b, *at) ? DAMAGE_ZEROS : reasons[r];
	uint64_t from = *at, before = event_before(s, block, from);
	*at = block_resume(b, block, before, from);
	if (*at < from) {
		reason = DAMAGE_LENGTH;
		tag = be16(b->data + before);
		from = before;
	}
	s->before = 0;
	damage_add(&s->part->damage, from, *at - from, reason, tag);
}

/* Record oddities of an event that are free to check. */
static void note_odd(struct state *s, const struct block *block, const struct frame *f)
{
	enum { END_AT = 4 };
	if (f->tag == EVL_BLOCK_MARKER && f->off != block->off) {
		s->part->nested = true;
		damage_add(&s->part->damage, f->off, f->next - f->off, DAMAGE_NESTED, f->tag);
	} else if (block->head && f->off == block->off && be64(f->payload.p + END_AT) < f->t)
		damage_add(&s->part->damage, f->off, f->next - f->off, DAMAGE_ODD_BLOCK, f->tag);
	else if (f->t > 0 && !block_admits(block, f->tag, f->t))
		damage_add(&s->part->damage, f->off, f->next - f->off, DAMAGE_ODD_TIME, f->tag);
}

/* Read an event of any kind with all checks, and move *at past it. */
static __attribute__((noinline)) enum ended take_any(struct state *s, const struct block *block, uint64_t *at)
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
		pass_damage(s, block, at, r, f.tag);
		return AT_END;
	}
	if (s->tail && f.tag == EVL_RUN_THREAD && event_readable(b->header, &f))
		return AT_RUN;
	note_odd(s, block, &f);
	bool sane = f.t <= block_latest(b, block);
	uint64_t chain_at = s->chain_at + (f.off - block->off);
	if (chain_at >= s->next_tile)
		open_tiles(s, chain_at, f.off, sane ? f.t : 0);
	if (sane)
		see_time(s, &s->hot, f.t);
	s->part->bad_times += !sane;
	s->before = f.off;
	*at = f.next;
	if (f.tag >= WALK_TAGS) {
		s->events++;
		keep_for_later(s, f.off);
		return AT_END;
	}
	const struct tag_info *info = &s->walk->tags[f.tag];
	s->counts[f.tag]++;
	if (info->class && f.payload.len >= info->least)
		take(s, &s->hot, info, &f);
	return AT_END;
}

/* How far usual events may begin: within the open tile, and so far from the end of the block that three of four fit
 * without a look. */
static const uint8_t *usual_end(const struct state *s, const struct block *block)
{
	uint64_t tile = sub_or_0(s->next_tile, s->chain_at), end = block->len > STOP_LEN ? block->len - STOP_LEN : 0;
	return s->walk->blocks->data + block->off + min_u64(tile, end);
}

/* A usual event that is earlier than one before it. It may turn out to be none. */
static __attribute__((noinline)) void see_earlier(struct state *s, const uint8_t *p, const uint8_t *end, uint64_t t)
{
	uint16_t tag = be16(p);
	const struct tag_info *info = &s->walk->tags[tag & (WALK_TAGS - 1)];
	uint64_t len = info->len ? info->len : FRAME_VARIABLE + (uint64_t)be16(p + FRAME_FIXED);
	if (tag >= WALK_TAGS || info->kind == ODD || (s->tail && info->kind == RUN) || len > (uint64_t)(end - p))
		return;
	s->part->first_t = min_u64(s->part->first_t, t);
	*s->early = min_u64(*s->early, t);
}

/* All events from p on that are of a usual kind and whose times fit the block; where the first is that is not. Twice: with
 * speculate, or where no event is known before it is looked up. */
static ALWAYS_INLINE const uint8_t *take_usual(
	struct state *s, const struct block *block, const uint8_t *p, bool speculate)
{
	const struct walk *w = s->walk;
	const uint8_t *data = w->blocks->data, *stop = usual_end(s, block), *end = data + block->off + block->len;
	const uint64_t begin_t = max_u64(block->t, 1); /* as block_admits */
	const uint64_t end_t = max_u64(begin_t, block->head ? block->end_t : block_latest(w->blocks, block));
	const uint8_t *begin = p;
	struct hot h = s->hot;
	uint64_t latest = max_u64(h.t_max, begin_t);
	for (uint64_t len; p < stop; p += len) {
		__builtin_prefetch(p + 1536);
		uint16_t tag = be16(p);
		uint64_t t = be64(p + 2), raised = t;
		if (unlikely(t < latest)) {
			if (t < begin_t || t > end_t)
				break;
			see_earlier(s, p, end, t);
			raised = latest;
		} else if (unlikely(t > end_t)) {
			break;
		}
		if (speculate && tag == EVL_RUN_THREAD) {
			len = RUN_LEN;
			latest = raised;
			s->counts[EVL_RUN_THREAD]++;
			take_run(s, &h, t, p + FRAME_FIXED);
			continue;
		}
		if (speculate && tag == EVL_STOP_THREAD) {
			len = STOP_LEN;
			latest = raised;
			s->counts[EVL_STOP_THREAD]++;
			take_stop(s, &h, t, p + FRAME_FIXED);
			continue;
		}
		if (speculate && tag == EVL_THREAD_WAKEUP) {
			len = WAKEUP_LEN;
			latest = raised;
			s->counts[EVL_THREAD_WAKEUP]++;
			continue;
		}
		if (unlikely(tag >= WALK_TAGS))
			break;
		const struct tag_info *info = &w->tags[tag];
		enum kind kind = (enum kind)info->kind;
		if (unlikely(kind == ODD || (!speculate && s->tail && kind == RUN)))
			break;
		uint64_t before = FRAME_FIXED;
		len = info->len;
		if (!len) {
			before = FRAME_VARIABLE;
			len = FRAME_VARIABLE + be16(p + FRAME_FIXED);
			kind = len - FRAME_VARIABLE >= info->least ? kind : SKIP;
		}
		if (unlikely(len > (uint64_t)(end - p)))
			break;
		latest = raised;
		s->counts[tag]++;
		if (kind == SKIP) {
			continue;
		} else if (kind == GC_PHASE) {
			take_gc(s, &h, t);
		} else if (kind == SAMPLE) {
			take_sample(s, info, (uint64_t)(p - data), p + before);
		} else {
			struct frame f = {.off = (uint64_t)(p - data),
				.next = (uint64_t)(p - data) + len,
				.t = t,
				.tag = tag,
				.payload = {p + before, len - before}};
			take(s, &h, info, &f);
		}
	}
	if (p > begin) {
		h.t_max = latest;
		s->before = (uint64_t)(begin - data);
	}
	s->hot = h;
	return p;
}

/* Pass the marker that the block starts with, if nothing is odd about it and no tile starts with it. */
static void pass_marker(struct state *s, const struct block *block, uint64_t *at)
{
	enum { END_AT = FRAME_FIXED + 4 };
	if (*at != block->off || !block->head || !s->walk->passes_markers || s->chain_at >= s->next_tile
		|| block->t == 0 || be64(s->walk->blocks->data + block->off + END_AT) < block->t)
		return;
	see_time(s, &s->hot, block->t);
	s->counts[EVL_BLOCK_MARKER]++;
	s->before = block->off;
	*at += block->head;
}

/* All events of the block from *at on; *at is left where it ended. */
static enum ended run_block(struct state *s, const struct block *block, uint64_t *at)
{
	const uint8_t *data = s->walk->blocks->data;
	enum ended ended = AT_END;
	s->before = 0;
	pass_marker(s, block, at);
	while (ended == AT_END && *at < block->off + block->len) {
		const uint8_t *p = data + *at;
		p = s->walk->speculate && !s->tail ? take_usual(s, block, p, true) : take_usual(s, block, p, false);
		*at = (uint64_t)(p - data);
		if (*at < block->off + block->len)
			ended = take_any(s, block, at);
	}
	return ended;
}

/* --- a part ---------------------------------------------------------------------------------------------------------- */

/* Pass events from p on that are known to be no RUN_THREAD, as long as nothing about them is odd: where the first is that may
 * be one. */
static const uint8_t *pass_others(const struct state *s, const uint8_t *p, uint64_t *before)
{
	const struct walk *w = s->walk;
	const uint8_t *data = w->blocks->data, *end = data + s->block.off + s->block.len;
	const uint64_t begin_t = max_u64(s->block.t, 1);
	const uint64_t long_t = sub_or_0(s->block.head ? s->block.end_t : block_latest(w->blocks, &s->block), begin_t);
	for (uint64_t len; end - p > BLOCK_HEAD; p += len) {
		uint16_t tag = be16(p);
		const struct tag_info *info = &w->tags[tag & (WALK_TAGS - 1)];
		if (tag >= WALK_TAGS || info->kind == ODD || info->kind == RUN || be64(p + 2) - begin_t > long_t)
			break;
		len = info->len ? info->len : (uint64_t)FRAME_VARIABLE + be16(p + FRAME_FIXED);
		if (len > (uint64_t)(end - p))
			break;
		*before = (uint64_t)(p - data);
	}
	return p;
}

/* Find the first RUN_THREAD of the block. */
static bool find_run(struct state *s, uint64_t *at)
{
	const struct blocks *b = s->walk->blocks;
	for (struct frame f = {.off = 0};; *at = f.next) {
		*at = (uint64_t)(pass_others(s, b->data + *at, &f.off) - b->data);
		if (!block_next(b, &s->block, f.off, *at, &f))
			return false;
		*at = f.off;
		if (f.tag == EVL_RUN_THREAD && event_readable(b->header, &f)) {
			s->part->run_t = f.t;
			return true;
		}
	}
}

bool walk_may_start(struct walk *w, const struct block *block)
{
	struct part part = {0};
	struct state *s = &(struct state){.walk = w, .part = &part, .block = *block};
	return find_run(s, &(uint64_t){block->off});
}

void walk_follow(const struct walk *w, const struct block *block, struct walk_rest *rest)
{
	for (struct frame f = {.next = block->off}; block_next(w->blocks, block, f.off, f.next, &f);)
		switch (f.tag) {
		case EVL_RUN_THREAD: *rest = (struct walk_rest){.runs = true}; break;
		case EVL_STOP_THREAD: rest->runs = false; break;
		case EVL_REQUEST_SEQ_GC:
		case EVL_REQUEST_PAR_GC:
		case EVL_GC_START:
		case EVL_GC_WORK:
		case EVL_GC_IDLE:
		case EVL_GC_DONE:
		case EVL_GC_STATS_GHC: rest->collects = true; break;
		case EVL_GC_END: rest->collects = false; break;
		case EVL_HEAP_PROF_SAMPLE_BEGIN:
		case EVL_HEAP_BIO_PROF_SAMPLE_BEGIN: rest->samples = true; break;
		case EVL_HEAP_PROF_SAMPLE_END: rest->samples = false; break;
		case EVL_USER_BINARY_MSG: rest->tells = true; break;
		default: break;
		}
}

/* The part starts inside a tile that starts before it: until the part's first tile, events go to a separate tile. */
static void begin_at(struct state *s, uint64_t at)
{
	uint64_t chain_at = s->chain_at + (at - s->block.off);
	s->next_tile = s->part->whole ? 0 : ((chain_at >> TILE_SHIFT) + 1) << TILE_SHIFT;
	s->part->first_tile = s->next_tile >> TILE_SHIFT;
	s->tile = &s->lead;
	bool sane = s->part->run_t <= block_latest(s->walk->blocks, &s->block); /* else what follows may be earlier */
	s->part->lead_early = sane ? s->part->run_t : 0;
	s->early = &s->part->lead_early;
	if (s->part->goes_on) {
		const struct joined *j = &s->walk->joined[s->part->chain];
		s->hot.pos = (struct cap_pos){.since = j->pos.since, .thread = j->pos.thread, .state = j->pos.state};
		s->hot.t_max = j->last_t;
		s->part->lead_early = UINT64_MAX;
	}
}

/* Until a first event is known: that of the block, from `at` on. Later ones are seen by see_time. */
static void see_first(struct state *s, uint64_t at)
{
	const struct blocks *b = s->walk->blocks;
	struct frame f;
	if (s->part->first_t == UINT64_MAX && block_next(b, &s->block, 0, at, &f)
		&& (s->block.head || !b->max_end || f.t <= b->max_end))
		s->part->first_t = f.t;
}

/* The part ends at `at`, before a RUN_THREAD of the next part or the block that it starts with. */
static void end_at(struct state *s, uint64_t at)
{
	struct part *p = s->part;
	uint64_t chain_at = s->chain_at + (at - s->block.off);
	p->last = false;
	p->end_t = be64(s->walk->blocks->data + at + 2);
	bool sane = p->end_t <= block_latest(s->walk->blocks, &s->block);
	if (chain_at >= s->next_tile)
		open_tiles(s, chain_at, at,
			sane ? p->end_t : 0); /* the next part begins in this tile, but does not own it */
	if (sane)
		see_time(s, &s->hot, p->end_t);
}

/* Read the next block of the part. Until the part has begun, look for its first RUN_THREAD. */
static enum ended walk_block(struct state *s, const struct block *block, int worker)
{
	struct part *p = s->part;
	const struct walk_hooks *hooks = &s->walk->hooks;
	enum ended ended = AT_END;
	uint64_t at = block->off;
	s->block = *block;
	if (!p->any && (p->whole || p->goes_on || find_run(s, &at))) {
		p->any = true;
		p->partial = hooks->open(hooks->ctx, p->chain, worker);
		p->counts = p->partial ? calloc(1, sizeof *p->counts) : NULL;
		p->failed = !p->counts;
		begin_at(s, at);
	}
	if (p->any && !p->failed) {
		p->end_off = block->off;
		if (hooks->block)
			hooks->block(p->partial, block);
		see_first(s, at);
		ended = run_block(s, &s->block, &at);
	}
	if (ended == AT_RUN) {
		end_at(s, at);
		lose_run(s, &s->hot, p->end_t);
	}
	s->chain_at += block->len;
	return ended;
}

/* Read on after the blocks of the part, to the first RUN_THREAD of the next one. */
static void finish(struct state *s, int worker, const atomic_bool *cancel)
{
	struct part *p = s->part;
	p->stopped = is_cancelled(cancel);
	if (!p->any || p->failed)
		return;
	p->last = s->tail = true;
	while (p->last && !(p->stopped = is_cancelled(cancel)) && blocks_next_of(s->walk->blocks, &s->block)) {
		if (s->block.off == p->rest)
			end_at(s, p->rest);
		else
			p->last = walk_block(s, &s->block, worker) != AT_RUN;
	}
	if (p->stopped) {
		p->last = false;
		p->end_t = s->hot.t_max;
	}
	flush_runs(s);
	flush_lives(s);
	close_tile(s);
	s->walk->hooks.walked(p->partial);
	p->lead_classes = s->lead.classes;
	p->lead_filter = s->lead.filter;
	p->end_tile = s->next_tile >> TILE_SHIFT;
	p->end = s->hot.pos;
	p->events = s->events;
	p->running = is_running(s, &s->hot);
	p->last_t = s->hot.t_max;
}

void walk_parts(struct walk *w, struct part *parts, size_t n, int worker, const atomic_bool *cancel)
{
	const struct blocks *b = w->blocks;
	struct state *states = calloc(n, sizeof *states);
	struct state **of_chain = calloc(n > 1 ? b->n_chains : 1, sizeof *of_chain);
	struct block block = parts[0].first;
	uint64_t end = 0;
	for (size_t i = 0; i < n; i++) {
		struct part *p = &parts[i];
		p->first_t = UINT64_MAX;
		end = max_u64(end, p->until);
		if (!states || !of_chain) {
			p->any = p->failed = true;
			continue;
		}
		states[i].walk = w;
		states[i].part = p;
		states[i].table = &w->tiles[p->chain];
		states[i].chain_at = p->chain_at;
		of_chain[n > 1 ? p->chain : 0] = &states[i];
	}
	for (bool more = states && of_chain; more && block.off < end && !is_cancelled(cancel);
		more = n > 1 ? blocks_next(b, &block) : blocks_next_of(b, &block)) {
		struct state *s = of_chain[n > 1 ? block.chain : 0];
		if (s && block.off - s->part->first.off < s->part->until - s->part->first.off)
			walk_block(s, &block, worker);
	}
	for (size_t i = 0; states && of_chain && i < n; i++)
		finish(&states[i], worker, cancel);
	free_all(states, of_chain);
}

/* --- joining --------------------------------------------------------------------------------------------------------- */

/* Totals of the part count from the part's start: make them count from the start of the chain. */
static void rebase(struct walk *w, struct part *p, const struct joined *before)
{
	const struct cap_pos *base = &before->pos;
	struct tile *tiles = w->tiles[p->chain].tiles;
	for (size_t i = p->first_tile; i < p->end_tile; i++) {
		uint64_t all = before->events + (tiles[i].events | (uint64_t)tiles[i].events_high << 32);
		tiles[i].t = max_u64(tiles[i].t, before->last_t);
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
	size_t ready = p->last ? p->end_tile
		: p->end_tile  ? p->end_tile - 1
			       : 0; /* the last is shared with the next part */
	store_relaxed(&t->first_t, j->first_t);
	store_relaxed(&t->last_t, j->last_t);
	t->bad_times += p->bad_times;
	ready = ready < t->n ? ready : t->n;
	tiles_sum(t, ready);
	store_release(&t->ready, ready);
	store_release(&t->walked, p->last ? UINT64_MAX : p->end_off + 1);
	store_release(&t->known_t, p->last ? UINT64_MAX : p->end_t);
}

static void replay_at(struct walk *w, const struct part *p, uint64_t off)
{
	const struct blocks *b = w->blocks;
	struct frame f;
	if (frame_read(b->header, b->data, off, b->len, &f) == FRAME_OK)
		w->hooks.joins(w->hooks.ctx, p->chain, &f);
}

/* Samples of the parts before that are kept, events for later, and at the end of the chain the last samples. */
static void replay(struct walk *w, struct joined *j, struct part *p)
{
	enum { AHEAD = 8 };
	uint64_t dropped[THIN_KINDS];
	unsigned n = 0;
	for (unsigned kind = 0; kind < THIN_KINDS; kind++) {
		uint64_t off = downsample_join(&j->thin, &p->counts->thin, w->hooks.thin_shift, kind, &dropped[n]);
		n += dropped[n] > 0;
		if (off)
			replay_at(w, p, off);
	}
	for (size_t i = 0; i < p->n_later; i++) {
		unsigned k = 0;
		while (k < n && dropped[k] != p->later[i])
			k++;
		if (i + AHEAD < p->n_later)
			__builtin_prefetch(w->blocks->data + p->later[i + AHEAD]);
		if (k == n)
			replay_at(w, p, p->later[i]);
	}
	for (uint64_t off; (p->last || p->stopped) && (off = downsample_rest(&j->thin));)
		replay_at(w, p, off);
}

void part_free(const struct walk *w, struct part *p)
{
	if (p->partial)
		w->hooks.free(p->partial);
	free_all(p->later, p->counts, p->damage.items);
	p->partial = NULL;
	p->later = NULL;
	p->counts = NULL;
	p->damage = (struct damage_list){0};
}

void walk_join(struct walk *w, struct part *p)
{
	struct joined *j = &w->joined[p->chain];
	if (!p->any || p->failed)
		return;
	if (!p->whole && !p->goes_on) {
		uint8_t thread[4] = {0};
		cap_step(&j->pos, EVL_RUN_THREAD, p->run_t, thread); /* ends what was open */
		j->pos.switches--;                                   /* the part counts its start itself */
		p->anomalies += j->running;
	}
	if (!p->whole) {
		struct tile *shared = &w->tiles[p->chain].tiles[p->first_tile - 1];
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
	replay(w, j, p);
	w->hooks.join(w->hooks.ctx, p->chain, p->partial, p);
	p->partial = NULL;
	publish(w, p, j);
}

void walk_rested(const struct walk *w, int worker) { w->hooks.rested(w->hooks.ctx, worker); }

void walk_joined(const struct walk *w) { w->hooks.joined(w->hooks.ctx); }
