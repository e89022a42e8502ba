#include "report/named.h"

#include "base/gallop.h"
#include "heap/census_window.h"
#include "prof/prof_centres.h"
#include "query/census_label.h"
#include "report/stats_json.h"
#include "sys/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Fields are numbered through all groups; the first of a group is GROUP_BASE. */
enum field_id {
#define NAMED_GROUP(id, prefix, list, flag)                            id##_BASE, id##_BEFORE = id##_BASE - 1,
#define NAMED_FIELD(group, id, field, unit, sense, join, key, meaning) group##_##id,
#include "report/named.def"
#undef NAMED_GROUP
#undef NAMED_FIELD
	NAMED_FIELDS
};

static const struct named_field fields[] = {
#define NAMED_GROUP(id, prefix, list, flag)
#define NAMED_FIELD(group, id, field, unit, sense, join, key, meaning)                                                 \
	[group##_##id] = {field, UNIT_##unit, METRIC_##sense, NAMED_##join, key, meaning},
#include "report/named.def"
#undef NAMED_GROUP
#undef NAMED_FIELD
};

/* Of values[] of a row. */
#define AT(group, id) values[group##_##id - group##_BASE]

struct named_kind named_kind(enum named_group group)
{
	static const struct {
		const char *prefix, *list, *flag;
		size_t first;
	} kinds[NAMED_GROUPS + 1] = {
#define NAMED_GROUP(id, prefix, list, flag) {prefix, list, flag, id##_BASE},
#define NAMED_FIELD(group, id, field, unit, sense, join, key, meaning)
#include "report/named.def"
#undef NAMED_GROUP
#undef NAMED_FIELD
		{"", "", "", NAMED_FIELDS}};
	return (struct named_kind){.prefix = kinds[group].prefix,
		.list = kinds[group].list,
		.flag = kinds[group].flag,
		.fields = fields + kinds[group].first,
		.n_fields = kinds[group + 1].first - kinds[group].first};
}

int named_field_at(const struct named_kind *kind, struct evl_str name)
{
	for (size_t i = 0; i < kind->n_fields; i++)
		if (str_is(name, kind->fields[i].name))
			return (int)i;
	return -1;
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

struct evl_str named_name(const struct named_list *l, size_t i)
{
	return buf_slice(&l->text, l->rows[i].at, l->rows[i].len);
}

/* A row whose name is the text from `at` on; its fields, all unknown, to be filled in. NULL: memory is out. */
static double *add_row(struct named_list *l, enum named_group group, size_t at)
{
	size_t n = named_kind(group).n_fields;
	while (l->room_values < (l->n + 1) * n)
		if (!evl_grow((void **)&l->values, sizeof *l->values, &l->room_values))
			return NULL;
	if (l->text.failed || !GROW(l->rows, l->n, l->room))
		return NULL;
	l->rows[l->n] = (struct named_row){at, l->text.len - at, l->n * n};
	double *values = l->values + l->n++ * n;
	for (size_t i = 0; i < n; i++)
		values[i] = (double)NAN;
	return values;
}

static double *add(struct named_list *l, enum named_group group, struct evl_str name)
{
	size_t at = l->text.len;
	buf_str(&l->text, name);
	return add_row(l, group, at);
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct named_row *x = a, *y = b;
	const struct buf *text = ctx;
	return str_order(buf_slice(text, x->at, x->len), buf_slice(text, y->at, y->len)) ?: ORDER(x->values, y->values);
}

static double join(enum named_join how, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return how == NAMED_SUM ? a + b : a > b ? a : b;
}

/* Sort, and make things of one name one row. */
static void finish(struct named_list *l, enum named_group group)
{
	struct named_kind kind = named_kind(group);
	size_t kept = 0;
	if (l->n)
		sys_sort(l->rows, l->n, sizeof *l->rows, by_name, &l->text);
	for (size_t i = 0; i < l->n; i++) {
		if (kept == 0 || str_order(named_name(l, kept - 1), named_name(l, i)) != 0) {
			l->rows[kept++] = l->rows[i];
			continue;
		}
		double *into = l->values + l->rows[kept - 1].values;
		for (size_t f = 0; f < kind.n_fields; f++)
			into[f] = join(kind.fields[f].join, into[f], l->values[l->rows[i].values + f]);
	}
	l->n = kept;
}

size_t named_find(const struct named_list *l, struct evl_str name)
{
	BISECT(low, l->n, str_order(named_name(l, mid), name) < 0);
	return low < l->n && str_order(named_name(l, low), name) == 0 ? low : SIZE_MAX;
}

static int by_first(const void *a, const void *b, void *ctx)
{
	const struct named_list *l = ctx;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	double x = *named_values(l, i), y = *named_values(l, k);
	return x < y ? 1 : x > y ? -1 : ORDER(i, k);
}

void named_order(const struct named_list *l, size_t *order)
{
	for (size_t i = 0; i < l->n; i++)
		order[i] = i;
	if (l->n)
		sys_sort(order, l->n, sizeof *order, by_first, (void *)(uintptr_t)l);
}

int named_keep(struct named_list *l, enum named_group group, size_t n)
{
	size_t *order = l->n > n ? malloc(l->n * sizeof *order) : NULL;
	struct named_row *kept = l->n > n ? calloc(n ? n : 1, sizeof *kept) : NULL;
	int result = l->n > n && (!order || !kept) ? EVL_NOMEM : 0;
	if (order && kept) {
		named_order(l, order);
		for (size_t i = 0; i < n; i++)
			kept[i] = l->rows[order[i]];
		memcpy(l->rows, kept, n * sizeof *kept);
		l->more += l->n - n;
		l->n = n;
		finish(l, group);
	}
	free_all(order, kept);
	return result;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

static bool add_span(struct named_list *l, const struct span_name *s, bool deep)
{
	double *values = add(l, NAMED_SPANS, s->name);
	uint64_t finished = s->n - s->unfinished;
	if (!values)
		return false;
	AT(SPANS, TOTAL) = (double)s->total;
	AT(SPANS, N) = (double)s->n;
	AT(SPANS, UNFINISHED) = (double)s->unfinished;
	AT(SPANS, CROSSED) = (double)s->crossed;
	AT(SPANS, NET) = (double)(s->total - s->paused);
	AT(SPANS, GC_SHARE) = span_name_gc_share(s);
	if (finished) {
		AT(SPANS, MEAN) = whole_mean(s->finished, finished);
		AT(SPANS, P50) = (double)s->p50;
		AT(SPANS, P90) = (double)s->p90;
		AT(SPANS, P99) = (double)s->p99;
		AT(SPANS, MAX) = (double)s->max;
	}
	if (deep) {
		AT(SPANS, RUN) = (double)s->budget.run;
		AT(SPANS, GC) = (double)s->budget.gc;
		AT(SPANS, RUNNABLE) = (double)s->budget.runnable;
		AT(SPANS, BLOCKED) = (double)s->budget.blocked;
		AT(SPANS, FOREIGN) = (double)s->budget.foreign;
		AT(SPANS, UNKNOWN) = (double)span_budget_unknown(&s->budget, s->total);
	}
	return true;
}

/* Names, and labels that are no names. */
static int add_spans(struct named_list *l, UNUSED const struct evl_log *log, const struct figures *f,
	UNUSED const struct progress *watch)
{
	struct named_list names;
	for (size_t i = 0; i < f->spans.n; i++)
		if (!add_span(l, &f->spans.items[i], f->deep))
			return EVL_NOMEM;
	finish(l, NAMED_SPANS);
	l->more = f->spans.other_spans;
	for (size_t i = 0, sorted = l->n; i < f->span_labels.n; i++) {
		names = *l;
		names.n = sorted;
		if (named_find(&names, f->span_labels.items[i].name) == SIZE_MAX
			&& !add_span(l, &f->span_labels.items[i], f->deep))
			return EVL_NOMEM;
	}
	return 0;
}

/* --- bands of the heap profile ------------------------------------------------------------------------------------ */

static int add_courses(
	struct named_list *l, const struct evl_log *log, struct census_survey *s, const struct census_window *w)
{
	const struct prof_naming names = evl_naming(log);
	for (uint32_t b = 0; b < w->n_bands && b < bands_count(&s->bands); b++) {
		const struct band_course *course = &w->courses[b];
		struct census_growth growth = census_growth(w, course);
		size_t at = l->text.len;
		if (course->n == 0)
			continue;
		census_label(&names, bands_at(&s->bands, b), &l->text);
		double *values = add_row(l, NAMED_BANDS, at);
		if (!values)
			return EVL_NOMEM;
		AT(BANDS, PEAK) = (double)course->peak;
		AT(BANDS, MEAN) = census_mean(w, course);
		AT(BANDS, SLOPE) = growth.known ? growth.slope : (double)NAN;
		AT(BANDS, R2) = growth.known ? growth.r2 : (double)NAN;
		AT(BANDS, N) = (double)course->n;
	}
	return 0;
}

static int add_profile(struct named_list *l, const struct evl_log *log, const struct figures *f, uint8_t profile,
	const struct progress *watch)
{
	const struct census_run run = census_run_of(log, profile, watch ? watch->cancel : NULL);
	struct census_survey s;
	struct census_window w;
	int result = census_survey_named(&s, log, &run);
	if (result < 0)
		return result;
	struct census_axis axis = {&log->census, s.samples, s.n, 0, 0, census_kind_of(log, profile).by_index};
	if (!evl_range(log, &axis.first, &axis.last))
		axis.first = axis.last = 0;
	size_t from = f->whole ? 0 : census_axis_before(&axis, f->from),
	       to = f->whole ? s.n : census_axis_before(&axis, f->until);
	result = f->group ? census_group_as(&s, log, f->group, &run) : census_group_by_name(&s, log, &run);
	result = result ? result : census_window(&w, &s, &axis, from, to, &run);
	if (result == 0) {
		result = add_courses(l, log, &s, &w);
		l->more += s.bands.dropped;
		census_window_free(&w);
	}
	census_survey_free(&s);
	return result;
}

static int add_bands(
	struct named_list *l, const struct evl_log *log, const struct figures *f, const struct progress *watch)
{
	int result = 0;
	for (unsigned p = 0; result == 0 && (p = census_profile_from(&log->census, &log->blocks, p)) < CENSUS_PROFILES;
		p++)
		result = add_profile(l, log, f, (uint8_t)p, watch);
	return result;
}

/* --- cost centres ------------------------------------------------------------------------------------------------- */

static bool add_centre(struct named_list *l, const struct prof_centres *c, uint32_t name, double interval)
{
	size_t at = l->text.len;
	prof_full_name(&c->names, name, &l->text);
	double program = (double)c->program, *values = add_row(l, NAMED_CENTRES, at);
	if (!values)
		return false;
	AT(CENTRES, SELF_N) = (double)c->self[name];
	AT(CENTRES, INCLUSIVE_N) = (double)c->incl[name];
	if (program > 0) {
		AT(CENTRES, SELF) = (double)c->self[name] / program;
		AT(CENTRES, INCLUSIVE) = (double)c->incl[name] / program;
	}
	if (interval > 0)
		AT(CENTRES, SELF_TIME) = (double)c->self[name] * interval;
	return true;
}

static int add_centres(
	struct named_list *l, const struct evl_log *log, const struct figures *f, const struct progress *watch)
{
	const struct prof *p = evl_profile(log);
	struct prof_naming naming = evl_naming(log);
	struct prof_centres c;
	uint64_t from = f->whole ? 0 : f->from, to = f->whole ? UINT64_MAX : f->until;
	if (prof_samples(p) == 0)
		return 0;
	int result = prof_centres_make(&c, p, &naming, from, to, false, watch ? watch->cancel : NULL);
	for (uint32_t name = 0; name < c.names.n && result == 0; name++)
		if (c.incl[name] && !add_centre(l, &c, name, (double)prof_interval(p)))
			result = EVL_NOMEM;
	prof_centres_free(&c);
	return result;
}

/* --- phases and labels -------------------------------------------------------------------------------------------- */

static int add_phases(
	struct named_list *l, const struct evl_log *log, const struct figures *f, UNUSED const struct progress *watch)
{
	for (size_t i = 0; i < f->phases.n; i++) {
		const struct phase *p = &f->phases.items[i];
		double *values = add(l, NAMED_PHASES, phase_name(log, p));
		if (!values)
			return EVL_NOMEM;
		AT(PHASES, TOTAL) = (double)(p->to - p->from);
		AT(PHASES, N) = 1;
		if (f->has_sched) {
			AT(PHASES, MUTATOR) = (double)p->mutator;
			AT(PHASES, RUN) = (double)p->run;
			AT(PHASES, CAPS_BUSY) = phase_caps_busy(p);
		}
		if (f->has_gc) {
			AT(PHASES, GC) = (double)p->gc;
			AT(PHASES, SYNC) = (double)p->sync;
			AT(PHASES, GC_N) = (double)p->gc_n;
			AT(PHASES, MAX_PAUSE) = (double)p->max_pause;
		}
		if (f->has_sched && f->has_gc)
			AT(PHASES, IDLE) = (double)p->idle;
		if (log->heap.has_allocated)
			AT(PHASES, ALLOCATED) = (double)p->allocated;
	}
	l->more = f->phases.others;
	return 0;
}

static int add_labels(struct named_list *l, UNUSED const struct evl_log *log, const struct figures *f,
	UNUSED const struct progress *watch)
{
	for (const struct label_waits *x = f->labels.by_label; x; x = x->hh.next) {
		double *values = add(l, NAMED_LABELS, (struct evl_str){x->hh.key, x->hh.keylen});
		if (!values)
			return EVL_NOMEM;
		AT(LABELS, RUN) = (double)x->is.run_ns;
		AT(LABELS, N) = (double)x->n;
		AT(LABELS, RUNS) = (double)x->is.runs;
		AT(LABELS, RUNNABLE) = (double)x->is.runnable_ns;
		AT(LABELS, RUNNABLE_GC) = (double)x->is.runnable_gc_ns;
		AT(LABELS, RUNNABLE_WAIT) = (double)(x->is.runnable_ns - x->is.runnable_gc_ns);
		AT(LABELS, BLOCKED) = (double)x->is.blocked_ns;
		AT(LABELS, FOREIGN) = (double)x->is.foreign_ns;
		AT(LABELS, LONGEST_BLOCKED) = (double)x->is.longest_blocked;
		AT(LABELS, LONGEST_LATENCY) = (double)x->is.longest_latency;
		AT(LABELS, LONGEST_WAIT) = (double)x->is.longest_wait;
	}
	l->more = f->labels.others;
	return 0;
}

/* --- wakers and the critical path --------------------------------------------------------------------------------- */

static struct evl_str label_or_none(struct evl_str label) { return label.len ? label : EVL_STR("(no label)"); }

static int add_wakers(struct named_list *l, UNUSED const struct evl_log *log, const struct figures *f,
	UNUSED const struct progress *watch)
{
	for (size_t i = 0; f->waits && i < f->waits->n_by_label; i++) {
		const struct wait_label *x = &f->waits->by_label[i];
		size_t at = l->text.len;
		buf_cstr(&l->text, thread_block_name(x->reason));
		buf_char(&l->text, '.');
		buf_str(&l->text, x->unknown ? EVL_STR("(unknown)") : label_or_none(x->label));
		double *values = add_row(l, NAMED_WAKERS, at);
		if (!values)
			return EVL_NOMEM;
		AT(WAKERS, TOTAL) = (double)x->ns;
		AT(WAKERS, N) = (double)x->n;
	}
	return 0;
}

static int add_path(
	struct named_list *l, const struct evl_log *log, const struct figures *f, UNUSED const struct progress *watch)
{
	for (size_t i = 0; i < f->path.n_threads && f->path.threads_not_listed == 0;
		i++) { /* else the sums are not known */
		const struct path_thread *t = &f->path.threads[i];
		double *values = add(l, NAMED_PATHS, label_or_none(evl_label(log, t->thread)));
		if (!values)
			return EVL_NOMEM;
		AT(PATHS, TOTAL) = (double)t->total_ns;
		AT(PATHS, RUN) = (double)t->ns[PATH_PART_RUN];
		AT(PATHS, GC) = (double)t->ns[PATH_PART_GC];
		AT(PATHS, SYNC) = (double)t->ns[PATH_PART_SYNC];
		AT(PATHS, RUNNABLE) = (double)t->ns[PATH_PART_RUNNABLE];
		AT(PATHS, FOREIGN) = (double)t->ns[PATH_PART_FOREIGN];
		AT(PATHS, EXTERNAL) = (double)t->ns[PATH_PART_EXTERNAL];
		AT(PATHS, UNKNOWN) = (double)t->ns[PATH_PART_UNKNOWN];
	}
	l->more = f->path.threads_not_listed;
	return 0;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int named_make(struct named *n, const struct evl_log *log, const struct figures *f, unsigned groups,
	const struct progress *watch)
{
	static int (*const adders[NAMED_GROUPS])(struct named_list *, const struct evl_log *, const struct figures *,
		const struct progress *) = {[NAMED_SPANS] = add_spans,
		[NAMED_BANDS] = add_bands,
		[NAMED_CENTRES] = add_centres,
		[NAMED_PHASES] = add_phases,
		[NAMED_LABELS] = add_labels,
		[NAMED_WAKERS] = add_wakers,
		[NAMED_PATHS] = add_path};
	int result = 0;
	*n = (struct named){0};
	for (int g = 0; g < NAMED_GROUPS && result == 0; g++)
		if (groups >> g & 1) {
			result = adders[g](&n->groups[g], log, f, watch);
			finish(&n->groups[g], (enum named_group)g);
		}
	if (result < 0)
		named_free(n);
	return result;
}

void named_free(struct named *n)
{
	for (int g = 0; g < NAMED_GROUPS; g++) {
		buf_free(&n->groups[g].text);
		free_all(n->groups[g].rows, n->groups[g].values);
	}
	*n = (struct named){0};
}

/* As a value of JSON, under the name that `stats --json` has used for it. */
static void put_row(const struct named_list *l, size_t i, const struct named_kind *kind, struct json *j)
{
	char key[40];
	json_open(j, '{');
	json_put_str(j, "name", named_name(l, i));
	for (size_t f = 0; f < kind->n_fields; f++) {
		snprintf(key, sizeof key, "%s%s", kind->fields[f].key, unit_suffix(kind->fields[f].unit));
		json_key(j, key);
		figures_json_value(j, kind->fields[f].unit, named_values(l, i)[f]);
	}
	json_close(j, '}');
}

int named_json(const struct named_list *l, enum named_group group, size_t most, struct json *j)
{
	struct named_kind kind = named_kind(group);
	size_t *order = malloc((l->n ? l->n : 1) * sizeof *order);
	char key[40];
	if (!order)
		return EVL_NOMEM;
	named_order(l, order);
	json_put_open(j, kind.list, '[');
	for (size_t i = 0; i < l->n && i < most; i++)
		put_row(l, order[i], &kind, j);
	json_close(j, ']');
	snprintf(key, sizeof key, "%s_not_listed", kind.list);
	json_put_u64(j, key, l->more + (l->n > most ? l->n - most : 0));
	free(order);
	return 0;
}
