#include "app.h"

#include "bookmarks_file.h"
#include "command.h"
#include "history.h"
#include "input.h"
#include "jump.h"
#include "lane_keys.h"
#include "mouse.h"
#include "prompt.h"
#include "script.h"
#include "select_keys.h"
#include "view_help.h"
#include "view_marks.h"
#include "view_timeline.h"
#include "when.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { READ_ROOM = 4096, READ_AT_ONCE = 16, CHORD_HINT_MS = 400, INTERRUPTED = 130 };

/* What the prompt is for. */
enum prompt_use { PROMPT_TIME, PROMPT_FILTER, PROMPT_COMMAND, PROMPT_USES };

struct app {
	struct evl_log *log;
	struct tty_traits traits;
	enum theme theme;
	struct canvas canvas;
	struct input *input;
	struct model model;
	struct timeline timeline;
	struct jumper jumper;
	struct help help;
	struct mouse mouse;
	struct bookmarks_file marks_file;
	struct marks_view marks_view;
	struct prompt prompt;
	enum prompt_use use;
	struct history history[PROMPT_USES];
	struct script script;
	char command[PROMPT_ROOM]; /* was entered, and is run after the next frame; "": none */
	char failed[256];          /* the first error of --script; "": none */
	int colours;
	struct keymap_state keys;
	struct model_place fitted; /* the window that z made */
	struct lane jumped_from;   /* the lane that was selected before the last jump */
	char message[256];
	bool warning;
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

static void say(struct app *a, bool warning, const char *text)
{
	snprintf(a->message, sizeof a->message, "%s", text);
	a->warning = warning;
}

static void leave(struct app *a, int status)
{
	a->leave = true;
	a->status = status;
}

/* --- actions --- */

static void to_change(struct app *a, bool forward)
{
	const struct lane *lane = timeline_lane(&a->timeline);
	uint64_t t;
	if (lane && a->model.ranged && lane->ops->change && lane->ops->change(lane, a->log, a->model.at.cursor, forward, &t))
		model_goto(&a->model, t, now_ms(a));
	else
		say(a, true, forward ? "no later change in this lane" : "no earlier change in this lane");
}

/* The selection, else the span under the cursor; a second time: back to where one was. */
static void fit(struct app *a)
{
	struct model *m = &a->model;
	uint64_t from = selection_from(&m->selection), to = selection_to(&m->selection);
	if (a->fitted.t1 && a->fitted.t0 == m->at.t0 && a->fitted.t1 == m->at.t1 && model_undo(m))
		return;
	if (from == to && !select_span_at(&a->timeline, m, m->at.cursor, &from, &to)) {
		say(a, true, "no span under the cursor in this lane");
		return;
	}
	struct model_place was = m->at;
	select_fit(m, from, to, now_ms(a));
	if (was.t0 != m->at.t0 || was.t1 != m->at.t1)
		a->fitted = m->at;
}

static void pan(struct app *a, int num, int den)
{
	uint64_t was = a->model.at.t0;
	model_pan(&a->model, num, den, now_ms(a));
	if (a->model.ranged && a->model.at.t0 == was)
		say(a, true, num < 0 ? "this is the start of the run" : "this is the end of the run");
}

static void go_to(struct app *a)
{
	struct names_facts facts = names_get(&a->log->names);
	struct when when = {.first = a->model.first, .last = a->model.last, .wall_ns = facts.wall_ns,
		.cursor = a->model.at.cursor, .has_cursor = true};
	struct evl_err err;
	uint64_t t;
	if (a->prompt.len == 0)
		return;
	if (when_parse(&when, a->prompt.text, &t, &err) < 0)
		say(a, true, err.text);
	else
		model_goto(&a->model, t, now_ms(a));
}

/* The first time stops the reading, the second time in a row leaves. */
static void cancel(struct app *a)
{
	bool reading = !evl_progress(a->log).done;
	if (++a->cancels > 1) {
		leave(a, INTERRUPTED);
		return;
	}
	if (reading)
		evl_cancel(a->log);
	say(a, false, reading ? "reading stopped; Ctrl-C again quits" : "Ctrl-C again quits, so does q");
}

static void undo(struct app *a, bool forward)
{
	if (!(forward ? model_redo(&a->model) : model_undo(&a->model)))
		say(a, true, forward ? "nothing to redo" : "nothing to undo");
}

/* The window and the cursor, and the lane. */
static void go_back(struct app *a)
{
	struct lane lane = a->jumped_from;
	if (!model_back(&a->model, now_ms(a)))
		say(a, true, "no jump yet to come back from");
	else if (lane.ops)
		lanes_select(&a->timeline.lanes, lane.ops, lane.index);
}

static void show_tasks(struct app *a)
{
	a->timeline.show_hidden = !a->timeline.show_hidden;
	if (tasks_count(&a->log->tasks) == 0)
		say(a, true, "no OS tasks in this log (+RTS -l records them)");
}

static void ask(struct app *a, enum prompt_use use, const char *text)
{
	static const char *const titles[] = {"go to time: ", "filter lanes: ", ":"};
	static const char *const names[] = {"time", "filter", "command"};
	a->use = use;
	prompt_open_with(&a->prompt, titles[use], text);
	history_open(&a->history[use], names[use]);
}

static void complete(struct app *a)
{
	char text[PROMPT_ROOM];
	if (a->prompt.at != a->prompt.len)
		return;
	command_complete(a->prompt.text, text, sizeof text, a->message);
	a->warning = false;
	prompt_set(&a->prompt, text);
}

static void entered(struct app *a)
{
	history_add(&a->history[a->use], a->prompt.text);
	if (a->use == PROMPT_TIME)
		go_to(a);
	else if (a->use == PROMPT_COMMAND)
		memcpy(a->command, a->prompt.text, sizeof a->command);
}

/* The filter works while it is typed; Enter keeps it, Esc clears it. */
static void prompt_input(struct app *a, const struct key *key)
{
	enum prompt_result result = PROMPT_EDITING;
	if (a->use == PROMPT_COMMAND && key->kind == KEY_NAME && strcmp(key->name, "<Tab>") == 0)
		complete(a);
	else if (!history_key(&a->history[a->use], &a->prompt, key))
		result = prompt_key(&a->prompt, key);
	if (a->use == PROMPT_FILTER)
		timeline_filter(&a->timeline, result == PROMPT_CANCELLED ? "" : a->prompt.text);
	if (result == PROMPT_DONE)
		entered(a);
}

/* --- commands --- */

/* One line; where: the file and line that it comes from, or NULL. */
static void run_command(struct app *a, const char *line, const char *where)
{
	char text[sizeof a->message];
	struct evl_err err;
	struct command_host host = {.model = &a->model, .timeline = &a->timeline, .canvas = &a->canvas, .input = a->input,
		.help = &a->help, .mouse = &a->mouse, .marks_file = &a->marks_file, .traits = &a->traits, .theme = &a->theme,
		.colours = &a->colours, .now_ms = now_ms(a)};
	a->dirty = a->answered = true;
	if (command_run(&host, line, &err) < 0) {
		snprintf(text, sizeof text, "%.120s%s%.120s", where ? where : "", where ? ": " : "", err.text);
		say(a, true, text);
		if (where && !a->failed[0])
			memcpy(a->failed, text, sizeof text);
		return;
	}
	if (host.say[0])
		say(a, false, host.say);
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

/* After a frame: what was entered, else the next line of a file, which may have to wait for the log. */
static bool run_next(struct app *a)
{
	char line[PROMPT_ROOM];
	bool read = a->drawn.done && !timeline_busy(&a->timeline);
	if (a->command[0]) {
		memcpy(line, a->command, sizeof line);
		a->command[0] = '\0';
		run_command(a, line, NULL);
		return true;
	}
	if (!script_line(&a->script) || (command_waits(script_line(&a->script)) && !read))
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
	say(a, false, a->mouse.on ? "mouse on (Shift+drag selects text)" : "mouse off: it selects text now (F2: on)");
}

/* --- marks --- */

static void keep_marks(struct app *a, const char *done)
{
	char text[sizeof a->message];
	const char *why = bookmarks_save(&a->marks_file, &a->model.marks);
	snprintf(text, sizeof text, "%s%s%s", done, why ? ", but not kept: " : "", why ? why : "");
	say(a, why, text);
}

static void set_mark(struct app *a, char letter)
{
	char text[32];
	if (!a->model.ranged || !bookmarks_set(&a->model.marks, letter, a->model.at.cursor)) {
		say(a, true, "there are no events");
		return;
	}
	snprintf(text, sizeof text, "mark %c is set", letter);
	keep_marks(a, text);
}

static void to_mark(struct app *a, char letter)
{
	uint64_t t;
	char text[64];
	snprintf(text, sizeof text, "mark %c is not set (m%c sets it)", letter, letter);
	if (bookmarks_get(&a->model.marks, letter, &t))
		model_goto(&a->model, t, now_ms(a));
	else
		say(a, true, text);
}

static void list_marks(struct app *a)
{
	char letters[BOOKMARKS + 1];
	a->marks_view = (struct marks_view){.open = bookmarks_letters(&a->model.marks, letters) > 0};
	if (!a->marks_view.open)
		say(a, true, "no marks yet (m and a letter sets one)");
}

static void marks_key(struct app *a, const char *key)
{
	char removed, letter = marks_view_key(&a->marks_view, &a->model.marks, key, &removed), text[32];
	if (letter)
		to_mark(a, letter);
	if (removed) {
		bookmarks_remove(&a->model.marks, removed);
		a->marks_view.open = bookmarks_nearest(&a->model.marks, 0);
		snprintf(text, sizeof text, "mark %c is removed", removed);
		keep_marks(a, text);
	}
}

/* Keys of lanes, and the repetition of a jump along a thread. */
static bool act_on_lanes(struct app *a, enum action action)
{
	char text[LANE_SAY];
	bool warning, repeats = lane_keys_is_jump(a->jumper.last);
	if (repeats && action == ACT_REPEAT)
		action = a->jumper.last;
	else if (repeats && action == ACT_REPEAT_BACK)
		action = a->jumper.last == ACT_NEXT_RUN ? ACT_PREV_RUN : ACT_NEXT_RUN;
	else if (lane_keys_is_jump(action))
		a->jumper.last = action;
	if (!lane_keys(&a->timeline, &a->model, action, now_ms(a), text, &warning))
		return false;
	say(a, warning, text);
	return true;
}

static void act(struct app *a, enum action action)
{
	struct model *m = &a->model;
	const struct lane *selected = timeline_lane(&a->timeline);
	struct lane lane = selected ? *selected : (struct lane){0};
	uint32_t jumps = m->jumps;
	int64_t now = now_ms(a);
	const char *no_range;
	if (select_keys(&a->timeline, m, action, now, &no_range)) {
		if (no_range)
			say(a, true, no_range);
		return;
	}
	switch (action) {
	case ACT_LEFT: model_step(m, -1); break;
	case ACT_RIGHT: model_step(m, 1); break;
	case ACT_LEFT_HALF: pan(a, -1, 2); break;
	case ACT_RIGHT_HALF: pan(a, 1, 2); break;
	case ACT_PREV_CHANGE: to_change(a, false); break;
	case ACT_NEXT_CHANGE: to_change(a, true); break;
	case ACT_START: model_goto(m, m->first, now); break;
	case ACT_END: model_goto(m, m->last, now); break;
	case ACT_HOME: model_home(m); break;
	case ACT_WINDOW_END: model_end(m); break;
	case ACT_CENTRE: model_centre(m, now); break;
	case ACT_ZOOM_IN: model_zoom(m, 1, 2, now); break;
	case ACT_ZOOM_OUT: model_zoom(m, 2, 1, now); break;
	case ACT_PAN_LEFT: pan(a, -1, 4); break;
	case ACT_PAN_RIGHT: pan(a, 1, 4); break;
	case ACT_FIT: fit(a); break;
	case ACT_WHOLE: model_whole(m, now); break;
	case ACT_BACK: go_back(a); break;
	case ACT_UNDO: undo(a, false); break;
	case ACT_REDO: undo(a, true); break;
	case ACT_TASKS: show_tasks(a); break;
	case ACT_GOTO: ask(a, PROMPT_TIME, ""); break;
	case ACT_FILTER: ask(a, PROMPT_FILTER, a->timeline.lanes.ask.filter); break;
	case ACT_COMMAND: ask(a, PROMPT_COMMAND, ""); break;
	case ACT_HELP: help_about(&a->help, ""); break;
	case ACT_MARK: set_mark(a, a->keys.letter); break;
	case ACT_TO_MARK: to_mark(a, a->keys.letter); break;
	case ACT_MARKS: list_marks(a); break;
	case ACT_MOUSE: switch_mouse(a); break;
	case ACT_REPAINT: a->repaint = true; break;
	case ACT_SUSPEND: tty_suspend(); a->repaint = true; break;
	case ACT_CANCEL: cancel(a); break;
	case ACT_QUIT:
	case ACT_QUIT_NOW: leave(a, EXIT_SUCCESS); break;
	default: { /* of lanes, or a jump */
		const char *why = act_on_lanes(a, action) ? NULL : jump(&a->jumper, m, action, now);
		if (why)
			say(a, true, why);
	}
	}
	if (m->jumps != jumps)
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
	char unknown[sizeof a->keys.typed], text[sizeof a->keys.typed + 48];
	if (strcmp(key, "<Esc>") == 0) {
		if (!a->keys.typed[0])
			select_drop(&a->model);
		a->keys.typed[0] = 0;
		return;
	}
	enum action action = keymap_feed(&a->keys, key, unknown);
	if (action == ACT_MORE) {
		a->chord_ms = now_ms(a);
	} else if (action == ACT_NONE) {
		snprintf(text, sizeof text, "%s is bound to nothing (? shows the keys)", unknown);
		say(a, true, text);
	} else {
		act(a, action);
	}
}

/* The mouse: scrolls the help; else works on the timeline, unless something is being typed. */
static void mouse(struct app *a, const struct key *key)
{
	const char *why = NULL;
	enum action action = ACT_NONE;
	if (a->help.open)
		a->help.top += key->kind != KEY_WHEEL ? 0 : key->button < 0 ? -1 : 1;
	else if (!a->prompt.open && !a->marks_view.open)
		action = mouse_event(&a->mouse, &a->timeline, &a->model, key, now_ms(a), &why);
	if (action != ACT_NONE)
		act(a, action);
	else if (why)
		say(a, true, why);
}

static void on_key(struct app *a, const struct key *key)
{
	int cancels = a->cancels;
	if (key->kind != KEY_DRAG && key->kind != KEY_RELEASE) /* these go on with what a press began */
		say(a, false, "");
	a->dirty = a->answered = true;
	if (key->kind >= KEY_PRESS) {
		a->keys.typed[0] = 0;
		a->cancels = 0;
		mouse(a, key);
		return;
	}
	if (a->prompt.open) {
		prompt_input(a, key);
	} else if (key->kind == KEY_NAME && a->help.open) {
		help_key(a, key->name);
	} else if (key->kind == KEY_NAME && a->marks_view.open) {
		marks_key(a, key->name);
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
	bool chord = a->keys.typed[0] && now_ms(a) - a->chord_ms >= (a->sync ? 0 : CHORD_HINT_MS);
	struct timeline_status status = {.message = a->message, .warning = a->warning, .pending = chord ? a->keys.typed : ""};
	if (fit_canvas(a) < 0) {
		leave(a, EXIT_FAILURE);
		return;
	}
	a->drawn = evl_progress(a->log);
	model_refresh(&a->model);
	selection_move(&a->model.selection, a->model.at.cursor);
	timeline_draw(&a->timeline, &a->model, &status, a->theme, &a->canvas);
	if (a->marks_view.open)
		marks_view_draw(&a->marks_view, &a->model, &a->canvas);
	if (a->help.open)
		help_draw(&a->help, &a->canvas);
	if (a->prompt.open && a->message[0]) { /* above the line that is typed at */
		canvas_fill(&a->canvas, a->canvas.rows - 2, 0, 1, a->canvas.cols, ST_BAR);
		canvas_str(&a->canvas, a->canvas.rows - 2, 1, a->canvas.cols - 1, (struct pen){ST_EM, ST_BAR, 0}, a->message);
	}
	if (a->prompt.open)
		prompt_draw(&a->prompt, &a->canvas, a->canvas.rows - 1);
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
	struct evl_progress now = evl_progress(a->log);
	if (timeline_news(&a->timeline) || now.bytes != a->drawn.bytes || now.done != a->drawn.done || now.ready != a->drawn.ready
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
		if (!a->leave && run_next(a))
			continue;
		if (a->answered && a->drawn.done && !input_pending(a->input) && !timeline_busy(&a->timeline)) {
			tty_idle();
			a->answered = false;
		}
		if (!a->leave)
			wait_and_take(a);
	}
}

static int start_reading(struct app *a)
{
	evl_never_wait(a->log, wake, a);
	return evl_start(a->log, wake, a);
}

static void load_marks(struct app *a)
{
	const char *why = bookmarks_load(&a->marks_file, a->log, &a->model.marks);
	if (why)
		say(a, true, why);
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
	a->canvas.few = a->traits.colours == TTY_8;
	a->mouse.on = !options->no_mouse;
	a->colours = a->traits.colours;
	if (a->traits.note)
		say(a, true, a->traits.note);
	a->input = input_new(a->traits.term, a->traits.utf8);
	return a->input && start_reading(a) == 0 ? 0 : -1;
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

int app_run(struct evl_log *log, const struct tty_options *options, const struct app_files *files)
{
	char rc[STATE_PATH];
	const char *sync = getenv("EVTUI_SYNC");
	struct app a = {.log = log, .theme = options->theme, .status = EXIT_FAILURE, .sync = sync && *sync == '1'};
	a.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (a.wake_fd >= 0 && load_scripts(&a.script, files, rc) == 0 && start(&a, options) == 0) {
		model_init(&a.model, log);
		load_marks(&a);
		timeline_init(&a.timeline, log, wake, &a, a.sync);
		run_settings(&a);
		loop(&a);
	}
	tty_close();
	timeline_free(&a.timeline); /* its job reads the log */
	evl_close(log);             /* its walk may still wake us */
	input_free(a.input);
	canvas_free(&a.canvas);
	if (a.wake_fd >= 0)
		close(a.wake_fd);
	tty_die_of_signal();
	if (a.failed[0] && files->script)
		report_failure(&a);
	script_free(&a.script);
	return a.status;
}
