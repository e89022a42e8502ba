/* census_shape.h - describe the size of a heap-profile band over time in words: rose, fell, one step, saw-tooth, flat;
 * and whether it still grows.
 *
 * The size over time is a sequence of points. It is cut into straight pieces by the algorithm of Ramer, Douglas and
 * Peucker, so that no point is further from its piece than a twelfth of the range (largest minus smallest value).
 * Adjacent pieces of the same direction are joined; a piece that changes by a tenth of the range or less is flat. A
 * change within two points, or within a fiftieth of the time, is a step. */
#ifndef EVL_CENSUS_SHAPE_H
#define EVL_CENSUS_SHAPE_H

#include "base/base.h"

enum { SHAPE_POINTS = 256, SHAPE_PIECES = 64, SHAPE_TEXT = 200 };

/* A point: a time in ns, and bytes. */
struct shape_point {
	uint64_t t, bytes;
};

enum shape_kind {
	SHAPE_UNKNOWN,  /* fewer than three points */
	SHAPE_ABSENT,   /* always 0 */
	SHAPE_FLAT,     /* changes by less than a tenth of its largest value */
	SHAPE_STEP,     /* one step up, flat before and after */
	SHAPE_SAWTOOTH, /* goes up and down at least three times, by at least a third of the range */
	SHAPE_CHANGES   /* anything else: see `pieces` */
};

/* A straight piece from one point to another. dir is -1 (falls), 0 (flat) or 1 (rises). */
struct shape_piece {
	struct shape_point from, to;
	int dir;
	bool step;
};

struct census_shape {
	enum shape_kind kind;
	uint64_t low, high; /* smallest and largest value */
	struct shape_piece pieces[SHAPE_PIECES];
	size_t n;
	size_t teeth;   /* SHAPE_SAWTOOTH: number of teeth */
	bool grows;     /* the last piece rises until the end and has at least five points */
	uint64_t since; /* start of that rise */
	/* fit of the points since then by least squares: bytes per second, and coefficient of determination */
	double slope, r2;
};

/* Describe n <= SHAPE_POINTS points in time order. */
void census_shape(struct census_shape *out, const struct shape_point *points, size_t n);

/* Write a text such as "rose 21 MB → 256 MB from 110 ms to 4.20 s, flat since" to `out` (SHAPE_TEXT bytes) and return
 * it. Times are those of the points. */
char *census_shape_text(char *out, const struct census_shape *s);

/* Write a text of at most 20 characters to `out` (SHAPE_TEXT bytes) and return it: "rises since 110 ms", "step at
 * 118 ms". */
char *census_shape_brief(char *out, const struct census_shape *s);

#endif
