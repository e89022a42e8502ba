/* ipe.h - info tables (IPE events): name and source location of closures, by address.
 *
 * A big program defines millions of info tables, hundreds of megabytes of events, most of them in one sequence at the
 * start of the log. Only the extents of such sequences (runs) are stored, never an entry: to resolve addresses, all
 * runs are read once per query (ipe_next). Runs at most IPE_GAP bytes apart are joined; past MOST_IPE_RUNS the last run
 * is extended. */
#ifndef EVL_IPE_H
#define EVL_IPE_H

#include "base/rows.h"
#include "index/cursor.h"

enum { IPE_GAP = 64 << 10, MOST_IPE_RUNS = 1 << 12, IPE_SHARE_RUNS = 64 };

struct ipe_run {
	uint64_t first, last; /* file offsets of its first and last entry */
	uint32_t chain;
};

/* Results of one part of a chain (the blocks of one capability) while it is indexed. Initialise with zeros. */
struct ipe_partial {
	struct ipe_run *runs;
	size_t n, room;
	uint64_t entries;
};

struct ipe {
	struct ipe_run *runs; /* once the log is indexed: sorted by chain and file offset */
	size_t n, room;
	uint64_t entries;
};

void ipe_free(struct ipe *ipe);
void ipe_partial_free(struct ipe_partial *partial);

/* Record an IPE event of the part, or ignore it if memory runs out. ipe_join appends the runs of the next part of a
 * chain. */
void ipe_take(struct ipe_partial *partial, const struct frame *f);
void ipe_join(struct ipe *ipe, uint32_t chain, struct ipe_partial *partial);

/* One info table. Texts are borrowed from the log. */
struct ipe_entry {
	uint64_t id;  /* address of the info table, as in heap profiles by info table (-hi); but see ipe_shift */
	uint64_t off; /* file offset of its event */
	struct evl_str table, closure, type, label, module, location; /* closure: the closure type, a number as text */
};

struct ipe_reader {
	const struct ipe *ipe;
	const struct blocks *blocks;
	struct cursor cursor;
	size_t run; /* the next run */
	uint64_t last;
};

/* Read all info tables, one by one: ipe_next stores the next one in *out and returns false at the end. May wait for the
 * disk. */
void ipe_begin(struct ipe_reader *r, const struct ipe *ipe, const struct blocks *b);
bool ipe_next(struct ipe_reader *r, struct ipe_entry *out);

/* Read the info table at a file offset. Return false if there is none. May wait for the disk. */
bool ipe_at(const struct blocks *b, uint64_t off, struct ipe_entry *out);

/* Return the number of bytes by which the ids of entries exceed the address of the info table: GHC 9.4.3 writes the
 * address of the code, which follows the info table; otherwise 0. rts is program_facts.rts. */
uint64_t ipe_shift(struct evl_str rts);

/* Save or load the runs (image.h). */
void ipe_image(struct image *im, struct ipe *ipe, const struct blocks *blocks);

#endif
