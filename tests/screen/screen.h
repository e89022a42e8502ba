/* curses.h - what is on a terminal's screen: its text, its colours, cell by cell and as lines to compare. */
#ifndef PTY_SCREEN_H
#define PTY_SCREEN_H

#include "bytes.h"
#include "terminal.h"

enum { BOLD = 1, UNDERLINE = 2, ITALIC = 4, BLINK = 8, REVERSE = 16 };

struct look {
	VTermColor fg, bg;
	int attrs;
	bool blank; /* shows its background only; fg and attrs are then those of a fresh terminal */
};

VTermScreenCell screen_cell(const struct terminal *t, int y, int x);
bool screen_is_blank(const VTermScreenCell *cell);
struct look screen_look(const struct terminal *t, int y, int x);

/* Whether a cell looks as the run of cells before it does. */
bool screen_same_look(const struct look *run, const struct look *cell);

/* One line per row, without trailing blanks. The caller frees the result, here and below. */
struct bytes screen_text(const struct terminal *t);

/* One line per row: ROW: COLUMN:FG/BGattributes, a column for each change; `-` is the terminal's own colour. Rows
 * without any colour are left out. */
struct bytes curses_colours(const struct terminal *t);

/* Whether the text stands within one row. */
bool screen_shows(const struct terminal *t, const char *text);

#endif
