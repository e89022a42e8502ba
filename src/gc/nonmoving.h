/* nonmoving.h - phases of the nonmoving collector: concurrent mark, sync, concurrent sweep, census.
 *
 * The events are in the global buffer; at most one cycle is in progress at a time. Events that do not fit the order
 * mark … sync, sweep are followed anyway and counted. Most GHC releases write SYNC events twice: the first of each pair
 * counts. Marking within a sync (the last round, all capabilities stopped) belongs to the sync. A phase that has
 * started and not ended is open: it is still being read, or was cut by the end of the log.
 *
 * 32 bytes per phase, one table per kind, in time order; past MAX_PHASES they are only counted. */
#ifndef EVL_NONMOVING_H
#define EVL_NONMOVING_H

#include "index/blocks.h"
#include "index/points.h"

enum nm_kind { NM_MARK, NM_SYNC, NM_SWEEP, NM_KINDS, NM_OFF = NM_KINDS };

enum { MAX_PHASES = 1 << 20 };
#define NM_OPEN UINT64_MAX

struct nm_row {
	uint64_t start;
	_Atomic uint64_t end; /* NM_OPEN: not seen */
	uint64_t before;      /* ns of all earlier phases of its kind */
	uint64_t off;         /* of the event that began it */
};
_Static_assert(sizeof(struct nm_row) == 32, "32 bytes a phase");

struct nonmoving {
	struct rows phases[NM_KINDS]; /* struct nm_row */
	struct points flushes;        /* update-remembered-set flushes, in the blocks of the capabilities */
	struct points pruned;         /* pruned segments */
	struct points marked;         /* ends of marking, which tell how much was marked */
	struct points census;         /* one event per block size, after the sweep that it belongs to */
	uint32_t global;              /* the chain of the global buffer; UINT32_MAX: none */
	enum nm_kind open;            /* of the writer: the phase that goes on */
	uint64_t last_t;
	uint64_t sums[NM_KINDS];
	_Atomic uint64_t anomalies, more; /* events that do not fit; phases not kept */
};

/* A phase as it is handed out. */
struct nm_phase {
	uint64_t start, end, off; /* end NM_OPEN: not known */
	enum nm_kind kind;
	bool aborted; /* a sync that ran out of its budget, so marking continued after it */
};

/* Totals of the phases that touch [t0, t1). */
struct nm_column {
	uint64_t ns[NM_KINDS];
	size_t n[NM_KINDS];       /* that touch it */
	size_t edges;             /* begins and ends of phases inside, t0 itself excluded */
	uint64_t split;           /* where that is, if it is only one */
	enum nm_kind first, last; /* at both ends; NM_OFF: none */
};

int nonmoving_init(struct nonmoving *nm, const struct blocks *blocks) EVL_MUST_USE;
void nonmoving_free(struct nonmoving *nm);

/* Is this an event that nonmoving_event asks for? */
bool nonmoving_wants(uint16_t tag);
void nonmoving_event(struct nonmoving *nm, uint32_t chain, const struct frame *f);

/* Are there any phases? */
bool nonmoving_any(const struct nonmoving *nm);

void nonmoving_column(const struct nonmoving *nm, uint64_t t0, uint64_t t1, struct nm_column *out);

/* Find the first phase that starts after t, the last that starts before t, or the one that contains t (start
 * included). */
bool nonmoving_after(const struct nonmoving *nm, uint64_t t, struct nm_phase *out);
bool nonmoving_before(const struct nonmoving *nm, uint64_t t, struct nm_phase *out);
bool nonmoving_at(const struct nonmoving *nm, uint64_t t, struct nm_phase *out);

/* Objects that were marked in [t0, t1], both included: the sum of what the ends of marking tell. Return false if there is no
 * such event, or too many to read at once. */
bool nonmoving_marked(const struct nonmoving *nm, const struct blocks *b, uint64_t t0, uint64_t t1, uint64_t *out);

/* Read a census event, which is about one block size. Return false if there is no such event at the offset. */
struct nm_census {
	uint64_t block_size;           /* bytes */
	uint32_t active, filled, live; /* segments in part and wholly filled; live blocks in them */
};
bool nonmoving_census(const struct blocks *b, uint64_t off, struct nm_census *out);

/* To or from a file (image.h). */
void nonmoving_image(struct image *im, struct nonmoving *nm, const struct blocks *blocks);

#endif
