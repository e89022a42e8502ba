/* title_bar.c - the title bar: file, panes, findings. */
#include "chrome/pane.h"
#include "draw/text.h"
#include "format/decode.h"
#include "state/state_dir.h"

#include <stdio.h>

enum { WIDE = 120, ARGS_SHARE = 3, TAB_ROOM = 64, CUT = 0x2026 };

/* The run-time system's part of the arguments: the words after +RTS. */
static void put_rts_args(struct line *l, const struct program_facts *facts, int room)
{
	struct evl_str rest = facts->program, arg;
	struct line part = *l;
	bool in = false;
	part.end = l->x + room < l->end ? l->x + room : l->end;
	while (decode_next_str(&rest, &arg)) {
		bool opens = arg.len == 4 && memcmp(arg.p, "+RTS", 4) == 0,
		     closes = arg.len == 4 && memcmp(arg.p, "-RTS", 4) == 0;
		in = (in || opens) && !closes;
		if (!in)
			continue;
		if (line_room(&part) <= (opens ? 2 : 1)) {
			if (room)
				canvas_glyph(l->c, l->y, part.end - 1, (struct pen){ST_DIM, l->bg, 0}, CUT, '~');
			break;
		}
		line_skip(&part, opens ? 2 : 1);
		line_text(&part, ST_DIM, false, arg);
	}
	l->x = part.x < part.end ? part.x : part.end;
}

/* A fact that there is room for. */
static void put_fact(struct line *l, int gap, const char *text)
{
	if (line_room(l) < gap + text_width(str_of(text), l->c->ascii))
		return;
	line_skip(l, gap);
	line_put(l, ST_DIM, false, text);
}

/* That what is shown is not all there was: evtui stats lists where. Known at the end of the walk. A log that grows is not
 * finished anyway. */
static void put_losses(struct line *l, const struct evl_log *log, bool live, int gap)
{
	uint64_t lost = damage_lost(&log->damage), places = lost ? lost : log->damage.n + log->damage.more;
	if (places) {
		line_skip(l, gap);
		line_printf(l, ST_WARN, true, "%s %s%s", as_count(places), lost ? "damaged part" : "odd place",
			places == 1 ? "" : "s");
	}
	if (evl_unfinished(log) && !live && line_room(l) > gap + (int)strlen("unfinished")) {
		line_skip(l, gap);
		line_put(l, ST_WARN, false, "unfinished");
	}
}

/* Tabs with the names of panes, with short ones, and with these alone. */
enum tab_form { TAB_FULL, TAB_BRIEF, TAB_TIGHT, TAB_BARE, TAB_FORMS };

/* Blanks after a name. */
static int gap_of(enum tab_form form) { return form != TAB_TIGHT; }

/* "(3 problems, 1 note)", in little room "(3!)" or "(1*)": the findings in a pane, the gravest first. */
static int badge_text(const struct pane_host *h, enum pane_kind kind, enum tab_form form, char *out)
{
	enum { ROOMY = 140 };
	size_t found = form == TAB_BARE ? 0 : h->badges[kind], warnings = min_u64(h->warnings, found),
	       notes = found - warnings;
	char words[2][TAB_ROOM / 2] = {"", ""};
	if (form != TAB_FULL)
		return found == 0
			? 0
			: snprintf(out, TAB_ROOM, "(%zu%c)", warnings ? warnings : notes, warnings ? '!' : '*');
	if (warnings)
		snprintf(words[0], sizeof words[0], "%zu problem%s", warnings, warnings == 1 ? "" : "s");
	if (notes && (!warnings || h->cols >= ROOMY))
		snprintf(words[1], sizeof words[1], "%zu note%s", notes, notes == 1 ? "" : "s");
	return found == 0 ? 0
			  : snprintf(out, TAB_ROOM, "(%s%s%s)", words[0], *words[0] && *words[1] ? ", " : "", words[1]);
}

/* " 1 Timeline ", " 5 Stats (3 problems, 1 note) ", in brief " 1 Time ", " 5 Stat(3!) ", then without the last blank */
static int tab_text(const struct pane_host *h, enum pane_kind kind, enum tab_form form, char *out)
{
	enum { BRIEF = 4 };
	size_t n;
	const struct pane_ops *ops = h->kinds[kind];
	const struct keymap_row *rows = keymap_rows(&n);
	const char *key = rows[ops->key - ACT_MORE - 1].keys, *name = form && ops->brief ? ops->brief : ops->name;
	int most = form && !ops->brief ? BRIEF : TAB_ROOM;
	char badge[TAB_ROOM] = "";
	bool any = badge_text(h, kind, form, badge) > 0;
	return snprintf(
		out, TAB_ROOM, " %s %.*s%s%s%*s", key, most, name, any && !form ? " " : "", badge, gap_of(form), "");
}

static int tabs_width(const struct pane_host *h, enum tab_form form)
{
	char text[TAB_ROOM];
	int width = 0;
	for (enum pane_kind i = 0; i < PANE_KINDS; i++)
		width += !pane_has_tab(h, i) ? 0 : tab_text(h, i, form, text);
	return width;
}

static void put_tab(const struct pane_host *h, enum pane_kind kind, enum tab_form form, struct canvas *c, int y, int x)
{
	char text[TAB_ROOM];
	int width = tab_text(h, kind, form, text);
	bool shown = kind == h->shown;
	struct pen pen = {ST_TAB_TEXT, ST_TAB, ATTR_BOLD}, key = {ST_KEY, ST_BAR, 0}, name = {ST_TEXT, ST_BAR, 0};
	char badge[TAB_ROOM];
	int badge_w = badge_text(h, kind, form, badge);
	canvas_str(c, y, x, width, shown ? pen : name, text);
	if (badge_w)
		canvas_str(c, y, x + width - gap_of(form) - badge_w, badge_w,
			shown ? pen : (struct pen){h->warnings ? ST_WARN : ST_KEY, ST_BAR, ATTR_BOLD}, badge);
	if (!shown)
		canvas_printf(c, y, x + 1, 1, key, "%c", text[1]);
}

static bool has_losses(const struct model *m)
{
	const struct evl_log *log = m->log;
	return evl_progress(log).done && (log->damage.n || log->damage.more || (evl_unfinished(log) && !m->live));
}

/* All panes right of column `from`, in the widest form that leaves room for facts; only the shown one where there is room
 * for no more. Return the columns that they take. */
static int put_tabs(struct pane_host *h, struct canvas *c, int y, int from)
{
	const int most[TAB_FORMS] = {c->cols * 8 / 15, c->cols * 3 / 5, c->cols * 5 / 8, c->cols * 3 / 5};
	char text[TAB_ROOM];
	enum tab_form form = TAB_FULL;
	while (form < TAB_FORMS && (tabs_width(h, form) > most[form] || tabs_width(h, form) > c->cols - from))
		form++;
	bool room = form < TAB_FORMS;
	form = room ? form : TAB_FULL;
	int width = room ? tabs_width(h, form) : tab_text(h, h->shown, form, text), x = c->cols - width;
	h->tabs.n = 0;
	for (enum pane_kind i = 0; i < PANE_KINDS; i++) {
		if ((!room && i != h->shown) || !pane_has_tab(h, i))
			continue;
		put_tab(h, i, form, c, y, x);
		h->tabs.items[h->tabs.n].x = x;
		x += tab_text(h, i, form, text);
		h->tabs.items[h->tabs.n].end = x;
		h->tabs.items[h->tabs.n++].action = h->kinds[i]->key;
	}
	return width;
}

/* Columns for the arguments: no fact of a narrow screen gives way to them. */
static int args_room(const struct model *m, const struct line *l, struct evl_str ghc, int most)
{
	enum { FACTS = 24, GHC_WORD = 8, LEAST = 8 }; /* duration and capabilities; "   GHC " */
	int room = line_room(l) - FACTS - (ghc.len ? GHC_WORD + (int)min_u64(ghc.len, TEXT_ROOM) : 0);
	if (!m->ranged)
		return most;
	return room < LEAST ? 0 : room < most ? room : most;
}

void part_title(struct pane_host *h, struct canvas *c, int y)
{
	const struct model *m = &h->model;
	char text[TEXT_ROOM + 16], tab[TAB_ROOM];
	struct program_facts facts = program_get(&m->log->program);
	struct evl_progress progress = evl_progress(m->log);
	struct evl_str program = program_program(&facts), ghc = program_ghc(&facts);
	int gap = c->cols >= WIDE ? 3 : 2;
	canvas_fill(c, y, 0, 1, c->cols, ST_BAR);
	bool losses = c->cols < WIDE && has_losses(m); /* they are said even where tabs have to give way */
	int tab_w = losses ? tab_text(h, h->shown, TAB_FULL, tab) : put_tabs(h, c, y, 0);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols - tab_w - 1, .bg = ST_BAR};
	line_put(&l, ST_EM, true, "evtui ");
	if (program.len)
		line_text(&l, ST_ACCENT, false, program);
	else
		line_put(&l, ST_ACCENT, false, path_base(m->log->path));
	if (c->cols >= WIDE)
		put_rts_args(&l, &facts, args_room(m, &l, ghc, c->cols / ARGS_SHARE));
	if (ghc.len && c->cols >= WIDE) {
		put_fact(&l, gap, "GHC ");
		line_text(&l, ST_DIM, false, ghc);
	}
	if (m->ranged)
		put_fact(&l, gap, as_duration(m->last - m->first));
	if (progress.ready && m->log->n_caps) {
		snprintf(text, sizeof text, "%zu cap%s", m->log->n_caps, m->log->n_caps == 1 ? "" : "s");
		put_fact(&l, gap, text);
	}
	if (progress.done && m->log->source.len)
		put_losses(&l, m->log, m->live, gap);
	if (losses)
		l.end = c->cols - put_tabs(h, c, y, l.x + 1) - 1;
	snprintf(text, sizeof text, "%s events", as_count(progress.events));
	put_fact(&l, gap, text);
}
