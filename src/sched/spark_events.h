/* spark_events.h - number of single-spark events (-lf) before a given time, by kind: created, run, stolen, fizzled, …
 *
 * While the log is indexed, notes are made of the totals of each chain (the blocks of one capability). A note holds the
 * totals at the start of a tile (8 KB of log); it is left out if they have not grown since the previous note. A note
 * takes 48 bytes. There is at most one per tile in a log of up to 512 MB, and one per SPARK_STEP tiles in a larger one.
 * Queries decode the log from the last note before the requested time, so all answers are exact.
 * An event with an earlier time than its predecessor in the chain gets the time of the predecessor. One writer per
 * chain, any number of readers. Times are in ns. */
#ifndef EVL_SPARK_EVENTS_H
#define EVL_SPARK_EVENTS_H

#include "base/rows.h"
#include "index/chain_seek.h"
#include "index/event_find.h"
#include "index/walk.h"

/* Tests set this lower to treat small logs as large ones. */
#ifndef SPARK_LARGE_LOG
#define SPARK_LARGE_LOG (512 << 20)
#endif
enum { SPARK_STEP = 4 };

/* Return the number of tiles between two notes in a log of this many bytes. */
static inline size_t spark_events_step(uint64_t log_bytes) { return log_bytes > SPARK_LARGE_LOG ? SPARK_STEP : 1; }

/* Number of events of each kind (enum spark_kind). */
struct spark_sums {
	uint64_t n[SPARK_KINDS];
};

/* Totals of a chain at the start of a tile, 40 bits each. */
struct spark_note {
	uint64_t tile; /* index of the tile in its chain */
	uint32_t low[SPARK_KINDS];
	uint8_t high[SPARK_KINDS];
};

/* A chain is read in parts, several at a time (walk.h). Notes of one part while it is read; their totals count from
 * the start of the part. */
struct spark_partial {
	struct spark_note *notes;
	size_t n, room;
};

struct spark_events {
	const struct blocks *blocks;
	const struct tile_table *tiles;
	_Atomic(struct rows *) *notes; /* struct spark_note by chain; each is made by the first event of its chain */
	struct spark_sums *sums;       /* indexed by chain; used by the writer only */
	size_t n, step;
	_Atomic bool any;  /* at least one chain has spark events */
	_Atomic bool lost; /* memory ran out: nothing is known */
};

/* Initialize. blocks and tiles must outlive it. Return 0 or EVL_NOMEM. */
int spark_events_init(struct spark_events *e, const struct blocks *blocks, const struct tile_table *tiles) EVL_MUST_USE;
void spark_events_free(struct spark_events *e);

/* spark_events_tile: add a note of the totals at the start of a tile to the notes of its part, `partial`. tags: number of
 * events of each type in the part before the tile. spark_events_join: add the notes of a finished part to its chain,
 * and free them. */
void spark_events_tile(const struct spark_events *e, struct spark_partial *partial, size_t tile, const uint64_t *tags);
void spark_events_join(struct spark_events *e, uint32_t chain, struct spark_partial *partial, const struct part *part);

/* Return whether the log, as far as it is indexed, has spark events. If not, use the counters (sparks.h). */
static inline bool spark_events_any(const struct spark_events *e)
{
	return atomic_load(&e->any) && !atomic_load(&e->lost);
}

/* A position in one chain that moves only forward. */
struct spark_seek {
	const struct spark_events *events;
	struct chain_seek seek;
	uint32_t chain;
	bool moving; /* false: nothing of the chain is indexed, or it has no sparks */
};

/* Start at the beginning of a chain, an index into blocks->chains. */
void spark_seek_begin(struct spark_seek *s, const struct spark_events *e, uint32_t chain);

/* Get the totals of all events before t. t must not decrease from call to call. Return false if part of the log that
 * is needed is not in memory (cursor.h). */
bool spark_seek_sums(struct spark_seek *s, uint64_t t, struct spark_sums *out);

/* Get the totals of a chain before t, at any moment. Return false as spark_seek_sums does. */
bool spark_events_before(const struct spark_events *e, uint32_t chain, uint64_t t, struct spark_sums *out);

enum { SPARK_POOL_TILES = 128 }; /* tiles that spark_events_pool reads at most */

/* A change of the number of waiting sparks at time t. */
struct spark_change {
	uint64_t t;
	int64_t by; /* sparks added; negative: removed */
};

/* Get the changes of the total number of waiting sparks in [from, to), in time order, one per moment. The caller
 * frees *out. Return false, with nothing to free, if that would read more than SPARK_POOL_TILES tiles or part of the
 * log is not in memory. */
bool spark_events_pool(
	const struct spark_events *e, uint64_t from, uint64_t to, struct spark_change **out, size_t *n) EVL_MUST_USE;

/* Find the first event of some kinds (bits 1 << enum spark_kind) after t, or the last one before t, over all chains.
 * Return false if there is none, or if part of the log is not in memory (out->missing). */
bool spark_events_near(const struct spark_events *e, unsigned kinds, uint64_t t, bool forward, struct found *out);

/* Save to, or load from, the index cache (image.h). */
void spark_events_image(
	struct image *im, struct spark_events *e, const struct blocks *blocks, const struct tile_table *tiles);

#endif
