/* app_actions.c - perform the actions that all panes share. */
#include "app/app_private.h"
#include "jobs/event_job.h"

#include "app/command.h"
#include "app/panes.h"
#include "chrome/copy.h"
#include "chrome/export_cmd.h"
#include "panes/timeline/timeline.h"
#include "term/clipboard.h"

#include <stdio.h>
#include <stdlib.h>

enum { INTERRUPTED = 130 };

/* The first time stops a search, then the reading; the second time in a row leaves. */
static void cancel(struct app *a)
{
	bool reading = !evl_progress(a->host.log).done, searching = a->host.job && event_job_stop(a->host.job);
	bool counting = panes_stop(&a->host);
	bool exporting = export_cmd_cancel(&a->host);
	if (++a->cancels > 1) {
		app_leave(a, INTERRUPTED);
		return;
	}
	if (reading)
		evl_cancel(a->host.log);
	pane_say(&a->host, false, "%s",
		exporting           ? "stopping the export; Ctrl-C again quits"
			: searching ? "search stopped; Ctrl-C again quits"
			: counting  ? "stopped; Ctrl-C again quits"
			: reading   ? "reading stopped; Ctrl-C again quits"
				    : "Ctrl-C again quits, so does q");
}

/* The window and the cursor, and the lane. */
static void go_back(struct app *a)
{
	struct lane lane = a->jumped_from;
	if (!model_back(&a->host.model, app_now_ms(a)))
		pane_say(&a->host, true, "no jump to return from");
	else if (lane.ops)
		lanes_select(&timeline_of(&a->host)->lanes, lane.ops, lane.index);
}

/* An entered command runs after the next frame. */
static void take_command(struct pane_host *h, const char *text, enum prompt_result result)
{
	if (result == PROMPT_DONE)
		snprintf(h->command, sizeof h->command, "%s", text);
}

/* Tab at the command line. */
static void complete(struct pane_host *h)
{
	char text[PROMPT_ROOM], say[COMMAND_SAY];
	if (h->prompt.at != h->prompt.len)
		return;
	command_complete(h, h->prompt.text, text, sizeof text, say);
	pane_say(h, false, "%s", say);
	prompt_set(&h->prompt, text);
}

void app_prompt_key(struct app *a, const struct key *key)
{
	struct pane_host *h = &a->host;
	uint32_t jumps = h->model.jumps;
	h->now_ms = app_now_ms(a);
	if (h->asks == ASK_COMMAND && key->kind == KEY_NAME && strcmp(key->name, "<Tab>") == 0)
		complete(h);
	else
		pane_prompt_key(h, key);
	if (h->model.jumps != jumps)
		a->jumped_from = app_lane(a);
}

static void switch_mouse(struct app *a)
{
	a->mouse.on = !a->mouse.on;
	tty_mouse(a->mouse.on);
	pane_say(&a->host, false,
		a->mouse.on ? "mouse on (Shift+drag selects text)" : "mouse off: drag selects text (F2: on)");
}

/* --- copying --- */

static void copy(struct app *a, bool screen)
{
	char say[CLIPBOARD_SAY];
	struct buf text = {0};
	bool any = screen ? copy_screen(&a->canvas, &text) : copy_row(&a->host, a->canvas.ascii, &text), good = false;
	if (any)
		good = clipboard_copy((struct evl_str){(const uint8_t *)text.p, text.len}, a->copy_file, say);
	pane_say(&a->host, !good, "%s", any ? say : "there is nothing to copy");
	buf_free(&text);
}

/* --- keys that mean the same everywhere --- */

static void act_on_program(struct app *a, enum action action)
{
	struct pane_host *h = &a->host;
	char text[PROMPT_ROOM];
	switch (action) {
	case ACT_BACK: go_back(a); return;
	case ACT_COMMAND: pane_ask(h, ASK_COMMAND, "", take_command); return;
	case ACT_FOLLOW: follow_end(&a->follow, h); return;
	case ACT_EXPORT:
		if (export_cmd_offer(h, text, sizeof text))
			pane_ask(h, ASK_COMMAND, text, take_command);
		else
			pane_say(h, true, "nothing to export here");
		return;
	case ACT_HELP: help_about(&a->help, ""); return;
	case ACT_COPY:
	case ACT_COPY_SCREEN: copy(a, action == ACT_COPY_SCREEN); return;
	case ACT_MOUSE: switch_mouse(a); return;
	case ACT_REPAINT: a->repaint = true; return;
	case ACT_SUSPEND:
		tty_suspend();
		a->repaint = true;
		return;
	case ACT_CANCEL: cancel(a); return;
	case ACT_QUIT:
		if (!panes_leave(h))
			app_leave(a, EXIT_SUCCESS);
		return;
	default: app_leave(a, EXIT_SUCCESS); return;
	}
}

void app_act(struct app *a, enum action action)
{
	struct pane_host *h = &a->host;
	struct lane lane = app_lane(a);
	uint32_t jumps = h->model.jumps;
	h->now_ms = app_now_ms(a);
	switch (keymap_owner(action)) {
	case OWNER_PROGRAM: act_on_program(a, action); break;
	case OWNER_MARKS: marks_act(h, action, a->keys.letter); break;
	default:
		if (!panes_act(h, action))
			pane_say(h, true, "%s%s%s",
				action == ACT_PANE_OUTPUT
					? "pane 6 shows the output of a program run by evtui -- PROGRAM"
					: "not available in this pane",
				action == ACT_PANE_OUTPUT
					? ""
					: keymap_elsewhere(action, pane_shown(h)->pane, (char[KEYMAP_TEXT]){0}),
				action == ACT_PANE_OUTPUT ? "" : " (? for help)");
	}
	if (h->model.jumps != jumps)
		a->jumped_from = lane;
	if (h->colours)
		a->help = (struct help){.open = true, .of_colours = true};
	h->colours = false;
}
