/* heap_trend.h - how a heap profile grows over a range: in one step or gradually; since when, and by which bands.
 *
 * Of at most TREND_POINTS samples, evenly spread, and of the TREND_BANDS largest bands. Reads all samples once to know
 * the bands, and those again. */
#ifndef EVL_HEAP_TREND_H
#define EVL_HEAP_TREND_H

#include "log/log.h"
#include "sys/progress.h"

enum { TREND_POINTS = 512, TREND_BANDS = 16, TREND_LEAST = 8, TREND_NAME = 64, TREND_NAMED = 2 };

struct heap_trend {
	bool cut;   /* a band or a sample of it adds up to more than 2^64-1 bytes */
	bool known; /* there is a profile of the whole heap with TREND_LEAST samples or more in the range */
	bool rises; /* its last eighth holds twice as much as its first, and 1 MiB more: */
	bool step;  /* within a fifth of the time, and it stayed up for a fifth at least */
	uint64_t since,
		until; /* the last sample at the bottom, the first at the top; of the step, or of the first band */
	uint64_t before, after; /* bytes: medians of the first and the last eighth */
	struct trend_band {
		char name[TREND_NAME]; /* UTF-8 if the log's is */
		uint64_t before, after;
	} bands[TREND_NAMED]; /* that rise most, the first most of all */
	size_t n_bands;
};

/* EVL_NOMEM, EVL_CANCELLED or 0. */
int heap_trend_make(struct heap_trend *t, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

#endif
