/* named.h - metrics of things that a log names (spans.NAME.p99, heap.band.NAME.peak, …), expanded from named.def
 *
 * Each group (spans, bands, labels, …) is a table sorted by name, one row of doubles per name; NAN means unknown.
 * Things of equal name are merged into one row. Memory: at most 64 bytes and the name for each of at most MOST_BANDS
 * bands; the other groups are small. */
#ifndef EVL_NAMED_H
#define EVL_NAMED_H

#include "base/json.h"
#include "report/figures.h"

enum named_group {
#define NAMED_GROUP(id, prefix, list, flag) NAMED_##id,
#define NAMED_FIELD(group, id, field, unit, sense, join, key, meaning)
#include "report/named.def"
#undef NAMED_GROUP
#undef NAMED_FIELD
	NAMED_GROUPS
};

/* How values of equal name are merged: added, or the largest taken. */
enum named_join { NAMED_SUM, NAMED_MOST };

/* Description of a field of a group. */
struct named_field {
	const char *name; /* "p99" */
	enum unit unit;
	enum metric_sense sense;
	enum named_join join;
	const char *key; /* key in the JSON entry, without the suffix of the unit */
	const char *meaning;
};

/* Description of a group. */
struct named_kind {
	const char *prefix; /* "heap.band" */
	const char *list, *flag;
	const struct named_field *fields;
	size_t n_fields;
};

/* Return the prefix, list and fields of a group; they are constants. */
struct named_kind named_kind(enum named_group group);

/* Return the index of the field with this name, or -1. */
int named_field_at(const struct named_kind *kind, struct evl_str name);

/* The things of a group, with their values. */
struct named_list {
	struct buf text; /* all names, one after another */
	struct named_row {
		size_t at, len; /* position of the name in text */
		size_t values;  /* index of the row's first field in values */
	} * rows;               /* in order of names */
	double *values;
	size_t n, room, room_values; /* rows; allocated rows; allocated values */
	uint64_t more;               /* number of things that were left out */
};

struct named {
	struct named_list groups[NAMED_GROUPS];
};

/* Fill some groups (bits 1 << group) from the figures and their log. Without deep figures, the budgets of spans,
 * phases and labels are unknown. Bands and cost centres read their samples from the log. Return 0, EVL_NOMEM or
 * EVL_CANCELLED. */
int named_make(struct named *n, const struct evl_log *log, const struct figures *f, unsigned groups,
	const struct progress *watch) EVL_MUST_USE;
void named_free(struct named *n);

/* Return the name or the field values of row i. */
struct evl_str named_name(const struct named_list *l, size_t i);
static inline const double *named_values(const struct named_list *l, size_t i) { return l->values + l->rows[i].values; }

/* Return the row with this name, or SIZE_MAX. */
size_t named_find(const struct named_list *l, struct evl_str name);

/* Store the row numbers in order[l->n], sorted by their first field, largest first. */
void named_order(const struct named_list *l, size_t *order);

/* Keep only the n rows with the largest first field. Return 0 or EVL_NOMEM. */
int named_keep(struct named_list *l, enum named_group group, size_t n) EVL_MUST_USE;

/* Append the list as a member of a JSON object: the `most` rows with the largest first field, and the number of rows
 * left out. Return 0 or EVL_NOMEM. */
int named_json(const struct named_list *l, enum named_group group, size_t most, struct json *j) EVL_MUST_USE;

#endif
