/* runs.h - metrics of many runs as one table: a column per metric, a row per run; patterns select the figures.
 *
 * Values are as `stats --json` prints them: whole units are rounded. 8 bytes per figure and run. */
#ifndef EVL_RUNS_H
#define EVL_RUNS_H

#include "report/figure_name.h"

enum { RUNS_COLUMNS = 4096 };

struct runs_column {
	char *name;
	enum unit unit;
	enum metric_sense sense;
};

struct runs_row {
	size_t set;     /* as the caller numbers them */
	double *values; /* by column, n of them; NAN and what is missing: not known */
	size_t n;
};

struct runs {
	struct runs_column *columns;
	size_t n_columns, room_columns;
	struct runs_row *rows;
	size_t n, room;
	uint64_t others; /* figures past the ceiling */
	struct runs_index *by_name;
};

/* Names and glob patterns (fnmatch) of metrics; none: all metrics. */
struct runs_patterns {
	const char *const *items;
	size_t n;
};

bool runs_match(const struct runs_patterns *patterns, const char *name);

/* Return the groups of named_make that the patterns may refer to; report whether they need deep figures. */
unsigned runs_groups(const struct runs_patterns *patterns);

/* Add a run. Return 0 or EVL_NOMEM. */
int runs_add(struct runs *r, size_t set, const struct figures *f, const struct named *named,
	const struct runs_patterns *patterns) EVL_MUST_USE;
void runs_free(struct runs *r);

static inline double runs_value(const struct runs *r, size_t row, size_t column)
{
	return column < r->rows[row].n ? r->rows[row].values[column] : (double)__builtin_nan("");
}

#endif
