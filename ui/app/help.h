/* help.h - help overlay (? key): key bindings of the current pane, and explanations of the words it shows */
#ifndef EVTUI_HELP_H
#define EVTUI_HELP_H

#include "draw/canvas.h"
#include "term/keymap.h"

#include <stdbool.h>

struct shown_colour;
struct table_kind;

struct help {
	bool open, typing; /* typing: a topic is being typed after / */
	int top;           /* index of the first visible line */
	/* When last drawn: number of lines and of those visible, lines of the page before, first line of the last full page. */
	int rows, page, back, most;
	bool tab;        /* scroll to the glossary, or back, at the next drawing */
	bool of_colours; /* show these colours of the screen and nothing else */
	const struct shown_colour *colours;
	int n_colours;
	const struct table_kind *table; /* table open in the pane, whose columns are explained; NULL: none */
	char topic[64];                 /* show only lines about this topic; "": all */
};

/* Open the help on a topic: a prefix of a section, a key, a command, or a word of their help texts. Return false if
 * nothing matches. */
bool help_about(struct help *h, const char *topic);

/* Draw the help over the present contents of the canvas, keys of this pane first. Limits `top` to valid values. */
void help_draw(struct help *h, enum keymap_pane pane, struct canvas *c);

/* Handle a key while a topic is being typed. */
void help_type(struct help *h, const char *key);

/* Scroll, by an action that otherwise moves from lane to lane or to an end of the run. */
void help_scroll(struct help *h, enum action action);

/* Return the help as text, for --list-keys. The caller frees it; NULL if memory ran out. */
char *help_text(void);

#endif
