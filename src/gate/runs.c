#define HASH_NONFATAL_OOM 1

#include "gate/runs.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <uthash.h>

struct runs_index {
	UT_hash_handle hh; /* key: the name of the column */
	size_t column;
};

bool runs_match(const struct runs_patterns *patterns, const char *name)
{
	for (size_t i = 0; i < patterns->n; i++)
		if (strcmp(patterns->items[i], name) == 0 || fnmatch(patterns->items[i], name, 0) == 0)
			return true;
	return false;
}

/* May the pattern fit a name that starts so? What comes before its first special character decides. */
static bool may_fit(const char *pattern, const char *prefix)
{
	size_t plain = strcspn(pattern, "*?[\\"), len = strlen(prefix);
	size_t least = plain < len ? plain : len;
	return memcmp(pattern, prefix, least) == 0 && (plain >= len || pattern[plain]);
}

unsigned runs_groups(const struct runs_patterns *patterns)
{
	unsigned groups = 0;
	for (size_t i = 0; i < patterns->n; i++)
		for (int g = 0; g < NAMED_GROUPS; g++)
			if (may_fit(patterns->items[i], named_kind((enum named_group)g).prefix))
				groups |= 1u << g;
	return groups;
}

/* --- columns ------------------------------------------------------------------------------------------------------ */

/* The column of a name, which is added if need be. SIZE_MAX: there is no room, or no memory (then *failed). */
static size_t column_of(struct runs *r, const char *name, enum unit unit, enum metric_sense sense, bool *failed)
{
	struct runs_index *index;
	size_t len = strlen(name), before = HASH_COUNT(r->by_name);
	HASH_FIND(hh, r->by_name, name, len, index);
	if (index)
		return index->column;
	if (r->n_columns == RUNS_COLUMNS) {
		r->others++;
		return SIZE_MAX;
	}
	bool added = false;
	index = calloc(1, sizeof *index);
	char *copy = strdup(name);
	if (index && copy && GROW(r->columns, r->n_columns, r->room_columns)) {
		index->column = r->n_columns;
		HASH_ADD_KEYPTR(hh, r->by_name, copy, len, index);
		added = HASH_COUNT(r->by_name) > before;
	}
	if (!added) {
		free_all(index, copy);
		*failed = true;
		return SIZE_MAX;
	}
	r->columns[r->n_columns] = (struct runs_column){copy, unit, sense};
	return r->n_columns++;
}

static bool put(
	struct runs *r, struct runs_row *row, const char *name, enum unit unit, enum metric_sense sense, double value)
{
	bool failed = false;
	if (isnan(value))
		return true;
	size_t column = column_of(r, name, unit, sense, &failed);
	if (column == SIZE_MAX)
		return !failed;
	if (column >= row->n) {
		size_t n = (column + 64) & ~(size_t)63;
		double *grown = realloc(row->values, n * sizeof *grown);
		if (!grown)
			return false;
		row->values = grown;
		while (row->n < n)
			row->values[row->n++] = (double)NAN;
	}
	row->values[column] = unit_is_whole(unit) ? value > 0 ? floor(value + 0.5) : 0 : value;
	return true;
}

static bool put_named(struct runs *r, struct runs_row *row, const struct named_list *l, enum named_group group,
	const struct runs_patterns *patterns)
{
	struct named_kind kind = named_kind(group);
	struct buf name = {0};
	bool good = true;
	for (size_t i = 0; i < l->n && good; i++)
		for (size_t f = 0; f < kind.n_fields && good; f++) {
			buf_clear(&name);
			buf_printf(&name, "%s.", kind.prefix);
			buf_str(&name, named_name(l, i));
			buf_printf(&name, ".%s", kind.fields[f].name);
			buf_char(&name, '\0'); /* a name is text up to its first NUL */
			good = !name.failed;
			if (good && runs_match(patterns, name.p))
				good = put(r, row, name.p, kind.fields[f].unit, kind.fields[f].sense,
					named_values(l, i)[f]);
		}
	buf_free(&name);
	return good;
}

int runs_add(struct runs *r, size_t set, const struct figures *f, const struct named *named,
	const struct runs_patterns *patterns)
{
	if (!GROW(r->rows, r->n, r->room))
		return EVL_NOMEM;
	struct runs_row *row = &r->rows[r->n++];
	*row = (struct runs_row){.set = set};
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		if (patterns->n && !runs_match(patterns, info->name))
			continue;
		if (!put(r, row, info->name, info->unit, info->sense, f->values[m]))
			return EVL_NOMEM;
	}
	for (int g = 0; g < NAMED_GROUPS; g++)
		if (!put_named(r, row, &named->groups[g], (enum named_group)g, patterns))
			return EVL_NOMEM;
	return 0;
}

void runs_free(struct runs *r)
{
	struct runs_index *index, *next = r->by_name;
	HASH_CLEAR(hh, r->by_name);
	for (; (index = next); free(index))
		next = index->hh.next;
	for (size_t i = 0; i < r->n_columns; i++)
		free(r->columns[i].name);
	for (size_t i = 0; i < r->n; i++)
		free(r->rows[i].values);
	free_all(r->columns, r->rows);
	*r = (struct runs){0};
}
