#include "report/diff.h"

#include "base/order.h"
#include "report/diff_list.h"
#include "report/figure_lists.h"
#include "report/stats_json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Differences up to these are trifles, by unit: what any two runs of one program differ by. */
static const double trifles[UNITS] = {[UNIT_COUNT] = 10,
	[UNIT_NS] = 100e3,
	[UNIT_MOMENT] = 100e3,
	[UNIT_BYTES] = 65536,
	[UNIT_SHARE] = 0.02,
	[UNIT_RATE] = 1e6,
	[UNIT_FREQUENCY] = 1,
	[UNIT_NUMBER] = 0.1};

#define NOTABLE_RATIO 0.1

struct diff_row diff_row(enum unit unit, enum metric_sense sense, double a, double b)
{
	struct diff_row r = {.a = a, .b = b, .by = b - a, .ratio = fabs(a) > 0 ? (b - a) / fabs(a) : (double)NAN};
	bool much = isnan(r.ratio) || fabs(r.ratio) >= NOTABLE_RATIO;
	r.notable = much && fabs(r.by) > trifles[unit];
	r.trifle = much && fabs(r.by) > 0 && !r.notable;
	if (r.notable && sense != METRIC_FLAT)
		r.sense = (r.by > 0) == (sense == METRIC_UP) ? 1 : -1;
	return r;
}

bool diff_is_worse(enum metric_sense sense, double a, double b)
{
	double by = sense == METRIC_UP ? b - a : sense == METRIC_DOWN ? a - b : 0;
	return by > 0 && by >= NOTABLE_RATIO * fabs(a);
}

/* Is the end of the range missing in the log? */
static bool lacks_end(const struct figures *f, const struct diff_side *side)
{
	return evl_unfinished(side->log) && (f->whole || evl_complete_until(side->log) < f->to);
}

bool diff_other_program(const struct diff_side sides[2])
{
	struct program_facts a = program_get(&sides[0].log->program), b = program_get(&sides[1].log->program);
	struct evl_str of_a = program_program(&a), of_b = program_program(&b);
	return of_a.len && of_b.len && str_order(of_a, of_b) != 0;
}

bool diff_make(struct diff_row *rows, const struct figures f[2], const struct diff_side sides[2])
{
	bool flat = lacks_end(&f[0], &sides[0]) || lacks_end(&f[1], &sides[1]) || diff_other_program(sides);
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		rows[m] = diff_row(info->unit, flat ? METRIC_FLAT : info->sense, f[0].values[m], f[1].values[m]);
	}
	return flat;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum unit unit;
	enum metric_sense sense;
} span_figures[] = {[DIFF_SPAN_N] = {"n", UNIT_COUNT, METRIC_FLAT},
	[DIFF_SPAN_TOTAL] = {"total", UNIT_NS, METRIC_FLAT},
	[DIFF_SPAN_MEAN] = {"mean", UNIT_NS, METRIC_UP},
	[DIFF_SPAN_P99] = {"p99", UNIT_NS, METRIC_UP},
	[DIFF_SPAN_MAX] = {"max", UNIT_NS, METRIC_UP},
	[DIFF_SPAN_RUN] = {"run", UNIT_NS, METRIC_FLAT},
	[DIFF_SPAN_GC] = {"gc", UNIT_NS, METRIC_UP},
	[DIFF_SPAN_RUNNABLE] = {"runnable", UNIT_NS, METRIC_UP},
	[DIFF_SPAN_BLOCKED] = {"blocked", UNIT_NS, METRIC_FLAT},
	[DIFF_SPAN_FOREIGN] = {"foreign", UNIT_NS, METRIC_FLAT},
	[DIFF_SPAN_UNKNOWN] = {"unknown", UNIT_NS, METRIC_FLAT}};

const char *diff_span_name(enum diff_span_figure i) { return span_figures[i].name; }
enum unit diff_span_unit(enum diff_span_figure i) { return span_figures[i].unit; }

bool diff_span_shown(const struct diff_span *s, enum diff_span_figure i)
{
	const struct diff_row *r = &s->rows[i];
	return i < DIFF_SPAN_RUN ? !isnan(r->a) || !isnan(r->b) : r->notable;
}

static const struct span_stats *by_label(const struct figures *f)
{
	return f->spans.numbered ? &f->span_labels : &f->spans;
}

static double span_figure(const struct figures *in, const struct span_name *s, enum diff_span_figure i)
{
	uint64_t finished = s ? s->n - s->unfinished : 0;
	if (!s && (isnan(in->values[METRIC_SPANS_N]) || by_label(in)->other_spans || i > DIFF_SPAN_TOTAL))
		return (double)NAN;
	if (i >= DIFF_SPAN_RUN && !in->deep)
		return (double)NAN;
	switch (i) {
	case DIFF_SPAN_N: return s ? (double)s->n : 0;
	case DIFF_SPAN_TOTAL: return s ? (double)s->total : 0;
	case DIFF_SPAN_MEAN: return finished ? whole_mean(s->finished, finished) : (double)NAN;
	case DIFF_SPAN_P99: return finished ? (double)s->p99 : (double)NAN;
	case DIFF_SPAN_RUN: return (double)s->budget.run;
	case DIFF_SPAN_GC: return (double)s->budget.gc;
	case DIFF_SPAN_RUNNABLE: return (double)s->budget.runnable;
	case DIFF_SPAN_BLOCKED: return (double)s->budget.blocked;
	case DIFF_SPAN_FOREIGN: return (double)s->budget.foreign;
	case DIFF_SPAN_UNKNOWN: return (double)span_budget_unknown(&s->budget, s->total);
	default: return finished ? (double)s->max : (double)NAN;
	}
}

/* Names in order of bytes. */
COMPARE_POINTERS_BY(by_name, struct span_name, str_order(x->name, y->name));

static const struct span_name **sorted(const struct span_stats *s)
{
	const struct span_name **all = calloc(s->n + 1, sizeof *all);
	for (size_t i = 0; all && i < s->n; i++)
		all[i] = &s->items[i];
	if (all)
		qsort(all, s->n, sizeof *all, by_name);
	return all;
}

static double time_of(const struct diff_span *s)
{
	const struct diff_row *total = &s->rows[DIFF_SPAN_TOTAL];
	return (isnan(total->a) ? 0 : total->a) + (isnan(total->b) ? 0 : total->b);
}

/* Most time first. */
COMPARE_BY(by_time, struct diff_span, ORDER(time_of(y), time_of(x)));

/* Both lists are in order of names. */
static void join(struct diff_spans *out, const struct figures of[2], const struct span_name **a,
	const struct span_name **b, bool flat)
{
	size_t n_a = by_label(&of[0])->n, n_b = by_label(&of[1])->n;
	for (size_t i = 0, k = 0; i < n_a || k < n_b;) {
		int order = i == n_a ? 1 : k == n_b ? -1 : by_name(&a[i], &b[k]);
		const struct span_name *of_a = order <= 0 ? a[i++] : NULL, *of_b = order >= 0 ? b[k++] : NULL;
		struct diff_span *s = &out->items[out->n++];
		assert(of_a || of_b);
		s->name = of_a ? of_a->name : of_b->name;
		for (enum diff_span_figure f = 0; f < DIFF_SPAN_FIGURES; f++)
			s->rows[f] = diff_row(span_figures[f].unit, flat ? METRIC_FLAT : span_figures[f].sense,
				span_figure(&of[0], of_a, f), span_figure(&of[1], of_b, f));
	}
}

int diff_spans_make(struct diff_spans *out, const struct figures f[2], bool flat)
{
	const struct span_stats *in_a = by_label(&f[0]), *in_b = by_label(&f[1]);
	const struct span_name **of_a = sorted(in_a), **of_b = sorted(in_b);
	*out = (struct diff_spans){.items = calloc(in_a->n + in_b->n + 1, sizeof *out->items)};
	bool good = out->items && of_a && of_b;
	if (good) {
		join(out, f, of_a, of_b, flat);
		qsort(out->items, out->n, sizeof *out->items, by_time);
	}
	free_all((void *)of_a, (void *)of_b);
	return good ? 0 : EVL_NOMEM;
}

void diff_spans_free(struct diff_spans *d)
{
	free(d->items);
	*d = (struct diff_spans){0};
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* A part [from, from + share) of the way. */
struct part_of {
	const struct progress *watch;
	double from, share;
};

static void tell(void *ctx, double share)
{
	const struct part_of *s = ctx;
	progress_tell(s->watch, s->from + s->share * share);
}

static int measure(struct difference *d, int side, const struct diff_side *of, bool deep, const struct progress *watch)
{
	struct part_of half = {watch, side / 2.0, 0.5};
	const struct progress part = {.cancel = watch ? watch->cancel : NULL, .tell = tell, .ctx = &half};
	const struct figures_ask ask = {
		.from = of->from, .to = of->to, .deep = deep, .watch = &part, .label = of->label};
	int result = figures_make(&d->figures[side], of->log, &ask);
	if (result == 0)
		findings_make(&d->findings[side], of->log, &d->figures[side]);
	return result;
}

static int compare_profiles(struct difference *d, const struct diff_side sides[2])
{
	if (!d->figures[0].whole || !d->figures[1].whole)
		return 0;
	int result = 0;
	for (int i = 0; i < 2 && result == 0; i++) {
		struct prof_naming names = evl_naming(sides[i].log);
		result = prof_centres_make(&d->sides[i], evl_profile(sides[i].log), &names, 0, UINT64_MAX, false, NULL);
	}
	return result ? result : prof_diff(&d->profile, &d->sides[0], &d->sides[1]);
}

static int compare_names(
	struct difference *d, const struct diff_side sides[2], unsigned groups, const struct progress *watch)
{
	static const enum named_group of[DIFF_NAMED] = {[DIFF_PHASES] = NAMED_PHASES,
		[DIFF_BANDS] = NAMED_BANDS,
		[DIFF_LABELS] = NAMED_LABELS,
		[DIFF_WAKERS] = NAMED_WAKERS,
		[DIFF_PATHS] = NAMED_PATHS,
		[DIFF_CENTRES] = NAMED_CENTRES};
	int result = 0;
	for (size_t i = 0; i < DIFF_NAMED; i++)
		groups |= 1u << of[i];
	for (int side = 0; side < 2 && result == 0; side++)
		result = named_make(&d->names[side], sides[side].log, &d->figures[side], groups, watch);
	for (size_t i = 0; i < DIFF_NAMED && result == 0; i++)
		result = named_diff_make(&d->named[i], of[i], &d->names[0].groups[of[i]], &d->names[1].groups[of[i]]);
	return result;
}

/* Metrics that windows of spans do not have are left out of both sides; names are compared of whole ranges only. */
static int compare(struct difference *d, const struct diff_side sides[2], unsigned groups, const struct progress *watch)
{
	bool windows = sides[0].label || sides[1].label;
	for (int side = 0; side < 2; side++)
		for (int m = 0; sides[side].label && m < METRICS; m++)
			if (isnan(d->figures[side].values[m]))
				d->figures[!side].values[m] = (double)NAN;
	d->flat = diff_make(d->rows, d->figures, sides);
	if (windows)
		return 0;
	int result = diff_spans_make(&d->spans, d->figures, d->flat);
	result = result ? result : compare_profiles(d, sides);
	return result ? result : compare_names(d, sides, groups, watch);
}

int difference_make(
	struct difference *d, const struct diff_side sides[2], unsigned groups, bool deep, const struct progress *watch)
{
	*d = (struct difference){0};
	int result = measure(d, 0, &sides[0], deep, watch);
	result = result ? result : measure(d, 1, &sides[1], deep, watch);
	result = result ? result : compare(d, sides, groups, watch);
	if (result < 0)
		difference_free(d);
	return result;
}

void difference_free(struct difference *d)
{
	diff_spans_free(&d->spans);
	for (size_t i = 0; i < DIFF_NAMED; i++)
		named_diff_free(&d->named[i]);
	prof_diff_free(&d->profile);
	for (int i = 0; i < 2; i++) {
		prof_centres_free(&d->sides[i]);
		named_free(&d->names[i]);
		figures_free(&d->figures[i]);
	}
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void put_row(struct json *j, const char *name, enum unit unit, const struct diff_row *r)
{
	const struct difference_item item = {.name = str_of(name), .unit = unit, .row = *r};
	struct figure_list list = {.differences = &item, .n_differences = 1};
	json_open(j, '{');
	table_json_cells(j, figure_list(FIGURES_differences), &list, 0);
	json_close(j, '}');
}

static void put_spans(struct json *j, const struct diff_spans *d)
{
	json_put_open(j, "spans", '[');
	for (size_t i = 0; i < d->n; i++) {
		json_open(j, '{');
		json_put_str(j, "name", d->items[i].name);
		json_put_open(j, "figures", '[');
		for (enum diff_span_figure f = 0; f < DIFF_SPAN_FIGURES; f++)
			put_row(j, diff_span_name(f), diff_span_unit(f), &d->items[i].rows[f]);
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_reason(struct json *j, const char *key, const struct waits *w, uint8_t reason)
{
	const struct wait_reason *r = NULL;
	for (size_t i = 0; i < w->n_reasons && !r; i++)
		r = w->reasons[i].reason == reason ? &w->reasons[i] : NULL;
	json_put_open(j, key, '{');
	json_put_u64(j, "n", r ? r->n : 0);
	json_put_u64(j, "total_ns", r ? r->ns : 0);
	json_put_u64(j, "longest_ns", r ? r->longest : 0);
	json_close(j, '}');
}

/* Metrics that only one of the logs has are listed, too. */
static void put_reasons(struct json *j, const struct figures *of)
{
	const struct waits *const waits[] = {of[0].waits, of[1].waits};
	bool told[STOP_REASONS] = {false};
	json_key(j, "blocked");
	if (!waits[0] || !waits[1]) {
		json_null(j);
		return;
	}
	json_open(j, '[');
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < waits[side]->n_reasons; i++) {
			uint8_t reason = waits[side]->reasons[i].reason;
			if (told[reason])
				continue;
			told[reason] = true;
			json_open(j, '{');
			json_put_cstr(j, "reason", thread_block_name(reason));
			put_reason(j, "a", waits[0], reason);
			put_reason(j, "b", waits[1], reason);
			json_close(j, '}');
		}
	json_close(j, ']');
}

static void put_finding(struct json *j, const char *key, const struct finding *f)
{
	json_key(j, key);
	if (!f) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_put_cstr(j, "text", f->text);
	json_put_double(j, "stake_share", f->stake_share);
	json_close(j, '}');
}

static void put_findings(struct json *j, const struct findings *of)
{
	json_put_open(j, "findings", '[');
	for (enum finding_id id = 0; id < FINDING_IDS; id++) {
		const struct finding *a = findings_of(&of[0], id), *b = findings_of(&of[1], id);
		if (!a && !b)
			continue;
		json_open(j, '{');
		json_put_cstr(j, "id", finding_name(id));
		put_finding(j, "a", a);
		put_finding(j, "b", b);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void diff_json(const struct difference *d, const char *a, const char *b, struct buf *out)
{
	enum { SCHEMA = 1, NAMES = 1000 };
	struct json j = {out, false};
	json_open(&j, '{');
	json_put_u64(&j, "schema", SCHEMA);
	json_put_text(&j, "a", str_of(a));
	json_put_text(&j, "b", str_of(b));
	json_put_open(&j, "figures", '[');
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		put_row(&j, info->name, info->unit, &d->rows[m]);
	}
	json_close(&j, ']');
	put_spans(&j, &d->spans);
	put_reasons(&j, d->figures);
	put_findings(&j, d->findings);
	json_key(&j, "profile");
	prof_diff_json(&d->profile, &j);
	for (size_t i = 0; i < DIFF_CENTRES; i++) /* centres are in the profile */
		named_diff_json(&d->named[i], NAMES, &j);
	json_close(&j, '}');
	buf_char(out, '\n');
}
