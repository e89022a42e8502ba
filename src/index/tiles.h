/* tiles.h - per-capability table of tiles (64 bytes per 8 KB of log): time, offset and running totals, and searches
 * over them.
 *
 * There is one tile for each TILE_BYTES of a chain (the blocks of one capability in file order; a tile may span small
 * blocks). It stores the position and time of its first event, and the state and totals of the capability before that
 * event. Positions follow from the lengths of the blocks, so all tiles are laid out before the first event is read. Any
 * moment is then at most TILE_BYTES of decoding away from a tile, and the totals between two moments are a
 * subtraction. */
#ifndef EVL_TILES_H
#define EVL_TILES_H

#include "base/image.h"
#include "index/blocks.h"

/* Tests set a smaller value, so that small logs have many tiles. */
#ifndef EVL_TILE_SHIFT
#define EVL_TILE_SHIFT 13
#endif
enum { TILE_SHIFT = EVL_TILE_SHIFT, TILE_BYTES = 1 << TILE_SHIFT };

/* State of a capability, according to its own events. */
enum cap_state { CAP_IDLE, CAP_RUN, CAP_GC };

/* Return the bit by which events of a type are searched: user messages have a separate one, other types the bit of
 * their group. tile_class returns all bits of a type. type is the declaration of the event, or NULL. */
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

/* A position in the history of a capability: its state there, and the total time of the states that have ended. */
struct cap_pos {
	uint64_t since;         /* start of the state, ns */
	uint64_t run_ns, gc_ns; /* total ns running and in GC, without the current state */
	uint32_t thread;        /* thread that is running or, otherwise, ran last */
	uint32_t switches;      /* number of state changes so far (wraps around) */
	enum cap_state state;
};

struct tile {
	/* file offset of the first event that starts in the tile, or else of the next tile's first event */
	uint64_t off : 48;
	uint64_t state : 4; /* enum cap_state before that event */
	uint64_t events_high : 12;
	uint64_t t;                    /* latest time of that event and all events before it in the chain */
	uint64_t run_ns, gc_ns, since; /* as in struct cap_pos, before that event */
	uint64_t filter;               /* threads that run in the tile: bit (id % 64) */
	uint32_t thread, switches;
	uint32_t classes; /* union of tile_class of all events in the tile */
	uint32_t events;  /* events of the chain before the tile, including block markers: low 32 of 44 bits */
};
_Static_assert(sizeof(struct tile) == 64, "one cache line");

/* Summaries of 1 << TILE_BITS tiles or nodes each: a search skips those that cannot contain a match. */
enum { TILE_BITS = 4, TILE_LEVELS = 6 };
struct tile_node {
	uint64_t filter; /* as in struct tile */
	uint64_t idle;   /* longest idle time, in ns, that may end in them; may be too long, never too short */
	uint64_t early;  /* earliest time of their events */
	uint32_t classes;
};

/* The table of one chain. Tiles below `ready` are final; the writer publishes them part by part. */
struct tile_table {
	struct tile *tiles;
	struct tile_node *nodes[TILE_LEVELS];
	uint64_t *early; /* by tile: the earliest time of its events or, if it has none, of a later tile's */
	/* number of events with impossible times, which no tile accounts for; complete once all is indexed */
	uint64_t bad_times;
	size_t n;             /* number of tiles */
	atomic_bool is_final; /* indexing has ended */
	_Atomic size_t ready;
	_Atomic uint64_t known_t; /* all events before this time are indexed; UINT64_MAX: all events are */
	/* the log was truncated: it does not tell what the capability did after this time; 0: not truncated */
	_Atomic uint64_t lost_t;
	/* time at which the thread that runs at the end of the chain runs on another capability; 0: never */
	_Atomic uint64_t moved_t;
	_Atomic uint64_t walked;          /* file offset: blocks of the chain that start before it are indexed */
	_Atomic uint64_t first_t, last_t; /* times of the earliest and latest event so far; first_t > last_t: none */
};

/* Change the state at time t, adding the time in the old state to the totals. */
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

/* Tags of the events that may change the state of a capability, as bits; and whether a tag is one of them. */
#define CAP_STEPS                                                                                                      \
	(1ull << EVL_RUN_THREAD | 1ull << EVL_STOP_THREAD | 1ull << EVL_GC_START | 1ull << EVL_GC_WORK                 \
		| 1ull << EVL_GC_IDLE | 1ull << EVL_GC_DONE | 1ull << EVL_GC_END)
static inline bool cap_steps(uint16_t tag) { return tag < 64 && CAP_STEPS >> tag & 1; }

/* Update *pos by an event. Return true if the event changes the state of the capability. The first event may be in
 * mid-history: a missing STOP_THREAD or GC_END is assumed at the next event that cannot occur before it. */
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
	case EVL_GC_DONE: /* the first of these starts a GC; the others are phases of it */
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

/* Return the total ns running, or in GC, up to time t >= p->since, including the current state. */
static inline uint64_t cap_run_until(const struct cap_pos *p, uint64_t t)
{
	return p->run_ns + (p->state == CAP_RUN ? sub_or_0(t, p->since) : 0);
}
static inline uint64_t cap_gc_until(const struct cap_pos *p, uint64_t t)
{
	return p->gc_ns + (p->state == CAP_GC ? sub_or_0(t, p->since) : 0);
}

/* Allocate the tables of all chains: an array of blocks->n_chains elements. Return NULL if memory ran out. */
struct tile_table *tiles_new(const struct blocks *blocks);
void tiles_free(struct tile_table *tables, size_t n);

/* Lay out tiles for more bytes of the same chains, whose blocks are known now. Return 0, or EVL_NOMEM with some tables
 * extended. */
int tiles_extend(struct tile_table *tables, const struct blocks *blocks) EVL_MUST_USE;

/* Return the memory that a table takes, in bytes. */
uint64_t tiles_bytes(const struct tile_table *table);

/* Mark n tables as final: nothing more will be indexed. */
void tiles_settle(struct tile_table *tables, size_t n);

/* Update the summaries, before `ready` tiles are published. Called by the one writer. */
void tiles_sum(struct tile_table *table, size_t ready);

/* Return the longest idle time, in ns, that may end in tile i; it may have started before the tile. `ready` tiles are
 * final. */
uint64_t tile_idle(const struct tile_table *table, size_t ready, size_t i);

/* The conditions of a search: all that are not 0 must hold. */
struct tile_want {
	uint32_t classes; /* bits of tile_class: an event of one of these classes is in the tile */
	uint64_t filter;  /* bits of tile.filter: one of these threads runs in the tile */
	uint64_t idle;    /* an idle time of at least this many ns may end in the tile */
	uint64_t before;  /* an event of the tile has an earlier time than this */
};

/* Return the first (next) or last (prev) tile of [from, to) that may match, or `to`. to <= ready. */
size_t tiles_next(const struct tile_table *table, size_t ready, size_t from, size_t to, const struct tile_want *want);
size_t tiles_prev(const struct tile_table *table, size_t ready, size_t from, size_t to, const struct tile_want *want);

/* Return the number of leading tiles, of the first n <= ready, that may contain an event before t; the tiles after them
 * contain none. */
size_t tiles_end_before(const struct tile_table *table, size_t ready, size_t n, uint64_t t);

/* Return the number of events of the chain before the tile. */
static inline uint64_t tile_events(const struct tile *tile) { return tile->events | (uint64_t)tile->events_high << 32; }

/* Return the state at the start of a tile. */
static inline struct cap_pos tile_pos(const struct tile *tile)
{
	return (struct cap_pos){
		tile->since, tile->run_ns, tile->gc_ns, tile->thread, tile->switches, (enum cap_state)tile->state};
}

/* Return the last ready tile that starts before t, or 0. ready must not be 0. */
size_t tiles_before(const struct tile_table *table, size_t ready, uint64_t t);

/* Return the result of tiles_before or `from`, whichever is later. Fast if the result is about `stride` tiles after
 * `from`. */
size_t tiles_from(const struct tile_table *table, size_t ready, size_t from, size_t stride, uint64_t t);

/* Save or load all tables (image.h). */
void tiles_image(struct image *im, struct tile_table **tables, const struct blocks *blocks);

#endif
