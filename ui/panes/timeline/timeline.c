#include "panes/timeline/timeline.h"

#include "chrome/pane.h"
#include "draw/glossary.h"
#include "draw/text.h"
#include "jobs/bands_job.h"
#include "jobs/prof_job.h"
#include "lanes/lane_overlay.h"
#include "lanes/lane_threads.h"
#include "query/thread_find.h"
#include "report/abilities.h"
#include "report/findings.h"
#include "sys/clock.h"

#include <stdio.h>
#include <stdlib.h>

/* Parts of a screen other than lanes, by its height. 0 rows: absent. */
struct layout {
	int min_rows;
	int answers, overview, inspector, legend, rule;
	bool markers;
};

static const struct layout layouts[] = {
	{40, 1, 2, 2, 1, 1, true},
	{20, 1, 1, 1, 1, 0, true},
	{12, 0, 0, 1, 0, 0, true},
	{5, 0, 0, 0, 0, 0, false},
};

enum { LOW_ROWS = 19 }; /* of the screen whose lanes a slow link gets */
enum { LEAST_ROWS = 5, LEAST_COLS = 20, WIDE_COLS = 120, NARROW_COLS = 48, USUAL_COLS = 80 };
enum { GAP = 1 };           /* a blank row between parts on tall screens */
enum { THREADS_LEAST = 5 }; /* rows for threads, or lanes are not drawn tall */

void timeline_init(struct timeline *t, const struct evl_log *log, void (*wake)(void *), void *ctx, bool wait_for_jobs)
{
	*t = (struct timeline){.wake = wake, .wake_ctx = ctx, .wait_for_jobs = wait_for_jobs};
	lanes_init(&t->lanes, log, lane_kinds);
}

static void forget_job(struct timeline *t, enum timeline_job job)
{
	struct timeline_work *w = &t->works[job];
	job_free(w->job);
	job_free(w->former);
	w->job = w->former = NULL;
	resting_drop(&w->resting, false);
}

/* Do jobs go on when a longer log is shown? */
static bool outlasts(const struct timeline *t) { return t->rest && t->rest->grows; }

/* Pointers to answers, which a frame sets again. */
static void forget_answers(struct timeline *t)
{
	t->plot.bands = NULL;
	t->path.cols = t->lanes.path = NULL;
	t->lanes.moment = NULL;
	t->lanes.why = NULL;
}

/* The time in ms that a frame waits for an answer about this part of the run: none, if the part cannot be read and its
 * threads be ordered in that time. The rate is that of a log of many short threads. -1: until there is one. */
static int wait_for(const struct timeline *t, const struct model *m, uint64_t from, uint64_t to)
{
	enum { BYTES_A_MS = 160 << 10 };
	double part = (double)(to - from) / ((double)(m->last - m->first) + 1);
	bool soon = part * (double)m->log->source.len < (double)BYTES_A_MS * JOB_WAIT_MS;
	return t->wait_for_jobs ? -1 : soon ? JOB_WAIT_MS : 0;
}

/* Start the job, if it is not running, on the log that is shown or, while it rests, an earlier state of it. other: there is another
 * question, which does not rest. */
static struct timeline_work *work_of(struct timeline *t, const struct model *m, enum timeline_job job, bool other)
{
	static struct answer_job *(*const start[])(const struct evl_log *, void (*)(void *), void *) = {
		[JOB_RANGE] = range_stats_job_new,
		[JOB_BANDS] = bands_job_new,
		[JOB_PATH] = path_job_new,
		[JOB_SPAN] = span_job_new,
		[JOB_WHY] = why_job_new,
		[JOB_IDLE] = idle_job_new,
		[JOB_MOMENT] = moment_job_new};
	struct timeline_work *w = &t->works[job];
	if (resting_renew(&w->resting, t->rest, w->job, m->log, other) && w->job) {
		const bool keeps = !other && !job_busy(w->job) && job_latest(w->job); /* else it reads its log */
		job_free(keeps ? w->former : w->job);
		w->former = keeps ? w->job : w->former;
		w->job = NULL;
	}
	if (!w->job)
		w->job = start[job](w->resting.log, t->wake, t->wake_ctx);
	return w;
}

/* The last answer, perhaps to another question; NULL: none. */
static const void *answer_of(struct timeline_work *w, const void *question, int wait_ms)
{
	const void *answer = job_answer(w->job, question, wait_ms);
	if (!answer)
		return job_latest(w->former);
	resting_answered(&w->resting);
	job_free(w->former);
	w->former = NULL;
	return answer;
}

/* The same of a job whose questions are about what is at the cursor or selected: another question does not rest. */
static const void *find_answer(
	struct timeline *t, const struct model *m, enum timeline_job job, const void *question, int wait_ms)
{
	const struct timeline_work *w = &t->works[job];
	const bool other = !job_asks(w->job ? w->job : w->former, question);
	if (!other && !w->job && rest_left_ms(t->rest, clock_ms()))
		return job_latest(w->former);
	return answer_of(work_of(t, m, job, other), question, wait_ms);
}

/* Does a job or its answer stay when the log has grown? Those about what is at the cursor or selected let go of their log when they
 * have answered. */
static bool stays(struct timeline *t, const struct pane_host *h, enum timeline_job job)
{
	struct timeline_work *w = &t->works[job];
	bool wanted = h->shown == PANE_TIMELINE && (job != JOB_PATH || t->path.on);
	if (!wanted || !h->goes_on || !h->rest.grows)
		return false;
	if (job != JOB_PATH && job != JOB_BANDS && w->job && !job_busy(w->job) && !job_has_news(w->job)
		&& job_latest(w->job)) {
		rest_spend(t->rest, job_spent_ms(w->job), clock_ms());
		job_free(w->former);
		w->former = w->job;
		w->job = NULL;
		resting_drop(&w->resting, true);
	}
	return w->job || w->former;
}

void timeline_free(struct timeline *t)
{
	filter_free(&t->filter);
	for (enum timeline_job i = 0; i < TIMELINE_JOBS; i++)
		forget_job(t, i);
	plot_free(&t->plot);
	overview_free(&t->overview);
	lanes_free(&t->lanes);
	canvas_free(&t->notes);
	free(t->placed);
	*t = (struct timeline){0};
}

void timeline_on_log_replaced(void *view, struct pane_host *h)
{
	struct timeline *t = view;
	struct lanes *lanes = t->plot.lanes;
	for (enum timeline_job i = 0; i < TIMELINE_JOBS; i++)
		if (!stays(t, h, i))
			forget_job(t, i);
	forget_answers(t);
	plot_free(&t->plot);
	t->plot.lanes = lanes;
	overview_free(&t->overview);
	t->moment = (struct moment_answer){0};
	const struct thread_base *base = t->lanes.threads.base;
	bool goes_on = h->goes_on && outlasts(t) && t->lanes.job && (!base || base->ask.grows);
	if (goes_on && thread_job_go_on(t->lanes.job, h->log))
		t->lanes.log = h->log;
	else
		lanes_on_log_replaced(&t->lanes, h->log);
}

const struct lane *timeline_lane(const struct timeline *t) { return lanes_selected(&t->lanes); }

int timeline_filter(struct timeline *t, const char *text, struct evl_err *err)
{
	struct filter filter;
	int result = filter_parse(&filter, &lane_filter_fields, text, err);
	if (result < 0) {
		filter_free(&filter);
		return result;
	}
	snprintf(t->lanes.ask.filter, sizeof t->lanes.ask.filter, "%s", text);
	filter_free(&t->filter);
	t->filter = filter;
	lanes_refilter(&t->lanes);
	return 0;
}

bool timeline_news(void *view)
{
	struct timeline *t = view;
	bool any = t->lanes.job && thread_job_news(t->lanes.job);
	for (size_t i = 0; i < TIMELINE_JOBS; i++)
		any = job_news(t->works[i].job) || any;
	return any;
}

bool timeline_busy(const void *view)
{
	const struct timeline *t = view;
	bool any = t->lanes.job && !thread_job_wait(t->lanes.job, 0);
	for (size_t i = 0; i < TIMELINE_JOBS && !any; i++)
		any = (i != JOB_PATH || t->path.on) && job_busy(t->works[i].job);
	return any;
}

static const struct layout *layout_for(const struct canvas *c)
{
	for (size_t i = 0; i < countof(layouts); i++)
		if (c->rows >= layouts[i].min_rows)
			return &layouts[i];
	return NULL;
}

/* As wide as the names of threads are, within a share of the screen. */
static int label_cols(int cols, int names)
{
	enum { MOST = 30, SHARE = 3, OF = 10, BLANKS = 2 };
	int least = cols >= WIDE_COLS ? LANE_NAMES_WIDE : cols >= USUAL_COLS ? 14 : cols >= NARROW_COLS ? 10 : 6;
	int most = max_int(least, min_int(MOST, cols * SHARE / OF - BLANKS));
	return max_int(least, min_int(names, most));
}

struct lane_place timeline_place(const struct canvas *c, enum theme theme, int names)
{
	struct lane_place at = {.theme = theme, .wide = c->cols >= WIDE_COLS, .label_x = 1, .rows = c->rows};
	at.label_w = label_cols(c->cols, names);
	at.plot_x = at.label_w + 1 + (c->cols >= NARROW_COLS);
	at.gutter_w = at.wide ? 9 : c->cols >= NARROW_COLS ? 7 : 0;
	at.gutter_x = c->cols - at.gutter_w - 1;
	at.cols = at.gutter_x - at.plot_x + (at.gutter_w ? -1 : 1); /* a blank before figures */
	return at;
}

/* --- which lanes --- */

struct chooser {
	const struct timeline *t;
	const struct model *m;
};

static bool keep_cap(void *ctx, const struct lane *lane)
{
	const struct chooser *ch = ctx;
	const struct evl_log *log = ch->m->log;
	uint32_t chain = log->cap_chains[lane->index];
	struct lane_facts facts = {
		.is_cap = true, .cap = log->blocks.chains[chain].cap, .window_ns = model_width(ch->m)};
	struct cap_column all = {0};
	if (ch->t->filter.n == 0)
		return true;
	if (lane_filter_needs_sums(&ch->t->filter))
		caps_columns(&log->blocks, &log->tiles[chain], chain, ch->m->at.t0, ch->m->at.t1, 1, &all);
	facts.run_ns = all.run_ns;
	return lane_filter_keeps(&ch->t->filter, &facts);
}

/* Tall where all lanes are seen and some threads too. */
static bool compose(
	struct timeline *t, const struct model *m, const struct layout *layout, struct lane_place *at, int room)
{
	struct chooser ch = {t, m};
	at->tall = layout->overview > 1 && !t->low;
	at->path = t->path.on;
	at->log = m->log;
	t->lanes.show_hidden = t->show_hidden;
	t->lanes.reading = !evl_progress(m->log).done;
	if (!lanes_compose(&t->lanes, at, layout->markers, keep_cap, &ch))
		return false;
	if (!at->tall || lanes_fixed_rows(&t->lanes) + THREADS_LEAST <= room)
		return true;
	at->tall = false;
	return lanes_compose(&t->lanes, at, layout->markers, keep_cap, &ch);
}

/* --- threads --- */

static void want(struct thread_job_ask *ask, uint32_t thread)
{
	for (size_t i = 0; i < ask->n_ids; i++)
		if (ask->ids[i] == thread)
			return;
	if (thread && ask->n_ids < JOB_IDS)
		ask->ids[ask->n_ids++] = thread;
}

/* The threads on the screen first, then a screen more below and above, so that scrolling finds them. */
static void want_threads(const struct timeline *t, struct thread_job_ask *ask)
{
	const struct lanes *l = &t->lanes;
	size_t n = l->shown_n, first = l->shown_first;
	for (size_t i = 0; i < t->n_placed; i++)
		want(ask, lanes_thread(&t->placed[i].lane));
	want(ask, l->highlight);
	for (size_t i = first + n; i < first + 2 * n && i < lanes_count(l); i++) {
		struct lane lane = lanes_at(l, i);
		want(ask, lanes_thread(&lane));
	}
	for (size_t i = first > n ? first - n : 0; i < first; i++) {
		struct lane lane = lanes_at(l, i);
		want(ask, lanes_thread(&lane));
	}
}

static void place(struct timeline *t, int y, int end)
{
	t->n_placed = lanes_layout(&t->lanes, y, end, t->placed, LANES_ON_SCREEN);
}

/* Was it asked for already? */
static bool ask_threads(struct timeline *t, const struct model *m)
{
	struct thread_job_ask ask = {.cols = m->cols, .follows = m->follow};
	lanes_fill_ask(&t->lanes, &ask.list);
	ask.list.t0 = m->at.t0;
	ask.list.t1 = m->at.t1;
	ask.list.whole = model_is_whole(m);
	ask.list.grows = m->growing;
	want_threads(t, &ask);
	return !thread_job_ask(t->lanes.job, &ask);
}

/* Ask for the list and for what is on the screen, and give what is asked for the first time a moment: a small window is
 * complete at once. A newer list brings other threads to the screen. */
static void update_threads(struct timeline *t, const struct model *m, int y, int end)
{
	int64_t now = clock_ms(), until = now + (m->growing ? JOB_WAIT_MS : wait_for(t, m, m->at.t0, m->at.t1));
	if (!evl_progress(m->log).done)
		return;
	if (!t->lanes.job && !(t->lanes.job = thread_job_new(m->log, t->wake, t->wake_ctx)))
		return;
	const int64_t spent = thread_job_spent_ms(t->lanes.job);
	if (outlasts(t))
		rest_spend(t->rest, spent, now);
	if (thread_job_is_old(t->lanes.job) && rest_left_ms(t->rest, now) == 0) {
		thread_job_renew(t->lanes.job);
		t->lanes.ask.patterns = true;
	}
	for (bool again = true; again;) {
		int64_t left = ask_threads(t, m) ? 0 : until - clock_ms();
		thread_job_wait(t->lanes.job, t->wait_for_jobs ? -1 : left > 0 ? (int)left : 0);
		again = thread_job_take_list(t->lanes.job, &t->lanes.threads);
		if (again) {
			lanes_relist(&t->lanes);
			t->lanes.back = 0; /* if not found by now, it is filtered out */
			place(t, y, end);
		}
	}
	thread_job_news(t->lanes.job); /* what came until now is drawn in this frame */
}

/* --- the critical path --- */

void timeline_show_path(struct timeline *t, const struct path_subject *of)
{
	t->path.on = of;
	t->lanes.path = NULL;
	if (of)
		t->path.of = *of;
}

static bool is_path_asked(const struct timeline *t)
{
	return memcmp(&t->path.asked, &t->path.of, sizeof t->path.of) == 0;
}

/* Of this window; one that takes long in steps, each of which shows more of it. While the path of a growing log rests, a window that
 * follows the log is not asked about. */
static void update_path(struct timeline *t, const struct model *m)
{
	struct path_cols_ask ask = {.of = t->path.of, .t0 = m->at.t0, .t1 = m->at.t1, .cols = (uint64_t)m->cols};
	if (!t->path.on || !evl_progress(m->log).done)
		return;
	struct timeline_work *w = work_of(t, m, JOB_PATH, !is_path_asked(t));
	const bool stays = resting_is_old(&w->resting, m->log) && m->follow;
	t->path.cols = job_latest(w->job) ? job_latest(w->job) : job_latest(w->former);
	t->path.asked = t->path.of;
	for (bool answered = true; answered;) {
		const struct path_cols *cols = t->path.cols;
		ask.depth = cols ? cols->ask.depth : 0;
		bool same =
			job_latest(w->job) == cols && cols && cols->made && memcmp(&cols->ask, &ask, sizeof ask) == 0;
		if ((same && !path_cols_more(cols)) || (stays && cols && !same))
			break;
		ask.depth = same ? ask.depth + 1 : 0;
		cols = t->path.cols = answer_of(w, &ask, wait_for(t, m, ask.t0, ask.t1));
		answered = cols && cols->made && memcmp(&cols->ask, &ask, sizeof ask) == 0;
	}
	t->lanes.path = t->path.cols;
	const uint64_t as_of = resting_as_of(&w->resting, m->log);
	t->lanes.path_until = as_of ? as_of : UINT64_MAX;
}

/* --- drawing --- */

/* More lanes above and below, at the right edge. */
static void draw_more(struct timeline *t, struct canvas *c)
{
	const struct lanes *l = &t->lanes;
	size_t top = t->n_placed - l->shown_n;
	if (l->shown_n && l->shown_first > top)
		t->spots.above_y = t->placed[top].y;
	if (l->shown_n && l->shown_first + l->shown_n < lanes_count(l))
		t->spots.below_y = t->placed[t->n_placed - 1].y;
	canvas_glyph(c, t->spots.above_y, c->cols - 1, PEN_BOLD(ST_KEY), 0x25b4, '^');
	canvas_glyph(c, t->spots.below_y, c->cols - 1, PEN_BOLD(ST_KEY), 0x25be, 'v');
}

/* Where the terminal's cursor rests, though it is not seen: for those to whom the screen is read. */
static int selected_row(const struct timeline *t)
{
	const struct lane *lane = timeline_lane(t);
	for (size_t i = 0; lane && i < t->n_placed; i++)
		if (t->placed[i].lane.ops == lane->ops && t->placed[i].lane.index == lane->index)
			return t->placed[i].y;
	return 0;
}

/* Samples of this window, which the lanes of the profile show. */
static void update_profile(struct timeline *t, struct pane_host *h, bool wait_for_jobs)
{
	const struct model *m = &h->model;
	const enum prof_source source = (enum prof_source)(evl_profile(m->log) - m->log->prof);
	t->plot.prof = pane_prof_job(h, source);
	if (!t->plot.prof)
		return;
	pane_ask_axis(h, source);
	prof_job_take_axis(t->plot.prof, wait_for_jobs ? -1 : JOB_WAIT_MS);
	t->lanes.prof_until = pane_prof_as_of(h, source);
}

/* Only while their lane is seen: all samples of the heap profile are read for it. Another window is asked about at once, of an
 * earlier state of a growing log if that has its times. */
static void update_bands(struct timeline *t, const struct model *m)
{
	const struct bands_ask ask = {m->at.t0, m->at.t1, m->cols};
	bool seen = false;
	for (size_t i = 0; i < t->n_placed; i++)
		seen = seen || t->placed[i].lane.ops == &lane_bands;
	if (!seen)
		return;
	struct resting *r = &t->works[JOB_BANDS].resting;
	bool other = !job_asks(t->works[JOB_BANDS].job, &ask) && !resting_answers(r, m->follow, m->at.t1);
	struct timeline_work *w = work_of(t, m, JOB_BANDS, other);
	r->follows = m->follow;
	t->plot.bands = answer_of(w, &ask, wait_for(t, m, 0, 0));
	t->lanes.bands_until = resting_as_of(r, m->log);
}

/* Choose the lanes. False: there are none to draw yet. */
static bool prepare_lanes(
	struct timeline *t, const struct model *m, const struct layout *layout, struct lane_place *at, int room)
{
	if (!t->placed && !(t->placed = calloc(LANES_ON_SCREEN, sizeof *t->placed)))
		return false;
	if (!evl_progress(m->log).ready || !compose(t, m, layout, at, room))
		return false;
	t->plot.lanes = &t->lanes;
	return true;
}

static void draw_lanes(
	struct timeline *t, const struct model *m, const struct lane_place *at, struct canvas *c, int y, int end)
{
	place(t, y, end);
	update_threads(t, m, y, end);
	update_path(t, m);
	update_bands(t, m);
	t->names = max_int(t->names_before, threads_measure(&t->lanes, t->placed, t->n_placed, at, c));
	uint8_t *shade = calloc((size_t)m->cols + 1, 1);
	t->lanes.shade = shade && shade_columns(&t->plot, t->lanes.gc_shade, shade) ? shade : NULL;
	for (const struct placed_lane *p = t->placed; p < t->placed + t->n_placed; p++) {
		p->lane.ops->draw(&p->lane, &t->plot, at, c, p->y);
		marks_draw(&t->plot, p, at, c);
	}
	t->lanes.shade = NULL;
	free(shade);
	draw_more(t, c);
	c->cursor_y = selected_row(t);
}

const struct span *timeline_span(const struct timeline *t, const struct model *m)
{
	const struct span_table *table = spans_table(&m->log->spans);
	const struct lane *lane = timeline_lane(t);
	bool on_spans = table && lane && lane->ops == &lane_spans && (int)lane->index < table->n_rows;
	return on_spans ? spans_at(table, (int)lane->index, m->at.cursor) : NULL;
}

/* In full, in as many rows as it takes. Return the row after them. */
static int draw_span(struct timeline *t, const struct model *m, const struct span *s, struct canvas *c, int row)
{
	enum { COLS = 480 };
	const struct span_ask ask = {(uint64_t)(s - spans_table(&m->log->spans)->items), s->start, s->end};
	struct canvas wide = {.ascii = c->ascii, .mono = c->mono, .few = c->few};
	if (!evl_progress(m->log).done || canvas_resize(&wide, 1, COLS) < 0)
		return row + 1;
	const struct span_answer *answer = find_answer(t, m, JOB_SPAN, &ask, wait_for(t, m, s->start, s->end));
	part_span(m->log, answer && memcmp(&answer->of, &ask, sizeof ask) == 0 ? answer : NULL, &wide, 0);
	row += canvas_wrap(c, row, c->rows - row, &wide, 0);
	canvas_free(&wide);
	return row;
}

/* Where the cursor is on an idle capability, or in a column with several of its idle times: why that is. */
static void update_why(struct timeline *t, const struct model *m)
{
	const struct lane *lane = timeline_lane(t);
	struct idle_ask in_column;
	t->lanes.why = NULL;
	t->lanes.idle = NULL;
	if (!evl_progress(m->log).done || !lane || lane->ops != &lane_cap)
		return;
	if (cap_is_idle(lane, m->log, m->at.cursor)) {
		uint16_t cap = m->log->blocks.chains[m->log->cap_chains[lane->index]].cap;
		struct why_ask ask = {.t = m->at.cursor, .cap = cap};
		const struct why_answer *why = find_answer(t, m, JOB_WHY, &ask, wait_for(t, m, 0, 0));
		if (why && why->made && why->of.t == ask.t && why->of.cap == ask.cap)
			t->lanes.why = why;
	}
	if (cap_idle_in_column(lane, &t->plot, &in_column)) {
		const struct idle_answer *idle =
			find_answer(t, m, JOB_IDLE, &in_column, wait_for(t, m, in_column.from, in_column.to));
		if (idle && idle->made && memcmp(&idle->of, &in_column, sizeof in_column) == 0)
			t->lanes.idle = idle;
	}
}

static bool is_moment(const struct moment_ask *a, const struct moment_ask *b)
{
	return a->t == b->t && a->thread == b->thread;
}

/* The state of the selected thread at the cursor: a search that a frame does not wait for. */
static void update_moment(struct timeline *t, const struct model *m)
{
	const struct lane *lane = timeline_lane(t);
	struct moment_ask ask = {.t = m->at.cursor, .thread = lane ? lanes_thread(lane) : 0};
	t->lanes.moment = NULL;
	if (!evl_progress(m->log).done || !ask.thread)
		return;
	if (!is_moment(&t->moment.of, &ask)) { /* once; a frame after that only asks the job */
		t->moment = (struct moment_answer){.of = ask};
		thread_at(m->log, (uint32_t)ask.thread, ask.t, THREAD_FRAME_TILES, &t->moment.now);
		t->moment.made = t->moment.now.known && !t->moment.now.unsure;
		t->moment.now.unsure = false; /* a wider search follows */
	}
	const struct moment_answer *far =
		t->moment.made ? NULL : find_answer(t, m, JOB_MOMENT, &ask, wait_for(t, m, 0, 0));
	if (far && is_moment(&far->of, &ask))
		t->moment = *far;
	t->lanes.moment = &t->moment.now; /* not known: too far, or not yet */
}

/* The pause at the cursor, on the lanes of pauses and of capabilities. */
static const struct gc_row *pause_here(const struct timeline *t, const struct model *m)
{
	const struct lane *lane = timeline_lane(t);
	bool shows = lane && (lane->ops == &lane_gc || lane->ops == &lane_cap);
	return shows ? gcs_at(&m->log->gcs, m->at.cursor) : NULL;
}

static void draw_range(struct timeline *t, const struct model *m, struct canvas *c, int row)
{
	const struct selection *s = &m->selection;
	const struct range_ask ask = {selection_from(s), selection_to(s)};
	const struct range_figures *f =
		evl_progress(m->log).done ? find_answer(t, m, JOB_RANGE, &ask, wait_for(t, m, ask.from, ask.to)) : NULL;
	const uint64_t as_of = resting_as_of(&t->works[JOB_RANGE].resting, m->log);
	part_range(m->log, f && f->of.from == ask.from && f->of.to == ask.to ? f : NULL, as_of < ask.to ? as_of : 0, c,
		row);
}

/* Below the inspector: the figures of the selection, the budget of a span, the parts of a pause; else on a tall screen
 * those of the column. Return the row after them. */
static int draw_more_notes(
	struct timeline *t, const struct model *m, const struct layout *layout, struct canvas *c, int row)
{
	const struct span *span = timeline_span(t, m);
	const struct gc_row *pause = pause_here(t, m);
	if (m->selection.on) {
		draw_range(t, m, c, row);
		return row + 1;
	}
	if (span)
		return draw_span(t, m, span, c, row);
	if (pause)
		row = part_anatomy(m, pause, c, row, c->rows - 1);
	bool several = !pause || (t->lanes.idle && row < c->rows - 1);
	return layout->inspector > 1 && several ? part_column(m, timeline_lane(t), &t->plot, c, row, c->rows - 1) : row;
}

void timeline_copy(void *view, struct pane_host *h, struct canvas *c)
{
	struct timeline *t = view;
	const struct model *m = &h->model;
	const struct gc_row *pause = pause_here(t, m);
	if (!plot_update(&t->plot, m)) /* another pane may have had another width since the last frame */
		return;
	part_inspector(m, timeline_lane(t), &t->plot, true, c, 0, 0);
	if (pause)
		part_anatomy(m, pause, c, 1, 1);
	part_column(m, timeline_lane(t), &t->plot, c, 2, 2);
	canvas_fill(c, 0, 0, 1, 3, ST_PAGE); /* the inspector's sign */
}

/* Draw the inspector apart, as its texts take what rows they need. Return their number. */
static int draw_notes(struct timeline *t, const struct model *m, const struct layout *layout, const struct canvas *c)
{
	enum { MOST = 7, TEXT = 4 };
	struct canvas *notes = &t->notes;
	bool low = layout->inspector + layout->legend < 2; /* a low screen has one row for it */
	if (layout->inspector == 0)
		return 0;
	if ((notes->cols != c->cols && canvas_resize(notes, MOST, c->cols)) || notes->rows < MOST)
		return layout->inspector;
	notes->ascii = c->ascii;
	notes->mono = c->mono;
	notes->few = c->few;
	canvas_clear(notes);
	int rows = part_inspector(m, timeline_lane(t), &t->plot, layout->inspector > 1, notes, 0, low ? 0 : TEXT - 1);
	rows = low || !m->ranged ? rows : draw_more_notes(t, m, layout, notes, rows);
	return rows > layout->inspector ? rows : layout->inspector;
}

/* Lanes other than these are known better after they were drawn: the list of threads may be another, bands are read. */
static bool is_known_before(const struct lane *lane)
{
	return lane && (lane->ops == &lane_gc || lane->ops == &lane_cap);
}

static void copy_notes(const struct timeline *t, struct canvas *c, int y, int rows)
{
	for (int row = 0; row < rows && row < t->notes.rows && t->notes.cols == c->cols; row++)
		memcpy(canvas_at(c, y + row, 0), t->notes.cells + (size_t)row * (size_t)c->cols,
			(size_t)c->cols * sizeof *c->cells);
}

/* Is the parenthesis that opens here the end of a clause, not in the middle of one? */
static bool closes_clause(const char *text)
{
	text += strcspn(text, ")");
	return *text && (!text[1] || strchr(";:,", text[1]));
}

/* Does a clause of the text end before byte `len`, or, if `sentence`, one of its main parts? What is in parentheses is no
 * clause, and "…, but …" is one. */
static bool ends_clause(const char *text, size_t len, bool sentence)
{
	int depth = 0;
	for (size_t i = 0; i < len; i++)
		depth += (text[i] == '(') - (text[i] == ')');
	text += len;
	return depth == 0 && strncmp(text, ", but ", strlen(", but ")) != 0
		&& ((strchr(sentence ? ";" : ";:,", text[0]) && text[1] == ' ')
			|| (!sentence && strncmp(text, " (", 2) == 0 && closes_clause(text)));
}

/* The bytes of a finding's text that fit into `width` columns: all of it, or else without its last clauses; 0: not even the first
 * one. */
static size_t fitting(const char *text, int width, bool ascii)
{
	size_t len = strlen(text);
	while (len && text_width((struct evl_str){(const uint8_t *)text, len}, ascii) > width)
		for (len--; len && !ends_clause(text, len, false); len--)
			;
	return len;
}

struct evl_str finding_cause(const struct finding *f, int width, bool ascii)
{
	size_t len = fitting(f->text, width, ascii);
	return len ? (struct evl_str){(const uint8_t *)f->text, len} : str_of(finding_brief(f->id));
}

#define ARROW "  → "
enum { OWN_ROWS = 3, OWN_INDENT = 3, OWN_TEXT = FINDING_TEXT + FINDING_TODO + 400 };

/* The texts of a finding in its rows: the title ends with its place. */
struct own_texts {
	const char *title, *place, *text, *keys;
	size_t len; /* of the text that is shown */
	char todo[FINDING_TODO];
};

/* Do they fit, broken at blanks? The keys are not broken. */
static bool own_fits(const struct own_texts *t, const struct canvas *c)
{
	char all[OWN_TEXT];
	snprintf(all, sizeof all, "%s%s: %.*s%s%s%s", t->title, t->place, (int)t->len, t->text,
		t->text[t->len] ? "…" : "", *t->todo ? ARROW : "", t->todo);
	struct evl_str rest = str_of(all);
	int room = c->cols - 1, rows = 0;
	for (; rest.len; room = rest.len ? c->cols - OWN_INDENT : room, rows++) {
		struct evl_str row = text_take_line(&rest, room, c->ascii);
		room -= text_width(row, c->ascii);
	}
	return rows + ((int)strlen(t->keys) > room) <= OWN_ROWS;
}

/* Leave out the last part of the text, or at the end its last word. False: none is left. */
static bool own_shorten(struct own_texts *t, bool words)
{
	size_t len = t->len;
	while (len && !(words ? t->text[len - 1] == ' ' : ends_clause(t->text, len - 1, true)))
		len--;
	t->len = len ? len - 1 : t->len;
	if (len > 1 && t->text[len - 2] == ',')
		t->len--;
	return len > 1;
}

/* The finding that ]f went to, with its cost, place, cause and advice, and the keys for the others. If they need too much room,
 * the place is told in a word, and then the last parts of the text are left out: 5 shows all of it. Return the rows it takes. */
static int draw_own(const struct pane_host *h, const struct finding *f, const char *as_of, struct canvas *c, int y)
{
	static const char *const next[] = {"  (]f: next, 5: all, Esc)", "  (]f: next, 5: all)", "  (]f, 5: all)"},
				 *const last[] = {"  (the last, [f: back, 5: all, Esc)", "  ([f: back, 5: all)",
					 "  ([f, 5: all)"},
				 *const only[] = {"  (5: all, Esc)", "  (5: all)", "  (5: all)"};
	static const char *const shows[] = {
		[SHOWS_ALL] = "", [SHOWS_LONGEST] = " (here: longest)", [SHOWS_BUSY] = " (here: a part)"};
	const char *const *keys = h->finding_number < h->findings ? next : h->findings > 1 ? last : only;
	const bool alarms = finding_is_grave(f), wide = c->cols >= WIDE_COLS;
	char title[300], share[FINDING_SHARE], where[FINDING_WHERE], place[FINDING_WHERE + 16] = "";
	finding_cost(f, share);
	snprintf(title, sizeof title, "finding %zu of %zu%s%s%s%s", h->finding_number, h->findings, as_of,
		h->finding_number == 1 && h->findings > 1 && alarms ? ", the main problem" : "", *share ? ", " : "",
		share);
	if (f->until > f->t)
		snprintf(place, sizeof place, " (%s%s)", f->shows == SHOWS_LONGEST ? "here: " : "",
			finding_where(f, where));
	struct own_texts t = {.title = title,
		.place = place,
		.text = f->text,
		.keys = keys[wide                       ? 0
				: c->cols >= USUAL_COLS ? 1
							: 2],
		.len = strlen(f->text)};
	finding_todo(f, t.todo);
	t.todo[wide ? strlen(t.todo) : strcspn(t.todo, ";")] = '\0';
	if (!own_fits(&t, c))
		t.place = c->cols >= USUAL_COLS ? shows[f->shows] : "";
	while (!own_fits(&t, c) && own_shorten(&t, false))
		;
	if (!own_fits(&t, c)) /* the first part of the advice */
		t.todo[strcspn(t.todo, ",")] = '\0';
	while (!own_fits(&t, c) && own_shorten(&t, true))
		;
	struct line l = {.c = c,
		.y = y,
		.x = 1,
		.end = c->cols,
		.bg = ST_PAGE,
		.wrap_y = y + OWN_ROWS - 1,
		.wrap_x = OWN_INDENT};
	line_printf(&l, alarms ? ST_WARN : ST_KEY, true, "%s%s: ", t.title, t.place);
	line_printf(&l, ST_TEXT, false, "%.*s%s", (int)t.len, t.text, t.text[t.len] ? "…" : "");
	line_put(&l, ST_ACCENT, false, *t.todo ? ARROW : "");
	line_put(&l, ST_ACCENT, false, t.todo);
	if ((int)strlen(t.keys) > line_left(&l) && l.y < l.wrap_y) {
		l.y++;
		l.x = OWN_INDENT - 2; /* of its blanks */
	}
	line_put(&l, ST_DIM, false, t.keys);
	return l.y - y + 1;
}

/* "no finding costs 1% of the time; all 4 caps ran threads 94.8% of it", "no finding; …": where none costs more, the plain state
 * comes first; brief: of a narrow screen. Return false if another text does. */
static bool say_state(const struct pane_host *h, bool brief, char *out, size_t room)
{
	const struct finding *f = h->worst;
	bool told = h->state && *h->state && (!f || (finding_is_minor(f) && !finding_is_grave(f)));
	if (told)
		snprintf(out, room, "%s; %s of %s",
			!f              ? "no finding"
				: brief ? "no finding costs 1%"
					: "no finding costs 1% of the time",
			h->state, f && !brief ? "it" : "the time");
	return told;
}

/* The title of a finding: "main problem, costs 28.3% of the time: ", or in less room "! 28.3% of the time: ". */
static void say_title(const struct finding *f, const char *as_of, bool wide, char *out, size_t room)
{
	char share[FINDING_SHARE];
	const bool alarms = finding_is_grave(f);
	finding_cost(f, share);
	const char *brief = strncmp(share, "costs ", strlen("costs ")) == 0 ? share + strlen("costs ") : share;
	if (wide)
		snprintf(out, room, "%s%s%s%s: ", alarms ? "main problem" : "note", as_of, *share ? ", " : "", share);
	else
		snprintf(out, room, "%s%s%s%s%s", alarms ? "!" : "*", as_of, *as_of && *share ? ", " : " ", brief,
			*share || *as_of ? ": " : "");
}

/* The finding that ]f went to, while its place is in view; else the gravest of what the badge on the tab counts, in
 * words, with the key that goes there: its first clauses, or its short form. Return the rows it takes. */
static int draw_worst(const struct pane_host *h, struct canvas *c, int y)
{
	static const char *const there[] = {"  (]f goes there, 5: all)", "  (]f goes there)", "  (]f)"},
				 *const nowhere[] = {"  (5: all)", "  (5: all)", "  (5)"};
	const struct finding *own = pane_finding(h), *f = own ? own : h->worst;
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	const bool wide = c->cols >= WIDE_COLS;
	char title[300], as_of[TEXT_ROOM + 16] = "", at[TEXT_ROOM + 16] = "";
	if (!own && h->queued > 0) {
		enum { IN_WORDS = 100 };
		const bool words = c->cols >= IN_WORDS;
		line_printf(&l, ST_KEY, true, "%s%s of the run: ", wide ? "note, " : "* ", as_share(h->queued));
		line_printf(&l, ST_TEXT, false, "threads %s while another capability was idle",
			words ? "waited in a queue" : "queued");
		line_put(&l, ST_DIM, false, words ? "  (5: queues)" : "  (5)");
		return GAP;
	}
	if (h->found_until)
		snprintf(as_of, sizeof as_of, " as of %s", as_value(UNIT_MOMENT, (double)h->found_until));
	if (own)
		return draw_own(h, own, as_of, c, y);
	const bool plain = say_state(h, !wide, title, sizeof title);
	if (plain)
		line_put(&l, ST_TEXT, false, title);
	else if (f)
		say_title(f, as_of, wide, title, sizeof title);
	if (!f)
		return GAP;
	const char *const *more = f->has_place || f->thread ? there : nowhere, *text = f->text;
	if (plain)
		snprintf(title, sizeof title, "; note%s: ", as_of);
	const int left = line_room(&l) - text_width(str_of(title), c->ascii);
	const size_t widest = wide ? 0 : c->cols >= USUAL_COLS ? 1 : 2;
	size_t hint = widest;
	while (hint < 2 && !fitting(text, left - (int)strlen(more[hint]), c->ascii))
		hint++;
	const struct evl_str first = finding_cause(f, left - (int)strlen(more[hint]), c->ascii);
	const int width = text_width(first, c->ascii);
	while (hint > widest && width + (int)strlen(more[hint - 1]) <= left) /* for a short form */
		hint--;
	if (plain && width + (int)strlen(more[hint]) > left) {
		line_put(&l, ST_DIM, false, more[hint]);
		return GAP;
	}
	line_put(&l, finding_is_grave(f) ? ST_WARN : ST_KEY, !plain, title);
	line_text(&l, ST_TEXT, false, first);
	if (f->has_place)
		snprintf(at, sizeof at, "; see %s", as_value(UNIT_MOMENT, (double)f->t));
	if (line_room(&l) >= (int)(strlen(at) + strlen(more[hint])))
		line_put(&l, ST_DIM, false, at);
	line_put(&l, ST_DIM, false, more[hint]);
	return GAP;
}

/* Does a capability lane show the colours of threads in its last row? */
static bool has_tints(const struct timeline *t, const struct canvas *c)
{
	bool any = false;
	for (size_t i = 0; i < t->n_placed; i++)
		any = any || cap_is_tinted(&t->placed[i].lane, c);
	return any;
}

static int add_colour(struct shown_colour *out, int n, struct shown_colour colour)
{
	for (int i = 0; i < n; i++)
		if (strcmp(out[i].of.word, colour.of.word) == 0) {
			if (colour.of.sign != out[i].of.sign && colour.of.sign) {
				out[i].then = colour.of.sign;
				out[i].then_ascii = colour.of.ascii;
			}
			out[i].absent = out[i].absent && colour.absent;
			return n;
		}
	if (n < TIMELINE_COLOURS)
		out[n++] = colour;
	return n;
}

/* Parts of the screen. The first ones include the rows over the lanes; WITHOUT_COLOURS: ANYWHERE, where there are none. */
enum sign_place {
	ANYWHERE,
	WITHOUT_COLOURS,
	ON_LANES,
	AT_EDGE,
	AT_MARGIN,
	AT_LABELS,
	ON_OVERVIEW,
	ON_LINE_2,
	AT_FINDING,
	AT_INSPECTOR
};

/* Signs, and words of line 2 and of labels, explained where they are on the screen. text: the word; NULL: the sign is looked for. A
 * sign of two shapes has two rows. */
static const struct timeline_sign {
	enum sign_place where;
	const char *text;
	struct lane_colour colour;
} signs[] = {{ON_LANES, NULL, {"bar of a cell", {ST_RUN, ST_RUN}, 0x2583, '#'}},
	{WITHOUT_COLOURS, NULL, {"hatched bar", {ST_DIM, ST_DIM}, 0x2591, ':'}},
	{ON_LANES, NULL, {"edge of a cell", {ST_RUN, ST_RUN}, 0x258b, '|'}},
	{ANYWHERE, NULL, {"tick", {ST_MAJOR, ST_MAJOR}, 0x2594, '\''}},
	{ON_LANES, NULL, {"thread number", {ST_TEXT, ST_TEXT}, '7', '7'}},
	{ANYWHERE, NULL, {"search mark", {ST_KEY, ST_KEY}, 0x2575, '\''}},
	{ON_LANES, NULL, {"cursor", {ST_KEY, ST_CURSOR}, 0x25bc, 'v'}},
	{ON_LANES, NULL, {"cursor", {ST_KEY, ST_CURSOR}, 0x2502, '|'}},
	{AT_MARGIN, NULL, {"lane mark", {ST_KEY, ST_KEY}, 0x258c, '|'}},
	{AT_LABELS, NULL, {"tree sign", {ST_KEY, ST_KEY}, 0x25b8, '+'}},
	{AT_LABELS, NULL, {"tree sign", {ST_KEY, ST_KEY}, 0x25be, '-'}},
	{AT_EDGE, NULL, {"more lanes", {ST_KEY, ST_KEY}, 0x25b4, '^'}},
	{AT_EDGE, NULL, {"more lanes", {ST_KEY, ST_KEY}, 0x25be, 'v'}},
	{AT_LABELS, NULL, {"share bar", {ST_RUN, ST_BAR_DIM}, 0x2588, '#'}},
	{ANYWHERE, NULL, {"right-hand figures", {ST_DIM, ST_DIM}, '%', '%'}},
	{ON_OVERVIEW, NULL, {"overview", {ST_RUN, ST_OUTSIDE}, 0x2583, '#'}},
	{ON_OVERVIEW, NULL, {"window", {ST_KEY, ST_KEY}, '[', '['}},
	{ON_OVERVIEW, NULL, {"window", {ST_KEY, ST_KEY}, ']', ']'}},
	{AT_INSPECTOR, NULL, {"inspector", {ST_KEY, ST_KEY}, 0x25b8, '>'}},
	{AT_FINDING, NULL, {"!", {ST_WARN, ST_WARN}, '!', '!'}}, {AT_FINDING, NULL, {"!", {ST_KEY, ST_KEY}, '*', '*'}},
	{ON_LINE_2, NULL, {"bar of line 2", {ST_RUN, ST_MINOR}, 0x2588, '#'}},
	{ON_LINE_2, "mut", {"mutator", {ST_TEXT, ST_TEXT}, '%', '%'}},
	{ON_LINE_2, " GC ", {"GC", {ST_TEXT, ST_TEXT}, '%', '%'}},
	{ON_LINE_2, "sync ", {"sync", {ST_SYNC, ST_SYNC}, '%', '%'}},
	{ON_LINE_2, "all idle", {"all idle", {ST_DIM, ST_DIM}, '%', '%'}},
	{ON_LINE_2, "pauses ", {"pauses", {ST_TEXT, ST_TEXT}, '7', '7'}},
	{ON_LINE_2, "p50 ", {"p50", {ST_TEXT, ST_TEXT}, '7', '7'}},
	{ON_LINE_2, "p99 ", {"p99", {ST_TEXT, ST_TEXT}, '7', '7'}},
	{ON_LINE_2, "max ", {"max", {ST_TEXT, ST_TEXT}, '7', '7'}},
	{ON_LINE_2, "caps busy", {"caps busy", {ST_TEXT, ST_TEXT}, '7', '7'}},
	{AT_LABELS, "caps running", {"caps running", {ST_RUN, ST_RUN}, 0x2586, '#'}},
	{AT_LABELS, "  overlap", {"overlapping", {ST_BAND_1, ST_BAND_2}, 0x2586, '#'}}};

static bool has_text(const struct canvas *c, int y, int end, int end_x, const char *text)
{
	const int len = (int)strlen(text);
	for (; y < end && y < c->rows; y++)
		for (int x = 0; x + len <= end_x && x + len <= c->cols; x++) {
			int i = 0;
			while (i < len && c->cells[y * c->cols + x + i].ch == (uint8_t)text[i])
				i++;
			if (i == len)
				return true;
		}
	return false;
}

/* The first row of what has the colours of lanes. */
static int above_lanes(const struct timeline_spots *s) { return s->overview_y >= 0 ? s->overview_y : s->ruler_y; }

static bool is_on_screen(const struct timeline *t, const struct canvas *c, const struct timeline_sign *sign)
{
	const struct timeline_spots *s = &t->spots;
	const int plot = s->place.plot_x, end = plot + s->place.cols;
	int y = above_lanes(s), y_end = s->lanes_end, x = 0, x_end = c->cols;
	switch (sign->where) {
	case ANYWHERE: break;
	case WITHOUT_COLOURS: y_end = c->mono ? y_end : y; break;
	case AT_MARGIN: y = s->lanes_y, x_end = 1; break;
	case AT_LABELS: y = s->lanes_y, x = 1, x_end = plot; break;
	case ON_LANES: x = plot, x_end = end; break;
	case AT_EDGE: x = c->cols - 1; break;
	case ON_OVERVIEW: y = s->overview_y, y_end = s->overview_y + s->overview_rows; break;
	case ON_LINE_2: y = 1, y_end = 1 + s->answers; break;
	case AT_FINDING: y = s->finding_y, y_end = y + (s->finding_rows > 0), x = 1, x_end = 2; break;
	case AT_INSPECTOR: y = s->lanes_end, y_end = c->rows, x = 1, x_end = 2; break;
	}
	return sign->text ? has_text(c, y, y_end, x_end, sign->text)
			  : part_has_sign(c, y, y_end, x, x_end, &sign->colour);
}

/* Is a capability or a thread not there in some column? Its lane is blank then; the row of threads' colours is elsewhere, too. */
static bool has_blanks(const struct timeline *t, const struct canvas *c)
{
	const struct lane_place *at = &t->spots.place;
	for (size_t i = 0; i < t->n_placed; i++) {
		const struct placed_lane *p = &t->placed[i];
		bool cap = p->lane.ops == &lane_cap,
		     lives = cap || p->lane.ops == &lane_thread || p->lane.ops == &lane_group;
		for (int x = at->plot_x; lives && x < at->plot_x + at->cols; x++) {
			const struct cell *cell = &c->cells[p->y * c->cols + x];
			if (cell->ch == ' ' && cell->bg == ST_PAGE)
				return true;
		}
	}
	return false;
}

int timeline_colours(const struct timeline *t, const struct model *m, const struct canvas *c, struct shown_colour *out)
{
	static const struct lane_colour along = {"path on a lane", {ST_TEXT, ST_TEXT}, 0x2501, '='},
					blank = {"blank", {ST_PAGE, ST_PAGE}, ' ', ' '},
					range = {"range", {ST_RANGE, ST_RANGE}, 0x2588, '='};
	enum { MOST_NAMES = 8 }; /* per kind of lane */
	int n = 0;
	for (int i = 0; i < t->spots.legend.n; i++) {
		const struct legend_spot *spot = &t->spots.legend.items[i];
		if (spot->absent && spot->x == spot->end) /* not in the legend, either */
			continue;
		n = add_colour(out, n,
			(struct shown_colour){.of.word = spot->word, .shorter = spot->shorter, .absent = spot->absent});
	}
	if (t->spots.unknown)
		n = add_colour(out, n, (struct shown_colour){.of = {.word = style_info(ST_UNKNOWN)->text}});
	if (selection_from(&m->selection) < selection_to(&m->selection))
		n = add_colour(out, n, (struct shown_colour){.of = range});
	if (t->path.on)
		n = add_colour(out, n, (struct shown_colour){.of = along});
	if (has_blanks(t, c) && !absence_is_sure(m->log, ABSENCE_RUNS))
		n = add_colour(out, n, (struct shown_colour){.of = blank});
	for (size_t i = 0; i < countof(signs) && t->n_placed; i++)
		if (is_on_screen(t, c, &signs[i]))
			n = add_colour(out, n, (struct shown_colour){.of = signs[i].colour});
	for (size_t i = 0; i < t->n_placed; i++)
		for (const struct lane_colour *k = t->placed[i].lane.ops->colours; k && k->word; k++)
			n = add_colour(out, n, (struct shown_colour){.of = *k});
	const struct lane_ops *before = NULL;
	for (size_t i = 0; i < t->n_placed; i++) {
		const struct lane_ops *ops = t->placed[i].lane.ops;
		if (ops->shown && ops != before)
			n += ops->shown(&t->plot, out + n, min_int(MOST_NAMES, TIMELINE_COLOURS - n));
		before = ops;
	}
	return n;
}

/* "(minor " is "minor". */
static const char *word_of(const char *name)
{
	enum { MOST = 32 };
	char text[MOST];
	name += *name == '(';
	size_t len = strlen(name);
	while (len && strchr(": ", name[len - 1]))
		len--;
	if (len >= MOST)
		return NULL;
	memcpy(text, name, len);
	text[len] = '\0';
	const struct glossary_word *w = glossary_find(text);
	return w ? w->word : NULL;
}

/* The last row of a capability has the colours of threads, if it has more than one and there are colours. */
static const char *word_of_lane(const struct timeline *t, const struct placed_lane *p, int y)
{
	const struct lane_ops *ops = p->lane.ops;
	if (p->position == t->lanes.position || ops == &lane_thread)
		return NULL;
	if (ops == &lane_cap && t->spots.legend.tinted && p->lane.rows > 1 && y == p->y + p->lane.rows - 1)
		return "thread colour";
	return word_of(ops->colours && ops->colours->word ? ops->colours->word : ops == &lane_heat ? "cap" : ops->name);
}

const char *timeline_word_at(const struct timeline *t, int y, int x)
{
	const struct timeline_spots *s = &t->spots;
	for (int i = 0; y == 1 && s->answers && i < s->line_2.n; i++)
		if (x >= s->line_2.items[i].x && x < s->line_2.items[i].end)
			return word_of(s->line_2.items[i].name);
	if (s->overview_y >= 0 && y >= s->overview_y && y < s->overview_y + s->overview_rows)
		return "overview";
	for (size_t i = 0; i < t->n_placed; i++)
		if (y >= t->placed[i].y && y < t->placed[i].y + t->placed[i].lane.rows)
			return x < s->place.plot_x - 1                            ? word_of_lane(t, &t->placed[i], y)
				: x >= s->place.gutter_x && s->place.gutter_w > 0 ? "right-hand figures"
										  : NULL;
	return part_legend_at(&s->legend, y, x);
}

static bool has_unknown(const struct canvas *c, int from, int to)
{
	for (int i = from * c->cols; i < to * c->cols; i++)
		if (c->cells[i].fg == ST_UNKNOWN || c->cells[i].bg == ST_UNKNOWN)
			return true;
	return false;
}

/* How many threads the filter keeps: their lanes may be below the edge of the screen. */
static void tell_filter(struct timeline *t, struct pane_host *h)
{
	const struct lanes *l = &t->lanes;
	size_t kept = l->threads.n + l->threads.more, all;
	if (!t->tell_filter || !l->job || !thread_job_wait(l->job, 0))
		return;
	bool parts = false; /* of groups */
	for (uint32_t i = 0; i < l->ask.n_folds; i++) {
		size_t some = lanes_group_size(l, i, &all);
		parts = parts || (some && some < all);
	}
	t->tell_filter = false;
	if (kept == 0) {
		pane_say(h, true, "%s%s",
			filter_none(&lane_filter_fields, l->ask.filter, "thread", (char[FILTER_SAY]){0}),
			lane_filter_needs_sums(&t->filter) ? " in the window" : "");
		return;
	}
	pane_say(h, false, "%s of %s threads match%s%s", as_count(kept), as_count(l->threads.all),
		lane_filter_needs_sums(&t->filter) ? " in the window" : "", parts ? "; group rows show all" : "");
}

static void draw(struct timeline *t, struct pane_host *h, struct canvas *c)
{
	struct model *m = &h->model;
	const struct layout *layout = layout_for(c);
	t->rest = &h->rest;
	canvas_clear(c);
	t->spots =
		(struct timeline_spots){.cols = c->cols, .overview_y = -1, .ruler_y = -1, .above_y = -1, .below_y = -1};
	t->n_placed = 0;
	if (!layout || c->cols < LEAST_COLS || c->rows < LEAST_ROWS) {
		canvas_str(c, 0, 0, c->cols, PEN(ST_TEXT), "evtui: too small");
		return;
	}
	struct lane_place at = timeline_place(c, h->theme, t->names);
	if (t->low && at.rows > LOW_ROWS)
		at.rows = LOW_ROWS;
	model_set_cols(m, at.cols);
	t->spots.place = at;
	t->spots.legend = (struct legend_spots){.screen = c->rows,
		.shaded = t->lanes.gc_shade != SHADE_OFF,
		.chosen = t->word,
		.tinted = layout->overview > 1 && !t->low && !c->mono && !c->ascii}; /* or so, before there are lanes */
	t->spots.legend.rows = layout->legend ? part_legend_rows(m, c, &t->spots.legend) : 0;
	int end = c->rows - 1 - t->spots.legend.rows, y = 0, bottom = end - layout->inspector;
	part_title(h, c, y++);
	t->spots.answers = layout->answers;
	if (layout->answers)
		part_answers(m, h->census_ns, h->caps_busy, c, y++, &t->spots.line_2);
	/* The columns of a large log take a while; its figures are here at once if its index was kept. */
	bool first = m->ranged && t->pictured != m->log && evl_progress(m->log).done;
	h->draw_again = first && m->log->recalled && !t->wait_for_jobs;
	t->pictured = first ? m->log : t->pictured;
	if (m->ranged && !h->draw_again)
		update_profile(t, h, t->wait_for_jobs);
	if (!h->draw_again && plot_update(&t->plot, m)) {
		t->spots.finding_y = y;
		if (c->rows >= TIMELINE_FINDING_ROWS)
			y += draw_worst(h, c, y);
		t->spots.finding_rows = h->findings ? y - t->spots.finding_y : 0;
		t->spots.overview_y = y;
		t->spots.overview_rows = layout->overview;
		if (layout->overview)
			part_overview(&t->overview, m, c, y, layout->overview);
		if (layout->overview && h->job)
			part_ticks(h, c, y, layout->overview);
		y += layout->overview;
		t->spots.ruler_y = y;
		t->spots.lanes_y = y + 1;
		part_ruler(m, &at, c, y++);
		bool lanes = prepare_lanes(t, m, layout, &at, bottom - layout->rule - y);
		update_why(t, m);
		update_moment(t, m);
		bottom = end - draw_notes(t, m, layout, c);
		t->spots.lanes_end = bottom - layout->rule;
		if (lanes)
			draw_lanes(t, m, &at, c, y, bottom - layout->rule);
		tell_filter(t, h);
		for (int x = 0; x < c->cols && layout->rule; x++)
			canvas_glyph(c, bottom - 1, x, PEN(ST_OUTSIDE), 0x2500, '-');
		if (lanes && !is_known_before(timeline_lane(t))) {
			update_moment(t, m);
			draw_notes(t, m, layout, c);
		}
		copy_notes(t, c, bottom, end - bottom);
	}
	t->spots.unknown = has_unknown(c, t->spots.lanes_y, t->spots.lanes_end);
	t->spots.legend.tinted = has_tints(t, c);
	t->spots.legend.top = above_lanes(&t->spots);
	t->spots.legend.bottom = t->spots.lanes_end;
	t->spots.legend.left = at.plot_x;
	t->spots.legend.right = t->spots.ruler_y < 0 ? at.plot_x : at.plot_x + at.cols; /* no lanes yet */
	if (layout->legend)
		part_legend(m, c, end, &t->spots.legend);
	part_hints(h, c, c->rows - 1);
	if (t->word && layout->inspector)
		part_word(m, t->word, c, bottom, end);
}

/* Again, if the names of lanes need other room than in the frame before. Their column does not get narrower than it was when the
 * user last pressed a key, or it would change again and again as lanes are scrolled. Other frames do not count: some are drawn
 * before all answers have come, and the column must not depend on how fast they come. */
void timeline_draw(void *view, struct pane_host *h, struct canvas *c)
{
	struct timeline *t = view;
	int label_w = label_cols(c->cols, t->names);
	draw(t, h, c);
	if (label_cols(c->cols, t->names) != label_w)
		draw(t, h, c);
}
