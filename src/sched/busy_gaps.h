/* busy_gaps.h - the times without runs and pauses, in a table of a thousandth of the log: where the next long one is.
 *
 * The log is divided into pieces of time, in each of which GAP_TILES tiles of any capabilities begin. A row has the
 * longest gap of its piece as it is, and the length of the next longest. busy_union.c appends rows while the log is
 * indexed; any thread may read them. A gap belongs to the piece in which it ends. Times are in ns. */
#ifndef EVL_BUSY_GAPS_H
#define EVL_BUSY_GAPS_H

#include "base/image.h"
#include "base/rows.h"

enum { GAP_TILES = 8, GAP_BITS = 4, GAP_LEVELS = 6 };

struct busy_gap {
	uint64_t to, len; /* the longest; the first of equals */
	uint64_t second;  /* length of the longest of the others */
};

struct busy_piece {
	uint64_t until; /* its end: it holds the gaps that end before; UINT64_MAX: the end of the log */
	uint64_t end;   /* of the runs and pauses that start before that, or of what these touch */
	struct busy_gap gap;
};

struct busy_gaps {
	struct rows pieces;              /* struct busy_piece */
	struct rows longest[GAP_LEVELS]; /* longest gaps, of 1 << GAP_BITS pieces or nodes each */
};

/* Note a gap. */
static inline void busy_gap_note(struct busy_gap *g, uint64_t to, uint64_t len)
{
	if (likely(len <= g->second))
		return;
	g->second = min_u64(len, g->len);
	g->to = len > g->len ? to : g->to;
	g->len = max_u64(len, g->len);
}

void busy_gaps_init(struct busy_gaps *g);
void busy_gaps_free(struct busy_gaps *g);

/* Append a piece. Return false if memory ran out. */
bool busy_gaps_add(struct busy_gaps *g, const struct busy_piece *piece) EVL_MUST_USE;

static inline const struct busy_piece *busy_piece_at(const struct busy_gaps *g, size_t i)
{
	return rows_at(&g->pieces, i);
}

/* Return the first piece of those from `from` on, or the last of those before `to`, that has a gap of at least `least` ns.
 * n: the number of pieces, returned if there is none. */
size_t busy_gaps_next(const struct busy_gaps *g, size_t n, size_t from, uint64_t least);
size_t busy_gaps_prev(const struct busy_gaps *g, size_t n, size_t to, uint64_t least);

/* Return the memory that the table takes, in bytes. */
uint64_t busy_gaps_bytes(const struct busy_gaps *g);

/* Save or load the table (image.h). */
void busy_gaps_image(struct image *im, struct busy_gaps *g);

#endif
