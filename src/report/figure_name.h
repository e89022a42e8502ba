/* figure_name.h - names of metrics as users type them (gc.pause.p99): parse, look up the value, suggest similar ones
 *
 * A figure is the value of a metric for one log or range (figures.h). */
#ifndef EVL_FIGURE_NAME_H
#define EVL_FIGURE_NAME_H

#include "report/named.h"

/* A parsed name: a metric of metrics.def, or PREFIX.NAME.FIELD (named.def), a field of something that the log names,
 * such as spans.request.p99 of the spans "request". */
struct figure_name {
	struct evl_str text; /* the whole name, borrowed */
	enum metric metric;  /* METRICS: not in metrics.def; then group, field and name apply */
	int group;           /* enum named_group; -1: no group has this prefix */
	int field;           /* index of the field; -1: the group has no such field */
	struct evl_str name; /* NAME, borrowed from text */
	enum unit unit;
	enum metric_sense sense;
};

/* Parse the name of a metric. Return false if no metric has that name; the parts that were recognised are filled in. */
bool figure_name_parse(struct evl_str text, struct figure_name *out);

/* figure_name_groups: return the groups that named_make must fill for this metric (bits 1 << group; 0: none).
 * figure_name_is_deep: return whether it needs deep figures, i.e. a second reading of the log (figures.h). */
unsigned figure_name_groups(const struct figure_name *name);
bool figure_name_is_deep(const struct figure_name *name);

/* Return the value; NAN: unknown. named must hold the groups that figure_name_groups returned. */
double figure_name_value(const struct figure_name *name, const struct figures *f, const struct named *named);

/* Append the known metric names most similar to a name that was not found, separated by commas; nothing if none is
 * similar. f, named: the figures of the log; NULL without a log. */
void figure_name_near(
	const struct figure_name *name, const struct figures *f, const struct named *named, struct buf *out);

#endif
