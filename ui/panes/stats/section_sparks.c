/* Sparks, and what became of them. */
#include "panes/stats/section.h"

#include <math.h>

static const struct {
	enum metric count, share; /* METRICS: it has none */
	const char *brief;        /* its meaning, where there is no room for the whole */
} kinds[] = {{METRIC_SPARKS_CREATED, METRICS, "put into a pool"},
	{METRIC_SPARKS_CONVERTED, METRIC_SPARKS_CONVERTED_SHARE, "run: parallelism"},
	{METRIC_SPARKS_FIZZLED, METRIC_SPARKS_FIZZLED_SHARE, "others were first"},
	{METRIC_SPARKS_GCD, METRIC_SPARKS_GCD_SHARE, "nobody needed it"},
	{METRIC_SPARKS_DUD, METRIC_SPARKS_DUD_SHARE, "a value already"},
	{METRIC_SPARKS_OVERFLOWED, METRIC_SPARKS_OVERFLOWED_SHARE, "the pool was full"}};

static int rows(const struct stats_data *d)
{
	return isnan(d->f->values[METRIC_SPARKS_CREATED]) ? 0 : (int)countof(kinds);
}

/* With what it means, as far as there is room. */
static void draw(const struct stats_data *d, int row, struct line *l)
{
	section_metric(d, l, kinds[row].count, 10, 11);
	if (kinds[row].share == METRICS)
		line_skip(l, 7);
	else
		section_unit(l, ST_TEXT, 6, UNIT_SHARE, d->f->values[kinds[row].share]);
	const char *meaning = metric_info(kinds[row].count)->meaning;
	line_put(l, ST_DIM, false, (int)strlen(meaning) <= line_room(l) ? meaning : kinds[row].brief);
}

const struct section_ops section_sparks = {.title = "SPARKS", .missing = "no counters (+RTS -lp of the threaded RTS records them)",
	.rows = rows, .draw = draw};
