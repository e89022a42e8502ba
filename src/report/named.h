/* named.h - metrics of what a log names (spans.NAME.p99, heap.band.NAME.peak, …), expanded from named.def: by name, as lists.
 *
 * Each group is a table sorted by name: a name and its fields, as doubles; NAN means "not known". Things of equal name are
 * one row. Memory: of bands at most 64 bytes and the name for each of MOST_BANDS; the others are few. */
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

enum named_join { NAMED_SUM, NAMED_MOST };

struct named_field {
	const char *name; /* "p99" */
	enum unit unit;
	enum metric_sense sense;
	enum named_join join;
	const char *key;
	const char *meaning;
};

struct named_kind {
	const char *prefix; /* "heap.band" */
	const char *list, *flag;
	const struct named_field *fields;
	size_t n_fields;
};

struct named_kind named_kind(enum named_group group);

/* The place of a field by its name; -1: there is none. */
int named_field_at(const struct named_kind *kind, struct evl_str name);

struct named_list {
	struct buf text; /* of all names */
	struct named_row {
		size_t at, len; /* of the name in the text */
		size_t values;  /* where its fields begin in the values */
	} * rows;               /* by name */
	double *values;
	size_t n, room, room_values;
	uint64_t more; /* things that are not in the list */
};

struct named {
	struct named_list groups[NAMED_GROUPS];
};

/* Fill the groups of a set of bits (1 << group) from the metrics and their log. Budgets of spans, phases and labels take deep
 * figures; without, they are not known. Bands and centres read their samples. 0, EVL_NOMEM or EVL_CANCELLED. */
int named_make(struct named *n, const struct evl_log *log, const struct figures *f, unsigned groups,
	const struct progress *watch) EVL_MUST_USE;
void named_free(struct named *n);

struct evl_str named_name(const struct named_list *l, size_t i);
static inline const double *named_values(const struct named_list *l, size_t i) { return l->values + l->rows[i].values; }

/* The row of a name; SIZE_MAX: there is none. */
size_t named_find(const struct named_list *l, struct evl_str name);

/* The rows by their first field, most first, into order[l->n]. */
void named_order(const struct named_list *l, size_t *order);

/* Keep the n rows with the most of the first field. Return 0 or EVL_NOMEM. */
int named_keep(struct named_list *l, enum named_group group, size_t n) EVL_MUST_USE;

/* The list as a member of an object: at most `most` entries, those with the most of the first field, and the number of
 * others. Return 0 or EVL_NOMEM. */
int named_json(const struct named_list *l, enum named_group group, size_t most, struct json *j) EVL_MUST_USE;

#endif
