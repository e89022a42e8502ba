/* report_check.c - evtui check: bounds on figures. */
#include "cli/report.h"

#include "draw/say.h"
#include "draw/text.h"
#include "report/check.h"
#include "report/figures.h"
#include "report/findings.h"

#include <stdlib.h>

/* 0 or the exit status. */
static int parse_bounds(const struct options *o, struct check *checks, bool *deep)
{
	struct evl_err err = {0};
	if (o->n_fail_if == 0)
		return options_refuse("check: no --fail-if given", "");
	for (int i = 0; i < o->n_fail_if; i++) {
		if (check_parse(&checks[i], o->fail_if[i], &err) < 0)
			return options_refuse("--fail-if: ", err.text);
		*deep = *deep || check_is_deep(&checks[i]);
	}
	return 0;
}

/* One line a broken bound; how many are broken. */
static int judge(const struct evl_log *log, const struct check *checks, int n, const struct figures *f, struct out *out)
{
	int broken = 0;
	for (int i = 0; i < n; i++) {
		const struct check *c = &checks[i];
		double is;
		char value[TEXT_ROOM], line[512];
		enum check_result result = check_run(c, f, &is);
		if (result == CHECK_UNKNOWN)
			say_error("%s: %.*s is not known", log->path, (int)min_u64(c->name.len, 200),
				(const char *)c->name.p);
		if (result != CHECK_BROKEN)
			continue;
		broken++;
		int len = snprintf(line, sizeof line, "%.200s: %.*s is %s\n", c->text, (int)min_u64(c->name.len, 200),
			(const char *)c->name.p, text_value(value, c->unit, is));
		out_put(out, line, (size_t)len);
	}
	return broken;
}

int report_check(struct evl_log *log, const struct options *o)
{
	struct check checks[MAX_BOUNDS];
	struct figures figures;
	struct findings findings;
	struct range range;
	struct out out = out_open();
	bool deep = false;
	int status = parse_bounds(o, checks, &deep);
	int result = status ? 0 : report_walk(log);
	if (result < 0)
		return report_fail(log, result);
	status = status ? status : report_range(log, o, true, &range);
	if (status)
		return status;
	result = figures_make(&figures, log, &(struct figures_ask){.from = range.from, .to = range.to, .deep = deep});
	if (result < 0)
		return report_fail(log, result);
	findings_make(&findings, log, &figures);
	int broken = judge(log, checks, o->n_fail_if, &figures, &out);
	figures_free(&figures);
	status = out_status(&out);
	return status ? status : broken ? EXIT_FAILURE : EXIT_SUCCESS;
}
