/* lane_nonmoving.c - lane of the nonmoving collector's phases.
 *
 * Mark, sweep and sync by the rule of cells.h, with their names where there is room. Flushes of update remembered
 * sets are ticks where the columns are fine enough for one colour each. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/parts.h"

#include <stdio.h>

enum { TICK = 0x2575, CENSUS_MAX = 64 };

static const struct {
	const char *name;
	uint8_t cell;
} kinds[] = {
	[NM_MARK] = {"mark", CELL_NM_MARK},
	[NM_SYNC] = {"sync", CELL_NM_SYNC},
	[NM_SWEEP] = {"sweep", CELL_NM_SWEEP},
	[NM_OFF] = {"", CELL_IDLE},
};

static enum style style_of(enum nm_kind kind) { return cells_style((enum cell_state)kinds[kind].cell); }

static size_t count(const struct evl_log *log) { return nonmoving_any(&log->nonmoving); }

static int rows(const struct lane_place *at) { return at->rows >= 12; }

static uint64_t share_of(const struct nm_column *col, uint64_t all, enum nm_kind kind)
{
	return kind == NM_OFF ? sub_or_0(all, col->ns[NM_MARK] + col->ns[NM_SYNC] + col->ns[NM_SWEEP]) : col->ns[kind];
}

/* Without colours: the letter of the shortest kind of phase that is there. */
static void draw_letter(const struct nm_column *col, struct canvas *c, int y, int x)
{
	enum nm_kind kind = col->n[NM_SYNC] ? NM_SYNC : col->n[NM_SWEEP] ? NM_SWEEP : NM_MARK;
	if (col->n[kind])
		canvas_printf(c, y, x, 1, PEN(ST_TEXT), "%c", style_info(style_of(kind))->letter);
}

static void draw_cell(const struct plot *p, int i, const struct nm_column *col, struct canvas *c, int y, int x)
{
	const struct cells to = {.c = c, .y = y, .rows = 1};
	uint64_t from = model_edge(p->model, i), all = model_edge(p->model, i + 1) - from;
	struct cell_shares shares = {0};
	for (enum nm_kind kind = 0; kind <= NM_OFF; kind++)
		shares.ns[kinds[kind].cell] = share_of(col, all, kind);
	if (c->mono)
		draw_letter(col, c, y, x);
	else if (col->edges == 1)
		cells_draw_edge(&to, x, (enum cell_state)kinds[col->first].cell, (enum cell_state)kinds[col->last].cell,
			cells_eighths(col->split - from, all));
	else
		cells_draw(&to, x, &shares);
}

/* "mark", and where there is room for it what was marked: "mark 12,345 objects". */
static void phase_text(const struct plot *p, enum nm_kind kind, uint64_t t, int room, char *out, size_t size)
{
	struct nm_phase phase;
	uint64_t marked;
	char number[TEXT_ROOM];
	snprintf(out, size, "%s", kinds[kind].name);
	if (kind != NM_MARK || !nonmoving_at(&p->model->log->nonmoving, t, &phase) || phase.end == NM_OPEN
		|| !nonmoving_marked(
			&p->model->log->nonmoving, &p->model->log->blocks, phase.start, phase.end, &marked))
		return;
	int used = (int)strlen(out), more = (int)strlen(text_count(number, marked)) + 9;
	if (used + more <= room)
		snprintf(out + used, size - (size_t)used, " %s object%s", number, marked == 1 ? "" : "s");
}

static void draw_names(const struct plot *p, const struct nm_column *cols, const struct lane_place *at,
	struct canvas *c, int y, int known)
{
	char text[2 * TEXT_ROOM + 16];
	for (int i = 0, end; i < known; i = end) {
		enum nm_kind kind = cols[i].last;
		for (end = i + 1; end < known && cols[i].edges == 0 && cols[end].edges == 0 && cols[end].last == kind;
			end++)
			;
		int len = (int)strlen(kinds[kind].name);
		if (kind != NM_OFF && cols[i].edges == 0 && end - i >= len + 2)
			phase_text(p, kind, model_edge(p->model, i), end - i - 2, text, sizeof text);
		if (kind != NM_OFF && cols[i].edges == 0 && end - i >= len + 2)
			canvas_str(c, y, at->plot_x + i + 1, end - i - 2,
				(struct pen){
					(uint8_t)style_label(style_of(kind), at->theme), (uint8_t)style_of(kind), 0},
				text);
	}
}

static void draw_flushes(const struct plot *p, const struct nm_column *cols, const struct lane_place *at,
	struct canvas *c, int y, int known)
{
	const struct points *flushes = &p->model->log->nonmoving.flushes;
	for (int i = 0; i < known; i++) {
		struct cell *cell = canvas_at(c, y, at->plot_x + i);
		if (!cell || cell->ch != ' ' || cols[i].edges
			|| points_in(flushes, model_edge(p->model, i), model_edge(p->model, i + 1), NULL) == 0)
			continue;
		struct pen pen = {(uint8_t)style_label((enum style)cell->bg, at->theme), cell->bg, 0};
		canvas_glyph(c, y, at->plot_x + i, c->mono ? PEN(ST_TEXT) : pen, TICK, '\'');
	}
}

/* Columns up to the indexed part of the buffer with the phases. */
static int known_cols(const struct plot *p)
{
	const struct evl_log *log = p->model->log;
	uint32_t chain = log->nonmoving.global;
	return chain == UINT32_MAX ? 0 : lane_known_cols(p, load_acquire(&log->tiles[chain].known_t));
}

static void draw(
	UNUSED const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct nm_column *cols = plot_nonmoving(plot);
	int known = known_cols(plot);
	uint64_t busy = 0;
	lane_label(at, c, y, at->label_w >= 9 ? "nonmoving" : "nonmov");
	for (int i = 0; cols && i < plot->cols; i++) {
		if (i < known)
			draw_cell(plot, i, &cols[i], c, y, at->plot_x + i);
		else
			lane_unknown(c, y, at->plot_x + i);
		busy += cols[i].ns[NM_MARK] + cols[i].ns[NM_SYNC] + cols[i].ns[NM_SWEEP];
	}
	if (!cols)
		return;
	if (!c->mono)
		draw_names(plot, cols, at, c, y, known);
	draw_flushes(plot, cols, at, c, y, known);
	lane_figure(at, c, y, ST_DIM, as_share((double)busy / (double)(plot->t1 - plot->t0)));
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct nonmoving *nm = &log->nonmoving;
	struct nm_phase at, next;
	bool begun = forward ? nonmoving_at(nm, t, &at) : nonmoving_before(nm, t, &at);
	if (forward) {
		bool more = nonmoving_after(nm, t, &next);
		bool ends = begun && at.end != NM_OPEN && at.end > t && (!more || at.end <= next.start);
		*out = ends ? at.end : more ? next.start : t;
		return ends || more;
	}
	*out = begun && at.end < t ? at.end : begun ? at.start : t;
	return begun;
}

static bool span(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	struct nm_phase phase;
	if (!nonmoving_at(&log->nonmoving, t, &phase) || phase.end == NM_OPEN)
		return false;
	*from = phase.start;
	*to = phase.end;
	return true;
}

static void put_marked(const struct evl_log *log, uint64_t from, uint64_t to, struct line *l)
{
	uint64_t marked;
	if (!nonmoving_marked(&log->nonmoving, &log->blocks, from, to, &marked))
		return;
	line_printf(l, ST_DIM, false, "  marked %s object%s", as_count(marked), marked == 1 ? "" : "s");
}

/* Concurrent events: a pause that contains the phase, or flushes within a sync. */
static void put_circumstances(const struct model *m, const struct nm_phase *phase, struct line *l)
{
	const struct gc_row *gc = gcs_at(&m->log->gcs, phase->start);
	if (phase->aborted)
		line_put(l, ST_WARN, false, "  abandoned: marking continued");
	if (gc && phase->end <= gc_end(gc))
		line_put(l, ST_DIM, false, "  within a GC pause: not concurrent");
	size_t flushes =
		phase->kind == NM_SYNC ? points_in(&m->log->nonmoving.flushes, phase->start, phase->end, NULL) : 0;
	if (flushes)
		line_printf(l, ST_DIM, false, "  %zu capabilities flushed", flushes);
	put_marked(m->log, phase->start, phase->end, l);
}

/* Sums of the census after a sweep: one event per block size. */
static void put_census(const struct model *m, uint64_t t, struct line *l)
{
	const struct evl_log *log = m->log;
	struct nm_phase next;
	struct point at = {0};
	uint64_t until = nonmoving_after(&log->nonmoving, t, &next) ? next.start : UINT64_MAX, live = 0, segments = 0;
	int n = 0;
	for (uint64_t from = t; n < CENSUS_MAX && points_after(&log->nonmoving.census, from, &at) && at.t < until;
		n++, from = at.t) {
		struct nm_census census;
		if (!nonmoving_census(&log->blocks, at.off, &census))
			continue;
		live += census.live * census.block_size;
		segments += census.active + census.filled;
	}
	if (n == 0)
		return;
	line_pair(l, "  after it live ", ST_TEXT, as_bytes(live));
	line_printf(l, ST_DIM, false, " in %s segments", as_count(segments));
}

static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	struct nm_phase phase;
	line_put(l, ST_DIM, false, "nonmoving  ");
	if (!nonmoving_at(&m->log->nonmoving, m->at.cursor, &phase)) {
		line_put(l, ST_DIM, false, "no phase");
		return;
	}
	line_put(l, phase.kind == NM_MARK ? ST_ACCENT : style_of(phase.kind), true, kinds[phase.kind].name);
	line_skip(l, 2);
	if (phase.end == NM_OPEN)
		line_put(l, ST_DIM, false, "its end is not in the log");
	else
		line_duration(l, ST_TEXT, phase.end - phase.start);
	put_circumstances(m, &phase, l);
	if (phase.kind == NM_SWEEP && phase.end != NM_OPEN)
		put_census(m, phase.end, l);
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct nm_column *cols = plot_nonmoving(plot);
	uint64_t all = model_edge(plot->model, i + 1) - model_edge(plot->model, i);
	if (!cols)
		return;
	line_share(l, ST_ACCENT, "mark ", cols[i].ns[NM_MARK], all);
	line_share(l, ST_NM_SYNC, "sync ", cols[i].ns[NM_SYNC], all);
	line_share(l, ST_TEXT, "sweep ", cols[i].ns[NM_SWEEP], all);
	uint64_t from = model_edge(plot->model, i), to = model_edge(plot->model, i + 1);
	size_t flushes = points_in(&plot->model->log->nonmoving.flushes, from, to, NULL);
	line_printf(l, ST_DIM, false, "  %s flush%s", as_count(flushes), flushes == 1 ? "" : "es");
	put_marked(plot->model->log, from, to - 1, l);
}

static const struct lane_colour colours[] = {{"flush", {ST_TEXT, ST_TEXT}, TICK, '\''}, {0}};

const struct lane_ops lane_nonmoving = {.name = "nonmoving",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.colours = colours};
