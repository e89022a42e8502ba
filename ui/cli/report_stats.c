/* report_stats.c - evtui stats: the page and the JSON. */
#include "cli/report.h"

#include "base/idmap.h"
#include "cli/page.h"
#include "cli/report_profile.h"
#include "draw/say.h"
#include "draw/text.h"
#include "format/decode.h"
#include "report/figures.h"
#include "report/findings.h"
#include "report/named.h"
#include "report/stats_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- the log ------------------------------------------------------------------------------------------------------ */

static void put_program(const struct page *p, const struct evl_log *log)
{
	struct program_facts facts = program_get(&log->program);
	struct evl_str rest = facts.program, arg;
	char text[TEXT_ROOM], wall[TEXT_WALL_ROOM];
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
	fprintf(p->out, "  %-12s %s\n", "events", text_count(text, evl_progress(log).events));
	fprintf(p->out, "  %-12s %s\n", "capabilities", text_count(text, log->n_caps));
	if (evl_unfinished(log))
		fputs("  unfinished: the log has no end marker\n", p->out);
}

static void put_damage(const struct page *p, const struct damage_list *list)
{
	char text[96];
	if (list->n == 0)
		return;
	fputc('\n', p->out);
	page_inked(p, INK_RED, "damage");
	fputc('\n', p->out);
	for (size_t i = 0; i < list->n; i++)
		fprintf(p->out, "  at byte %" PRIu64 ", %" PRIu64 " bytes: %s\n", list->items[i].off,
			list->items[i].len, damage_text(&list->items[i], text, sizeof text));
	if (list->more)
		fprintf(p->out, "  and %" PRIu64 " more places\n", list->more);
}

/* --- the figures -------------------------------------------------------------------------------------------------- */

/* The groups of the table, as headings. */
static const struct {
	const char *group, *title;
} titles[] = {{"time", "time"}, {"gc", "collections"}, {"gc.pause", "GC pauses"},
	{"gc.sync", "waiting for capabilities to stop"}, {"gc.census", "collections that a heap census asked for"},
	{"gc.without_census", "without those of heap censuses"}, {"gc.minor", "minor collections"},
	{"gc.major", "major collections"}, {"mmu", "minimum mutator utilisation, by length of the window"},
	{"cap", "capabilities"}, {"threads", "threads"}, {"threads.latency", "from runnable to running"},
	{"threads.latency_wait", "from runnable to running, without pauses"}, {"heap", "heap"}, {"sparks", "sparks"},
	{"nonmoving", "nonmoving collector"}};

static const char *title_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : 0;
	for (size_t i = 0; i < countof(titles); i++)
		if (strlen(titles[i].group) == len && memcmp(titles[i].group, name, len) == 0)
			return titles[i].title;
	return NULL;
}

/* Is there nothing to say of a group? It has no cycles; or nothing is known of it, and why is said elsewhere. */
static bool is_quiet(const struct figures *f, int first, int known)
{
	const char *name = metric_info((enum metric)first)->name;
	bool part = strchr(name, '.') != strrchr(name, '.');
	if (first == METRIC_NONMOVING_CYCLES)
		return known == 0 || f->values[first] == 0;
	return known == 0 && (part || first == METRIC_MMU_1MS);
}

static void put_figure(const struct page *p, const struct figures *f, enum metric m)
{
	const struct metric_info *info = metric_info(m);
	char value[TEXT_ROOM], share[TEXT_ROOM], more[2 * TEXT_ROOM];
	bool part = m <= METRIC_TIME_IDLE && f->values[METRIC_TIME_TOTAL] > 0;
	bool mmu = m >= METRIC_MMU_1MS && m <= METRIC_MMU_5S && f->census.n;
	if (part)
		snprintf(more, sizeof more, "%6s", text_share(share, f->values[m] / f->values[METRIC_TIME_TOTAL]));
	else if (mmu)
		snprintf(more, sizeof more, "%s without heap censuses",
			text_share(share, f->census.mmu[m - METRIC_MMU_1MS].share));
	page_row(p, info->label, text_value(value, info->unit, f->values[m]), part || mmu ? more : NULL);
}

/* Print the known figures of one group, from m on. Return the first of the next group. */
static int put_group(const struct page *p, const struct figures *f, int m)
{
	const char *title = title_of(metric_info((enum metric)m)->name);
	int first = m, known = 0;
	for (; m < METRICS && title_of(metric_info((enum metric)m)->name) == title; m++)
		known += !isnan(f->values[m]);
	if (!title || is_quiet(f, first, known))
		return m;
	page_heading(p, title);
	if (known == 0)
		fprintf(p->out, f->windows.label ? "  " FIGURES_NOT_OVER_WINDOWS "\n" : "  unknown; recorded by %s\n",
			metric_info((enum metric)first)->flag);
	for (int i = first; i < m; i++)
		if (!isnan(f->values[i]))
			put_figure(p, f, (enum metric)i);
	return m;
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void put_cells(const struct page *p, const char *name, int columns, const char *const *cells, int n)
{
	fprintf(p->out, "  %-8s", name);
	for (int i = 0; i < n; i++)
		page_cell(p, columns, cells[i]);
	fputc('\n', p->out);
}

static void put_generations(const struct page *p, const struct figures *f)
{
	static const char *const heads[] = {"number", "parallel", "elapsed", "mean", "longest", "copied"};
	if (f->n_gens)
		page_heading(p, "generations");
	if (f->n_gens)
		put_cells(p, "", 9, heads, countof(heads));
	for (size_t i = 0; i < f->n_gens; i++) {
		const struct gc_gen *g = &f->gens[i].sum;
		char name[TEXT_ROOM], t[6][TEXT_ROOM];
		const char *const cells[] = {text_count(t[0], g->n), text_count(t[1], g->par),
			text_duration(t[2], g->elapsed), text_duration(t[3], g->n ? g->elapsed / g->n : 0),
			text_duration(t[4], g->max),
			f->gens[i].gen == GC_GEN_UNKNOWN ? "" : text_bytes(t[5], g->copied)};
		snprintf(name, sizeof name, "gen %u", f->gens[i].gen);
		put_cells(p, f->gens[i].gen == GC_GEN_UNKNOWN ? "gen ?" : name, 9, cells, countof(cells));
	}
}

static void put_longest(const struct page *p, const struct figures *f)
{
	char at[TEXT_ROOM], pause[TEXT_ROOM], more[3 * TEXT_ROOM], sync[TEXT_ROOM];
	if (f->n_longest)
		page_heading(p, "longest pauses");
	for (size_t i = 0; i < f->n_longest; i++) {
		const struct gc_row *r = &f->longest[i];
		char gen[16] = "?";
		if (r->gen != GC_GEN_UNKNOWN)
			snprintf(gen, sizeof gen, "%u", (unsigned)r->gen);
		snprintf(more, sizeof more, "gen %s  cap %u%s%s%s", gen, (unsigned)r->cap, r->sync ? "  sync " : "",
			r->sync ? text_duration(sync, r->sync) : "", f->longest_census[i] ? "  heap census" : "");
		page_row(p, text_value(at, UNIT_MOMENT, (double)gc_requested(r)), text_duration(pause, gc_pause(r)),
			more);
	}
}

static void put_caps(const struct page *p, const struct figures *f)
{
	enum { SHOWN = 64 };
	static const char *const heads[] = {"run", "GC", "idle", "switches"};
	if (f->n_caps)
		put_cells(p, "", 8, heads, countof(heads));
	for (size_t i = 0; i < f->n_caps && i < SHOWN; i++) {
		const struct cap_figures *c = &f->caps[i];
		char name[TEXT_ROOM], t[4][TEXT_ROOM];
		const char *const cells[] = {text_share(t[0], c->run), text_share(t[1], c->gc),
			text_share(t[2], c->idle), text_count(t[3], c->switches)};
		snprintf(name, sizeof name, "cap %u", c->cap);
		put_cells(p, name, 8, cells, countof(cells));
	}
	if (f->n_caps > SHOWN)
		fprintf(p->out, "  and %zu more\n", f->n_caps - SHOWN);
}

/* One line for a thread: its number, a time, what else; its label. */
static void put_thread(const struct page *p, const struct evl_log *log, uint32_t thread, uint64_t ns, const char *more)
{
	char name[TEXT_ROOM], time[TEXT_ROOM];
	struct evl_str label = evl_label(log, thread);
	snprintf(name, sizeof name, "%u", thread);
	fprintf(p->out, "  %-8s", name);
	page_cell(p, 9, text_duration(time, ns));
	fprintf(p->out, "  %-22s ", more);
	page_text(p, label);
	fputc('\n', p->out);
}

static void put_top_run(const struct page *p, const struct evl_log *log, const struct figures *f)
{
	size_t n = f->whole ? f->lives.n_top : f->waits ? f->waits->n_run : 0;
	char count[TEXT_ROOM], more[TEXT_ROOM + 8];
	if (n)
		page_heading(p, "threads that ran most");
	for (size_t i = 0; i < n; i++) {
		const struct thread_waits *w = f->whole ? NULL : &f->waits->by_run[i];
		snprintf(more, sizeof more, "%s runs", text_count(count, w ? w->runs : f->lives.top[i].runs));
		put_thread(p, log, w ? w->thread : f->lives.top[i].thread, w ? w->run_ns : f->lives.top[i].ns, more);
	}
}

static void put_top_waits(const struct page *p, const struct evl_log *log, const struct waits *w)
{
	char at[TEXT_ROOM], more[2 * TEXT_ROOM];
	if (w->n_blocked)
		page_heading(p, "threads that were blocked most");
	for (size_t i = 0; i < w->n_blocked; i++)
		put_thread(p, log, w->by_blocked[i].thread, w->by_blocked[i].blocked_ns,
			thread_stop_word(w->by_blocked[i].stop));
	if (w->n_wait)
		page_heading(p, "longest from runnable to running, without pauses");
	for (size_t i = 0; i < w->n_wait; i++) {
		snprintf(more, sizeof more, "at %s", text_value(at, UNIT_MOMENT, (double)w->by_wait[i].wait_at));
		put_thread(p, log, w->by_wait[i].thread, w->by_wait[i].longest_wait, more);
	}
}

static double share_of(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : (double)NAN; }

/* "-" for what is not known. */
static const char *known_share(char *out, bool known, uint64_t part, uint64_t all)
{
	return known && all ? text_share(out, share_of(part, all)) : "-";
}

static void put_span(const struct page *p, const struct span_name *s, bool deep)
{
	char name[TEXT_ROOM], t[9][TEXT_ROOM];
	uint64_t n = s->n - s->unfinished;
	const char *const cells[] = {text_duration(t[0], s->total), n ? text_duration(t[1], s->finished / n) : "-",
		n ? text_duration(t[2], s->p50) : "-", n ? text_duration(t[3], s->p99) : "-",
		n ? text_duration(t[4], s->max) : "-", known_share(t[5], deep, s->budget.run, s->total),
		known_share(t[6], deep, s->budget.gc, s->total), known_share(t[7], deep, s->budget.runnable, s->total),
		known_share(t[8], deep, s->budget.blocked + s->budget.foreign, s->total)};
	fprintf(p->out, "  %-8s", text_count(name, s->n));
	for (size_t k = 0; k < countof(cells); k++)
		page_cell(p, k < 5 ? 9 : 8, cells[k]);
	fputs("  ", p->out);
	page_text(p, s->name);
	if (s->unfinished)
		fprintf(p->out, "  (%s unfinished)", text_count(name, s->unfinished));
	if (s->crossed)
		fprintf(p->out, "  (%s ended by another thread)", text_count(name, s->crossed));
	fputc('\n', p->out);
}

static void put_who(
	const struct page *p, const struct evl_log *log, const char *word, const struct wait_who *who, size_t n)
{
	char count[TEXT_ROOM], time[TEXT_ROOM], thread[TEXT_ROOM];
	for (size_t i = 0; i < n; i++) {
		snprintf(thread, sizeof thread, "%u", who[i].thread);
		fprintf(p->out, "    %-8s %-8s", word, who[i].thread ? thread : "unknown");
		page_cell(p, 9, text_count(count, who[i].n));
		page_cell(p, 9, text_duration(time, who[i].ns));
		fputs("  ", p->out);
		if (who[i].thread)
			page_text(p, evl_label(log, who[i].thread));
		fputc('\n', p->out);
	}
}

static void put_blocked(const struct page *p, const struct evl_log *log, const struct waits *w)
{
	char count[TEXT_ROOM], time[TEXT_ROOM], longest[TEXT_ROOM];
	if (w->n_reasons)
		page_heading(p, "blocked, by reason: times, time, the longest; which threads ended it");
	for (size_t i = 0; i < w->n_reasons; i++) {
		const struct wait_reason *r = &w->reasons[i];
		fprintf(p->out, "  %-19s", thread_block_name(r->reason));
		page_cell(p, 9, text_count(count, r->n));
		page_cell(p, 9, text_duration(time, r->ns));
		page_cell(p, 9, text_duration(longest, r->longest));
		fprintf(p->out, "  thread %u\n", r->longest_thread);
		put_who(p, log, "woken by", r->wakers, r->n_wakers);
		put_who(p, log, "owned by", r->owners, r->n_owners);
	}
}

static void put_concurrency(const struct page *p, const struct figures *f)
{
	double total = (double)figures_total(f);
	char name[TEXT_ROOM + 8], share[TEXT_ROOM], time[TEXT_ROOM];
	if (!(total > 0))
		return;
	page_heading(p, "capabilities that ran at once, outside of pauses");
	for (size_t i = 0; i < f->waits->n_levels; i++) {
		if (f->waits->levels[i] == 0)
			continue;
		snprintf(name, sizeof name, i == 0 ? "none" : "%zu", i);
		page_row(p, name, text_duration(time, f->waits->levels[i]),
			text_share(share, (double)f->waits->levels[i] / total));
	}
}

static void put_waits(const struct page *p, const struct evl_log *log, const struct figures *f)
{
	put_top_waits(p, log, f->waits);
	put_blocked(p, log, f->waits);
	put_concurrency(p, f);
}

static void put_spans(const struct page *p, const struct figures *f)
{
	enum { SHOWN = 20 };
	static const char *const heads[] = {
		"total", "mean", "p50", "p99", "longest", "ran", "in GC", "waited", "blocked"};
	const struct span_stats *s = f->span_labels.n ? &f->span_labels : &f->spans;
	if (s->n == 0)
		return;
	page_heading(p,
		"user spans; shares of their total time: ran, held up by GC, waited for a capability, blocked or in C");
	fprintf(p->out, "  %-8s", "number");
	for (size_t k = 0; k < countof(heads); k++)
		page_cell(p, k < 5 ? 9 : 8, heads[k]);
	fputc('\n', p->out);
	for (size_t i = 0; i < s->n && i < SHOWN; i++)
		put_span(p, &s->items[i], f->deep);
	if (s->n > SHOWN)
		fprintf(p->out, "  and %zu more names\n", s->n - SHOWN);
}

static void put_phases(const struct page *p, const struct evl_log *log, const struct figures *f)
{
	enum { SHOWN = 20 };
	static const char *const heads[] = {
		"length", "mutator", "GC", "idle", "GCs", "longest", "allocated", "caps busy"};
	if (f->phases.n == 0)
		return;
	page_heading(p, "phases between user markers");
	put_cells(p, "from", 10, heads, countof(heads));
	for (size_t i = 0; i < f->phases.n && i < SHOWN; i++) {
		const struct phase *x = &f->phases.items[i];
		struct evl_str name = phase_name(log, x);
		char from[TEXT_ROOM], t[8][TEXT_ROOM];
		uint64_t ns = x->to - x->from;
		const char *const cells[] = {text_duration(t[0], ns), known_share(t[1], f->has_sched, x->mutator, ns),
			known_share(t[2], f->has_gc, x->gc + x->sync, ns),
			known_share(t[3], f->has_sched && f->has_gc, x->idle, ns),
			f->has_gc ? text_count(t[4], x->gc_n) : "-",
			f->has_gc ? text_duration(t[5], x->max_pause) : "-",
			log->heap.has_allocated ? text_bytes(t[6], x->allocated) : "-",
			f->has_sched ? text_value(t[7], UNIT_NUMBER, phase_caps_busy(x)) : "-"};
		fprintf(p->out, "  %-8s", text_duration(from, x->from));
		for (size_t k = 0; k < countof(cells); k++)
			page_cell(p, 10, cells[k]);
		fputs("  ", p->out);
		page_text(p, name.p ? name : EVL_STR("(before the first marker)"));
		fputc('\n', p->out);
	}
	if (f->phases.n > SHOWN)
		fprintf(p->out, "  and %zu more phases\n", f->phases.n - SHOWN);
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
		char t[TEXT_ROOM];
		fputs("\n  ", p->out);
		for (size_t k = 0; k < n_shown; k++) {
			int field =
				named_field_at(&kind, (struct evl_str){(const uint8_t *)shown[k], strlen(shown[k])});
			double value = named_values(l, order[i])[field];
			page_cell(p, 12, isnan(value) ? "-" : text_value(t, kind.fields[field].unit, value));
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

static void put_census(const struct page *p, const struct nm_cycles *c)
{
	static const char *const heads[] = {"active", "filled", "live", "occupied"};
	if (c->n_sizes == 0)
		return;
	page_heading(p, "segments of the nonmoving heap, last census, by block size");
	put_cells(p, "bytes", 9, heads, countof(heads));
	for (size_t i = 0; i < c->n_sizes; i++) {
		const struct nm_size *s = &c->sizes[i];
		char name[TEXT_ROOM], t[4][TEXT_ROOM];
		const char *const cells[] = {text_count(t[0], s->active), text_count(t[1], s->filled),
			text_count(t[2], s->live), isnan(s->occupancy) ? "" : text_share(t[3], s->occupancy)};
		put_cells(p, text_count(name, s->block_size), 9, cells, countof(cells));
	}
}

static void put_ticky(const struct page *p, const struct evl_log *log, const struct figures *f)
{
	enum { SHOWN = 20 };
	static const char *const heads[] = {"entries", "allocates", "allocated"};
	if (f->ticky.n == 0)
		return;
	page_heading(p, "ticky counters");
	put_cells(p, "", 12, heads, countof(heads));
	for (size_t i = 0; i < f->ticky.n && i < SHOWN; i++) {
		const struct ticky_row *r = &f->ticky.items[i];
		struct ticky_name name;
		char t[3][TEXT_ROOM];
		ticky_name(log, r, &name);
		fprintf(p->out, "  %-8s", "");
		page_cell(p, 12, text_count(t[0], r->entries));
		page_cell(p, 12, text_bytes(t[1], r->allocs));
		page_cell(p, 12, text_bytes(t[2], r->allocd));
		fputs("  ", p->out);
		page_text(p, name.label);
		fputc('\n', p->out);
	}
	if (f->ticky.n > SHOWN)
		fprintf(p->out, "  and %zu more\n", f->ticky.n - SHOWN);
}

static void put_findings(const struct page *p, const struct findings *findings)
{
	static const struct {
		const char *sign;
		enum ink ink;
	} graves[] = {
		[FINDING_WARN] = {"!", INK_RED}, [FINDING_NOTE] = {"*", INK_YELLOW}, [FINDING_HINT] = {"?", INK_PLAIN}};
	if (findings->n)
		page_heading(p, "findings");
	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *f = &findings->items[i];
		char at[TEXT_ROOM], stake[FINDING_STAKE_TEXT];
		fputs("  ", p->out);
		page_inked(p, graves[f->severity].ink, graves[f->severity].sign);
		fputc(' ', p->out);
		page_text(p, (struct evl_str){(const uint8_t *)f->text, strlen(f->text)});
		if (f->has_place)
			fprintf(p->out, "; at %s", text_value(at, UNIT_MOMENT, (double)f->t));
		if (*finding_stake_text(f, stake))
			fprintf(p->out, "; at stake %s", stake);
		fprintf(p->out, "%s%s%s\n", *f->flag ? " (" : "", f->flag, *f->flag ? ")" : "");
	}
}

/* --- the report --------------------------------------------------------------------------------------------------- */

static void put_range(const struct page *p, const struct figures *f)
{
	char from[TEXT_ROOM], to[TEXT_ROOM];
	if (f->windows.label) {
		char n[TEXT_ROOM], ns[TEXT_ROOM];
		fprintf(p->out, "  range        %s spans of \"", text_count(n, f->windows.spans));
		page_text(p, f->windows.name);
		fprintf(p->out, "\", %s, from %s s to %s s\n", text_duration(ns, f->windows.covered),
			text_time(from, f->from), text_time(to, f->to));
	} else if (!f->whole)
		fprintf(p->out, "  range        %s s to %s s\n", text_time(from, f->from), text_time(to, f->to));
}

/* 0 or EVL_NOMEM. */
static int put_report(
	const struct page *p, const struct evl_log *log, const struct figures *f, const struct findings *findings)
{
	page_inked(p, INK_BOLD, "log");
	fputc('\n', p->out);
	put_program(p, log);
	put_range(p, f);
	put_findings(p, findings);
	for (int m = 0; m < METRICS;) {
		bool gc = m == METRIC_GC_N, caps = m == METRIC_CAP_UTILISATION,
		     nonmoving = m == METRIC_NONMOVING_CYCLES;
		m = put_group(p, f, m);
		if (gc)
			put_generations(p, f);
		if (caps)
			put_caps(p, f);
		if (nonmoving)
			put_census(p, &f->nonmoving);
	}
	put_longest(p, f);
	put_top_run(p, log, f);
	if (f->waits)
		put_waits(p, log, f);
	put_spans(p, f);
	int result = 0;
	if (!f->windows.label) {
		put_phases(p, log, f);
		result = report_profile(p, log, f->whole ? 0 : f->from, f->whole ? UINT64_MAX : f->until);
	}
	if (f->deep && result == 0 && !f->windows.label)
		result = put_names(p, log, f);
	put_ticky(p, log, f);
	if (!f->deep)
		fputs("\nwaits of threads, budgets of spans, phases and ticky counters take a second reading of so "
		      "large a log: --all\n",
			p->out);
	put_damage(p, &log->damage);
	return result;
}

static int print_text(const struct evl_log *log, const struct options *o, const struct figures *f,
	const struct findings *findings, struct out *out)
{
	struct page page;
	if (!page_open(&page, o))
		return EVL_NOMEM;
	int result = put_report(&page, log, f, findings);
	if (!page_close(&page))
		return EVL_NOMEM;
	if (result == 0)
		out_put(out, page.text, page.len);
	free(page.text);
	return result;
}

static int print_json(
	const struct evl_log *log, const struct figures *f, const struct findings *findings, struct out *out)
{
	struct buf text = {0};
	stats_json(log, f, findings, &text);
	if (!text.failed)
		out_put(out, text.p, text.len);
	int result = text.failed ? EVL_NOMEM : 0;
	buf_free(&text);
	return result;
}

int report_stats(struct evl_log *log, const struct options *o)
{
	struct range range;
	struct figures figures;
	struct findings findings;
	struct out out = out_open();
	int result = report_walk_named(log, o);
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, true, &range);
	if (status)
		return status;
	struct figures_ask ask = {
		.from = range.from, .to = range.to, .deep = o->all || figures_is_small(log, range.from, range.to)};
	ask.label = o->span ? idmap_key((struct evl_str){(const uint8_t *)o->span, strlen(o->span)}) : 0;
	result = figures_make(&figures, log, &ask);
	if (result < 0)
		return report_fail(log, result);
	if (o->span && figures.windows.spans == 0) {
		figures_free(&figures);
		say_error("%s: no span is called \"%s\" there", log->path, o->span);
		return EXIT_FAILURE;
	}
	findings_make(&findings, log, &figures);
	result = o->json ? print_json(log, &figures, &findings, &out) : print_text(log, o, &figures, &findings, &out);
	figures_free(&figures);
	return result < 0 ? report_fail(log, result) : out_status(&out);
}
