/* pty.c - runs a program in a terminal made of libvterm, types, and writes down what is on the screen.
 *
 *   pty SCRIPT >OUTPUT      EVTUI: the program under test; PTY_LIMIT: seconds to wait for it at most (20)
 *
 * A script has one command a line; `#` begins a comment line. TEXT is the rest of the line.
 *
 *   size ROWS COLS                the terminal's size at the next run (24 80)
 *   env NAME=VALUE | env NAME     set, or unset, in the environment of the next run
 *   run ARGS…                     start the program; arguments are parted by blanks
 *   keys TEXT                     type; <Enter> <Esc> <S-Left> <C-d> <M-x> <F1> <Space> <lt> … are keys
 *   send TEXT                     bytes as they are; \e \a \\ and \xNN are bytes
 *   paste TEXT                    in brackets if the program asked for them
 *   mouse press|release|move ROW COL, mouse wheel up|down ROW COL
 *   resize ROWS COLS
 *   storm COUNT SEED              as many sizes, some before the program has drawn the last; then the first again
 *   signal NAME                   TERM, HUP, CONT …
 *   hangup                        the terminal goes away
 *   wait                          until the program is idle
 *   await TEXT                    until TEXT is on the screen
 *   screen TITLE | colours TITLE  write the text, or the colours and attributes, to the output
 *   picture FILE.svg [light]      draw the screen
 *   expect TEXT | reject TEXT     TEXT is, is not, within one row of the screen
 *   unsent TEXT                   the program has never sent these bytes; escapes as in `send`
 *   keep, same                    remember the screen; it is the remembered one, in text and colours
 *   repaint                       Ctrl-L leaves the screen the same
 *   exit STATUS                   it ends, with a number, a name such as SIGTERM, or `any`; the terminal is as found
 *
 * Nothing here sleeps. Under EVTUI_SYNC=1 the program sends OSC 5959;idle;N ST whenever it is about to block with
 * nothing left to do, so also once after any input that changes nothing. Every command first waits for the marker that
 * answers the input before; so there is never more than one answer under way, and a script need not say `wait`. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#define countof(a) (sizeof(a) / sizeof *(a))

struct bytes {
	char *p;
	size_t len, room;
};

struct session {
	const char *script;
	int line;
	char home[64];
	int rows, cols;

	pid_t child; /* 0: none is running */
	int status;  /* of the last one, as waitpid tells it */
	int master;  /* -1 once the terminal is gone */
	int alive;   /* end of file here: the child has ended */
	struct termios found;

	VTerm *vt;
	VTermScreen *screen;
	VTermPos cursor;
	bool cursor_on, alt_screen;
	int mouse;

	struct bytes typed; /* not yet written to the program */
	struct bytes seen;  /* all that this program has sent */
	bool owed;          /* no marker has answered the last input yet */
	bool dirty;         /* drawn on since the last marker */
	const char *wanted; /* by await */
	struct bytes kept_text, kept_colours;
};

static char temporary[64]; /* what to remove at the end */

/* --- bytes ------------------------------------------------------------------------------------------------------- */

static void add(struct bytes *b, const void *p, size_t n)
{
	if (b->len + n > b->room) {
		b->room = 2 * (b->len + n);
		b->p = realloc(b->p, b->room);
		if (!b->p)
			abort();
	}
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
}

static void add_text(struct bytes *b, const char *text)
{
	add(b, text, strlen(text));
}

static void __attribute__((format(printf, 2, 3))) add_format(struct bytes *b, const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	add_text(b, text);
}

static void add_utf8(struct bytes *b, uint32_t c)
{
	char u[4];
	if (c < 0x80) {
		add(b, &(char){(char)c}, 1);
		return;
	}
	int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (int i = n - 1; i > 0; i--, c >>= 6)
		u[i] = (char)(0x80 | (c & 0x3f));
	u[0] = (char)((0xf00 >> n & 0xf0) | (int)c);
	add(b, u, (size_t)n);
}

static uint32_t take_utf8(const char **p)
{
	unsigned char lead = (unsigned char)*(*p)++;
	int more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
	uint32_t c = more ? lead & (0x3fu >> more) : lead;
	for (; more && (**p & 0xc0) == 0x80; more--)
		c = c << 6 | ((uint32_t) * (*p)++ & 0x3f);
	return c;
}

/* \e \a \\ \xNN */
static struct bytes unescape(const char *text)
{
	struct bytes b = {0};
	while (*text) {
		char c = *text++;
		if (c == '\\' && *text) {
			c = *text++;
			if (c == 'x' && isxdigit((unsigned char)text[0]) && isxdigit((unsigned char)text[1])) {
				c = (char)strtol((char[]){text[0], text[1], 0}, NULL, 16);
				text += 2;
			} else {
				c = c == 'e' ? '\033' : c == 'a' ? '\a' : c;
			}
		}
		add(&b, &c, 1);
	}
	return b;
}

/* --- the screen as text ------------------------------------------------------------------------------------------ */

static VTermScreenCell cell_at(const struct session *s, int y, int x)
{
	VTermScreenCell cell;
	vterm_screen_get_cell(s->screen, (VTermPos){.row = y, .col = x}, &cell);
	return cell;
}

/* The right half of a wide character. */
static bool is_half(const VTermScreenCell *cell)
{
	return cell->chars[0] == UINT32_MAX;
}

static bool is_blank(const VTermScreenCell *cell)
{
	return !cell->chars[0] || cell->chars[0] == ' ' || is_half(cell);
}

static void add_row(const struct session *s, struct bytes *out, int y)
{
	size_t start = out->len;
	for (int x = 0; x < s->cols; x++) {
		VTermScreenCell cell = cell_at(s, y, x);
		if (is_half(&cell))
			continue;
		if (!cell.chars[0])
			add_text(out, " ");
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			add_utf8(out, cell.chars[i]);
	}
	while (out->len > start && out->p[out->len - 1] == ' ')
		out->len--;
}

static struct bytes screen_text(const struct session *s)
{
	struct bytes out = {0};
	for (int y = 0; y < s->rows; y++) {
		add_row(s, &out, y);
		add_text(&out, "\n");
	}
	return out;
}

static bool on_screen(const struct session *s, const char *text)
{
	struct bytes all = screen_text(s);
	add(&all, "", 1);
	bool found = strstr(all.p, text);
	free(all.p);
	return found;
}

/* --- the screen as colours --------------------------------------------------------------------------------------- */

enum { BOLD = 1, UNDERLINE = 2, ITALIC = 4, BLINK = 8, REVERSE = 16 };

struct look {
	VTermColor fg, bg;
	int attrs;
	bool blank; /* shows its background only; fg and attrs are then those of a fresh terminal */
};

static struct look look_at(const struct session *s, int y, int x)
{
	VTermScreenCell c = cell_at(s, y, x);
	struct look look = {.fg = c.fg, .bg = c.bg};
	look.attrs = (c.attrs.bold ? BOLD : 0) | (c.attrs.underline ? UNDERLINE : 0) | (c.attrs.italic ? ITALIC : 0) |
		     (c.attrs.blink ? BLINK : 0) | (c.attrs.reverse ? REVERSE : 0);
	look.blank = is_blank(&c) && !(look.attrs & (UNDERLINE | REVERSE));
	if (look.blank) {
		look.fg = (VTermColor){.type = VTERM_COLOR_DEFAULT_FG};
		look.attrs = 0;
	}
	return look;
}

/* Whether a cell looks as the run of cells before it does. */
static bool goes_on(const struct look *run, const struct look *cell)
{
	if (!vterm_color_is_equal(&run->bg, &cell->bg))
		return false;
	if (cell->blank)
		return !(run->attrs & (UNDERLINE | REVERSE));
	return vterm_color_is_equal(&run->fg, &cell->fg) && run->attrs == cell->attrs;
}

static void add_colour(struct bytes *out, const VTermColor *c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c))
		add_text(out, "-");
	else if (VTERM_COLOR_IS_INDEXED(c))
		add_format(out, "%d", c->indexed.idx);
	else
		add_format(out, "#%02x%02x%02x", c->rgb.red, c->rgb.green, c->rgb.blue);
}

static void add_run(struct bytes *out, int x, const struct look *look)
{
	add_format(out, " %d:", x);
	add_colour(out, &look->fg);
	add_text(out, "/");
	add_colour(out, &look->bg);
	for (int i = 0; i < 5; i++)
		if (look->attrs & 1 << i)
			add(out, &"buikr"[i], 1);
}

/* Whether this line says no more than that the row has no colours. */
static bool is_plain(const char *line, size_t len)
{
	return len > 7 && !memcmp(line + len - 7, " 0:-/-\n", 7);
}

/* A line for each row: ROW: COLUMN:FG/BGattributes, a column for each change; `-` is the terminal's own colour.
 * Rows without any colour are left out. */
static struct bytes screen_colours(const struct session *s)
{
	struct bytes out = {0};
	for (int y = 0; y < s->rows; y++) {
		struct look run = look_at(s, y, 0);
		size_t start = out.len;
		add_format(&out, "%d:", y);
		add_run(&out, 0, &run);
		for (int x = 1; x < s->cols; x++) {
			struct look cell = look_at(s, y, x);
			if (goes_on(&run, &cell))
				continue;
			run = cell;
			add_run(&out, x, &run);
		}
		add_text(&out, "\n");
		if (is_plain(out.p + start, out.len - start))
			out.len = start;
	}
	return out;
}

/* --- the screen as a picture ------------------------------------------------------------------------------------- */

/* A cell is 9 x 18; DejaVu Sans Mono advances 0.60205 em. */
enum { CELL_W = 9, CELL_H = 18, BASELINE = 14 };
#define FONT_SIZE "14.949"

static void put_rect(FILE *f, double x, double y, double w, double h, unsigned colour)
{
	fprintf(f, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"/>\n", x, y, w, h, colour);
}

/* Box lines by the arms that they have. */
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };
static const struct {
	uint16_t ch, arms;
} box_lines[] = {{0x2500, LEFT | RIGHT}, {0x2501, LEFT | RIGHT}, {0x2502, UP | DOWN}, {0x2503, UP | DOWN},
	{0x250c, DOWN | RIGHT}, {0x2510, DOWN | LEFT}, {0x2514, UP | RIGHT}, {0x2518, UP | LEFT},
	{0x251c, UP | DOWN | RIGHT}, {0x2524, UP | DOWN | LEFT}, {0x252c, DOWN | LEFT | RIGHT},
	{0x2534, UP | LEFT | RIGHT}, {0x253c, UP | DOWN | LEFT | RIGHT}, {0x256d, DOWN | RIGHT}, {0x256e, DOWN | LEFT},
	{0x256f, UP | LEFT}, {0x2570, UP | RIGHT}};

static bool put_box_line(FILE *f, double x, double y, uint32_t ch, unsigned colour)
{
	for (size_t i = 0; i < countof(box_lines); i++) {
		if (box_lines[i].ch != ch)
			continue;
		int arms = box_lines[i].arms;
		double up = arms & UP ? 0 : CELL_H / 2.0, down = arms & DOWN ? CELL_H : CELL_H / 2.0;
		double left = arms & LEFT ? 0 : CELL_W / 2.0, right = arms & RIGHT ? CELL_W : CELL_W / 2.0;
		if (arms & (LEFT | RIGHT))
			put_rect(f, x + left, y + CELL_H / 2.0 - 0.5, right - left, 1, colour);
		if (arms & (UP | DOWN))
			put_rect(f, x + CELL_W / 2.0 - 0.5, y + up, 1, down - up, colour);
		return true;
	}
	return false;
}

static unsigned mix(unsigned fg, unsigned bg, unsigned quarters)
{
	unsigned out = 0;
	for (int shift = 0; shift < 24; shift += 8)
		out |= ((fg >> shift & 255) * quarters + (bg >> shift & 255) * (4 - quarters)) / 4 << shift;
	return out;
}

/* Block elements are drawn as what they stand for, so that no font can put seams between them. */
static bool put_block(FILE *f, double x, double y, uint32_t ch, unsigned fg, unsigned bg)
{
	if (ch >= 0x2581 && ch <= 0x2588) {
		double h = CELL_H * (double)(ch - 0x2580) / 8;
		put_rect(f, x, y + CELL_H - h, CELL_W, h, fg);
	} else if (ch > 0x2588 && ch <= 0x258f) {
		put_rect(f, x, y, CELL_W * (double)(0x2590 - ch) / 8, CELL_H, fg);
	} else if (ch == 0x2580) {
		put_rect(f, x, y, CELL_W, CELL_H / 2.0, fg);
	} else if (ch == 0x2590) {
		put_rect(f, x + CELL_W / 2.0, y, CELL_W / 2.0, CELL_H, fg);
	} else if (ch >= 0x2591 && ch <= 0x2593) {
		put_rect(f, x, y, CELL_W, CELL_H, mix(fg, bg, ch - 0x2590));
	} else {
		return put_box_line(f, x, y, ch, fg);
	}
	return true;
}

static unsigned rgb(const struct session *s, VTermColor c)
{
	vterm_screen_convert_color_to_rgb(s->screen, &c);
	return (unsigned)c.rgb.red << 16 | (unsigned)c.rgb.green << 8 | c.rgb.blue;
}

static void put_text(FILE *f, int x, int y, const struct bytes *text, int columns, unsigned fg, int attrs)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>", x * CELL_W, y * CELL_H + BASELINE,
		columns * CELL_W, fg, attrs & BOLD ? " font-weight=\"bold\"" : "",
		attrs & UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (size_t i = 0; i < text->len; i++) {
		char c = text->p[i];
		if (c == '&' || c == '<')
			fputs(c == '&' ? "&amp;" : "&lt;", f);
		else
			fputc(c, f);
	}
	fputs("</text>\n", f);
}

/* A run of cells that look alike: its background, its shapes, and its text, in pieces that keep to the grid. */
static void put_run(FILE *f, const struct session *s, int y, int from, int to, const struct look *look)
{
	bool swap = look->attrs & REVERSE;
	unsigned fg = rgb(s, swap ? look->bg : look->fg), bg = rgb(s, swap ? look->fg : look->bg);
	put_rect(f, from * CELL_W, y * CELL_H, (to - from) * CELL_W, CELL_H, bg);
	struct bytes text = {0};
	int start = from;
	for (int x = from; x <= to; x++) {
		VTermScreenCell cell = cell_at(s, y, x < to ? x : from);
		uint32_t ch = x < to && !is_blank(&cell) ? cell.chars[0] : ' ';
		bool ascii = ch > ' ' && ch < 0x7f;
		if (text.len && !ascii) {
			put_text(f, start, y, &text, x - start, fg, look->attrs);
			text.len = 0;
		}
		if (ch == ' ' || put_block(f, x * CELL_W, y * CELL_H, ch, fg, bg))
			continue;
		start = text.len ? start : x;
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			add_utf8(&text, cell.chars[i]);
		if (!ascii) {
			put_text(f, x, y, &text, cell.width, fg, look->attrs);
			text.len = 0;
		}
	}
	free(text.p);
}

static void put_picture(FILE *f, const struct session *s)
{
	VTermColor fg, bg;
	vterm_state_get_default_colors(vterm_obtain_state(s->vt), &fg, &bg);
	int w = s->cols * CELL_W, h = s->rows * CELL_H;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"\n", w, h,
		w, h);
	fputs(" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"" FONT_SIZE
	      "\" shape-rendering=\"crispEdges\">\n",
		f);
	put_rect(f, 0, 0, w, h, rgb(s, bg));
	for (int y = 0; y < s->rows; y++)
		for (int x = 0, end; x < s->cols; x = end) {
			struct look run = look_at(s, y, x);
			for (end = x + 1; end < s->cols; end++) {
				struct look cell = look_at(s, y, end);
				if (!goes_on(&run, &cell))
					break;
			}
			put_run(f, s, y, x, end, &run);
		}
	fputs("</svg>\n", f);
}

/* --- the program ------------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static void remove_home(void)
{
	if (*temporary)
		nftw(temporary, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void __attribute__((noreturn, format(printf, 2, 3))) fail(struct session *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fflush(stdout);
	fprintf(stderr, "%s:%d: ", s->script, s->line);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("\n", stderr);
	if (s->vt) {
		struct bytes text = screen_text(s);
		fprintf(stderr, "--- the screen then:\n%.*s---\n", (int)text.len, text.p);
	}
	if (s->child)
		kill(s->child, SIGKILL);
	exit(1);
}

static int on_osc(const char *command, size_t len, void *user)
{
	struct session *s = user;
	if (len > 10 && !memcmp(command, "5959;idle;", 10))
		s->owed = s->dirty = false;
	return 1;
}

static int on_damage(VTermRect rect, void *user)
{
	(void)rect;
	((struct session *)user)->dirty = true;
	return 1;
}

static int on_cursor(VTermPos pos, VTermPos old, int visible, void *user)
{
	(void)old, (void)visible;
	((struct session *)user)->cursor = pos;
	return 1;
}

static int on_property(VTermProp prop, VTermValue *value, void *user)
{
	struct session *s = user;
	if (prop == VTERM_PROP_CURSORVISIBLE)
		s->cursor_on = value->boolean;
	else if (prop == VTERM_PROP_ALTSCREEN)
		s->alt_screen = value->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		s->mouse = value->number;
	return 1;
}

static void on_output(const char *p, size_t n, void *user)
{
	add(&((struct session *)user)->typed, p, n);
}

static const VTermParserCallbacks fallbacks = {.osc = on_osc};
static const VTermScreenCallbacks callbacks = {
	.damage = on_damage, .movecursor = on_cursor, .settermprop = on_property};

static void new_screen(struct session *s)
{
	if (s->vt)
		vterm_free(s->vt);
	s->vt = vterm_new(s->rows, s->cols);
	s->screen = vterm_obtain_screen(s->vt);
	s->cursor = (VTermPos){0, 0};
	s->cursor_on = true;
	s->alt_screen = false;
	s->mouse = 0;
	s->seen.len = s->typed.len = 0;
	vterm_set_utf8(s->vt, 1);
	vterm_output_set_callback(s->vt, on_output, s);
	vterm_screen_set_callbacks(s->screen, &callbacks, s);
	vterm_screen_set_unrecognised_fallbacks(s->screen, &fallbacks, s);
	vterm_screen_enable_altscreen(s->screen, 1);
	vterm_screen_reset(s->screen, 1);
}

static void use_default_colours(struct session *s, unsigned fg, unsigned bg)
{
	VTermColor f, b;
	vterm_color_rgb(&f, (uint8_t)(fg >> 16), (uint8_t)(fg >> 8), (uint8_t)fg);
	vterm_color_rgb(&b, (uint8_t)(bg >> 16), (uint8_t)(bg >> 8), (uint8_t)bg);
	vterm_state_set_default_colors(vterm_obtain_state(s->vt), &f, &b);
}

static void set_up_environment(struct session *s)
{
	const char *tmp = getenv("TMPDIR");
	snprintf(s->home, sizeof s->home, "%.40s/pty-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(s->home))
		fail(s, "no temporary directory: %s", strerror(errno));
	memcpy(temporary, s->home, sizeof temporary);
	atexit(remove_home);
	static const char *const in_home[] = {
		"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"};
	for (size_t i = 0; i < countof(in_home); i++)
		setenv(in_home[i], s->home, 1);
	static const char *const unset[] = {"LINES", "COLUMNS", "NO_COLOR", "TMUX", "SSH_CONNECTION", "SSH_TTY",
		"SSH_CLIENT", "COLORTERM", "COLORFGBG", "ESCDELAY", "TERMINFO", "LANG", "LC_CTYPE", "LANGUAGE",
		"EDITOR", "VISUAL"};
	for (size_t i = 0; i < countof(unset); i++)
		unsetenv(unset[i]);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	setenv("EVTUI_SYNC", "1", 1);
}

static void hang_up(struct session *s)
{
	if (s->master >= 0)
		close(s->master);
	s->master = -1;
}

/* The child keeps the writing end of a pipe open for as long as it lives. */
static void start(struct session *s, char *const argv[])
{
	int ends[2];
	if (pipe(ends))
		fail(s, "no pipe: %s", strerror(errno));
	struct winsize size = {.ws_row = (unsigned short)s->rows, .ws_col = (unsigned short)s->cols};
	new_screen(s);
	hang_up(s);
	fflush(stdout);
	s->child = forkpty(&s->master, NULL, NULL, &size);
	if (s->child < 0)
		fail(s, "no pseudo-terminal: %s", strerror(errno));
	if (!s->child) {
		close(ends[0]);
		execv(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	close(ends[1]);
	s->alive = ends[0];
	tcgetattr(s->master, &s->found);
	fcntl(s->master, F_SETFL, O_NONBLOCK);
	s->owed = true;
}

/* Take what the program has sent; false when there is nothing now. */
static bool take_output(struct session *s)
{
	char part[65536];
	ssize_t n = read(s->master, part, sizeof part);
	if (n <= 0)
		return false;
	add(&s->seen, part, (size_t)n);
	vterm_input_write(s->vt, part, (size_t)n);
	vterm_screen_flush_damage(s->screen);
	return true;
}

/* The last words of a program may still be on their way through the kernel when it has ended: a read fails behind
 * them, unless a child of it keeps the terminal open. */
static void reap(struct session *s)
{
	struct pollfd rest = {.fd = s->master, .events = POLLIN};
	while (s->master >= 0 && poll(&rest, 1, 1000) > 0 && take_output(s))
		;
	while (waitpid(s->child, &s->status, 0) < 0 && errno == EINTR)
		;
	close(s->alive);
	s->child = 0;
	s->owed = s->dirty = false;
}

static void give_input(struct session *s)
{
	ssize_t n = write(s->master, s->typed.p, s->typed.len);
	if (n < 0 && errno != EAGAIN)
		s->typed.len = 0; /* nobody will read it */
	if (n <= 0)
		return;
	s->typed.len -= (size_t)n;
	memmove(s->typed.p, s->typed.p + n, s->typed.len);
	s->owed = true;
}

/* One turn of give and take; false when nothing happened within ms. Output goes first: what the program said before
 * it got the input is no answer to it. */
static bool turn(struct session *s, int ms)
{
	struct pollfd fds[2] = {{.fd = s->master, .events = POLLIN}, {.fd = s->alive}};
	if (s->typed.len)
		fds[0].events |= POLLOUT;
	if (poll(fds, 2, ms) <= 0)
		return false;
	if (fds[0].revents & (POLLIN | POLLHUP) && take_output(s))
		return true;
	if (fds[1].revents) {
		reap(s);
	} else if (fds[0].revents & POLLOUT) {
		give_input(s);
	} else {
		/* the program has closed its terminal, but lives: from now on only its end is waited for */
		return poll(&fds[1], 1, ms) > 0;
	}
	return true;
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int limit_ms(void)
{
	const char *limit = getenv("PTY_LIMIT");
	return 1000 * (limit && atoi(limit) > 0 ? atoi(limit) : 20);
}

static bool answered(const struct session *s)
{
	return !s->owed && !s->dirty && !s->typed.len;
}
static bool ended(const struct session *s)
{
	return !s->child;
}
static bool shows_wanted(const struct session *s)
{
	return on_screen(s, s->wanted);
}

/* Turn until done() holds or the program has ended; false when it took too long. */
static bool turn_until(struct session *s, bool (*done)(const struct session *))
{
	int64_t end = now_ms() + limit_ms();
	while (s->child && !done(s)) {
		int64_t left = end - now_ms();
		if (left <= 0)
			return false;
		turn(s, (int)left);
	}
	return true;
}

static void settle(struct session *s)
{
	do {
		if (!turn_until(s, answered))
			fail(s, "the program did not become idle within %d s (no OSC 5959;idle)", limit_ms() / 1000);
	} while (s->child && turn(s, 0));
}

/* --- keys -------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	VTermKey key;
} named_keys[] = {{"Enter", VTERM_KEY_ENTER}, {"Tab", VTERM_KEY_TAB}, {"BS", VTERM_KEY_BACKSPACE},
	{"Esc", VTERM_KEY_ESCAPE}, {"Up", VTERM_KEY_UP}, {"Down", VTERM_KEY_DOWN}, {"Left", VTERM_KEY_LEFT},
	{"Right", VTERM_KEY_RIGHT}, {"Ins", VTERM_KEY_INS}, {"Del", VTERM_KEY_DEL}, {"Home", VTERM_KEY_HOME},
	{"End", VTERM_KEY_END}, {"PageUp", VTERM_KEY_PAGEUP}, {"PageDown", VTERM_KEY_PAGEDOWN}};

static const struct {
	const char *name;
	char ch;
} named_chars[] = {{"Space", ' '}, {"lt", '<'}};

static VTermModifier take_modifiers(const char **name)
{
	int mods = VTERM_MOD_NONE;
	for (; (*name)[0] && (*name)[1] == '-' && (*name)[2]; *name += 2)
		mods |= **name == 'S'   ? VTERM_MOD_SHIFT
			: **name == 'C' ? VTERM_MOD_CTRL
			: **name == 'M' ? VTERM_MOD_ALT
					: 0;
	return (VTermModifier)mods;
}

/* Type the key of this name; false when there is none. */
static bool type_named(struct session *s, const char *name)
{
	VTermModifier mods = take_modifiers(&name);
	int function = 0;
	for (size_t i = 0; i < countof(named_keys); i++)
		if (!strcmp(name, named_keys[i].name))
			return vterm_keyboard_key(s->vt, named_keys[i].key, mods), true;
	for (size_t i = 0; i < countof(named_chars); i++)
		if (!strcmp(name, named_chars[i].name))
			return vterm_keyboard_unichar(s->vt, (uint32_t)named_chars[i].ch, mods), true;
	if (sscanf(name, "F%d", &function) == 1 && function >= 1 && function <= 12)
		return vterm_keyboard_key(s->vt, (VTermKey)VTERM_KEY_FUNCTION(function), mods), true;
	if (strlen(name) == 1 && mods)
		return vterm_keyboard_unichar(s->vt, (unsigned char)*name, mods), true;
	return false;
}

static void type_text(struct session *s, const char *text)
{
	while (*text) {
		char name[16];
		int used = 0;
		if (sscanf(text, "<%15[^<>]>%n", name, &used) == 1 && used) {
			if (!type_named(s, name))
				fail(s, "no key is called <%s>", name);
			text += used;
		} else {
			vterm_keyboard_unichar(s->vt, take_utf8(&text), VTERM_MOD_NONE);
		}
	}
}

/* --- commands ---------------------------------------------------------------------------------------------------- */

static void need_program(struct session *s)
{
	if (!s->child)
		fail(s, "no program is running");
}

static void need_screen(struct session *s)
{
	if (!s->vt)
		fail(s, "nothing was run");
}

static void parse_size(struct session *s, const char *arg, int *rows, int *cols)
{
	if (sscanf(arg, "%d %d", rows, cols) != 2 || *rows < 1 || *cols < 1 || *rows > 1000 || *cols > 1000)
		fail(s, "a size is ROWS COLS, each from 1 to 1000");
}

static void do_size(struct session *s, char *arg)
{
	if (s->child)
		fail(s, "size is for the next run: resize changes it now");
	parse_size(s, arg, &s->rows, &s->cols);
}

static void do_env(struct session *s, char *arg)
{
	(void)s;
	char *value = strchr(arg, '=');
	if (!value) {
		unsetenv(arg);
		return;
	}
	*value = '\0';
	setenv(arg, value + 1, 1);
}

static void do_run(struct session *s, char *arg)
{
	char *argv[64] = {getenv("EVTUI")};
	if (!argv[0])
		fail(s, "EVTUI does not name the program under test");
	if (s->child)
		fail(s, "a program is running already");
	size_t n = 1;
	for (char *word = strtok(arg, " "); word && n < countof(argv) - 1; word = strtok(NULL, " "))
		argv[n++] = word;
	start(s, argv);
}

static void do_keys(struct session *s, char *arg)
{
	need_program(s);
	type_text(s, arg);
}

static void do_send(struct session *s, char *arg)
{
	need_program(s);
	struct bytes b = unescape(arg);
	add(&s->typed, b.p, b.len);
	free(b.p);
}

static void do_paste(struct session *s, char *arg)
{
	need_program(s);
	vterm_keyboard_start_paste(s->vt);
	add_text(&s->typed, arg);
	vterm_keyboard_end_paste(s->vt);
}

static void do_mouse(struct session *s, char *arg)
{
	need_program(s);
	char what[10], way[6] = "";
	int row, col;
	bool wheel = sscanf(arg, "wheel %5[a-z] %d %d", way, &row, &col) == 3;
	if (!wheel && sscanf(arg, "%9[a-z] %d %d", what, &row, &col) != 3)
		fail(s, "mouse press|release|move ROW COL, mouse wheel up|down ROW COL");
	vterm_mouse_move(s->vt, row, col, VTERM_MOD_NONE);
	if (wheel)
		vterm_mouse_button(s->vt, !strcmp(way, "up") ? 4 : 5, true, VTERM_MOD_NONE);
	else if (strcmp(what, "move") != 0)
		vterm_mouse_button(s->vt, 1, !strcmp(what, "press"), VTERM_MOD_NONE);
}

/* The kernel sends SIGWINCH only when the size is another one: only then is there something to answer. */
static void set_size(struct session *s, int rows, int cols)
{
	if (rows == s->rows && cols == s->cols)
		return;
	s->rows = rows;
	s->cols = cols;
	vterm_set_size(s->vt, rows, cols);
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	ioctl(s->master, TIOCSWINSZ, &size);
	s->owed = true;
}

static void do_resize(struct session *s, char *arg)
{
	need_program(s);
	int rows, cols;
	parse_size(s, arg, &rows, &cols);
	set_size(s, rows, cols);
}

static uint32_t next_random(uint32_t *state)
{
	return (*state = *state * 1664525u + 1013904223u) >> 16;
}

/* Markers for sizes that are passed already may still be on their way when the last one is set. Two keys that mean
 * nothing, each waited for, leave them behind: the program looks at signals before keys. No size has one column, in
 * which libvterm 0.1.4 crashes at a wide character meant for a wider screen. */
static void do_storm(struct session *s, char *arg)
{
	need_program(s);
	int count, seed, rows = s->rows, cols = s->cols;
	if (sscanf(arg, "%d %d", &count, &seed) != 2)
		fail(s, "storm COUNT SEED");
	uint32_t state = (uint32_t)seed;
	for (int i = 0; i < count; i++) {
		set_size(s, 1 + (int)(next_random(&state) % 70), 2 + (int)(next_random(&state) % 220));
		if (next_random(&state) % 2)
			settle(s);
		else
			turn(s, 0);
	}
	set_size(s, rows, cols);
	for (int i = 0; i < 2; i++) {
		settle(s);
		need_program(s);
		vterm_keyboard_key(s->vt, VTERM_KEY_FUNCTION(12), VTERM_MOD_NONE);
	}
}

static const struct {
	const char *name;
	int number;
	bool answered; /* the program goes on, and will be idle again */
} signals[] = {{"TERM", SIGTERM, false}, {"HUP", SIGHUP, false}, {"INT", SIGINT, true}, {"CONT", SIGCONT, true},
	{"TSTP", SIGTSTP, true}, {"ABRT", SIGABRT, false}, {"SEGV", SIGSEGV, false}, {"KILL", SIGKILL, false},
	{"PIPE", SIGPIPE, true}, {"QUIT", SIGQUIT, false}};

static void do_signal(struct session *s, char *arg)
{
	need_program(s);
	for (size_t i = 0; i < countof(signals); i++)
		if (!strcmp(arg, signals[i].name)) {
			s->owed = signals[i].answered;
			kill(s->child, signals[i].number);
			return;
		}
	fail(s, "no signal is called %s", arg);
}

static void do_hangup(struct session *s, char *arg)
{
	(void)arg;
	need_program(s);
	hang_up(s);
}

static void do_wait(struct session *s, char *arg)
{
	(void)s, (void)arg;
}

static void do_await(struct session *s, char *arg)
{
	s->wanted = arg;
	if (!turn_until(s, shows_wanted) || !on_screen(s, arg))
		fail(s, "this did not appear within %d s: %s", limit_ms() / 1000, arg);
}

static void do_screen(struct session *s, char *arg)
{
	need_screen(s);
	struct bytes text = screen_text(s);
	printf("=== %s (%dx%d, ", arg, s->rows, s->cols);
	if (s->cursor_on)
		printf("cursor %d %d)\n", s->cursor.row, s->cursor.col);
	else
		printf("no cursor)\n");
	fwrite(text.p, 1, text.len, stdout);
	free(text.p);
}

static void do_colours(struct session *s, char *arg)
{
	need_screen(s);
	struct bytes text = screen_colours(s);
	printf("=== %s (colours)\n", arg);
	fwrite(text.p, 1, text.len, stdout);
	free(text.p);
}

static void do_picture(struct session *s, char *arg)
{
	need_screen(s);
	char *light = strstr(arg, " light");
	if (light)
		*light = '\0';
	FILE *f = fopen(arg, "w");
	if (!f)
		fail(s, "%s: %s", arg, strerror(errno));
	use_default_colours(s, light ? 0x303030 : 0xd0d0d0, light ? 0xffffff : 0x121212);
	put_picture(f, s);
	if (fclose(f))
		fail(s, "%s: %s", arg, strerror(errno));
}

static void do_expect(struct session *s, char *arg)
{
	need_screen(s);
	if (!on_screen(s, arg))
		fail(s, "not on the screen: %s", arg);
}

static void do_reject(struct session *s, char *arg)
{
	need_screen(s);
	if (on_screen(s, arg))
		fail(s, "on the screen: %s", arg);
}

static void do_unsent(struct session *s, char *arg)
{
	need_screen(s);
	struct bytes b = unescape(arg);
	if (b.len && s->seen.len && memmem(s->seen.p, s->seen.len, b.p, b.len))
		fail(s, "the program has sent: %s", arg);
	free(b.p);
}

static void forget(struct session *s)
{
	free(s->kept_text.p);
	free(s->kept_colours.p);
	s->kept_text = s->kept_colours = (struct bytes){0};
}

static void do_keep(struct session *s, char *arg)
{
	(void)arg;
	need_screen(s);
	forget(s);
	s->kept_text = screen_text(s);
	s->kept_colours = screen_colours(s);
}

/* The first line in which the two differ, or -1. */
static int differing_line(struct bytes a, struct bytes b)
{
	int line = 0;
	for (size_t i = 0; i < a.len || i < b.len; i++) {
		if (i >= a.len || i >= b.len || a.p[i] != b.p[i])
			return line;
		line += a.p[i] == '\n';
	}
	return -1;
}

static void do_same(struct session *s, char *arg)
{
	(void)arg;
	need_screen(s);
	struct bytes text = screen_text(s), colours = screen_colours(s);
	int row = differing_line(s->kept_text, text), row_colours = differing_line(s->kept_colours, colours);
	free(text.p);
	free(colours.p);
	if (row >= 0 || row_colours >= 0)
		fail(s, "row %d differs in its %s", row >= 0 ? row : row_colours, row >= 0 ? "text" : "colours");
}

static void do_repaint(struct session *s, char *arg)
{
	need_program(s);
	do_keep(s, arg);
	type_text(s, "<C-l>");
	settle(s);
	do_same(s, arg);
}

/* What a program must put back: modes of the terminal, and those of the line discipline. */
static const char *left_behind(struct session *s)
{
	struct termios now;
	if (s->alt_screen)
		return "the alternate screen";
	if (!s->cursor_on)
		return "the cursor hidden";
	if (s->mouse)
		return "the mouse on";
	s->typed.len = 0;
	vterm_keyboard_start_paste(s->vt);
	if (s->typed.len)
		return "bracketed paste on";
	if (!tcgetattr(s->master, &now) && (now.c_lflag != s->found.c_lflag || now.c_iflag != s->found.c_iflag ||
						   now.c_oflag != s->found.c_oflag || now.c_cflag != s->found.c_cflag))
		return "other terminal settings";
	return NULL;
}

static void name_status(char *out, size_t room, int status)
{
	snprintf(out, room, "%d", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	for (size_t i = 0; WIFSIGNALED(status) && i < countof(signals); i++)
		if (WTERMSIG(status) == signals[i].number)
			snprintf(out, room, "SIG%s", signals[i].name);
}

static void do_exit(struct session *s, char *arg)
{
	need_screen(s);
	if (!turn_until(s, ended))
		fail(s, "the program did not end within %d s", limit_ms() / 1000);
	char status[16];
	name_status(status, sizeof status, s->status);
	if (strcmp(arg, "any") != 0 && strcmp(status, arg) != 0)
		fail(s, "the program ended with %s, not %s", status, arg);
	if (s->master < 0)
		return;
	const char *what = left_behind(s);
	if (what)
		fail(s, "the program left %s", what);
	hang_up(s);
}

/* --- scripts ----------------------------------------------------------------------------------------------------- */

static const struct command {
	const char *name;
	void (*act)(struct session *s, char *arg);
	bool at_once; /* does not wait for the answer to the input before */
} commands[] = {
	{"size", do_size, true},
	{"env", do_env, true},
	{"run", do_run, true},
	{"keys", do_keys, false},
	{"send", do_send, false},
	{"paste", do_paste, false},
	{"mouse", do_mouse, false},
	{"resize", do_resize, false},
	{"storm", do_storm, false},
	{"signal", do_signal, false},
	{"hangup", do_hangup, false},
	{"wait", do_wait, false},
	{"await", do_await, true},
	{"screen", do_screen, false},
	{"colours", do_colours, false},
	{"picture", do_picture, false},
	{"expect", do_expect, false},
	{"reject", do_reject, false},
	{"unsent", do_unsent, false},
	{"keep", do_keep, false},
	{"same", do_same, false},
	{"repaint", do_repaint, false},
	{"exit", do_exit, true},
};

static void obey(struct session *s, char *text)
{
	char *arg = text + strcspn(text, " ");
	if (*arg)
		*arg++ = '\0';
	for (size_t i = 0; i < countof(commands); i++)
		if (!strcmp(text, commands[i].name)) {
			if (!commands[i].at_once)
				settle(s);
			commands[i].act(s, arg);
			return;
		}
	fail(s, "no command is called %s", text);
}

int main(int argc, char **argv)
{
	FILE *script = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!script) {
		fprintf(stderr, argc == 2 ? "pty: %s: %s\n" : "usage: pty SCRIPT\n", argv[argc - 1], strerror(errno));
		return 2;
	}
	struct session s = {.script = argv[1], .rows = 24, .cols = 80, .master = -1};
	set_up_environment(&s);
	char *text = NULL;
	size_t room = 0;
	for (ssize_t n; (n = getline(&text, &room, script)) >= 0;) {
		s.line++;
		text[n - (n && text[n - 1] == '\n')] = '\0';
		if (*text && *text != '#')
			obey(&s, text);
	}
	settle(&s);
	if (s.child)
		fail(&s, "the script ends, but the program still runs");
	forget(&s);
	free(text);
	fclose(script);
	if (s.vt)
		vterm_free(s.vt);
	free(s.typed.p);
	free(s.seen.p);
	return 0;
}
