/* figure_name.h - names of metrics as users write them (gc.pause.p99, spans.request.p99, heap.band.Map.peak): parse one, look
 * up its value, find the nearest. */
#ifndef EVL_FIGURE_NAME_H
#define EVL_FIGURE_NAME_H

#include "report/named.h"

/* A name taken apart: a metric of metrics.def, or the field of something that a log names. */
struct figure_name {
	struct evl_str text; /* the whole of it */
	enum metric metric;  /* METRICS: it is none; then */
	int group;           /* -1: nor does it begin like a group's */
	int field;           /* -1: the group has no such field */
	struct evl_str name; /* of the thing */
	enum unit unit;
	enum metric_sense sense;
};

/* Parse the name of a figure. Return false if no metric has that name; the parts that were understood are filled in. */
bool figure_name_parse(struct evl_str text, struct figure_name *out);

/* Which of named_make's groups it needs; 0: none. Does it need deep metrics? */
unsigned figure_name_groups(const struct figure_name *name);
bool figure_name_is_deep(const struct figure_name *name);

/* The value; NAN: not known. named: with the groups that it needs. */
double figure_name_value(const struct figure_name *name, const struct figures *f, const struct named *named);

/* Append the names of known metrics that are most similar to an unknown one, separated by commas; nothing if none is
 * similar. f, named: figures of the log; NULL without a log. */
void figure_name_near(
	const struct figure_name *name, const struct figures *f, const struct named *named, struct buf *out);

#endif
