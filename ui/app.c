#include "app.h"

#include "input.h"
#include "view.h"
#include "view_help.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { READ_ROOM = 4096, READ_AT_ONCE = 16, CHORD_HINT_MS = 400, INTERRUPTED = 130 };

struct app {
	struct view_host host;
	struct tty_traits traits;
	struct canvas canvas;
	struct input *input;
	struct help help;
	struct keymap_state keys;
	int wake_fd;
	struct evl_progress drawn; /* how far the log was read when it was last drawn */
	int64_t chord_ms;          /* when the pending chord began */
	bool dirty, repaint, answered, leave;
	bool sync;                 /* a test harness drives: the clock stands still, nothing waits for a timer */
	int cancels, status;
};

static int64_t now_ms(const struct app *a)
{
	struct timespec t;
	if (a->sync)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void leave(struct app *a, int status)
{
	a->leave = true;
	a->status = status;
}

/* --- actions --- */

/* The first time stops a search, then the reading; the second time in a row leaves. */
static void cancel(struct app *a)
{
	bool reading = !evl_progress(a->host.log).done, searching = a->host.job && event_job_stop(a->host.job);
	if (++a->cancels > 1) {
		leave(a, INTERRUPTED);
		return;
	}
	if (reading)
		evl_cancel(a->host.log);
	view_say(&a->host, false, "%s", searching ? "search stopped; Ctrl-C again quits"
		: reading ? "reading stopped; Ctrl-C again quits" : "Ctrl-C again quits, so does q");
}

static void act(struct app *a, enum action action)
{
	a->host.now_ms = now_ms(a);
	switch (action) {
	case ACT_HELP: a->help.open = true; break;
	case ACT_REPAINT: a->repaint = true; break;
	case ACT_SUSPEND: tty_suspend(); a->repaint = true; break;
	case ACT_CANCEL: cancel(a); break;
	case ACT_QUIT:
	case ACT_QUIT_NOW: leave(a, EXIT_SUCCESS); break;
	default:
		if (!view_act(&a->host, action))
			view_say(&a->host, true, "that does nothing in this pane (? shows the keys)");
	}
}

/* --- keys --- */

static void help_key(struct app *a, const char *key)
{
	struct keymap_state state = {0};
	enum action action = keymap_feed(&state, key, NULL);
	if (action == ACT_DOWN)
		a->help.top++;
	else if (action == ACT_UP)
		a->help.top--;
	else if (action == ACT_QUIT_NOW)
		leave(a, EXIT_SUCCESS);
	else if (action == ACT_CANCEL)
		a->help.open = false;
	else if (strcmp(key, "<Esc>") == 0 || action == ACT_QUIT || action == ACT_HELP)
		a->help.open = false;
}

static void map_key(struct app *a, const char *key)
{
	char unknown[sizeof a->keys.typed];
	if (strcmp(key, "<Esc>") == 0) {
		a->keys.typed[0] = 0;
		return;
	}
	enum action action = keymap_feed(&a->keys, key, unknown);
	if (action == ACT_MORE) {
		a->chord_ms = now_ms(a);
	} else if (action == ACT_NONE) {
		view_say(&a->host, true, "%s is bound to nothing (? shows the keys)", unknown);
	} else {
		act(a, action);
	}
}

static void prompt_input(struct app *a, const struct key *key)
{
	struct view_host *h = &a->host;
	h->now_ms = now_ms(a);
	enum prompt_result result = prompt_key(&h->prompt, key);
	h->answer(h, h->prompt.text, result);
}

static void on_key(struct app *a, const struct key *key)
{
	int cancels = a->cancels;
	view_say(&a->host, false, "%s", "");
	a->dirty = a->answered = true;
	if (a->host.prompt.open) {
		prompt_input(a, key);
	} else if (key->kind == KEY_NAME && a->help.open) {
		help_key(a, key->name);
	} else if (key->kind == KEY_NAME) {
		map_key(a, key->name);
	}
	if (a->cancels == cancels) /* only twice in a row counts */
		a->cancels = 0;
}

static void take_keys(struct app *a)
{
	struct key key;
	while (!a->leave && input_next(a->input, &key))
		on_key(a, &key);
}

static void read_keys(struct app *a)
{
	uint8_t bytes[READ_ROOM];
	int n = 1;
	for (int i = 0; i < READ_AT_ONCE && n > 0; i++) { /* all that is there, then one frame for it */
		n = tty_read(bytes, sizeof bytes);
		if (n > 0)
			input_push(a->input, bytes, (size_t)n);
		take_keys(a);
	}
	a->answered = true;
	if (n < 0)
		leave(a, EXIT_SUCCESS);
}

/* --- drawing --- */

static int fit_canvas(struct app *a)
{
	int rows, cols;
	tty_size(&rows, &cols);
	if (rows == a->canvas.rows && cols == a->canvas.cols)
		return 0;
	a->repaint = true;
	return canvas_resize(&a->canvas, rows, cols);
}

static void draw(struct app *a)
{
	struct view_host *h = &a->host;
	bool chord = a->keys.typed[0] && now_ms(a) - a->chord_ms >= (a->sync ? 0 : CHORD_HINT_MS);
	if (fit_canvas(a) < 0) {
		leave(a, EXIT_FAILURE);
		return;
	}
	a->drawn = evl_progress(h->log);
	model_refresh(&h->model);
	h->now_ms = now_ms(a);
	h->pending = chord ? a->keys.typed : "";
	view_draw(h, &a->canvas);
	if (a->help.open)
		help_draw(&a->help, view_shown(h)->pane, &a->canvas);
	if (h->prompt.open)
		prompt_draw(&h->prompt, &a->canvas, a->canvas.rows - 1);
	if (tty_show(&a->canvas, a->repaint) < 0)
		leave(a, EXIT_SUCCESS);
	a->dirty = a->repaint = false;
	a->answered = true;
}

/* --- the loop --- */

static void wake(void *ctx)
{
	uint64_t one = 1;
	const struct app *a = ctx;
	if (write(a->wake_fd, &one, sizeof one) < 0) {
		/* full: the loop is awake anyway */
	}
}

static void take_news(struct app *a)
{
	uint64_t count;
	if (read(a->wake_fd, &count, sizeof count) < 0) /* first: what comes from now on wakes us again */
		return;
	struct evl_progress now = evl_progress(a->host.log);
	if (view_news(&a->host) || now.bytes != a->drawn.bytes || now.done != a->drawn.done || now.ready != a->drawn.ready
		|| now.fetched != a->drawn.fetched)
		a->dirty = true;
}

static void take_signals(struct app *a)
{
	int signals = tty_signals();
	if (signals & TTY_RESIZED)
		a->dirty = a->repaint = true;
	if (signals & TTY_INTERRUPT)
		leave(a, INTERRUPTED);
	if (signals & TTY_END)
		leave(a, EXIT_FAILURE);
}

/* How long to wait, ms; -1: for ever. */
static int patience(const struct app *a)
{
	if (input_pending(a->input))
		return input_wait_ms(a->input);
	int64_t left = a->chord_ms + CHORD_HINT_MS - now_ms(a);
	return a->keys.typed[0] && !a->sync && left > 0 ? (int)left : -1;
}

static void wait_and_take(struct app *a)
{
	struct pollfd fds[] = {{tty_input_fd(), POLLIN, 0}, {tty_signal_fd(), POLLIN, 0}, {a->wake_fd, POLLIN, 0}};
	int n = poll(fds, countof(fds), patience(a));
	if (n < 0 && errno != EINTR) {
		leave(a, EXIT_FAILURE);
	} else if (n == 0) {
		input_timeout(a->input);
		take_keys(a);
		a->dirty = true;
	} else if (n > 0) {
		if (fds[1].revents)
			take_signals(a);
		if (fds[0].revents & POLLIN)
			read_keys(a);
		else if (fds[0].revents)
			leave(a, EXIT_SUCCESS); /* the terminal is gone */
		if (fds[2].revents)
			take_news(a);
	}
}

static void loop(struct app *a)
{
	a->dirty = true;
	while (!a->leave) {
		if (a->dirty)
			draw(a);
		if (a->answered && a->drawn.done && !input_pending(a->input) && !view_busy(&a->host)) {
			tty_idle();
			a->answered = false;
		}
		if (!a->leave)
			wait_and_take(a);
	}
}

static int start_reading(struct app *a)
{
	evl_never_wait(a->host.log, wake, a);
	return evl_start(a->host.log, wake, a);
}

static int start(struct app *a, const struct tty_options *options)
{
	char why[200];
	if (tty_open(options, &a->traits, why, sizeof why) < 0) {
		fprintf(stderr, "evtui: %s\n", why);
		return -1;
	}
	a->canvas.ascii = a->traits.ascii;
	a->canvas.mono = a->traits.mono;
	if (a->traits.note)
		view_say(&a->host, true, "%s", a->traits.note);
	a->input = input_new(a->traits.term, a->traits.utf8);
	return a->input && start_reading(a) == 0 ? 0 : -1;
}

int app_run(struct evl_log *log, const struct tty_options *options)
{
	const char *sync = getenv("EVTUI_SYNC");
	struct app a = {.status = EXIT_FAILURE, .sync = sync && *sync == '1'};
	a.host = (struct view_host){.log = log, .theme = options->theme, .wake = wake, .wake_ctx = &a, .patient = a.sync};
	a.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (a.wake_fd >= 0 && start(&a, options) == 0) {
		model_init(&a.host.model, log);
		if (view_open(&a.host))
			loop(&a);
	}
	tty_close();
	view_close(&a.host); /* its jobs read the log */
	evl_close(log);      /* its walk may still wake us */
	input_free(a.input);
	canvas_free(&a.canvas);
	if (a.wake_fd >= 0)
		close(a.wake_fd);
	tty_die_of_signal();
	return a.status;
}
