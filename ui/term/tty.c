#include "term/tty.h"

#include "sys/retry.h"
#include "sys/system.h"
#include "term/curses.h"
#include "term/runner.h"
#include "term/signals.h"
#include "term/tty_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* Everything that may have been switched on, for a crash: nothing can be asked any more then. */
#define PASTE_ON   "\x1b[?2004h"
#define PASTE_OFF  "\x1b[?2004l"
#define MOUSE_ON   "\x1b[?1002h\x1b[?1003h\x1b[?1006h" /* 1003: motion without a button too, where it is known */
#define MOUSE_OFF  "\x1b[?1006l\x1b[?1003l\x1b[?1002l"
#define KEYS_ON    "\x1b[>1u" /* kitty's protocol: Esc is told from what begins with it */
#define KEYS_OFF   "\x1b[<u"
#define SYNC_OFF   "\x1b[?2026l"
#define LAST_WORDS "\x18" SYNC_OFF KEYS_OFF PASTE_OFF MOUSE_OFF "\x1b[?1049l\x1b[?1l\x1b>\x1b[?25h\x1b[m\r\n"

enum { MAX_ROWS = 1000, MAX_COLS = 2000 }; /* what a terminal says of its size may be anything */

static struct {
	bool open;
	bool active; /* the screen and the modes are ours at the moment */
	bool mouse;
	bool keys,
		keys_due; /* the terminal speaks kitty's protocol; it is to be told so, on the screen where it counts */
	bool sync;        /* a test harness wants to know when we wait */
	int input;        /* where keys come from */
	bool own_input;
	struct termios cooked;
	struct tty_writer sink;
	bool slow;          /* its terminal has not taken the last frame yet */
	struct canvas next; /* what could not be shown yet */
	bool next_due, next_full, idle_due;
	unsigned long frames;
	int ended_by; /* a signal */
} tty = {.input = -1};

/* --- output --- */

static void watch_output(void) { tty.slow = tty_writer_waiting(&tty.sink); }

static void say(const char *sequence)
{
	tty_writer_send(&tty.sink, sequence);
	watch_output();
}

/* --- modes --- */

static void set_raw(void)
{
	struct termios raw = tty.cooked;
	sys_make_raw(&raw);
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
	tty.keys_due = tty.keys;
	curses_forget();
	tty.active = true;
}

/* Everything as it was. A frame that the terminal has not taken yet would only be in the way. */
static void leave(void)
{
	if (!tty.active)
		return;
	tty_writer_drop(&tty.sink);
	if (tty.sink.sync)
		tty_writer_send(&tty.sink, SYNC_OFF); /* of a frame that was dropped */
	if (tty.keys && !tty.keys_due)
		tty_writer_send(&tty.sink, KEYS_OFF);
	tty_writer_send(&tty.sink, MOUSE_OFF PASTE_OFF);
	curses_pause();
	tty_writer_frame(&tty.sink);
	/* the last colours that were held back; and the cursor once more: terminals based on libvterm hide it again
	 * when the screens change, if it was saved while hidden, as curses does to scroll. Without an alternate
	 * screen, as in GNU screen, the shell's line is cleared */
	tty_writer_send(&tty.sink, "\x1b[m\x1b[?25h\x1b[K");
	tty_writer_drain(&tty.sink, 300);
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

/* Consoles of old print what they do not understand. */
static bool may_be_asked(void)
{
	static const char *const mute[] = {"linux", "vt", "cons", "ansi"};
	const char *term = curses_term();
	for (size_t i = 0; i < countof(mute); i++)
		if (strncmp(term, mute[i], strlen(mute[i])) == 0)
			return false;
	return true;
}

void tty_query(void)
{
	if (tty.active && may_be_asked()) /* nothing is waited for */
		say("\x1b]11;?\x1b\\\x1b[?2026$p\x1b[?u\x1b[c");
}

void tty_holds_frames(void) { tty.sink.sync = true; }

void tty_knows_keys(void)
{
	tty.keys_due = !tty.keys;
	tty.keys = true;
}

void tty_send(const char *sequence)
{
	if (tty.active)
		say(sequence);
}

int tty_colours(int colours, enum theme theme)
{
	curses_forget();
	return curses_colours(colours, theme);
}

void tty_suspend(void)
{
	if (!tty.active)
		return;
	leave();
	signals_stop();
	enter();
}

/* In the new process. */
static _Noreturn void become(const char *const *words)
{
	int own = tty.input >= 0 || isatty(STDIN_FILENO) ? tty.input : open_again("/dev/tty", O_RDWR, 0);
	signals_close();
	runner_child();
	if (own >= 0)
		dup2(own, STDIN_FILENO);
	execvp(words[0], (char *const *)(uintptr_t)words); /* which does not write to them */
	_exit(TTY_NOT_FOUND);
}

static int wait_for(pid_t child)
{
	int status;
	if (waitpid_again(child, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int tty_run(const char *const *words)
{
	pid_t child = fork();
	if (child == 0)
		become(words);
	return child < 0 ? -1 : wait_for(child);
}

int tty_lend(int (*run)(void *ctx), void *ctx)
{
	if (!tty.active)
		return -1;
	leave();
	signals_lend();
	int status = run(ctx);
	signals_take_back();
	enter();
	return status;
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
	tty.input = tty.own_input ? open_again("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC, 0) : STDIN_FILENO;
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

/* "15;0", "0;default;15": what some terminals say of their colours; the last is the background. */
static enum theme guess_theme(void)
{
	const char *colours = getenv("COLORFGBG"), *last = colours ? strrchr(colours, ';') : NULL;
	char *end;
	long n = last ? strtol(last + 1, &end, 10) : 0;
	return last && end > last + 1 && !*end && (n == 7 || (n > 8 && n < 16)) ? THEME_LIGHT : THEME_DARK;
}

static struct tty_traits find_traits(const struct tty_options *options)
{
	struct tty_traits traits = {.term = curses_term(), .note = curses_note(), .curses = curses_library()};
	traits.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && MB_CUR_MAX > 1 && wcwidth(0x2588) == 1;
	traits.ascii = options->ascii || !traits.utf8;
	enum theme guess = guess_theme();
	traits.theme = options->theme_given && !(options->theme == THEME_SAFE && guess == THEME_LIGHT) ? options->theme
												       : guess;
	traits.colours = curses_colours(options->colours, traits.theme);
	traits.mono = traits.colours == 0;
	return traits;
}

static void release(void)
{
	curses_close();
	tty_writer_close(&tty.sink);
	if (tty.own_input && tty.input >= 0)
		close(tty.input);
	canvas_free(&tty.next);
	tty.input = -1;
	tty.open = tty.own_input = tty.slow = tty.next_due = tty.next_full = tty.idle_due = false;
	signals_close();
}

static int open_all(char *why, size_t room)
{
	if (!isatty(STDOUT_FILENO))
		return refuse(why, room, "standard output is not a terminal; try: evtui stats LOG");
	if (open_input())
		return refuse(why, room, "there is no terminal to read keys from; try: evtui stats LOG");
	if (signals_open() || tty_writer_open(&tty.sink, STDOUT_FILENO))
		return refuse(why, room, "the terminal cannot be set up: out of file descriptors or memory");
	int rows, cols;
	tty_size(&rows, &cols);
	return curses_open(tty.sink.frame, rows, cols, why, room);
}

int tty_open(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room)
{
	static bool registered;
	setlocale(LC_CTYPE, "");
	tty.sink.frame = tty.sink.tty = -1;
	if (open_all(why, room)) {
		release();
		return -1;
	}
	const char *sync = getenv("EVTUI_SYNC");
	tty.sync = sync && strcmp(sync, "1") == 0;
	tty.mouse = !options->no_mouse;
	tty.open = true;
	*traits = find_traits(options);
	enter();
	if (!registered)
		atexit(tty_close);
	registered = true;
	return 0;
}

int tty_describe(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room)
{
	static char term[64];
	int rows, cols, nowhere = open_again("/dev/null", O_WRONLY | O_CLOEXEC, 0);
	tty_size(&rows, &cols);
	int result = nowhere < 0 ? refuse(why, room, "/dev/null cannot be opened")
				 : curses_open(nowhere, rows, cols, why, room);
	if (result == 0) {
		*traits = find_traits(options);
		snprintf(term, sizeof term, "%s", traits->term);
		traits->term = term;
		traits->note = NULL;
	}
	curses_close();
	if (nowhere >= 0)
		close(nowhere);
	return result;
}

void tty_close(void)
{
	if (!tty.open)
		return;
	leave();
	release();
}

/* --- input --- */

int tty_input_fd(void) { return tty.input; }
int tty_signal_fd(void) { return signals_fd(); }
int tty_output_fd(void) { return tty.slow ? tty.sink.tty : -1; }

int tty_read(uint8_t *bytes, size_t room)
{
	struct pollfd p = {.fd = tty.input, .events = POLLIN};
	int ready = poll_again(&p, 1, 0);
	if (ready <= 0)
		return ready;
	if (!(p.revents & POLLIN))
		return -1; /* hung up */
	ssize_t n = read_again(tty.input, bytes, room < INT_MAX ? room : INT_MAX);
	if (n < 0 && errno == EAGAIN)
		return 0;
	return n > 0 ? (int)n : -1;
}

/* --- frames --- */

/* The frame leaves; until it has, there will be no next one. */
static int show(const struct canvas *c, bool full)
{
	if (full)
		sgr_forget(&tty.sink.sgr);
	if (curses_show(c, full))
		return -1;
	tty_writer_frame(&tty.sink);
	if (tty.keys_due)
		tty_writer_send(&tty.sink, KEYS_ON);
	tty.keys_due = false;
	watch_output();
	tty.frames++;
	return tty.sink.gone ? -1 : 0;
}

/* Keep a copy of the canvas for later. */
static int put_by(const struct canvas *c, bool full)
{
	bool fits = tty.next.rows == c->rows && tty.next.cols == c->cols;
	if (!fits && canvas_resize(&tty.next, c->rows, c->cols))
		return -1;
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
	tty_writer_retry(&tty.sink);
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

/* A slow terminal is ready for more; once it has everything, show the postponed frame. -1: the terminal is closed. */
static int go_on(void)
{
	tty_writer_retry(&tty.sink);
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
		case SIGWINCH:
			curses_forget();
			bits |= TTY_RESIZED;
			break;
		case SIGTSTP:
			tty_suspend();
			bits |= TTY_RESIZED;
			break;
		case SIGCONT: /* somebody had the terminal, and may have changed its modes */
			if (tty.active)
				enter();
			bits |= TTY_RESIZED;
			break;
		case SIGINT: bits |= TTY_INTERRUPT; break;
		default:
			tty.ended_by = sig;
			bits |= TTY_END;
			break;
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
