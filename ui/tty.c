/* tty.c - the terminal. curses is used for one thing: to find what differs between two screens and say it in the
 * terminal's language. It writes into the sink; it reads nothing, handles no signal and sets no mode. */
#include "tty.h"

#include "signals.h"
#include "sink.h"
#include "terminfo.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Everything that may have been switched on, for a crash: nothing can be asked any more then. */
#define PASTE_ON  "\x1b[?2004h"
#define PASTE_OFF "\x1b[?2004l"
#define MOUSE_ON  "\x1b[?1002h\x1b[?1006h"
#define MOUSE_OFF "\x1b[?1006l\x1b[?1002l"
#define LAST_WORDS "\x18" PASTE_OFF MOUSE_OFF "\x1b[?1049l\x1b[?1l\x1b>\x1b[?25h\x1b[m\r\n"

enum { MAX_ROWS = 1000, MAX_COLS = 2000 }; /* what a terminal says of its size may be anything */

static struct {
	bool active;  /* the screen and the modes are ours at the moment */
	bool mouse;
	bool refresh; /* what the screen shows is not known */
	bool keypad;  /* curses has to switch it on again after the next frame */
	int input;    /* where keys come from */
	bool own_input;
	struct termios cooked;
	struct sink sink;
	FILE *frame;
	SCREEN *screen;
	struct tty_traits traits;
	enum theme theme;
	int wake;     /* epoll: of the signals, and of the output while it is `slow` */
	bool slow;
	struct canvas shown;
	struct canvas next; /* what could not be shown yet */
	bool next_due, next_full, idle_due;
	cchar_t *row; /* shown.cols of them */
	char note[160], term[64];
	int ended_by; /* a signal */
	bool sync;    /* a test harness wants to know when we wait */
	unsigned long frames;
} tty = {.input = -1, .wake = -1};

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
	int16_t pair_of[ST_COUNT][ST_COUNT];
} pairs;

static int colour(enum style s, int otherwise)
{
	int c = style_colour(s, tty.theme, tty.traits.colours);
	if (c < 0)
		return pairs.defaults ? -1 : otherwise;
	return pairs.direct ? (int)style_rgb(c) : c;
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

static int pair_for(uint8_t fg, uint8_t bg)
{
	int16_t *known = &pairs.pair_of[fg][bg];
	if (!*known)
		*known = (int16_t)(1 + pair_of_colours(colour(fg, COLOR_WHITE), colour(bg, COLOR_BLACK)));
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

/* --- output --- */

/* Be woken when a slow terminal takes more. */
static void watch_output(void)
{
	struct epoll_event writable = {.events = EPOLLOUT};
	bool slow = sink_waiting(&tty.sink);
	if (slow != tty.slow)
		epoll_ctl(tty.wake, slow ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, tty.sink.tty, &writable);
	tty.slow = slow;
}

static void say(const char *sequence)
{
	sink_send(&tty.sink, sequence);
	watch_output();
}

static int open_wake(void)
{
	struct epoll_event readable = {.events = EPOLLIN};
	tty.wake = epoll_create1(EPOLL_CLOEXEC);
	return tty.wake < 0 ? -1 : epoll_ctl(tty.wake, EPOLL_CTL_ADD, signals_fd(), &readable);
}

/* --- modes --- */

static void set_raw(void)
{
	struct termios raw = tty.cooked;
	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	tcsetattr(tty.input, TCSANOW, &raw);
}

/* Our modes; the screen follows with the next frame, which makes curses switch to it. */
static void enter(void)
{
	set_raw();
	signals_on_crash(tty.sink.tty, LAST_WORDS, &tty.cooked);
	sgr_forget(&tty.sink.sgr);
	say(PASTE_ON);
	if (tty.mouse)
		say(MOUSE_ON);
	tty.active = tty.refresh = tty.keypad = true;
}

/* Everything as it was. A frame that the terminal has not taken yet would only be in the way. */
static void leave(void)
{
	if (!tty.active)
		return;
	sink_drop(&tty.sink);
	sink_send(&tty.sink, MOUSE_OFF PASTE_OFF);
	endwin();
	sink_frame(&tty.sink);
	sink_send(&tty.sink, "\x1b[m"); /* the colours that were wanted last and not needed */
	sink_drain(&tty.sink, 300);
	watch_output();
	tcsetattr(tty.input, TCSANOW, &tty.cooked);
	signals_on_crash(-1, NULL, NULL);
	tty.active = false;
}

void tty_mouse(bool on)
{
	tty.mouse = on;
	if (tty.active)
		say(on ? MOUSE_ON : MOUSE_OFF);
}

void tty_suspend(void)
{
	if (!tty.active)
		return;
	leave();
	signals_stop();
	enter();
}

/* --- open and close --- */

static int refuse(char *why, size_t room, const char *text)
{
	snprintf(why, room, "%s", text);
	return -1;
}

static int open_input(void)
{
	tty.own_input = !isatty(STDIN_FILENO);
	tty.input = tty.own_input ? open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) : STDIN_FILENO;
	return tty.input < 0 ? -1 : tcgetattr(tty.input, &tty.cooked);
}

void tty_size(int *rows, int *cols)
{
	struct winsize size = {0};
	*rows = 24;
	*cols = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row == 0 || size.ws_col == 0)
		return;
	*rows = size.ws_row < MAX_ROWS ? size.ws_row : MAX_ROWS;
	*cols = size.ws_col < MAX_COLS ? size.ws_col : MAX_COLS;
}

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
	int rows, cols;
	tty_size(&rows, &cols);
	snprintf(text[0], sizeof text[0], "%d", rows);
	snprintf(text[1], sizeof text[1], "%d", cols);
	char *lines = lend_env("LINES", text[0]), *columns = lend_env("COLUMNS", text[1]);
	use_env(TRUE);
	use_tioctl(FALSE);
	SCREEN *screen = newterm(term, tty.frame, stdin);
	restore_env("LINES", lines);
	restore_env("COLUMNS", columns);
	return screen;
}

static SCREEN *embedded_screen(void)
{
	char *terminfo = lend_env("TERMINFO", terminfo_xterm);
	SCREEN *screen = new_screen("xterm-256color");
	restore_env("TERMINFO", terminfo);
	return screen;
}

static void use_term(const char *name) { snprintf(tty.term, sizeof tty.term, "%s", name); }

static void say_fallback(const char *asked)
{
	snprintf(tty.note, sizeof tty.note, "TERM=%.60s is not known here; using %s", asked, tty.term);
	for (char *c = tty.note; *c; c++) /* it came from outside */
		*c = *c < ' ' || *c > '~' ? '?' : *c;
	tty.traits.note = tty.note;
}

/* $TERM; else something that is sure to be similar, from the database or from our own pocket. */
static SCREEN *find_screen(void)
{
	const char *asked = getenv("TERM");
	bool given = asked && *asked;
	use_term(given ? asked : "xterm");
	SCREEN *screen = new_screen(given ? asked : "xterm");
	if (screen)
		return screen;
	use_term("xterm-256color");
	screen = new_screen(tty.term);
	if (!screen)
		screen = embedded_screen();
	if (screen && given)
		say_fallback(asked);
	return screen;
}

static bool has_string(const char *name)
{
	const char *s = tigetstr(name);
	return s && s != (const char *)-1;
}

static int open_screen(char *why, size_t room)
{
	tty.frame = fdopen(dup(tty.sink.frame), "w");
	tty.screen = tty.frame ? find_screen() : NULL;
	if (!tty.screen)
		return refuse(why, room, "this terminal cannot be used; try: evtui stats LOG");
	if (has_string("cup") && has_string("clear") && !tigetflag("hc"))
		return 0;
	snprintf(why, room, "TERM=%.60s cannot move its cursor; try: evtui stats LOG", tty.term);
	return -1;
}

static void set_traits(const struct tty_options *options)
{
	tty.traits.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && MB_CUR_MAX > 1 && wcwidth(0x2588) == 1;
	tty.traits.ascii = options->ascii || !tty.traits.utf8;
	tty.traits.colours = choose_colours(options->colours);
	tty.traits.mono = tty.traits.colours == 0;
	tty.traits.term = tty.term;
	tty.theme = options->theme;
}

static void set_curses(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	typeahead(-1);
	curs_set(0);
}

static void release(void)
{
	if (tty.screen) {
		endwin();
		delscreen(tty.screen);
		tty.screen = NULL;
	}
	if (tty.frame)
		fclose(tty.frame);
	tty.frame = NULL;
	sink_close(&tty.sink);
	if (tty.wake >= 0)
		close(tty.wake);
	tty.wake = -1;
	tty.slow = tty.next_due = tty.next_full = tty.idle_due = false;
	if (tty.own_input && tty.input >= 0)
		close(tty.input);
	tty.input = -1;
	tty.own_input = false;
	canvas_free(&tty.next);
	canvas_free(&tty.shown);
	tty.shown.cursor_on = false;
	free(tty.row);
	tty.row = NULL;
	signals_close();
}

static int open_all(const struct tty_options *options, char *why, size_t room)
{
	if (!isatty(STDOUT_FILENO))
		return refuse(why, room, "standard output is not a terminal; try: evtui stats LOG");
	if (open_input())
		return refuse(why, room, "there is no terminal to read keys from; try: evtui stats LOG");
	if (signals_open() || open_wake() || sink_open(&tty.sink, STDOUT_FILENO))
		return refuse(why, room, "the terminal cannot be set up: out of file descriptors or memory");
	if (open_screen(why, room))
		return -1;
	set_traits(options);
	set_curses();
	return 0;
}

int tty_open(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room)
{
	static bool registered;
	setlocale(LC_CTYPE, "");
	tty.sink.frame = tty.sink.tty = -1;
	tty.traits = (struct tty_traits){0};
	if (open_all(options, why, room)) {
		release();
		return -1;
	}
	const char *sync = getenv("EVTUI_SYNC");
	tty.sync = sync && strcmp(sync, "1") == 0;
	tty.mouse = !options->no_mouse;
	enter();
	*traits = tty.traits;
	if (!registered)
		atexit(tty_close);
	registered = true;
	return 0;
}

void tty_close(void)
{
	if (!tty.screen)
		return;
	leave();
	release();
}

/* --- input --- */

int tty_input_fd(void) { return tty.input; }
int tty_signal_fd(void) { return tty.wake; }

int tty_read(uint8_t *bytes, size_t room)
{
	struct pollfd p = {.fd = tty.input, .events = POLLIN};
	int ready = poll(&p, 1, 0);
	if (ready <= 0)
		return ready < 0 && errno != EINTR ? -1 : 0;
	if (!(p.revents & POLLIN))
		return -1; /* hung up */
	ssize_t n = read(tty.input, bytes, room < INT_MAX ? room : INT_MAX);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	return n > 0 ? (int)n : -1;
}

/* --- the canvas to the screen --- */

static bool is_blank(const struct cell *cell)
{
	return cell->ch == ' ' && cell->mark[0] == 0 && !(cell->attr & (ATTR_UNDERLINE | ATTR_REVERSE));
}

/* Parts of a cell that are as their background have nothing to show there; text always has. */
static bool is_text(uint32_t ch) { return ch > ' ' && (ch < 0x2580 || ch > 0x259f); }

static int cell_pair(const struct cell *cell)
{
	uint8_t bg = cell->bg < ST_COUNT ? cell->bg : ST_PAGE, fg = cell->fg < ST_COUNT ? cell->fg : ST_TEXT;
	if (tty.traits.mono)
		return 0;
	if (is_blank(cell))
		return pair_for(ST_PAGE, bg);
	if (is_text(cell->ch) && colour(bg, -1) >= 0 && colour(fg, -1) == colour(bg, -1))
		fg = (uint8_t)style_label(bg, tty.theme);
	return pair_for(fg, bg);
}

static bool may_be_shown(uint32_t ch)
{
	return ch >= ' ' && ch != 0x7f && ch <= 0x10ffff && (ch < 0x80 || (ch >= 0xa0 && tty.traits.utf8));
}

static void set_cell(cchar_t *out, const struct cell *cell)
{
	wchar_t text[4] = {(wchar_t)cell->ch, (wchar_t)cell->mark[0], (wchar_t)cell->mark[1], L'\0'};
	attr_t attrs = (cell->attr & ATTR_BOLD && !is_blank(cell) ? A_BOLD : 0) | (cell->attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) |
		       (cell->attr & ATTR_REVERSE ? A_REVERSE : 0);
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
			set_cell(&tty.row[n++], &cells[x]);
	}
	mvadd_wchnstr(y, 0, tty.row, n);
}

static void show_rows(const struct canvas *c, bool all)
{
	size_t row = (size_t)c->cols * sizeof *c->cells;
	for (int y = 0; y < c->rows; y++) {
		struct cell *shown = &tty.shown.cells[(size_t)y * (size_t)c->cols], *now = &c->cells[(size_t)y * (size_t)c->cols];
		if (!all && memcmp(shown, now, row) == 0)
			continue;
		show_row(c, y);
		memcpy(shown, now, row);
	}
}

static void show_cursor(const struct canvas *c)
{
	if (c->cursor_on != tty.shown.cursor_on)
		curs_set(c->cursor_on);
	tty.shown.cursor_on = c->cursor_on;
	move(c->cursor_y, c->cursor_x);
}

/* Make room for a canvas of another size. */
static int adapt(const struct canvas *c)
{
	bool cursor_on = tty.shown.cursor_on;
	cchar_t *row = realloc(tty.row, (size_t)c->cols * sizeof *row);
	if (!row || (tty.row = row, canvas_resize(&tty.shown, c->rows, c->cols)))
		return -1;
	tty.shown.cursor_on = cursor_on;
	resizeterm(c->rows, c->cols);
	return 0;
}

/* The frame leaves; until it has, there will be no next one. */
static int flush_frame(void)
{
	sink_frame(&tty.sink);
	watch_output();
	tty.frames++;
	return tty.sink.gone ? -1 : 0;
}

static int show(const struct canvas *c, bool full)
{
	bool resized = c->rows != tty.shown.rows || c->cols != tty.shown.cols;
	if (resized && adapt(c))
		return -1;
	full |= tty.refresh;
	if (full) {
		sgr_forget(&tty.sink.sgr);
		clearok(curscr, TRUE);
	}
	show_rows(c, full || resized);
	show_cursor(c);
	wnoutrefresh(stdscr);
	doupdate();
	if (tty.keypad) { /* curses leaves it off after a pause, and a shell may have switched it off */
		keypad(stdscr, FALSE);
		keypad(stdscr, TRUE);
	}
	tty.refresh = tty.keypad = false;
	return flush_frame();
}

/* Keep a copy of the canvas for later. */
static int put_by(const struct canvas *c, bool full)
{
	if (tty.next.rows != c->rows || tty.next.cols != c->cols) {
		if (canvas_resize(&tty.next, c->rows, c->cols))
			return -1;
	}
	struct cell *cells = tty.next.cells;
	memcpy(cells, c->cells, (size_t)c->rows * (size_t)c->cols * sizeof *cells);
	tty.next = *c;
	tty.next.cells = cells;
	tty.next_due = true;
	tty.next_full |= full;
	return 0;
}

int tty_show(const struct canvas *c, bool full)
{
	sink_retry(&tty.sink);
	watch_output();
	if (tty.sink.gone)
		return -1;
	if (!tty.active || !c->cells)
		return 0;
	if (tty.slow)
		return put_by(c, full);
	full |= tty.next_full;
	tty.next_due = tty.next_full = false;
	return show(c, full);
}

void tty_idle(void)
{
	char mark[48];
	if (!tty.sync || !tty.active)
		return;
	tty.idle_due = tty.next_due; /* not before what has been put by */
	if (tty.idle_due)
		return;
	snprintf(mark, sizeof mark, "\x1b]5959;idle;%lu\x1b\\", tty.frames);
	say(mark);
}

/* A slow terminal takes more; when it has it all, what was put by is shown. -1: it is gone. */
static int go_on(void)
{
	sink_retry(&tty.sink);
	watch_output();
	if (!tty.slow && tty.next_due && tty_show(&tty.next, false))
		return -1;
	if (!tty.next_due && tty.idle_due)
		tty_idle();
	return tty.sink.gone ? -1 : 0;
}

/* --- signals --- */

int tty_signals(void)
{
	int bits = tty.slow && go_on() ? TTY_END : 0;
	for (int sig; (sig = signals_next());) {
		switch (sig) {
		case SIGWINCH: tty.refresh = true; bits |= TTY_RESIZED; break;
		case SIGTSTP: tty_suspend(); bits |= TTY_RESIZED; break;
		case SIGCONT: /* somebody had the terminal, and may have changed its modes */
			if (tty.active)
				enter();
			bits |= TTY_RESIZED;
			break;
		case SIGINT: bits |= TTY_INTERRUPT; break;
		default: tty.ended_by = sig; bits |= TTY_END; break;
		}
	}
	return bits;
}

void tty_die_of_signal(void)
{
	if (!tty.ended_by)
		return;
	tty_close();
	signal(tty.ended_by, SIG_DFL);
	raise(tty.ended_by);
}
