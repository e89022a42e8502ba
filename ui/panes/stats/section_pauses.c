/* section_pauses.c - Stats boxes of GC pauses and sync delays. */
#include "draw/text.h"
#include "panes/stats/section.h"
#include "panes/stats/stats_tables.h"

#include <math.h>
#include <stdio.h>

/* "pause>300us pause<1ms", of a class by its bounds. */
static void filter_between(struct stats_place *out, uint64_t from, uint64_t below)
{
	char more[32] = "", less[32] = "";
	if (from)
		snprintf(more, sizeof more, "pause>=%lluns", (unsigned long long)from);
	if (below != UINT64_MAX)
		snprintf(less, sizeof less, "%spause<%lluns", from ? " " : "", (unsigned long long)below);
	section_place_list(out, &stats_gcs);
	snprintf(out->filter, sizeof out->filter, "%s%s", more, less);
}

/* --- how long --- */

enum { LONG_NS = 10000000 };

/* Without the classes shorter than all pauses, or longer. */
static int pauses_rows(const struct stats_data *d)
{
	size_t first;
	return (int)section_used(d->f->pause_classes, PAUSE_CLASSES, &first);
}

static int class_of(const struct stats_data *d, int row)
{
	size_t first;
	section_used(d->f->pause_classes, PAUSE_CLASSES, &first);
	return (int)first + row;
}

static void pauses_head(const struct stats_data *d, struct line *l)
{
	static const enum metric shown[] = {
		METRIC_GC_PAUSE_P50, METRIC_GC_PAUSE_P90, METRIC_GC_PAUSE_P99, METRIC_GC_PAUSE_MAX};
	static const char *const names[] = {"p50 ", "p90 ", "p99 ", "max "};
	enum { ROOM_FOR_ALL = 54, P90 = 1 };
	bool all = line_room(l) >= ROOM_FOR_ALL;
	for (size_t i = 0; i < countof(shown); i++) {
		if (i == P90 && !all)
			continue;
		line_pair(l, names[i],
			i + 1 < countof(shown) || !(d->f->values[shown[i]] >= LONG_PAUSE_NS) ? ST_TEXT : ST_WARN,
			as_value(UNIT_NS, d->f->values[shown[i]]));
		line_skip(l, 2);
	}
}

static uint64_t most(const uint64_t *counts)
{
	uint64_t n = 0;
	for (int i = 0; i < PAUSE_CLASSES; i++)
		n = max_u64(n, counts[i]);
	return n;
}

static void pauses_draw(const struct stats_data *d, int row, struct line *l)
{
	const uint64_t *counts = d->f->pause_classes;
	const int class = class_of(d, row);
	bool is_long = pause_class(class)->below > LONG_NS;
	section_right(l, ST_DIM, 11, pause_class(class)->name);
	section_unit(l, counts[class] ? ST_TEXT : ST_DIM, 9, UNIT_COUNT, (double)counts[class]);
	section_bar(l, line_room(l), (double)counts[class], (double)most(counts), is_long ? ST_MAJOR : ST_MINOR);
}

static void pauses_place(const struct stats_data *d, int row, struct stats_place *out)
{
	section_place_list(out, &stats_gcs);
	if (row < 0)
		return;
	row = class_of(d, row);
	filter_between(out, row ? pause_class(row - 1)->below : 0, pause_class(row)->below);
}

const struct section_ops section_pauses = {.title = "PAUSES",
	.exported = "csv gc",
	.absence = ABSENCE_GCS,
	.rows = pauses_rows,
	.head = pauses_head,
	.draw = pauses_draw,
	.place = pauses_place};

/* --- the longest --- */

static int longest_rows(const struct stats_data *d) { return (int)d->f->n_longest; }

static void longest_head(UNUSED const struct stats_data *d, struct line *l)
{
	line_put(l, ST_DIM, false, "sync + GC; Enter goes there");
}

/* The first text that fits whole: a number that is cut would be another one. */
static void put_fitting(struct line *l, enum style style, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (*texts[i] && text_width(str_of(texts[i]), l->c->ascii) <= line_room(l)) {
			line_put(l, style, false, texts[i]);
			return;
		}
}

enum { PART_TEXT = TEXT_ROOM + 32 };

/* "cap 1 began 3.80 ms late" */
static void text_lull(const struct stats_data *d, const struct gc_lull *lull, char *text, char *brief)
{
	const char *late = as_duration(lull->late_ns), *ns = as_duration(lull->to - lull->from),
		   *word = d->log->n_caps == 1 ? "other" : "wait only";
	if (lull->sparks) {
		snprintf(text, PART_TEXT, "sparks pruned %s", as_count(lull->sparks));
		snprintf(brief, PART_TEXT, "pruned %s", as_count(lull->sparks));
	} else if (lull->cause == LULL_UNKNOWN) {
		snprintf(text, PART_TEXT, "GC %s %s", word, ns);
		snprintf(brief, PART_TEXT, "GC %s %s", d->log->n_caps == 1 ? word : "wait", ns);
	} else {
		snprintf(text, PART_TEXT, "cap %u %s %s late", lull->cap, lull->cause == BEGAN_LATE ? "began" : "done",
			late);
		snprintf(brief, PART_TEXT, "cap %u %s late", lull->cap, late);
	}
}

/* The largest part: the sync, the lull, time that is not explained, or copying. Then, if there is room, the lull, or else
 * the time that is not explained. */
static void longest_draw(const struct stats_data *d, int row, struct line *l)
{
	const struct gc_row *gc = &d->f->longest[row];
	const struct gc_lull *lull = &d->f->longest_lulls[row];
	const struct gc_copying *copying = &d->f->longest_copying[row];
	bool major = gc_is_major(&d->log->gcs, gc);
	struct gc_stats stats;
	char gen[16] = "gen ?";
	if (gc->gen != GC_GEN_UNKNOWN)
		snprintf(gen, sizeof gen, "gen %u", (unsigned)gc->gen);
	section_unit(l, major ? ST_WARN : ST_TEXT, 8, UNIT_NS, (double)gc_pause(gc));
	section_left(l, major ? ST_WARN : ST_MINOR, 5, gen);
	section_at(l, gc_requested(gc));
	uint64_t rests = lull->to - lull->from, left = copying->others ? copying->left : 0,
		 copies = sub_or_0(gc->elapsed, rests + left),
		 most = max_u64(max_u64(gc->sync, rests), max_u64(left, copies));
	char part[PART_TEXT] = "", brief[PART_TEXT] = "", other[PART_TEXT] = "", unused[PART_TEXT],
	     all[2 * PART_TEXT + 2];
	enum style style = ST_WARN;
	if (rests)
		text_lull(d, lull, other, unused);
	else if (left > gc->elapsed / 10)
		snprintf(other, sizeof other, "%s not explained", as_duration(left));
	if (d->f->longest_census[row]) {
		const char *census = d->f->longest_census_ns[row] ? as_duration(d->f->longest_census_ns[row]) : NULL;
		snprintf(part, sizeof part, "%s%s", census ? "census itself at most " : "heap census",
			census ? census : "");
		snprintf(brief, sizeof brief, "census%s%s", census ? " ≤ " : "", census ? census : "");
		*other = '\0';
	} else if (gc->sync == most) {
		snprintf(part, sizeof part, "sync %s", as_duration(gc->sync));
		style = ST_SYNC;
	} else if (rests == most) {
		text_lull(d, lull, part, brief);
		style = lull->sparks ? ST_TEXT : ST_WARN;
		*other = '\0';
	} else if (left == most) {
		snprintf(part, sizeof part, "%s not explained", as_duration(left));
		snprintf(brief, sizeof brief, "unknown %s", as_duration(left));
		style = ST_DIM;
		*other = rests ? *other : '\0';
	} else if (gc_stats(d->log, gc, &stats)) {
		snprintf(part, sizeof part, "copied %s", as_bytes(stats.copied));
		style = ST_TEXT;
	}
	snprintf(all, sizeof all, "%s%s%s", part, *part && *other ? ", " : "", other);
	put_fitting(l, style, (const char *const[]){all, part, brief}, 3);
}

static void longest_place(const struct stats_data *d, int row, struct stats_place *out)
{
	section_place_list(out, &stats_gcs);
	if (row < 0)
		return;
	out->kind = PLACE_PAUSE;
	out->t = d->f->longest[row].start;
}

const struct section_ops section_longest = {.title = "LONGEST PAUSES",
	.exported = "csv gc",
	.absence = ABSENCE_GCS,
	.rows = longest_rows,
	.head = longest_head,
	.draw = longest_draw,
	.place = longest_place};

/* --- minimum mutator utilisation --- */

static int mmu_rows(const struct stats_data *d)
{
	int n = 0;
	if (!d->f->stats.pauses.n && !(d->f->values[METRIC_TIME_GC] > 0))
		return 0;
	while (n < MMU_WINDOWS && d->f->mmu[n].share >= 0) /* of the windows longer than the run, none or the first */
		n++;
	return n ? n : 1;
}

static void mmu_head(const struct stats_data *d, struct line *l)
{
	line_put(l, ST_DIM, false,
		d->f->census.touching ? "worst pause-free share, and without censuses"
				      : "worst share of time without a pause");
}

static void mmu_draw(const struct stats_data *d, int row, struct line *l)
{
	const struct mmu *m = &d->f->mmu[row];
	section_right(l, ST_DIM, 8, metric_info(METRIC_MMU_1MS + (enum metric)row)->label);
	if (!(m->share >= 0)) {
		line_put(l, ST_DIM, false, d->f->whole ? "longer than the run" : "longer than the range");
		return;
	}
	section_unit(l, ST_TEXT, 7, UNIT_SHARE, m->share);
	if (d->f->census.touching)
		section_unit(l, ST_TEXT, 7, UNIT_SHARE, d->f->census.mmu[row].share);
	section_bar(l, line_room(l) - 21, m->share, 1, ST_RUN);
	section_at(l, m->at);
}

static void mmu_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (row < 0 || !(d->f->mmu[row].share >= 0))
		return;
	out->kind = PLACE_RANGE;
	out->t = d->f->mmu[row].at;
	out->end = out->t + d->f->mmu[row].window;
}

const struct section_ops section_mmu = {.title = "MMU",
	.exported = "csv gc",
	.absence = ABSENCE_GCS,
	.rows = mmu_rows,
	.head = mmu_head,
	.draw = mmu_draw,
	.place = mmu_place};

/* --- who was late --- */

enum { SYNC_FIGURES = 4, SYNC_SHOWN = 5, SYNC_BEFORE = SYNC_FIGURES + 2 }; /* what comes before the single delays */

static int sync_rows(const struct stats_data *d)
{
	int n = (int)min_u64(d->f->sync.n, SYNC_SHOWN);
	return n ? n + SYNC_BEFORE : 0;
}

static void sync_head(UNUSED const struct stats_data *d, struct line *l)
{
	line_put(l, ST_DIM, false, "from request to start");
}

/* "3.10 ms last to stop in 12 GCs: thread 33 "worker"": it ran so long after their requests. */
static void draw_worst(const struct stats_data *d, struct line *l)
{
	const struct gc_laggards *s = &d->f->sync;
	if (!s->has_worst) {
		line_put(l, ST_DIM, false, "no delay is mostly due to one thread");
		return;
	}
	section_unit(l, ST_SYNC, 8, UNIT_NS, (double)s->worst.ran);
	line_printf(l, ST_WARN, false, "last to stop in %s GC%s: thread ", as_count(s->worst.n),
		s->worst.n == 1 ? "" : "s");
	section_thread(d, l, line_room(l), s->worst.thread);
}

static void sync_draw(const struct stats_data *d, int row, struct line *l)
{
	static const enum metric figures[SYNC_FIGURES] = {
		METRIC_GC_SYNC_TOTAL, METRIC_GC_SYNC_THREAD, METRIC_GC_SYNC_WAKEUP, METRIC_GC_SYNC_MAX};
	char cap[48];
	if (row < SYNC_FIGURES)
		section_metric(d, l, figures[row], 16, 10);
	else if (row == SYNC_FIGURES)
		draw_worst(d, l);
	else if (row < SYNC_BEFORE)
		line_put(l, ST_DIM, false, "longest, with the last to stop");
	if (row < SYNC_BEFORE)
		return;
	const struct sync_row *s = &d->f->sync.rows[row - SYNC_BEFORE];
	section_unit(l, ST_SYNC, 8, UNIT_NS, (double)s->gc.sync);
	section_at(l, gc_requested(&s->gc));
	if (!s->late.by_thread) {
		bool some = d->log->n_caps > 1 && s->late.rest < s->gc.sync;
		line_put(l, ST_DIM, false, some ? "mostly after all stopped" : "after all stopped");
		return;
	}
	if (gc_late_in_previous(&s->late)) {
		snprintf(cap, sizeof cap, "cap %u was in the previous GC", (unsigned)s->late.run.cap);
		line_put(l, ST_DIM, false, cap);
		return;
	}
	snprintf(cap, sizeof cap, "cap %u, thread ", (unsigned)s->late.run.cap);
	line_put(l, ST_DIM, false, cap);
	enum { NAME = 20 };
	char ran[32] = "";
	if (s->late.run.ran < s->late.run.late / 2)
		snprintf(ran, sizeof ran, " ran %s", as_duration(s->late.run.ran));
	if (line_room(l) < NAME + (int)strlen(ran))
		*ran = '\0';
	section_thread(d, l, line_room(l) - (int)strlen(ran), s->late.run.thread);
	line_put(l, ST_DIM, false, ran);
}

/* The title: all collections, the longest sync first. */
static void sync_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (row < 0)
		section_place_list(out, &stats_syncs);
	if (row < SYNC_BEFORE)
		return;
	out->kind = PLACE_PAUSE;
	out->t = d->f->sync.rows[row - SYNC_BEFORE].gc.start;
}

const struct section_ops section_sync = {.title = "SYNC DELAYS",
	.exported = "csv gc",
	.absence = ABSENCE_REQUESTS,
	.rows = sync_rows,
	.head = sync_head,
	.draw = sync_draw,
	.place = sync_place};

/* --- the heat strip --- */

enum { HEAT_LABEL = 8, HEAT_N = 6, HEAT_LEFT = HEAT_LABEL + 1 + HEAT_N + 1 };

static int heat_rows(const struct stats_data *d)
{
	return d->f->stats.pauses.n && !d->f->windows.label ? PAUSE_HEATS + 1 : 0;
}

/* The most pauses in one cell, which has a full bar. */
static uint32_t heat_most(const struct stats_data *d)
{
	uint32_t most = 1;
	for (size_t i = 0; i < d->heat->n; i++)
		for (int class = 0; class < PAUSE_HEATS; class ++)
			most = d->heat->cells[i][class] > most ? d->heat->cells[i][class] : most;
	return most;
}

static void heat_head(const struct stats_data *d, struct line *l)
{
	uint64_t n = d->heat->n ? d->heat->n : 1;
	uint32_t most = heat_most(d);
	line_printf(l, ST_DIM, false, "a column: %s; full bar: %s pause%s; red: over 10 ms",
		as_duration((d->f->to - d->f->from) / n), as_count(most), most == 1 ? "" : "s");
}

/* The heading of the numbers, the start and the end of the range. */
static void draw_axis(const struct stats_data *d, struct line *l)
{
	char to[TEXT_ROOM];
	int end = l->x + HEAT_LEFT + (int)d->heat->n;
	line_skip(l, HEAT_LABEL + 1);
	section_right(l, ST_DIM, HEAT_N, "all");
	line_put(l, ST_DIM, false, as_value(UNIT_MOMENT, (double)d->f->from));
	text_value(to, UNIT_MOMENT, (double)d->f->to);
	l->x = end - (int)strlen(to) > l->x ? end - (int)strlen(to) : l->x;
	line_put(l, ST_DIM, false, to);
}

/* All rows have one scale, so that their bars can be compared; one pause is seen in any case. */
static void heat_draw(const struct stats_data *d, int row, struct line *l)
{
	int class = PAUSE_HEATS - 1 - row;
	uint64_t all = 0, most = heat_most(d);
	if (row == PAUSE_HEATS) {
		draw_axis(d, l);
		return;
	}
	section_right(l, ST_DIM, HEAT_LABEL, pause_heat_name(class));
	for (size_t i = 0; i < d->heat->n; i++)
		all += d->heat->cells[i][class];
	section_unit(l, ST_TEXT, HEAT_N, UNIT_COUNT, (double)all);
	for (size_t i = 0; i < d->heat->n && line_room(l) > 0; i++, line_skip(l, 1)) {
		uint32_t n = d->heat->cells[i][class];
		int high = (int)(n * 8 / most);
		canvas_lower(l->c, l->y, l->x, high ? high : n > 0, class == PAUSE_HEATS - 1 ? ST_MAJOR : ST_MINOR,
			ST_BAR_DIM);
	}
}

static void heat_place(UNUSED const struct stats_data *d, int row, struct stats_place *out)
{
	static const char *const bounds[PAUSE_HEATS] = {
		"pause<300us", "pause>=300us pause<1ms", "pause>=1ms pause<=10ms", "pause>10ms"};
	if (row == PAUSE_HEATS)
		return;
	section_place_list(out, &stats_gcs);
	snprintf(out->filter, sizeof out->filter, "%s", row < 0 ? "" : bounds[PAUSE_HEATS - 1 - row]);
}

const struct section_ops section_heat = {.title = "PAUSE HEAT",
	.exported = "csv gc",
	.absence = ABSENCE_GCS,
	.wide = true,
	.rows = heat_rows,
	.head = heat_head,
	.draw = heat_draw,
	.place = heat_place};
