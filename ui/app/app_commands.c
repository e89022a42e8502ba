/* app_commands.c - run the commands of command.def. */
#include "app/app_private.h"

#include "app/command.h"
#include "app/panes.h"
#include "panes/timeline/timeline.h"
#include "sys/retry.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

/* One line; where: the file and line that it comes from, or NULL. */
static void run_command(struct app *a, const char *line, const char *where)
{
	char text[PANE_MESSAGE];
	struct evl_err err;
	struct command_host host = {.model = &a->host.model,
		.timeline = timeline_of(&a->host),
		.canvas = &a->canvas,
		.input = a->input,
		.help = &a->help,
		.mouse = &a->mouse,
		.view = &a->host,
		.marks_file = marks_file(&a->host),
		.traits = &a->traits,
		.theme = &a->host.theme,
		.colours = &a->colours,
		.now_ms = app_now_ms(a)};
	a->dirty = a->answered = true;
	if (command_run(&host, line, &err) < 0) {
		snprintf(text, sizeof text, "%.120s%s%.120s", where ? where : "", where ? ": " : "", err.text);
		pane_say(&a->host, true, "%s", text);
		if (where && !a->failed[0])
			memcpy(a->failed, text, sizeof a->failed);
		return;
	}
	if (host.say[0])
		pane_say(&a->host, false, "%s", host.say);
	if (host.times) /* of an earlier warning, it would go no further */
		pane_say(&a->host, false, "%s", "");
	for (int i = 0; i < host.times && !a->host.warning; i++)
		app_act(a, host.key);
	a->repaint |= host.repaint;
	if (host.leave)
		app_leave(a, EXIT_SUCCESS);
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
	struct pollfd p = {a->waker.fd, POLLIN, 0};
	return poll_again(&p, 1, 0) > 0;
}

/* Report whether the last frame is complete and no job is running. */
bool app_is_idle(const struct app *a)
{
	struct evl_progress now = evl_progress(a->host.log);
	return a->drawn.done && !now.fetching && now.fetched == a->drawn.fetched && !panes_busy(&a->host)
		&& !follow_busy(&a->follow) && !is_woken(a);
}

/* After a frame: what was entered, else the next line of a file, which may have to wait for the log. */
bool app_run_next(struct app *a)
{
	char line[PROMPT_ROOM];
	if (a->host.command[0]) {
		memcpy(line, a->host.command, sizeof line);
		a->host.command[0] = '\0';
		run_command(a, line, NULL);
		return true;
	}
	if (!script_line(&a->script) || (command_waits(script_line(&a->script)) && !app_is_idle(a)))
		return false;
	run_line_of_script(a);
	return true;
}

/* Commands that need no log run before the first frame. */
void app_run_settings(struct app *a)
{
	while (script_line(&a->script) && !command_waits(script_line(&a->script)) && !a->leave)
		run_line_of_script(a);
}
