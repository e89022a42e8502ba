/* inspector.c - the inspector: a line about the cursor's moment on the selected lane. */
#include "draw/glossary.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"

#include <stdio.h>

enum { SIGN = 0x25b8 };

/* The marker or message that stands exactly at the cursor. */
static bool put_text_here(struct line *l, const struct model *m)
{
	static const struct {
		uint16_t tag;
		const char *name;
	} kinds[] = {{EVL_USER_MARKER, "marker: "}, {EVL_USER_MSG, "message: "}};
	for (size_t i = 0; i < countof(kinds); i++) {
		struct found found;
		if (!find_at(&m->log->blocks, m->log->tiles, kinds[i].tag, m->at.cursor, &found))
			continue;
		line_put(l, ST_MARKER, true, kinds[i].name);
		line_text(l, ST_EM, false, evl_text_at(m->log, found.off));
		line_skip(l, 2);
		return true;
	}
	return false;
}

/* "range 12.3 ms from 0.034" */
static void put_range(struct line *l, const struct model *m)
{
	const struct selection *s = &m->selection;
	if (!s->on)
		return;
	line_put(l, ST_ACCENT, true, "range ");
	line_put(l, ST_ACCENT, true, as_duration(selection_to(s) - selection_from(s)));
	line_skip(l, 2);
}

/* "   mark a +12.3 ms" */
static void put_nearest_mark(struct line *l, const struct model *m)
{
	uint64_t t = 0, cursor = m->at.cursor;
	char letter = bookmarks_nearest(&m->marks, cursor);
	if (!bookmarks_get(&m->marks, letter, &t) || line_room(l) < 20)
		return;
	line_printf(l, ST_ACCENT, false, "   mark %c ", letter);
	line_put(l, ST_ACCENT, false, t < cursor ? "-" : t > cursor ? "+" : "here");
	if (t != cursor)
		line_duration(l, ST_ACCENT, t < cursor ? cursor - t : t - cursor);
}

static void put_next_gc(struct line *l, const struct model *m)
{
	const struct gc_row *next = gcs_after(&m->log->gcs, m->at.cursor, GC_ALL);
	if (!next || gcs_at(&m->log->gcs, m->at.cursor) || line_room(l) < 45)
		return;
	line_pair(l, "   next GC ", ST_MINOR, "+");
	line_duration(l, ST_MINOR, next->start - m->at.cursor);
	line_skip(l, 1);
	line_gc(l, m->log, next);
	line_pair(l, " (", ST_DIM, as_duration(gc_pause(next)));
	line_put(l, ST_DIM, false, ")");
}

static void put_last_marker(struct line *l, const struct model *m)
{
	struct point marker;
	if (!points_before(&m->log->markers, m->at.cursor + 1, &marker) || line_room(l) < 30)
		return;
	line_put(l, ST_DIM, false, "   last marker “");
	struct line name = *l;
	name.end = name.x + 24 < l->end ? name.x + 24 : l->end;
	line_text(&name, ST_TEXT, false, evl_text_at(m->log, marker.off));
	l->x = name.x;
	line_pair(l, "” ", ST_DIM, as_duration(m->at.cursor - marker.t));
	line_put(l, ST_DIM, false, " ago");
}

/* "4 mvar, 3 stm, 1 delay": most first, then the others as they are numbered. */
static void put_reasons(struct line *l, const struct idle_why *why, unsigned most)
{
	for (unsigned k = 0; k < STOP_REASONS; k++) {
		unsigned i = k == 0 ? most : k <= most ? k - 1 : k;
		if (why->by_reason[i] == 0)
			continue;
		line_printf(l, ST_DIM, false, "%s%u %s", i == most ? "" : ", ", why->by_reason[i],
			thread_block_name((uint8_t)i));
	}
}

/* "at this moment 3 threads runnable on other capabilities", or "at this moment nothing to run: 12 blocked (8 mvar)": of
 * the cursor's moment, not of the interval that the capability is idle. */
static void put_why_idle(struct line *l, const struct evl_log *log, const struct idle_why *why)
{
	const char *least = why->partial ? "at least " : "";
	char text[96];
	unsigned most = 0;
	bool narrow = line_room(l) < 62;
	if (why->runnable) {
		line_printf(l, ST_RUNNABLE, false, "  %s%s%u thread%s runnable%s", narrow ? "now " : "at this moment ",
			least, why->runnable, why->runnable == 1 ? "" : "s",
			log->n_caps > 1 ? " on other capabilities" : "");
		return;
	}
	line_pair(l, narrow ? "  now " : "  at this moment ", ST_TEXT,
		why->partial ? "nothing known to run" : "nothing to run");
	for (unsigned i = 1; i < STOP_REASONS; i++)
		most = why->by_reason[i] > why->by_reason[most] ? i : most;
	if (narrow && why->blocked + why->foreign) { /* "  nothing to run (8 mvar, 5 foreign)" */
		bool mixed = why->by_reason[most] < why->blocked;
		line_printf(l, ST_DIM, false, " (%s%u %s%s, %u foreign)", why->partial ? ">" : "",
			mixed ? why->by_reason[most] : why->blocked,
			why->blocked ? thread_block_name((uint8_t)most) : "blocked", mixed ? "…" : "", why->foreign);
		return;
	}
	if (why->blocked) {
		line_printf(l, ST_DIM, false, ": %s%u blocked (", least, why->blocked);
		put_reasons(l, why, most);
		line_put(l, ST_DIM, false, ")");
	}
	snprintf(text, sizeof text, "%s %u in foreign calls", why->blocked ? "," : ":", why->foreign);
	if (why->foreign)
		line_put(l, ST_DIM, false, text);
}

static void put_column(const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE};
	int i = model_col(m, m->at.cursor);
	if (i < 0)
		return;
	line_pair(&l, "this column (", ST_DIM, as_duration(model_edge(m, i + 1) - model_edge(m, i)));
	line_put(&l, ST_DIM, false, "):");
	if (lane && lane->ops->inspect_column) {
		lane->ops->inspect_column(lane, plot, i, &l);
	} else {
		line_printf(&l, ST_DIM, false, "  %zu GC%s", plot->gc[i].n, plot->gc[i].n == 1 ? "" : "s");
	}
	put_last_marker(&l, m);
}

void part_inspector(
	const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y, int rows)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE};
	if (!m->ranged)
		return;
	canvas_glyph(c, y, 1, PEN_BOLD(ST_KEY), SIGN, '>');
	line_put(&l, ST_KEY, true, as_time(m->at.cursor));
	line_put(&l, ST_KEY, true, " s  ");
	put_text_here(&l, m);
	put_range(&l, m);
	if (lane && lane->ops == &lane_group && plot && plot->lanes)
		group_inspect(plot->lanes, lane->index, &l);
	else if (lane && lane->ops == &lane_thread && plot && plot->lanes && plot->lanes->moment)
		thread_inspect(lane, m, plot->lanes->moment, &l);
	else if (lane && lane->ops->inspect)
		lane->ops->inspect(lane, m, &l);
	else if (lane && lane->ops->inspect_column && plot && model_col(m, m->at.cursor) >= 0)
		lane->ops->inspect_column(lane, plot, model_col(m, m->at.cursor), &l);
	if (lane && lane->ops == &lane_cap && plot && plot->lanes && plot->lanes->why)
		put_why_idle(&l, m->log, &plot->lanes->why->why);
	put_nearest_mark(&l, m);
	put_next_gc(&l, m);
	if (rows > 1 && plot)
		put_column(m, lane, plot, c, y + 1);
}

void part_word(const struct model *m, const char *word, struct canvas *c, int y, int next)
{
	const struct glossary_word *w = glossary_find(word);
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE};
	if (!w || !m->ranged)
		return;
	l.x += (int)strlen(as_time(m->at.cursor)) + 4; /* " s  " */
	canvas_fill(c, y, l.x, 1, c->cols - l.x, ST_PAGE);
	line_put(&l, ST_EM, true, w->word);
	line_put(&l, ST_DIM, false, ": ");
	size_t len = strlen(w->sentence), first = (size_t)(line_room(&l) > 0 ? line_room(&l) : 0);
	for (first = len < first ? len : first; first < len && first > 0 && w->sentence[first] != ' '; first--)
		;
	line_text(&l, ST_TEXT, false, (struct evl_str){(const uint8_t *)w->sentence, first});
	if (first == len)
		return;
	l = (struct line){.c = c, .y = next, .x = 3, .end = c->cols, .bg = ST_PAGE};
	canvas_fill(c, next, 0, 1, c->cols, ST_PAGE);
	line_put(&l, ST_TEXT, false, w->sentence + first + (w->sentence[first] == ' '));
}
