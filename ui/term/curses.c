/* curses.c - curses is used for one thing: to find what differs between two screens and say it in the terminal's
 * language. It writes into a file in memory; it reads nothing, handles no signal and sets no mode. */
#include "term/curses.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

static struct {
	FILE *out;
	SCREEN *curses;
	int rows, cols; /* of the terminal when it was opened */
	int colours;
	enum theme theme;
	bool unknown; /* what the terminal shows, and whether its keypad is on */
	struct canvas shown;
	cchar_t *row; /* shown.cols of them */
	char note[160], term[64];
} screen;

/* --- colours --- */

/* curses knows colours as numbered pairs; 64 of them, on a terminal of eight colours. So there is one for every two
 * colours in use, and `pair_of` remembers which belongs to two styles. 0 there: not looked up yet. */
enum { MAX_PAIRS = 2048 };
static struct {
	bool defaults; /* -1 is the terminal's own colour */
	bool direct;   /* colours are RGB, not of a palette */
	int limit, used;
	struct {
		int fg, bg;
	} of[MAX_PAIRS];
	int16_t pair_of[2][ST_COUNT][ST_COUNT]; /* parts of cells, letters */
} pairs;

static int shown_as(int c, int otherwise)
{
	if (c < 0)
		return pairs.defaults ? -1 : otherwise;
	return pairs.direct ? (int)style_rgb(c) : c;
}

static int colour(enum style s, int otherwise)
{
	return shown_as(style_colour(s, screen.theme, screen.colours), otherwise);
}

/* Pair 0 is the terminal's own two colours, also for what there is no pair for any more. */
static int pair_of_colours(int fg, int bg)
{
	for (int i = 0; i < pairs.used; i++) {
		if (pairs.of[i].fg == fg && pairs.of[i].bg == bg)
			return i;
	}
	if (pairs.used >= pairs.limit || init_extended_pair(pairs.used, fg, bg) != OK)
		return 0;
	pairs.of[pairs.used].fg = fg;
	pairs.of[pairs.used].bg = bg;
	return pairs.used++;
}

static int pair_for(uint8_t fg, uint8_t bg, bool letters)
{
	int16_t *known = &pairs.pair_of[letters][fg][bg];
	if (*known)
		return *known - 1;
	int index = letters ? style_letters((enum style)fg, screen.theme, screen.colours)
			    : style_colour((enum style)fg, screen.theme, screen.colours);
	*known = (int16_t)(1 + pair_of_colours(shown_as(index, COLOR_WHITE), colour(bg, COLOR_BLACK)));
	return *known - 1;
}

static int terminal_colours(void)
{
	if (!has_colors() || start_color() != OK)
		return 0;
	memset(&pairs, 0, sizeof pairs);
	pairs.defaults = use_default_colors() == OK;
	pairs.direct = COLORS > 256;
	pairs.limit = COLOR_PAIRS < MAX_PAIRS ? COLOR_PAIRS : MAX_PAIRS;
	pairs.used = 1;
	pairs.of[0].fg = pairs.of[0].bg = pairs.defaults ? -1 : -2;
	return COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : COLORS >= 8 ? 8 : 0;
}

static int choose_colours(int asked)
{
	const char *no = getenv("NO_COLOR");
	if (asked == TTY_MONO || (asked == TTY_AUTO && no && *no))
		return 0;
	int has = terminal_colours();
	return asked == TTY_AUTO || has < asked ? has : asked;
}

/* --- open and close --- */

/* Set a variable of the environment for the time of a call; returns what restore_env wants. */
static char *lend_env(const char *name, const char *value)
{
	const char *was = getenv(name);
	char *copy = was ? strdup(was) : NULL;
	setenv(name, value, 1);
	return copy;
}

static void restore_env(const char *name, char *was)
{
	if (was)
		setenv(name, was, 1);
	else
		unsetenv(name);
	free(was);
}

/* A file in memory has no size in cells that curses could ask for. */
static SCREEN *new_screen(const char *term)
{
	char text[2][16];
	snprintf(text[0], sizeof text[0], "%d", screen.rows);
	snprintf(text[1], sizeof text[1], "%d", screen.cols);
	char *lines = lend_env("LINES", text[0]), *columns = lend_env("COLUMNS", text[1]);
	use_env(TRUE);
	use_tioctl(FALSE);
	SCREEN *curses = newterm(term, screen.out, stdin);
	restore_env("LINES", lines);
	restore_env("COLUMNS", columns);
	return curses;
}

static const struct {
	const char *name, *entry;
} built_in[] = {
#define TERMINFO(name, entry) {name, entry},
#include "term/terminfo.def"
#undef TERMINFO
};

/* A screen by the built-in entry of that name; NULL if there is none. */
static SCREEN *built_in_screen(const char *name)
{
	for (size_t i = 0; i < countof(built_in); i++) {
		if (strcmp(name, built_in[i].name) != 0)
			continue;
		char *terminfo = lend_env("TERMINFO", built_in[i].entry);
		SCREEN *curses = new_screen(name);
		restore_env("TERMINFO", terminfo);
		return curses;
	}
	return NULL;
}

static void use_term(const char *name) { snprintf(screen.term, sizeof screen.term, "%s", name); }

static void say_fallback(const char *asked)
{
	snprintf(screen.note, sizeof screen.note, "TERM=%.60s is not known here; using %s", asked, screen.term);
	for (char *c = screen.note; *c; c++) /* it came from outside */
		*c = *c < ' ' || *c > '~' ? '?' : *c;
}

/* $TERM, from the database or built in; else xterm, which is sure to be similar. */
static SCREEN *find_screen(void)
{
	const char *asked = getenv("TERM");
	bool given = asked && *asked;
	use_term(given ? asked : "xterm");
	SCREEN *curses = new_screen(given ? asked : "xterm");
	if (!curses)
		curses = built_in_screen(given ? asked : "xterm");
	if (curses)
		return curses;
	use_term("xterm-256color");
	curses = new_screen(screen.term);
	if (!curses)
		curses = built_in_screen(screen.term);
	if (curses && given)
		say_fallback(asked);
	return curses;
}

static bool has_string(const char *name)
{
	const char *s = tigetstr(name);
	return s && s != (const char *)-1;
}

int curses_open(int out, int rows, int cols, char *why, size_t room)
{
	screen.rows = rows;
	screen.cols = cols;
	screen.note[0] = '\0';
	screen.out = fdopen(dup(out), "w");
	screen.curses = screen.out ? find_screen() : NULL;
	if (!screen.curses) {
		snprintf(why, room, "this terminal cannot be used; try: evtui stats LOG");
		return -1;
	}
	if (!has_string("cup") || !has_string("clear") || tigetflag("hc")) {
		snprintf(why, room, "TERM=%.60s cannot move its cursor; try: evtui stats LOG", screen.term);
		return -1;
	}
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	typeahead(-1);
	curs_set(0);
	screen.unknown = true;
	return 0;
}

int curses_colours(int asked, enum theme theme)
{
	screen.theme = theme;
	screen.colours = choose_colours(asked);
	return screen.colours;
}

const char *curses_term(void) { return screen.term; }
const char *curses_library(void) { return NCURSES_VERSION; }
const char *curses_note(void) { return screen.note[0] ? screen.note : NULL; }

void curses_pause(void) { endwin(); }
void curses_forget(void) { screen.unknown = true; }

void curses_close(void)
{
	if (screen.curses) {
		endwin();
		delscreen(screen.curses);
	}
	if (screen.out)
		fclose(screen.out);
	free(screen.row);
	canvas_free(&screen.shown);
	memset(&screen, 0, sizeof screen);
}

/* --- the canvas to the screen --- */

static bool is_blank(const struct cell *cell)
{
	return cell->ch == ' ' && cell->mark[0] == 0 && !(cell->attr & (ATTR_UNDERLINE | ATTR_REVERSE));
}

static int cell_pair(const struct cell *cell)
{
	uint8_t bg = cell->bg < ST_COUNT ? cell->bg : ST_PAGE, fg = cell->fg < ST_COUNT ? cell->fg : ST_TEXT;
	if (screen.colours == 0)
		return 0;
	if (is_blank(cell))
		return pair_for(ST_PAGE, bg, false);
	if (canvas_is_text(cell) && colour(bg, -1) >= 0 && colour(fg, -1) == colour(bg, -1))
		fg = (uint8_t)style_label(bg, screen.theme);
	return pair_for(fg, bg, canvas_is_text(cell) && bg <= ST_OUTSIDE);
}

static bool may_be_shown(uint32_t ch)
{
	return ch >= ' ' && ch != 0x7f && ch <= 0x10ffff && (ch < 0x80 || (ch >= 0xa0 && MB_CUR_MAX > 1));
}

static void set_cell(cchar_t *out, const struct cell *cell)
{
	wchar_t text[4] = {(wchar_t)cell->ch, (wchar_t)cell->mark[0], (wchar_t)cell->mark[1], L'\0'};
	attr_t attrs = (cell->attr & ATTR_BOLD && !is_blank(cell) ? A_BOLD : 0)
		| (cell->attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) | (cell->attr & ATTR_REVERSE ? A_REVERSE : 0);
	int pair = cell_pair(cell);
	if (!may_be_shown(cell->ch) || setcchar(out, text, attrs, 0, &pair) != OK)
		setcchar(out, L"?", attrs, 0, &pair);
}

/* A whole row at once: the one call of curses that is safe against half-overwritten wide characters. It wants the left
 * half of those alone. */
static void show_row(const struct canvas *c, int y)
{
	const struct cell *cells = &c->cells[(size_t)y * (size_t)c->cols];
	int n = 0;
	for (int x = 0; x < c->cols; x++) {
		if (cells[x].width > 0)
			set_cell(&screen.row[n++], &cells[x]);
	}
	mvadd_wchnstr(y, 0, screen.row, n);
}

static void show_rows(const struct canvas *c, bool all)
{
	size_t row = (size_t)c->cols * sizeof *c->cells;
	for (int y = 0; y < c->rows; y++) {
		struct cell *shown = &screen.shown.cells[(size_t)y * (size_t)c->cols],
			    *now = &c->cells[(size_t)y * (size_t)c->cols];
		if (!all && memcmp(shown, now, row) == 0)
			continue;
		show_row(c, y);
		memcpy(shown, now, row);
	}
}

static void show_cursor(const struct canvas *c)
{
	if (c->cursor_on != screen.shown.cursor_on)
		curs_set(c->cursor_on);
	screen.shown.cursor_on = c->cursor_on;
	move(c->cursor_y, c->cursor_x);
}

/* Make room for a canvas of another size. */
static int adapt(const struct canvas *c)
{
	bool cursor_on = screen.shown.cursor_on;
	cchar_t *row = realloc(screen.row, (size_t)c->cols * sizeof *row);
	if (!row)
		return -1;
	screen.row = row;
	if (canvas_resize(&screen.shown, c->rows, c->cols))
		return -1;
	screen.shown.cursor_on = cursor_on;
	resizeterm(c->rows, c->cols);
	return 0;
}

int curses_show(const struct canvas *c, bool full)
{
	bool resized = c->rows != screen.shown.rows || c->cols != screen.shown.cols;
	if (resized && adapt(c))
		return -1;
	full |= screen.unknown;
	if (full)
		clearok(curscr, TRUE);
	show_rows(c, full || resized);
	show_cursor(c);
	wnoutrefresh(stdscr);
	doupdate();
	if (screen.unknown) { /* curses leaves it off after a pause, and a shell may have switched it off */
		keypad(stdscr, FALSE);
		keypad(stdscr, TRUE);
	}
	screen.unknown = false;
	return 0;
}
