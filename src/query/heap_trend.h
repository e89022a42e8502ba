/* heap_trend.h - how a heap profile grows over a time range: in one step or gradually; since when, and by which bands.
 *
 * A band is one label or cost-centre stack of the profile. The trend is computed from at most TREND_POINTS samples,
 * evenly spaced, and the TREND_BANDS largest bands. All samples are read once to find the bands, and the chosen ones a
 * second time. census_shape finds the start of a gradual rise; the Heap pane uses the same samples. */
#ifndef EVL_HEAP_TREND_H
#define EVL_HEAP_TREND_H

#include "heap/census_shape.h"
#include "log/log.h"
#include "sys/progress.h"

enum { TREND_POINTS = SHAPE_POINTS, TREND_BANDS = 16, TREND_LEAST = 8, TREND_NAME = 64, TREND_NAMED = 2 };

struct heap_trend {
	bool cut;   /* a sum over a band or a sample exceeded 2^64-1 bytes */
	bool known; /* the log has a profile of the whole heap with at least TREND_LEAST samples in the range */
	bool rises; /* the last eighth of the range has at least twice the bytes of the first, and 1 MiB more */
	bool step; /* it rises within a fifth of the time, or between two samples, and stays up for at least another fifth */
	/* Times in ns. Of a step: of the last sample before it and the first after it. Otherwise: of the sample with which
	 * the rise of the first band starts, or the last in the lowest tenth if it does not rise to the end; and the first from
	 * which on the band stays above four fifths of its rise. */
	uint64_t since, until;
	uint64_t before, after; /* bytes at `since`, and at the last sample or, of a step, at `until` */
	struct trend_band {
		char name[TREND_NAME];  /* NUL-terminated; UTF-8 if it is in the log */
		uint64_t before, after; /* of the band, at the same times */
		bool cut;               /* the name was longer */
	} bands[TREND_NAMED];           /* the bands that rise most, largest rise first */
	size_t n_bands;
};

/* Compute the trend over [from, to), in ns. watch may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int heap_trend_make(struct heap_trend *t, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

#endif
