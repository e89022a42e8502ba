/* runs.h - metrics of many runs as one table: a column per metric, a row per run; name patterns select the metrics.
 *
 * As in `stats --json`, values in units without fractions (units.h: counts, bytes, ns) are rounded to integers. A value
 * takes 8 bytes. */
#ifndef EVL_RUNS_H
#define EVL_RUNS_H

#include "report/figure_name.h"

enum { RUNS_COLUMNS = 4096 }; /* largest number of columns; further metrics are only counted */

struct runs_column {
	char *name;
	enum unit unit;
	enum metric_sense sense;
};

struct runs_row {
	size_t set;     /* number of the set to which the run belongs, chosen by the caller */
	double *values; /* by column; unknown if NaN or if the column is n or more */
	size_t n;
};

struct runs {
	struct runs_column *columns;
	size_t n_columns, room_columns;
	struct runs_row *rows;
	size_t n, room;
	uint64_t others; /* number of values dropped because there were RUNS_COLUMNS columns */
	struct runs_index *by_name;
};

/* Names and glob patterns (fnmatch) of metrics; no items select all metrics. */
struct runs_patterns {
	const char *const *items;
	size_t n;
};

/* Report whether a name matches one of the patterns; false if there are none. */
bool runs_match(const struct runs_patterns *patterns, const char *name);

/* Return the groups (bits, for named_make) to which the patterns may refer. */
unsigned runs_groups(const struct runs_patterns *patterns);

/* Append the values of a run that match the patterns. Return 0 or EVL_NOMEM. */
int runs_add(struct runs *r, size_t set, const struct figures *f, const struct named *named,
	const struct runs_patterns *patterns) EVL_MUST_USE;
void runs_free(struct runs *r);

/* Return a value, or NaN if it is unknown. */
static inline double runs_value(const struct runs *r, size_t row, size_t column)
{
	return column < r->rows[row].n ? r->rows[row].values[column] : (double)__builtin_nan("");
}

#endif
