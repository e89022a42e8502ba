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
 *   keystorm COUNT SEED           as many keys of the table at random
 *   signal NAME                   TERM, HUP, CONT …
 *   hangup                        the terminal goes away
 *   wait                          until the program is idle
 *   await TEXT                    until TEXT is on the screen
 *   screen TITLE | colours TITLE  write the text, or the colours and attributes, to the output
 *   picture FILE.svg [light]      draw the screen
 *   watch SECONDS                 let it run, and write down what it takes: memory and descriptors must not grow
 *   expect TEXT | reject TEXT     TEXT is, is not, within one row of the screen
 *   sent TEXT | unsent TEXT       the program has, has never sent these bytes; escapes as in `send`
 *   keep, same                    remember the screen; it is the remembered one, in text and colours
 *   repaint                       Ctrl-L leaves the screen the same
 *   exit STATUS                   it ends, with a number, a name such as SIGTERM, or `any`; the terminal is as found
 *
 * Every command first waits until the program is idle again (terminal.h), so a script need not say `wait`. */
#include "home.h"
#include "keystorm.h"
#include "picture.h"
#include "screen.h"
#include "terminal.h"
#include "typing.h"
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define countof(a) (sizeof(a) / sizeof *(a))

struct session {
	const char *script;
	int line;
	int limit_ms;
	struct terminal t;
	struct bytes kept_text, kept_colours;
};

static void __attribute__((noreturn, format(printf, 2, 3))) fail(struct session *s, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fflush(stdout);
	fprintf(stderr, "%s:%d: ", s->script, s->line);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("\n", stderr);
	if (s->t.vt) {
		struct bytes text = screen_text(&s->t);
		fprintf(stderr, "--- the screen then:\n%.*s---\n", (int)text.len, text.p);
	}
	if (s->t.child)
		kill(s->t.child, SIGKILL);
	exit(1);
}

static void settle(struct session *s)
{
	if (!terminal_settle(&s->t, s->limit_ms))
		fail(s, "the program did not become idle within %d s (no OSC 5959;idle)", s->limit_ms / 1000);
}

static void need_program(struct session *s)
{
	if (!s->t.child)
		fail(s, "no program is running");
}

static void need_screen(struct session *s)
{
	if (!s->t.vt)
		fail(s, "nothing was run");
}

static void parse_size(struct session *s, const char *arg, int *rows, int *cols)
{
	if (sscanf(arg, "%d %d", rows, cols) != 2 || *rows < 1 || *cols < 1 || *rows > 1000 || *cols > 1000)
		fail(s, "a size is ROWS COLS, each from 1 to 1000");
}

static void do_size(struct session *s, char *arg)
{
	if (s->t.child)
		fail(s, "size is for the next run: resize changes it now");
	parse_size(s, arg, &s->t.rows, &s->t.cols);
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
	if (s->t.child)
		fail(s, "a program is running already");
	size_t n = 1;
	for (char *word = strtok(arg, " "); word && n < countof(argv) - 1; word = strtok(NULL, " "))
		argv[n++] = word;
	fflush(stdout);
	if (terminal_start(&s->t, argv))
		fail(s, "no pseudo-terminal: %s", strerror(errno));
}

static void type(struct session *s, const char *text)
{
	const char *bad;
	if (!typing_text(&s->t, text, &bad))
		fail(s, "no such key: %s", bad);
}

static void do_keys(struct session *s, char *arg)
{
	need_program(s);
	type(s, arg);
}

static void do_send(struct session *s, char *arg)
{
	need_program(s);
	struct bytes b = bytes_unescape(arg);
	bytes_add(&s->t.typed, b.p, b.len);
	free(b.p);
}

static void do_paste(struct session *s, char *arg)
{
	need_program(s);
	vterm_keyboard_start_paste(s->t.vt);
	bytes_add_text(&s->t.typed, arg);
	vterm_keyboard_end_paste(s->t.vt);
}

static void do_mouse(struct session *s, char *arg)
{
	need_program(s);
	char what[10], way[6] = "";
	int row, col;
	bool wheel = sscanf(arg, "wheel %5[a-z] %d %d", way, &row, &col) == 3;
	if (!wheel && sscanf(arg, "%9[a-z] %d %d", what, &row, &col) != 3)
		fail(s, "mouse press|release|move ROW COL, mouse wheel up|down ROW COL");
	vterm_mouse_move(s->t.vt, row, col, VTERM_MOD_NONE);
	if (wheel)
		vterm_mouse_button(s->t.vt, !strcmp(way, "up") ? 4 : 5, true, VTERM_MOD_NONE);
	else if (strcmp(what, "move") != 0)
		vterm_mouse_button(s->t.vt, 1, !strcmp(what, "press"), VTERM_MOD_NONE);
}

static void do_resize(struct session *s, char *arg)
{
	need_program(s);
	int rows, cols;
	parse_size(s, arg, &rows, &cols);
	terminal_resize(&s->t, rows, cols);
}

/* Markers for sizes that are passed already may still be on their way when the last one is set. Two empty pastes,
 * each waited for, flush them: the program handles signals before keys. No size has one column, in which libvterm
 * 0.1.4 crashes at a wide character meant for a wider screen. */
static void do_storm(struct session *s, char *arg)
{
	need_program(s);
	int count, seed, rows = s->t.rows, cols = s->t.cols;
	if (sscanf(arg, "%d %d", &count, &seed) != 2)
		fail(s, "storm COUNT SEED");
	uint32_t state = (uint32_t)seed;
	for (int i = 0; i < count; i++) {
		terminal_resize(
			&s->t, 1 + (int)(keystorm_random(&state) % 70), 2 + (int)(keystorm_random(&state) % 220));
		if (keystorm_random(&state) % 2)
			settle(s);
		else
			terminal_turn(&s->t, 0);
	}
	terminal_resize(&s->t, rows, cols);
	for (int i = 0; i < 2; i++) {
		settle(s);
		need_program(s);
		do_paste(s, "");
	}
}

/* Keys come in bursts, faster than the program draws; now and then Esc closes what they have opened. STORM in the
 * environment multiplies their number. */
static void do_keystorm(struct session *s, char *arg)
{
	enum { BURST = 8, TO_ESC = 60 };
	const char *more = getenv("STORM");
	int count, seed, times = more ? atoi(more) : 1;
	if (sscanf(arg, "%d %d", &count, &seed) != 2)
		fail(s, "keystorm COUNT SEED");
	uint32_t state = (uint32_t)seed;
	for (int i = 0; i < count * times; i++) {
		need_program(s);
		type(s, i % TO_ESC == TO_ESC - 1 ? "<Esc>" : keystorm_key(&state));
		if (i % TO_ESC == TO_ESC - 1 || keystorm_random(&state) % BURST == 0)
			settle(s);
		else
			terminal_turn(&s->t, 0);
	}
	settle(s);
	need_program(s);
	type(s, "<Esc>");
}

static const struct {
	const char *name;
	int number;
	bool answered; /* the program goes on, and will be idle again */
} signals[] = {{"TERM", SIGTERM, false}, {"HUP", SIGHUP, false}, {"INT", SIGINT, true}, {"CONT", SIGCONT, true},
	{"TSTP", SIGTSTP, true}, {"ABRT", SIGABRT, false}, {"SEGV", SIGSEGV, false}, {"KILL", SIGKILL, false},
	{"PIPE", SIGPIPE, true}, {"QUIT", SIGQUIT, false}, {"ALRM", SIGALRM, false}, {"USR1", SIGUSR1, false},
	{"USR2", SIGUSR2, false}, {"VTALRM", SIGVTALRM, false}, {"PROF", SIGPROF, false}, {"XCPU", SIGXCPU, false},
	{"XFSZ", SIGXFSZ, false}, {"SYS", SIGSYS, false}, {"TRAP", SIGTRAP, false}, {"IO", SIGIO, false}};

static void do_signal(struct session *s, char *arg)
{
	need_program(s);
	for (size_t i = 0; i < countof(signals); i++)
		if (!strcmp(arg, signals[i].name)) {
			s->t.owed = signals[i].answered;
			kill(s->t.child, signals[i].number);
			return;
		}
	fail(s, "no signal is called %s", arg);
}

static void do_hangup(struct session *s, char *arg)
{
	(void)arg;
	need_program(s);
	terminal_hang_up(&s->t);
}

static void do_wait(struct session *s, char *arg) { (void)s, (void)arg; }

static bool shows(const struct terminal *t, const void *text) { return screen_shows(t, text); }

static void do_await(struct session *s, char *arg)
{
	need_screen(s);
	if (!terminal_until(&s->t, shows, arg, s->limit_ms) || !screen_shows(&s->t, arg))
		fail(s, "this did not appear within %d s: %s", s->limit_ms / 1000, arg);
}

static void do_screen(struct session *s, char *arg)
{
	need_screen(s);
	struct bytes text = screen_text(&s->t);
	printf("=== %s (%dx%d, ", arg, s->t.rows, s->t.cols);
	if (s->t.cursor_on)
		printf("cursor %d %d)\n", s->t.cursor.row, s->t.cursor.col);
	else
		printf("no cursor)\n");
	fwrite(text.p, 1, text.len, stdout);
	free(text.p);
}

static void do_colours(struct session *s, char *arg)
{
	need_screen(s);
	struct bytes text = curses_colours(&s->t);
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
	picture_write(f, &s->t, light);
	if (fclose(f))
		fail(s, "%s: %s", arg, strerror(errno));
}

static void do_watch(struct session *s, char *arg)
{
	need_program(s);
	const char *grown = watch(&s->t, atoi(arg));
	need_program(s);
	if (grown)
		fail(s, "its %s grew", grown);
}

static void do_expect(struct session *s, char *arg)
{
	need_screen(s);
	if (!screen_shows(&s->t, arg))
		fail(s, "not on the screen: %s", arg);
}

static void do_reject(struct session *s, char *arg)
{
	need_screen(s);
	if (screen_shows(&s->t, arg))
		fail(s, "on the screen: %s", arg);
}

static bool was_sent(const struct session *s, const char *arg)
{
	struct bytes b = bytes_unescape(arg);
	bool sent = b.len && s->t.seen.len && memmem(s->t.seen.p, s->t.seen.len, b.p, b.len);
	free(b.p);
	return sent;
}

static void do_sent(struct session *s, char *arg)
{
	need_screen(s);
	if (!was_sent(s, arg))
		fail(s, "the program has not sent: %s", arg);
}

static void do_unsent(struct session *s, char *arg)
{
	need_screen(s);
	if (was_sent(s, arg))
		fail(s, "the program has sent: %s", arg);
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
	s->kept_text = screen_text(&s->t);
	s->kept_colours = curses_colours(&s->t);
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

/* Fail where the screen is not as these say. */
static void compare(struct session *s, struct bytes old_text, struct bytes old_colours)
{
	struct bytes text = screen_text(&s->t), colours = curses_colours(&s->t);
	int row = differing_line(old_text, text), line = differing_line(old_colours, colours);
	free(text.p);
	free(colours.p);
	if (row >= 0)
		fail(s, "row %d has other text", row);
	if (line >= 0)
		fail(s, "the text is the same, but not the colours (line %d of them)", line);
}

static void do_same(struct session *s, char *arg)
{
	(void)arg;
	need_screen(s);
	compare(s, s->kept_text, s->kept_colours);
}

static void do_repaint(struct session *s, char *arg)
{
	(void)arg;
	need_program(s);
	struct bytes text = screen_text(&s->t), colours = curses_colours(&s->t);
	type(s, "<C-l>");
	settle(s);
	compare(s, text, colours);
	free(text.p);
	free(colours.p);
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
	if (!terminal_until(&s->t, terminal_ended, NULL, s->limit_ms))
		fail(s, "the program did not end within %d s", s->limit_ms / 1000);
	char status[16];
	name_status(status, sizeof status, s->t.status);
	if (strcmp(arg, "any") != 0 && strcmp(status, arg) != 0)
		fail(s, "the program ended with %s, not %s", status, arg);
	if (s->t.master < 0)
		return;
	const char *what = terminal_left(&s->t);
	if (what)
		fail(s, "the program left %s", what);
	terminal_hang_up(&s->t);
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
	{"keystorm", do_keystorm, false},
	{"signal", do_signal, false},
	{"hangup", do_hangup, false},
	{"wait", do_wait, false},
	{"await", do_await, true},
	{"screen", do_screen, false},
	{"colours", do_colours, false},
	{"picture", do_picture, false},
	{"watch", do_watch, true},
	{"expect", do_expect, false},
	{"reject", do_reject, false},
	{"sent", do_sent, false},
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

static int limit_ms(void)
{
	const char *limit = getenv("PTY_LIMIT");
	return 1000 * (limit && atoi(limit) > 0 ? atoi(limit) : 20);
}

static void run_script(struct session *s, FILE *script)
{
	char *text = NULL;
	size_t room = 0;
	for (ssize_t n; (n = getline(&text, &room, script)) >= 0;) {
		s->line++;
		text[n - (n && text[n - 1] == '\n')] = '\0';
		if (*text && *text != '#')
			obey(s, text);
	}
	settle(s);
	if (s->t.child)
		fail(s, "the script ends, but the program still runs");
	free(text);
}

int main(int argc, char **argv)
{
	FILE *script = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!script || home_set_up()) {
		fprintf(stderr, "%s: %s\n", argc == 2 ? argv[1] : "usage: pty SCRIPT", strerror(errno));
		return 2;
	}
	struct session s = {.script = argv[1], .limit_ms = limit_ms(), .t = {.rows = 24, .cols = 80, .master = -1}};
	run_script(&s, script);
	fclose(script);
	forget(&s);
	terminal_free(&s.t);
	return 0;
}
