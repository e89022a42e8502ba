/* chain_seek.h - move forward through one capability's history to given times: event by event, or jumping over tiles.
 *
 * The history of a capability is its chain: all its blocks in file order. Tiles (tiles.h) are the places of a chain at
 * which the state of the capability is stored. A seek covers the events that were indexed when it started, so it can be
 * used while the log is still being indexed. */
#ifndef EVL_CHAIN_SEEK_H
#define EVL_CHAIN_SEEK_H

#include "index/cursor.h"

/* Kinds of spark events (-lf), in the order of their tags from EVL_SPARK_CREATE on. */
enum spark_kind {
	SPARK_CREATED,
	SPARK_DUD,
	SPARK_OVERFLOWED,
	SPARK_RUN,
	SPARK_STOLEN,
	SPARK_FIZZLED,
	SPARK_GCD,
	SPARK_KINDS
};
_Static_assert(EVL_SPARK_GC - EVL_SPARK_CREATE == SPARK_GCD && EVL_SPARK_STEAL - EVL_SPARK_CREATE == SPARK_STOLEN,
	"kinds in the order of the tags");

/* Return the kind of a spark event; SPARK_KINDS or more for any other event. GHC before 7.4 only has RUN_SPARK and
 * STEAL_SPARK. */
static inline unsigned spark_kind_of(uint16_t tag)
{
	unsigned old = (unsigned)tag - EVL_RUN_SPARK;
	return unlikely(old <= EVL_STEAL_SPARK - EVL_RUN_SPARK) ? SPARK_RUN + old : (unsigned)tag - EVL_SPARK_CREATE;
}
_Static_assert(EVL_STEAL_SPARK - EVL_RUN_SPARK == SPARK_STOLEN - SPARK_RUN, "stolen after run in both");

/* Return the number of events of a kind, from numbers of events by tag. */
static inline uint64_t spark_kind_count(const uint64_t *tags, int kind)
{
	return tags[EVL_SPARK_CREATE + kind]
		+ (kind == SPARK_RUN                   ? tags[EVL_RUN_SPARK]
				: kind == SPARK_STOLEN ? tags[EVL_STEAL_SPARK]
						       : 0);
}

struct chain_seek {
	struct cursor cursor;
	const struct tile_table *table;
	struct cap_pos pos; /* state after all events before `next` */
	struct frame next;  /* the first event not yet included in `pos` */
	bool have_next;
	size_t tile, ready;           /* last tile entered; number of tiles */
	size_t stride;                /* tiles passed by the previous chain_seek_advance */
	uint32_t sparks[SPARK_KINDS]; /* spark events passed since the tile was entered */
	uint16_t phase;               /* tag of the last GC phase event since the tile was entered; 0: none */
	uint64_t steps; /* private: bit 1 << tag: its events, as the header declares them, hold what cap_step reads */
};

/* Move to the start of the chain. Return false if none of it is indexed yet. */
bool chain_seek_begin(
	struct chain_seek *s, const struct blocks *b, const struct tile_table *table, uint32_t chain) EVL_MUST_USE;

/* Move to the start of a tile. */
void chain_seek_enter(struct chain_seek *s, size_t tile);

/* Report whether events with this tag start a phase of a collection, either of all of it or of one GC thread's part. */
static inline bool chain_seek_is_phase(uint16_t tag)
{
	return tag == EVL_GC_START || tag == EVL_GC_WORK || tag == EVL_GC_IDLE || tag == EVL_GC_DONE;
}

/* Report whether the next event is to be processed before time t. */
bool chain_seek_due(const struct chain_seek *s, uint64_t t);

/* Process the next event. Return true if it changed the state of the capability. */
bool chain_seek_step(struct chain_seek *s);

/* Process all events before t; this decodes at most two tiles. */
void chain_seek_advance(struct chain_seek *s, uint64_t t);

/* Process all events before t, when the tile is known: the last tile that starts before t, or the one entered last. */
void chain_seek_advance_in(struct chain_seek *s, size_t tile, uint64_t t);

/* Process all events before t that follow the position. Call seen, unless it is NULL, for each that changes the state or
 * starts a phase of a collection, with the state before the event, the start of that state, and the tag and time of the
 * event; times in ns. */
typedef void chain_seek_seen(void *ctx, enum cap_state was, uint64_t since, uint16_t tag, uint64_t t);
void chain_seek_walk(struct chain_seek *s, uint64_t t, chain_seek_seen *seen, void *ctx);

/* Do the same for the next event only. */
void chain_seek_step_seen(struct chain_seek *s, chain_seek_seen *seen, void *ctx);

/* After all events before t: end a run that is open at the end of the chain and ended before t, because its thread ran
 * elsewhere. Return true if there was one. */
bool chain_seek_leave_open(struct chain_seek *s, uint64_t t);

/* Return the end, in ns, of a run that is still open at the end of the chain: the time at which its thread runs on another
 * capability, or UINT64_MAX, the end of the log. */
uint64_t chain_seek_open_until(const struct tile_table *table);

/* Return the time before which all events are indexed. Later events are not indexed yet or, if the log was truncated,
 * never will be. */
uint64_t chain_seek_known(const struct tile_table *table);

#endif
