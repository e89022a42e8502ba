/* view_marks.h - the overlay that lists the marks. */
#ifndef EVTUI_VIEW_MARKS_H
#define EVTUI_VIEW_MARKS_H

#include "canvas.h"
#include "model.h"

struct marks_view {
	bool open;
	int at; /* the selected one, from 0 */
};

void marks_view_draw(struct marks_view *v, const struct model *m, struct canvas *c);

/* A key while it is open. A letter: go to this mark; 0: nothing to go to. *removed: the letter of one to take away. */
char marks_view_key(struct marks_view *v, const struct bookmarks *b, const char *key, char *removed);

#endif
