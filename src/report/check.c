#include "report/check.h"

#include <math.h>

/* --- user spans --------------------------------------------------------------------------------------------------- */

static double if_finished(const struct span_name *s, uint64_t value)
{
	return s->n > s->unfinished ? (double)value : (double)NAN;
}

#define FIELD(name, value)                                                                                             \
	static double name##_of(const struct span_name *s) { return value; }
FIELD(n, (double)s->n)
FIELD(unfinished, (double)s->unfinished)
FIELD(crossed, (double)s->crossed)
FIELD(total, (double)s->total)
FIELD(net, (double)(s->total - s->paused))
FIELD(mean, if_finished(s, s->n > s->unfinished ? s->finished / (s->n - s->unfinished) : 0))
FIELD(p50, if_finished(s, s->p50))
FIELD(p90, if_finished(s, s->p90))
FIELD(p99, if_finished(s, s->p99))
FIELD(max, if_finished(s, s->max))
#define X(part) FIELD(part, (double)s->budget.part)
SPAN_PARTS(X)
#undef X
FIELD(unknown, (double)span_budget_unknown(&s->budget, s->total))

static const struct field {
	const char *name;
	enum unit unit;
	double (*of)(const struct span_name *s);
	bool deep;
} fields[] = {{"n", UNIT_COUNT, n_of, false}, {"unfinished", UNIT_COUNT, unfinished_of, false},
	{"crossed", UNIT_COUNT, crossed_of, false}, {"total", UNIT_NS, total_of, false},
	{"net", UNIT_NS, net_of, false}, {"gc_share", UNIT_SHARE, span_name_gc_share, false},
	{"mean", UNIT_NS, mean_of, false}, {"p50", UNIT_NS, p50_of, false}, {"p90", UNIT_NS, p90_of, false},
	{"p99", UNIT_NS, p99_of, false}, {"max", UNIT_NS, max_of, false},
#define X(part) {#part, UNIT_NS, part##_of, true},
	SPAN_PARTS(X)
#undef X
		{"unknown", UNIT_NS, unknown_of, true}};

static int field_named(struct evl_str name)
{
	for (size_t i = 0; i < countof(fields); i++)
		if (strlen(fields[i].name) == name.len && memcmp(fields[i].name, name.p, name.len) == 0)
			return (int)i;
	return -1;
}

/* spans.NAME.FIELD; the name may hold dots. */
static bool parse_span(struct check *c)
{
	static const struct evl_str prefix = {(const uint8_t *)"spans.", 6};
	struct evl_str name = c->name;
	if (name.len <= prefix.len || memcmp(name.p, prefix.p, prefix.len) != 0)
		return false;
	name = (struct evl_str){name.p + prefix.len, name.len - prefix.len};
	size_t dot = name.len;
	while (dot > 0 && name.p[dot - 1] != '.')
		dot--;
	if (dot < 2)
		return false;
	c->span = (struct evl_str){name.p, dot - 1};
	c->field = field_named((struct evl_str){name.p + dot, name.len - dot});
	if (c->field >= 0)
		c->unit = fields[c->field].unit;
	return c->field >= 0;
}

/* --- expressions -------------------------------------------------------------------------------------------------- */

static int refuse_name(const struct check *c, struct evl_err *err)
{
	const char *like = metric_like(c->name);
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "no figure is called %.*s%s%s%s", (int)min_u64(c->name.len, 60),
		(const char *)c->name.p, like ? "; did you mean " : "", like ? like : "", like ? "?" : "");
}

int check_parse(struct check *c, const char *text, struct evl_err *err)
{
	struct compare_parts parts;
	*c = (struct check){.text = text, .field = -1};
	if (!compare_split((struct evl_str){(const uint8_t *)text, strlen(text)}, &parts))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "not a bound such as gc.pause.p99>20ms: %.60s", text);
	c->name = parts.name;
	c->op = parts.op;
	c->metric = metric_find(parts.name);
	if (c->metric != METRICS)
		c->unit = metric_info(c->metric)->unit;
	else if (!parse_span(c))
		return refuse_name(c, err);
	return unit_parse(c->unit, parts.value, &c->value, err);
}

bool check_is_deep(const struct check *c)
{
	if (c->field >= 0)
		return fields[c->field].deep;
	return c->metric >= METRIC_THREADS_RUNNABLE && c->metric <= METRIC_CONCURRENCY_GC;
}

static const struct span_name *span_named(const struct span_stats *s, struct evl_str name)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->items[i].name.len == name.len && memcmp(s->items[i].name.p, name.p, name.len) == 0)
			return &s->items[i];
	return NULL;
}

static double value_of(const struct check *c, const struct figures *f)
{
	if (c->metric != METRICS)
		return f->values[c->metric];
	const struct span_name *span = span_named(&f->spans, c->span);
	span = span ? span : span_named(&f->span_labels, c->span);
	if (!span || (fields[c->field].deep && !f->deep))
		return (double)NAN;
	return fields[c->field].of(span);
}

enum check_result check_run(const struct check *c, const struct figures *f, double *is)
{
	*is = value_of(c, f);
	if (isnan(*is))
		return CHECK_UNKNOWN;
	return compare(*is, c->op, c->value) ? CHECK_BROKEN : CHECK_HOLDS;
}
