/* nonmoving.h - phases of the nonmoving collector: concurrent mark, sync, concurrent sweep, census.
 *
 * The events are in the global buffer of the run-time system, which belongs to no capability, and at most one cycle is
 * in progress at a time. Events out of the order mark, sync, sweep are counted as anomalies but still processed. Most
 * GHC releases write SYNC events twice; the first of each pair counts. Marking within a sync (the last round, with all
 * capabilities stopped) belongs to the sync. A phase without an end event is open: the rest has not been indexed yet,
 * or the log ends there. Times are in ns.
 *
 * A phase takes 32 bytes. There is one table per kind of phase, in time order; phases past MAX_PHASES are only
 * counted. */
#ifndef EVL_NONMOVING_H
#define EVL_NONMOVING_H

#include "index/blocks.h"
#include "index/points.h"

enum nm_kind { NM_MARK, NM_SYNC, NM_SWEEP, NM_KINDS, NM_OFF = NM_KINDS };

enum { MAX_PHASES = 1 << 20 };
#define NM_OPEN UINT64_MAX

struct nm_row {
	uint64_t start;
	_Atomic uint64_t end; /* NM_OPEN: no end event yet */
	uint64_t before;      /* total ns of all earlier phases of this kind */
	uint64_t off;         /* file offset of the event that started it */
};
_Static_assert(sizeof(struct nm_row) == 32, "32 bytes per phase");

struct nonmoving {
	struct rows phases[NM_KINDS]; /* struct nm_row */
	struct points flushes;        /* update-remembered-set flushes, in the blocks of the capabilities */
	struct points pruned;         /* pruned segments */
	struct points marked;         /* ends of marking, which record how much was marked */
	struct points census;         /* one event per block size, after the sweep to which it belongs */
	uint32_t global;              /* number of the chain (index/blocks.h) of the global buffer; UINT32_MAX: none */
	enum nm_kind open;            /* phase in progress, or NM_OFF; for the writer only */
	uint64_t last_t;
	uint64_t sums[NM_KINDS];
	_Atomic uint64_t anomalies, more; /* number of misplaced events; number of phases not stored */
};

/* A phase as the functions below return it. */
struct nm_phase {
	uint64_t start, end, off; /* end: NM_OPEN if unknown; off: file offset of the event that started it */
	enum nm_kind kind;
	bool aborted; /* a sync that exceeded its time limit, so that marking continued after it */
};

/* Sums over the phases that overlap [t0, t1). */
struct nm_column {
	uint64_t ns[NM_KINDS];
	size_t n[NM_KINDS];       /* number of phases that overlap the range */
	size_t edges;             /* number of starts and ends of phases inside, not counting t0 itself */
	uint64_t split;           /* the time of the start or end, if edges is 1 */
	enum nm_kind first, last; /* phase in progress at t0 and at the end; NM_OFF: none */
};

/* Initialise empty tables. Return 0 or EVL_NOMEM. */
int nonmoving_init(struct nonmoving *nm, const struct blocks *blocks) EVL_MUST_USE;
void nonmoving_free(struct nonmoving *nm);

/* Report whether nonmoving_event uses events with this tag. */
bool nonmoving_wants(uint16_t tag);

/* Process the next event of a chain. */
void nonmoving_event(struct nonmoving *nm, uint32_t chain, const struct frame *f);

/* Report whether there are any phases. */
bool nonmoving_any(const struct nonmoving *nm);

/* Compute the sums over [t0, t1). */
void nonmoving_column(const struct nonmoving *nm, uint64_t t0, uint64_t t1, struct nm_column *out);

/* Store the first phase that starts after t, the last that starts before t, or the phase that contains t (start
 * included, end excluded). Return false if there is none. */
bool nonmoving_after(const struct nonmoving *nm, uint64_t t, struct nm_phase *out);
bool nonmoving_before(const struct nonmoving *nm, uint64_t t, struct nm_phase *out);
bool nonmoving_at(const struct nonmoving *nm, uint64_t t, struct nm_phase *out);

/* Store the number of objects marked in [t0, t1], both ends included, from the events that end marking. Return false if
 * there is no such event, if there are more than 64, or if their pages are not in memory yet. */
bool nonmoving_marked(const struct nonmoving *nm, const struct blocks *b, uint64_t t0, uint64_t t1, uint64_t *out);

/* Read a census event, which describes one block size. Return false if there is no such event at this file offset. */
struct nm_census {
	uint64_t block_size;           /* bytes */
	uint32_t active, filled, live; /* segments partly filled, segments full, live blocks in them */
};
bool nonmoving_census(const struct blocks *b, uint64_t off, struct nm_census *out);

/* Save or load all tables (image.h). */
void nonmoving_image(struct image *im, struct nonmoving *nm, const struct blocks *blocks);

#endif
