/* edit_source.h - open a source location in the user's editor.
 *
 * Log text is never interpreted: the location is parsed here, the file must exist as a regular file, its absolute
 * path is passed to the editor as one argument, and no shell is involved. The editor is $VISUAL, else $EDITOR, else
 * vi; its arguments are separated by blanks. */
#ifndef EVTUI_EDIT_SOURCE_H
#define EVTUI_EDIT_SOURCE_H

#include "query/source_find.h"

struct pane_host;

enum { EDIT_PATH = SOURCE_PATH };

struct edit_place {
	char path[EDIT_PATH]; /* as the log has it, or, when found, absolute */
	unsigned line, col;   /* from 1; 0: not known */
};

/* Parse a location as in source_loc.h. Return false if it names no file. */
bool edit_place_parse(struct evl_str location, struct edit_place *out);

/* Find the file and replace its path by the absolute name. Return false if it is not found. */
bool edit_place_find(struct edit_place *place, const struct source_places *where);

/* Build the command for a place: the editor's words, then the place in that editor's syntax. Words point into
 * `editor` (which is cut into pieces) and `room`, and end with NULL. Return their number, or 0 if the editor has too
 * many. */
enum { EDIT_WORDS = 16, EDIT_ROOM = EDIT_PATH + 64 };
int edit_words(char *editor, const struct edit_place *place, char *room, const char **words);

/* Run the user's editor on a place: a struct edit_place, which is checked. See tty_run. May be called by the runner. */
int edit_run(const void *place, size_t len);

/* Open it and return when the editor ends. Problems are reported on the screen. */
void edit_source(struct pane_host *h, struct evl_str location);

#endif
