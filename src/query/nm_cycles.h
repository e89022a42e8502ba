/* nm_cycles.h - cycles of the nonmoving collector: time spent marking, in sync and sweeping; last census of segments
 *
 * A cycle starts with the first mark after a sweep, or with the first phase in the range if that is a mark. It includes
 * all phases before the next cycle, and ends with the last of them. Times are in ns. */
#ifndef EVL_NM_CYCLES_H
#define EVL_NM_CYCLES_H

#include "gc/gc_pauses.h"
#include "log/log.h"

enum { NM_CYCLES = 4096, NM_SIZES = 128 };

struct nm_cycle {
	uint64_t start, end; /* end: of its last phase; NM_OPEN: unknown */
	uint64_t ns[NM_KINDS];
	uint64_t stopped; /* time in sync, and in those parts of mark and sweep that are within pauses of collections */
	uint32_t syncs;   /* number of syncs; more than one if marking continued after a sync */
	bool swept;
	uint64_t census; /* file offset of the first census event after the cycle; 0: none */
};

/* One block size in a census. */
struct nm_size {
	uint64_t block_size;
	uint64_t active, filled, live; /* number of partly filled segments, of full segments, of live blocks */
	/* live blocks / blocks that fit into these segments. NaN if there are no segments, or if more blocks are live
	 * than fit: some live blocks are in segments in which capabilities currently allocate, and the census leaves
	 * these segments out. */
	double occupancy;
};

struct nm_cycles {
	struct nm_cycle *items; /* in time order; cycles past NM_CYCLES are only counted (more) */
	size_t n, more;
	uint64_t ns[NM_KINDS], longest_sync, longest_sync_at, stopped, concurrent;
	struct nm_size sizes[NM_SIZES]; /* sorted by block size; from the last census in the range */
	size_t n_sizes;
	uint64_t census_t; /* time of that census; 0: none */
	uint64_t pruned;   /* number of NONMOVING_PRUNED_SEGMENTS events */
};

/* Compute the cycles that start in [from, to), clipped to it. pauses: all pauses of that range. Return 0 or an error
 * code. */
int nm_cycles_make(struct nm_cycles *c, const struct evl_log *log, const struct gc_pauses *pauses, uint64_t from,
	uint64_t to) EVL_MUST_USE;
void nm_cycles_free(struct nm_cycles *c);

/* Store the history of one block size in out[room]: its counts in the censuses of [from, to), or only in those after
 * every k-th sweep if there are more than `room`; other censuses are not read. Return the number of points. */
struct nm_point {
	uint64_t t, segments, live; /* segments: partly filled and full ones; live: live blocks */
	double occupancy;
};
size_t nm_history(
	const struct evl_log *log, uint64_t block_size, uint64_t from, uint64_t to, struct nm_point *out, size_t room);

#endif
