/* Heap pane: the picture over time, the table of bands, and details of the selected band. */
#include "panes/heap/heap_pane.h"

#include "draw/text.h"
#include "jobs/other_log.h"
#include "panes/heap/heap_private.h"
#include "state/state_dir.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	WAIT_MS = 12,
	WIDE = 120,
	STATUS_ROWS = 8,
	PICTURE_ROWS = 12,
	TALL_ROWS = 30,
	SCALE = 6,
	TABLE_WIDE = 70,
	TABLE_WIDER = 90,
	LEAST_HUES = 8,
	VERY_WIDE = 190
};

/* Where things stand. Rows of 0: not there. */
struct layout {
	struct lane_place place; /* of the picture */
	int status, markers, chart, chart_rows, ruler, notes;
	struct heap_box table, details;
};

static void place_picture(struct layout *l, const struct canvas *c, int cols, enum theme theme)
{
	l->place = (struct lane_place){.theme = theme,
		.wide = false,
		.label_x = 1,
		.label_w = SCALE,
		.plot_x = SCALE + 1,
		.cols = cols - SCALE - 2,
		.gutter_x = c->cols,
		.rows = c->rows};
}

/* Picture left, table and details right. */
static void lay_out_wide(struct layout *l, const struct canvas *c, int y, int end)
{
	enum { DETAILS = 16, LEAST_TABLE = 8 };
	int table = c->cols >= VERY_WIDE ? TABLE_WIDER : TABLE_WIDE, x = c->cols - table - 1, rows = end - y;
	int details = rows - LEAST_TABLE > DETAILS ? DETAILS : rows - LEAST_TABLE;
	details = details < 0 ? 0 : details;
	l->chart_rows = rows - 2;
	l->markers = y;
	l->chart = y + 1;
	l->ruler = y + rows - 1;
	l->table = (struct heap_box){y, x, rows - details - (details ? 1 : 0), table};
	l->details = (struct heap_box){end - details, x, details, table};
}

/* Rows of details below the table. On small screens a few lines of text, and all facts of a band that is shown alone. */
static int detail_rows(const struct canvas *c, int rows, bool alone)
{
	enum { TEXT_ROWS = 20, LINE_ROWS = 18, TEXT = 3, ALONE = 8 };
	if (c->rows >= TALL_ROWS)
		return (rows - 2) / 4;
	return rows >= TEXT_ROWS ? (alone ? ALONE : TEXT) : rows >= LINE_ROWS ? 1 : 0;
}

/* Picture above, table below, of at least eight bands unless one is shown alone; details where there is room. */
static void lay_out_narrow(struct layout *l, const struct canvas *c, int y, int end, bool alone)
{
	int rows = end - y, details = detail_rows(c, rows, alone),
	    table_rows = (alone ? LEAST_HUES / 2 - 1 : LEAST_HUES) + 2;
	int chart = (rows - details - 2) * 11 / 20, most = rows - details - 2 - table_rows;
	bool picture = c->rows >= PICTURE_ROWS;
	chart = chart > most && most >= LEAST_HUES / 2 ? most : chart;
	l->chart_rows = picture ? chart : 0;
	l->markers = y;
	l->chart = y + 1;
	l->ruler = l->chart + l->chart_rows;
	int table = picture ? l->ruler + 1 : y;
	l->table = (struct heap_box){table, 1, end - details - table, c->cols - 2};
	l->details = (struct heap_box){end - details, 1, details, c->cols - 2};
}

static struct layout layout_for(const struct canvas *c, enum theme theme, int y, int end, bool alone)
{
	struct layout l = {0};
	bool wide = c->cols >= WIDE && c->rows >= PICTURE_ROWS;
	if (c->rows >= TALL_ROWS)
		l.notes = end -= 3; /* two, and a blank one above */
	if (c->rows >= STATUS_ROWS)
		l.status = y++;
	place_picture(&l, c, wide ? c->cols - (c->cols >= VERY_WIDE ? TABLE_WIDER : TABLE_WIDE) - 2 : c->cols, theme);
	if (wide)
		lay_out_wide(&l, c, y, end);
	else
		lay_out_narrow(&l, c, y, end, alone);
	return l;
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static void set_range(struct heap_ask *ask, const struct model *m)
{
	const struct selection *s = &m->selection;
	ask->range_from = s->on ? selection_from(s) : m->at.t0;
	ask->range_to = s->on ? selection_to(s) : m->at.t1;
}

static struct heap_ask ask_of(const struct heap_pane *v, const struct layout *l)
{
	const struct model *m = &v->seen;
	struct heap_ask ask;
	memset(&ask, 0, sizeof ask); /* it is compared by its bytes */
	ask.t0 = m->at.t0;
	ask.t1 = m->at.t1;
	ask.first = m->first;
	ask.last = m->last;
	ask.cursor = m->at.cursor;
	ask.compares = v->compares;
	ask.other = !v->compares || v->other ? m->at.cursor : v->from_window ? m->at.t0 : v->compared;
	ask.against = v->compares && v->other ? other_log_get(v->other, 0) : NULL;
	set_range(&ask, m);
	ask.cols = (uint32_t)m->cols;
	ask.rows = (uint32_t)l->chart_rows;
	ask.hues = (uint32_t)(l->table.rows - 2 < LEAST_HUES ? LEAST_HUES : l->table.rows - 2);
	ask.profile = v->profile;
	ask.only = v->only;
	ask.mode = v->mode;
	ask.sort = v->sort;
	ask.at = v->at;
	ask.move = v->move;
	ask.top = v->top;
	ask.room = (uint32_t)heap_table_room(&v->page, l->table.rows);
	memcpy(ask.find, v->find, strlen(v->find));
	memcpy(ask.filter, v->filter, strlen(v->filter));
	memcpy(ask.group, v->group, strlen(v->group));
	memcpy(ask.open, v->open, strlen(v->open));
	return ask;
}

/* The page has come: the table stands where it says. */
static void follow(struct heap_pane *v)
{
	v->move = 0;
	v->find[0] = '\0';
	v->top = (uint32_t)v->page.top;
	v->at = v->page.n ? v->page.rows[v->page.cursor].number : BANDS_REST;
}

/* A cursor that was not moved yet begins at the largest sample: in all panes, so the user is told. */
static void start_at_peak(struct heap_pane *v, struct pane_host *h)
{
	bool untouched = h->model.at.cursor == h->model.first;
	if (!v->started && v->page.samples && untouched && v->page.peak_t != h->model.first) {
		model_goto(&h->model, v->page.peak_t, h->now_ms);
		pane_say(h, false, "cursor moved to the largest sample (u: undo)");
		v->seen.at = h->model.at;
	}
	v->started = v->started || v->page.samples;
}

/* Choose the log to ask and the window, which both stay while they rest: a window that follows the end of the log is not asked about
 * then. */
static void choose_log(struct heap_pane *v, struct pane_host *h)
{
	const struct model *m = &h->model, *was = &v->seen;
	struct resting *r = &v->resting;
	const bool same = m->at.t0 == was->at.t0 && m->at.t1 == was->at.t1 && m->cols == was->cols,
		   other = v->job && !same && !resting_answers(r, m->follow, m->at.t1);
	if (resting_renew(r, &h->rest, v->job ? heap_job_answers(v->job) : NULL, h->log, other)) {
		heap_job_free(v->job);
		v->job = NULL;
	}
	const struct model_place at = was->at;
	const bool stays = resting_is_old(r, h->log) && m->follow && r->follows;
	v->seen = *m;
	if (stays)
		v->seen.at = at;
	evl_range(r->log, &v->seen.first, &v->seen.last);
	r->follows = m->follow;
}

static void update(struct heap_pane *v, struct pane_host *h, const struct layout *l)
{
	choose_log(v, h);
	if (!v->job && !(v->job = heap_job_new(v->resting.log, h->wake, h->wake_ctx)))
		return;
	v->room = heap_table_room(&v->page, l->table.rows);
	if (v->compares && v->other && !pane_compares(h, v->other)) /* :diff closed it */
		heap_pane_compare(v, h, COMPARE_NONE);
	for (int i = 0; i < 3;
		i++) { /* how many rows there are room for, and where the peak is, the first page tells */
		struct heap_ask ask = ask_of(v, l);
		v->there = heap_job_ask(
			v->job, &ask, ask.against ? v->other : NULL, h->wait_for_jobs ? -1 : WAIT_MS, &v->page);
		if (!v->there)
			return;
		resting_answered(&v->resting);
		follow(v);
		start_at_peak(v, h);
	}
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static const char *sort_name(uint32_t sort)
{
	static const char *const names[] = {
#define S(name, text) text,
		HEAP_SORTS(S)
#undef S
	};
	return names[sort];
}

static void put_progress(struct line *l, struct heap_pane *v)
{
	uint64_t done = 0, total = 0;
	if (v->there || !v->job)
		return;
	heap_job_progress(v->job, &done, &total);
	line_printf(l, ST_KEY, false, total ? "  ·  reading sample %s of %s" : "  ·  reading …", as_count(done),
		as_count(total));
}

/* "272 MB of 449 MB live after GC: the rest is profiling headers"; "no sample before 1.62 s". when: and when it was, as no
 * line below tells */
static void put_live(struct line *l, const struct heap_answer *p, const struct evl_log *log, bool brief, bool when)
{
	enum { NEARLY = 50 };
	const char *live = brief ? "live" : "live after GC";
	char text[2 * TEXT_ROOM + 80], census[TEXT_ROOM];
	const char *rest = p->filtered                   ? ": the rest is not profiled"
		: cost_centres_count(&log->cost_centres) ? ": the rest is profiling headers"
							 : ": the rest is not counted";
	text_bytes(census, p->at.total);
	if (when && !p->at.early && !p->announced.by_index)
		line_printf(l, ST_TEXT, false, "at %s: ", as_duration(p->at.t));
	if (p->at.early)
		snprintf(text, sizeof text, "no sample yet: the first is at %s", as_duration(p->at.t));
	else if (!p->has_live)
		snprintf(text, sizeof text, "%s", census);
	else if (p->at.total > p->live)
		snprintf(text, sizeof text, "%s counted, %s %s", census, as_bytes(p->live), live);
	else
		snprintf(text, sizeof text, "%s of %s %s%s", census, as_bytes(p->live), live,
			p->live - p->at.total > p->live / NEARLY ? rest : "");
	bool fits = p->at.early || text_width(str_of(text), l->c->ascii) <= line_room(l);
	line_put(l, ST_EM, true, fits ? text : census);
}

/* Kind of the profile. brief: much comes after it. */
static void put_kind(struct line *l, const struct heap_answer *p, bool brief)
{
	char name[BREAKDOWN_ROOM];
	const char *flag = breakdown_flag(&p->announced);
	line_put(l, ST_TEXT, true, brief ? "census " : "heap census ");
	if (!brief || !*flag)
		line_pair(l, "by ", ST_TEXT, breakdown_name(&p->announced, name));
	if (*flag)
		line_printf(l, ST_DIM, false, brief ? "%s" : " (%s%s)", flag, p->announced.guessed ? ", inferred" : "");
	line_put(l, ST_DIM, false, brief ? "  " : "  ·  ");
}

static void put_samples(struct line *l, const struct heap_answer *p, bool brief)
{
	line_clause(l, ST_TEXT, "  ·  %s sample%s", as_count(p->samples), p->samples == 1 ? "" : "s");
	if (p->period && !brief)
		line_clause(l, ST_DIM, ", %s interval", as_duration(p->period));
	if (p->more)
		line_clause(l, ST_WARN, " and %s not kept", as_count(p->more));
}

/* Notes on this profile, and on the current view. */
static void put_notes(struct line *l, const struct heap_pane *v, const struct evl_log *log)
{
	const struct heap_answer *p = &v->page;
	if (p->profiles > 1)
		line_clause(l, ST_KEY, "  ·  profile %u of %u (p: next)", v->profile + 1, p->profiles);
	if (p->announced.by_index)
		line_clause(l, ST_WARN, "  ·  by number: written at exit, no times");
	if (log->source.rewritten)
		line_clause(l, ST_DIM, "  ·  a .hp file: times exclude GC and waiting");
	if (p->filtered)
		line_clause(l, ST_DIM, "  ·  part of the heap only");
	if (p->at.cut)
		line_clause(l, ST_WARN, "  ·  this sample is cut");
	if (p->dropped) {
		line_clause(l, ST_DIM, "  ·  the largest %s bands, about %s more in other", as_count(p->bands),
			as_count(p->dropped));
	}
	if (p->grouped)
		line_clause(l, ST_KEY, "  ·  %s bands by %s", as_count(p->grouped), v->group);
	if (v->filter[0])
		line_clause(l, ST_KEY, "  ·  filter %s", v->filter);
}

/* "from mark a, 1.20 s, to the cursor"; "from b.eventlog's largest sample, 12 MB at 1.20 s" */
static void put_other(struct line *l, const struct heap_pane *v)
{
	const struct heap_moment *other = &v->page.other;
	line_put(l, ST_TEXT, false, "from ");
	if (!v->other) {
		bool early = v->page.ask.other < other->t && !v->page.announced.by_index;
		line_printf(l, ST_TEXT, false, "%s, %s%s, to the cursor", early ? "the first sample" : v->compared_with,
			as_duration(other->t), other->t > v->page.at.t ? " (later)" : "");
		return;
	}
	line_put(l, ST_KEY, true, path_base(other_log_path(v->other)));
	if (v->page.no_other) {
		line_put(l, ST_WARN, false, ", which has no such census");
		return;
	}
	line_printf(l, ST_TEXT, false, "'s largest sample, %s at %s", as_bytes(other->total), as_duration(other->t));
}

/* A view other than the usual one, named before all figures. */
static void put_view(struct line *l, const struct heap_pane *v)
{
	const char *view = v->mode == HEAP_TREE ? "call tree"
		: v->mode == HEAP_ROOTS         ? "by root"
		: v->look.lines                 ? "bands as lines"
						: "";
	line_put(l, ST_KEY, false, view);
	if (*view)
		line_put(l, ST_DIM, false, " (M: next)  ·  ");
	if (v->only != BANDS_REST)
		line_put(l, ST_KEY, false, "one band (Enter: all)  ·  ");
	if (v->compares) {
		line_put(l, ST_KEY, true, "difference ");
		put_other(l, v);
		line_put(l, ST_DIM, false, "  ·  ");
	}
}

static void put_look(struct line *l, const struct heap_pane *v)
{
	if (!v->compares && v->mode == HEAP_BANDS)
		line_clause(l, ST_DIM, "  ·  O sort: %s", sort_name(v->sort));
	if (v->look.share)
		line_clause(l, ST_KEY, "  ·  shares");
	if (v->look.inverted)
		line_clause(l, ST_KEY, "  ·  inverted");
	if (v->axis)
		line_clause(l, ST_KEY, "  ·  trends to one scale");
}

static void draw_status(struct heap_pane *v, const struct evl_log *log, struct canvas *c, int y)
{
	const uint64_t as_of = resting_as_of(&v->resting, log);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	bool narrow = c->cols < WIDE, brief = narrow || v->compares || v->only != BANDS_REST;
	if (v->page.samples) {
		put_kind(&l, &v->page, brief);
		if (as_of) {
			line_pair(&l, "as of ", ST_TEXT, as_value(UNIT_MOMENT, (double)as_of));
			line_put(&l, ST_DIM, false, "  ·  ");
		}
		put_view(&l, v);
		put_live(&l, &v->page, log,
			narrow && (v->compares || v->only != BANDS_REST || v->mode != HEAP_BANDS || v->look.lines),
			c->rows < TALL_ROWS && !v->compares);
		put_samples(&l, &v->page, brief);
	} else {
		line_put(&l, ST_TEXT, true, "heap census");
	}
	put_progress(&l, v);
	if (v->page.samples == 0)
		return;
	put_notes(&l, v, log);
	put_look(&l, v);
}

/* "census sample 17 at 3.87 s: 259 MB   at the cursor: live 427 MB   heap size 887 MB   blocks 464 MB   last major GC 0.41 s before …" */
static void draw_heap_line(const struct model *m, const struct heap_answer *p, struct canvas *c, int y)
{
	static const struct {
		enum heap_curve curve;
		const char *name;
	} curves[] = {{HEAP_CURVE_LIVE, "live "}, {HEAP_CURVE_SIZE, "heap size "}, {HEAP_CURVE_BLOCKS, "blocks "}};
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	const struct gc_row *major = gcs_before(&m->log->gcs, m->at.cursor, GC_MAJOR);
	line_put(&l, ST_DIM, false, p->at.early ? "the cursor is before census sample " : "census sample ");
	line_put(&l, ST_TEXT, true, as_count(p->at.sample + 1));
	line_put(&l, ST_DIM, false, p->announced.by_index ? "" : " at ");
	if (!p->announced.by_index)
		line_duration(&l, ST_TEXT, p->at.t);
	if (!p->at.early) {
		line_put(&l, ST_DIM, false, ": ");
		line_put(&l, ST_EM, true, as_bytes(p->at.total));
	}
	const char *gap = "   at the cursor: ";
	for (size_t i = 0; i < countof(curves); i++) {
		struct series_row row;
		if (!heap_at(&m->log->heap, curves[i].curve, m->at.cursor, &row))
			continue;
		bool same =
			curves[i].curve == HEAP_CURVE_LIVE && p->has_live && row.t < p->at.t; /* as the title has it */
		line_put(&l, ST_DIM, false, gap);
		line_pair(&l, curves[i].name, ST_TEXT, as_bytes(same ? p->live : row.value));
		gap = "   ";
	}
	if (!major)
		return;
	if (gc_end(major) > m->at.cursor) {
		line_put(&l, ST_DIM, false, "   in a major GC");
		return;
	}
	line_pair(&l, "   last major GC ended ", ST_TEXT, as_duration(m->at.cursor - gc_end(major)));
	line_put(&l, ST_DIM, false, " before");
}

static void draw_growth_line(const struct pane_host *h, const struct heap_answer *p, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	char text[TEXT_ROOM];
	line_put(&l, ST_DIM, false,
		h->model.selection.on ? "changed most in the range:" : "changed most in the window:");
	if (p->one_sample) {
		line_printf(&l, ST_DIM, false, " %s sample in this %s", p->in_range ? "only one" : "no",
			h->model.selection.on ? "range" : "window");
		if (p->nearest[0])
			line_pair(&l, "; ", ST_TEXT, p->nearest);
	} else if (p->growth.n == 0)
		line_put(&l, ST_DIM, false, " nothing changed");
	for (int i = 0; i < p->growth.n && line_room(&l) > 16; i++) {
		struct line name = l;
		line_skip(&name, 3);
		name.end = name.x + 28 < l.end ? name.x + 28 : l.end;
		line_put(&name, ST_TEXT, false, p->growth.items[i].label);
		l.x = name.x + 1;
		line_put(&l, p->growth.items[i].by > 0 ? ST_WARN : ST_TEXT, true,
			heap_change(text, p->growth.items[i].by));
	}
}

static void draw_picture(struct heap_pane *v, const struct layout *l, struct canvas *c)
{
	const struct lane markers = {.ops = &lane_markers, .rows = 1};
	const struct model *m = &v->seen;
	if (l->chart_rows < 1 || !plot_update(&v->plot, m))
		return;
	v->look.plot = &v->plot;
	v->look.selected = v->mode == HEAP_BANDS && v->page.n ? v->page.rows[v->page.cursor].number : BANDS_REST;
	if (!v->page.announced.by_index)
		lane_markers.draw(&markers, &v->plot, &l->place, c, l->markers);
	heap_chart(&v->page, &v->look, m, &l->place, c, l->chart, l->chart_rows);
	if (v->page.announced.by_index)
		heap_chart_ruler(&v->page, m, &l->place, c, l->ruler);
	else
		part_ruler(m, &l->place, c, l->ruler);
}

static void draw_profile(struct heap_pane *v, struct pane_host *h, const struct layout *l, struct canvas *c)
{
	if (l->status)
		draw_status(v, h->log, c, l->status);
	if (v->page.samples == 0)
		return;
	v->plot_at = (struct heap_box){l->chart, l->place.plot_x, l->chart_rows + 1, h->model.cols};
	v->rows_at = (struct heap_box){l->table.y + 1, l->table.x, (int)v->page.n, l->table.cols};
	if (h->source.open)
		source_view_draw(h, c, l->markers, 0, l->ruler + 1 - l->markers, l->place.plot_x + l->place.cols + 1,
			(struct evl_str){(const uint8_t *)v->page.location, v->page.location_len});
	else
		draw_picture(v, l, c);
	v->page.trend_most = v->axis ? v->page.largest : 0;
	heap_table(&v->page, v->filter, c, &l->table);
	heap_details(&v->page, c, &l->details);
	if (l->notes) {
		draw_heap_line(&v->seen, &v->page, c, l->notes + 1);
		draw_growth_line(h, &v->page, c, l->notes + 2);
	}
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	struct heap_pane *v = view;
	struct layout l = layout_for(c, h->theme, y, bottom, v->only != BANDS_REST);
	model_set_cols(&h->model, l.place.cols);
	if (!evl_progress(h->log).done) {
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM),
			"reading …  the heap profile is shown when all samples are known");
	} else if (census_count(&h->log->census) == 0) {
		heap_none_draw(v, h, c, y, bottom);
	} else {
		update(v, h, &l);
		draw_profile(v, h, &l, c);
	}
}

void heap_pane_find(struct pane_host *h, const char *band)
{
	struct heap_pane *v = h->views[PANE_HEAP];
	if (!v)
		return;
	snprintf(v->find, sizeof v->find, "%s", band);
	v->started = true; /* the cursor is where the finding is */
	v->mode = HEAP_BANDS;
	v->only = BANDS_REST;
	v->filter[0] = v->group[0] = v->open[0] = '\0';
	v->compares = false;
	v->other = NULL;
	h->shown = PANE_HEAP;
}

/* --- the pane ------------------------------------------------------------------------------------------------------ */

static void *open_heap(UNUSED struct pane_host *h)
{
	struct heap_pane *v = calloc(1, sizeof *v);
	if (v)
		v->at = v->only = BANDS_REST;
	return v;
}

/* The page stays until there is a newer one: it holds nothing of the log. */
static void on_log_replaced(void *view, struct pane_host *h)
{
	struct heap_pane *v = view;
	plot_free(&v->plot);
	if (h->shown == PANE_HEAP && resting_stays(&v->resting, &h->rest, h->goes_on))
		return;
	heap_job_free(v->job);
	v->job = NULL;
	resting_drop(&v->resting, h->goes_on);
	v->there = false;
}

static void close_heap(void *view)
{
	struct heap_pane *v = view;
	heap_job_free(v->job);
	resting_drop(&v->resting, false);
	heap_answer_free(&v->page);
	plot_free(&v->plot);
	free(v);
}

static bool is_in(const struct heap_box *box, int y, int x)
{
	return y >= box->y && y < box->y + box->rows && x >= box->x && x < box->x + box->cols;
}

/* The picture moves the cursor, the table the band; twice: that band alone. A heading sorts. */
static void click(void *view, struct pane_host *h, int y, int x, bool twice)
{
	struct heap_pane *v = view;
	if (v->there && y == v->rows_at.y - 1)
		heap_table_sort(&v->page, &v->rows_at, x, &v->sort);
	if (is_in(&v->plot_at, y, x))
		model_follow(&h->model, model_edge(&v->seen, x - v->plot_at.x));
	if (!v->there || !is_in(&v->rows_at, y, x))
		return;
	v->move = y - v->rows_at.y - (int)v->page.cursor;
	if (twice)
		heap_keys(v, h, ACT_EXPAND);
}

/* The selected band, for y. */
static void copy(void *view, UNUSED struct pane_host *h, struct canvas *c)
{
	struct heap_pane *v = view;
	struct line l = {.c = c, .end = c->cols, .bg = ST_PAGE};
	if (v->page.samples == 0 || v->page.n == 0)
		return;
	const struct heap_row *row = &v->page.rows[v->page.cursor];
	line_printf(&l, ST_TEXT, false, "%s  %s", row->label, as_bytes(row->bytes));
	for (int i = 0; i < v->page.n_facts; i++)
		line_printf(&l, ST_TEXT, false, "  %s %s", v->page.facts[i].name, v->page.facts[i].text);
}

static bool news(void *view)
{
	struct heap_pane *v = view;
	return v->job && heap_job_news(v->job);
}

static bool busy(const void *view)
{
	const struct heap_pane *v = view;
	return v->job && heap_job_busy(v->job);
}

static const char *filter(const void *view, UNUSED const struct pane_host *h)
{
	return ((const struct heap_pane *)view)->filter;
}

/* Without a profile only the cursor moves, and C explains the curve. Few kinds of bands have a place in the source. */
static bool acts(const void *view, const struct pane_host *h, enum action action)
{
	const struct heap_pane *v = view;
	if (action == ACT_EDIT && v->page.location_len == 0)
		return false;
	return action == ACT_LEFT || action == ACT_COLOURS || !evl_progress(h->log).done
		|| census_count(&h->log->census) > 0;
}

/* Bands that are all shown are exported as a profile, other rows as they are shown. */
static const char *offers(
	const void *view, UNUSED const struct pane_host *h, UNUSED uint64_t *from, UNUSED uint64_t *to)
{
	const struct heap_ask *ask = &((const struct heap_pane *)view)->page.ask;
	return ask->filter[0] || ask->group[0] || ask->mode != HEAP_BANDS || ask->compares ? "csv shown" : "hp";
}

/* Those of the view; without a profile those of the curve of live bytes. */
static const struct lane_colour *signs(const void *view, const struct pane_host *h)
{
	static const struct lane_colour stacked = {"stacked bands", {ST_BAND_0, ST_BAND_1}, 0x2586, '#'},
					lines = {"bands as lines", {ST_BAND_0, ST_BAND_1}, 0x2580, 'a'},
					hatched = {"selected band", {ST_BAND_0, ST_BAND_1}, 0x2591, ':'},
					dotted = {"selected line", {ST_BAND_0, ST_BAND_1}, 0x25cf, '*'},
					trend = {"trend", {ST_BAND_0, ST_BAND_1}, 0x2583, '-'},
					over[] = {{"curves", {ST_LIVE, ST_LIVE}, 0x2022, '*'},
						{"markers", {ST_MARKER, ST_MARKER}, 0x25be, 'v'},
						{"cursor", {ST_KEY, ST_KEY}, 0x25bc, 'v'},
						{"inspector", {ST_KEY, ST_KEY}, 0x25b8, '>'}},
					none[] = {{.word = "live"}, {.word = "live (last known)"},
						{.word = "heap size"}, {"cursor", {ST_KEY, ST_KEY}, 0x25bc, 'v'},
						{"inspector", {ST_KEY, ST_KEY}, 0x25b8, '>'}, {0}};
	static struct lane_colour out[countof(over) + 4];
	const struct heap_pane *v = view;
	const bool as_lines = v->look.lines && !v->look.share;
	size_t n = 0;
	if (!evl_progress(h->log).done || census_count(&h->log->census) == 0)
		return none;
	out[n++] = as_lines ? lines : stacked;
	if (v->mode == HEAP_BANDS) {
		out[n++] = as_lines ? dotted : hatched;
		out[n++] = trend;
	}
	memcpy(out + n, over, sizeof over);
	out[n + countof(over)] = (struct lane_colour){0};
	return out;
}

const struct pane_ops heap_pane = {.name = "Heap",
	.key = ACT_PANE_HEAP,
	.pane = KEYMAP_HEAP,
	.open = open_heap,
	.close = close_heap,
	.body = draw_body,
	.act = heap_keys,
	.click = click,
	.copy = copy,
	.on_log_replaced = on_log_replaced,
	.news = news,
	.busy = busy,
	.is_over = heap_is_over,
	.leave = heap_leave,
	.filter = filter,
	.set_filter = heap_set_filter,
	.acts = acts,
	.signs = signs,
	.offers = offers,
	.lists = heap_export};
