/* gc_pauses.h - union of all GC pauses of a range: time covered, minimum mutator utilisation (MMU), pause-length
 * classes, heat strip.
 *
 * A pause is [request, GC_END] of a collection's leader (gc.h). The union is made on demand. Of each group of pauses it
 * keeps only when the first begins, a quarter of a byte a pause; the pauses of a group are found again from the
 * collections when they are asked for, and those of some groups are kept: of all, if there are few. */
#ifndef EVL_GC_PAUSES_H
#define EVL_GC_PAUSES_H

#include "gc/gc_scan.h"
#include "sys/progress.h"

/* A stretch in which the program was stopped. */
struct pause {
	uint64_t from, to;
	uint64_t before; /* the length of all earlier ones */
};

struct pause_slots;

/* In order of time, none touches another; clipped to [from, to). To be asked by one thread at a time. */
struct gc_pauses {
	const struct gcs *gcs;
	bool elapsed;      /* without syncs */
	bool borrows;      /* the marks are those of another one */
	size_t n, group;   /* how many there are; in a group */
	uint64_t from, to; /* the range that they were asked for */
	uint64_t first;    /* when the first begins */
	struct pause_mark {
		uint64_t from, before;
	} * marks; /* the first pause of each group */
	struct pause_reader {
		const struct pause *now; /* the one before the last time asked for; now[1].from: when the next begins */
		struct pause_slots *slots;
	} * reader;
};

/* Make the union of the pauses that touch [from, to). Return 0, EVL_NOMEM or EVL_CANCELLED. */
int gc_pauses_make(struct gc_pauses *p, const struct gcs *g, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

/* The same without syncs: the union of all collections from GC_START to GC_END. */
int gc_elapsed_make(struct gc_pauses *p, const struct gcs *g, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

void gc_pauses_free(struct gc_pauses *p);

/* Make the same union for another thread, valid as long as *p. Return 0 or EVL_NOMEM. */
int gc_pauses_borrow(struct gc_pauses *out, const struct gc_pauses *p) EVL_MUST_USE;

/* Return pause i < p->n; the number of the first that ends after t, or n. */
struct pause gc_pauses_at(const struct gc_pauses *p, size_t i);
size_t gc_pauses_after(const struct gc_pauses *p, uint64_t t);

/* Return the time in pauses before t, at once where t is near the last one asked for. */
uint64_t gc_pauses_seek(const struct gc_pauses *p, uint64_t t);
static inline uint64_t gc_pauses_before(const struct gc_pauses *p, uint64_t t)
{
	if (p->n == 0 || t <= p->first)
		return 0;
	const struct pause *x = p->reader->now;
	return t > x->from && t <= x[1].from ? x->before + min_u64(t, x->to) - x->from : gc_pauses_seek(p, t);
}

/* Return how much of [t0, t1) they cover. */
uint64_t gc_pauses_within(const struct gc_pauses *p, uint64_t t0, uint64_t t1);

/* Minimum mutator utilisation: of all windows of `window` ns within the range, the one with the least time outside of
 * pauses; of equal ones the earliest that starts with a pause. share: that time / the window. */
struct mmu {
	uint64_t window;
	double share; /* NAN: the range is shorter than the window, or that is 0 */
	uint64_t at;  /* start of the worst window */
};

/* Compute n <= MMU_MOST windows at once. Workers share the range, and need 24 bytes per collection of the longest window.
 * Return 0, EVL_NOMEM or EVL_CANCELLED. */
enum { MMU_MOST = 8 };
int gc_pauses_worst(const struct gc_range *range, const uint64_t *windows, int n, struct mmu *out) EVL_MUST_USE;

/* Pauses by length; not of the union: one per collection that starts in the range. */
enum { PAUSE_CLASSES = 8 };
struct pause_class {
	uint64_t below;   /* ns; UINT64_MAX: no bound */
	const char *name; /* "< 100 µs", "100-300 µs", …, "≥ 100 ms" */
};
const struct pause_class *pause_class(int i);
int pause_class_of(uint64_t ns);

/* The heat strip: how many pauses of each of a few classes start in each of n equal parts of [t0, t1). */
enum { PAUSE_HEATS = 4 };
const char *pause_heat_name(int row); /* row 0: "< 0.3 ms", 1: "0.3-1 ms", 2: "1-10 ms", 3: "> 10 ms" */
void pause_heat(const struct gcs *g, uint64_t t0, uint64_t t1, int n, uint32_t (*out)[PAUSE_HEATS]);

#endif
