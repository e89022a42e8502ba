/* series.h - a number sampled over time (heap size, spark counter), with the minimum and maximum of any range.
 *
 * A sample takes 16 bytes. A pyramid of summaries answers queries about ranges; a node of it summarises SERIES_FAN
 * samples or nodes, and also takes 16 bytes. After the first SERIES_DENSE samples, only the largest of each SERIES_THIN
 * samples is kept, so a series stays small compared to its log, no spike is lost, and a running total is exact at each
 * sample kept. Samples out of order are counted and dropped. One writer, any number of readers. */
#ifndef EVL_SERIES_H
#define EVL_SERIES_H

#include "base/image.h"
#include "base/rows.h"

enum { SERIES_FAN = 16, SERIES_LEVELS = 5, SERIES_DENSE = 1 << 18, SERIES_THIN = 64 };

/* A sample: a time in ns, and a value. */
struct series_row {
	uint64_t t, value;
};

/* The smallest and the largest value. */
struct series_peaks {
	uint64_t min, max;
};

struct series {
	struct rows rows;                       /* struct series_row */
	_Atomic(struct series_levels *) levels; /* summaries; NULL if there are fewer than SERIES_FAN rows */
	struct series_row thin;                 /* for the writer: the largest sample since the last one kept */
	uint64_t last;                          /* for the writer: the time of the last row */
	uint32_t n_thin;
	_Atomic uint64_t dropped; /* number of samples out of order or without memory */
};

void series_init(struct series *s);
void series_free(struct series *s);

/* Append a sample. */
void series_add(struct series *s, uint64_t t, uint64_t value);

/* A series of a value that often stays the same. If several samples in a row are equal, only the first and the last are
 * kept: the values between samples, and series_total, are exact without the others. `last` is for the writer: the last
 * sample, which is in the series unless it is held back (`held`). */
struct steady {
	struct series series;
	struct series_row last;
	bool held;
};

/* Append a sample. */
void steady_add(struct steady *s, uint64_t t, uint64_t value);

/* Return row i. */
static inline const struct series_row *series_row(const struct series *s, size_t i) { return rows_at(&s->rows, i); }

/* Return the time of the last sample in ns, or 0 if there is none. */
static inline uint64_t series_known(const struct series *s)
{
	size_t n = rows_count(&s->rows);
	return n ? series_row(s, n - 1)->t : 0;
}

/* Return the number of samples before t. */
size_t series_before(const struct series *s, uint64_t t);

/* Return the smallest and the largest value of samples [from, to), which must not be empty. Reads at most 2 *
 * SERIES_FAN nodes per level. */
struct series_peaks series_peaks(const struct series *s, size_t from, size_t to);

/* Return the value at time t of a running total that was 0 at time 0. Growth between two samples is spread evenly over
 * the time between them; after the last sample the value stays that of the last sample. */
uint64_t series_total(const struct series *s, uint64_t t);

/* Return series_total at a time that is not before the last one. *row: kept from call to call; at first series_before of
 * the first time. */
uint64_t series_total_next(const struct series *s, size_t *row, uint64_t t);

/* Return the value at time t, as series_total does, of a total that was 0 at time `origin`. */
uint64_t series_total_from(const struct series *s, uint64_t origin, uint64_t t);

/* A counter in the log, converted to a running total: if its value falls, it has restarted at 0. counter_take returns
 * the total after the next value. */
struct counter {
	uint64_t last, total;
};
uint64_t counter_take(struct counter *c, uint64_t value);

/* Save or load a series (image.h). */
void series_image(struct image *im, struct series *s);

#endif
