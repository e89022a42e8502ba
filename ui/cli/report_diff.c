/* report_diff.c - evtui diff: the metrics of two logs side by side. */
#include "cli/report.h"

#include "cli/inputs.h"
#include "cli/page.h"
#include "cli/report_profile.h"
#include "draw/say.h"
#include "report/diff_list.h"
#include "report/figure_lists.h"
#include "report/figure_name.h"
#include "report/findings.h"

#include <math.h>

static const char *sign_of(const void *list, size_t row, enum ink *ink, UNUSED char *out)
{
	static const struct {
		const char *sign;
		enum ink ink;
	} senses[] = {{"+", INK_GREEN}, {"*", INK_BOLD}, {"!", INK_RED}};
	const struct diff_row *r = &((const struct figure_list *)list)->differences[row].row;
	*ink = r->notable ? senses[r->sense + 1].ink : INK_PLAIN;
	return r->notable ? senses[r->sense + 1].sign : " ";
}

static void put_items(struct page *p, const struct page_look *look, const struct difference_item *items, size_t n)
{
	struct figure_list list = {.differences = items, .n_differences = n};
	page_list(p, look, figure_list(FIGURES_differences), &list);
}

/* One row for each metric of a log, or of the spans of a name. */
static void put_rows(struct page *p, const struct difference_item *items, size_t n)
{
	static const struct page_column columns[] = {{.column = differences_NAME, .width = -24, .join = " "},
		{.column = differences_A, .width = 12, .unknown = "unknown"},
		{.column = differences_B, .width = 12, .unknown = "unknown"},
		{.column = differences_BY, .width = 12, .write = text_change},
		{.column = differences_CHANGE, .width = 9, .unknown = ""}};
	static const struct page_look look = {PAGE_COLUMNS(columns), .sign = sign_of};
	put_items(p, &look, items, n);
}

static void put_log(const struct page *p, const char *name, const struct evl_log *log)
{
	struct program_facts facts = program_get(&log->program);
	fprintf(p->out, "%s  ", name);
	page_text(p, str_of(log->path));
	fputs("  ", p->out);
	page_text(p, program_program(&facts));
	fputc('\n', p->out);
}

/* The spans that took most time, by name. */
static void put_spans(struct page *p, const struct diff_spans *d)
{
	enum { SHOWN = 20 };
	if (d->n)
		page_heading(p, "spans");
	for (size_t i = 0; i < d->n && i < SHOWN; i++) {
		fputs("  ", p->out);
		page_text(p, d->items[i].name);
		fputc('\n', p->out);
		struct difference_item items[DIFF_SPAN_FIGURES];
		size_t n = 0;
		for (enum diff_span_figure f = 0; f < DIFF_SPAN_FIGURES; f++)
			if (diff_span_shown(&d->items[i], f))
				items[n++] = (struct difference_item){.name = str_of(diff_span_name(f)),
					.unit = diff_span_unit(f),
					.row = d->items[i].rows[f]};
		put_rows(p, items, n);
	}
	if (d->n > SHOWN)
		fprintf(p->out, "  and %zu names with less time: --json lists them\n", d->n - SHOWN);
}

/* Those of B alone first, then those of both, then those of A alone. */
static void put_findings(struct page *p, const struct diff_list *l)
{
	static const struct page_column columns[] = {
		{.column = differences_VERDICT, .width = -8, .join = " ", .unknown = "A and B"},
		{.column = differences_NAME, .width = -22, .join = ""}, {.column = differences_TEXT, .join = " "}};
	static const struct page_look look = {PAGE_COLUMNS(columns), .sign = sign_of};
	static const enum diff_only order[] = {DIFF_ONLY_B, DIFF_BOTH, DIFF_ONLY_A};
	struct difference_item found[FINDING_IDS];
	size_t n = 0;
	for (size_t k = 0; k < countof(order); k++)
		for (size_t i = 0; i < l->n; i++)
			if (l->items[i].kind == DIFF_FINDING && l->items[i].only == order[k])
				found[n++] = l->items[i];
	if (n)
		page_heading(p, "findings; the text of those of A and B is that of B");
	put_items(p, &look, found, n);
}

/* The names whose first figure differs by more than a tenth, those that differ most first. */
static void put_named(struct page *p, const struct diff_list *l, enum diff_named named)
{
	enum { SHOWN = 20 };
	static const struct page_column columns[] = {{.column = differences_A, .width = 12, .join = "      "},
		{.column = differences_B, .width = 12}, {.column = differences_CHANGE, .width = 9, .unknown = ""},
		{.column = differences_NAME, .unknown = ""}};
	static const struct page_look look = {PAGE_COLUMNS(columns), .unknown = "-"};
	struct difference_item shown[SHOWN];
	size_t n = 0;
	for (size_t i = 0; i < l->n && n < SHOWN; i++) {
		const struct difference_item *item = &l->items[i];
		double a = item->row.a, by = isnan(item->row.b) ? a : item->row.by;
		if (item->kind == DIFF_FIGURE && item->named == named && (isnan(a) || fabs(by) > fabs(a) / 10))
			shown[n++] = *item;
	}
	if (n)
		page_heading(p, shown[0].group);
	put_items(p, &look, shown, n);
}

static int print_text(const struct diff_side sides[2], const struct options *o, const struct difference *d,
	const struct diff_list *list, struct out *out)
{
	struct difference_item items[METRICS];
	size_t n = 0;
	struct page page;
	if (!page_open(&page, o))
		return EVL_NOMEM;
	put_log(&page, "A", sides[0].log);
	put_log(&page, "B", sides[1].log);
	fputs(diff_other_program(sides)
			? "different programs, so neither is called better or worse; * B differs: by 10 % or more, and "
			  "by more than equal runs usually differ\n\n"
			: "! B is worse, + B is better, * B differs: by 10 % or more, and by more than equal runs "
			  "usually differ\n\n",
		page.out);
	fprintf(page.out, "    %-24s%14s%14s%14s%11s\n", "", "A", "B", "difference", "");
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].label)
			items[n++] = list->items[i];
	put_rows(&page, items, n);
	put_spans(&page, &d->spans);
	put_findings(&page, list);
	report_profile_diff(&page, &d->profile);
	for (enum diff_named id = 0; id < DIFF_CENTRES; id++) /* centres are in the profile */
		put_named(&page, list, id);
	return page_end(&page, 0, out);
}

static int print_csv(const struct diff_list *l, const struct options *o, struct out *out)
{
	const struct table_kind *kind = figure_list(FIGURES_differences);
	struct figure_list list = {.differences = l->items, .n_differences = l->n};
	struct buf text = {0};
	table_csv_head(&text, kind);
	for (size_t i = 0; i < l->n; i++)
		if (diff_has_values(&l->items[i]))
			table_csv_row(&text, kind, &list, i, o->spreadsheet);
	return out_text(out, &text);
}

static int print_json(const struct evl_log *a, const struct evl_log *b, const struct difference *d, struct out *out)
{
	struct buf text = {0};
	diff_json(d, a->path, b->path, &text);
	return out_text(out, &text);
}

/* The groups of metrics by name that --fail-if-worse asks for. *deep: one of its metrics takes a second reading. */
static unsigned groups_of(const struct options *o, bool *deep)
{
	unsigned groups = 0;
	for (size_t i = 0; i < o->fail_if_worse.n; i++) {
		const char *text = o->fail_if_worse.items[i];
		struct figure_name name;
		if (figure_name_parse(str_of(text), &name)) {
			groups |= figure_name_groups(&name);
			*deep = *deep || figure_name_is_deep(&name);
		}
	}
	return groups;
}

/* The status that --fail-if-worse asks for: a metric that is not known cannot pass. */
static int judge(const struct difference *d, const struct options *o)
{
	const struct figures *a = &d->figures[0], *b = &d->figures[1];
	int status = 0;
	for (size_t i = 0; i < o->fail_if_worse.n; i++) {
		const char *text = o->fail_if_worse.items[i];
		struct figure_name name;
		struct buf near = {0};
		bool exists = figure_name_parse(str_of(text), &name);
		double is_a = exists ? figure_name_value(&name, a, &d->names[0]) : (double)NAN,
		       is_b = exists ? figure_name_value(&name, b, &d->names[1]) : (double)NAN;
		if (isnan(is_a) || isnan(is_b)) {
			figure_name_near(&name, a, &d->names[0], &near);
			say_error("--fail-if-worse: %s\"%s\"%s%s%.*s", exists ? "" : "unknown metric ", text,
				exists ? " is unknown in one of the logs" : "", near.len ? "; nearest: " : "",
				(int)near.len, near.p ? near.p : "");
			buf_free(&near);
			status = EXIT_USAGE;
		} else if (diff_is_worse(name.sense, is_a, is_b) && status == 0) {
			status = EXIT_FAILURE;
		}
	}
	return status;
}

static int compare_logs(struct evl_log *a, struct evl_log *b, const struct options *o)
{
	struct difference d;
	const struct diff_side sides[2] = {{.log = a, .to = UINT64_MAX}, {.log = b, .to = UINT64_MAX}};
	struct out out = out_open();
	bool deep = o->all || (figures_is_small(a, 0, UINT64_MAX) && figures_is_small(b, 0, UINT64_MAX));
	unsigned groups = groups_of(o, &deep);
	struct diff_list list = {0};
	const struct progress work = report_work("computing");
	int judged = 0, result = difference_make(&d, sides, groups, deep, &work);
	report_work_over();
	if (result == 0) {
		judged = judge(&d, o);
		result = o->json ? print_json(a, b, &d, &out) : diff_list_make(&list, d.rows, &d, SIZE_MAX);
		if (result == 0 && !o->json)
			result = o->csv ? print_csv(&list, o, &out) : print_text(sides, o, &d, &list, &out);
		diff_list_free(&list);
		difference_free(&d);
	}
	if (result < 0)
		return report_fail(b, result);
	int status = out_status(&out);
	return status ? status : judged;
}

int report_diff(struct evl_log *log, const struct options *o)
{
	if (o->csv && o->json)
		return options_refuse("diff: --csv and --json exclude each other", "");
	struct evl_log *a = inputs_open(o->words[0], -1, o);
	if (!a)
		return EXIT_FAILURE;
	int result = report_walk_named(log, o),
	    status = result < 0 ? report_fail(log, result) : compare_logs(a, log, o);
	evl_close(a);
	return status;
}
