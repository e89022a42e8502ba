#include "report/figure_name.h"

#include "base/nearest.h"

#include <math.h>

static bool starts(struct evl_str text, const char *prefix)
{
	size_t len = strlen(prefix);
	return text.len > len && memcmp(text.p, prefix, len) == 0 && text.p[len] == '.';
}

/* PREFIX.NAME.FIELD; the name may hold dots. */
static void parse_named(struct figure_name *out, enum named_group group)
{
	struct named_kind kind = named_kind(group);
	size_t skip = strlen(kind.prefix) + 1;
	struct evl_str rest = {out->text.p + skip, out->text.len - skip};
	size_t dot = rest.len;
	while (dot > 0 && rest.p[dot - 1] != '.')
		dot--;
	if (dot == 0)
		return;
	out->group = (int)group;
	out->name = (struct evl_str){rest.p, dot - 1};
	out->field = named_field_at(&kind, (struct evl_str){rest.p + dot, rest.len - dot});
	if (out->field < 0)
		return;
	out->unit = kind.fields[out->field].unit;
	out->sense = kind.fields[out->field].sense;
}

bool figure_name_parse(struct evl_str text, struct figure_name *out)
{
	*out = (struct figure_name){.text = text, .metric = metric_find(text), .group = -1, .field = -1};
	if (out->metric != METRICS) {
		out->unit = metric_info(out->metric)->unit;
		out->sense = metric_info(out->metric)->sense;
		return true;
	}
	for (int g = 0; g < NAMED_GROUPS && out->group < 0; g++)
		if (starts(text, named_kind((enum named_group)g).prefix))
			parse_named(out, (enum named_group)g);
	return out->field >= 0;
}

unsigned figure_name_groups(const struct figure_name *name) { return name->group < 0 ? 0 : 1u << name->group; }

bool figure_name_is_deep(const struct figure_name *name)
{
	if (name->metric != METRICS)
		return metric_is_deep(name->metric);
	return name->group >= 0 && name->group != NAMED_BANDS && name->group != NAMED_CENTRES;
}

double figure_name_value(const struct figure_name *name, const struct figures *f, const struct named *named)
{
	if (name->metric != METRICS)
		return f->values[name->metric];
	if (name->field < 0)
		return (double)NAN;
	const struct named_list *l = &named->groups[name->group];
	size_t row = named_find(l, name->name);
	return row == SIZE_MAX ? (double)NAN : named_values(l, row)[name->field];
}

/* --- the nearest names -------------------------------------------------------------------------------------------- */

static void put_comma(struct buf *out)
{
	if (out->len)
		buf_lit(out, ", ");
}

static void put_name(struct buf *out, const char *prefix, struct evl_str name, struct evl_str field)
{
	put_comma(out);
	buf_cstr(out, prefix);
	buf_char(out, '.');
	buf_str(out, name);
	buf_char(out, '.');
	buf_str(out, field);
}

/* The fields that are most like the one asked for, of the same thing; where none is, the first ones. */
static void near_fields(const struct figure_name *name, struct buf *out)
{
	struct named_kind kind = named_kind((enum named_group)name->group);
	const uint8_t *end = name->text.p + name->text.len, *from = name->name.p + name->name.len + 1;
	struct nearest near = {.wanted = {from, (size_t)(end - from)}};
	for (size_t i = 0; i < kind.n_fields; i++)
		nearest_offer(&near, str_of(kind.fields[i].name));
	for (size_t i = 0; near.n == 0 && i < NEAREST_MOST && i < kind.n_fields; i++)
		put_name(out, kind.prefix, name->name, str_of(kind.fields[i].name));
	for (size_t i = 0; i < near.n; i++)
		put_name(out, kind.prefix, name->name, near.names[i]);
}

/* The names of the group that are most like the one asked for; where none is, the first ones. */
static void near_names(const struct figure_name *name, const struct named *named, struct buf *out)
{
	struct named_kind kind = named_kind((enum named_group)name->group);
	const struct named_list *l = &named->groups[name->group];
	struct nearest near = {.wanted = name->name};
	for (size_t i = 0; i < l->n; i++)
		if (!isnan(named_values(l, i)[name->field]))
			nearest_offer(&near, named_name(l, i));
	for (size_t i = 0, any = near.n; any == 0 && i < l->n && near.n < NEAREST_MOST; i++)
		if (!isnan(named_values(l, i)[name->field]))
			near.names[near.n++] = named_name(l, i);
	for (size_t i = 0; i < near.n; i++)
		put_name(out, kind.prefix, near.names[i], str_of(kind.fields[name->field].name));
}

static void near_metrics(const struct figure_name *name, const struct figures *f, struct buf *out)
{
	struct nearest near = {.wanted = name->text};
	for (int m = 0; m < METRICS; m++)
		if ((int)name->metric != m && (!f || !isnan(f->values[m])))
			nearest_offer(&near, str_of(metric_info((enum metric)m)->name));
	for (size_t i = 0; i < near.n; i++) {
		put_comma(out);
		buf_str(out, near.names[i]);
	}
}

void figure_name_near(
	const struct figure_name *name, const struct figures *f, const struct named *named, struct buf *out)
{
	if (name->group < 0)
		near_metrics(name, f, out);
	else if (name->field < 0)
		near_fields(name, out);
	else if (named)
		near_names(name, named, out);
}
