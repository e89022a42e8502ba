/* bookmark_list.h - overlay that lists marks and named ranges (B key) */
#ifndef EVTUI_BOOKMARK_LIST_H
#define EVTUI_BOOKMARK_LIST_H

#include "draw/canvas.h"
#include "state/model.h"

struct bookmark_list {
	bool open;
	int at;       /* index of the selected row, from 0 */
	int shown;    /* number of visible rows */
	bool by_time; /* sorted by time; else marks by letter, then ranges in the order of creation */
};

/* A command, and the mark or range it applies to. */
struct marks_choice {
	enum bookmark_command { MARKS_NOTHING, MARKS_GO, MARKS_REMOVE } what;
	char letter;                     /* 0: not a mark */
	const struct named_range *range; /* NULL: not a range */
};

/* Draw the list over the present contents of the canvas. */
void marks_view_draw(struct bookmark_list *v, const struct model *m, struct canvas *c);

/* Handle a key while the list is open; a letter goes to the mark of that name. Return the command to perform,
 * MARKS_NOTHING if none. */
struct marks_choice marks_view_key(struct bookmark_list *v, const struct bookmarks *b, const char *key);

#endif
