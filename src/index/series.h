/* series.h - sampled number over time (heap size, spark counter) with minimum and maximum of any range.
 *
 * 16 bytes per sample, and as much again per SERIES_FAN samples. Past SERIES_DENSE samples only the largest of every
 * SERIES_THIN is kept, so a series stays small compared to its log, no spike is lost, and a running total stays exact
 * where it is kept. Samples out of order are counted and dropped. One writer, any number of readers. */
#ifndef EVL_SERIES_H
#define EVL_SERIES_H

#include "base/image.h"
#include "base/rows.h"

enum { SERIES_FAN = 16, SERIES_LEVELS = 5, SERIES_DENSE = 1 << 18, SERIES_THIN = 64 };

struct series_row {
	uint64_t t, value;
};

struct series_peaks {
	uint64_t min, max;
};

struct series {
	struct rows rows;                       /* struct series_row */
	_Atomic(struct series_levels *) levels; /* NULL where there are fewer than FAN rows */
	struct series_row thin;                 /* of the writer: the largest since the last that was kept */
	uint64_t last;                          /* of the writer: the time of the last row */
	uint32_t n_thin;
	_Atomic uint64_t dropped; /* out of order, or memory was out */
};

void series_init(struct series *s);
void series_free(struct series *s);
void series_add(struct series *s, uint64_t t, uint64_t value);

static inline const struct series_row *series_row(const struct series *s, size_t i) { return rows_at(&s->rows, i); }

/* Return the time of the last sample; 0: there is none. */
static inline uint64_t series_known(const struct series *s)
{
	size_t n = rows_count(&s->rows);
	return n ? series_row(s, n - 1)->t : 0;
}

/* Return the number of samples before t. */
size_t series_before(const struct series *s, uint64_t t);

/* Return the smallest and the largest of samples [from, to), of which there must be one: reads at most 2 * SERIES_FAN nodes
 * per level. */
struct series_peaks series_peaks(const struct series *s, size_t from, size_t to);

/* Return the value at t of a running total that started with 0 at time 0. Growth between two samples is spread
 * evenly over the time between them; after the last sample the value is the last. */
uint64_t series_total(const struct series *s, uint64_t t);

/* The same for a total that started with 0 at time `origin`. */
uint64_t series_total_from(const struct series *s, uint64_t origin, uint64_t t);

/* A counter of the log as a running total: a value that falls starts again at 0. */
struct counter {
	uint64_t last, total;
};
uint64_t counter_take(struct counter *c, uint64_t value);

/* To or from a file (image.h). */
void series_image(struct image *im, struct series *s);

#endif
