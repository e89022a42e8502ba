#include "report/named_diff.h"

#include "base/order.h"
#include "report/stats_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double first(const struct named_list *l, size_t row)
{
	double value = row == NAMED_ABSENT ? 0 : *named_values(l, row);
	return isnan(value) ? 0 : value;
}

COMPARE_BY(by_difference, struct named_pair, ORDER(fabs(y->by), fabs(x->by)) ?: RISING(a) ?: RISING(b));

int named_diff_make(
	struct named_diff *d, enum named_group group, const struct named_list *a, const struct named_list *b)
{
	size_t i = 0, k = 0;
	*d = (struct named_diff){.lists = {a, b}, .group = group, .pairs = calloc(a->n + b->n + 1, sizeof *d->pairs)};
	if (!d->pairs)
		return EVL_NOMEM;
	while (i < a->n || k < b->n) {
		int order = i == a->n ? 1 : k == b->n ? -1 : str_order(named_name(a, i), named_name(b, k));
		struct named_pair *p = &d->pairs[d->n++];
		p->a = order <= 0 ? i++ : NAMED_ABSENT;
		p->b = order >= 0 ? k++ : NAMED_ABSENT;
		p->by = first(b, p->b) - first(a, p->a);
	}
	qsort(d->pairs, d->n, sizeof *d->pairs, by_difference);
	return 0;
}

void named_diff_free(struct named_diff *d)
{
	free(d->pairs);
	*d = (struct named_diff){0};
}

static struct evl_str name_of(const struct named_diff *d, size_t i)
{
	const struct named_pair *p = &d->pairs[i];
	return p->a != NAMED_ABSENT ? named_name(d->lists[0], p->a) : named_name(d->lists[1], p->b);
}

struct evl_str named_diff_title(const struct named_diff *d, size_t i)
{
	struct evl_str name = name_of(d, i);
	return d->group == NAMED_PHASES && name.len == 0 ? EVL_STR("(before the first marker)") : name;
}

double named_diff_value(const struct named_diff *d, size_t i, int side, size_t field)
{
	size_t row = side ? d->pairs[i].b : d->pairs[i].a;
	return row == NAMED_ABSENT ? (double)NAN : named_values(d->lists[side], row)[field];
}

static void put_side(const struct named_diff *d, size_t i, int side, struct json *j)
{
	struct named_kind kind = named_kind(d->group);
	char key[40];
	json_key(j, side ? "b" : "a");
	if ((side ? d->pairs[i].b : d->pairs[i].a) == NAMED_ABSENT) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	for (size_t f = 0; f < kind.n_fields; f++) {
		snprintf(key, sizeof key, "%s%s", kind.fields[f].key, unit_suffix(kind.fields[f].unit));
		json_key(j, key);
		figures_json_value(j, kind.fields[f].unit, named_diff_value(d, i, side, f));
	}
	json_close(j, '}');
}

void named_diff_json(const struct named_diff *d, size_t most, struct json *j)
{
	json_put_open(j, named_kind(d->group).list, '[');
	for (size_t i = 0; i < d->n && i < most; i++) {
		json_open(j, '{');
		json_put_str(j, "name", name_of(d, i));
		put_side(d, i, 0, j);
		put_side(d, i, 1, j);
		json_close(j, '}');
	}
	json_close(j, ']');
}
