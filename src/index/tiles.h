/* tiles.h - per-capability table of tiles (64 bytes per 8 KB of log): time, offset and running totals, and searches
 * over them.
 *
 * There is one tile per TILE_BYTES of a chain (across the ends of small blocks): where its first event is, when,
 * and the capability's totals up to there. Positions follow from the block lengths, so all tiles are laid out before
 * the first event is read. From a tile any moment is at most TILE_BYTES of decoding away, and the totals between two
 * moments are a subtraction. */
#ifndef EVL_TILES_H
#define EVL_TILES_H

#include "base/image.h"
#include "index/blocks.h"

#include <stdatomic.h>

/* Tests set less, so that small logs have many. */
#ifndef EVL_TILE_SHIFT
#define EVL_TILE_SHIFT 13
#endif
enum { TILE_SHIFT = EVL_TILE_SHIFT, TILE_BYTES = 1 << TILE_SHIFT };

/* State of a capability, by the events that it posts itself. */
enum cap_state { CAP_IDLE, CAP_RUN, CAP_GC };

/* Return the bit by which an event is searched: a separate one for messages, otherwise that of its group; and all
 * its bits. type: its declaration, or NULL. */
static inline uint32_t tile_mark(const struct header_type *type)
{
	if (!type || !type->schema)
		return 0;
	return type->tag == EVL_USER_MSG ? 1u << 31 : 1u << type->schema->group;
}
static inline uint32_t tile_class(const struct header_type *type)
{
	return type && type->schema ? tile_mark(type) | 1u << type->schema->group : 0;
}

/* A position in the history of a capability: its state there and the sums of all states that were over by then. */
struct cap_pos {
	uint64_t since;         /* when the state began, ns */
	uint64_t run_ns, gc_ns; /* closed intervals; the open one is not in it */
	uint32_t thread;        /* that runs; else the one that ran last */
	uint32_t switches;      /* changes of state so far (wraps) */
	enum cap_state state;
};

struct tile {
	uint64_t off : 48;  /* of the first event that starts in the tile, or else of the next tile's */
	uint64_t state : 4; /* enum cap_state before that event */
	uint64_t events_high : 12;
	uint64_t t;                    /* its time, or a later one seen before it: never decreasing */
	uint64_t run_ns, gc_ns, since; /* as in struct cap_pos, before that event */
	uint64_t filter;               /* ids of threads that run in the tile: bit id % 64 */
	uint32_t thread, switches;
	uint32_t classes; /* what occurs in the tile: tile_class of all events */
	uint32_t events;  /* of the chain before the tile, block markers too: low 32 of 44 bits */
};
_Static_assert(sizeof(struct tile) == 64, "one cache line");

/* Aggregates without an inverse, per 1 << TILE_BITS tiles or nodes: a search skips those that cannot contain a
 * match. */
enum { TILE_BITS = 4, TILE_LEVELS = 6 };
struct tile_node {
	uint64_t filter; /* as in struct tile */
	uint64_t idle;   /* the longest idle time that may end in them, ns: never too short */
	uint64_t early;  /* the earliest time of their events */
	uint32_t classes;
};

/* The table of one chain. Tiles below `ready` are final; the writer publishes them block by block. */
struct tile_table {
	struct tile *tiles;
	struct tile_node *nodes[TILE_LEVELS];
	uint64_t *early;    /* by tile: the earliest time of its events; of a later tile's where it has none */
	uint64_t bad_times; /* events whose times cannot be, and are in no tile; when all is indexed */
	size_t n;
	atomic_bool is_final;
	_Atomic size_t ready;
	_Atomic uint64_t known_t; /* all events before this time are indexed; UINT64_MAX: all are */
	_Atomic uint64_t lost_t;  /* the log was cut: what the chain did from here on is not in it; 0: it was not */
	_Atomic uint64_t
		moved_t; /* the thread that runs at the end of the chain runs elsewhere from here on; 0: never */
	_Atomic uint64_t walked;          /* file offset: the chain's blocks that start before it are indexed */
	_Atomic uint64_t first_t, last_t; /* earliest and latest event so far; first_t > last_t: none */
};

static inline __attribute__((always_inline)) void cap_change(struct cap_pos *pos, enum cap_state state, uint64_t t)
{
	if (pos->state == CAP_RUN)
		pos->run_ns += sub_or_0(t, pos->since);
	else if (pos->state == CAP_GC)
		pos->gc_ns += sub_or_0(t, pos->since);
	pos->state = state;
	pos->since = t;
	pos->switches++;
}

/* May an event with this tag change what a capability does? */
static inline bool cap_steps(uint16_t tag)
{
	const uint64_t tags = 1ull << EVL_RUN_THREAD | 1ull << EVL_STOP_THREAD | 1ull << EVL_GC_START
		| 1ull << EVL_GC_WORK | 1ull << EVL_GC_IDLE | 1ull << EVL_GC_DONE | 1ull << EVL_GC_END;
	return tag < 64 && tags >> tag & 1;
}

/* Does the event change what the capability does? Then *pos is moved on. Accepts being started in the middle: a lost
 * STOP or GC_END ends at the next thing that cannot happen within it. */
static inline __attribute__((always_inline)) bool cap_step(
	struct cap_pos *pos, uint16_t tag, uint64_t t, const uint8_t *payload)
{
	switch (tag) {
	case EVL_RUN_THREAD:
		cap_change(pos, CAP_RUN, t);
		pos->thread = be32(payload);
		return true;
	case EVL_STOP_THREAD:
		if (pos->state != CAP_RUN)
			return false;
		cap_change(pos, CAP_IDLE, t);
		return true;
	case EVL_GC_START:
	case EVL_GC_WORK:
	case EVL_GC_IDLE:
	case EVL_GC_DONE: /* the first of them begins a GC; in an open one they are its phases */
		if (pos->state == CAP_GC)
			return false;
		cap_change(pos, CAP_GC, t);
		return true;
	case EVL_GC_END:
		if (pos->state != CAP_GC)
			return false;
		cap_change(pos, CAP_IDLE, t);
		return true;
	default: return false;
	}
}

/* Sums up to moment t >= pos->since, the open state counted up to t. */
static inline uint64_t cap_run_until(const struct cap_pos *p, uint64_t t)
{
	return p->run_ns + (p->state == CAP_RUN ? sub_or_0(t, p->since) : 0);
}
static inline uint64_t cap_gc_until(const struct cap_pos *p, uint64_t t)
{
	return p->gc_ns + (p->state == CAP_GC ? sub_or_0(t, p->since) : 0);
}

/* Lay out the tables of all chains: an array as long as blocks->n_chains. NULL when memory is out. */
struct tile_table *tiles_new(const struct blocks *blocks);
void tiles_free(struct tile_table *tables, size_t n);

/* Memory that a table takes, in bytes. */
uint64_t tiles_bytes(const struct tile_table *table);

/* All that will be indexed is. */
void tiles_settle(struct tile_table *tables, size_t n);

/* Sum up the tiles that are final now; before `ready` of them are published. By the one writer. */
void tiles_sum(struct tile_table *table, size_t ready);

/* The longest idle time that may end in tile i, and may have begun before it; `ready` tiles are final. */
uint64_t tile_idle(const struct tile_table *table, size_t ready, size_t i);

/* A tile in which one of these occurs; 0: does not matter. */
struct tile_want {
	uint32_t classes;
	uint64_t filter;
	uint64_t idle;   /* an idle time of at least that may end there */
	uint64_t before; /* an event is earlier than that */
};

/* The first tile of [from, to) that may be it, and the last; `to` where none is. to <= ready. */
size_t tiles_next(const struct tile_table *table, size_t ready, size_t from, size_t to, const struct tile_want *want);
size_t tiles_prev(const struct tile_table *table, size_t ready, size_t from, size_t to, const struct tile_want *want);

/* Return how many of the first `n` tiles, n <= ready, may contain an event before t: later ones contain none. */
size_t tiles_end_before(const struct tile_table *table, size_t ready, size_t n, uint64_t t);

/* Events of the chain before the tile. */
static inline uint64_t tile_events(const struct tile *tile) { return tile->events | (uint64_t)tile->events_high << 32; }

/* The state at the beginning of a tile. */
static inline struct cap_pos tile_pos(const struct tile *tile)
{
	return (struct cap_pos){
		tile->since, tile->run_ns, tile->gc_ns, tile->thread, tile->switches, (enum cap_state)tile->state};
}

/* Return the last ready tile that starts before t, or 0. ready must not be 0. */
size_t tiles_before(const struct tile_table *table, size_t ready, uint64_t t);

/* The same, or `from` if that is later; fast if the answer is about `stride` tiles after `from`. */
size_t tiles_from(const struct tile_table *table, size_t ready, size_t from, size_t stride, uint64_t t);

/* To or from a file (image.h). */
void tiles_image(struct image *im, struct tile_table **tables, const struct blocks *blocks);

#endif
