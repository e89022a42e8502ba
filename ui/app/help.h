/* help.h - help overlay (the ? key): key bindings of the current pane, and the words on it. */
#ifndef EVTUI_HELP_H
#define EVTUI_HELP_H

#include "draw/canvas.h"
#include "term/keymap.h"

#include <stdbool.h>

struct table_kind;

struct help {
	bool open, typing;              /* typing: a topic, after / */
	int top;                        /* first line shown */
	int page;                       /* lines shown at last */
	bool tab;                       /* to the first word, or back, when it is drawn */
	const struct table_kind *table; /* open in the pane, for its columns; NULL: none */
	char topic[64];                 /* only lines about it; "": everything */
};

/* Open it on a topic: a prefix of a section, a key, a command, or a word of their help. Return false if there is
 * none. */
bool help_about(struct help *h, const char *topic);

/* Over what is drawn already, the keys of the pane first. Keeps `top` within what there is. */
void help_draw(struct help *h, enum keymap_pane pane, struct canvas *c);

/* A key while a topic is typed. */
void help_type(struct help *h, const char *key);

/* Move by a key that moves from lane to lane, or to an end of the run. */
void help_scroll(struct help *h, enum action action);

/* The same as text for a terminal or a pipe: --list-keys. The caller frees it; NULL when memory is out. */
char *help_text(void);

#endif
