/* ipe.h - info tables (IPE events): name and source location of closures, by address.
 *
 * A big program defines millions, hundreds of megabytes, most of them in one run at its start. Only the extents of
 * such runs are kept, never an entry: to resolve addresses the runs are read once per question (ipe_next). Runs at
 * most IPE_GAP bytes apart are joined; past MOST_IPE_RUNS the last one grows. */
#ifndef EVL_IPE_H
#define EVL_IPE_H

#include "base/rows.h"
#include "index/cursor.h"

enum { IPE_GAP = 64 << 10, MOST_IPE_RUNS = 1 << 12, IPE_SHARE_RUNS = 64 };

struct ipe_run {
	uint64_t first, last; /* file offsets of its first and last entry */
	uint32_t chain;
};

/* Partial results of one part of a chain while it is walked; starts as zeros. */
struct ipe_partial {
	struct ipe_run *runs;
	size_t n, room;
	uint64_t entries;
};

struct ipe {
	struct ipe_run *runs; /* when the walk is over: by chain and offset */
	size_t n, room;
	uint64_t entries;
};

void ipe_free(struct ipe *ipe);
void ipe_partial_free(struct ipe_partial *share);

/* An IPE event of the part; out of memory leaves it out. */
void ipe_take(struct ipe_partial *share, const struct frame *f);
void ipe_join(struct ipe *ipe, uint32_t chain, struct ipe_partial *share);

/* The texts belong to the map. */
struct ipe_entry {
	uint64_t id;  /* the address of the info table, as -hi has it; but see ipe_shift */
	uint64_t off; /* of its event */
	struct evl_str table, closure, type, label, module, location; /* closure: a number, as text */
};

struct ipe_reader {
	const struct ipe *ipe;
	const struct blocks *blocks;
	struct cursor cursor;
	size_t run; /* the next one */
	uint64_t last;
};
void ipe_begin(struct ipe_reader *r, const struct ipe *ipe, const struct blocks *b);
bool ipe_next(struct ipe_reader *r, struct ipe_entry *out);

/* The entry at a file offset; false where there is none. May wait for the disk. */
bool ipe_at(const struct blocks *b, uint64_t off, struct ipe_entry *out);

/* GHC 9.4.3 writes the address of the code instead, which follows the info table: return by how much the ids of its
 * entries are too large. rts: as program_facts.rts. */
uint64_t ipe_shift(struct evl_str rts);

/* To or from a file (image.h). */
void ipe_image(struct image *im, struct ipe *ipe, const struct blocks *blocks);

#endif
