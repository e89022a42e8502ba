/* view_help.h - the help overlay: every key and what it does, made from the key table. */
#ifndef EVTUI_VIEW_HELP_H
#define EVTUI_VIEW_HELP_H

#include "canvas.h"
#include "keymap.h"

struct help {
	bool open;
	int top; /* first line shown */
};

/* Over what is drawn already, the keys of the pane first. Keeps `top` within what there is. */
void help_draw(struct help *h, enum keymap_pane pane, struct canvas *c);

/* The same as text for a terminal or a pipe: --list-keys. The caller frees it; NULL when memory is out. */
char *help_text(void);

#endif
