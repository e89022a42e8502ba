/* terminal.c - see terminal.h */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

/* --- what libvterm tells ----------------------------------------------------------------------------------------- */

static int on_damage(VTermRect rect, void *user)
{
	(void)rect;
	((struct terminal *)user)->dirty = true;
	return 1;
}

static int on_cursor(VTermPos pos, VTermPos old, int visible, void *user)
{
	(void)old, (void)visible;
	((struct terminal *)user)->cursor = pos;
	return 1;
}

static int on_property(VTermProp prop, VTermValue *value, void *user)
{
	struct terminal *t = user;
	if (prop == VTERM_PROP_CURSORVISIBLE)
		t->cursor_on = value->boolean;
	else if (prop == VTERM_PROP_ALTSCREEN)
		t->alt_screen = value->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		t->mouse = value->number;
	return 1;
}

/* Type input. A real terminal also replies to queries; this one does not, as replies would come between keys:
 * scripts send them. */
static void on_output(const char *p, size_t n, void *user)
{
	struct terminal *t = user;
	if (!t->feeding)
		bytes_add(&t->typed, p, n);
}

static const VTermScreenCallbacks callbacks = {
	.damage = on_damage, .movecursor = on_cursor, .settermprop = on_property};

/* --- beginning and end ------------------------------------------------------------------------------------------- */

static void new_screen(struct terminal *t)
{
	if (t->vt)
		vterm_free(t->vt);
	t->vt = vterm_new(t->rows, t->cols);
	t->screen = vterm_obtain_screen(t->vt);
	t->cursor = (VTermPos){0, 0};
	t->cursor_on = true;
	t->alt_screen = false;
	t->mouse = 0;
	t->seen.len = t->typed.len = t->fed = 0;
	vterm_set_utf8(t->vt, 1);
	vterm_output_set_callback(t->vt, on_output, t);
	vterm_screen_set_callbacks(t->screen, &callbacks, t);
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_reset(t->screen, 1);
}

/* The child keeps the writing end of a pipe open for as long as it lives. */
int terminal_start(struct terminal *t, char *const argv[])
{
	int ends[2], slave;
	struct winsize size = {.ws_row = (unsigned short)t->rows, .ws_col = (unsigned short)t->cols};
	new_screen(t);
	terminal_hang_up(t);
	if (pipe(ends))
		return -1;
	if (openpty(&t->master, &slave, NULL, NULL, &size)) {
		close(ends[0]);
		close(ends[1]);
		return -1;
	}
	tcgetattr(slave, &t->found);
	t->child = fork();
	if (!t->child) {
		close(ends[0]);
		close(t->master);
		for (int number = 1; number < NSIG; number++)
			signal(number, SIG_DFL); /* what starts the tests may ignore some, as nohup does, or Python */
		login_tty(slave);
		execv(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	close(ends[1]);
	close(slave);
	t->alive = ends[0];
	if (t->child < 0) {
		close(t->alive);
		t->child = 0;
		terminal_hang_up(t);
		return -1;
	}
	fcntl(t->master, F_SETFL, O_NONBLOCK);
	t->owed = true;
	return 0;
}

void terminal_hang_up(struct terminal *t)
{
	if (t->master >= 0)
		close(t->master);
	t->master = -1;
}

void terminal_free(struct terminal *t)
{
	terminal_hang_up(t);
	if (t->vt)
		vterm_free(t->vt);
	free(t->typed.p);
	free(t->seen.p);
}

/* Modes of the terminal, and those of the line discipline. */
const char *terminal_left(struct terminal *t)
{
	struct termios now;
	if (t->alt_screen)
		return "the alternate screen";
	if (!t->cursor_on)
		return "the cursor hidden";
	if (t->mouse)
		return "the mouse on";
	t->typed.len = 0;
	vterm_keyboard_start_paste(t->vt);
	if (t->typed.len)
		return "bracketed paste on";
	if (!tcgetattr(t->master, &now)
		&& (now.c_lflag != t->found.c_lflag || now.c_iflag != t->found.c_iflag
			|| now.c_oflag != t->found.c_oflag || now.c_cflag != t->found.c_cflag))
		return "other terminal settings";
	return NULL;
}

/* --- give and take ----------------------------------------------------------------------------------------------- */

static const char marker[] = "\033]5959;idle;";

/* Where a marker begins in the n bytes at p, be it that only its beginning is there yet; NULL: nowhere. */
static const char *find_marker(const char *p, size_t n)
{
	const char *end = p + n;
	for (const char *esc = p; (esc = memchr(esc, '\033', (size_t)(end - esc))); esc++) {
		size_t len = (size_t)(end - esc) < strlen(marker) ? (size_t)(end - esc) : strlen(marker);
		if (!memcmp(esc, marker, len))
			return esc;
	}
	return NULL;
}

static void show(struct terminal *t, const char *p, size_t n)
{
	t->feeding = true;
	vterm_input_write(t->vt, p, n);
	t->feeding = false;
	vterm_screen_flush_damage(t->screen);
	t->fed += n;
}

/* Show what has come since the last time. Markers are found here, as libvterm 0.1.4 loses strings that come in parts;
 * the beginning of one waits for its end. */
static void feed(struct terminal *t)
{
	while (t->fed < t->seen.len) {
		const char *p = t->seen.p + t->fed, *all = t->seen.p + t->seen.len;
		const char *mark = find_marker(p, (size_t)(all - p));
		show(t, p, (size_t)((mark ? mark : all) - p));
		const char *end = mark ? memmem(mark, (size_t)(all - mark), "\033\\", 2) : NULL;
		if (!end)
			return;
		t->fed += (size_t)(end + 2 - mark);
		t->owed = t->dirty = false;
	}
}

/* Take what the program has sent; false when there is nothing now. */
static bool take_output(struct terminal *t)
{
	char part[65536];
	ssize_t n = read(t->master, part, sizeof part);
	if (n <= 0)
		return false;
	bytes_add(&t->seen, part, (size_t)n);
	feed(t);
	return true;
}

static void give_input(struct terminal *t)
{
	ssize_t n = write(t->master, t->typed.p, t->typed.len);
	if (n < 0 && errno != EAGAIN)
		t->typed.len = 0; /* it has no reader */
	if (n <= 0)
		return;
	t->typed.len -= (size_t)n;
	memmove(t->typed.p, t->typed.p + n, t->typed.len);
	t->owed = true;
}

/* The last words of a program may still be on their way through the kernel when it has ended: a read fails after
 * them, unless a child of it keeps the terminal open. */
static void reap(struct terminal *t)
{
	struct pollfd rest = {.fd = t->master, .events = POLLIN};
	while (t->master >= 0 && poll(&rest, 1, 1000) > 0 && take_output(t))
		;
	while (waitpid(t->child, &t->status, 0) < 0 && errno == EINTR)
		;
	close(t->alive);
	t->child = 0;
	t->owed = t->dirty = false;
}

/* Output goes first: what the program said before it got the input is no answer to it. */
bool terminal_turn(struct terminal *t, int ms)
{
	struct pollfd fds[2] = {{.fd = t->master, .events = POLLIN}, {.fd = t->alive}};
	if (t->typed.len)
		fds[0].events |= POLLOUT;
	if (poll(fds, 2, ms) <= 0)
		return false;
	if (fds[0].revents & (POLLIN | POLLHUP) && take_output(t))
		return true;
	if (fds[1].revents)
		reap(t);
	else if (fds[0].revents & POLLOUT)
		give_input(t);
	else /* the program has closed its terminal, but lives: only its end is left to wait for */
		return poll(&fds[1], 1, ms) > 0;
	return true;
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool terminal_until(
	struct terminal *t, bool (*done)(const struct terminal *t, const void *arg), const void *arg, int ms)
{
	int64_t end = now_ms() + ms;
	while (t->child && !done(t, arg)) {
		int64_t left = end - now_ms();
		if (left <= 0)
			return false;
		terminal_turn(t, (int)left);
	}
	return true;
}

bool terminal_ended(const struct terminal *t, const void *unused)
{
	(void)unused;
	return !t->child;
}

static bool answered(const struct terminal *t, const void *unused)
{
	(void)unused;
	return !t->owed && !t->dirty && !t->typed.len;
}

bool terminal_settle(struct terminal *t, int ms)
{
	do {
		if (!terminal_until(t, answered, NULL, ms))
			return false;
	} while (t->child && terminal_turn(t, 0));
	return true;
}

/* The kernel sends SIGWINCH only when the size is another one: only then is there something to answer. */
void terminal_resize(struct terminal *t, int rows, int cols)
{
	if (rows == t->rows && cols == t->cols)
		return;
	t->rows = rows;
	t->cols = cols;
	if (!t->child)
		return;
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	vterm_set_size(t->vt, rows, cols);
	ioctl(t->master, TIOCSWINSZ, &size);
	t->owed = true;
}
