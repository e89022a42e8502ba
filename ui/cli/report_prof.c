/* report_prof.c - evtui profile: the time profile in the layout of GHC's .prof report, with ticks as of -P.
 *
 * As there, the run-time system's centres (GC, IDLE, …) do not count, and the first table leaves out what is below 1 %. The log
 * has neither entries nor allocation per cost centre: those columns hold "-". Children come heaviest first. */
#include "base/order.h"
#include "cli/report.h"

#include "cli/page.h"
#include "draw/say.h"
#include "draw/text.h"
#include "format/decode.h"
#include "prof/prof_centres.h"
#include "prof/prof_tree.h"
#include "prof/prof_window.h"
#include "report/abilities.h"
#include "report/whole_time.h"
#include "sched/thread_state.h"
#include "sys/system.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_NAME = 400, MOST_SOURCE = 100, HUNDRED = 100 };

struct report {
	const struct page *page;
	const struct evl_log *log;
	const struct prof *prof;
	struct prof_names names;
	uint64_t *self; /* by stack, without the run-time system's */
	uint64_t ticks; /* their sum */
	struct range range;
};

/* Widths of the columns of a table. */
struct widths {
	int name, module, source;
};

/* --- text ---------------------------------------------------------------------------------------------------------- */

static int width_of(const struct page *p, struct evl_str s) { return text_width(text_capped(s), p->ascii); }

static void put_padded(const struct page *p, int width, struct evl_str s)
{
	int used = width_of(p, s);
	page_text(p, s);
	fprintf(p->out, "%*s ", used < width ? width - used : 0, "");
}

static void put_literal(const struct page *p, int width, const char *s) { fprintf(p->out, "%-*s ", width, s); }

static struct evl_str source_of(const struct report *r, uint32_t name)
{
	struct evl_str source = prof_location(&r->names, name);
	return source.len ? source : name == PROF_MAIN ? EVL_STR("<built-in>") : EVL_STR("");
}

static struct evl_str module_of(const struct report *r, uint32_t name)
{
	struct evl_str module = prof_module(&r->names, name);
	return module.len || name != PROF_MAIN ? module : prof_label(&r->names, name);
}

static void widen(const struct report *r, struct widths *w, uint32_t name, int indent)
{
	int at = indent + width_of(r->page, prof_label(&r->names, name));
	int module = width_of(r->page, module_of(r, name)), source = width_of(r->page, source_of(r, name));
	w->name = at > w->name ? (at < MOST_NAME ? at : MOST_NAME) : w->name;
	w->module = module > w->module ? module : w->module;
	w->source = source > w->source ? (source < MOST_SOURCE ? source : MOST_SOURCE) : w->source;
}

static void put_centre(const struct report *r, const struct widths *w, uint32_t name, int indent)
{
	indent = indent < MOST_NAME ? indent : MOST_NAME;
	fprintf(r->page->out, "%*s", indent, "");
	put_padded(r->page, w->name - indent, prof_label(&r->names, name));
	put_padded(r->page, w->module, module_of(r, name));
	put_padded(r->page, w->source, source_of(r, name));
}

static double percent(const struct report *r, uint64_t ticks)
{
	return r->ticks ? HUNDRED * (double)ticks / (double)r->ticks : 0;
}

/* --- the head ------------------------------------------------------------------------------------------------------ */

static void put_title(const struct report *r, bool whole)
{
	struct program_facts facts = program_get(&r->log->program);
	struct evl_str rest = facts.program, arg;
	FILE *out = r->page->out;
	time_t at = (time_t)(facts.wall_ns / 1000000000);
	char date[64];
	struct tm local;
	fputc('\t', out);
	if (facts.wall_ns && localtime_r(&at, &local) && strftime(date, sizeof date, "%a %b %e %H:%M %Y ", &local))
		fputs(date, out);
	fputs("Time and Allocation Profiling Report  ", out);
	if (whole)
		fputs("(Final)\n\n\t   ", out);
	else
		fprintf(out, "(%s s to %s s)\n\n\t   ", as_time(r->range.from), as_time(r->range.to));
	for (int i = 0; decode_next_str(&rest, &arg); i++) {
		fputs(i ? " " : "", out);
		page_text(r->page, arg);
	}
	fputs("\n\n", out);
}

static void put_alloc(const struct report *r)
{
	uint64_t first, last, bytes;
	char text[32];
	fputs("\ttotal alloc = ", r->page->out);
	if (!heap_allocated_known(&r->log->heap) || !evl_range(r->log, &first, &last)) {
		fputs("not in the log\n\n", r->page->out);
		return;
	}
	bytes = heap_allocated_between(&r->log->heap, first, max_u64(first, r->range.from), min_u64(r->range.to, last));
	fprintf(r->page->out, "%11s bytes  (of the whole program; the log has none per cost centre)\n\n",
		text_count(text, bytes));
}

/* As GHC's: a tick is a sample of one capability. */
static void put_totals(const struct report *r)
{
	uint64_t interval = prof_interval(r->prof);
	size_t caps = r->log->n_caps ? r->log->n_caps : 1;
	FILE *out = r->page->out;
	if (interval)
		fprintf(out, "\ttotal time  = %11.2f secs   (%" PRIu64 " ticks @ %.0f us, %zu processor%s)\n",
			(double)r->ticks * (double)interval / 1e9 / (double)caps, r->ticks, (double)interval / 1e3,
			caps, caps > 1 ? "s" : "");
	else
		fprintf(out, "\ttotal time  = not in the log   (%" PRIu64 " samples of unknown interval)\n", r->ticks);
	put_alloc(r);
}

/* --- the tables ---------------------------------------------------------------------------------------------------- */

struct ranked {
	uint32_t name;
	uint64_t self;
};

static int by_self(const void *a, const void *b, void *ctx)
{
	const struct ranked *x = a, *y = b;
	return x->self != y->self ? (x->self < y->self ? 1 : -1) : prof_names_compare(ctx, x->name, y->name);
}

static void put_hot(struct report *r, struct ranked *items, size_t n)
{
	struct widths w = {11, 6, 3};
	FILE *out = r->page->out;
	sys_sort(items, n, sizeof *items, by_self, &r->names);
	while (n > 0 && percent(r, items[n - 1].self) < 1)
		n--;
	for (size_t i = 0; i < n; i++)
		widen(r, &w, items[i].name, 0);
	put_literal(r->page, w.name, "COST CENTRE");
	put_literal(r->page, w.module, "MODULE");
	put_literal(r->page, w.source, "SRC");
	fputs("%time %alloc   ticks\n\n", out);
	for (size_t i = 0; i < n; i++) {
		put_centre(r, &w, items[i].name, 0);
		fprintf(out, "%5.1f %6s %7" PRIu64 "\n", percent(r, items[i].self), "-", items[i].self);
	}
}

static int put_flat(struct report *r)
{
	size_t n = 0;
	uint64_t *incl = malloc(r->names.n * sizeof *incl), *own = malloc(r->names.n * sizeof *own);
	struct ranked *items = malloc(r->names.n * sizeof *items);
	int result = incl && own && items ? prof_sums(&r->prof->stacks, &r->names, r->self, incl, own) : EVL_NOMEM;
	for (uint32_t name = 0; name < r->names.n && result == 0; name++)
		if (own[name])
			items[n++] = (struct ranked){name, own[name]};
	if (result == 0)
		put_hot(r, items, n);
	free_all(incl, own, items);
	return result;
}

static void put_tree(const struct report *r, const struct prof_tree *t)
{
	enum { NUMBER = 6, ENTRIES = 10 };
	struct widths w = {11, 6, 3};
	FILE *out = r->page->out;
	uint32_t item = 0, number = 0;
	do
		widen(r, &w, t->items[item].name, (int)t->items[item].depth);
	while ((item = prof_tree_after(t, item)));
	fprintf(out, "\n\n%*sindividual      inherited\n", w.name + w.module + w.source + 3 + NUMBER + ENTRIES + 5, "");
	put_literal(r->page, w.name, "COST CENTRE");
	put_literal(r->page, w.module, "MODULE");
	put_literal(r->page, w.source, "SRC");
	fprintf(out, "%*s %*s  %%time %%alloc   %%time %%alloc   ticks\n\n", NUMBER, "no.", ENTRIES, "entries");
	do {
		const struct prof_item *i = &t->items[item];
		put_centre(r, &w, i->name, (int)i->depth);
		fprintf(out, "%*u %*s  %5.1f %6s   %5.1f %6s %7" PRIu64 "\n", NUMBER, ++number, ENTRIES, "-",
			percent(r, i->self), "-", percent(r, i->incl), "-", i->self);
	} while ((item = prof_tree_after(t, item)));
}

static int put_stacks(struct report *r)
{
	struct prof_tree tree;
	int result = prof_tree_make(&tree, PROF_TREE, &r->prof->stacks, &r->names, r->self, PROF_NO_NAME);
	result = result ? result : prof_tree_sort(&tree, &r->names, PROF_BY_INCL);
	if (result == 0 && tree.n)
		put_tree(r, &tree);
	prof_tree_free(&tree);
	return result;
}

/* --- on and off the CPU -------------------------------------------------------------------------------------------- */

enum { WHOLE_LISTED = 40, FRAMES = 4 };

/* "go < loop < main": the innermost frames. */
static void put_frames(const struct report *r, uint32_t node)
{
	const struct stacks *stacks = &r->prof->stacks;
	if (node == STACK_ROOT)
		page_text(r->page, prof_label(&r->names, PROF_MAIN));
	for (int i = 0; node != STACK_ROOT; i++, node = stacks_at(stacks, node)->parent) {
		if (i == FRAMES) {
			fputs(" < …", r->page->out);
			break;
		}
		fputs(i ? " < " : "", r->page->out);
		page_text(r->page, prof_label(&r->names, r->names.of_node[node]));
	}
}

static void put_whole_row(const struct report *r, const struct whole_row *row, uint64_t all, bool named)
{
	FILE *out = r->page->out;
	page_cell(r->page, 8, as_share(all ? (double)row->ns / (double)all : 0));
	page_cell(r->page, 10, as_duration(row->ns));
	fprintf(out, "  %s", whole_kind_name((enum whole_kind)row->kind));
	if (row->kind == WHOLE_BLOCKED)
		fprintf(out, ": %s", thread_block_name(row->reason));
	if (named) {
		fprintf(out, "  thread %u ", row->thread);
		page_text(r->page, evl_label(r->log, row->thread));
	}
	if (named && row->node != WHOLE_NO_STACK) {
		fputs(row->kind == WHOLE_CPU ? "  " : "  after (estimated) ", out);
		put_frames(r, row->node);
	}
	fputc('\n', out);
}

COMPARE_BY(by_ns, struct whole_row, FALLING(ns));

/* Sums by kind and reason, then the largest rows. */
static void put_whole(const struct report *r, struct whole_time *w)
{
	struct whole_row sums[WHOLE_KINDS + UINT8_MAX + 1] = {0};
	uint64_t all = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct whole_row *row = &w->rows[i];
		struct whole_row *sum = &sums[row->kind == WHOLE_BLOCKED ? WHOLE_KINDS + row->reason : row->kind];
		*sum = (struct whole_row){.kind = row->kind, .reason = row->reason, .ns = sum->ns + row->ns};
		all += row->ns;
	}
	qsort(sums, countof(sums), sizeof *sums, by_ns);
	if (w->n)
		qsort(w->rows, w->n, sizeof *w->rows, by_ns);
	page_heading(r->page, "time of threads on and off the CPU");
	fprintf(r->page->out,
		"  %s of %s samples belong to a thread that ran; the stack of a wait is that of the last sample before "
		"it\n",
		as_count(w->of_threads), as_count(w->samples));
	for (size_t i = 0; i < countof(sums) && sums[i].ns; i++)
		put_whole_row(r, &sums[i], all, false);
	page_heading(r->page, "by thread and stack");
	for (size_t i = 0; i < w->n && i < WHOLE_LISTED; i++)
		put_whole_row(r, &w->rows[i], all, true);
	if (w->n > WHOLE_LISTED)
		fprintf(r->page->out, "  and %zu more (all: evtui export whole)\n", w->n - WHOLE_LISTED);
}

/* 1: no such thread, or none ran. */
static int put_whole_report(struct report *r, uint32_t thread)
{
	const struct prof_naming naming = evl_naming(r->log);
	struct whole_time w;
	int result = prof_names_make(&r->names, r->prof, &naming);
	if (result < 0)
		return result;
	result = whole_time_make(&w, r->log, r->range.from, r->range.to, &(struct whole_only){.thread = thread}, NULL);
	if (result == 0) {
		if (w.n)
			put_whole(r, &w);
		result = w.n ? 0 : 1;
		whole_time_free(&w);
	}
	prof_names_free(&r->names);
	return result;
}

/* Only the samples of a thread. */
static int of_thread(const struct report *r, uint32_t thread, struct prof_window *window)
{
	struct whole_time w;
	int result =
		whole_time_make(&w, r->log, r->range.from, r->range.to, &(struct whole_only){.thread = thread}, NULL);
	if (result < 0)
		return result;
	window->total = whole_time_samples(&w, window->self, window->n_nodes);
	whole_time_free(&w);
	return 0;
}

/* --- the report ---------------------------------------------------------------------------------------------------- */

/* 1: no samples. */
static int put_report(struct report *r, bool whole, uint32_t thread)
{
	const struct prof_naming naming = evl_naming(r->log);
	struct prof_window w;
	int result = prof_names_make(&r->names, r->prof, &naming);
	if (result < 0)
		return result;
	result = prof_window_make(&w, r->prof, &r->log->blocks, r->range.from, r->range.to, 1, PROF_ALL_CAPS, NULL);
	if (result == 0 && thread)
		result = of_thread(r, thread, &w);
	if (result == 0 && w.total == 0)
		result = 1;
	if (result == 0) {
		r->ticks = prof_hide_rts(&r->names, w.self, w.n_nodes);
		r->self = w.self;
		put_title(r, whole);
		put_totals(r);
		result = put_flat(r);
		result = result ? result : put_stacks(r);
	}
	prof_window_free(&w);
	prof_names_free(&r->names);
	return result;
}

int report_prof(struct evl_log *log, const struct options *o)
{
	struct out out = out_open();
	struct page page;
	struct report r = {.page = &page, .log = log};
	int result, status = report_begin(log, o, &r.range);
	if (status)
		return status;
	r.prof = evl_profile(log);
	if (!page_open(&page, o))
		return report_fail(log, EVL_NOMEM);
	result = o->whole ? put_whole_report(&r, o->thread) : put_report(&r, !o->from && !o->to, o->thread);
	result = page_end(&page, result, &out);
	if (result == 1 && o->thread) {
		say_error(o->whole ? "%s: thread %u did not exist in this range"
				   : "%s: no samples of a time profile while thread %u ran",
			log->path, o->thread);
		return EXIT_FAILURE;
	}
	if (result == 1 && o->whole) {
		say_error("%s: runs of threads: %s", log->path, absence_text(log, ABSENCE_RUNS));
		return EXIT_FAILURE;
	}
	if (result == 1) {
		say_error("%s: %s", log->path,
			prof_samples(r.prof) ? "no samples of the time profile in this range"
					     : absence_of_samples(log));
		return EXIT_FAILURE;
	}
	return result < 0 ? report_fail(log, result) : out_status(&out);
}
