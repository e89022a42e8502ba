#include "decode.h"
#include "parts.h"
#include "text.h"

#include <stdio.h>

enum { WIDE = 120, ARGS_SHARE = 3 };

/* The run-time system's part of the arguments: what stands behind +RTS. */
static void put_rts_args(struct line *l, const struct names_facts *facts, int room)
{
	struct evl_str rest = facts->program, arg;
	struct line part = *l;
	bool in = false;
	part.end = l->x + room < l->end ? l->x + room : l->end;
	while (decode_next_str(&rest, &arg)) {
		bool opens = arg.len == 4 && memcmp(arg.p, "+RTS", 4) == 0, closes = arg.len == 4 && memcmp(arg.p, "-RTS", 4) == 0;
		in = (in || opens) && !closes;
		if (!in)
			continue;
		line_skip(&part, opens ? 2 : 1);
		line_text(&part, ST_DIM, false, arg);
	}
	l->x = part.x < part.end ? part.x : part.end;
}

static void put_fact(struct line *l, int gap, const char *text)
{
	line_skip(l, gap);
	line_put(l, ST_DIM, false, text);
}

/* That what is shown is not all there was: evtui stats lists where. Known at the end of the walk. */
static void put_losses(struct line *l, const struct evl_log *log, int gap)
{
	char text[TEXT_ROOM + 24], number[TEXT_ROOM];
	uint64_t places = log->damage.n + log->damage.more;
	if (places) {
		snprintf(text, sizeof text, "%s damaged place%s", text_count(number, places), places == 1 ? "" : "s");
		line_skip(l, gap);
		line_put(l, ST_WARN, true, text);
	}
	if (evl_unfinished(log) && line_room(l) > gap + (int)strlen("unfinished")) {
		line_skip(l, gap);
		line_put(l, ST_WARN, false, "unfinished");
	}
}

void part_title(const struct model *m, struct canvas *c, int y)
{
	char text[TEXT_ROOM + 16], number[TEXT_ROOM];
	struct names_facts facts = names_get(&m->log->names);
	struct evl_progress progress = evl_progress(m->log);
	struct evl_str program = names_program(&facts), ghc = names_ghc(&facts);
	static const char tab[] = " 1 Timeline ";
	int gap = c->cols >= WIDE ? 3 : 2, tab_w = (int)sizeof tab - 1;
	canvas_fill(c, y, 0, 1, c->cols, ST_BAR);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols - tab_w - 1, .bg = ST_BAR};
	line_put(&l, ST_EM, true, "evtui ");
	if (program.len)
		line_text(&l, ST_ACCENT, false, program);
	else
		line_put(&l, ST_ACCENT, false, strrchr(m->log->path, '/') ? strrchr(m->log->path, '/') + 1 : m->log->path);
	if (c->cols >= WIDE)
		put_rts_args(&l, &facts, c->cols / ARGS_SHARE);
	if (ghc.len && c->cols >= WIDE) {
		put_fact(&l, gap, "GHC ");
		line_text(&l, ST_DIM, false, ghc);
	}
	if (m->ranged)
		put_fact(&l, gap, text_duration(text, m->last - m->first));
	if (progress.ready && m->log->n_lanes) {
		snprintf(text, sizeof text, "%zu cap%s", m->log->n_lanes, m->log->n_lanes == 1 ? "" : "s");
		put_fact(&l, gap, text);
	}
	if (progress.done)
		put_losses(&l, m->log, gap);
	snprintf(text, sizeof text, "%s events", text_count(number, progress.events));
	if (line_room(&l) > (int)strlen(text) + gap)
		put_fact(&l, gap, text);
	canvas_str(c, y, c->cols - tab_w, tab_w, (struct pen){ST_TAB_TEXT, ST_TAB, ATTR_BOLD}, tab);
}
