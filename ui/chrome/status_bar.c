/* status_bar.c - the status bar: hints, messages, progress. */
#include "chrome/export_cmd.h"
#include "chrome/search.h"
#include "draw/glossary.h"
#include "draw/text.h"
#include "report/abilities.h"
#include "term/keymap.h"

#include <ctype.h>
#include <stdio.h>

static bool has_caps(const struct evl_log *log) { return log->n_caps > 0; }
static bool has_gcs(const struct evl_log *log) { return gcs_after(&log->gcs, 0, GC_ALL); }
static struct gc_sum gcs_of_run(const struct evl_log *log)
{
	struct gc_sum sum;
	gcs_sum(&log->gcs, 0, UINT64_MAX, &sum);
	return sum;
}
static bool has_minor(const struct evl_log *log) { return gcs_of_run(log).minor; }
static bool has_major(const struct evl_log *log) { return gcs_of_run(log).major; }
/* Do lanes of capabilities have colours? */
static bool has_runs(const struct evl_log *log) { return has_caps(log) && !absence_is_sure(log, ABSENCE_RUNS); }
static bool shows_gcs(const struct evl_log *log) { return has_runs(log) && has_gcs(log); }
static bool has_sync(const struct evl_log *log) { return shows_gcs(log) && gcs_after(&log->gcs, 0, GC_ALL)->sync; }
static bool has_others(const struct evl_log *log) { return shows_gcs(log) && log->n_caps > 1; }
static bool has_rest(const struct evl_log *log) { return shows_gcs(log) && log->n_caps == 1; }
static bool is_read(const struct evl_log *log) { return evl_progress(log).done && evl_progress(log).result == 0; }
static bool has_threads(const struct evl_log *log) { return is_read(log) && log->threads.created > 0; }
static bool has_paused(const struct evl_log *log) { return has_threads(log) && has_gcs(log); }
static bool has_disabled(const struct evl_log *log) { return cap_life_disabled(&log->cap_life); }
static bool is_unread(const struct evl_log *log) { return !is_read(log); }
static bool has_nonmoving(const struct evl_log *log) { return nonmoving_any(&log->nonmoving); }
static bool has_live(const struct evl_log *log) { return log->heap.has_live; }
static bool has_size(const struct evl_log *log) { return log->heap.has_size; }

static bool has_messages(const struct evl_log *log) { return messages_count(&log->messages) > 0; }
static bool has_allocated(const struct evl_log *log) { return log->heap.has_allocated; }

/* Block elements: those before BLOCKS_LEFT fill a cell from below, those before BLOCKS_END from the left. */
enum { BLOCKS = 0x2581, BLOCKS_LEFT = 0x2589, BLOCKS_END = 0x2590 };
/* Signs of the legend are ASCII or among SIGNS_UC from SIGNS_FROM on. */
enum { SIGNS = 0x80, SIGNS_FROM = 0x2500, SIGNS_UC = 0x100 };
enum { HALF_UPPER = 0x2580, BAR = 0x2586, UNKNOWN = 0x2591, SIZE = 0x2592, DISABLED = 0x2571 };

static bool is_cut(const struct evl_log *log) { return has_caps(log) && (is_unread(log) || evl_unfinished(log)); }

enum { TALL = 30 }; /* rows of a screen with lanes of messages and of allocation */

#define BOTH(glyph, ascii, style)                                                                                      \
	{                                                                                                              \
		{glyph, ascii, style}, { glyph, ascii, style }                                                         \
	}
/* Entries of the legend. name: NULL: the text of the style; medium, brief: names for screens without room for all in full;
 * NULL: in full. part: a cell that ran for less than half of its time, where there are letters for colours. signs: glyphs
 * instead of a filled cell, in these styles. */
static const struct state {
	enum style style;
	bool (*occurs)(const struct evl_log *log);
	const char *name, *medium, *brief;
	bool part;
	int rows; /* of the lowest screen that shows it */
	struct {
		uint32_t glyph;
		char ascii;
		uint8_t style;
	} signs[SIGN_W];
} states[] = {{.style = ST_RUN, .occurs = has_runs, .brief = "run"},
	{.style = ST_RUN, .occurs = has_runs, .name = "run in part", .medium = "part", .brief = "part", .part = true},
	{.style = ST_MINOR, .occurs = has_minor, .medium = "minor", .brief = "min"},
	{.style = ST_MAJOR, .occurs = has_major, .medium = "major", .brief = "maj"},
	{.style = ST_GC_WAIT, .occurs = has_others, .medium = "wait", .brief = "wait"},
	{.style = ST_GC_WAIT, .occurs = has_rest, .name = "GC other", .medium = "other", .brief = "other"},
	{.style = ST_SYNC, .occurs = has_sync, .medium = "sync", .brief = "sync"},
	{.style = ST_STOPPED, .occurs = has_others, .brief = "stop"}, {.style = ST_IDLE, .occurs = has_runs},
	{.style = ST_OUTSIDE,
		.occurs = has_disabled,
		.name = "disabled",
		.brief = "off",
		.signs = BOTH(DISABLED, '/', ST_OUTSIDE)},
	{.style = ST_BLOCKED, .occurs = has_threads, .brief = "blk"},
	{.style = ST_RUNNABLE, .occurs = has_threads, .brief = "rnbl"},
	{.style = ST_RUNNABLE_GC, .occurs = has_paused, .medium = "held", .brief = "held"},
	{.style = ST_FOREIGN, .occurs = has_threads, .medium = "foreign", .brief = "frgn"},
	{.style = ST_UNKNOWN,
		.occurs = is_cut,
		.medium = "unknown",
		.brief = "unkn",
		.signs = BOTH(UNKNOWN, '?', ST_UNKNOWN)},
	{.style = ST_NM_MARK, .occurs = has_nonmoving, .brief = "mark"},
	{.style = ST_NM_SYNC, .occurs = has_nonmoving, .brief = "nmsy"},
	{.style = ST_NM_SWEEP, .occurs = has_nonmoving, .brief = "swp"}, {.style = ST_LIVE, .occurs = has_live},
	{.style = ST_STALE, .occurs = has_live, .medium = "last known", .brief = "last"},
	{.style = ST_SIZE, .occurs = has_size, .medium = "size", .brief = "size"},
	{.style = ST_BAND_0,
		.occurs = has_threads,
		.name = "thread colour",
		.medium = "thread",
		.brief = "thr",
		.signs = {{HALF_UPPER, ' ', ST_BAND_0 + 1}, {HALF_UPPER, ' ', ST_BAND_0 + 2}}},
	{.style = ST_MARKER,
		.occurs = has_messages,
		.name = "messages",
		.brief = "msgs",
		.rows = TALL,
		.signs = BOTH(BAR, '#', ST_MARKER)},
	{.style = ST_ALLOC,
		.occurs = has_allocated,
		.name = "alloc rate",
		.medium = "alloc",
		.brief = "alloc",
		.rows = TALL,
		.signs = BOTH(BAR, '#', ST_ALLOC)},
	{.style = ST_MINOR,
		.occurs = has_gcs,
		.name = "pause line",
		.medium = "pause",
		.brief = "pause",
		.signs = {{0x250a, ';', ST_MINOR}, {0x250b, '%', ST_MAJOR}}}};
#undef BOTH
_Static_assert(countof(states) <= LEGEND_WORDS, "places of words");

/* Half blocks distinguish the colours of threads from states. */
static bool is_tint(const struct state *s) { return s->style == ST_BAND_0; }

static bool is_shade(const struct state *s) { return s->signs[0].style == ST_MINOR; }

/* Without colours, a curve is recognized by its glyph, as it has no letter; others: 0. */
static uint32_t curve_glyph(const struct state *s)
{
	return s->style == ST_LIVE ? BAR : s->style == ST_SIZE ? SIZE : 0;
}

/* Without colours. */
static char letter_of(const struct state *s) { return s->part ? ':' : style_info(s->style)->letter; }

static const char *full_name(const struct state *s) { return s->name ? s->name : style_info(s->style)->text; }

enum form_names { IN_FULL, MEDIUM, IN_BRIEF };

static const char *name_of(const struct state *s, enum form_names names)
{
	const char *name = names == MEDIUM ? s->medium : names == IN_BRIEF ? s->brief : NULL;
	return name ? name : full_name(s);
}

static bool is_shown(
	const struct state *s, const struct model *m, const struct canvas *c, const struct legend_spots *spots)
{
	bool ready = evl_progress(m->log).ready; /* before that there are no tables to ask */
	if ((is_tint(s) && !spots->tinted) || (is_shade(s) && !spots->shaded) || spots->screen < s->rows)
		return false;
	bool lettered = curve_glyph(s) || style_info(s->style)->letter != ' ';
	if (c->mono && s->style != ST_OUTSIDE && !is_shade(s) && !lettered)
		return false;
	return (c->mono || !s->part) && (ready ? s->occurs(m->log) : s->style == ST_UNKNOWN);
}

/* How the legend is written: the first that fits, from wide to narrow. */
static const struct form {
	enum form_names names;
	int sign, between, letters; /* columns */
	bool joined;                /* no blank between sign and name */
	uint32_t longer;            /* bits of states whose names are longer than `names` says, by one step */
} forms[] = {{IN_FULL, 2, 2, 99, false, 0}, {IN_FULL, 2, 1, 99, false, 0}, {MEDIUM, 2, 2, 99, false, 0},
	{MEDIUM, 1, 1, 99, false, 0}, {IN_BRIEF, 1, 1, 99, false, 0}, {IN_BRIEF, 1, 1, 3, true, 0}};
_Static_assert(countof(states) <= 32, "bits of form.longer");

static void put_sign(struct canvas *c, int y, int x, int width, const struct state *s, bool joined)
{
	const struct pen pen = {ST_TEXT, ST_PAGE, joined ? ATTR_BOLD | ATTR_REVERSE : 0};
	for (int i = 0, k = SIGN_W - width; i < width; i++, k++)
		if (s->signs[k].glyph)
			canvas_glyph(c, y, x + i, PEN(s->signs[k].style), s->signs[k].glyph, s->signs[k].ascii);
		else if (!c->mono)
			lane_solid(c, y, x + i, s->style);
	if (c->mono && curve_glyph(s))
		canvas_glyph(c, y, x + width - 1, pen, curve_glyph(s), curve_glyph(s) == BAR ? '#' : ':');
	else if (c->mono && !s->signs[0].glyph)
		canvas_printf(c, y, x + width - 1, 1, pen, "%c", letter_of(s));
}

/* Colours and signs on the lanes. */
struct drawn {
	bool bg[ST_COUNT];         /* backgrounds */
	bool fg[ST_COUNT];         /* colours of letters and signs */
	bool bar[ST_COUNT], bars;  /* colours of bars; any */
	bool ch[SIGNS + SIGNS_UC]; /* ASCII, then signs from 0x2500 on */
};

static size_t sign_at(uint32_t ch)
{
	return ch < SIGNS ? ch : ch >= SIGNS_FROM && ch < SIGNS_FROM + SIGNS_UC ? ch - SIGNS_FROM + SIGNS : 0;
}

static bool is_bar(const struct canvas *c, uint32_t ch)
{
	return c->ascii ? ch > ' ' && !isalnum((int)ch) : ch >= BLOCKS && ch < BLOCKS_END;
}

static void look_at_cells(const struct canvas *c, const struct legend_spots *s, struct drawn *out)
{
	for (int y = s->top; y < s->bottom && y < c->rows; y++)
		for (int x = s->left; x < s->right && x < c->cols; x++) {
			const struct cell *cell = &c->cells[y * c->cols + x];
			bool bar = is_bar(c, cell->ch);
			out->bg[cell->bg] = true;
			out->fg[cell->fg] |= cell->ch != ' ';
			out->bar[cell->fg] |= bar;
			out->bars |= bar;
			out->ch[sign_at(cell->ch)] = true;
		}
}

/* Running and idle, by which all others are judged, always are. Few messages are signs, many are bars. */
static bool is_drawn(const struct state *s, const struct drawn *on, const struct canvas *c)
{
	bool any = s->style == ST_IDLE || (s->style == ST_RUN && !s->part);
	for (int k = 0; k < SIGN_W && s->signs[k].glyph && s->signs[k].glyph != BAR; k++)
		any |= on->ch[sign_at(c->ascii ? (uint8_t)s->signs[k].ascii : s->signs[k].glyph)];
	if (s->signs[0].glyph)
		return any || (s->signs[0].glyph == BAR && on->fg[s->style]);
	if (!c->mono)
		return any || on->bg[s->style] || on->bar[s->style];
	return any || (curve_glyph(s) ? on->bars : on->ch[sign_at((uint8_t)letter_of(s))]);
}

/* Bits of the states that are on the lanes; of all, if there are no lanes yet. */
static uint32_t seen_states(const struct canvas *c, const struct legend_spots *s)
{
	uint32_t seen = 0;
	struct drawn on = {0};
	if (s->left >= s->right)
		return UINT32_MAX;
	look_at_cells(c, s, &on);
	for (size_t i = 0; i < countof(states); i++)
		seen |= (uint32_t)is_drawn(&states[i], &on, c) << i;
	return seen;
}

/* The states that occur, in their order, as far as there is room: those that are seen, and on a wide screen the others, dim. Without
 * a canvas: return whether there is room for all. */
static bool put_states(const struct model *m, const struct canvas *c, struct line *l, const struct form *f,
	uint32_t seen, struct legend_spots *spots)
{
	enum { WIDE = 120 };
	int x = l->x, y = l->y, gap = f->names != IN_BRIEF || (c->mono && !f->joined);
	bool full = false; /* no room for further ones */
	for (size_t i = 0; i < countof(states); i++) {
		const char *name = name_of(&states[i], f->longer >> i & 1 ? (enum form_names)(f->names - 1) : f->names);
		int letters = (int)strlen(name) < f->letters ? (int)strlen(name) : f->letters;
		int width = f->sign + gap + letters;
		bool absent = !(seen >> i & 1), left_out = absent && (c->cols < WIDE || c->mono || c->few);
		if (!is_shown(&states[i], m, c, spots))
			continue;
		if (x + width > l->end && y + 1 < l->y + spots->rows && !left_out) {
			x = l->x;
			y++;
		}
		full = full || (x + width > l->end && !left_out);
		bool drawn = !full && !left_out;
		if (l->c)
			spots->items[spots->n++] = (struct legend_spot){.x = drawn ? x : l->end,
				.end = drawn ? x + width + f->between : l->end,
				.y = y,
				.word = full_name(&states[i]),
				.shorter = strcmp(name, full_name(&states[i])) != 0 ? name : NULL,
				.absent = absent};
		if (l->c && drawn) {
			struct line word = {.c = l->c, .y = y, .x = x + f->sign + gap, .end = l->end, .bg = l->bg};
			bool chosen = spots->chosen && strcmp(spots->chosen, full_name(&states[i])) == 0;
			put_sign(l->c, y, x, f->sign, &states[i], f->joined);
			line_text(&word,
				chosen           ? ST_KEY
					: absent ? ST_DIM
						 : ST_TEXT,
				chosen, (struct evl_str){(const uint8_t *)name, (size_t)letters});
		}
		x += left_out ? 0 : width + f->between;
	}
	return !full;
}

int part_legend_rows(const struct model *m, const struct canvas *c, const struct legend_spots *spots)
{
	enum { ROOMY = 24 }; /* rows of a screen that has two for the legend */
	struct line l = {.x = 1, .end = c->cols};
	struct legend_spots one = *spots;
	one.rows = 1;
	return c->rows >= ROOMY && !put_states(m, c, &l, &forms[1], UINT32_MAX, &one) ? 2 : 1;
}

void part_legend(const struct model *m, struct canvas *c, int y, struct legend_spots *spots)
{
	struct line l = {.y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	const uint32_t seen = seen_states(c, spots);
	size_t i = 0, last = countof(forms) - 1 - !c->mono; /* colours are distinguishable without the last one */
	while (i < last && !put_states(m, c, &l, &forms[i], seen, spots))
		i++;
	struct form form = forms[i];
	for (size_t k = 0; form.names != IN_FULL && !form.joined && k < countof(states); k++) {
		form.longer |= 1u << k;
		if (!put_states(m, c, &l, &form, seen, spots))
			form.longer &= ~(1u << k);
	}
	l.c = c;
	spots->n = 0;
	put_states(m, c, &l, &form, seen, spots);
}

bool part_legend_word(size_t i, const char *names[LEGEND_NAMES])
{
	for (int k = 0; i < countof(states) && k < LEGEND_NAMES; k++)
		names[k] = name_of(&states[i], (enum form_names)k);
	return i < countof(states);
}

void part_sign(struct canvas *c, int y, int x, const struct lane_colour *colour)
{
	for (size_t i = 0; i < countof(states) && !colour->sign; i++)
		if (strcmp(full_name(&states[i]), colour->word) == 0)
			put_sign(c, y, x, SIGN_W, &states[i], false);
	bool single = colour->styles[0] == colour->styles[1] && colour->sign < HALF_UPPER;
	for (int i = 0; i < (single ? 1 : SIGN_W) && colour->sign; i++)
		canvas_glyph(c, y, x + i, PEN((uint8_t)colour->styles[i]), colour->sign, colour->ascii);
}

/* Blocks of one colour are a bar, whatever their height; a blank one is a cell of one state; any digit is like another. */
static bool is_like(const struct cell *sign, const struct cell *cell, const struct canvas *c)
{
	bool bar = is_bar(c, cell->ch);
	bool of_bar = c->ascii ? sign->ch == '#' : sign->ch >= BLOCKS && sign->ch < BLOCKS_LEFT;
	if (sign->ch == ' ' || (of_bar && !c->mono)) {
		uint8_t style = sign->ch == ' ' ? sign->bg : sign->fg;
		return cell->bg == style || (bar && cell->fg == style);
	}
	if (sign->ch < 0x80 && is_digit((char)sign->ch))
		return cell->ch < 0x80 && is_digit((char)cell->ch) && cell->bg != ST_PAGE;
	return of_bar                                              ? bar
		: sign->ch >= BLOCKS_LEFT && sign->ch < BLOCKS_END ? cell->ch >= BLOCKS_LEFT && cell->ch < BLOCKS_END
								   : cell->ch == sign->ch;
}

bool part_has_sign(const struct canvas *c, int y, int end, int x, int end_x, const struct lane_colour *colour)
{
	struct canvas sign = {.ascii = c->ascii, .mono = c->mono, .few = c->few};
	bool found = canvas_resize(&sign, 1, SIGN_W) < 0;
	if (!found)
		part_sign(&sign, 0, 0, colour);
	const int cells = !found && memcmp(&sign.cells[0], &sign.cells[1], sizeof sign.cells[0]) == 0 ? 1 : SIGN_W;
	for (; y < end && y < c->rows; y++)
		for (int i = x; i < end_x && i < c->cols && !found; i++)
			for (int k = 0; k < cells && !found; k++)
				found = (sign.cells[k].ch != ' ' || sign.cells[k].bg != ST_PAGE)
					&& is_like(&sign.cells[k], &c->cells[y * c->cols + i], c);
	canvas_free(&sign);
	return found;
}

void part_word(const struct model *m, const char *word, struct canvas *c, int y, int end)
{
	enum { COLS = 640, MOST = 8, CURSOR = 0x25b8 };
	const struct glossary_word *w = glossary_find(word);
	struct canvas wide = {.ascii = c->ascii, .mono = c->mono, .few = c->few}, text = {.ascii = c->ascii};
	if (w && m->ranged && canvas_resize(&wide, 1, COLS) == 0 && canvas_resize(&text, MOST, c->cols) == 0) {
		struct line l = {.c = &wide, .x = 1, .end = COLS, .bg = ST_PAGE};
		canvas_glyph(&wide, 0, l.x, PEN_BOLD(ST_KEY), CURSOR, '>');
		line_skip(&l, 2);
		line_put(&l, ST_KEY, true, as_time(m->at.cursor));
		line_put(&l, ST_KEY, true, " s  ");
		part_sign(&wide, 0, l.x, &(struct lane_colour){.word = word});
		const struct cell *sign = canvas_at(&wide, 0, l.x + SIGN_W - 1);
		l.x += sign->ch != ' ' || sign->bg != ST_PAGE ? SIGN_W + 1 : 0;
		line_put(&l, ST_EM, true, w->word);
		line_put(&l, ST_DIM, false, ": ");
		line_put(&l, ST_TEXT, false, w->sentence);
		int rows = canvas_wrap(&text, 0, MOST, &wide, 0);
		y = end - y < rows ? end - rows : y;
		for (int row = 0; row < end - y && row < MOST && y + row >= 0; row++)
			memcpy(canvas_at(c, y + row, 0), canvas_at(&text, row, 0), (size_t)c->cols * sizeof *c->cells);
	}
	canvas_free(&wide);
	canvas_free(&text);
}

const char *part_legend_at(const struct legend_spots *spots, int y, int x)
{
	for (int i = 0; i < spots->n; i++)
		if (y == spots->items[i].y && x >= spots->items[i].x && x < spots->items[i].end)
			return spots->items[i].word;
	return NULL;
}

/* "hjkl move", if there is room for all of it: the keys bright, the words dim. */
static void put_hint(struct line *l, const char *hint, enum action action, struct hint_spots *spots)
{
	size_t keys = strcspn(hint, " ");
	if (line_room(l) < (int)strlen(hint))
		return;
	if (spots->n < (int)countof(spots->items)) {
		spots->items[spots->n].x = l->x;
		spots->items[spots->n].end = l->x + (int)strlen(hint);
		spots->items[spots->n++].action = action;
	}
	line_text(l, ST_KEY, true, (struct evl_str){(const uint8_t *)hint, keys});
	line_put(l, ST_TEXT, false, hint + keys);
	line_skip(l, 2);
}

/* The row's keys after the pending ones, or NULL if it does not start with them. */
static const char *follower(const struct keymap_row *row, const char *pending)
{
	size_t len = strlen(pending);
	return strncmp(row->keys, pending, len) == 0 && row->keys[len] ? row->keys + len : NULL;
}

/* "next GC": which way the chord goes was typed already. */
static const char *in_brief(const char *help)
{
	bool way = strncmp(help, "next ", 5) == 0 || strncmp(help, "previous ", 9) == 0;
	return way ? strchr(help, ' ') + 1 : help;
}

/* Possible continuations: keys, help, and the first word of the help, which distinguishes them. */
struct follower {
	const char *keys, *help;
	int word, all; /* columns: keys and first word; keys and help */
};
enum { FOLLOWERS = 64 };

static int find_followers(const char *pending, struct follower *out)
{
	size_t n;
	int found = 0;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n && found < FOLLOWERS; i++) {
		const char *keys = follower(&rows[i], pending), *help = in_brief(rows[i].help);
		int width = keys ? (int)strlen(keys) + 1 : 0;
		if (keys)
			out[found++] = (struct follower){keys, rows[i].help, width + (int)strcspn(help, " :;,"),
				width + (int)strlen(rows[i].help)};
	}
	return found;
}

/* "g next GC", cut with a sign where it has to be; or its first word, cut without. */
static void put_follower(struct line *l, const struct follower *f, bool full, int width)
{
	struct line part = *l;
	const char *help = full ? f->help : in_brief(f->help);
	int letters = full ? (int)strlen(help) : (f->word < width ? f->word : width) - (int)strlen(f->keys) - 1;
	part.end = l->x + width < l->end ? l->x + width : l->end;
	line_put(&part, ST_KEY, true, f->keys);
	line_put(&part, ST_TEXT, false, " ");
	if (letters > 0)
		line_text(&part, ST_TEXT, false, (struct evl_str){(const uint8_t *)help, (size_t)letters});
	l->x = part.x;
}

/* Draw the continuations, each in at most `width` columns, in as many rows as they take. Without a canvas: return the last
 * row. */
static int lay_out(struct line *l, const struct follower *f, int n, bool full, int width, int gap)
{
	for (int i = 0; i < n; i++) {
		int wants = full ? f[i].all : f[i].word, takes = wants < width ? wants : width;
		if (l->end - l->x < takes) {
			l->y++;
			l->x = l->wrap_x;
		}
		if (l->c)
			put_follower(l, &f[i], full, width);
		else
			l->x += takes;
		line_skip(l, gap);
	}
	return l->y;
}

/* While a chord is pending: all that may follow, in up to three rows, of which the last is the bar; if there are too many
 * to say what they do, a word of each. */
static void put_followers(struct line *l, const char *pending)
{
	enum { SENTENCE = 20, ROWS = 3, GAP = 2 };
	char typed[KEYMAP_TEXT];
	struct follower all[FOLLOWERS];
	int n = find_followers(pending, all), bar = l->y, used = 0;
	bool full = true;
	struct line first = {.x = l->x, .end = l->end, .wrap_x = 3};
	first.x += text_width(str_of(keymap_text(pending, typed)), l->c->ascii) + (int)strlen(" ..  ");
	for (int pass = 0; pass < 2; pass++, full = false) {
		struct line dry = first;
		used = lay_out(&dry, all, n, full, full ? SENTENCE : l->end, GAP);
		if (used < ROWS)
			break;
	}
	used = used < ROWS ? used : ROWS - 1;
	for (int y = bar - used; y < bar; y++)
		canvas_fill(l->c, y, 0, 1, l->c->cols, ST_BAR);
	l->y = bar - used;
	l->wrap_x = 3;
	line_put(l, ST_KEY, true, typed);
	line_put(l, ST_TEXT, false, l->c->ascii ? " ..  " : " …   ");
	lay_out(l, all, n, full, full ? SENTENCE : l->end, GAP);
}

/* They come at the end and always fit. */
static const enum action last[] = {ACT_HELP, ACT_QUIT};

static bool is_last(enum action action) { return action == last[0] || action == last[1]; }

static bool acts(const struct pane_host *h, enum action action)
{
	const struct pane_ops *ops = pane_shown(h);
	return !ops->acts || ops->acts(h->views[h->shown], h, action);
}

/* After a message, most of which are about a jump, jumps come first. */
static void put_hints_of_timeline(struct line *l, const struct pane_host *h, struct hint_spots *spots)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (int pass = !*h->message; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			bool jump = *h->message && rows[i].keys[0] == ']';
			if (rows[i].hint && !is_last(rows[i].action) && jump == (pass == 0) && acts(h, rows[i].action))
				put_hint(l, rows[i].hint, rows[i].action, spots);
		}
}

/* The first of the note's keys is bound by a row. */
static enum action action_of(const struct keymap_note *note)
{
	struct keymap_state state = {0};
	char key[sizeof state.typed];
	snprintf(key, sizeof key, "%.*s", (int)strcspn(note->keys, " "), note->keys);
	return keymap_feed(&state, key, NULL);
}

static void put_hints_of(struct line *l, const struct pane_host *h, enum keymap_pane pane, struct hint_spots *spots)
{
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	for (size_t i = 0; i < n; i++)
		if (notes[i].pane == pane && notes[i].hint && acts(h, action_of(&notes[i])))
			put_hint(l, notes[i].hint, action_of(&notes[i]), spots);
}

/* Hints as many as fit; what Esc closes, `? help` and `q quit` or `q back` always do. */
static void put_hints(struct line *l, const struct pane_host *h, struct hint_spots *spots)
{
	static const char *const closes[] = {[ESC_BACK] = "Esc back",
		[ESC_SEARCH] = "Esc search",
		[ESC_FINDING] = "Esc finding",
		[ESC_FILTER] = "Esc filter",
		[ESC_LIST] = "Esc back",
		[ESC_RANGE] = "Esc range"};
	size_t n;
	enum pane_esc esc = pane_esc(h);
	const struct keymap_row *rows = keymap_rows(&n);
	enum keymap_pane pane = pane_shown(h)->pane;
	int end = l->end;
	l->end -= 16 + (esc ? (int)strlen(closes[esc]) + 2 : 0);
	if (pane == KEYMAP_TIMELINE)
		put_hints_of_timeline(l, h, spots);
	else
		put_hints_of(l, h, pane, spots);
	l->end = end;
	if (esc)
		put_hint(l, closes[esc], esc == ESC_BACK ? ACT_QUIT : ACT_NONE, spots);
	bool back = pane_is_over(h) || is_from_list(h) || pane_finding(h);
	for (size_t i = 0; i < n; i++)
		if (is_last(rows[i].action))
			put_hint(
				l, back && rows[i].action == ACT_QUIT ? "q back" : rows[i].hint, rows[i].action, spots);
}

/* "  620 MB/s"; nothing while it is too early to tell. */
static const char *rate(const struct evl_progress *p, char *out, size_t room)
{
	enum { SOON_MS = 200 };
	*out = '\0';
	if (!p->done && p->ms >= SOON_MS)
		snprintf(out, room, "  %s/s", as_bytes(p->bytes * 1000 / p->ms));
	return out;
}

/* "reading 34%  1.4 M events  620 MB/s" while it is; the width it took. */
static int put_progress(const struct model *m, struct canvas *c, int y)
{
	struct evl_progress p = evl_progress(m->log);
	char text[2 * TEXT_ROOM + 64], speed[TEXT_ROOM + 8];
	if (p.done && p.result == 0)
		return 0;
	bool finding = !p.done && p.bytes == 0 && p.found < p.total;
	double share = p.total ? (double)(finding ? p.found : p.bytes) / (double)p.total : 0;
	if (finding)
		snprintf(text, sizeof text, " finding blocks %.0f%% ", 100 * share);
	else
		snprintf(text, sizeof text, " %s %.0f%%  %s events%s ", p.done ? "stopped at" : "reading", 100 * share,
			as_count(p.events), rate(&p, speed, sizeof speed));
	int width = (int)strlen(text);
	if (width + 1 > c->cols)
		return 0;
	canvas_str(c, y, c->cols - width, width, (struct pen){ST_KEY, ST_BAR, 0}, text);
	return width;
}

/* How far search and export are, left of that. */
static int put_status(void (*status)(const struct pane_host *h, char *out, size_t room), const struct pane_host *h,
	struct canvas *c, int y, int taken)
{
	char text[4 * TEXT_ROOM];
	status(h, text, sizeof text);
	int width = (int)strlen(text);
	if (width == 0 || taken + width + 1 > c->cols)
		return taken;
	canvas_str(c, y, c->cols - taken - width - 1, width, (struct pen){ST_KEY, ST_BAR, 0}, text);
	return taken + width + 1;
}

/* How it stands with a log that grows. */
static void live_status(const struct pane_host *h, char *out, size_t room)
{
	snprintf(out, room, "%s%s%s", *h->live ? " " : "", h->live, *h->live ? " " : "");
}

void part_message(const struct pane_host *h, struct canvas *c, int y, int end)
{
	enum { ROWS = 5, LEAST = 12 };
	struct evl_str lines[ROWS], rest = {(const uint8_t *)h->message, strlen(h->message)};
	int n = 0, most = c->rows < LEAST ? 1 : ROWS;
	while (rest.len && n < most - 1 && end > 2)
		lines[n++] = text_take_line(&rest, end - 2, c->ascii);
	if (rest.len)
		lines[n++] = rest;
	for (int i = 0; i < n; i++) {
		struct line l = {.c = c, .y = y - (n - 1 - i), .x = 1, .end = end, .bg = ST_BAR};
		if (i < n - 1)
			canvas_fill(c, l.y, 0, 1, c->cols, ST_BAR);
		line_text(&l, h->warning ? ST_WARN : ST_EM, h->warning, lines[i]);
	}
}

void part_hints(struct pane_host *h, struct canvas *c, int y)
{
	enum { GAP = 3, KEYS_BESIDE = 30 }; /* columns: after a message, and for keys next to it */
	h->hints.n = 0;
	canvas_fill(c, y, 0, 1, c->cols, ST_BAR);
	int taken = put_status(live_status, h, c, y, put_progress(&h->model, c, y));
	taken = put_status(search_status, h, c, y, taken);
	taken = put_status(export_cmd_status, h, c, y, taken);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols - taken, .bg = ST_BAR};
	const struct evl_str message = {(const uint8_t *)h->message, strlen(h->message)};
	int said = text_width(message, c->ascii);
	if (said && said + KEYS_BESIDE > line_room(&l)) {
		part_message(h, c, y, l.end);
	} else if (said) {
		line_text(&l, h->warning ? ST_WARN : ST_EM, h->warning, message);
		line_skip(&l, GAP);
		put_hints(&l, h, &h->hints);
	} else if (h->pending && *h->pending)
		put_followers(&l, h->pending);
	else
		put_hints(&l, h, &h->hints);
}
