/* report_check.c - evtui check: bounds on figures. */
#include "cli/report.h"

#include "cli/inputs.h"
#include "draw/say.h"
#include "gate/check.h"
#include "report/findings.h"
#include "statistics/mann_whitney.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* All that is known before the log is opened. */
struct gate {
	struct check *items;
	size_t n, room;
	char *file; /* the text of --bounds: the bounds of it are pieces */
	struct inputs baseline;
	bool deep, relative;
	unsigned groups;
};

static struct gate gate; /* of this process: made by report_check_prepare */

static int add_bound(const char *text, const char *from)
{
	struct evl_err err = {0};
	char said[64 + 8192];
	if (!GROW(gate.items, gate.n, gate.room)) {
		say_error("check: %s", evl_strerror(EVL_NOMEM));
		return EXIT_FAILURE;
	}
	struct check *c = &gate.items[gate.n];
	if (check_parse(c, text, gate.baseline.n > 0, &err) < 0) {
		snprintf(said, sizeof said, "%.8000s: ", from);
		return options_fail(said, err.text);
	}
	gate.n++;
	gate.deep = gate.deep || figure_name_is_deep(&c->name);
	gate.relative = gate.relative || c->relative;
	gate.groups |= figure_name_groups(&c->name);
	return 0;
}

/* Cut a comment: "#" at the start of the line or after a blank; and blanks at the ends. */
static char *strip(char *line)
{
	for (char *p = line; *p; p++)
		if (*p == '#' && (p == line || p[-1] == ' ' || p[-1] == '\t'))
			*p = '\0';
	line += strspn(line, " \t");
	for (char *end = line + strlen(line); end > line && strchr(" \t\r", end[-1]);)
		*--end = '\0';
	return line;
}

static int read_bounds(const char *path)
{
	size_t before = gate.n;
	char where[8192];
	gate.file = report_text(path, "too long for a file of conditions");
	if (!gate.file)
		return EXIT_FAILURE;
	int status = 0;
	char *next = gate.file;
	for (unsigned number = 1; next && status == 0; number++) {
		char *line = next;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line = strip(line);
		snprintf(where, sizeof where, "%.8000s: line %u", path, number);
		status = *line ? add_bound(line, where) : 0;
	}
	if (status == 0 && gate.n == before) {
		snprintf(where, sizeof where, "%.8000s: no conditions in this file", path);
		return options_refuse(where, "");
	}
	return status;
}

static int prepare(struct options *o)
{
	int status = o->baseline ? inputs_add(&gate.baseline, o->baseline) : 0;
	if (status == 0 && o->fail_if.n == 0 && !o->bounds)
		return options_refuse("check: no --fail-if and no --bounds given", "");
	if (status == 0 && o->json && o->markdown)
		return options_refuse("check: --json and --markdown exclude each other", "");
	for (size_t i = 0; i < o->fail_if.n && status == 0; i++)
		status = add_bound(o->fail_if.items[i], "--fail-if");
	if (status == 0 && o->bounds)
		status = read_bounds(o->bounds);
	o->further = (const char *const *)gate.baseline.paths;
	o->n_further = gate.baseline.n;
	return status;
}

static void free_gate(void)
{
	free_all(gate.items, gate.file);
	inputs_free(&gate.baseline);
	gate = (struct gate){0};
}

int report_check_prepare(struct options *o)
{
	int status = prepare(o);
	if (status)
		free_gate();
	return status;
}

/* --- metrics ------------------------------------------------------------------------------------------------------ */

struct measured {
	struct figures figures;
	struct named named;
};

/* 0, a code, or EVL_USAGE: that was said, and is wrong usage. */
static int measure(struct measured *m, const struct evl_log *log, const struct options *o)
{
	struct findings findings = {0};
	struct range range;
	if (report_range(log, o, true, &range) != 0)
		return EVL_USAGE;
	const struct progress work = report_work("computing");
	int result = figures_make(&m->figures, log,
		&(struct figures_ask){.from = range.from, .to = range.to, .deep = gate.deep, .watch = &work});
	if (result == 0) {
		findings_make(&findings, log, &m->figures);
		result = named_make(&m->named, log, &m->figures, gate.groups, &work);
		if (result < 0)
			figures_free(&m->figures);
	}
	report_work_over();
	return result;
}

static void free_measured(struct measured *m)
{
	named_free(&m->named);
	figures_free(&m->figures);
}

static int fail(const struct evl_log *log, int result)
{
	return result == EVL_USAGE ? EXIT_USAGE : report_fail(log, result);
}

/* The values of all relative bounds in all runs of the baseline: values[bound * runs + run]. */
static int measure_baseline(double *values, const struct options *o)
{
	for (size_t run = 0; run < gate.baseline.n; run++) {
		struct measured m;
		struct evl_log *log = inputs_open(gate.baseline.paths[run], -1, o);
		if (!log)
			return EXIT_FAILURE;
		int result = measure(&m, log, o), status = result < 0 ? fail(log, result) : 0;
		for (size_t i = 0; i < gate.n && status == 0; i++)
			values[i * gate.baseline.n + run] =
				figure_name_value(&gate.items[i].name, &m.figures, &m.named);
		if (status == 0)
			free_measured(&m);
		evl_close(log);
		if (status)
			return status;
	}
	return 0;
}

/* The median of each bound's metric; unknown where it is not known in all runs. */
static int baseline_medians(double *medians, const struct options *o)
{
	for (size_t i = 0; i < gate.n; i++)
		medians[i] = (double)NAN;
	if (!gate.relative)
		return 0;
	double *values = calloc(gate.n * gate.baseline.n + 1, sizeof *values);
	if (!values) {
		say_error("%s: %s", o->baseline, evl_strerror(EVL_NOMEM));
		return EXIT_FAILURE;
	}
	int status = measure_baseline(values, o);
	for (size_t i = 0; i < gate.n && status == 0; i++) {
		bool known = gate.items[i].relative;
		for (size_t run = 0; run < gate.baseline.n; run++)
			known = known && !isnan(values[i * gate.baseline.n + run]);
		if (known)
			medians[i] = median_of(values + i * gate.baseline.n, gate.baseline.n);
	}
	free(values);
	return status;
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

static void say_broken(const struct check *c, const struct check_result *r, struct out *out)
{
	char line[1024];
	int len = snprintf(line, sizeof line, "%.400s: %.*s is %s", c->text, (int)min_u64(c->name.text.len, 400),
		(const char *)c->name.text.p, as_value(c->name.unit, r->is));
	if (c->relative)
		len += snprintf(line + len, sizeof line - (size_t)len, ", %.1f %% of %s", 100 * r->is / r->baseline,
			as_value(c->name.unit, r->baseline));
	out_put(out, line, (size_t)len);
	out_put(out, "\n", 1);
}

static int put_forms(const struct checks *c, const struct options *o, struct out *out)
{
	struct buf text = {0};
	struct evl_err err;
	int status = 0;
	if (o->json)
		checks_json(c, &text);
	else if (o->markdown)
		checks_markdown(c, &text);
	for (size_t i = 0; i < c->n && !o->json && !o->markdown; i++)
		if (c->results[i].outcome == CHECK_BROKEN)
			say_broken(&c->items[i], &c->results[i], out);
	bool failed = out_text(out, &text) < 0;
	if (o->file) {
		checks_junit(c, &text);
		atomic_file_put(o->file, text.p, text.len);
		if (!text.failed && atomic_file_end(o->file, true, &err) < 0)
			status = report_err(&err);
	}
	if (failed || text.failed) {
		say_error("%s: %s", c->log, evl_strerror(EVL_NOMEM));
		status = EXIT_FAILURE;
	}
	buf_free(&text);
	return status;
}

static int status_of(const struct checks *c)
{
	bool broken = false, unknown = false;
	for (size_t i = 0; i < c->n; i++) {
		broken = broken || c->results[i].outcome == CHECK_BROKEN;
		unknown = unknown || c->results[i].outcome == CHECK_UNKNOWN;
	}
	return unknown && !c->allow_unknown ? EXIT_USAGE : broken ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Judge all bounds, and say it. */
static int judge(const struct evl_log *log, const struct options *o, const struct measured *m, const double *medians)
{
	struct check_result *results = calloc(gate.n, sizeof *results);
	struct evl_str *reasons = calloc(gate.n, sizeof *reasons);
	struct buf *texts = calloc(gate.n, sizeof *texts), note = {0};
	struct out out = out_open();
	int status = EXIT_FAILURE;
	if (!results || !reasons || !texts) {
		report_fail(log, EVL_NOMEM);
		if (o->file)
			atomic_file_end(o->file, false, NULL);
		goto done;
	}
	for (size_t i = 0; i < gate.n; i++) {
		const struct check *c = &gate.items[i];
		results[i] = check_run(c, &m->figures, &m->named, medians[i]);
		if (results[i].outcome != CHECK_UNKNOWN)
			continue;
		check_explain(c, &results[i], log, &m->figures, &m->named, &texts[i]);
		reasons[i] = (struct evl_str){(const uint8_t *)texts[i].p, texts[i].len};
		if (!o->allow_unknown)
			say_error("%s: %.*s", c->exists ? log->path : "check", (int)texts[i].len,
				texts[i].p ? texts[i].p : "");
	}
	struct checks all = {.items = gate.items,
		.results = results,
		.reasons = reasons,
		.n = gate.n,
		.log = log->path,
		.baseline = o->baseline,
		.allow_unknown = o->allow_unknown,
		.complete_until = evl_complete_until(log) < m->figures.to ? evl_complete_until(log) : UINT64_MAX};
	checks_incomplete(&all, &note);
	if (note.len)
		say_error("%s: %.*s", log->path, (int)note.len, note.p);
	int failed = put_forms(&all, o, &out);
	status = out_status(&out);
	status = failed ? failed : status ? status : status_of(&all);
done:
	for (size_t i = 0; texts && i < gate.n; i++)
		buf_free(&texts[i]);
	buf_free(&note);
	free_all(texts, reasons, results);
	return status;
}

int report_check(struct evl_log *log, const struct options *o)
{
	struct measured m;
	double *medians = calloc(gate.n ? gate.n : 1, sizeof *medians);
	int result = medians ? report_walk_named(log, o) : EVL_NOMEM;
	int status = result < 0 ? report_fail(log, result) : baseline_medians(medians, o);
	if (status == 0) {
		assert(medians);
		result = measure(&m, log, o);
		status = result < 0 ? fail(log, result) : judge(log, o, &m, medians);
		if (result == 0)
			free_measured(&m);
		else if (o->file)
			atomic_file_end(o->file, false, NULL);
	} else if (o->file) {
		atomic_file_end(o->file, false, NULL);
	}
	free(medians);
	free_gate();
	return status;
}
