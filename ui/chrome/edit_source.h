/* edit_source.h - open a source location in the user's editor
 *
 * A location comes from the log and is not trusted: it is parsed here, it must name a regular file, its absolute
 * path is passed as one argument, and no shell is involved. The editor is $VISUAL, else $EDITOR, else vi; arguments
 * in it are separated by blanks. */
#ifndef EVTUI_EDIT_SOURCE_H
#define EVTUI_EDIT_SOURCE_H

#include "exe/source_find.h"

struct pane_host;

enum { EDIT_PATH = SOURCE_PATH };

/* A place in a source file. */
struct edit_place {
	char path[EDIT_PATH]; /* path as in the log; absolute after edit_place_find */
	unsigned line, col;   /* from 1; 0: unknown */
};

/* Parse a location, in the syntax of source_loc.h. Return false if it names no file. */
bool edit_place_parse(struct evl_str location, struct edit_place *out);

/* Find the file, and replace its path by the absolute path. Return false if it is not found. */
bool edit_place_find(struct edit_place *place, const struct source_places *where);

/* Build the editor's command line for a place: the words of `editor`, then the place in the syntax of that editor.
 * Fills words[EDIT_WORDS], NULL-terminated; the words point into `editor`, which is modified, and into
 * room[EDIT_ROOM]. Return their number, or 0 if the editor has too many. */
enum { EDIT_WORDS = 16, EDIT_ROOM = EDIT_PATH + 64 };
int edit_words(char *editor, const struct edit_place *place, char *room, const char **words);

/* Run the user's editor and wait for it; place points to a struct edit_place of len bytes, which is validated.
 * Return as tty_run does. The runner process (term/runner.h) calls it. */
int edit_run(const void *place, size_t len);

/* Open a location in the editor, and return when the editor ends. Problems are reported on the screen. */
void edit_source(struct pane_host *h, struct evl_str location);

#endif
