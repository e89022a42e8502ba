/* nm_cycles.h - cycles of the nonmoving collector: time marking, in sync and sweeping, and the last census.
 *
 * A cycle begins with the first mark after a sweep (or of the log) and extends to the next one. */
#ifndef EVL_NM_CYCLES_H
#define EVL_NM_CYCLES_H

#include "gc/gc_pauses.h"
#include "log/log.h"

enum { NM_CYCLES = 4096, NM_SIZES = 128 };

struct nm_cycle {
	uint64_t start, end; /* the end of its last phase; NM_OPEN: not seen */
	uint64_t ns[NM_KINDS];
	uint64_t stopped; /* sync, and what of mark and sweep lies within pauses of collections */
	uint32_t syncs;   /* more than one: marking continued after a sync */
	bool swept;
	uint64_t census; /* file offset of the first census event after it; 0: none */
};

/* One block size in a census. */
struct nm_size {
	uint64_t block_size;
	uint64_t active, filled, live; /* segments in part and wholly filled; live blocks */
	double occupancy; /* live blocks / blocks that these segments have room for; NAN: no segments, or more blocks
	                  than fit: others are in segments that are being allocated in, which are not counted */
};

struct nm_cycles {
	struct nm_cycle *items; /* in order of time; past NM_CYCLES only counted */
	size_t n, more;
	uint64_t ns[NM_KINDS], longest_sync, longest_sync_at, stopped, concurrent;
	struct nm_size sizes[NM_SIZES]; /* by block size, of the last census in the range */
	size_t n_sizes;
	uint64_t census_t; /* when that was; 0: there is none */
	uint64_t pruned;   /* events of pruned segments */
};

/* Of cycles that start in [from, to), clipped to it. pauses: of the same range. */
int nm_cycles_make(struct nm_cycles *c, const struct evl_log *log, const struct gc_pauses *pauses, uint64_t from,
	uint64_t to) EVL_MUST_USE;
void nm_cycles_free(struct nm_cycles *c);

/* The history of one block size: what each census in [from, to) said of it, at most `room` of them, evenly chosen. */
struct nm_point {
	uint64_t t, segments, live;
	double occupancy;
};
size_t nm_history(
	const struct evl_log *log, uint64_t block_size, uint64_t from, uint64_t to, struct nm_point *out, size_t room);

#endif
