/* curses.h - show a canvas on the terminal with curses; only curses.c includes <curses.h>
 *
 * A process has one terminal, so the state is one static struct. Used by tty.c only. */
#ifndef EVTUI_CURSES_H
#define EVTUI_CURSES_H

#include "draw/canvas.h"

/* Set up the terminal, with this number of rows and columns. Its description is that of TERM, of a similar terminal,
 * or a built-in one. Output goes to the file descriptor `out`, one frame at a time. Return 0, or -1 with a one-line
 * message in why[room]. */
int curses_open(int out, int rows, int cols, char *why, size_t room) EVL_MUST_USE;
void curses_close(void);

/* curses_term: return the terminal type in use. curses_note: return a one-line message for the user if that is not
 * TERM, else NULL. */
const char *curses_term(void);
const char *curses_note(void);

/* Return the version of the library: "6.4". */
const char *curses_library(void);

/* Return the number of colours to use (0, 8, 16 or 256): `asked` (enum tty_colours), limited to what the terminal
 * supports. */
int curses_colours(int asked, enum theme theme);

/* Leave the alternate screen. The next curses_show enters it again. */
void curses_pause(void);

/* Note that another program wrote to the terminal, so that the next curses_show redraws everything. */
void curses_forget(void);

/* Show a canvas. full: redraw everything. Return 0, or -1 if memory ran out. */
int curses_show(const struct canvas *c, bool full);

#endif
