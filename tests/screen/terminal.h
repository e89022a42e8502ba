/* terminal.h - a program under test in a pseudo-terminal, and the libvterm that is its terminal.
 *
 * Nothing here sleeps. Under EVTUI_SYNC=1 the program sends OSC 5959;idle;N ST whenever it is about to block with
 * nothing left to do, so also once after any input that changes nothing. A script that waits for the marker after
 * each input never has more than one answer in progress. */
#ifndef PTY_TERMINAL_H
#define PTY_TERMINAL_H

#include "bytes.h"
#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

struct terminal {
	int rows, cols;
	pid_t child; /* 0: no program is running */
	int status;  /* of the last one, as waitpid tells it */
	int master;  /* -1: hung up, or never there */
	int alive;   /* end of file here: the program has ended */
	struct termios found;

	VTerm *vt; /* NULL until the first run */
	VTermScreen *screen;
	VTermPos cursor;
	bool feeding; /* it is being written to */
	bool cursor_on, alt_screen;
	int mouse;

	struct bytes typed; /* not yet written to the program */
	struct bytes seen;  /* all that this program has sent */
	size_t fed;         /* bytes passed to libvterm */
	bool owed;          /* no marker has answered the last input yet */
	bool dirty;         /* drawn on since the last marker */
};

/* Run argv[0] on a blank screen of rows x cols; -1 with errno where that fails. */
int terminal_start(struct terminal *t, char *const argv[]);

/* One turn of give and take; false when nothing happened within ms. */
bool terminal_turn(struct terminal *t, int ms);

/* Turns until the program is idle again, or has ended; false when that took longer than ms. */
bool terminal_settle(struct terminal *t, int ms);

/* Turns until done(t, arg) or the program has ended; false when that took longer than ms. */
bool terminal_until(
	struct terminal *t, bool (*done)(const struct terminal *t, const void *arg), const void *arg, int ms);

bool terminal_ended(const struct terminal *t, const void *unused);

/* Before and while the program runs. */
void terminal_resize(struct terminal *t, int rows, int cols);
void terminal_hang_up(struct terminal *t);

/* Describe what an ended program did not restore; NULL: nothing. */
const char *terminal_left(struct terminal *t);

void terminal_free(struct terminal *t);

#endif
