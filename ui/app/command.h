/* command.h - parse, run and complete commands of the : prompt, evtuirc and --script, expanded from command.def.
 *
 * A line is the name of a command, or an unambiguous prefix of it, and its arguments. See also app_commands.c. */
#ifndef EVTUI_COMMAND_H
#define EVTUI_COMMAND_H

#include "app/help.h"
#include "panes/timeline/mouse.h"
#include "panes/timeline/timeline.h"
#include "state/bookmarks_file.h"
#include "term/input.h"
#include "term/tty.h"

enum { COMMAND_ROOM = 8192 + 16, COMMAND_SAY = 256 }; /* room for a statement of QUERY_ROOM */

/* State that commands act on, and requests to their host. */
struct pane_host;

struct command_host {
	struct pane_host *view;
	struct model *model;
	struct timeline *timeline;
	struct canvas *canvas; /* the last frame: what a screenshot shows */
	struct input *input;
	struct help *help;
	struct mouse *mouse;
	const struct bookmarks_file *marks_file;
	const struct tty_traits *traits; /* as the terminal was found */
	enum theme *theme;
	int *colours;
	int64_t now_ms;
	bool repaint, leave;   /* out */
	char say[COMMAND_SAY]; /* out; "": nothing */
};

/* Do what the line says. 0, or EVL_USAGE or EVL_IO with err filled: nothing was done. */
int command_run(struct command_host *h, const char *line, struct evl_err *err) EVL_MUST_USE;

/* Must the log have been read, and a frame been drawn, before this line is run? A line that makes no sense: no. */
bool command_waits(const char *line);

/* Complete the last word of the text as far as it is certain, into out (room bytes). say (COMMAND_SAY bytes): what
 * there is to choose from, or "". */
void command_complete(struct pane_host *h, const char *text, char *out, size_t room, char *say);

#endif
