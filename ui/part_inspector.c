#include "parts.h"
#include "text.h"

#include <stdio.h>

enum { SIGN = 0x25b8 };

static void put_duration(struct line *l, enum style style, uint64_t ns)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, text_duration(text, ns));
}

static void put_thread(struct line *l, const struct model *m, uint32_t thread)
{
	char text[32];
	struct evl_str label = evl_label(m->log, thread);
	snprintf(text, sizeof text, "thread %u", thread);
	line_put(l, ST_EM, true, text);
	if (label.len == 0)
		return;
	line_put(l, ST_EM, true, " “");
	line_text(l, ST_EM, true, label);
	line_put(l, ST_EM, true, "”");
}

static void put_interval(struct line *l, const struct cap_moment *now)
{
	char text[TEXT_ROOM];
	if (now->since == 0 || now->until == UINT64_MAX)
		return;
	line_skip(l, 2);
	put_duration(l, ST_TEXT, now->until - now->since);
	if (line_room(l) < 60)
		return;
	line_put(l, ST_DIM, false, "  [");
	line_put(l, ST_DIM, false, text_time(text, now->since));
	line_put(l, ST_DIM, false, " .. ");
	line_put(l, ST_DIM, false, text_time(text, now->until));
	line_put(l, ST_DIM, false, "]");
}

static void put_gc_kind(struct line *l, const struct model *m, const struct gc_row *gc)
{
	char text[48];
	bool major = gc_is_major(&m->log->gcs, gc);
	if (gc->gen == GC_GEN_UNKNOWN)
		snprintf(text, sizeof text, "GC");
	else
		snprintf(text, sizeof text, "%s GC gen %u", major ? "major" : "minor", (unsigned)gc->gen);
	line_put(l, major ? ST_WARN : ST_MINOR, true, text);
}

static void put_run_end(struct line *l, const struct cap_moment *now)
{
	const char *reason = caps_stop_reason(now->stop_status);
	char text[32];
	if (now->until == UINT64_MAX)
		return;
	if (now->ends_by != EVL_STOP_THREAD) {
		line_put(l, ST_DIM, false, "  then GC");
		return;
	}
	snprintf(text, sizeof text, "stop status %u", now->stop_status);
	line_put(l, ST_DIM, false, "  then ");
	line_put(l, ST_TEXT, false, reason ? reason : text);
}

static void put_cap(struct line *l, const struct model *m, const struct lane *lane)
{
	uint32_t chain = m->log->lanes[lane->index];
	struct cap_moment now;
	char name[16];
	caps_at(&m->log->blocks, &m->log->tiles[chain], chain, m->at.cursor, &now);
	snprintf(name, sizeof name, "cap %u  ", m->log->blocks.chains[chain].cap);
	line_put(l, ST_DIM, false, name);
	if (!now.known) {
		line_put(l, ST_DIM, false, "not read yet");
	} else if (now.state == CAP_RUN) {
		line_put(l, ST_RUN, true, "running ");
		put_thread(l, m, now.thread);
		put_interval(l, &now);
		put_run_end(l, &now);
	} else if (now.state == CAP_GC) {
		const struct gc_row *gc = gcs_at(&m->log->gcs, m->at.cursor);
		if (gc)
			put_gc_kind(l, m, gc);
		else
			line_put(l, ST_MINOR, true, "GC");
		put_interval(l, &now);
	} else {
		line_put(l, ST_TEXT, true, "idle");
		put_interval(l, &now);
	}
}

static void put_gc(struct line *l, const struct model *m)
{
	const struct gc_row *gc = gcs_at(&m->log->gcs, m->at.cursor);
	if (!gc) {
		line_put(l, ST_DIM, false, "no GC");
		return;
	}
	put_gc_kind(l, m, gc);
	line_put(l, ST_DIM, false, gc->parallel ? "  parallel  pause " : "  pause ");
	put_duration(l, ST_TEXT, gc_pause(gc));
	line_put(l, ST_DIM, false, "  sync ");
	put_duration(l, ST_TEXT, gc->sync);
}

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

static void put_next_gc(struct line *l, const struct model *m)
{
	const struct gc_row *next = gcs_after(&m->log->gcs, m->at.cursor, GC_ALL);
	if (!next || line_room(l) < 45)
		return;
	line_put(l, ST_DIM, false, "   next GC ");
	line_put(l, ST_MINOR, false, "+");
	put_duration(l, ST_MINOR, next->start - m->at.cursor);
	line_skip(l, 1);
	put_gc_kind(l, m, next);
	line_put(l, ST_DIM, false, " (");
	put_duration(l, ST_DIM, gc_pause(next));
	line_put(l, ST_DIM, false, ")");
}

static void put_share(struct line *l, enum style style, const char *name, uint64_t ns, uint64_t all)
{
	char text[TEXT_ROOM];
	line_skip(l, 2);
	line_put(l, style, false, name);
	line_put(l, style, false, text_share(text, (double)ns / (double)(all ? all : 1)));
}

static void put_last_marker(struct line *l, const struct model *m)
{
	struct marker_row marker;
	if (!markers_before(&m->log->markers, m->at.cursor + 1, &marker) || line_room(l) < 30)
		return;
	line_put(l, ST_DIM, false, "   last marker “");
	struct line name = *l;
	name.end = name.x + 24 < l->end ? name.x + 24 : l->end;
	line_text(&name, ST_TEXT, false, evl_text_at(m->log, marker.off));
	l->x = name.x;
	line_put(l, ST_DIM, false, "” ");
	put_duration(l, ST_DIM, m->at.cursor - marker.t);
	line_put(l, ST_DIM, false, " ago");
}

static void put_column(const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE};
	const struct cap_column *cols = lane && lane->ops == &lane_cap ? plot_cap(plot, lane->index) : NULL;
	int i = model_col(m, m->at.cursor);
	if (i < 0)
		return;
	uint64_t all = model_edge(m, i + 1) - model_edge(m, i);
	line_put(&l, ST_DIM, false, "this column (");
	put_duration(&l, ST_DIM, all);
	line_put(&l, ST_DIM, false, "):");
	if (cols && cols[i].known) {
		char text[TEXT_ROOM + 24], number[TEXT_ROOM];
		put_share(&l, ST_RUN, "run ", cols[i].run_ns, all);
		put_share(&l, ST_MINOR, "GC ", cols[i].gc_ns, all);
		put_share(&l, ST_DIM, "idle ", all - cols[i].run_ns - cols[i].gc_ns, all);
		snprintf(text, sizeof text, "   %s changes", text_count(number, cols[i].switches));
		line_put(&l, ST_DIM, false, text);
	} else {
		char text[32];
		snprintf(text, sizeof text, "  %zu GCs", plot->gc[i].n);
		line_put(&l, ST_DIM, false, text);
	}
	put_last_marker(&l, m);
}

void part_inspector(const struct model *m, const struct lane *lane, struct plot *plot, struct canvas *c, int y, int rows)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE};
	char text[TEXT_ROOM];
	if (!m->ranged)
		return;
	canvas_glyph(c, y, 1, PEN_BOLD(ST_KEY), SIGN, '>');
	line_put(&l, ST_KEY, true, text_time(text, m->at.cursor));
	line_put(&l, ST_KEY, true, " s  ");
	put_text_here(&l, m);
	if (lane && lane->ops == &lane_cap)
		put_cap(&l, m, lane);
	else if (lane)
		put_gc(&l, m);
	put_next_gc(&l, m);
	if (rows > 1)
		put_column(m, lane, plot, c, y + 1);
}
