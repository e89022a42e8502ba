/* command.h - parse, run and complete commands of the : prompt, evtuirc and --script (table: command.def)
 *
 * A line is a command's name, or an unambiguous prefix of it, and its arguments. app_commands.c decides when a line
 * is run. */
#ifndef EVTUI_COMMAND_H
#define EVTUI_COMMAND_H

#include "app/help.h"
#include "panes/timeline/mouse.h"
#include "panes/timeline/timeline.h"
#include "state/bookmarks_file.h"
#include "term/input.h"
#include "term/tty.h"

enum { COMMAND_ROOM = 8192 + 16, COMMAND_SAY = 384 }; /* large enough for an SQL statement of QUERY_ROOM bytes */

/* The state that commands act on, and their results. */
struct pane_host;

struct command_host {
	struct pane_host *view;
	struct model *model;
	struct timeline *timeline;
	struct canvas *canvas; /* last frame, for screenshots */
	struct input *input;
	struct help *help;
	struct mouse *mouse;
	const struct bookmarks_file *marks_file;
	const struct tty_traits *traits; /* properties of the terminal */
	enum theme *theme;
	int *colours;
	int64_t now_ms;
	bool repaint, leave; /* output: redraw all; quit */
	enum action key;     /* output: if times > 0, the action to perform so often, as long as it goes on */
	int times;
	char say[COMMAND_SAY]; /* output: message to show; "": none */
};

/* Run a line. Return 0; or EVL_USAGE or EVL_IO with *err filled, then nothing was done. */
int command_run(struct command_host *h, const char *line, struct evl_err *err) EVL_MUST_USE;

/* Return whether this line must wait until the log is read and a frame is drawn; false for an invalid line. */
bool command_waits(const char *line);

/* Complete the last word of text as far as it is unambiguous, into out (room bytes). say (COMMAND_SAY bytes): the
 * remaining choices, or "". */
void command_complete(struct pane_host *h, const char *text, char *out, size_t room, char *say);

#endif
