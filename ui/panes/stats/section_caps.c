/* section_caps.c - Stats box CAPS: the states of each capability. */
#include "panes/stats/section.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"

#include <math.h>
#include <stdio.h>

/* Activity of capabilities and threads. */

/* --- capabilities --- */

/* Past CAPS_FEW they are one row, of their mean. */
enum { CAPS_FEW = 16, CAP_W = 7, SHARE_W = 6, SWITCHES_W = 10, SWITCHES_ROOM = 70, BAR_LEAST = 6 };

static size_t caps_shown(const struct stats_data *d) { return min_u64(d->f->n_caps, CAPS_FEW); }

static int caps_rows(const struct stats_data *d) { return (int)caps_shown(d) + (d->f->n_caps > CAPS_FEW); }

/* The part of GC: "(wait)", or "(other)" of the only capability. */
static int part_w(const struct stats_data *d) { return SHARE_W + (d->log->n_caps == 1); }

/* Is there room for both the part of GC and the time off? width: of all columns but the name. */
static bool has_both(const struct stats_data *d, int width)
{
	enum { SHARES = 7 };
	return width >= SHARES * (SHARE_W + 1) + 1 + part_w(d) - SHARE_W;
}

/* A small time off is shown if there is room, a larger one instead of the part of GC. */
static bool has_off(const struct stats_data *d, int width)
{
	static const double shown = 0.0005; /* 0.1 %, rounded */
	return section_share(d->f, d->answer->summary.most_off) >= (has_both(d, width) ? shown : ABSENT_LEAST);
}

static void caps_head(const struct stats_data *d, struct line *l)
{
	const char *const names[] = {
		"run", "GC", d->log->n_caps == 1 ? "(other)" : "(wait)", "sync", "stopped", "idle", "off"};
	enum { WAIT = 2, STOPPED = 4 };
	bool room = line_room(l) + 6 >= SWITCHES_ROOM;
	line_skip(l, CAP_W + 1 - (int)strlen("CAPS") - 2);
	bool off = has_off(d, line_room(l)), wait = !off || has_both(d, line_room(l));
	for (size_t i = 0; i < countof(names) - !off; i++)
		if (i != WAIT || wait)
			section_right(l, ST_DIM, i == WAIT ? part_w(d) : SHARE_W + (i == STOPPED), names[i]);
	if (room)
		section_right(l, ST_DIM, SWITCHES_W, "switches");
	if (line_room(l) >= BAR_LEAST)
		line_put(l, ST_DIM, false, "shares");
}

/* The mean of those from `first` on. */
static struct cap_figures mean_from(const struct figures *f, size_t first)
{
	struct cap_figures sum = {.exact = true};
	uint64_t n = f->n_caps - first;
	for (size_t i = first; i < f->n_caps; i++) {
		const struct cap_figures *r = &f->caps[i];
		sum.run += r->run / n;
		sum.gc += r->gc / n;
		sum.gc_wait += r->gc_wait / n;
		sum.sync += r->sync / n;
		sum.stopped += r->stopped / n;
		sum.idle += r->idle / n;
		sum.off += r->off / n;
		sum.exact = sum.exact && r->exact;
	}
	return sum;
}

#define LEAST 0.001 /* share that is shown as a number */

/* "4.1%"; "≥4.1%" for at least that, "≤" for at most. */
static void put_share(struct line *l, enum style style, int width, double share, const char *bound)
{
	char text[TEXT_ROOM] = "-";
	if (!isnan(share))
		snprintf(text, sizeof text, "%s%.8s", share >= LEAST ? bound : "", as_share(share));
	section_right(l, isnan(share) ? ST_DIM : style, width, text);
}

/* Known if the log has GC events. */
static double if_gcs(const struct figures *f, uint64_t ns) { return f->has_gc ? section_share(f, ns) : (double)NAN; }

static void put_cap(const struct stats_data *d, const struct cap_figures *r, double switches, struct line *l)
{
	const char *most = r->exact ? "" : "≤", *least = r->exact ? "" : "≥";
	const struct figures *f = d->f;
	const struct section_part parts[] = {{section_share(f, r->run), ST_RUN},
		{section_share(f, r->gc - r->gc_wait), ST_MINOR}, {section_share(f, r->gc_wait), ST_GC_WAIT},
		{section_share(f, r->sync), ST_SYNC}, {section_share(f, r->stopped), ST_STOPPED}};
	bool room = l->end - l->x + CAP_W + 1 >= SWITCHES_ROOM, off = has_off(d, l->end - l->x),
	     wait = !off || has_both(d, l->end - l->x);
	put_share(l, ST_TEXT, SHARE_W, section_share(f, r->run), "");
	put_share(l, ST_TEXT, SHARE_W, if_gcs(f, r->gc), most);
	if (wait)
		put_share(l, ST_DIM, part_w(d), if_gcs(f, r->gc_wait), least);
	put_share(l, ST_TEXT, SHARE_W, if_gcs(f, r->sync), least);
	put_share(l, ST_TEXT, SHARE_W + 1, if_gcs(f, r->stopped), least);
	put_share(l, ST_TEXT, SHARE_W, if_gcs(f, r->idle), most);
	if (off)
		put_share(l, ST_TEXT, SHARE_W, if_gcs(f, r->off), least);
	if (room)
		section_unit(l, ST_TEXT, SWITCHES_W, UNIT_COUNT, switches);
	if (line_room(l) >= BAR_LEAST)
		section_parts(l, line_room(l), parts, countof(parts));
}

static void put_others(const struct stats_data *d, struct line *l)
{
	char text[64];
	size_t n = d->f->n_caps - caps_shown(d);
	snprintf(text, sizeof text, "%zu more", n);
	struct cap_figures mean = mean_from(d->f, CAPS_FEW);
	section_left(l, ST_EM, CAP_W, text);
	put_cap(d, &mean, (double)NAN, l);
}

static void caps_draw(const struct stats_data *d, int row, struct line *l)
{
	char text[TEXT_ROOM];
	if ((size_t)row == caps_shown(d)) {
		put_others(d, l);
		return;
	}
	const struct cap_figures *cap = &d->f->caps[row];
	snprintf(text, sizeof text, "cap %u", (unsigned)cap->cap);
	section_left(l, ST_TEXT, CAP_W, text);
	put_cap(d, cap, (double)cap->switches, l);
}

static void caps_place(const struct stats_data *d, int row, struct stats_place *out)
{
	section_place_list(out, &stats_caps);
	if (row < 0 || (size_t)row >= caps_shown(d))
		return;
	out->kind = PLACE_CAP;
	out->t = d->f->from;
	out->id = d->f->caps[row].cap;
}

const struct section_ops section_caps = {.title = "CAPS",
	.exported = "csv caps",
	.absence = ABSENCE_RUNS,
	.rows = caps_rows,
	.head = caps_head,
	.draw = caps_draw,
	.place = caps_place};

/* --- threads: the figures, then those that ran most, were blocked longest, waited longest until they ran --- */

enum { TOP_SHOWN = 5, FIGURES_SHOWN = 8 };

static const enum metric thread_figures[FIGURES_SHOWN] = {METRIC_THREADS_CREATED, METRIC_THREADS_FINISHED,
	METRIC_THREADS_PEAK_ALIVE, METRIC_THREADS_RUNS, METRIC_THREADS_RUNNABLE_GC, METRIC_THREADS_RUNNABLE_WAIT,
	METRIC_THREADS_WAIT_P99, METRIC_THREADS_WAIT_MAX};

/* A word before the label of a figure: what it is a part of. */
static const char *figure_word(enum metric m)
{
	return m == METRIC_THREADS_RUNNABLE_GC || m == METRIC_THREADS_RUNNABLE_WAIT ? "runnable"
		: m >= METRIC_THREADS_WAIT_N && m <= METRIC_THREADS_WAIT_MAX        ? "wait for a cap "
										    : "";
}

enum top_kind { TOP_RUN, TOP_BLOCKED, TOP_LATENCY, TOP_KINDS };

/* Kinds of row: a figure, the title of a list (index -1) or an entry of it. */
struct thread_at {
	bool is_figure;
	int index;
	enum top_kind kind;
};

/* Those that ran most are known of the whole run from the index, of a range only in depth. */
static int top_rows(const struct stats_data *d, enum top_kind kind)
{
	const struct waits *w = d->f->waits;
	size_t n = kind == TOP_RUN    ? (w          ? w->n_run
				      : d->f->whole ? d->f->lives.n_top
						    : 0)
		: !w                  ? 0
		: kind == TOP_BLOCKED ? w->n_blocked
				      : w->n_wait;
	return (int)min_u64(n, TOP_SHOWN);
}

static struct thread_waits top_at(const struct stats_data *d, const struct thread_at *at)
{
	const struct waits *w = d->f->waits;
	if (!w)
		return (struct thread_waits){.thread = d->f->lives.top[at->index].thread,
			.runs = d->f->lives.top[at->index].runs,
			.run_ns = d->f->lives.top[at->index].ns};
	return at->kind == TOP_RUN        ? w->by_run[at->index]
		: at->kind == TOP_BLOCKED ? w->by_blocked[at->index]
					  : w->by_wait[at->index];
}

bool section_ran_most(const struct stats_data *d, size_t i, struct thread_waits *out)
{
	struct thread_at at = {.index = (int)i, .kind = TOP_RUN};
	bool any = (int)i < top_rows(d, TOP_RUN);
	*out = any ? top_at(d, &at) : (struct thread_waits){0};
	return any;
}

static bool find_thread_row(const struct stats_data *d, int row, struct thread_at *out)
{
	*out = (struct thread_at){.is_figure = row < FIGURES_SHOWN, .index = row};
	row -= FIGURES_SHOWN;
	for (enum top_kind kind = TOP_RUN; !out->is_figure && kind < TOP_KINDS; kind++) {
		int n = top_rows(d, kind);
		out->kind = kind;
		out->index = row - 1;
		if (n && row <= n)
			return true;
		row -= n ? n + 1 : 0;
	}
	return out->is_figure;
}

static int threads_rows(const struct stats_data *d)
{
	int rows = FIGURES_SHOWN;
	for (enum top_kind kind = TOP_RUN; kind < TOP_KINDS; kind++)
		rows += top_rows(d, kind) ? top_rows(d, kind) + 1 : 0;
	return rows == FIGURES_SHOWN && !(d->f->values[METRIC_THREADS_CREATED] > 0) ? 0 : rows;
}

enum { TOP_NS = 8 };

/* The columns of a thread in its row: the list of the blocked has one more. */
static int top_width(enum top_kind kind, const struct line *l)
{
	return kind != TOP_BLOCKED && line_room(l) > 48 ? 22 : 18;
}

static void draw_top(const struct stats_data *d, const struct thread_at *at, struct line *l)
{
	struct thread_waits t = top_at(d, at);
	section_thread(d, l, top_width(at->kind, l), t.thread);
	if (at->kind == TOP_BLOCKED) {
		section_unit(l, ST_TEXT, TOP_NS, UNIT_NS, (double)t.blocked_ns);
		section_unit(l, ST_TEXT, TOP_NS, UNIT_NS, (double)t.longest_blocked);
		if (line_room(l) < (int)strlen(as_time(t.blocked_at)) + 2)
			return;
		line_put(l, ST_TEXT, false, as_time(t.blocked_at));
		line_put(l, ST_DIM, false, " s");
		return;
	}
	if (at->kind == TOP_RUN) {
		section_unit(l, ST_TEXT, 9, UNIT_NS, (double)t.run_ns);
		section_unit(l, ST_TEXT, 8, UNIT_COUNT, t.runs);
		line_put(l, ST_DIM, false, t.runs == 1 ? "run" : "runs");
		return;
	}
	section_unit(l, ST_TEXT, 9, UNIT_NS, (double)t.longest_wait);
	section_at(l, t.wait_at);
}

/* "blocked most        total  longest  from": what the columns of a list are. */
static void draw_top_title(const struct stats_data *d, enum top_kind kind, struct line *l)
{
	static const char *const titles[TOP_KINDS] = {[TOP_RUN] = "ran most",
		[TOP_BLOCKED] = "blocked most",
		[TOP_LATENCY] = "waited longest for a capability, without pauses"};
	int width = top_width(kind, l);
	if (kind != TOP_BLOCKED) {
		line_put(l, ST_DIM, false,
			kind == TOP_LATENCY && line_room(l) < (int)strlen(titles[kind])
				? "waited longest, without pauses"
				: titles[kind]);
		if (kind == TOP_RUN && evl_complete_until(d->log) < d->f->to)
			line_put(l, ST_DIM, false, " (at most: the log is cut)");
		return;
	}
	section_left(l, ST_DIM, width, titles[kind]);
	section_right(l, ST_DIM, TOP_NS, "total");
	section_right(l, ST_DIM, TOP_NS, "longest");
	if (line_room(l) >= (int)strlen("from"))
		line_put(l, ST_DIM, false, "from");
}

static void threads_draw(const struct stats_data *d, int row, struct line *l)
{
	struct thread_at at;
	if (!find_thread_row(d, row, &at))
		return;
	static const char sum[] = "sum of all threads";
	const char *word = at.is_figure ? figure_word(thread_figures[row]) : "";
	line_put(l, ST_DIM, false, word);
	if (!at.is_figure && at.index < 0)
		draw_top_title(d, at.kind, l);
	else if (!at.is_figure)
		draw_top(d, &at, l);
	else
		section_metric(d, l, thread_figures[row], 22 - (int)strlen(word), 10);
	if (strcmp(word, "runnable") == 0 && line_room(l) > (int)strlen(sum))
		line_put(l, ST_DIM, false, sum);
}

void section_place_run(const struct stats_data *d, const struct thread_waits *t, struct stats_place *out)
{
	const struct thread_row *r = threads_find(&d->log->threads, t->thread);
	out->kind = PLACE_THREAD;
	out->id = t->thread;
	out->t = t->longest_run ? t->run_at : r ? max_u64(atomic_load(&r->born), d->f->from) : d->f->from;
	out->end = t->longest_run ? t->run_at + t->longest_run : 0;
}

static void threads_place(const struct stats_data *d, int row, struct stats_place *out)
{
	struct thread_at at;
	section_place_list(out, &stats_threads);
	if (row < 0 || !find_thread_row(d, row, &at) || at.is_figure || at.index < 0)
		return;
	struct thread_waits t = top_at(d, &at);
	section_place_run(d, &t, out);
	if (at.kind == TOP_RUN)
		return;
	out->t = at.kind == TOP_BLOCKED ? t.blocked_at : t.wait_at;
	out->end = out->t + (at.kind == TOP_BLOCKED ? t.longest_blocked : t.longest_wait);
}

const struct section_ops section_threads = {.title = "THREADS",
	.exported = "csv threads",
	.absence = ABSENCE_THREADS,
	.rows = threads_rows,
	.draw = threads_draw,
	.place = threads_place};

/* Sparks, and what became of them. */

static const struct {
	enum metric count, share; /* METRICS: it has none */
	const char *brief;        /* its meaning, where there is no room for the whole */
} kinds[] = {{METRIC_SPARKS_CREATED, METRICS, "put into a pool"},
	{METRIC_SPARKS_CONVERTED, METRIC_SPARKS_CONVERTED_SHARE, "run as sparks"},
	{METRIC_SPARKS_FIZZLED, METRIC_SPARKS_FIZZLED_SHARE, "already evaluated"},
	{METRIC_SPARKS_GCD, METRIC_SPARKS_GCD_SHARE, "garbage-collected"},
	{METRIC_SPARKS_DUD, METRIC_SPARKS_DUD_SHARE, "already a value"},
	{METRIC_SPARKS_OVERFLOWED, METRIC_SPARKS_OVERFLOWED_SHARE, "the pool was full"},
	{METRIC_SPARKS_RUN, METRICS, "from its own pool"}, {METRIC_SPARKS_STOLEN, METRICS, "from other pools"}};
enum { BY_EVENTS = 2 }; /* the last of them: only single events tell */

static int kind_rows(const struct stats_data *d)
{
	return (int)countof(kinds) - (isnan(d->f->values[METRIC_SPARKS_STOLEN]) ? BY_EVENTS : 0);
}

static int rows(const struct stats_data *d)
{
	bool any = false;
	for (size_t i = 0; i < countof(kinds); i++)
		any = any || d->f->values[kinds[i].count] > 0;
	if (!any)
		return 0;
	size_t first;
	return kind_rows(d)
		+ (d->answer->summary.sized
				? 1 + (int)section_used(d->answer->summary.sparks.classes, SPARK_SIZE_CLASSES, &first)
				: 0);
}

/* With what it means, as far as there is room. */
static void draw_kind(const struct stats_data *d, int row, struct line *l)
{
	section_metric(d, l, kinds[row].count, 10, 11);
	if (kinds[row].share == METRICS)
		line_skip(l, 7);
	else
		section_unit(l, ST_TEXT, 6, UNIT_SHARE, d->f->values[kinds[row].share]);
	const char *meaning = metric_info(kinds[row].count)->meaning;
	line_put(l, ST_DIM, false, (int)strlen(meaning) <= line_room(l) ? meaning : kinds[row].brief);
}

static void put_sizes(const struct spark_sizes *s, struct line *l)
{
	char number[TEXT_ROOM + 16];
	section_left(l, ST_DIM, 10, "run for");
	line_put(l, ST_TEXT, false, as_duration(s->total_ns));
	line_pair(l, "  median ", ST_TEXT, s->n ? as_duration(s->median) : "-");
	line_pair(l, "  longest ", ST_TEXT, s->n ? as_duration(s->longest) : "-");
	snprintf(number, sizeof number, "  %s open", as_count(s->open));
	if (s->open && line_room(l) >= (int)strlen(number))
		line_put(l, ST_DIM, false, number);
}

/* "<10 µs     42   13.4%  ▊▊▊": how many sparks were as long, and their share. */
static void put_size_class(const struct spark_sizes *s, int row, struct line *l)
{
	char text[TEXT_ROOM + 2] = ">";
	uint64_t most = 0;
	size_t class;
	section_used(s->classes, SPARK_SIZE_CLASSES, &class);
	class += (size_t)row;
	for (size_t i = 0; i < SPARK_SIZE_CLASSES; i++)
		most = max_u64(most, s->classes[i]);
	bool last = class + 1 == SPARK_SIZE_CLASSES;
	snprintf(text, sizeof text, "%s%s", last ? "≥" : "<", as_duration(spark_size_bounds[last ? class - 1 : class]));
	line_skip(l, 2);
	section_left(l, ST_DIM, 8, text);
	section_unit(l, ST_TEXT, 11, UNIT_COUNT, (double)s->classes[class]);
	section_unit(l, ST_TEXT, 6, UNIT_SHARE, s->n ? (double)s->classes[class] / (double)s->n : (double)NAN);
	section_bar(l, line_room(l), (double)s->classes[class], (double)most, ST_SPARKS);
}

static void draw(const struct stats_data *d, int row, struct line *l)
{
	int after = row - kind_rows(d);
	if (after < 0)
		draw_kind(d, row, l);
	else if (after == 0)
		put_sizes(&d->answer->summary.sparks, l);
	else
		put_size_class(&d->answer->summary.sparks, after - 1, l);
}

/* The longest one. */
static void place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (row < 0 || row != kind_rows(d) || !d->answer->summary.sized || d->answer->summary.sparks.n == 0)
		return;
	out->kind = PLACE_MOMENT;
	out->t = d->answer->summary.sparks.longest_at;
	out->end = out->t + d->answer->summary.sparks.longest;
}

const struct section_ops section_sparks = {.title = "SPARKS",
	.exported = "csv sparks",
	.absence = ABSENCE_SPARKS,
	.rows = rows,
	.draw = draw,
	.place = place};
