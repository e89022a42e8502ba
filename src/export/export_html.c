/* export_html.c - export html: one page without outside references: picture, findings, metrics, collections. */
#include "base/json.h"
#include "base/units.h"
#include "export/html_heap.h"
#include "export/picture.h"
#include "report/stats_json.h"

#include <math.h>
#include <stdio.h>

static const char head[] = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
static const char style[] =
	"body{font:14px sans-serif;margin:2em;color:#222}\nh2{margin-top:1.5em}\n"
	"table{border-collapse:collapse}\ntd,th{padding:2px 12px 2px 0;text-align:left;vertical-align:top}\n"
	"td.n{text-align:right;white-space:nowrap}\n.warning{color:#b02a10}\nsvg{max-width:100%;height:auto}\n"
	"</style>\n</head>\n<body>\n";

static void put_cstr(struct buf *b, const char *s) { picture_text(b, str_of(s)); }

static void put_title(struct export *x)
{
	struct program_facts facts = program_get(&x->log->program);
	struct evl_str name = program_program(&facts);
	struct buf *b = &x->out;
	buf_lit(b, head);
	picture_text(b, name.len ? name : EVL_STR("eventlog"));
	buf_printf(b, "</title>\n<style>\n%s\n", picture_style);
	buf_lit(b, style);
	buf_lit(b, "<h1>");
	picture_text(b, name.len ? name : EVL_STR("eventlog"));
	buf_lit(b, "</h1>\n<p>");
	put_cstr(b, x->log->path);
	if (facts.rts.len) {
		buf_lit(b, ", ");
		picture_text(b, facts.rts);
	}
	buf_lit(b, "</p>\n");
}

static void put_findings(struct buf *b, const struct findings *f)
{
	char stake[FINDING_STAKE_TEXT], todo[FINDING_TODO];
	buf_printf(b, "<h2>Findings</h2>\n%s", f->n ? "<table>\n" : "<p>No findings.</p>\n");
	for (size_t i = 0; i < f->n; i++) {
		buf_cstr(b, f->items[i].severity == FINDING_WARN ? "<tr><td class=\"warning\">" : "<tr><td>");
		put_cstr(b, finding_name(f->items[i].id));
		buf_lit(b, "</td><td>");
		put_cstr(b, f->items[i].text);
		buf_lit(b, "</td><td class=\"n\">");
		put_cstr(b, finding_stake_text(&f->items[i], stake));
		buf_lit(b, "</td><td>");
		put_cstr(b, finding_todo(&f->items[i], todo));
		buf_lit(b, "</td></tr>\n");
	}
	if (f->n)
		buf_lit(b, "</table>\n");
}

static void put_figures(struct buf *b, const struct figures *f)
{
	buf_lit(b, "<h2>Metrics</h2>\n<table>\n");
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		if (isnan(f->values[m]))
			continue;
		buf_lit(b, "<tr><td>");
		put_cstr(b, info->name);
		buf_lit(b, "</td><td class=\"n\" data-value=\"");
		figures_json_value(&(struct json){.out = b}, info->unit, f->values[m]);
		buf_lit(b, "\">");
		put_cstr(b, as_value(info->unit, f->values[m]));
		buf_lit(b, "</td><td>");
		put_cstr(b, info->meaning);
		buf_lit(b, "</td></tr>\n");
	}
	buf_lit(b, "</table>\n");
}

static void put_longest(struct buf *b, const struct figures *f)
{
	char text[160];
	if (f->n_longest)
		buf_lit(b, "<h2>Longest pauses</h2>\n<table>\n");
	for (size_t i = 0; i < f->n_longest; i++) {
		const struct gc_row *r = &f->longest[i];
		snprintf(text, sizeof text, "<tr><td class=\"n\">%s</td><td>at %s</td><td>cap %u</td></tr>\n",
			as_duration(gc_pause(r)), as_value(UNIT_MOMENT, (double)gc_requested(r)), (unsigned)r->cap);
		buf_cstr(b, text);
	}
	if (f->n_longest)
		buf_lit(b, "</table>\n");
}

int export_html(struct export *x)
{
	struct figures f;
	struct findings findings = {0};
	struct progress watch = {.cancel = x->cancel};
	int result = figures_make(&f, x->log,
		&(struct figures_ask){.from = x->from,
			.to = x->to,
			.deep = figures_is_small(x->log, x->from, x->to),
			.watch = &watch});
	if (result < 0)
		return result;
	findings_make(&findings, x->log, &f);
	findings_rank(&findings);
	put_title(x);
	result = picture_put(x, false);
	result = result ? result : html_heap_put(x);
	put_findings(&x->out, &findings);
	put_longest(&x->out, &f);
	put_figures(&x->out, &f);
	buf_lit(&x->out, "</body>\n</html>\n");
	figures_free(&f);
	return result;
}
