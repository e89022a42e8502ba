/* gc_pauses.h - union of all GC pauses of a range: time covered, minimum mutator utilisation (MMU), counts by length.
 *
 * A pause is [request, GC_END) of a collection's leader (gc.h). Pauses of different leaders may overlap; the union
 * consists of disjoint pauses. They form groups of 64, or of more if more than 64 capabilities led collections. Only
 * the start of each group is stored, a quarter of a byte per pause. The pauses of a group are computed from the
 * collections on request; up to 1,024 groups are cached. */
#ifndef EVL_GC_PAUSES_H
#define EVL_GC_PAUSES_H

#include "gc/gc_scan.h"
#include "sys/progress.h"

/* A period in which the program was stopped. */
struct pause {
	uint64_t from, to;
	uint64_t before; /* total length of all earlier pauses */
};

struct pause_slots;

/* Return an array of the *n collections whose pauses touch [from, to), in order of start; of those that start at the same
 * time, the one of the first chain. NULL: memory ran out. Free the array. */
const struct gc_row **gcs_list(const struct gcs *g, uint64_t from, uint64_t to, size_t *n);

/* The disjoint pauses in time order, clipped to [from, to). One thread at a time may use the object; make a copy for
 * each other thread with gc_pauses_borrow. */
struct gc_pauses {
	const struct gcs *gcs;
	bool elapsed;      /* without the time between request and GC_START */
	bool borrows;      /* marks are owned by another object */
	size_t n, group;   /* number of pauses; pauses per group */
	uint64_t from, to; /* the range */
	uint64_t first;    /* start of the first pause */
	struct pause_mark {
		uint64_t from, before;
	} * marks; /* of the first pause of each group */
	struct pause_reader {
		/* cached: the last pause that starts before the time last requested; now[1].from is the start of the
		 * next */
		const struct pause *now;
		size_t left; /* number of pauses that follow `now` in the array */
		struct pause_slots *slots;
	} * reader;
};

/* Build the union of the pauses that overlap [from, to). watch may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int gc_pauses_make(struct gc_pauses *p, const struct gcs *g, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

/* Build the union of the times from GC_START to GC_END, without the syncs. watch may be NULL. Return 0, EVL_NOMEM or
 * EVL_CANCELLED. */
int gc_elapsed_make(struct gc_pauses *p, const struct gcs *g, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

void gc_pauses_free(struct gc_pauses *p);

/* Make a copy for use by another thread. *p must outlive it. Return 0 or EVL_NOMEM. */
int gc_pauses_borrow(struct gc_pauses *out, const struct gc_pauses *p) EVL_MUST_USE;

/* Return pause i < p->n, or (gc_pauses_after) the index of the first pause that ends after t, or n. */
struct pause gc_pauses_at(const struct gc_pauses *p, size_t i);
size_t gc_pauses_after(const struct gc_pauses *p, uint64_t t);

/* Return the total time in pauses before t. gc_pauses_before is the function to call; it is fast if t is near the time
 * of the previous call. */
uint64_t gc_pauses_seek(const struct gc_pauses *p, uint64_t t);
static inline uint64_t gc_pauses_before(const struct gc_pauses *p, uint64_t t)
{
	if (p->n == 0 || t <= p->first)
		return 0;
	const struct pause *x = p->reader->now;
	return t > x->from && t <= x[1].from ? x->before + min_u64(t, x->to) - x->from : gc_pauses_seek(p, t);
}

/* Return the time in [t0, t1) covered by pauses. */
uint64_t gc_pauses_within(const struct gc_pauses *p, uint64_t t0, uint64_t t1);

/* Minimum mutator utilisation: of all windows of `window` ns within the range, the one with the least time outside
 * pauses. If several windows have the least, it is the earliest of those that start at the start of a pause. */
struct mmu {
	uint64_t window;
	double share; /* time outside pauses / window; NaN: the range is shorter than the window, or the window is 0 */
	uint64_t at;  /* start of the worst window */
};

/* Compute the worst window for each of n <= MMU_MOST lengths. Worker threads share the range. They need 24 bytes per
 * collection that fits into the longest window. Return 0, EVL_NOMEM or EVL_CANCELLED. */
enum { MMU_MOST = 8 };
int gc_pauses_worst(const struct gc_range *range, const uint64_t *windows, int n, struct mmu *out) EVL_MUST_USE;

/* Classes of pause lengths. They count collections that start in the range, not pauses of the union. */
enum { PAUSE_CLASSES = 8 };
struct pause_class {
	uint64_t below;   /* upper limit in ns, not included; UINT64_MAX: none */
	const char *name; /* "< 100 µs", "100-300 µs", …, "≥ 100 ms" */
};

/* Return class i < PAUSE_CLASSES, or the number of the class that a pause of this length belongs to. */
const struct pause_class *pause_class(int i);
int pause_class_of(uint64_t ns);

/* Count the pauses that start in each of n equal parts of [t0, t1), by coarser classes of length, for a heat strip. out
 * has n elements. */
enum { PAUSE_HEATS = 4 };
const char *pause_heat_name(int row); /* row 0: "< 0.3 ms", 1: "0.3-1 ms", 2: "1-10 ms", 3: "> 10 ms" */
void pause_heat(const struct gcs *g, uint64_t t0, uint64_t t1, int n, uint32_t (*out)[PAUSE_HEATS]);

#endif
