/* figure_name.h - names of metrics as users type them (gc.pause.p99): parse, look up the value, suggest similar ones */
#ifndef EVL_FIGURE_NAME_H
#define EVL_FIGURE_NAME_H

#include "report/named.h"

/* A parsed name: a metric of metrics.def, or a field of a named thing, PREFIX.NAME.FIELD (named.def). */
struct figure_name {
	struct evl_str text; /* the whole name, borrowed */
	enum metric metric;  /* METRICS: not in metrics.def; then the members below apply */
	int group;           /* enum named_group; -1: no group has this prefix */
	int field;           /* index of the field; -1: the group has no such field */
	struct evl_str name; /* name of the thing, borrowed from text */
	enum unit unit;
	enum metric_sense sense;
};

/* Parse the name of a metric. Return false if no metric has that name; the parts that were recognised are filled in. */
bool figure_name_parse(struct evl_str text, struct figure_name *out);

/* Return the groups that named_make must fill for this metric (bits 1 << group; 0: none), or whether it needs deep
 * figures. */
unsigned figure_name_groups(const struct figure_name *name);
bool figure_name_is_deep(const struct figure_name *name);

/* Return the value; NAN: unknown. named must hold the groups that figure_name_groups returned. */
double figure_name_value(const struct figure_name *name, const struct figures *f, const struct named *named);

/* Append the known metric names most similar to a name that was not found, separated by commas; nothing if none is
 * similar. f, named: the figures of the log; NULL without a log. */
void figure_name_near(
	const struct figure_name *name, const struct figures *f, const struct named *named, struct buf *out);

#endif
