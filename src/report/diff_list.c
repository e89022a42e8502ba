#include "report/diff_list.h"

#include <math.h>
#include <stdlib.h>

static const char spans[] = "spans by name: total time", findings[] = "findings", others[] = "other figures";

static bool is_known(const struct diff_row *r) { return !isnan(r->a) || !isnan(r->b); }

static void push(struct diff_list *l, struct difference_item item)
{
	if (l->failed || !GROW(l->items, l->n, l->room))
		l->failed = true;
	else
		l->items[l->n++] = item;
}

/* Add a row, the first of a group with the heading of the group. */
static void add(struct diff_list *l, struct difference_item item)
{
	if (l->n == 0 || l->items[l->n - 1].group != item.group)
		push(l, (struct difference_item){.kind = DIFF_HEAD, .group = item.group});
	push(l, item);
}

static void add_more(struct diff_list *l, const char *group, size_t n, size_t most)
{
	if (n > most)
		add(l, (struct difference_item){.kind = DIFF_MORE, .group = group, .more = n - most});
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

static void add_metrics(struct diff_list *l, const struct diff_row *rows)
{
	l->total[0] = rows[METRIC_TIME_TOTAL].a;
	l->total[1] = rows[METRIC_TIME_TOTAL].b;
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		const char *title = title_of((enum metric)m);
		if (is_known(&rows[m]))
			add(l,
				(struct difference_item){.kind = DIFF_FIGURE,
					.named = DIFF_NAMED,
					.unit = info->unit,
					.sum = metric_is_sum((enum metric)m),
					.group = title ? title : others,
					.name = str_of(info->name),
					.label = title ? info->label : info->name,
					.row = rows[m]});
	}
}

static void add_span_row(struct diff_list *l, enum diff_kind kind, const struct diff_span *s, enum diff_span_figure f)
{
	const struct diff_row *n = &s->rows[DIFF_SPAN_N];
	enum diff_only only = isnan(n->a + n->b) || (n->a > 0 && n->b > 0) ? DIFF_BOTH
		: n->a > 0                                                 ? DIFF_ONLY_A
									   : DIFF_ONLY_B;
	add(l,
		(struct difference_item){.kind = kind,
			.only = only,
			.named = DIFF_NAMED,
			.unit = diff_span_unit(f),
			.sum = f == DIFF_SPAN_N || f == DIFF_SPAN_TOTAL || f >= DIFF_SPAN_RUN,
			.group = spans,
			.name = s->name,
			.figure = diff_span_name(f),
			.row = s->rows[f]});
}

/* The total of each name, the other metrics below. */
static void add_spans(struct diff_list *l, const struct diff_spans *d, size_t most)
{
	for (size_t i = 0; i < d->n && i < most; i++) {
		add_span_row(l, DIFF_FIGURE, &d->items[i], DIFF_SPAN_TOTAL);
		for (enum diff_span_figure f = 0; f < DIFF_SPAN_FIGURES; f++)
			if (f != DIFF_SPAN_TOTAL && diff_span_shown(&d->items[i], f))
				add_span_row(l, DIFF_DETAIL, &d->items[i], f);
	}
	add_more(l, spans, d->n, most);
}

/* The groups of names, each with the metrics that are shown, the first with the name. */
static const struct group {
	enum diff_named id;
	const char *title;
	const char *fields[8];
} groups[] = {{DIFF_PHASES, "phases: length", {"total", "gc", "gc_sync", "allocated", "caps_busy"}},
	{DIFF_LABELS, "threads by label: time running", {"run", "n", "runnable_wait", "blocked"}},
	{DIFF_WAKERS, "waits by reason and label of the waker: time", {"total", "n"}},
	{DIFF_PATHS, "critical path by label of the thread: time",
		{"total", "run", "gc", "sync", "runnable", "foreign", "external", "unknown"}},
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

static void add_name(struct diff_list *l, const struct named_diff *d, size_t i, const struct group *g, bool flat)
{
	struct named_kind kind = named_kind(d->group);
	const struct named_pair *p = &d->pairs[i];
	enum diff_only only = p->a == NAMED_ABSENT ? DIFF_ONLY_B : p->b == NAMED_ABSENT ? DIFF_ONLY_A : DIFF_BOTH;
	for (size_t k = 0; k < countof(g->fields) && g->fields[k]; k++) {
		int at = named_field_at(&kind, str_of(g->fields[k]));
		if (at < 0)
			continue;
		const struct named_field *field = &kind.fields[at];
		struct diff_row row = diff_row(field->unit, flat ? METRIC_FLAT : field->sense,
			named_diff_value(d, i, 0, (size_t)at), named_diff_value(d, i, 1, (size_t)at));
		if (g->id == DIFF_CENTRES && k == 0 && is_chance(d, i, &row))
			row = (struct diff_row){row.a, row.b, row.by, row.ratio, .notable = false};
		bool is_no_part = g->id == DIFF_PATHS && !(row.a > 0) && !(row.b > 0);
		if (k > 0 && (!is_known(&row) || is_no_part))
			continue;
		add(l,
			(struct difference_item){.kind = k ? DIFF_DETAIL : DIFF_FIGURE,
				.only = only,
				.named = g->id,
				.unit = field->unit,
				.sum = g->id != DIFF_BANDS && g->id != DIFF_CENTRES && field->join == NAMED_SUM,
				.group = g->title,
				.name = named_diff_title(d, i),
				.figure = field->name,
				.row = row});
	}
}

static void add_names(struct diff_list *l, const struct difference *d, size_t most)
{
	for (size_t i = 0; i < countof(groups); i++) {
		const struct named_diff *named = &d->named[groups[i].id];
		for (size_t k = 0; k < named->n && k < most; k++)
			add_name(l, named, k, &groups[i], d->flat);
		add_more(l, groups[i].title, named->n, most);
	}
}

/* Those of one side alone first. */
static void add_findings(struct diff_list *l, const struct findings *of, bool flat)
{
	static const enum diff_only order[] = {DIFF_ONLY_B, DIFF_ONLY_A, DIFF_BOTH};
	for (size_t k = 0; k < countof(order); k++)
		for (enum finding_id id = 0; id < FINDING_IDS; id++) {
			const struct finding *a = findings_of(&of[0], id), *b = findings_of(&of[1], id);
			enum diff_only only = !a ? DIFF_ONLY_B : !b ? DIFF_ONLY_A : DIFF_BOTH;
			if ((!a && !b) || only != order[k])
				continue;
			add(l,
				(struct difference_item){.kind = DIFF_FINDING,
					.only = only,
					.finding = id,
					.unit = UNITS,
					.group = findings,
					.name = str_of(finding_name(id)),
					.text = str_of((b ? b : a)->text),
					.row = {NAN, NAN, NAN, NAN, only != DIFF_BOTH, flat ? 0 : !a - !b, false}});
		}
}

static void own(char **to, struct evl_str *text)
{
	if (text->len)
		memcpy(*to, text->p, text->len);
	text->p = (const uint8_t *)*to;
	*to += text->len;
}

int diff_list_own(struct diff_list *l)
{
	size_t len = 1;
	for (size_t i = 0; i < l->n; i++)
		len += l->items[i].name.len + l->items[i].text.len;
	char *to = malloc(len);
	if (!to)
		return EVL_NOMEM;
	l->texts = to;
	for (size_t i = 0; i < l->n; i++) {
		own(&to, &l->items[i].name);
		own(&to, &l->items[i].text);
	}
	return 0;
}

int diff_list_make(struct diff_list *l, const struct diff_row *rows, const struct difference *d, size_t most)
{
	*l = (struct diff_list){0};
	add_metrics(l, rows);
	if (d) {
		add_spans(l, &d->spans, most);
		add_names(l, d, most);
		add_findings(l, d->findings, d->flat);
	}
	int result = l->failed ? EVL_NOMEM : diff_list_own(l);
	if (result < 0)
		diff_list_free(l);
	return result;
}

void diff_list_free(struct diff_list *l)
{
	free_all(l->items, l->texts);
	*l = (struct diff_list){0};
}

const char *diff_verdict(const struct difference_item *r, int sense)
{
	static const char *const only[] = {[DIFF_ONLY_A] = "A only", [DIFF_ONLY_B] = "B only"};
	if (r->only)
		return only[r->only];
	if (!r->row.notable)
		return !r->row.trifle ? "" : r->unit == UNIT_COUNT ? "too few" : "too small";
	return sense > 0 ? "worse" : sense < 0 ? "better" : "differs";
}
