/* report_compare.c - `evtui compare`: two sets of runs, or a series of runs in order, metric by metric. */
#include "cli/report.h"

#include "cli/inputs.h"
#include "cli/page.h"
#include "draw/say.h"
#include "gate/comparison.h"
#include "gate/run_series.h"
#include "report/findings.h"

#include <math.h>
#include <stdlib.h>

enum { SPANS_SHOWN = 10 }; /* names of spans that are compared unasked */

/* The metrics of --metrics main: those that most programs are judged by. */
static const char *const main_figures[] = {"time.total", "time.gc", "time.productivity", "gc.pause.total",
	"gc.pause.p50", "gc.pause.p99", "gc.pause.max", "gc.n", "heap.allocated", "heap.max_live",
	"threads.latency_wait.p99", "spans.*.p99"};

/* All that is known before the first log is opened. */
static struct {
	struct inputs inputs;
	size_t *sets; /* of each: 0 the base, 1 the head; of a series the step */
	char **steps; /* names of the steps of a series */
	size_t n_steps, room_steps, n_sets, room_sets;
	const char *patterns[METRICS + 2 * MAX_REPEATS];
	struct runs_patterns figures;
	char *words; /* what the names of --metrics are pieces of */
	bool unasked;
} plan;

static int no_memory(void)
{
	say_error("compare: %s", evl_strerror(EVL_NOMEM));
	return EXIT_FAILURE;
}

/* --- what is asked ------------------------------------------------------------------------------------------------ */

static bool is_pattern(const char *name) { return strpbrk(name, "*?[") != NULL; }

/* A name that is no pattern must be that of a figure. */
static int check_name(const char *option, const char *name)
{
	struct figure_name parsed;
	struct buf near = {0};
	char said[512];
	if (is_pattern(name) || figure_name_parse(str_of(name), &parsed))
		return 0;
	figure_name_near(&parsed, NULL, NULL, &near);
	snprintf(said, sizeof said, "--%s: unknown metric \"%.200s\"%s%.*s", option, name,
		near.len ? "; nearest: " : "", (int)min_u64(near.len, 200), near.p ? near.p : "");
	buf_free(&near);
	return options_refuse(said, "");
}

static int add_pattern(const char *option, const char *name)
{
	int status = check_name(option, name);
	if (status)
		return status;
	if (plan.figures.n == countof(plan.patterns))
		return options_refuse("too many names of metrics: ", name);
	plan.patterns[plan.figures.n++] = name;
	return 0;
}

/* "gc.pause.*,heap.max_live"; "main" */
static int add_names(char *words)
{
	int status = 0;
	for (char *word = words, *next; word && status == 0; word = next) {
		next = strchr(word, ',');
		if (next)
			*next++ = '\0';
		if (strcmp(word, "main") != 0)
			status = add_pattern("metrics", word);
		for (size_t i = 0; strcmp(word, "main") == 0 && status == 0 && i < countof(main_figures); i++)
			status = add_pattern("metrics", main_figures[i]);
	}
	return status;
}

static int choose_figures(const struct options *o)
{
	size_t len = 0;
	int status = 0;
	plan.figures.items = plan.patterns;
	plan.unasked = o->metrics.n == 0;
	for (size_t i = 0; i < o->metrics.n; i++)
		len += strlen(o->metrics.items[i]) + 1;
	plan.words = calloc(len + 1, 1);
	if (!plan.words)
		return no_memory();
	char *at = plan.words;
	for (size_t i = 0; i < o->metrics.n && status == 0; i++) {
		size_t size = strlen(o->metrics.items[i]) + 1;
		memcpy(at, o->metrics.items[i], size);
		status = add_names(at);
		at += size;
	}
	for (int m = 0; m < METRICS && plan.unasked; m++)
		plan.patterns[plan.figures.n++] = metric_info((enum metric)m)->name;
	if (plan.unasked)
		plan.patterns[plan.figures.n++] = "spans.*.p99";
	for (size_t i = 0; i < o->fail_if_worse.n && status == 0; i++)
		status = add_pattern("fail-if-worse", o->fail_if_worse.items[i]);
	return status;
}

/* --- which logs --------------------------------------------------------------------------------------------------- */

/* The logs that were added last are those of a set. */
static int mark_set(size_t set)
{
	for (; plan.n_sets < plan.inputs.n; plan.n_sets++) {
		if (!GROW(plan.sets, plan.n_sets, plan.room_sets))
			return no_memory();
		plan.sets[plan.n_sets] = set;
	}
	return 0;
}

static int find_sets(const struct options *o)
{
	if (o->base.n == 0 || o->head.n == 0)
		return options_refuse(o->base.n ? "compare: no --head given" : "compare: no --base given", "");
	int status = inputs_add_all(&plan.inputs, o->base.items, o->base.n);
	status = status ? status : mark_set(0);
	status = status ? status : inputs_add_all(&plan.inputs, o->head.items, o->head.n);
	return status ? status : mark_set(1);
}

static int add_step(const char *name, size_t before)
{
	char *copy = strdup(name);
	if (!copy || !GROW(plan.steps, plan.n_steps, plan.room_steps)) {
		free(copy);
		return no_memory();
	}
	plan.steps[plan.n_steps++] = copy;
	return plan.inputs.n > before ? mark_set(plan.n_steps - 1) : 0;
}

/* A step is a log, or all logs of a folder. */
static int find_steps(const struct options *o)
{
	struct inputs found = {0};
	int status = 0;
	for (size_t i = 0; i < o->series.n && status == 0; i++)
		status = inputs_list(&found, o->series.items[i]);
	for (size_t i = 0; i < found.n && status == 0; i++) {
		size_t before = plan.inputs.n;
		status = inputs_add(&plan.inputs, found.paths[i]);
		status = status ? status : add_step(found.paths[i], before);
	}
	inputs_free(&found);
	return status;
}

int report_compare_prepare(struct options *o)
{
	if (o->json && o->markdown)
		return options_refuse("compare: --json and --markdown exclude each other", "");
	if (o->series.n && (o->base.n || o->head.n))
		return options_refuse("compare: --series cannot be combined with --base and --head", "");
	if (o->series.n && o->junit)
		return options_refuse("compare: --junit takes --base and --head", "");
	int status = choose_figures(o);
	status = status ? status : o->series.n ? find_steps(o) : find_sets(o);
	o->further = (const char *const *)plan.inputs.paths;
	o->n_further = plan.inputs.n;
	return status;
}

static void free_plan(void)
{
	inputs_free(&plan.inputs);
	for (size_t i = 0; i < plan.n_steps; i++)
		free(plan.steps[i]);
	free_all(plan.steps, plan.sets, plan.words);
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

static int add_run(struct runs *runs, size_t set, const struct evl_log *log, const struct options *o)
{
	struct figures figures;
	struct findings findings = {0};
	struct named named;
	const struct progress work = report_work("computing");
	struct figures_ask ask = {
		.to = UINT64_MAX, .deep = o->all || figures_is_small(log, 0, UINT64_MAX), .watch = &work};
	int result = figures_make(&figures, log, &ask);
	if (result < 0)
		return result;
	findings_make(&findings, log, &figures);
	result = named_make(&named, log, &figures, runs_groups(&plan.figures), &work);
	if (result == 0) {
		if (plan.unasked)
			result = named_keep(&named.groups[NAMED_SPANS], NAMED_SPANS, SPANS_SHOWN);
		result = result ? result : runs_add(runs, set, &figures, &named, &plan.figures);
		named_free(&named);
	}
	figures_free(&figures);
	return result;
}

/* 0 or the exit status. */
static int measure(struct runs *runs, const struct options *o)
{
	for (size_t i = 0; i < plan.inputs.n; i++) {
		struct evl_log *log = inputs_open(plan.inputs.paths[i], -1, o);
		if (!log)
			return EXIT_FAILURE;
		int result = add_run(runs, plan.sets[i], log, o);
		int status = result < 0 ? report_fail(log, result) : 0;
		report_work_over();
		evl_close(log);
		if (status)
			return status;
	}
	if (runs->others)
		say_error("compare: %llu values of metrics after the first %d are left out",
			(unsigned long long)runs->others, RUNS_COLUMNS);
	return 0;
}

/* --- two sets ----------------------------------------------------------------------------------------------------- */

static void put_row(const struct page *p, const struct comparison_row *r)
{
	static const struct {
		const char *sign;
		enum ink ink;
	} signs[] = {[VERDICT_WORSE] = {"!", INK_RED},
		[VERDICT_BETTER] = {"+", INK_GREEN},
		[VERDICT_SAME] = {" ", INK_PLAIN},
		[VERDICT_TOO_FEW] = {"?", INK_PLAIN}};
	char t[COMPARISON_TEXT];
	bool neutral = r->differs && r->verdict == VERDICT_SAME;
	fputs("  ", p->out);
	page_inked(p, neutral ? INK_BOLD : signs[r->verdict].ink, neutral ? "*" : signs[r->verdict].sign);
	fputc(' ', p->out);
	page_text(p, str_of(r->figure->name));
	for (size_t n = strlen(r->figure->name); n < 30; n++)
		fputc(' ', p->out);
	page_cell(p, 10, text_value(t, r->figure->unit, r->base));
	page_cell(p, 10, text_value(t, r->figure->unit, r->head));
	page_cell(p, 20, comparison_by_text(r, t));
	page_cell(p, 28, comparison_interval_text(r, t));
	page_cell(p, 8, comparison_p_text(r->p_holm, t));
	page_cell(p, 10, isnan(r->smallest) ? "-" : text_value(t, r->figure->unit, r->smallest));
	fprintf(p->out, "  %s\n", neutral ? "differs" : verdict_name(r->verdict));
}

static void put_comparison(const struct page *p, const void *of)
{
	const struct comparison *c = of;
	fprintf(p->out,
		"%zu run%s against %zu, %zu metric%s: %zu worse, %zu better, %zu without a significant difference",
		c->n_base, c->n_base == 1 ? "" : "s", c->n_head, c->n, c->n == 1 ? "" : "s", c->count[VERDICT_WORSE],
		c->count[VERDICT_BETTER], c->count[VERDICT_SAME]);
	if (c->count[VERDICT_TOO_FEW])
		fprintf(p->out, ", %zu undecided", c->count[VERDICT_TOO_FEW]);
	fputc('\n', p->out);
	if (!c->enough)
		fprintf(p->out, "too few runs: this number of metrics needs at least %zu runs per side\n",
			comparison_least_runs(c->n));
	fprintf(p->out,
		"base, head: medians; difference: the median of the differences between any run of the head and any of "
		"the base, not that of the medians\np: Mann-Whitney, corrected over all metrics (Holm); detectable: "
		"the "
		"smallest difference that these runs could have shown\n\n    %-30s%12s%12s%22s%30s%10s%12s  verdict\n",
		"", "base", "head", "difference", "95 % interval", "p", "detectable");
	for (int v = 0; v < VERDICT_KINDS; v++)
		for (size_t i = 0; i < c->n; i++)
			if ((int)c->rows[i].verdict == v)
				put_row(p, &c->rows[i]);
	if (c->n_unknown)
		fputs("\nunknown in some runs:", p->out);
	for (size_t i = 0; i < c->n_unknown; i++) {
		fputs(i ? ", " : " ", p->out);
		page_text(p, (struct evl_str){(const uint8_t *)c->unknown[i]->name, strlen(c->unknown[i]->name)});
	}
	if (c->n_unknown)
		fputc('\n', p->out);
}

static bool put_text(
	void (*put)(const struct page *p, const void *of), const void *of, const struct options *o, struct out *out)
{
	struct page page;
	if (!page_open(&page, o))
		return false;
	put(&page, of);
	return page_end(&page, 0, out) == 0;
}

/* Print it, and write the file of JUnit. False: memory is out. */
static bool put_forms(const struct comparison *c, const struct options *o, struct out *out)
{
	struct buf text = {0};
	bool good = true;
	if (o->json)
		comparison_json(c, &text);
	else if (o->markdown)
		comparison_markdown(c, &text);
	else
		good = put_text(put_comparison, c, o, out);
	good = out_text(out, &text) == 0 && good;
	if (o->file) {
		comparison_junit(c, &text);
		atomic_file_put(o->file, text.p, text.len);
	}
	good = good && !text.failed;
	buf_free(&text);
	return good;
}

/* The status that --fail-if-worse asks for: a metric that is not known, or too few runs, cannot pass. */
static int judge(const struct comparison *c, const struct options *o)
{
	int status = 0;
	for (size_t k = 0; k < o->fail_if_worse.n; k++) {
		struct runs_patterns one = {&o->fail_if_worse.items[k], 1};
		size_t found = 0;
		for (size_t i = 0; i < c->n; i++) {
			if (!runs_match(&one, c->rows[i].figure->name))
				continue;
			found++;
			if (c->rows[i].verdict == VERDICT_WORSE && status == 0)
				status = EXIT_FAILURE;
		}
		if (found == 0) {
			say_error("--fail-if-worse: \"%s\" is unknown in some runs", one.items[0]);
			status = EXIT_USAGE;
		}
	}
	if (o->fail_if_worse.n && status != EXIT_USAGE && !c->enough) {
		say_error("--fail-if-worse: too few runs: %zu metrics need at least %zu runs per side", c->n,
			comparison_least_runs(c->n));
		status = EXIT_USAGE;
	}
	return status;
}

static int compare_sets(const struct runs *runs, const struct options *o)
{
	struct comparison c;
	struct out out = out_open();
	struct evl_err err;
	bool good = comparison_make(&c, runs) == 0;
	int status = 0;
	if (good) {
		good = put_forms(&c, o, &out);
		status = judge(&c, o);
		comparison_free(&c);
	}
	if (!good)
		status = no_memory();
	if (o->file && atomic_file_end(o->file, good, &err) < 0)
		status = report_err(&err);
	int written = out_status(&out);
	return written ? written : status;
}

/* --- a series ----------------------------------------------------------------------------------------------------- */

struct series_page {
	const struct run_series *series;
	char *const *steps;
};

static void put_series(const struct page *p, const void *of)
{
	const struct series_page *s = of;
	char by[TEXT_ROOM];
	fprintf(p->out, "%zu steps, %zu metrics: %zu changes\n", s->series->n_steps, s->series->family, s->series->n);
	if (!s->series->enough)
		fputs("too few runs: no change could be shown in this number of metrics\n", p->out);
	for (size_t i = 0; i < s->series->n; i++) {
		const struct series_change *c = &s->series->items[i];
		fputs("  ", p->out);
		page_inked(p,
			c->sense > 0           ? INK_RED
				: c->sense < 0 ? INK_GREEN
					       : INK_BOLD,
			c->sense > 0           ? "!"
				: c->sense < 0 ? "+"
					       : "*");
		fprintf(p->out, " %-30s", c->figure->name);
		page_cell(p, 10, as_value(c->figure->unit, c->change.before));
		page_cell(p, 10, as_value(c->figure->unit, c->change.after));
		page_cell(p, 9, text_relative(by, c->change.before, c->change.after - c->change.before));
		fputs("  since ", p->out);
		page_text(p, (struct evl_str){(const uint8_t *)s->steps[c->change.at], strlen(s->steps[c->change.at])});
		fputc('\n', p->out);
	}
}

/* A metric whose last change is for the worse fails. */
static int judge_series(const struct run_series *s, const struct runs *runs, const struct options *o)
{
	int status = 0;
	for (size_t k = 0; k < o->fail_if_worse.n; k++) {
		struct runs_patterns one = {&o->fail_if_worse.items[k], 1};
		bool known = false;
		for (size_t i = 0; i < runs->n_columns; i++)
			known = known || (runs_match(&one, runs->columns[i].name) && run_series_known(runs, i));
		if (!known) {
			say_error("--fail-if-worse: \"%s\" is unknown in some runs", one.items[0]);
			status = EXIT_USAGE;
		}
		for (size_t i = 0; i < s->n && status == 0; i++)
			if (s->items[i].last && s->items[i].sense > 0 && runs_match(&one, s->items[i].figure->name))
				status = EXIT_FAILURE;
	}
	if (o->fail_if_worse.n && status != EXIT_USAGE && !s->enough) {
		say_error("--fail-if-worse: too few runs for %zu metrics", s->family);
		status = EXIT_USAGE;
	}
	return status;
}

static int compare_series(const struct runs *runs, const struct options *o)
{
	struct run_series s;
	struct out out = out_open();
	struct buf text = {0};
	int status = 0;
	bool good = run_series_make(&s, runs, plan.n_steps) == 0;
	if (good) {
		if (o->json)
			run_series_json(&s, plan.steps, &text);
		else if (o->markdown)
			run_series_markdown(&s, plan.steps, &text);
		else
			good = put_text(put_series, &(struct series_page){&s, plan.steps}, o, &out);
		good = out_text(&out, &text) == 0 && good;
		status = judge_series(&s, runs, o);
		run_series_free(&s);
	}
	if (!good)
		status = no_memory();
	int written = out_status(&out);
	return written ? written : status;
}

int report_compare(const struct options *o)
{
	struct runs runs = {0};
	int status = measure(&runs, o);
	if (status && o->file)
		atomic_file_end(o->file, false, NULL);
	if (status == 0)
		status = o->series.n ? compare_series(&runs, o) : compare_sets(&runs, o);
	runs_free(&runs);
	free_plan();
	return status;
}
