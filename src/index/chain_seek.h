/* chain_seek.h - move forward through one capability's history to given times: event by event, or jumping over
 * tiles.
 *
 * Reads what was indexed when it began, so it may be used while the walk is in progress. */
#ifndef EVL_CHAIN_SEEK_H
#define EVL_CHAIN_SEEK_H

#include "index/cursor.h"

/* Events of single sparks, in the order of their tags from EVL_SPARK_CREATE on. */
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

/* The kind of an event; SPARK_KINDS or more: it is none. GHC before 7.4 has RUN_SPARK and STEAL_SPARK alone. */
static inline unsigned spark_kind_of(uint16_t tag)
{
	unsigned old = (unsigned)tag - EVL_RUN_SPARK;
	return unlikely(old <= EVL_STEAL_SPARK - EVL_RUN_SPARK) ? SPARK_RUN + old : (unsigned)tag - EVL_SPARK_CREATE;
}
_Static_assert(EVL_STEAL_SPARK - EVL_RUN_SPARK == SPARK_STOLEN - SPARK_RUN, "stolen after run in both");

/* Number of events of a kind, of numbers by tag. */
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
	struct cap_pos pos; /* after all events before `next` */
	struct frame next;  /* the first event that is not yet part of pos */
	bool have_next;
	size_t tile, ready;           /* the last tile that was entered; how many there are */
	size_t stride;                /* tiles that were passed before */
	uint32_t sparks[SPARK_KINDS]; /* events of single sparks that were passed since a tile was entered */
	uint16_t phase; /* tag of the last phase of a collection that was met since a tile was entered; 0: none */
};

/* Move to the start of the chain. Return false if nothing of it is indexed. */
bool chain_seek_begin(
	struct chain_seek *s, const struct blocks *b, const struct tile_table *table, uint32_t chain) EVL_MUST_USE;

/* Move to the start of a tile. */
void chain_seek_enter(struct chain_seek *s, size_t tile);

/* Does the tag begin a phase of a collection: of all of it, or of a thread's part in it? */
static inline bool chain_seek_is_phase(uint16_t tag)
{
	return tag == EVL_GC_START || tag == EVL_GC_WORK || tag == EVL_GC_IDLE || tag == EVL_GC_DONE;
}

/* Does the next event come before t? */
bool chain_seek_due(const struct chain_seek *s, uint64_t t);

/* Make the next event part of pos; true when it changed what the capability does. */
bool chain_seek_step(struct chain_seek *s);

/* Go on until all events before t are part of pos: at most two tiles are decoded. */
void chain_seek_advance(struct chain_seek *s, uint64_t t);

/* The same with a known tile: the last one that starts before t, or the one entered last. */
void chain_seek_advance_in(struct chain_seek *s, size_t tile, uint64_t t);

/* Return when the run that is open at the end of the chain ends: when its thread runs elsewhere, else with the log
 * (UINT64_MAX). */
uint64_t chain_seek_open_until(const struct tile_table *table);

/* All events before this time are indexed; later ones are not indexed yet or, if the log was truncated, never will
 * be. */
uint64_t chain_seek_known(const struct tile_table *table);

#endif
