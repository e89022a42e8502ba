#include "report/check.h"

#include <math.h>

/* --- user spans --------------------------------------------------------------------------------------------------- */

static double total_of(const struct span_name *s) { return (double)s->total; }
static double net_of(const struct span_name *s) { return (double)(s->total - s->paused); }
static double gc_of(const struct span_name *s) { return (double)s->paused; }
static double n_of(const struct span_name *s) { return (double)s->n; }

static double if_finished(const struct span_name *s, uint64_t value)
{
	return s->n > s->unfinished ? (double)value : (double)NAN;
}

static double mean_of(const struct span_name *s)
{
	uint64_t n = s->n - s->unfinished;
	return if_finished(s, n ? s->finished / n : 0);
}

static double p50_of(const struct span_name *s) { return if_finished(s, s->p50); }
static double p90_of(const struct span_name *s) { return if_finished(s, s->p90); }
static double p99_of(const struct span_name *s) { return if_finished(s, s->p99); }
static double max_of(const struct span_name *s) { return if_finished(s, s->max); }

static const struct field {
	const char *name;
	enum unit unit;
	double (*of)(const struct span_name *s);
} fields[] = {{"n", UNIT_COUNT, n_of}, {"total", UNIT_NS, total_of}, {"net", UNIT_NS, net_of}, {"gc", UNIT_NS, gc_of},
	{"gc_share", UNIT_SHARE, span_name_gc_share}, {"mean", UNIT_NS, mean_of}, {"p50", UNIT_NS, p50_of},
	{"p90", UNIT_NS, p90_of}, {"p99", UNIT_NS, p99_of}, {"max", UNIT_NS, max_of}};

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
	return c->metric >= METRIC_THREADS_RUNNABLE && c->metric <= METRIC_THREADS_LATENCY_MAX;
}

static double value_of(const struct check *c, const struct figures *f)
{
	if (c->metric != METRICS)
		return f->values[c->metric];
	for (size_t i = 0; i < f->spans.n; i++) {
		const struct span_name *s = &f->spans.items[i];
		if (s->name.len == c->span.len && memcmp(s->name.p, c->span.p, c->span.len) == 0)
			return fields[c->field].of(s);
	}
	return (double)NAN;
}

enum check_result check_run(const struct check *c, const struct figures *f, double *is)
{
	*is = value_of(c, f);
	if (isnan(*is))
		return CHECK_UNKNOWN;
	return compare(*is, c->op, c->value) ? CHECK_BROKEN : CHECK_HOLDS;
}
