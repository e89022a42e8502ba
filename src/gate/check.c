#include "gate/check.h"

#include "gate/junit.h"
#include "gate/markdown.h"
#include "report/abilities.h"
#include "report/stats_json.h"

#include <math.h>

/* --- expressions -------------------------------------------------------------------------------------------------- */

static bool is_sign(uint8_t c) { return c == '<' || c == '>' || c == '=' || c == '!'; }

/* Split at the last operator: names may hold some (M.>>=). */
static bool split(struct evl_str text, struct compare_parts *out)
{
	size_t end = text.len;
	while (end > 0 && !is_sign(text.p[end - 1]))
		end--;
	size_t at = end;
	if (at > 0)
		at -= at > 1 && text.p[at - 1] == '=' && is_sign(text.p[at - 2]) ? 2 : 1;
	struct compare_parts name = {.name = {text.p, at}};
	if (!compare_split((struct evl_str){text.p + at, text.len - at}, out))
		return false;
	while (name.name.len && name.name.p[0] == ' ')
		name.name = (struct evl_str){name.name.p + 1, name.name.len - 1};
	while (name.name.len && name.name.p[name.name.len - 1] == ' ')
		name.name.len--;
	out->name = name.name;
	return name.name.len > 0 && out->value.len > 0;
}

static int parse_value(struct check *c, struct evl_str value, bool relative, struct evl_err *err)
{
	bool percent = value.len && value.p[value.len - 1] == '%';
	enum unit unit = c->exists ? c->name.unit : UNIT_NUMBER;
	c->relative = relative && percent;
	if (c->relative)
		return unit_parse(UNIT_SHARE, value, &c->value, err);
	if (percent && c->exists && unit != UNIT_SHARE)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "a percentage of %.60s needs --baseline: \"%.60s\"",
			unit_name(unit), c->text);
	return c->exists ? unit_parse(unit, value, &c->value, err) : 0;
}

int check_parse(struct check *c, const char *text, bool relative, struct evl_err *err)
{
	struct compare_parts parts;
	*c = (struct check){.text = text};
	if (!split(str_of(text), &parts))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET,
			"invalid condition \"%.60s\" (use METRIC OP VALUE, such as gc.pause.p99>20ms)", text);
	c->op = parts.op;
	c->exists = figure_name_parse(parts.name, &c->name);
	return parse_value(c, parts.value, relative, err);
}

/* --- results ------------------------------------------------------------------------------------------------------ */

struct check_result check_run(
	const struct check *c, const struct figures *f, const struct named *named, double baseline)
{
	struct check_result r = {CHECK_UNKNOWN, (double)NAN, baseline, (double)NAN};
	if (!c->exists)
		return r;
	r.is = figure_name_value(&c->name, f, named);
	r.limit = c->relative ? c->value * baseline : c->value;
	if (!isnan(r.is) && !isnan(r.limit))
		r.outcome = compare(r.is, c->op, r.limit) ? CHECK_BROKEN : CHECK_HOLDS;
	return r;
}

/* The flag that records it; "" where none does, or where there are others of its kind. */
static const char *flag_of(const struct check *c, const struct named *named)
{
	if (!c->exists || (c->name.metric == METRICS && named->groups[c->name.group].n))
		return "";
	return c->name.metric != METRICS ? metric_info(c->name.metric)->flag
					 : named_kind((enum named_group)c->name.group).flag;
}

static bool is_part(const struct evl_log *log, const struct figures *f)
{
	uint64_t first, last;
	return f->windows.label || !evl_range(log, &first, &last) || f->from > first || f->to < last;
}

/* Without a value: not recorded, none in a range of what was, or unknown for another reason. */
static void say_absent(const struct evl_log *log, const struct figures *f, const char *flag, struct buf *out)
{
	bool sparks = strcmp(flag, "-lp") == 0 || strcmp(flag, "-lf") == 0,
	     helps = *flag && absence_flag_helps(log, flag);
	if (sparks && !absence_seen(log, ABSENCE_SPARKS))
		buf_printf(out, " is unknown: %s", absence_text(log, ABSENCE_SPARKS));
	else if (helps)
		buf_printf(out, " is unknown in this log (recorded by +RTS %s)", flag);
	else if (is_part(log, f))
		buf_printf(out, " is unknown: %s", absence_by_flag(log, flag));
	else
		buf_lit(out, " is unknown in this log");
}

void check_explain(const struct check *c, const struct check_result *r, const struct evl_log *log,
	const struct figures *f, const struct named *named, struct buf *out)
{
	enum { SHOWN = 120 };
	struct buf near = {0};
	struct evl_str text = c->name.text;
	const char *flag = flag_of(c, named);
	text.len = text.len < SHOWN ? text.len : SHOWN;
	figure_name_near(&c->name, f, named, &near);
	if (!c->exists)
		buf_lit(out, "unknown metric \"");
	buf_str(out, text);
	if (!c->exists)
		buf_lit(out, "\"");
	else if (!isnan(r->is))
		buf_lit(out, " is unknown in the baseline");
	else
		say_absent(log, f, flag, out);
	if (near.len && (!c->exists || isnan(r->is))) {
		buf_lit(out, "; nearest: ");
		buf_put(out, near.p, near.len);
	}
	out->failed = out->failed || near.failed;
	buf_free(&near);
}

/* --- forms -------------------------------------------------------------------------------------------------------- */

static const char *const outcomes[] = {[CHECK_HOLDS] = "holds", [CHECK_BROKEN] = "broken", [CHECK_UNKNOWN] = "unknown"};
static const char *const operators[] = {
	[OP_LT] = "<", [OP_LE] = "<=", [OP_GT] = ">", [OP_GE] = ">=", [OP_EQ] = "=", [OP_NE] = "!="};

static size_t count(const struct checks *c, enum check_outcome outcome)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		n += c->results[i].outcome == outcome;
	return n;
}

static void put_path(struct json *j, const char *key, const char *path)
{
	json_put_text(j, key, path ? str_of(path) : (struct evl_str){0});
}

static void put_value(struct json *j, const char *key, const struct check *c, double value)
{
	json_key(j, key);
	figures_json_value(j, c->name.unit, value);
}

void checks_incomplete(const struct checks *c, struct buf *out)
{
	if (c->complete_until != UINT64_MAX)
		buf_printf(out,
			"complete until %s: later events are missing, and threads that ran last are taken to run "
			"until the end, so values may be bounds",
			as_value(UNIT_MOMENT, (double)c->complete_until));
}

void checks_json(const struct checks *c, struct buf *out)
{
	struct json j = {out, false};
	json_open(&j, '{');
	json_put_u64(&j, "schema", 1);
	put_path(&j, "log", c->log);
	put_path(&j, "baseline", c->baseline);
	json_put_known(&j, "complete_until_ns", c->complete_until != UINT64_MAX, c->complete_until);
	json_put_open(&j, "bounds", '[');
	for (size_t i = 0; i < c->n; i++) {
		const struct check *x = &c->items[i];
		const struct check_result *r = &c->results[i];
		json_open(&j, '{');
		json_put_text(&j, "bound", str_of(x->text));
		json_put_text(&j, "name", x->name.text);
		json_put_text(&j, "unit", x->exists ? str_of(unit_name(x->name.unit)) : (struct evl_str){0});
		json_put_text(&j, "op", str_of(operators[x->op]));
		put_value(&j, "value", x, r->is);
		put_value(&j, "limit", x, r->limit);
		put_value(&j, "baseline", x, r->baseline);
		json_put_text(&j, "result", str_of(outcomes[r->outcome]));
		json_put_text(&j, "reason", c->reasons[i]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_put_u64(&j, "broken", count(c, CHECK_BROKEN));
	json_put_u64(&j, "unknown", count(c, CHECK_UNKNOWN));
	json_close(&j, '}');
	buf_char(out, '\n');
}

/* "3.19 ms", or "unknown"; of what is relative also what that is a share of. */
static void put_limit(struct buf *out, const struct check *c, const struct check_result *r)
{
	buf_printf(out, "%s %s", operators[c->op], c->exists ? as_value(c->name.unit, r->limit) : "unknown");
	if (c->relative)
		buf_printf(out, " (%g %% of %s)", c->value * 100, as_value(c->name.unit, r->baseline));
}

void checks_markdown(const struct checks *c, struct buf *out)
{
	static const char *const marks[] = {
		[CHECK_HOLDS] = "holds", [CHECK_BROKEN] = "**broken**", [CHECK_UNKNOWN] = "**unknown**"};
	buf_lit(out, "| Metric | Value | Fails if | Result |\n|---|---:|---:|---|\n");
	for (size_t i = 0; i < c->n; i++) {
		const struct check *x = &c->items[i];
		buf_lit(out, "| ");
		markdown_code(out, x->name.text);
		buf_printf(out, " | %s | ", x->exists ? as_value(x->name.unit, c->results[i].is) : "unknown");
		put_limit(out, x, &c->results[i]);
		buf_printf(out, " | %s |\n", marks[c->results[i].outcome]);
	}
	if (c->complete_until == UINT64_MAX)
		return;
	buf_lit(out, "\nThe log is ");
	checks_incomplete(c, out);
	buf_lit(out, ".\n");
}

void checks_junit(const struct checks *c, struct buf *out)
{
	struct junit junit;
	struct buf message = {0};
	junit_begin(&junit, out, "evtui check", c->n, count(c, CHECK_BROKEN),
		c->allow_unknown ? 0 : count(c, CHECK_UNKNOWN), c->allow_unknown ? count(c, CHECK_UNKNOWN) : 0);
	for (size_t i = 0; i < c->n; i++) {
		const struct check *x = &c->items[i];
		const struct check_result *r = &c->results[i];
		enum junit_outcome outcome = r->outcome == CHECK_BROKEN ? JUNIT_FAILURE
			: r->outcome == CHECK_HOLDS                     ? JUNIT_PASSED
			: c->allow_unknown                              ? JUNIT_SKIPPED
									: JUNIT_ERROR;
		buf_clear(&message);
		if (r->outcome == CHECK_BROKEN) {
			buf_str(&message, x->name.text);
			buf_printf(&message, " is %s; fails if it is ", as_value(x->name.unit, r->is));
			put_limit(&message, x, r);
			if (c->complete_until != UINT64_MAX)
				buf_lit(&message, "; the log is ");
			checks_incomplete(c, &message);
		} else if (r->outcome == CHECK_UNKNOWN) {
			buf_str(&message, c->reasons[i]);
		}
		junit_case(&junit, str_of(c->log), str_of(x->text), outcome,
			(struct evl_str){(const uint8_t *)message.p, message.len});
	}
	junit_end(&junit);
	out->failed = out->failed || message.failed;
	buf_free(&message);
}
