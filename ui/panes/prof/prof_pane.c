/* The time profile: where the program's time went, by cost centre, for the whole run or the selected range. */
#include "panes/prof/prof_pane.h"

#include "jobs/other_log.h"
#include "jobs/prof_job.h"
#include "panes/prof/prof_keys.h"
#include "panes/prof/prof_state.h"
#include "panes/prof/prof_table.h"
#include "panes/timeline/timeline.h"
#include "report/abilities.h"
#include "state/state_dir.h"

#include <stdlib.h>

enum { WHOSE_WAIT_MS = 12, STATUS_ROWS = 8, DETAIL_ROWS = 14, WIDE = 120, TALL = 40 };
enum { CURVE_ROWS = 6, LISTS_ROWS = 6, ICICLE_SHARE = 3, TABLE_LEAST = 8 };

/* --- the line of what is shown ------------------------------------------------------------------------------------- */

/* "11,904 samples @ 1 kHz" */
static void put_samples(struct line *l, const struct prof *prof, const struct prof_picture *p, bool source)
{
	uint64_t interval = prof_interval(prof);
	if (p->ask.whole) {
		line_duration(l, ST_TEXT, p->total);
		line_put(l, ST_DIM, false, " of thread time, on and off CPU");
		return;
	}
	double hz = interval ? 1e9 / (double)interval : 0;
	line_printf(l, ST_TEXT, false, "%s sample%s", as_count(p->total), p->total == 1 ? "" : "s");
	if (interval && line_room(l) > 60)
		line_printf(l, ST_DIM, false, hz >= 1000 ? " @ %.4g kHz" : " @ %.4g Hz", hz >= 1000 ? hz / 1000 : hz);
	if (!p->hidden && source) /* whose shares are of the program's samples alone */
		line_put(l, ST_DIM, false, " with the RTS's");
	if (p->hidden)
		line_printf(l, ST_KEY, false, " (x: show %s samples in the RTS)", as_count(p->hidden));
}

static void put_only(struct line *l, const struct prof_pane *v)
{
	if (!v->only[0])
		return;
	line_put(l, ST_DIM, false, "  ·  only ");
	line_put(l, ST_KEY, true, v->only);
}

static void put_range(struct line *l, const struct prof_pane *v, const struct pane_host *h)
{
	enum { USUAL = 14 }; /* columns of what need not be said */
	const struct model *m = &h->model;
	uint64_t from, to;
	prof_state_range(v, h, &from, &to);
	if (!m->selection.on) {
		if (line_room(l) >= USUAL)
			line_put(l, ST_DIM, false, "  ·  whole run");
		return;
	}
	line_put(l, ST_DIM, false, "  ·  ");
	line_put(l, ST_ACCENT, true, "range ");
	line_duration(l, ST_ACCENT, to - from);
	line_pair(l, " from ", ST_DIM, as_duration(sub_or_0(from, m->first)));
}

/* "against 1.20 s to 1.21 s; grey: within 3 standard errors, or half a point" */
static void put_base(struct line *l, const struct prof_pane *v, const struct pane_host *h, const struct prof_picture *p)
{
	if (!p->ask.compares)
		return;
	line_put(l, ST_KEY, true, "  ·  against ");
	if (p->ask.other) {
		line_put(l, ST_KEY, false, path_base(other_log_path(p->ask.other)));
	} else {
		line_duration(l, ST_KEY, sub_or_0(v->base_from, h->model.first));
		line_pair(l, " to ", ST_KEY, as_duration(sub_or_0(v->base_to, h->model.first)));
	}
	line_put(l, ST_DIM, false, ", ");
	if (p->ask.whole)
		line_duration(l, ST_TEXT, p->base_total);
	else
		line_put(l, ST_TEXT, false, as_count(p->base_total));
	line_put(l, ST_DIM, false, p->ask.whole ? "; " : " samples; ");
	line_put(l, ST_DIM, false, "grey: under 3 standard errors, or half a point");
}

static void put_modes(struct line *l, const struct prof_pane *v)
{
	bool all = line_room(l) > 95;
	line_put(l, ST_DIM, false, l->c->cols >= WIDE ? "  ·  view " : "  ");
	for (int i = 0; i < PROF_MODES; i++) {
		bool shown = i == (int)v->mode;
		if (!all && !shown)
			continue;
		if (all && i > 0)
			line_put(l, ST_DIM, false, " / ");
		line_put(l, shown ? ST_KEY : ST_DIM, shown, prof_mode_name((enum prof_mode)i));
	}
}

static void put_choices(struct line *l, const struct prof_pane *v, const struct prof_names *names)
{
	enum { USUAL = 12 };
	if (v->cap != PROF_ALL_CAPS)
		line_printf(l, ST_KEY, false, "  ·  cap %d", v->cap);
	else if (line_room(l) >= USUAL)
		line_put(l, ST_DIM, false, "  ·  cap all");
	if ((prof_state_order(v) != PROF_BY_INCL || v->ordered) && (v->ordered || line_room(l) >= USUAL))
		line_pair(l, "  ·  by ", v->ordered ? ST_KEY : ST_DIM, prof_order_name(v));
	if (v->rows.tree && v->rows.focus) {
		line_put(l, ST_DIM, false, "  ·  focus ");
		line_text(l, ST_KEY, true, prof_label(names, prof_rows_item(&v->rows, v->rows.focus)->name));
	}
}

static void put_found(struct line *l, const struct prof_pane *v, const struct prof_picture *p)
{
	if (!v->search[0])
		return;
	line_put(l, ST_DIM, false, "  ·  /");
	line_put(l, ST_KEY, true, v->search);
	line_pair(l, " in ", ST_TEXT, as_share(p->total ? (double)v->in_found / (double)p->total : 0));
}

static void draw_status(const struct prof_pane *v, const struct pane_host *h, const struct prof_picture *p,
	const struct prof_names *names, struct canvas *c, int y)
{
	const uint64_t as_of = pane_prof_as_of(h, v->source);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	line_put(&l, ST_EM, true, v->source == PROF_CALLS ? "call stacks " : "time profile ");
	put_samples(&l, prof_state_prof(v, h), p, h->source.open);
	if (c->cols < WIDE)
		put_modes(&l, v);
	put_only(&l, v);
	put_range(&l, v, h);
	if (as_of)
		line_pair(&l, "  ·  as of ", ST_TEXT, as_value(UNIT_MOMENT, (double)as_of));
	put_base(&l, v, h, p);
	put_choices(&l, v, names);
	put_found(&l, v, p);
	if (c->cols >= WIDE)
		put_modes(&l, v);
	if (p->tree.cut || atomic_load(&prof_state_prof(v, h)->stacks.cut))
		line_put(&l, ST_WARN, false, "  ·  some stacks cut: too many different ones");
}

/* --- nothing to show ----------------------------------------------------------------------------------------------- */

static void draw_lines(struct canvas *c, int y, int end, const char *const *lines, size_t n)
{
	for (size_t i = 0; i < n && y < end; i++)
		canvas_str(c, y++, 2, c->cols - 3, i == 0 ? PEN_BOLD(ST_EM) : PEN(ST_TEXT), lines[i]);
}

static void draw_empty(const struct pane_host *h, struct canvas *c, int y, int end)
{
	static const char *const none[] = {"No time profile in this log", "",
		"A program that is built for profiling samples the stack of its cost centres:", "",
		"    ghc -prof -fprof-late PROGRAM.hs   all top-level functions, optimised",
		"    ./PROGRAM +RTS -p -l               samples in the log (since GHC 8.10)", "",
		"    -V0.0005                           twice as many samples per second",
		"    -fprof-auto                        local functions too", "",
		"Its libraries need profiling as well. With cabal: --enable-profiling.", "",
		"Without a profiled build: the package ghc-stack-profiler samples stacks."};
	static const char *const unsampled[] = {"Cost centres, but no samples in this log", "",
		"The program is built for profiling. Its stacks are sampled by -p:", "", "    ./PROGRAM +RTS -p -l", "",
		"There are none if the run was shorter than a tick (1 ms; -V)", "or the profile timer was stopped."};
	static const char *const run_short[] = {"No samples of a time profile in this log", "",
		"There are none if the run was shorter than a tick (1 ms; -V)", "or the profile timer was stopped."};
	if (ability_of_log(h->log, ABILITY_time_profile).state == ABILITY_NONE)
		draw_lines(c, y, end, run_short, countof(run_short));
	else if (cost_centres_count(&h->log->cost_centres))
		draw_lines(c, y, end, unsampled, countof(unsampled));
	else
		draw_lines(c, y, end, none, countof(none));
}

/* --- the modes ----------------------------------------------------------------------------------------------------- */

struct drawing {
	struct prof_pane *v;
	struct pane_host *h;
	const struct prof_picture *p;
	const struct prof_axis *axis;
	const struct prof_names *names;
	struct prof_look look;
	struct lane_place at;
	struct canvas *c;
};

/* ns of a sample; 0: not known. */
static uint64_t interval_of(const struct drawing *d)
{
	return d->p->ask.whole ? 1 : prof_interval(prof_state_prof(d->v, d->h));
}

static void draw_table(const struct drawing *d, int y, int end, int x, int width)
{
	struct prof_pane *v = d->v;
	v->page = end - y > 1 ? (uint32_t)(end - y - 1) : 1;
	v->table_y = y;
	v->table_x = x;
	v->table_end = x + width;
	prof_rows_scroll(&v->rows, v->page);
	table_draw(&v->rows, &d->look, d->c, y, end - y, x, width, true);
}

/* Callers and callees of the selection, next to each other. */
static void draw_lists(const struct drawing *d, int y, int rows)
{
	int half = d->c->cols / 2;
	table_list(&d->p->callers, &d->look, d->c, y, rows, 0, half - 1, "callers of", false);
	table_list(&d->p->callees, &d->look, d->c, y, rows, half, d->c->cols - half, "callees of", true);
}

/* Height of the part below the table on screens that have room. */
static int draw_below(const struct drawing *d, int y, int end)
{
	bool tall = d->c->rows >= TALL;
	struct model m = d->h->model;
	if (d->p->ask.whole)
		return end;
	if (tall && end - y > CURVE_ROWS + TABLE_LEAST) {
		end -= CURVE_ROWS;
		d->v->time_y = end;
		if (d->p->series
			&& pane_prof_as_of(d->h, d->v->source)) { /* in its window, which may not be the latest */
			m.at.t0 = d->p->t0;
			m.at.t1 = d->p->t1;
		}
		time_curve(&m, d->p, d->axis, d->names, &d->at, d->c, end, CURVE_ROWS);
	}
	if (tall && end - y > LISTS_ROWS + TABLE_LEAST) {
		end -= LISTS_ROWS + 1;
		draw_lists(d, end, LISTS_ROWS);
	}
	return tall ? end - 1 : end;
}

static void draw_icicle(const struct drawing *d, int y, int end)
{
	int rows = icicle_depth(&d->v->rows), room = end - y;
	int most = d->c->rows >= TALL ? room / ICICLE_SHARE : room / 2 - 1;
	rows = rows < most ? rows : most;
	icicle_draw(&d->v->rows, &d->look, d->c, y, rows, 1, d->c->cols - 2, &d->v->spots);
	y += rows + (d->c->rows >= DETAIL_ROWS);
	table_details(&d->v->rows, &d->look, interval_of(d), d->c, y++);
	y += d->c->rows >= DETAIL_ROWS;
	draw_table(d, y, draw_below(d, y, end), 0, d->c->cols);
}

static void draw_left_heavy(const struct drawing *d, int y, int end)
{
	icicle_draw(&d->v->rows, &d->look, d->c, y, end - y - 2, 1, d->c->cols - 2, &d->v->spots);
	table_details(&d->v->rows, &d->look, interval_of(d), d->c, end - 1);
}

static void draw_tree(const struct drawing *d, int y, int end)
{
	table_details(&d->v->rows, &d->look, interval_of(d), d->c, y);
	y += 1 + (d->c->rows >= DETAIL_ROWS);
	draw_table(d, y, draw_below(d, y, end), 0, d->c->cols);
}

/* Centres on the left (above, on a narrow screen), who calls the selected one and whom it calls on the right. */
static void draw_sandwich(const struct drawing *d, int y, int end)
{
	bool wide = d->c->cols >= WIDE;
	int half = d->c->cols / 2, middle = y + (end - y) / 2;
	table_details(&d->v->rows, &d->look, interval_of(d), d->c, y);
	y += 1 + (d->c->rows >= DETAIL_ROWS);
	if (wide) {
		draw_table(d, y, end, 0, half - 1);
		table_list(&d->p->callers, &d->look, d->c, y, middle - y, half, d->c->cols - half, "callers of", false);
		table_list(&d->p->callees, &d->look, d->c, middle, end - middle, half, d->c->cols - half, "callees of",
			true);
	} else {
		draw_table(d, y, middle, 0, d->c->cols);
		draw_lists(d, middle, end - middle);
	}
}

/* Centres on the left (above, on a narrow screen), the source of the selected one on the right. */
static void draw_beside(const struct drawing *d, int y, int end)
{
	uint32_t name = prof_state_name(d->v, d->h);
	struct evl_str location = {0};
	if (name != PROF_NO_NAME)
		location = prof_location(d->names, name);
	bool wide = d->c->cols >= WIDE;
	int half = d->c->cols / 2, middle = y + (end - y) / 2;
	draw_table(d, y, wide ? end : middle, 0, wide ? half - 1 : d->c->cols);
	if (wide)
		source_view_draw(d->h, d->c, y, half, end - y, d->c->cols - half, location);
	else
		source_view_draw(d->h, d->c, middle, 0, end - middle, d->c->cols, location);
}

/* "cap 0  go  Main  src/Main.hs:3:1" */
static void draw_spot(const struct drawing *d, int y)
{
	struct line l = {.c = d->c, .y = y, .x = 1, .end = d->c->cols, .bg = ST_PAGE};
	uint32_t name = prof_state_name(d->v, d->h);
	if (name == PROF_NO_NAME) {
		line_put(&l, ST_DIM, false, "no sample at the cursor");
		return;
	}
	line_text(&l, ST_EM, true, prof_label(d->names, name));
	line_skip(&l, 2);
	line_text(&l, ST_DIM, false, prof_module(d->names, name));
	line_skip(&l, 2);
	line_text(&l, ST_ACCENT, false, prof_location(d->names, name));
}

static void draw_time(const struct drawing *d, int y, int end)
{
	struct prof_look look = d->look;
	draw_spot(d, y++);
	look.total = 0; /* a frame over time has no share */
	look.selected = prof_state_name(d->v, d->h);
	d->v->time_y = y;
	part_ruler(&d->h->model, &d->at, d->c, y++);
	if (!d->axis)
		canvas_str(d->c, y, d->at.plot_x, d->at.cols, PEN(ST_DIM), "…");
	else
		time_stacks(&d->h->model, d->axis, &prof_state_prof(d->v, d->h)->stacks, &look, &d->at, &d->v->spot,
			d->c, y, end - y);
}

static void draw_mode(const struct drawing *d, int y, int end)
{
	d->v->plot_x = d->at.plot_x;
	if (d->v->mode != MODE_TIME && d->p->total == 0) {
		canvas_str(d->c, y, 1, d->c->cols - 2, PEN(ST_DIM),
			d->p->ask.whole ? absence_text(d->h->log, ABSENCE_RUNS)
				: d->v->only[0]
				? "no sample of these threads here (f: others; label~PART matches part of a label)"
				: d->p->hidden ? "only samples in the run-time system here (x: show them)"
					       : "no samples in this range (v: select another, c: all capabilities)");
		return;
	}
	if (d->h->source.open && d->v->mode != MODE_TIME) {
		draw_beside(d, y, end);
		return;
	}
	switch (d->v->mode) {
	case MODE_WHOLE:
	case MODE_ICICLE: draw_icicle(d, y, end); break;
	case MODE_SANDWICH: draw_sandwich(d, y, end); break;
	case MODE_TIME: draw_time(d, y, end); break;
	case MODE_LEFT_HEAVY: draw_left_heavy(d, y, end); break;
	default: draw_tree(d, y, end); break;
	}
}

/* --- the pane ------------------------------------------------------------------------------------------------------ */

static void draw_profile(struct prof_pane *v, struct pane_host *h, struct canvas *c, int y, int end)
{
	struct drawing d = {.v = v, .h = h, .c = c, .at = timeline_place(c, h->theme, 0)};
	model_set_cols(&h->model, d.at.cols);
	d.p = prof_state_update(v, h);
	d.names = prof_job_names(prof_state_job(v, h));
	d.axis = prof_job_axis(prof_state_job(v, h), h->model.at.t0, h->model.at.t1, h->model.cols);
	if (!d.p || !d.names || d.p->failed) {
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM), d.p && d.p->failed ? "out of memory" : "counting …");
		return;
	}
	d.look = (struct prof_look){.names = d.names,
		.theme = h->theme,
		.found = v->found,
		.total = d.p->total,
		.selected = prof_state_name(v, h),
		.by_module = v->by_module,
		.compares = d.p->ask.compares,
		.whole = d.p->ask.whole,
		.bottom_up = d.p->ask.shape == PROF_BOTTOM_UP,
		.root = d.p->ask.shape == PROF_TREE ? NULL : "all"};
	if (c->rows >= STATUS_ROWS)
		draw_status(v, h, d.p, d.names, c, y++);
	y += c->rows >= DETAIL_ROWS;
	draw_mode(&d, y, end);
}

static void draw_whose(struct prof_pane *v, struct pane_host *h, struct canvas *c, int y, int end)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	line_put(&l, ST_EM, true, "show the samples of");
	line_put(&l, ST_DIM, false, "  Enter: select  f: filter  </>: sort  ·  selection: ");
	line_put(&l, ST_KEY, false, v->only[0] ? v->only : "all threads");
	table_view_draw(&v->whose, c, y + 1, end, h->wait_for_jobs ? -1 : WHOSE_WAIT_MS);
	if (prof_pick(v, h)) {
		canvas_fill(c, y, 0, end - y, c->cols, ST_PAGE);
		draw_profile(v, h, c, y, end);
	}
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	struct prof_pane *v = view;
	v->spots.n = 0;
	v->table_y = v->time_y = -1;
	if (!evl_progress(h->log).done)
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM),
			"reading …  the profile is shown when all samples are counted");
	else if (v->whose.source)
		draw_whose(v, h, c, y, bottom);
	else if (prof_state_choose(view, h))
		draw_profile(view, h, c, y, bottom);
	else
		draw_empty(h, c, y + 1, bottom);
}

static void *open_prof(UNUSED struct pane_host *h)
{
	struct prof_pane *v = calloc(1, sizeof *v);
	if (v)
		*v = (struct prof_pane){.cap = PROF_ALL_CAPS, .hide_rts = true, .spot = {.depth = STACK_DEPTH}};
	return v;
}

static void close_prof(void *view)
{
	struct prof_pane *v = view;
	table_view_close(&v->whose);
	prof_rows_free(&v->rows);
	free_all(v->found, v);
}

/* The profile goes on if the log has grown. */
static void on_log_replaced(void *view, struct pane_host *h)
{
	struct prof_pane *v = view;
	const struct pane_profile *p = &h->profiles[v->source];
	if (h->shown == PANE_PROF && resting_stays(&p->resting, &h->rest, h->goes_on))
		return;
	table_view_close(&v->whose);
	prof_state_on_log_replaced(v);
}

/* The row of the open list; or the source location of what is selected (or of the hot line), where it has none, its
 * name. */
static void copy(void *view, struct pane_host *h, struct canvas *c)
{
	const struct prof_pane *v = view;
	if (v->whose.source) {
		table_view_copy(&v->whose, c);
		return;
	}
	uint32_t name = prof_state_name(v, h);
	const struct prof_names *names = name == PROF_NO_NAME ? NULL : prof_job_names(prof_state_job(v, h));
	struct evl_str text = source_view_place(h, names ? prof_location(names, name) : (struct evl_str){0});
	if (names && (text.len == 0 || *text.p == '<'))
		text = prof_label(names, name);
	canvas_text(c, 0, 0, c->cols, PEN(ST_TEXT), text);
}

/* The profile's job is that of all panes. */
static bool news(void *view) { return table_view_news(&((struct prof_pane *)view)->whose); }
static bool busy(const void *view) { return table_view_busy(&((const struct prof_pane *)view)->whose); }
static bool stop(void *view) { return table_view_stop(&((struct prof_pane *)view)->whose); }

static bool is_over(const void *view, const struct pane_host *h)
{
	const struct prof_pane *v = view;
	return v->whose.source || h->source.open || v->compares;
}

static void leave(void *view, struct pane_host *h)
{
	struct prof_pane *v = view;
	if (v->whose.source)
		table_view_close(&v->whose);
	else if (!source_view_close(h))
		v->compares = false;
}

static const char *filter(const void *view, UNUSED const struct pane_host *h)
{
	return ((const struct prof_pane *)view)->only;
}

static bool lists(const void *view, UNUSED const struct pane_host *h, struct export_list *out)
{
	const struct prof_pane *v = view;
	if (v->whose.source)
		table_view_list(&v->whose, &v->whose_of, out);
	return v->whose.source;
}

/* The list tells its other keys by itself. */
static bool acts(const void *view, const struct pane_host *h, enum action action)
{
	const struct prof_pane *v = view;
	if (v->whose.source)
		return action == ACT_DOWN || action == ACT_SORT;
	if (action == ACT_UNDO) /* Backspace */
		return v->rows.focus > 0;
	return !evl_progress(h->log).done || prof_samples(evl_profile(h->log)) > 0;
}

/* Those of the last frame. */
static const struct lane_colour *signs(const void *view, UNUSED const struct pane_host *h)
{
	enum { SELF_BAR = 2, CURSOR = 5 };
	const struct prof_pane *v = view;
	static const struct lane_colour all[] = {{"frame", {ST_BAND_0, ST_BAND_1}, 0x2588, '#'},
		{"icicle", {ST_BAND_0, ST_BAND_1}, 0x2588, '#'}, {"self bar", {ST_MINOR, ST_MINOR}, 0x2586, '-'},
		{"callers", {ST_RUN, ST_RUN}, 0x2586, '-'}, {"tree sign", {ST_KEY, ST_KEY}, 0x25be, '-'},
		{"cursor", {ST_KEY, ST_KEY}, 0x25bc, 'v'}, {"inspector", {ST_KEY, ST_KEY}, 0x25b8, '>'}, {0}},
					over_time[] = {{"frame", {ST_BAND_0, ST_BAND_1}, 0x2588, '#'},
						{"cursor", {ST_KEY, ST_KEY}, 0x25bc, 'v'},
						{"inspector", {ST_KEY, ST_KEY}, 0x25b8, '>'}, {0}};
	if (v->mode == MODE_TIME && v->time_y >= 0)
		return over_time;
	return all + (v->spots.n ? 0 : v->table_y >= 0 ? SELF_BAR : CURSOR);
}

const struct pane_ops prof_pane = {.name = "Profile",
	.key = ACT_PANE_PROFILE,
	.pane = KEYMAP_PROFILE,
	.exports = "folded",
	.lists = lists,
	.open = open_prof,
	.close = close_prof,
	.body = draw_body,
	.act = prof_keys,
	.click = prof_click,
	.copy = copy,
	.on_log_replaced = on_log_replaced,
	.news = news,
	.busy = busy,
	.is_over = is_over,
	.leave = leave,
	.filter = filter,
	.set_filter = prof_set_only,
	.acts = acts,
	.signs = signs,
	.stop = stop};
