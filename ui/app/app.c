#include "app/app.h"

#include "app/app_private.h"
#include "app/names.h"
#include "app/panes.h"
#include "draw/say.h"
#include "panes/program/rts_probe.h"
#include "panes/timeline/timeline.h"
#include "state/state_dir.h"
#include "sys/clock.h"
#include "sys/retry.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CHORD_HINT_MS = 400, INTERRUPTED = 130 };
enum { REST_MS = 60 }; /* how long news waits after a key; longer than the interval of key repeats */

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

/* Two bands are an example of all. */
static bool are_bands(const struct lane_colour *colour)
{
	return colour->styles[0] >= ST_BAND_0 && colour->styles[0] != colour->styles[1];
}

static bool is_of(uint8_t style, const struct lane_colour *colour)
{
	return are_bands(colour) ? style >= ST_BAND_0 && style < ST_BAND_0 + STYLE_BANDS : style == colour->styles[0];
}

/* Is a colour between the title and the hints, in a cell or in a text? A colour of texts: in a block, or as the sign. */
static bool is_drawn(const struct canvas *c, const struct lane_colour *colour)
{
	enum { BLOCK = 0x2580, BLOCKS_END = 0x25a0 };
	const bool of_texts = colour->styles[0] <= ST_OUTSIDE,
		   block = colour->sign >= BLOCK && colour->sign < BLOCKS_END;
	const uint32_t sign = c->ascii ? (uint8_t)colour->ascii : colour->sign;
	bool found = false;
	for (int i = c->cols; i < (c->rows - 1) * c->cols && !found; i++) {
		uint32_t ch = c->cells[i].ch;
		bool seen = of_texts ? ch == sign || (block && ch >= BLOCK && ch < BLOCKS_END) : ch != ' ';
		found = ((!of_texts || block) && is_of(c->cells[i].bg, colour))
			|| (seen && is_of(c->cells[i].fg, colour));
	}
	return found;
}

/* The colours and signs that the shown pane has on the screen. */
static int list_colours(const struct pane_host *h, const struct canvas *c, struct shown_colour out[TIMELINE_COLOURS])
{
	const struct pane_ops *ops = pane_shown(h);
	const struct lane_colour *signs = ops->signs ? ops->signs(h->views[h->shown], h) : NULL;
	int n = 0;
	if (!signs)
		return timeline_colours(timeline_of(h), &h->model, c, out);
	for (; signs->word && n < TIMELINE_COLOURS; signs++)
		if (is_drawn(c, signs))
			out[n++] = (struct shown_colour){.of = *signs};
	return n;
}

void app_compose(struct app *a)
{
	struct pane_host *h = &a->host;
	bool chord = a->keys.typed[0] && app_now_ms(a) - a->chord_ms >= (a->sync ? 0 : CHORD_HINT_MS);
	if (fit_canvas(a) < 0) {
		a->out_of_memory = true;
		app_leave(a, EXIT_FAILURE);
		return;
	}
	a->drawn = evl_progress(h->log);
	a->composed = h->shown;
	names_news(h);
	model_refresh(&h->model);
	follow_say(&a->follow, h);
	selection_move(&h->model.selection, h->model.at.cursor);
	h->now_ms = app_now_ms(a);
	h->pending = chord ? a->keys.typed : "";
	panes_draw(h, &a->canvas);
	a->help.table = pane_shown(h)->table ? pane_shown(h)->table(h->views[h->shown]) : NULL;
	struct shown_colour colours[TIMELINE_COLOURS];
	a->help.colours = colours;
	a->help.n_colours = a->help.of_colours ? list_colours(h, &a->canvas, colours) : 0;
	if (a->help.open)
		help_draw(&a->help, pane_shown(h)->pane, &a->canvas);
	a->help.colours = NULL;
	if (a->host.prompt.open && a->host.message[0]) { /* above the line that is typed at */
		canvas_fill(&a->canvas, a->canvas.rows - 2, 0, 1, a->canvas.cols, ST_BAR);
		part_message(h, &a->canvas, a->canvas.rows - 2, a->canvas.cols);
	}
	if (h->prompt.open)
		prompt_draw(&h->prompt, &a->canvas, a->canvas.rows - 1);
}

static void draw(struct app *a)
{
	app_compose(a);
	if (a->out_of_memory)
		return;
	if (tty_show(&a->canvas, a->repaint) < 0)
		app_leave(a, EXIT_SUCCESS);
	a->dirty = a->host.draw_again;
	a->repaint = a->held = false;
}

/* --- the loop --- */

static void wake(void *ctx)
{
	const struct app *a = ctx;
	waker_wake(&a->waker);
}

/* The program that we run printed something, or has ended: maybe without a log, and we may know why. */
static void take_child(struct app *a)
{
	struct pane_host *h = &a->host;
	if (h->shown == PANE_OUTPUT)
		a->dirty = a->answered = true;
	if (a->child_told || !atomic_load(&h->child->over) || !follow_over(&a->follow))
		return;
	size_t len;
	char *printed = output_copy(&h->child->output, &len);
	bool said;
	const char *why = rts_probe_refusal(printed, printed ? len : 0, &said);
	a->child_told = a->dirty = a->answered = true;
	if (h->log->source.len == 0) {
		h->shown = PANE_OUTPUT;
		pane_say(h, true, "no log: %s", why);
	} else {
		pane_say(h, h->child->status != 0, "the program has ended with status %d", h->child->status);
	}
	free(printed);
}

/* Take the news of a growing log. A stream that is no log ends the program. */
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
		app_leave(a, EXIT_FAILURE);
	}
}

/* The blocks of a long log are being found, or all are now. */
static void take_shown(struct app *a)
{
	struct evl_log *log = evl_shown(a->host.log);
	if (log == a->host.log)
		return;
	if (!panes_on_log_replaced(&a->host, log, false))
		pane_say(&a->host, true, "out of memory");
	a->dirty = true;
}

/* Show a sketch of the log while it is read again. Without memory for one, what was read first stays. */
static void reread(struct app *a)
{
	struct evl_log *log = a->host.log, *sketch = evl_sketch(log);
	if (!sketch)
		return;
	bool shown = panes_on_log_replaced(&a->host, sketch, false);
	if (evl_read_again(log) < 0 || !shown)
		pane_say(&a->host, true, "out of memory");
	a->dirty = true;
}

static void take_news(struct app *a)
{
	if (!waker_take(&a->waker)) /* first: what comes from now on wakes us again */
		return;
	uint32_t jumps = a->host.model.jumps;
	take_stream(a);
	take_shown(a);
	if (evl_progress(a->host.log).done && evl_misread(a->host.log))
		reread(a);
	a->dirty = names_news(&a->host) || a->dirty; /* of what was read in the end */
	struct evl_progress now = evl_progress(a->host.log);
	if (now.done && !a->drawn.done)
		follow_offer(&a->follow, &a->host);
	bool news = panes_news(&a->host) || now.bytes != a->drawn.bytes || now.found != a->drawn.found
		|| now.done != a->drawn.done || now.ready != a->drawn.ready || now.fetched != a->drawn.fetched;
	bool rests = a->sync || app_now_ms(a) - a->key_ms >= REST_MS;
	a->dirty = a->dirty || (news && rests);
	a->held = a->held || news;
	if (a->host.model.jumps != jumps) /* to what the search found */
		a->jumped_from = app_lane(a);
}

static void take_signals(struct app *a)
{
	int signals = tty_signals();
	if (signals & TTY_RESIZED)
		a->dirty = a->repaint = a->answered = true;
	if (signals & TTY_INTERRUPT)
		app_leave(a, INTERRUPTED);
	if (signals & TTY_END)
		app_leave(a, EXIT_FAILURE);
}

/* --- what is decided by the clock --- */

static int64_t sooner(int64_t a, int64_t b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

/* In how many ms something is due, whatever comes until then; -1: nothing is. */
static int64_t input_due(const struct app *a)
{
	int64_t left = a->input_ms + input_wait_ms(a->input) - clock_ms();
	return !input_pending(a->input) ? -1 : left > 0 ? left : 0;
}

static int64_t news_due(const struct app *a)
{
	int64_t left = a->key_ms + REST_MS - app_now_ms(a);
	return !a->held ? -1 : left > 0 ? left : 0;
}

static int64_t chord_due(const struct app *a)
{
	int64_t left = a->chord_ms + CHORD_HINT_MS - app_now_ms(a);
	return !a->keys.typed[0] || a->sync || a->hinted ? -1 : left > 0 ? left : 0;
}

/* In how many ms a message that is no warning disappears. */
static int64_t message_due(const struct app *a)
{
	enum { SAID_MS = 8000 };
	const struct pane_host *h = &a->host;
	int64_t left = h->said_ms + SAID_MS - clock_ms();
	return a->sync || h->warning || !h->message[0] ? -1 : left > 0 ? left : 0;
}

/* In how many ms work that rests goes on (rest.h). */
static int64_t work_due(const struct app *a)
{
	const struct rest *r = &a->host.rest;
	int64_t left = r->until_ms - clock_ms();
	return !r->awaited ? -1 : left > 0 ? left : 0;
}

static int patience(const struct app *a)
{
	int64_t due = sooner(sooner(input_due(a), news_due(a)), chord_due(a));
	due = sooner(sooner(due, message_due(a)), work_due(a));
	return (int)sooner(due, input_pending(a->input) || a->held ? -1 : follow_wait_ms(&a->follow));
}

/* Do what is due. News that never ends is no reason to wait with it. */
static void take_due(struct app *a)
{
	if (input_due(a) == 0) {
		a->input_ms = clock_ms(); /* a sequence that was cut may take several turns */
		input_timeout(a->input);
		app_take_keys(a);
		a->dirty = true;
	}
	if (news_due(a) == 0 || work_due(a) == 0)
		a->dirty = true;
	if (message_due(a) == 0) {
		a->host.message[0] = '\0';
		a->dirty = true;
	}
	if (chord_due(a) == 0)
		a->dirty = a->hinted = true;
}

static void wait_and_take(struct app *a)
{
	struct pollfd fds[] = {{tty_input_fd(), POLLIN, 0}, {tty_signal_fd(), POLLIN, 0}, {a->waker.fd, POLLIN, 0},
		{tty_output_fd(), POLLOUT, 0}};
	int n = poll_again(fds, countof(fds), patience(a));
	if (n < 0)
		app_leave(a, EXIT_FAILURE);
	if (n <= 0 || fds[0].revents == 0) /* input that arrived meanwhile continues the pending sequence */
		take_due(a);
	if (n == 0) {
		take_stream(a);
	} else if (n > 0) {
		if (fds[1].revents || fds[3].revents)
			take_signals(a);
		if (fds[0].revents & POLLIN)
			app_read_keys(a);
		else if (fds[0].revents)
			app_leave(a, EXIT_SUCCESS); /* the terminal is closed */
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
		if (!a->leave && app_run_next(a))
			continue;
		if (a->answered && app_is_idle(a) && !input_pending(a->input)) {
			tty_idle();
			a->answered = false;
		}
		if (!a->leave && !a->dirty)
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
	if (source->child && source->child->seeks)
		pane_say(&a->host, false, "the first Haskell program is recorded; 6: output");
	if (source->child && !source->child->flushes)
		pane_say(&a->host, false,
			"the log arrives in blocks of 2 MB, and the rest at the end: GHC 9.2, -threaded, flush more "
			"often");
	evl_never_wait(a->host.log, wake, a);
	return evl_start(a->host.log, wake, a);
}

static int start(struct app *a, const struct app_source *source, const struct tty_options *options)
{
	char why[200];
	if (tty_open(options, &a->traits, why, sizeof why) < 0) {
		say_error("%s", why);
		return -1;
	}
	a->canvas.ascii = a->traits.ascii;
	a->canvas.mono = a->traits.mono;
	a->canvas.few = a->traits.colours == TTY_8;
	a->mouse.on = !options->no_mouse;
	a->colours = a->traits.colours;
	a->host.theme = a->traits.theme;
	a->theme_open = (!options->theme_given || options->theme == THEME_SAFE) && !options->no_query;
	a->asked_ms = app_now_ms(a);
	if (!options->no_query)
		tty_query();
	if (a->traits.note)
		pane_say(&a->host, true, "%s", a->traits.note);
	a->input = input_new(a->traits.term, a->traits.utf8);
	if (a->input && start_reading(a, source) == 0)
		return 0;
	a->out_of_memory = !a->unreadable;
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
		say_error("%s", err.text);
	return result;
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
	say_error("%s%s", err.text, err.code == EVL_EXISTS ? " (--force replaces it)" : "");
	a->status = a->status == EXIT_SUCCESS ? EXIT_FAILURE : a->status;
}

int app_run(const struct app_source *source, const struct tty_options *options, const struct app_files *files)
{
	char rc[STATE_PATH];
	const char *sync = getenv("EVTUI_SYNC");
	struct app a = {.status = EXIT_FAILURE, .sync = sync && *sync == '1', .copy_file = files->copy};
	a.host = (struct pane_host){.log = source->log,
		.theme = options->theme,
		.wake = wake,
		.wake_ctx = &a,
		.wait_for_jobs = a.sync,
		.child = source->child,
		.following = &a.follow,
		.names_given = source->names,
		.source_dir = source->sources};
	if (waker_open(&a.waker) && load_scripts(&a.script, files, rc) == 0 && start(&a, source, options) == 0) {
		model_init(&a.host.model, a.host.log);
		a.host.model.live = a.host.model.follow = a.follow.live;
		a.out_of_memory = !panes_open(&a.host);
		if (!a.out_of_memory) {
			marks_load(&a.host);
			app_run_settings(&a);
			loop(&a);
		}
	}
	tty_close();
	panes_close(&a.host); /* its jobs read the log */
	end_stream(&a, source);
	evl_close(a.host.log); /* its walk may still wake us */
	follow_close(&a.follow);
	input_free(a.input);
	canvas_free(&a.canvas);
	waker_close(&a.waker);
	tty_die_of_signal();
	if (a.out_of_memory)
		say_error("out of memory or threads");
	if (a.failed[0] && (files->script || a.unreadable)) { /* a script that failed says so where it can be read */
		say_error("%s", a.failed);
		a.status = a.status == EXIT_SUCCESS ? EXIT_FAILURE : a.status;
	}
	script_free(&a.script);
	return a.status;
}

int64_t app_now_ms(const struct app *a) { return a->sync ? 0 : clock_ms(); }

void app_leave(struct app *a, int status)
{
	a->leave = true;
	a->status = status;
}

struct lane app_lane(const struct app *a)
{
	const struct lane *lane = timeline_lane(timeline_of(&a->host));
	return lane ? *lane : (struct lane){0};
}
