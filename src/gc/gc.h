/* gc.h - garbage collections, one row each (struct gc_row): start, pause length (gc_pause), sync, generation; sums
 * and searches.
 *
 * A collection belongs to its leader: the capability that posts GC_STATS_GHC (GHC 7.6 and later), before that the
 * one that posted the request, or the only one. Its row is in the table of the leader's chain, in order of start;
 * the pauses of one chain never overlap. Times are those of the log, durations in ns.
 *   pause   = from the leader's REQUEST_*_GC (else GC_START) to its GC_END: what the program feels
 *   elapsed = GC_START to GC_END, as +RTS -s counts */
#ifndef EVL_GC_H
#define EVL_GC_H

#include "base/rows.h"
#include "gc/gc_pyramid.h"
#include "index/blocks.h"

enum { GC_GEN_UNKNOWN = 255 };

struct gc_row {
	uint64_t start; /* the leader's GC_START */
	uint64_t elapsed;
	uint64_t off : 48;  /* of GC_STATS_GHC; 0 where there is none */
	uint64_t cap : 16;  /* the leader */
	uint64_t sync : 48; /* GC_START - request; 0 where no request was posted */
	uint64_t gen : 8;   /* generation collected, or GC_GEN_UNKNOWN */
	uint64_t parallel : 1;
	uint64_t spare : 7;
};
_Static_assert(sizeof(struct gc_row) == 32, "32 bytes a collection");

static inline uint64_t gc_pause(const struct gc_row *r) { return r->elapsed + r->sync; }
static inline uint64_t gc_requested(const struct gc_row *r) { return r->start - r->sync; }
static inline uint64_t gc_end(const struct gc_row *r) { return r->start + r->elapsed; }

/* Totals of collections by generation; generations from GC_GENS - 2 on share an entry, and the last entry is for
 * collections without statistics. */
enum { GC_GENS = 66 };
struct gc_gen {
	uint64_t n, par;               /* par: by more than one thread */
	uint64_t elapsed, max, copied; /* max: the longest elapsed */
};
struct gc_sums {
	struct gc_gen gens[GC_GENS];
	struct gc_balance { /* of collections by more than one thread */
		uint64_t copied, most,
			balanced; /* bytes: by all; by the thread that copied most; in balance (GHC 8.4) */
		uint32_t threads; /* at most */
		bool has_balanced;
	} par;
};

/* Add a collection. stats: the payload of its GC_STATS_GHC; empty: there is none. */
void gc_sums_add(struct gc_sums *s, const struct gc_row *row, struct evl_str stats);
void gc_sums_join(struct gc_sums *to, const struct gc_sums *s);

/* How evenly threads shared the work: 0 one did it all, 1 all did the same; NAN: there is nothing to share. As +RTS -s:
 * what was copied in balance / what was copied; before GHC 8.4, (copied / most - 1) / (threads - 1). */
double gc_work_balance(const struct gc_sums *s);

/* The collections led by one chain's capability. */
struct gc_table {
	struct rows rows; /* struct gc_row */
	struct gc_pyramid pyramid;
	uint64_t without_interval; /* statistics that no start or no end was found for */
};

/* The machine that finds them in a part of a chain. */
struct gc_partial {
	struct gc_row *rows;
	size_t n, room;
	struct gc_sums sums;
	struct evl_str stats;
	uint64_t start, request, stats_off;
	uint8_t gen;
	uint16_t cap;
	bool open, requested, parallel, has_stats;
	uint64_t without_interval;
};

/* All tables: one a chain, in the order of blocks.chains. */
struct gcs {
	struct gc_table *tables;
	size_t n;
	bool has_stats;               /* this log declares GC_STATS_GHC */
	struct gc_sums sums;          /* complete when the walk is over */
	_Atomic uint32_t generations; /* from HEAP_INFO_GHC; 2 until it is seen */
};

int gcs_init(struct gcs *g, const struct blocks *blocks) EVL_MUST_USE;
void gcs_free(struct gcs *g);

/* Does it look at events with this tag? */
bool gcs_wants(uint16_t tag);

/* Feed an event of a part, in its order; a RUN_THREAD ends whatever is open. */
void gcs_event(struct gcs *g, struct gc_partial *share, const struct frame *f);
void gcs_run(struct gc_partial *share);

/* Append what the next part of a chain found, and free it. */
void gcs_join(struct gcs *g, uint32_t chain, struct gc_partial *share);

/* A collection is major when it collects the oldest generation: this one, or one that is older still. */
uint32_t gcs_oldest(const struct gcs *g);
static inline bool gc_collects(const struct gc_row *r, uint32_t oldest)
{
	return r->gen != GC_GEN_UNKNOWN && r->gen >= oldest;
}
bool gc_is_major(const struct gcs *g, const struct gc_row *r);

/* Totals of the pauses that touch [t0, t1), over all chains. */
struct gc_sum {
	size_t n;                    /* pauses whose GC_START lies in the range */
	uint64_t longest;            /* the longest pause that touches the range, whole */
	bool major, minor;           /* of which kinds they are */
	uint64_t minor_ns, major_ns; /* elapsed within the range */
	uint64_t sync_ns;            /* between requests and starts, within the range */
};
void gcs_sum(const struct gcs *g, uint64_t t0, uint64_t t1, struct gc_sum *out);

/* The collections that one chain's capability led, in ranges each of which begins where the one before ended: quick where
 * they are short. gc_walk_next adds those of the range up to `to` to *out. */
struct gc_walk {
	const struct gcs *gcs;
	const struct gc_table *table;
	uint64_t at;
	size_t row, n; /* the first that starts at `at` or later; how many there are */
	size_t stride; /* in the range before */
};
void gc_walk_begin(struct gc_walk *w, const struct gcs *g, uint32_t chain, uint64_t t0);
void gc_walk_next(struct gc_walk *w, uint64_t to, struct gc_sum *out);

/* Call visit for every collection that starts in [from, to), chain by chain, in order within each; until it says no. */
void gcs_each(
	const struct gcs *g, uint64_t from, uint64_t to, bool (*visit)(void *ctx, const struct gc_row *r), void *ctx);

/* Walk over collections in time order. kind: all, or only the major ones. NULL where there is none. The row lives as
 * long as the log. */
enum gc_kind { GC_ALL, GC_MAJOR };
const struct gc_row *gcs_after(const struct gcs *g, uint64_t t, enum gc_kind kind);  /* the first that starts after t */
const struct gc_row *gcs_before(const struct gcs *g, uint64_t t, enum gc_kind kind); /* the last that starts before t */

/* The collection whose pause covers t, or NULL. */
const struct gc_row *gcs_at(const struct gcs *g, uint64_t t);

/* Return the longest pause that starts in [t0, t1) among those that follow `than` in order of length (longer first,
 * then earlier), or the longest of all if than is NULL. NULL if there is none. */
const struct gc_row *gcs_longest(const struct gcs *g, uint64_t t0, uint64_t t1, const struct gc_row *than);

/* To or from a file (image.h). */
void gcs_image(struct image *im, struct gcs *g, const struct blocks *blocks);

#endif
