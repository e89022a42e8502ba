/* census_shape.h - the course of a band over time in words: rose, fell, one step, saw-tooth, flat; and what still grows.
 *
 * A course of points is cut into straight pieces (Ramer, Douglas, Peucker: no point is further from its piece than a twelfth
 * of the difference between the least and the largest value). Pieces of one direction are joined; a piece that changes by
 * less than a tenth of that difference is flat. A change within two points, or a fiftieth of the time, is a step. */
#ifndef EVL_CENSUS_SHAPE_H
#define EVL_CENSUS_SHAPE_H

#include "base/base.h"

enum { SHAPE_POINTS = 256, SHAPE_PIECES = 64, SHAPE_TEXT = 200 };

struct shape_point {
	uint64_t t, bytes;
};

enum shape_kind {
	SHAPE_UNKNOWN,  /* fewer than three points */
	SHAPE_ABSENT,   /* always 0 */
	SHAPE_FLAT,     /* changes by less than a tenth of its largest value */
	SHAPE_STEP,     /* one step up, flat before and after */
	SHAPE_SAWTOOTH, /* three times and more up and down, by a third of the largest difference and more */
	SHAPE_CHANGES   /* any other: see the pieces */
};

/* From one moment and value to another; dir: -1 falls, 0 flat, 1 rises. */
struct shape_piece {
	struct shape_point from, to;
	int dir;
	bool step;
};

struct census_shape {
	enum shape_kind kind;
	uint64_t low, high; /* the least and the largest value */
	struct shape_piece pieces[SHAPE_PIECES];
	size_t n;
	size_t teeth;     /* of SHAPE_SAWTOOTH: times up */
	bool grows;       /* the last change is a rise that goes on at the end, over five points at least: */
	uint64_t since;   /* when it began */
	double slope, r2; /* of the points from there on, by least squares: bytes per second */
};

/* Of n points in order of time, at most SHAPE_POINTS. */
void census_shape(struct census_shape *out, const struct shape_point *points, size_t n);

/* "rose 21 MB → 256 MB from 110 ms to 4.20 s, flat since"; out: SHAPE_TEXT bytes. Times are those of the points less
 * `origin`. Return out. */
char *census_shape_text(char *out, const struct census_shape *s, uint64_t origin);

/* The same in at most 20 columns: "rises since 110 ms", "step at 118 ms". */
char *census_shape_brief(char *out, const struct census_shape *s, uint64_t origin);

#endif
