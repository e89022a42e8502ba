/* bookmark_list.h - overlay that lists marks and named ranges (the B key). */
#ifndef EVTUI_BOOKMARK_LIST_H
#define EVTUI_BOOKMARK_LIST_H

#include "draw/canvas.h"
#include "state/model.h"

struct bookmark_list {
	bool open;
	int at; /* the selected row, from 0: marks first */
};

/* A mark, or a range. */
struct marks_choice {
	enum bookmark_command { MARKS_NOTHING, MARKS_GO, MARKS_REMOVE } what;
	char letter;                     /* 0: not a mark */
	const struct named_range *range; /* NULL: not a range */
};

void marks_view_draw(struct bookmark_list *v, const struct model *m, struct canvas *c);

/* Handle a key while it is open; a letter goes to this mark. Return the action to take, if any. */
struct marks_choice marks_view_key(struct bookmark_list *v, const struct bookmarks *b, const char *key);

#endif
