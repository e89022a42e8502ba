/* report_stats.c - evtui stats: the page and the JSON. */
#include "cli/report.h"

#include "base/idmap.h"
#include "cli/page.h"
#include "cli/report_profile.h"
#include "draw/say.h"
#include "format/decode.h"
#include "panes/stats/stats_job.h"
#include "report/abilities.h"
#include "report/figure_lists.h"
#include "report/findings.h"
#include "report/named.h"
#include "report/stats_json.h"
#include "table/lists.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- the log ------------------------------------------------------------------------------------------------------ */

static void put_program(const struct page *p, const struct evl_log *log)
{
	struct program_facts facts = program_get(&log->program);
	struct evl_str rest = facts.program, arg;
	char wall[TEXT_WALL_ROOM];
	uint64_t first, last;
	fprintf(p->out, "  %-12s", "program");
	while (decode_next_str(&rest, &arg)) {
		fputc(' ', p->out);
		page_text(p, arg);
	}
	fprintf(p->out, "%s\n  %-12s ", facts.program.len ? "" : " unknown", "rts");
	page_text(p, facts.rts.len ? facts.rts : EVL_STR("unknown"));
	fputc('\n', p->out);
	if (*text_wall(wall, facts.wall_ns, false))
		fprintf(p->out, "  %-12s %s\n", "started", wall);
	fprintf(p->out, "  %-12s %s\n", "events", as_count(evl_progress(log).events));
	fprintf(p->out, "  %-12s %s\n", "capabilities", as_count(log->n_caps));
	if (evl_unfinished(log))
		fputs("  unfinished: the log has no end marker\n", p->out);
	if (evl_range(log, &first, &last) && evl_complete_until(log) <= last)
		fprintf(p->out,
			"  complete until %s: threads that ran last are taken to run until the end, so their times are "
			"upper bounds\n",
			as_value(UNIT_MOMENT, (double)evl_complete_until(log)));
}

/* --- the metrics -------------------------------------------------------------------------------------------------- */

/* Is there nothing to say of a group? It has no cycles; or nothing is known of it, and why is said elsewhere. */
static bool is_quiet(const struct figures *f, int first, int known)
{
	const char *name = metric_info((enum metric)first)->name;
	bool part = strchr(name, '.') != strrchr(name, '.');
	if (first == METRIC_NONMOVING_CYCLES)
		return known == 0 || f->values[first] == 0;
	return known == 0 && (part || first == METRIC_MMU_1MS || first == METRIC_PATH_TOTAL);
}

static void put_figure(const struct page *p, const struct figures *f, enum metric m)
{
	const struct metric_info *info = metric_info(m);
	char more[2 * TEXT_ROOM];
	bool of_path = m >= METRIC_PATH_RUN && m <= METRIC_PATH_UNKNOWN;
	double total = f->values[of_path ? METRIC_PATH_TOTAL : METRIC_TIME_TOTAL];
	bool part = (m <= METRIC_TIME_IDLE || of_path) && total > 0;
	bool mmu = m >= METRIC_MMU_1MS && m <= METRIC_MMU_5S && f->census.touching;
	if (part)
		snprintf(more, sizeof more, "%6s", as_share(f->values[m] / total));
	else if (mmu)
		snprintf(more, sizeof more, "%s without heap censuses",
			as_share(f->census.mmu[m - METRIC_MMU_1MS].share));
	page_row(p, info->label, as_value(info->unit, f->values[m]), part || mmu ? more : NULL);
}

/* No metric of a group is known, from its first on. */
static void put_absent(const struct page *p, const struct evl_log *log, const struct figures *f, int first)
{
	static const struct {
		int first;
		enum absence of;
	} groups[] = {{METRIC_GC_N, ABSENCE_GCS}, {METRIC_CAP_UTILISATION, ABSENCE_RUNS},
		{METRIC_THREADS_CREATED, ABSENCE_THREADS}, {METRIC_HEAP_MAX_LIVE, ABSENCE_HEAP},
		{METRIC_SPARKS_CREATED, ABSENCE_SPARKS}};
	const char *why = f->windows.label ? FIGURES_NOT_OVER_WINDOWS : "unknown";
	for (size_t i = 0; i < countof(groups) && !f->windows.label; i++)
		if (groups[i].first == first)
			why = absence_text(log, groups[i].of);
	fprintf(p->out, "  %s\n", why);
}

/* Print the known metrics of one group, from m on. Return the first of the next group. */
static int put_group(const struct page *p, const struct evl_log *log, const struct figures *f, int m)
{
	const char *title = metric_group((enum metric)m);
	int first = m, known = 0;
	for (; m < METRICS && metric_group((enum metric)m) == title; m++)
		known += !isnan(f->values[m]);
	if (!title || is_quiet(f, first, known))
		return m;
	page_heading(p, title);
	if (known == 0)
		put_absent(p, log, f, first);
	for (int i = first; i < m; i++)
		if (!isnan(f->values[i]))
			put_figure(p, f, (enum metric)i);
	return m;
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* The columns of each list of metrics that the page shows. */
#define LOOK(list, ...)  static const struct page_column list##_on_page[] = {__VA_ARGS__}
#define FIELD(id, chars) .column = id, .width = chars
#define SHARE(id, chars) .column = id, .width = chars, .share = true

LOOK(generations, {FIELD(generations_GEN, -8), .before = "gen ", .unknown = "?"}, {FIELD(generations_N, 9)},
	{FIELD(generations_PAR, 9)}, {FIELD(generations_ELAPSED, 9)}, {FIELD(generations_MEAN, 9)},
	{FIELD(generations_MAX, 9)}, {FIELD(generations_COPIED, 9)});
LOOK(caps, {FIELD(caps_CAP, -8), .before = "cap ", .head = ""}, {FIELD(caps_RUN_SHARE, 8)}, {FIELD(caps_GC_SHARE, 8)},
	{FIELD(caps_WAIT_SHARE, 8)}, {FIELD(caps_SYNC_SHARE, 8)}, {FIELD(caps_STOPPED_SHARE, 8)},
	{FIELD(caps_IDLE_SHARE, 8)}, {FIELD(caps_OFF_SHARE, 8)}, {FIELD(caps_SWITCHES, 8)}, {FIELD(caps_BOUNDS, 0)});
LOOK(nm_census, {FIELD(nm_census_SIZE, -8)}, {FIELD(nm_census_ACTIVE, 9)}, {FIELD(nm_census_FILLED, 9)},
	{FIELD(nm_census_LIVE, 9)}, {FIELD(nm_census_OCCUPANCY, 9)});
LOOK(longest, {FIELD(longest_REQUEST, -17)}, {FIELD(longest_PAUSE, 11)},
	{FIELD(longest_GEN, 0), .before = "gen ", .unknown = "?"}, {FIELD(longest_CAP, 0), .before = "cap "},
	{FIELD(longest_WAITED, 0), .before = "sync "}, {FIELD(longest_WHY, 0)},
	{FIELD(longest_UNEXPLAINED, 0), .before = "not explained: "},
	{FIELD(longest_BEGAN_LATE_CAP, 0), .before = "the GC thread of cap "},
	{FIELD(longest_BEGAN_LATE, 0), .before = "began ", .after = " late"},
	{FIELD(longest_DONE_LATE_CAP, 0), .before = "the GC thread of cap "},
	{FIELD(longest_DONE_LATE, 0), .before = "was done ", .after = " late"});
LOOK(sync_delays, {FIELD(sync_delays_REQUEST, -17)}, {FIELD(sync_delays_SYNC, 11)}, {FIELD(sync_delays_CAUSE, -8)},
	{FIELD(sync_delays_LATE, 11), .before = "late "}, {FIELD(sync_delays_REST, 11), .before = "rest "},
	{FIELD(sync_delays_LATE_CAP, 0), .before = "last: cap "},
	{FIELD(sync_delays_LATE_THREAD, 0), .before = "thread "}, {FIELD(sync_delays_LATE_LABEL, 0), .unknown = ""},
	{FIELD(sync_delays_LATE_RAN, 0), .before = "which ran "},
	{FIELD(sync_delays_PREVIOUS, 0), .before = "after the previous GC had held the cap for "});
LOOK(top_run, {FIELD(top_run_THREAD, -8)}, {FIELD(top_run_RUN, 9)}, {FIELD(top_run_RUNS, -21), .after = " runs"},
	{FIELD(top_run_LABEL, 0), .unknown = ""});
LOOK(top_blocked, {FIELD(top_blocked_THREAD, -8)}, {FIELD(top_blocked_BLOCKED, 9)},
	{FIELD(top_blocked_LONGEST_ON, -21)}, {FIELD(top_blocked_LABEL, 0), .unknown = ""});
LOOK(top_wait, {FIELD(top_wait_THREAD, -8)}, {FIELD(top_wait_WAIT, 9)}, {FIELD(top_wait_AT, -21), .before = "at "},
	{FIELD(top_wait_LABEL, 0), .unknown = ""});
LOOK(deadlocked, {FIELD(deadlocked_THREAD, -8)}, {FIELD(deadlocked_WAITED, 9)}, {FIELD(deadlocked_REASON, -12)},
	{FIELD(deadlocked_AT, -21), .before = "at "}, {FIELD(deadlocked_LABEL, 0), .unknown = ""},
	{FIELD(deadlocked_DOUBT, 0)});
LOOK(spans, {FIELD(spans_N, -8), .head = "number"}, {FIELD(spans_TOTAL, 9)}, {FIELD(spans_MEAN, 9)},
	{FIELD(spans_P50, 9)}, {FIELD(spans_P99, 9)}, {FIELD(spans_MAX, 9)}, {SHARE(spans_RUN, 8)},
	{SHARE(spans_GC, 8)}, {SHARE(spans_RUNNABLE, 8)}, {SHARE(spans_BLOCKED, 8)}, {SHARE(spans_FOREIGN, 8)},
	{SHARE(spans_UNKNOWN, 8)}, {FIELD(spans_NAME, 0)},
	{FIELD(spans_OPEN, 0), .before = "(", .after = " unfinished)"},
	{FIELD(spans_HANDED_ON, 0), .before = "(", .after = " ended by another thread)"});
LOOK(findings, {FIELD(findings_COST, 0), .join = " ", .after = ":"}, {FIELD(findings_TEXT, 0), .join = " "},
	{FIELD(findings_WHERE, 0), .join = "; "}, {FIELD(findings_ADVICE, 0), .join = " → "});

static const char *sign_of_finding(const void *list, size_t row, enum ink *ink, char *out)
{
	static const struct {
		const char *sign;
		enum ink ink;
	} severities[] = {
		[FINDING_WARN] = {"!", INK_RED}, [FINDING_NOTE] = {"*", INK_YELLOW}, [FINDING_HINT] = {"·", INK_PLAIN}};
	const struct findings *all = ((const struct figure_list *)list)->findings;
	enum finding_severity severity = finding_is_grave(&all->items[row]) ? FINDING_WARN : all->items[row].severity;
	*ink = severities[severity].ink;
	if (severity == FINDING_HINT)
		return severities[severity].sign;
	snprintf(out, PAGE_SIGN, "%zu %s", findings_number_of(all, &all->items[row]), severities[severity].sign);
	return out;
}

static const struct page_look looks[FIGURE_LISTS] = {
	[FIGURES_findings] = {.heading = "findings, largest share of time or memory first (they may overlap): ! "
					 "problem, * note, · not recorded",
		PAGE_COLUMNS(findings_on_page),
		.sign = sign_of_finding},
	[FIGURES_generations] = {.heading = "generations", PAGE_COLUMNS(generations_on_page), .heads = true},
	[FIGURES_caps] = {PAGE_COLUMNS(caps_on_page), .heads = true, .most = 64},
	[FIGURES_nm_census] = {.heading = "segments of the nonmoving heap by block size, last statistics",
		PAGE_COLUMNS(nm_census_on_page),
		.heads = true},
	[FIGURES_longest] = {.heading = "longest pauses", PAGE_COLUMNS(longest_on_page)},
	[FIGURES_sync_delays] =
		{.heading = "longest delays of collections: until the last thread stopped (late), and after that "
			    "(rest)",
			PAGE_COLUMNS(sync_delays_on_page),
			.most = 10},
	[FIGURES_top_run] = {.heading = "threads that ran most", PAGE_COLUMNS(top_run_on_page)},
	[FIGURES_top_blocked] = {.heading = "threads that were blocked most", PAGE_COLUMNS(top_blocked_on_page)},
	[FIGURES_top_wait] = {.heading = "longest waits for a capability, without pauses",
		PAGE_COLUMNS(top_wait_on_page)},
	[FIGURES_deadlocked] = {.heading = "deadlocked, or possibly (with the other explanation): resurrected by a "
					   "major collection, or in a cycle of black holes",
		.more = " threads",
		PAGE_COLUMNS(deadlocked_on_page),
		.most = 8},
	[FIGURES_spans] = {
		.heading = "user spans; shares of their total time: ran, held up by GC, waited for a capability, "
			   "blocked, in foreign calls, not known",
		.unknown = "-",
		PAGE_COLUMNS(spans_on_page),
		.heads = true,
		.most = 20}};

static void put_list(struct page *p, const struct evl_log *log, const struct figures *f, enum figure_list_id id)
{
	struct figure_list list = {.log = log, .f = f, .spans = f->span_labels.n ? &f->span_labels : &f->spans};
	struct page_look look = looks[id];
	if (id == FIGURES_top_run && evl_complete_until(log) < f->to)
		look.heading = "threads that ran most (at most: the log is cut)";
	page_list(p, &look, figure_list(id), &list);
}

/* A moment as the time since the log's time 0. */
static char *as_length(char *out, UNUSED enum unit unit, double value) { return text_value(out, UNIT_NS, value); }

LOOK(phases, {FIELD(PHASE_COLUMN_FROM, -8), .write = as_length}, {FIELD(PHASE_COLUMN_TOTAL, 10), .head = "length"},
	{SHARE(PHASE_COLUMN_MUTATOR, 10)}, {SHARE(PHASE_COLUMN_PAUSED, 10)}, {SHARE(PHASE_COLUMN_IDLE, 10)},
	{FIELD(PHASE_COLUMN_GC_N, 10)}, {FIELD(PHASE_COLUMN_MAX_PAUSE, 10)}, {FIELD(PHASE_COLUMN_ALLOCATED, 10)},
	{FIELD(PHASE_COLUMN_CAPS_BUSY, 10)}, {FIELD(PHASE_COLUMN_NAME, 0), .unknown = "(before the first marker)"});
LOOK(ticky, {FIELD(TICKY_COLUMN_ENTRIES, 22)}, {FIELD(TICKY_COLUMN_ALLOCS, 12)}, {FIELD(TICKY_COLUMN_ALLOCD, 12)},
	{FIELD(TICKY_COLUMN_NAME, 0)});

static const struct page_look phases_look = {.heading = "phases between user markers",
	.unknown = "-",
	.more = " phases",
	PAGE_COLUMNS(phases_on_page),
	.heads = true,
	.most = 20};
static const struct page_look ticky_look = {
	.heading = "ticky counters", PAGE_COLUMNS(ticky_on_page), .heads = true, .most = 20};

/* none: for the number 0 */
static void put_who(const struct page *p, const struct evl_log *log, const char *word, const struct wait_who *who,
	size_t n, const char *none)
{
	char text[2 * TEXT_ROOM];
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, who[i].thread ? "%s %u" : "%s", who[i].thread ? word : none, who[i].thread);
		fprintf(p->out, "    %-17s", text);
		page_cell(p, 9, as_count(who[i].n));
		page_cell(p, 9, as_duration(who[i].ns));
		fputs("  ", p->out);
		if (who[i].thread)
			page_text(p, evl_label(log, who[i].thread));
		fputc('\n', p->out);
	}
}

static void put_who_of(const struct page *p, void *list, size_t row)
{
	const struct blocked_list *l = list;
	const struct wait_reason *r = &l->waits->reasons[row];
	const char *none = "";
	for (size_t i = 0; i < r->n_wakers; i++)
		none = r->wakers[i].thread ? none : waits_no_waker(l->waits->wakers_unread, r, r->wakers[i].n);
	put_who(p, l->of.log, "woken by", r->wakers, r->n_wakers, none);
	put_who(p, l->of.log, "owned by", r->owners, r->n_owners, "owned by unknown");
}

LOOK(blocked, {FIELD(BLOCKED_COLUMN_REASON, -19)}, {FIELD(BLOCKED_COLUMN_N, 9)}, {FIELD(BLOCKED_COLUMN_TOTAL, 9)},
	{FIELD(BLOCKED_COLUMN_LONGEST, 9)},
	{FIELD(BLOCKED_COLUMN_LONGEST_THREAD, 0), .before = "thread ", .write = page_plain});

static void put_blocked(struct page *p, const struct evl_log *log, struct waits *w)
{
	static const struct page_look look = {
		.heading = "blocked, by reason: waits, total time, longest wait; the threads that ended the waits",
		PAGE_COLUMNS(blocked_on_page),
		.below = put_who_of};
	page_list(p, &look, &blocked_list_kind, &(struct blocked_list){.of.log = log, .waits = w});
}

LOOK(damage, {FIELD(DAMAGE_COLUMN_OFFSET, 0), .before = "at byte ", .write = page_plain},
	{FIELD(DAMAGE_COLUMN_BYTES, 0), .join = ", ", .after = " bytes", .write = page_plain},
	{FIELD(DAMAGE_COLUMN_REASON, 0), .join = ": "});

static void put_damage(struct page *p, const struct evl_log *log)
{
	static const struct page_look look = {PAGE_COLUMNS(damage_on_page)};
	if (log->damage.n == 0)
		return;
	fputc('\n', p->out);
	page_inked(p, INK_RED, "damage");
	fputc('\n', p->out);
	page_list(p, &look, &damage_list_kind, &(struct damage_places){.of.log = log});
	if (log->damage.more)
		fprintf(p->out, "  and %" PRIu64 " more places\n", log->damage.more);
}

static void put_concurrency(struct page *p, const struct figures *f)
{
	const struct table_kind *kind = figure_list(FIGURES_concurrency);
	struct figure_list list = {.f = f};
	const size_t n = kind->count(&list);
	char name[TEXT_ROOM + 8];
	if (n)
		page_heading(p, "capabilities that ran at once, outside of pauses");
	for (size_t i = 0; i < n; i++) {
		double ns = table_number(kind, &list, i, concurrency_TIME, false);
		snprintf(name, sizeof name, i == 0 ? "none" : "%zu", i);
		if (ns > 0)
			page_row(p, name, as_value(UNIT_NS, ns),
				as_share(table_number(kind, &list, i, concurrency_SHARE, false)));
	}
}

/* The largest bands of the heap profile, and the labels whose threads ran most. */
static int put_named(const struct page *p, const struct evl_log *log, const struct figures *f, enum named_group group,
	const char *title, const char *const *shown, size_t n_shown)
{
	enum { ROWS = 10 };
	struct named_kind kind = named_kind(group);
	struct named named;
	int result = named_make(&named, log, f, 1u << group, NULL);
	const struct named_list *l = &named.groups[group];
	size_t *order = result == 0 ? calloc(l->n + 1, sizeof *order) : NULL;
	if (!order) {
		named_free(&named);
		return EVL_NOMEM;
	}
	named_order(l, order);
	if (l->n) {
		page_heading(p, title);
		fputs("  ", p->out);
	}
	for (size_t k = 0; k < n_shown && l->n; k++)
		page_cell(p, 12, shown[k]);
	for (size_t i = 0; i < l->n && i < ROWS; i++) {
		fputs("\n  ", p->out);
		for (size_t k = 0; k < n_shown; k++) {
			int field = named_field_at(&kind, str_of(shown[k]));
			double value = named_values(l, order[i])[field];
			page_cell(p, 12, isnan(value) ? "-" : as_value(kind.fields[field].unit, value));
		}
		fputs("  ", p->out);
		page_text(p, named_name(l, order[i]));
	}
	if (l->n)
		fputc('\n', p->out);
	if (l->n > ROWS)
		fprintf(p->out, "  and %zu more\n", l->n - ROWS);
	free(order);
	named_free(&named);
	return 0;
}

static int put_names(const struct page *p, const struct evl_log *log, const struct figures *f)
{
	static const char *const of_bands[] = {"peak", "mean", "slope", "n"},
				 *const of_labels[] = {"n", "run", "runnable_wait", "blocked"};
	int result = put_named(p, log, f, NAMED_BANDS, "bands of the heap profile", of_bands, countof(of_bands));
	return result ? result : put_named(p, log, f, NAMED_LABELS, "threads by label", of_labels, countof(of_labels));
}

/* --- the summary ---------------------------------------------------------------------------------------------------- */

static int put_entry(const struct page *p, const struct stats_data *d, size_t i)
{
	struct canvas lines;
	int n = section_entry_lines(section_summary.entries, d, i, p->ascii, &lines);
	char *text = n > 0 ? canvas_dump(&lines) : NULL, *line = text;
	canvas_free(&lines);
	for (int y = 0; text && y < n; y++) {
		size_t len = strcspn(line, "\n");
		fprintf(p->out, "  %.*s\n", (int)len, line);
		line += len + (line[len] != '\0');
	}
	free(text);
	return text ? 0 : EVL_NOMEM;
}

/* The box SUMMARY of the Stats pane. What cannot say that memory ran out notes it. */
static int put_summary(
	const struct page *p, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	enum { COLUMNS = 116 };
	const struct section_entries *e = section_summary.entries;
	struct stats_answer *answer = calloc(1, sizeof *answer);
	struct stats_data d = {.log = log, .answer = answer, .f = f, .width = COLUMNS};
	if (!answer)
		return EVL_NOMEM;
	(void)oom_take(); /* of something before */
	*answer = (struct stats_answer){.made = true, .figures = *f, .findings = *findings};
	int result = stats_summary_make(&answer->summary, log, f, f->deep, NULL);
	page_heading(p, "summary");
	for (size_t i = 0; i < e->n && result == 0; i++)
		if (!e->items[i].of_screen && (!e->items[i].there || e->items[i].there(&d)))
			result = put_entry(p, &d, i);
	free(answer); /* metrics and findings are the caller's */
	return oom_take() ? EVL_NOMEM : result;
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static void put_range(const struct page *p, const struct figures *f)
{
	if (f->windows.label) {
		fprintf(p->out, "  range        %s spans of \"", as_count(f->windows.spans));
		page_text(p, f->windows.name);
		fprintf(p->out, "\", %s, from %s s to %s s\n", as_duration(f->windows.covered), as_time(f->from),
			as_time(f->to));
	} else if (!f->whole)
		fprintf(p->out, "  range        %s s to %s s\n", as_time(f->from), as_time(f->to));
}

static void put_findings(
	struct page *p, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	struct figure_list list = {.log = log, .f = f, .findings = findings};
	struct page_look look = looks[FIGURES_findings];
	char none[FINDING_TEXT];
	if (findings_numbered(findings) == 0) {
		page_heading(p, findings->n ? "findings: · not recorded" : "findings");
		fprintf(p->out, "  %s\n", findings_none(f, none));
		look.heading = NULL;
	}
	page_list(p, &look, figure_list(FIGURES_findings), &list);
}

/* 0 or EVL_NOMEM. */
static int put_report(
	struct page *p, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	page_inked(p, INK_BOLD, "log");
	fputc('\n', p->out);
	put_program(p, log);
	put_range(p, f);
	int result = put_summary(p, log, f, findings);
	if (result)
		return result;
	put_findings(p, log, f, findings);
	for (int m = 0; m < METRICS;) {
		bool gc = m == METRIC_GC_N, caps = m == METRIC_CAP_UTILISATION,
		     nonmoving = m == METRIC_NONMOVING_CYCLES;
		m = put_group(p, log, f, m);
		if (gc || caps || nonmoving)
			put_list(p, log, f, gc ? FIGURES_generations : caps ? FIGURES_caps : FIGURES_nm_census);
	}
	put_list(p, log, f, FIGURES_longest);
	put_list(p, log, f, FIGURES_sync_delays);
	put_list(p, log, f, FIGURES_top_run);
	put_list(p, log, f, FIGURES_top_blocked);
	put_list(p, log, f, FIGURES_top_wait);
	if (f->waits) {
		put_blocked(p, log, f->waits);
		put_list(p, log, f, FIGURES_deadlocked);
		put_concurrency(p, f);
	}
	put_list(p, log, f, FIGURES_spans);
	if (!f->windows.label) {
		page_list(p, &phases_look, &phase_list_kind, &(struct phase_list){.of.log = log, .phases = f->phases});
		result = report_profile(p, log, f->whole ? 0 : f->from, f->whole ? UINT64_MAX : f->until);
	}
	if (f->deep && result == 0 && !f->windows.label)
		result = put_names(p, log, f);
	page_list(p, &ticky_look, &ticky_list_kind, &(struct ticky_list){.of.log = log, .ticky = f->ticky});
	if (!f->deep)
		fputs("\nwaits of threads, budgets of spans, phases and ticky counters need a second reading of a "
		      "log of this size: --all\n",
			p->out);
	put_damage(p, log);
	return result;
}

static int print_text(const struct evl_log *log, const struct options *o, const struct figures *f,
	const struct findings *findings, struct out *out)
{
	struct page page;
	if (!page_open(&page, o))
		return EVL_NOMEM;
	return page_end(&page, put_report(&page, log, f, findings), out);
}

static int print_json(
	const struct evl_log *log, const struct figures *f, const struct findings *findings, struct out *out)
{
	struct buf text = {0};
	stats_json(log, f, findings, &text);
	return out_text(out, &text);
}

int report_stats(struct evl_log *log, const struct options *o)
{
	struct range range;
	struct figures figures;
	struct findings findings = {0};
	struct out out = out_open();
	int result, status = report_begin(log, o, &range);
	if (status)
		return status;
	struct figures_ask ask = {.from = range.from,
		.to = range.to,
		.deep = o->all || figures_is_small(log, range.from, range.to),
		.ticky_sources = o->json,
		.group = o->group};
	ask.label = o->span ? idmap_key(str_of(o->span)) : 0;
	struct progress work = report_work("computing");
	ask.watch = &work;
	result = figures_make(&figures, log, &ask);
	if (result < 0)
		return report_fail(log, result);
	if (o->span && figures.windows.spans == 0) {
		figures_free(&figures);
		report_work_over();
		say_error("%s: no span is named \"%s\"", log->path, o->span);
		return EXIT_FAILURE;
	}
	findings_make(&findings, log, &figures);
	if (!o->json)
		findings_rank(&findings);
	result = o->json ? print_json(log, &figures, &findings, &out) : print_text(log, o, &figures, &findings, &out);
	figures_free(&figures);
	return result < 0 ? report_fail(log, result) : out_status(&out);
}
