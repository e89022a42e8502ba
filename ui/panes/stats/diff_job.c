#include "panes/stats/diff_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 100 }; /* of a group, those that differ most */

/* The logs that are compared. */
struct logs {
	const struct evl_log *log, *other;
};

void diff_answer_free(struct diff_answer *a)
{
	buf_free(&a->text);
	free(a->lines);
	*a = (struct diff_answer){0};
}

/* --- lines --------------------------------------------------------------------------------------------------------- */

/* Memory is out once text.failed is set. */
static struct diff_line *add(struct diff_answer *a, enum diff_kind kind, struct evl_str name)
{
	static struct diff_line none;
	if (a->n == a->room) {
		size_t room = a->room ? 2 * a->room : 256;
		struct diff_line *lines = realloc(a->lines, room * sizeof *lines);
		if (!lines) {
			a->text.failed = true;
			none = (struct diff_line){0};
			return &none;
		}
		a->lines = lines;
		a->room = room;
	}
	struct diff_line *l = &a->lines[a->n++];
	*l = (struct diff_line){
		.kind = kind, .at = a->text.len, .len = name.len, .row = {.a = NAN, .b = NAN, .by = NAN, .ratio = NAN}};
	buf_str(&a->text, name);
	return l;
}

static bool is_known(const struct diff_row *r) { return !isnan(r->a) || !isnan(r->b); }

static struct diff_line *add_row(
	struct diff_answer *a, enum diff_kind kind, struct evl_str name, enum unit unit, const struct diff_row *row)
{
	struct diff_line *l = add(a, kind, name);
	l->unit = unit;
	l->row = *row;
	return l;
}

/* The title of a metric's group, also of groups that are lists elsewhere. */
static const char *title_of(enum metric m)
{
	const char *title = metric_group(m), *name = metric_info(m)->name;
	return title                                            ? title
		: strncmp(name, "mmu.without_census.", 19) == 0 ? "the same, without heap censuses"
		: strncmp(name, "blocked.", 8) == 0             ? "time blocked, by reason"
		: strncmp(name, "concurrency.", 12) == 0        ? "capabilities at once"
		: strncmp(name, "path.share.", 11) == 0         ? "shares of the critical path"
								: NULL;
}

static void add_metrics(struct diff_answer *a, const struct diff_row *rows)
{
	const char *group = "";
	const struct diff_row *total = &rows[METRIC_TIME_TOTAL];
	a->total[0] = total->a;
	a->total[1] = total->b;
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		const char *title = title_of((enum metric)m);
		if (!is_known(&rows[m]))
			continue;
		if (title != group)
			add(a, DIFF_HEAD, str_of(title ? title : "other figures"));
		group = title;
		struct diff_line *l =
			add_row(a, DIFF_FIGURE, str_of(title ? info->label : info->name), info->unit, &rows[m]);
		l->sum = metric_is_sum((enum metric)m);
		l->metric = info->name;
	}
}

static void add_more(struct diff_answer *a, uint64_t n)
{
	char text[64];
	snprintf(text, sizeof text, "and %s more that differ less", as_count(n));
	if (n)
		add(a, DIFF_MORE, str_of(text));
}

static struct diff_line *add_span_row(
	struct diff_answer *a, enum diff_kind kind, const struct diff_span *s, enum diff_span_figure f)
{
	const char *field = diff_span_name(f);
	struct diff_line *l =
		add_row(a, kind, kind == DIFF_DETAIL ? str_of(field) : s->name, diff_span_unit(f), &s->rows[f]);
	l->field = field;
	l->sum = f == DIFF_SPAN_N || f == DIFF_SPAN_TOTAL || f >= DIFF_SPAN_RUN;
	return l;
}

/* The total with the name, the other metrics below. */
static void add_span(struct diff_answer *a, const struct diff_span *s)
{
	const struct diff_row *n = &s->rows[DIFF_SPAN_N];
	struct diff_line *total = add_span_row(a, DIFF_FIGURE, s, DIFF_SPAN_TOTAL);
	if (!(n->a > 0 && n->b > 0) && !isnan(n->a) && !isnan(n->b))
		total->only = n->a > 0 ? DIFF_ONLY_A : DIFF_ONLY_B;
	for (enum diff_span_figure f = 0; f < DIFF_SPAN_FIGURES; f++)
		if (f != DIFF_SPAN_TOTAL && diff_span_shown(s, f))
			add_span_row(a, DIFF_DETAIL, s, f);
}

static void add_spans(struct diff_answer *a, const struct diff_spans *d)
{
	if (d->n)
		add(a, DIFF_HEAD, EVL_STR("spans by name: total time"));
	for (size_t i = 0; i < d->n && i < NAMES; i++)
		add_span(a, &d->items[i]);
	add_more(a, d->n > NAMES ? d->n - NAMES : 0);
}

/* The groups of names, each with the metrics that are shown, the first with the name. */
static const struct group {
	enum diff_named id;
	const char *title;
	const char *fields[5];
} groups[] = {{DIFF_PHASES, "phases: length", {"total", "gc", "gc_sync", "allocated", "caps_busy"}},
	{DIFF_LABELS, "threads by label: time running", {"run", "n", "runnable_wait", "blocked"}},
	{DIFF_WAKERS, "waits by reason and label of the waker: time", {"total", "n"}},
	{DIFF_PATHS, "critical path by label of the thread: time", {"total", "run", "gc", "runnable", "external"}},
	{DIFF_BANDS, "bands of the heap profile: peak", {"peak", "mean"}},
	{DIFF_CENTRES, "cost centres: share of samples", {"self", "inclusive"}}};

/* Could the difference of two shares of samples be chance? */
static bool is_chance(const struct named_diff *d, size_t i, const struct diff_row *r)
{
	struct named_kind kind = named_kind(d->group);
	int at = named_field_at(&kind, EVL_STR("self_n"));
	double n[2], all[2];
	for (int side = 0; side < 2; side++) {
		double share = side ? r->b : r->a;
		n[side] = at < 0 ? (double)NAN : named_diff_value(d, i, side, (size_t)at);
		all[side] = n[side] / share;
	}
	return all[0] >= n[0] && all[1] >= n[1] && isfinite(all[0] + all[1])
		&& prof_is_noise((uint64_t)n[0], (uint64_t)all[0], (uint64_t)n[1], (uint64_t)all[1]);
}

static void add_name(struct diff_answer *a, const struct named_diff *d, size_t i, const struct group *g)
{
	struct named_kind kind = named_kind(d->group);
	const struct named_pair *p = &d->pairs[i];
	for (size_t k = 0; k < countof(g->fields) && g->fields[k]; k++) {
		int at = named_field_at(&kind, str_of(g->fields[k]));
		if (at < 0)
			continue;
		const struct named_field *field = &kind.fields[at];
		struct diff_row row = diff_row(field->unit, field->sense, named_diff_value(d, i, 0, (size_t)at),
			named_diff_value(d, i, 1, (size_t)at));
		if (g->id == DIFF_CENTRES && k == 0 && is_chance(d, i, &row))
			row = (struct diff_row){row.a, row.b, row.by, row.ratio, false, 0};
		if (k > 0 && !is_known(&row))
			continue;
		struct diff_line *l =
			add(a, k ? DIFF_DETAIL : DIFF_FIGURE, k ? str_of(field->name) : named_diff_title(d, i));
		l->unit = field->unit;
		l->row = row;
		l->field = field->name;
		l->sum = g->id != DIFF_BANDS && g->id != DIFF_CENTRES && field->join == NAMED_SUM;
		l->only = k                    ? DIFF_BOTH
			: p->a == NAMED_ABSENT ? DIFF_ONLY_B
			: p->b == NAMED_ABSENT ? DIFF_ONLY_A
					       : DIFF_BOTH;
	}
}

static void add_names(struct diff_answer *a, const struct difference *d)
{
	for (size_t i = 0; i < countof(groups); i++) {
		const struct named_diff *n = &d->named[groups[i].id];
		if (n->n)
			add(a, DIFF_HEAD, str_of(groups[i].title));
		for (size_t k = 0; k < n->n && k < NAMES; k++)
			add_name(a, n, k, &groups[i]);
		add_more(a, n->n > NAMES ? n->n - NAMES : 0);
	}
}

/* Those of one side alone first. */
static void add_findings(struct diff_answer *a, const struct findings *of)
{
	static const enum diff_only order[] = {DIFF_ONLY_B, DIFF_ONLY_A, DIFF_BOTH};
	if (of[0].n + of[1].n)
		add(a, DIFF_HEAD, EVL_STR("findings"));
	for (size_t k = 0; k < countof(order); k++)
		for (enum finding_id id = 0; id < FINDING_IDS; id++) {
			const struct finding *in_a = diff_finding(&of[0], id), *in_b = diff_finding(&of[1], id);
			enum diff_only only = !in_a ? DIFF_ONLY_B : !in_b ? DIFF_ONLY_A : DIFF_BOTH;
			if ((!in_a && !in_b) || only != order[k])
				continue;
			struct diff_line *l = add(a, DIFF_FINDING, str_of((in_b ? in_b : in_a)->text));
			l->only = only;
			l->finding = id;
			l->metric = finding_name(id);
			l->unit = UNITS;
		}
}

/* --- the job ------------------------------------------------------------------------------------------------------- */

/* Compare the metrics that the index has. */
static int compare_at_once(const struct diff_side sides[2], const struct progress *watch, struct diff_answer *out)
{
	struct figures *f = calloc(2, sizeof *f);
	struct diff_row *rows = malloc(METRICS * sizeof *rows);
	const struct progress silent = {.cancel = watch->cancel};
	int result = f && rows ? 0 : EVL_NOMEM;
	for (int i = 0; i < 2 && result == 0; i++)
		result = figures_make(&f[i], sides[i].log,
			&(struct figures_ask){.from = sides[i].from, .to = sides[i].to, .watch = &silent});
	if (result == 0) {
		diff_make(rows, &f[0], &f[1]);
		add_metrics(out, rows);
	}
	for (int i = 0; f && i < 2; i++)
		figures_free(&f[i]);
	free_all(rows, f);
	return result;
}

static int compare(const struct diff_side sides[2], const struct progress *watch, struct diff_answer *out)
{
	struct difference *d = malloc(sizeof *d);
	int result = d ? difference_make(d, sides, 0, true, watch) : EVL_NOMEM;
	if (result == 0) {
		add_metrics(out, d->rows);
		add_spans(out, &d->spans);
		add_names(out, d);
		add_findings(out, d->findings);
		difference_free(d);
	}
	free(d);
	return result;
}

static void end(struct diff_answer *out, int result)
{
	if (result == 0 && out->text.failed)
		result = EVL_NOMEM;
	out->made = result == 0;
	if (result < 0)
		evl_fail(&out->err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct logs *logs = ctx;
	const struct diff_ask *ask = question;
	struct diff_answer *out = answer;
	struct diff_side sides[2];
	for (int i = 0; i < 2; i++) {
		const struct diff_range *r = &ask->ranges[i];
		sides[i] = (struct diff_side){r->other ? logs->other : logs->log, r->from, r->to, r->label};
	}
	if (!sides[0].label && !sides[1].label && compare_at_once(sides, watch, out) == 0) {
		end(out, 0);
		job_publish(watch);
	}
	diff_answer_free(out);
	end(out, compare(sides, watch, out));
	if (!progress_cancelled(watch))
		job_publish(watch);
}

static void drop(void *answer) { diff_answer_free(answer); }

struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct diff_ask),
		.answer = sizeof(struct diff_answer),
		.find = find,
		.parts = true,
		.drop = drop,
		.close = free};
	struct logs *logs = malloc(sizeof *logs);
	if (logs)
		*logs = (struct logs){log, other};
	return job_new(&ops, logs, wake, wake_ctx);
}
