/* spark_events.h - sparks counted by their single events (-lf): created, run, stolen, fizzled … before any moment.
 *
 * The walk notes the sums of a chain where a tile begins, if they have grown since the last such note: 48 bytes per
 * tile of a log of up to 512 MB, per SPARK_STEP tiles of a larger one. From there to a moment the log is decoded, so all
 * answers are exact. An event counts at its time, or at the latest time before it in its chain. One writer per chain,
 * any number of readers. */
#ifndef EVL_SPARK_EVENTS_H
#define EVL_SPARK_EVENTS_H

#include "base/rows.h"
#include "index/chain_seek.h"
#include "index/event_find.h"
#include "index/walk.h"

/* Tests set less, so that small logs are large ones. */
#ifndef SPARK_LARGE_LOG
#define SPARK_LARGE_LOG (512 << 20)
#endif
enum { SPARK_STEP = 4 };

struct spark_sums {
	uint64_t n[SPARK_KINDS];
};

/* Totals of a chain at the start of a tile: 40 bits each. */
struct spark_note {
	uint64_t tile;
	uint32_t low[SPARK_KINDS];
	uint8_t high[SPARK_KINDS];
};

/* Partial results of one part of a chain while it is walked, from its start on. */
struct spark_partial {
	struct spark_note *notes;
	size_t n, room;
};

struct spark_events {
	const struct blocks *blocks;
	const struct tile_table *tiles;
	_Atomic(struct rows *) *notes; /* struct spark_note; by chain, made by the first event of each */
	struct spark_sums *sums;       /* of the writer, by chain */
	size_t n, step;
	_Atomic bool any;  /* at least one chain has some */
	_Atomic bool lost; /* memory ran out: nothing is known */
};

int spark_events_init(struct spark_events *e, const struct blocks *blocks, const struct tile_table *tiles) EVL_MUST_USE;
void spark_events_free(struct spark_events *e);

/* A tile of the part begins; the part is joined (which frees what it gathered). */
void spark_events_tile(const struct spark_events *e, struct spark_partial *share, size_t tile, const uint64_t *tags);
void spark_events_join(struct spark_events *e, uint32_t chain, struct spark_partial *share, const struct part *part);

/* Does the log have any, as far as it is joined? Else the counters (sparks.h) tell what is known. */
static inline bool spark_events_any(const struct spark_events *e)
{
	return atomic_load(&((struct spark_events *)(uintptr_t)e)->any)
		&& !atomic_load(&((struct spark_events *)(uintptr_t)e)->lost);
}

/* A way along one chain, forward only. */
struct spark_seek {
	const struct spark_events *events;
	struct chain_seek seek;
	uint32_t chain;
	bool moving; /* false: nothing of it is indexed, or it has no sparks */
};

void spark_seek_begin(struct spark_seek *s, const struct spark_events *e, uint32_t chain);

/* Sum up all events before t. Return false if bytes of the log that are needed are not in memory (cursor.h). */
bool spark_seek_sums(struct spark_seek *s, uint64_t t, struct spark_sums *out);

/* The sums of a chain before t. */
bool spark_events_before(const struct spark_events *e, uint32_t chain, uint64_t t, struct spark_sums *out);

/* Get the changes of the sum of all pools in [from, to), in order of time, one a moment: *out is the caller's. Return false,
 * with nothing to free, where that takes more than a moment (SPARK_POOL_TILES), or bytes are not in memory. */
enum { SPARK_POOL_TILES = 128 };
struct spark_change {
	uint64_t t;
	int64_t by;
};
bool spark_events_pool(
	const struct spark_events *e, uint64_t from, uint64_t to, struct spark_change **out, size_t *n) EVL_MUST_USE;

/* The first event of these kinds (bits: 1 << enum spark_kind) after t, or the last before t, over all chains. False where
 * there is none, and where out->missing is set. */
bool spark_events_near(const struct spark_events *e, unsigned kinds, uint64_t t, bool forward, struct found *out);

/* To or from a file (image.h). */
void spark_events_image(
	struct image *im, struct spark_events *e, const struct blocks *blocks, const struct tile_table *tiles);

#endif
