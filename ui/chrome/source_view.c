#include "chrome/source_view.h"

#include "chrome/pane.h"
#include "draw/line.h"
#include "draw/text.h"

#include <math.h>
#include <stdio.h>

enum { TIME_W = 6, BYTES_W = 8, LINE_W = 5, NARROW = 60 };

/* Can anything of the log have a source line? */
static bool has_lines(const struct evl_log *log)
{
	const struct prof_naming names = evl_naming(log);
	return cost_centres_count(names.centres) || names.ipe->entries || names.exe;
}

bool source_view_act(struct pane_host *h, enum action action)
{
	struct source_view *v = &h->source;
	bool wants = action == ACT_SOURCE || action == ACT_NEXT_HOT || action == ACT_PREV_HOT;
	if (wants && !v->open && evl_progress(h->log).done && !has_lines(h->log)) {
		pane_say(h, true, "the log names no source lines (-finfo-table-map, or a profile by cost centre)");
		return true;
	}
	if (action == ACT_SOURCE) {
		v->open = !source_view_close(h);
		return true;
	}
	if (action != ACT_NEXT_HOT && action != ACT_PREV_HOT)
		return false;
	if (!v->open)
		v->open = true;
	if (action == ACT_NEXT_HOT && v->n_hot && v->hot >= v->n_hot)
		pane_say(h, true, "no line costs less");
	else if (action == ACT_PREV_HOT && v->hot <= 1)
		pane_say(h, true, "no line costs more");
	else
		v->hot = action == ACT_NEXT_HOT ? v->hot + 1 : v->hot - 1;
	return true;
}

bool source_view_close(struct pane_host *h)
{
	bool was = h->source.open;
	h->source.open = false;
	h->source.hot = 0;
	return was;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static void cell(struct line *l, int cols, enum style style, const char *text)
{
	int width = (int)strlen(text), end = l->x + cols;
	line_skip(l, width < cols ? cols - width : 0);
	line_put(l, style, false, text);
	l->x = end + 1;
}

static enum style heat(double share) { return share >= 0.2 ? ST_MAJOR : share >= 0.02 ? ST_WARN : ST_TEXT; }

static void draw_row(struct canvas *c, const struct source_row *row, int y, int x, int cols, bool here)
{
	char text[TEXT_ROOM];
	uint8_t bg = here ? ST_ROW : ST_PAGE;
	struct line l = {.c = c, .y = y, .x = x, .end = x + cols, .bg = bg};
	canvas_fill(c, y, x, 1, cols, bg);
	cell(&l, TIME_W, heat(row->time), row->samples ? as_share(row->time) : "");
	if (cols >= NARROW)
		cell(&l, BYTES_W, heat(row->heap), row->bytes > 0 ? as_bytes((uint64_t)row->bytes) : "");
	if (row->samples == 0 && row->bytes > 0 && cols < NARROW) {
		l.x = x;
		cell(&l, TIME_W, heat(row->heap), as_share(row->heap));
	}
	snprintf(text, sizeof text, "%u", row->line);
	cell(&l, LINE_W, ST_DIM, text);
	line_skip(&l, 1);
	line_put(&l, row->samples || row->bytes > 0 ? ST_EM : ST_TEXT, false, row->text);
}

static void draw_title(const struct source_page *p, struct canvas *c, int y, int x, int cols)
{
	struct line l = {.c = c, .y = y, .x = x + 1, .end = x + cols, .bg = ST_PAGE};
	if (!*p->place) {
		line_put(&l, ST_DIM, false, "the selected row names no source line (]h: the line that costs most)");
		return;
	}
	const char *missing = p->found ? "" : "  not found: --src DIR", *place = p->place;
	while (line_left(&l) < text_width(str_of(place), c->ascii) + (int)strlen(missing) && strchr(place, '/'))
		place = strchr(place, '/') + 1;
	line_put(&l, ST_ACCENT, true, place);
	line_put(&l, ST_WARN, false, missing);
	if (p->hot)
		line_clause(&l, ST_DIM, "  hot line %u of %u", p->hot, p->n_hot);
	if (p->samples) /* of the program: without those of the run-time system */
		line_clause(&l, ST_DIM, "  %% of %s sample%s", as_count(p->samples), p->samples == 1 ? "" : "s");
	if (p->hot && p->found) /* else the rows are names */
		line_clause(&l, ST_TEXT, "  %s", p->name);
}

void source_view_draw(struct pane_host *h, struct canvas *c, int y, int x, int rows, int cols, struct evl_str location)
{
	struct source_view *v = &h->source;
	struct source_ask ask;
	char now[SOURCE_PLACE] = "";
	if (!v->open || rows < 2)
		return;
	if (location.len && location.len < sizeof now)
		memcpy(now, location.p, location.len);
	if (strcmp(now, v->location) != 0)
		v->hot = 0;
	memcpy(v->location, now, sizeof now);
	memset(&ask, 0, sizeof ask); /* compared byte by byte */
	ask.to = UINT64_MAX;
	if (h->model.selection.on) {
		ask.from = selection_from(&h->model.selection);
		ask.to = selection_to(&h->model.selection);
	}
	ask.hot = v->hot;
	ask.rows = (uint32_t)rows - 1;
	memcpy(ask.location, now, sizeof now);
	if (!v->job)
		v->job = source_job_new(h->log, h->source_dir, h->wake, h->wake_ctx);
	const struct source_page *p = job_answer(v->job, &ask, h->wait_for_jobs ? -1 : 0);
	canvas_fill(c, y, x, rows, cols, ST_PAGE);
	if (!p || p->result < 0) {
		canvas_str(c, y, x + 1, cols - 1, PEN(ST_DIM), v->job && !p ? "reading the source …" : "out of memory");
		return;
	}
	v->n_hot = p->n_hot;
	memcpy(v->place, p->place, sizeof v->place);
	draw_title(p, c, y, x, cols);
	for (size_t i = 0; i < p->n && (int)i < rows - 1; i++)
		draw_row(c, &p->rows[i], y + 1 + (int)i, x, cols, p->rows[i].line == p->line);
}

struct evl_str source_view_place(const struct pane_host *h, struct evl_str location)
{
	const struct source_view *v = &h->source;
	bool hot = v->open && v->hot && *v->place;
	return hot ? str_of(v->place) : location;
}

bool source_view_news(struct pane_host *h) { return h->source.open && job_news(h->source.job); }

bool source_view_busy(const struct pane_host *h) { return h->source.open && job_busy(h->source.job); }

void source_view_forget(struct pane_host *h)
{
	job_free(h->source.job);
	h->source.job = NULL;
}
