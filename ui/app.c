#include "app.h"

#include "clipboard.h"
#include "command.h"
#include "copy.h"
#include "exports.h"
#include "follow.h"
#include "input.h"
#include "mark_keys.h"
#include "mouse.h"
#include "panes.h"
#include "rts.h"
#include "script.h"
#include "select_keys.h"
#include "state_dir.h"
#include "view_help.h"
#include "view_timeline.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { READ_ROOM = 4096, READ_AT_ONCE = 16, CHORD_HINT_MS = 400, INTERRUPTED = 130 };
enum { REST_MS = 60 }; /* longer than between two repeats of a key that is held: news waits so long behind a key */

struct app {
	struct view_host host;
	struct tty_traits traits;
	struct canvas canvas;
	struct input *input;
	struct help help;
	struct mouse mouse;
	struct mark_keys marks;
	const char *copy_file;     /* or NULL */
	struct following follow;
	struct script script;
	char failed[256];          /* the first error of --script, or of the stream; "": none */
	bool child_told;           /* the program's end was said */
	bool unreadable;           /* the stream is no log, or cannot be had */
	int colours;
	struct keymap_state keys;
	struct lane jumped_from;   /* the lane that was selected before the last jump */
	int wake_fd;
	struct evl_progress drawn; /* how far the log was read when it was last drawn */
	int64_t chord_ms;          /* when the pending chord began */
	int64_t key_ms;            /* when the last key came */
	bool dirty, repaint, leave;
	bool answered;             /* somebody did something, and no idleness was announced since; news alone is no reason */
	bool theme_open;           /* the terminal may still say which one */
	int64_t asked_ms;          /* when it was asked */
	bool held;                 /* there is news to draw, at the latest when the keys rest */
	bool sync;                 /* a test harness drives: the clock stands still, nothing waits for a timer */
	bool starved;              /* no memory, or no thread, for what there is no program without */
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
	bool counting = panes_stop(&a->host);
	bool exporting = exports_cancel(&a->host);
	if (++a->cancels > 1) {
		leave(a, INTERRUPTED);
		return;
	}
	if (reading)
		evl_cancel(a->host.log);
	view_say(&a->host, false, "%s", exporting ? "stopping the export; Ctrl-C again quits"
		: searching ? "search stopped; Ctrl-C again quits"
		: counting ? "stopped; Ctrl-C again quits"
		: reading ? "reading stopped; Ctrl-C again quits" : "Ctrl-C again quits, so does q");
}

static struct lane lane_now(const struct app *a)
{
	const struct lane *lane = timeline_lane(timeline_of(&a->host));
	return lane ? *lane : (struct lane){0};
}

/* The window and the cursor, and the lane. */
static void go_back(struct app *a)
{
	struct lane lane = a->jumped_from;
	if (!model_back(&a->host.model, now_ms(a)))
		view_say(&a->host, true, "no jump yet to come back from");
	else if (lane.ops)
		lanes_select(&timeline_of(&a->host)->lanes, lane.ops, lane.index);
}

/* What is entered runs after the next frame. */
static void take_command(struct view_host *h, const char *text, enum prompt_result result)
{
	if (result == PROMPT_DONE)
		snprintf(h->command, sizeof h->command, "%s", text);
}

/* Tab at the command line. */
static void complete(struct view_host *h)
{
	char text[PROMPT_ROOM], say[COMMAND_SAY];
	if (h->prompt.at != h->prompt.len)
		return;
	command_complete(h->prompt.text, text, sizeof text, say);
	view_say(h, false, "%s", say);
	prompt_set(&h->prompt, text);
}

static void prompt_input(struct app *a, const struct key *key)
{
	struct view_host *h = &a->host;
	uint32_t jumps = h->model.jumps;
	h->now_ms = now_ms(a);
	if (h->asks == ASK_COMMAND && key->kind == KEY_NAME && strcmp(key->name, "<Tab>") == 0)
		complete(h);
	else
		view_prompt_key(h, key);
	if (h->model.jumps != jumps)
		a->jumped_from = lane_now(a);
}

/* --- commands --- */

/* One line; where: the file and line that it comes from, or NULL. */
static void run_command(struct app *a, const char *line, const char *where)
{
	char text[VIEW_MESSAGE];
	struct evl_err err;
	struct command_host host = {.model = &a->host.model, .timeline = timeline_of(&a->host), .canvas = &a->canvas,
		.input = a->input, .help = &a->help, .mouse = &a->mouse, .view = &a->host, .marks_file = &a->marks.file,
		.traits = &a->traits, .theme = &a->host.theme, .colours = &a->colours, .now_ms = now_ms(a)};
	a->dirty = a->answered = true;
	if (command_run(&host, line, &err) < 0) {
		snprintf(text, sizeof text, "%.120s%s%.120s", where ? where : "", where ? ": " : "", err.text);
		view_say(&a->host, true, "%s", text);
		if (where && !a->failed[0])
			memcpy(a->failed, text, sizeof text);
		return;
	}
	if (host.say[0])
		view_say(&a->host, false, "%s", host.say);
	a->repaint |= host.repaint;
	if (host.leave)
		leave(a, EXIT_SUCCESS);
}

static void run_line_of_script(struct app *a)
{
	char where[160];
	run_command(a, script_line(&a->script), script_where(&a->script, where, sizeof where));
	script_next(&a->script);
}

/* Was there news since take_news was called? */
static bool is_woken(const struct app *a)
{
	struct pollfd p = {a->wake_fd, POLLIN, 0};
	return poll(&p, 1, 0) > 0;
}

/* Does the last frame show all there is, and is nothing under way? */
static bool is_settled(const struct app *a)
{
	struct evl_progress now = evl_progress(a->host.log);
	return a->drawn.done && !now.fetching && now.fetched == a->drawn.fetched && !panes_busy(&a->host)
		&& !follow_busy(&a->follow) && !is_woken(a);
}

/* After a frame: what was entered, else the next line of a file, which may have to wait for the log. */
static bool run_next(struct app *a)
{
	char line[PROMPT_ROOM];
	if (a->host.command[0]) {
		memcpy(line, a->host.command, sizeof line);
		a->host.command[0] = '\0';
		run_command(a, line, NULL);
		return true;
	}
	if (!script_line(&a->script) || (command_waits(script_line(&a->script)) && !is_settled(a)))
		return false;
	run_line_of_script(a);
	return true;
}

/* What needs no log is done before the first frame. */
static void run_settings(struct app *a)
{
	while (script_line(&a->script) && !command_waits(script_line(&a->script)) && !a->leave)
		run_line_of_script(a);
}

static void switch_mouse(struct app *a)
{
	a->mouse.on = !a->mouse.on;
	tty_mouse(a->mouse.on);
	view_say(&a->host, false, a->mouse.on ? "mouse on (Shift+drag selects text)"
		: "mouse off: it selects text now (F2: on)");
}

/* --- copying --- */

static void copy(struct app *a, bool screen)
{
	char say[CLIPBOARD_SAY];
	struct buf text = {0};
	bool any = screen ? copy_screen(&a->canvas, &text) : copy_row(&a->host, a->canvas.ascii, &text), good = false;
	if (any)
		good = clipboard_copy((struct evl_str){(const uint8_t *)text.p, text.len}, a->copy_file, say);
	view_say(&a->host, !good, "%s", any ? say : "there is nothing to copy");
	buf_free(&text);
}

/* --- keys that mean the same everywhere --- */

static bool act_on_program(struct app *a, enum action action)
{
	struct view_host *h = &a->host;
	char text[PROMPT_ROOM];
	switch (action) {
	case ACT_BACK: go_back(a); return true;
	case ACT_COMMAND: view_ask(h, ASK_COMMAND, "", take_command); return true;
	case ACT_FOLLOW: follow_end(&a->follow, h); return true;
	case ACT_EXPORT: view_ask(h, ASK_COMMAND, exports_offer(h, text, sizeof text), take_command); return true;
	case ACT_HELP: help_about(&a->help, ""); return true;
	case ACT_COPY:
	case ACT_COPY_SCREEN: copy(a, action == ACT_COPY_SCREEN); return true;
	case ACT_MOUSE: switch_mouse(a); return true;
	case ACT_REPAINT: a->repaint = true; return true;
	case ACT_SUSPEND: tty_suspend(); a->repaint = true; return true;
	case ACT_CANCEL: cancel(a); return true;
	case ACT_QUIT:
		if (panes_leave(h))
			return true; /* else as below */
		/* fallthrough */
	case ACT_QUIT_NOW: leave(a, EXIT_SUCCESS); return true;
	default: return false;
	}
}

static void act(struct app *a, enum action action)
{
	struct view_host *h = &a->host;
	struct lane lane = lane_now(a);
	uint32_t jumps = h->model.jumps;
	h->now_ms = now_ms(a);
	if (!act_on_program(a, action) && !mark_keys_act(&a->marks, h, action, a->keys.letter) && !panes_act(h, action))
		view_say(h, true, "that does nothing in this pane (? shows the keys)");
	if (h->model.jumps != jumps)
		a->jumped_from = lane;
}

/* --- keys --- */

static void help_key(struct app *a, const char *key)
{
	struct keymap_state state = {0};
	enum action action = keymap_feed(&state, key, NULL);
	if (action == ACT_QUIT_NOW)
		leave(a, EXIT_SUCCESS);
	else if (strcmp(key, "<Esc>") == 0 || action == ACT_QUIT || action == ACT_HELP || action == ACT_CANCEL)
		a->help.open = false;
	else
		help_scroll(&a->help, action);
}

static void map_key(struct app *a, const char *key)
{
	char unknown[sizeof a->keys.typed], text[KEYMAP_TEXT];
	if (strcmp(key, "<Esc>") == 0) {
		if (!a->keys.typed[0] && !panes_leave(&a->host))
			select_drop(&a->host.model);
		a->keys.typed[0] = 0;
		return;
	}
	enum action action = keymap_feed(&a->keys, key, unknown);
	if (action == ACT_MORE) {
		a->chord_ms = now_ms(a);
	} else if (action == ACT_NONE) {
		view_say(&a->host, true, "%s is bound to nothing (? shows the keys)", keymap_text(unknown, text));
	} else {
		act(a, action);
	}
}

/* What hints and tabs do when they are clicked on. */
static enum action clicked(const struct app *a, const struct key *key)
{
	if (key->kind != KEY_PRESS || key->button != 1 || !a->mouse.on)
		return ACT_NONE;
	return key->y == 0 ? mouse_hint(&a->host.tabs, key->x)
		: key->y == a->canvas.rows - 1 ? mouse_hint(&a->host.hints, key->x) : ACT_NONE;
}

/* A pane without lanes: the wheel moves through it, and it may know what clicks mean. */
static enum action mouse_elsewhere(struct app *a, const struct key *key)
{
	struct view_host *h = &a->host;
	const struct view_ops *ops = view_shown(h);
	bool edge = key->y == h->split_y || key->y == a->canvas.rows - 1;
	if (key->kind == KEY_WHEEL)
		return key->button < 0 ? ACT_UP : ACT_DOWN;
	if (key->kind == KEY_PRESS && key->button == 1 && a->mouse.on && !edge && ops->click)
		ops->click(h->views[h->shown], h, key->y - h->split_y, key->x, mouse_twice(&a->mouse, key, h->now_ms));
	return ACT_NONE;
}

/* The mouse: scrolls the help; else works on the pane, unless something is being typed. */
static void mouse(struct app *a, const struct key *key)
{
	struct view_host *h = &a->host;
	const char *why = NULL;
	enum action action = clicked(a, key);
	h->now_ms = now_ms(a);
	if (h->split_y && key->kind != KEY_DRAG && key->kind != KEY_RELEASE && key->y != h->split_y) /* the half under it */
		h->shown = key->y > h->split_y ? VIEW_EVENTS : VIEW_TIMELINE;
	if (a->help.open)
		a->help.top += key->kind != KEY_WHEEL ? 0 : key->button < 0 ? -1 : 1;
	else if (h->prompt.open || a->marks.list.open || action != ACT_NONE)
		;
	else if (h->shown == VIEW_TIMELINE)
		why = mouse_event(&a->mouse, timeline_of(h), &h->model, key, h->now_ms);
	else
		action = mouse_elsewhere(a, key);
	if (a->help.open || h->prompt.open || a->marks.list.open)
		return;
	if (action != ACT_NONE)
		act(a, action);
	else if (why)
		view_say(h, true, "%s", why);
}

static void on_key(struct app *a, const struct key *key)
{
	int cancels = a->cancels;
	if (key->kind != KEY_DRAG && key->kind != KEY_RELEASE) /* these go on with what a press began */
		view_say(&a->host, false, "%s", "");
	a->dirty = a->answered = true;
	if (key->kind >= KEY_PRESS) {
		a->keys.typed[0] = 0;
		a->cancels = 0;
		mouse(a, key);
		return;
	}
	if (a->host.prompt.open) {
		prompt_input(a, key);
	} else if (key->kind == KEY_NAME && a->help.open) {
		help_key(a, key->name);
	} else if (key->kind == KEY_NAME && a->marks.list.open) {
		a->host.now_ms = now_ms(a);
		mark_keys_list(&a->marks, &a->host, key->name);
	} else if (key->kind == KEY_NAME) {
		map_key(a, key->name);
	}
	if (a->cancels == cancels) /* only twice in a row counts */
		a->cancels = 0;
}

/* The background decides the theme, unless somebody has: the user, or time. An answer that comes late changes nothing that
 * is looked at. */
static void take_background(struct app *a, enum theme theme)
{
	enum { SOON_MS = 2000 };
	bool soon = a->theme_open && now_ms(a) - a->asked_ms < SOON_MS;
	if (!soon || theme == a->host.theme || a->host.theme != a->traits.theme || a->colours != a->traits.colours)
		return;
	a->host.theme = a->traits.theme = theme;
	tty_colours(a->colours, theme);
	a->repaint = a->dirty = true;
}

/* What the terminal has said of itself. */
static void take_reply(struct app *a, enum reply reply)
{
	switch (reply) {
	case REPLY_LIGHT: take_background(a, THEME_LIGHT); break;
	case REPLY_DARK: take_background(a, THEME_DARK); break;
	case REPLY_SYNC: tty_holds_frames(); break;
	case REPLY_KEYS: tty_knows_keys(); a->dirty = true; break;
	case REPLY_END: a->theme_open = false; break;
	}
}

static void take_keys(struct app *a)
{
	struct key key;
	while (!a->leave && input_next(a->input, &key)) {
		if (key.kind == KEY_REPLY)
			take_reply(a, key.reply);
		else
			on_key(a, &key);
	}
}

static void read_keys(struct app *a)
{
	uint8_t bytes[READ_ROOM];
	int n = 1;
	a->key_ms = now_ms(a);
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
		a->starved = true;
		leave(a, EXIT_FAILURE);
		return;
	}
	a->drawn = evl_progress(h->log);
	model_refresh(&h->model);
	follow_say(&a->follow, h);
	selection_move(&h->model.selection, h->model.at.cursor);
	h->now_ms = now_ms(a);
	h->pending = chord ? a->keys.typed : "";
	panes_draw(h, &a->canvas);
	if (a->marks.list.open)
		marks_view_draw(&a->marks.list, &a->host.model, &a->canvas);
	if (a->help.open)
		help_draw(&a->help, view_shown(h)->pane, &a->canvas);
	if (a->host.prompt.open && a->host.message[0]) { /* above the line that is typed at */
		canvas_fill(&a->canvas, a->canvas.rows - 2, 0, 1, a->canvas.cols, ST_BAR);
		canvas_str(&a->canvas, a->canvas.rows - 2, 1, a->canvas.cols - 1, (struct pen){ST_EM, ST_BAR, 0}, a->host.message);
	}
	if (h->prompt.open)
		prompt_draw(&h->prompt, &a->canvas, a->canvas.rows - 1);
	if (tty_show(&a->canvas, a->repaint) < 0)
		leave(a, EXIT_SUCCESS);
	a->dirty = a->repaint = a->held = false;
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

/* The program that we run printed something, or has ended: maybe without a log, and we may know why. */
static void take_child(struct app *a)
{
	struct view_host *h = &a->host;
	if (h->shown == VIEW_OUTPUT)
		a->dirty = a->answered = true;
	if (a->child_told || !atomic_load(&h->child->over) || !follow_over(&a->follow))
		return;
	size_t len;
	char *printed = output_copy(&h->child->output, &len);
	const char *why = printed ? rts_refusal(printed, len) : NULL;
	a->child_told = a->dirty = a->answered = true;
	if (h->log->source.len == 0) {
		h->shown = VIEW_OUTPUT;
		view_say(h, true, "no log: %s", why ? why : "the program wrote none; only those that GHC made do");
	} else {
		view_say(h, h->child->status != 0, "the program has ended with status %d", h->child->status);
	}
	free(printed);
}

/* What came of a log that grows. A stream that is no log ends the program. */
static void take_stream(struct app *a)
{
	struct evl_err err;
	if (follow_news(&a->follow, &a->host))
		a->dirty = a->answered = true;
	if (a->host.child)
		take_child(a);
	else if (a->host.log->source.len == 0 && follow_over(&a->follow) && follow_failed(&a->follow, &err)) {
		snprintf(a->failed, sizeof a->failed, "%.80s: %.160s", a->host.log->path, err.text);
		a->unreadable = true;
		leave(a, EXIT_FAILURE);
	}
}

/* The blocks of a long log are being found, or all are now. */
static void take_shown(struct app *a)
{
	struct evl_log *log = evl_shown(a->host.log);
	if (log == a->host.log)
		return;
	if (!panes_renew(&a->host, log, false))
		view_say(&a->host, true, "out of memory");
	a->dirty = true;
}

static void take_news(struct app *a)
{
	uint64_t count;
	if (read(a->wake_fd, &count, sizeof count) < 0) /* first: what comes from now on wakes us again */
		return;
	uint32_t jumps = a->host.model.jumps;
	take_stream(a);
	take_shown(a);
	struct evl_progress now = evl_progress(a->host.log);
	if (now.done && !a->drawn.done)
		follow_offer(&a->follow, &a->host);
	bool news = panes_news(&a->host) || now.bytes != a->drawn.bytes || now.done != a->drawn.done
		|| now.ready != a->drawn.ready || now.fetched != a->drawn.fetched;
	bool rests = a->sync || now_ms(a) - a->key_ms >= REST_MS;
	a->dirty = a->dirty || (news && rests);
	a->held = a->held || news;
	if (a->host.model.jumps != jumps) /* to what the search found */
		a->jumped_from = lane_now(a);
}

static void take_signals(struct app *a)
{
	int signals = tty_signals();
	if (signals & TTY_RESIZED)
		a->dirty = a->repaint = a->answered = true;
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
	int64_t now = now_ms(a), chord = a->chord_ms + CHORD_HINT_MS - now, rest = a->key_ms + REST_MS - now;
	if (a->held)
		return rest > 0 ? (int)rest : 0;
	int pending = a->keys.typed[0] && !a->sync && chord > 0 ? (int)chord : -1, stream = follow_wait_ms(&a->follow);
	return pending < 0 || (stream >= 0 && stream < pending) ? stream : pending;
}

static void wait_and_take(struct app *a)
{
	struct pollfd fds[] = {{tty_input_fd(), POLLIN, 0}, {tty_signal_fd(), POLLIN, 0}, {a->wake_fd, POLLIN, 0}};
	int n = poll(fds, countof(fds), patience(a));
	if (n < 0 && errno != EINTR) {
		leave(a, EXIT_FAILURE);
	} else if (n == 0) {
		a->dirty = a->dirty || a->held || input_pending(a->input) || a->keys.typed[0];
		input_timeout(a->input);
		take_keys(a);
		take_stream(a);
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
	a->dirty = a->answered = true;
	while (!a->leave) {
		if (a->dirty)
			draw(a);
		if (!a->leave && run_next(a))
			continue;
		if (a->answered && is_settled(a) && !input_pending(a->input)) {
			tty_idle();
			a->answered = false;
		}
		if (!a->leave)
			wait_and_take(a);
	}
}

static int start_reading(struct app *a, const struct app_source *source)
{
	struct evl_err err = {0};
	a->follow.threads = source->threads;
	a->follow.clockless = a->sync;
	if (!source->log && follow_open(&a->follow, &a->host, source->stream, &err) < 0) {
		snprintf(a->failed, sizeof a->failed, "%s", err.text);
		a->unreadable = true;
		return -1;
	}
	if (source->child && !child_watch(source->child, wake, a))
		return -1;
	if (source->child && !source->child->flushes)
		view_say(&a->host, false, "a full buffer of 2 MB at a time, and the rest at its end: GHC 9.2, -threaded, flush more often");
	evl_never_wait(a->host.log, wake, a);
	return evl_start(a->host.log, wake, a);
}

static int start(struct app *a, const struct app_source *source, const struct tty_options *options)
{
	char why[200];
	if (tty_open(options, &a->traits, why, sizeof why) < 0) {
		fprintf(stderr, "evtui: %s\n", why);
		return -1;
	}
	a->canvas.ascii = a->traits.ascii;
	a->canvas.mono = a->traits.mono;
	a->canvas.few = a->traits.colours == TTY_8;
	a->mouse.on = !options->no_mouse;
	a->colours = a->traits.colours;
	a->host.theme = a->traits.theme;
	a->theme_open = !options->theme_given && !options->no_query;
	a->asked_ms = now_ms(a);
	if (!options->no_query)
		tty_query();
	if (a->traits.note)
		view_say(&a->host, true, "%s", a->traits.note);
	a->input = input_new(a->traits.term, a->traits.utf8);
	if (a->input && start_reading(a, source) == 0)
		return 0;
	a->starved = !a->unreadable;
	return -1;
}

/* The user's evtuirc need not be there; what was asked for must. 0, or EVL_IO and the like after a line on stderr. */
static int load_scripts(struct script *s, const struct app_files *files, char *rc)
{
	struct evl_err err;
	int result = 0;
	if (files->config)
		result = script_load(s, files->config, &err);
	else if (config_path(rc, "evtuirc") && access(rc, F_OK) == 0)
		result = script_load(s, rc, &err);
	if (result == 0 && files->script)
		result = script_load(s, files->script, &err);
	if (result < 0)
		fprintf(stderr, "evtui: %s\n", err.text);
	return result;
}

/* A script that failed says so where it can be read. */
static void report_failure(struct app *a)
{
	for (char *p = a->failed; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	fprintf(stderr, "evtui: %s\n", a->failed);
	a->status = a->status == EXIT_SUCCESS ? EXIT_FAILURE : a->status;
}

/* The program that we ran ends; what came is kept where that was asked for. */
static void end_stream(struct app *a, const struct app_source *source)
{
	enum { LAST_MS = 2000 };
	struct evl_err err = {0};
	if (source->child) {
		child_end(source->child);
		a->status = source->child->status;
	}
	if (source->child && a->follow.live)
		live_finish(a->follow.live, LAST_MS);
	if (!source->save || !a->follow.live || live_save(a->follow.live, source->save, source->force, &err) == 0)
		return;
	fprintf(stderr, "evtui: %s%s\n", err.text, err.code == EVL_EXISTS ? " (--force replaces it)" : "");
	a->status = a->status == EXIT_SUCCESS ? EXIT_FAILURE : a->status;
}

int app_run(const struct app_source *source, const struct tty_options *options, const struct app_files *files)
{
	char rc[STATE_PATH];
	const char *sync = getenv("EVTUI_SYNC");
	struct app a = {.status = EXIT_FAILURE, .sync = sync && *sync == '1', .copy_file = files->copy};
	a.host = (struct view_host){.log = source->log, .theme = options->theme, .wake = wake, .wake_ctx = &a, .patient = a.sync,
		.child = source->child, .following = &a.follow};
	a.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (a.wake_fd >= 0 && load_scripts(&a.script, files, rc) == 0 && start(&a, source, options) == 0) {
		model_init(&a.host.model, a.host.log);
		a.host.model.live = a.host.model.follow = a.follow.live;
		mark_keys_load(&a.marks, &a.host);
		a.starved = !panes_open(&a.host);
		if (!a.starved) {
			run_settings(&a);
			loop(&a);
		}
	}
	tty_close();
	panes_close(&a.host); /* its jobs read the log */
	end_stream(&a, source);
	follow_close(&a.follow);
	evl_close(a.host.log); /* its walk may still wake us */
	input_free(a.input);
	canvas_free(&a.canvas);
	if (a.wake_fd >= 0)
		close(a.wake_fd);
	tty_die_of_signal();
	if (a.starved)
		fprintf(stderr, "evtui: out of memory, or of threads\n");
	if (a.failed[0] && (files->script || a.unreadable))
		report_failure(&a);
	script_free(&a.script);
	return a.status;
}
