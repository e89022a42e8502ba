/* curses.h - show a canvas through curses; the only file that includes <curses.h>.
 *
 * There is one terminal in a process, so the state is one static struct. Used by tty.c only. */
#ifndef EVTUI_CURSES_H
#define EVTUI_CURSES_H

#include "draw/canvas.h"

/* Set up the terminal, which now has this number of rows and columns: from the entry of TERM, of a similar terminal,
 * or a built-in one. Output goes to the file `out`, one frame at a time. Return 0, or -1 with one line in why[]. */
int curses_open(int out, int rows, int cols, char *why, size_t room) EVL_MUST_USE;
void curses_close(void);

/* The type in use; and a line for the user where that is not TERM, or NULL. */
const char *curses_term(void);
const char *curses_note(void);

/* "6.4": of the library. */
const char *curses_library(void);

/* 0, 8, 16 or 256: what was asked for (enum tty_colours) as far as the terminal can. */
int curses_colours(int asked, enum theme theme);

/* Leave the alternate screen; the next curses_show enters it again. */
void curses_pause(void);

/* Another program has written to the terminal: the next curses_show sends everything. */
void curses_forget(void);

/* -1 when memory is out. */
int curses_show(const struct canvas *c, bool full);

#endif
