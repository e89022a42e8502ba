/* tty.h - the terminal: raw mode, alternate screen, mouse and paste modes, queries, showing a canvas, restoring on
 * exit.
 *
 * The only file that changes terminal modes. Everything is put back however the program ends, also after a crash.
 * There is one terminal in a process, so the state is one static struct. */
#ifndef EVTUI_TTY_H
#define EVTUI_TTY_H

#include "draw/canvas.h"

struct tty_options {
	int colours;      /* enum tty_colours; TTY_AUTO also asks NO_COLOR */
	enum theme theme; /* if it is given; else the environment may tell */
	bool theme_given;
	bool ascii; /* forced; otherwise by the locale's codeset */
	bool no_mouse;
	bool no_query; /* ask the terminal nothing */
};

/* Capabilities of the terminal. */
struct tty_traits {
	bool ascii, mono, utf8;
	enum theme theme;
	int colours;        /* 0, 8, 16 or 256 */
	const char *note;   /* one line for the user ("TERM=… is not known here; using …"), or NULL */
	const char *term;   /* the terminal type in use, never NULL */
	const char *curses; /* version of the library */
};

/* Take the terminal. 0; or -1 with one line in why[]. Keys come from /dev/tty where standard input is no terminal. Sets
 * the locale of characters. Call it before other threads begin (it lends curses the environment); they must block all
 * signals, so that Ctrl-Z stops this one. */
int tty_open(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room) EVL_MUST_USE;

/* Find out what the terminal named by TERM can do, without a word to it; for evtui doctor. -1 with one line in why[]. */
int tty_describe(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room) EVL_MUST_USE;

/* Give it back: modes off, main screen, cursor shown. Safe to call twice, and when tty_open failed. */
void tty_close(void);

/* File descriptors to poll for input and for signals, which become readable; and, where a slow terminal has to take more (else
 * -1), for output, which becomes writable: tty_signals then sends it. */
int tty_input_fd(void);
int tty_signal_fd(void);
int tty_output_fd(void);

/* Read input. Return the number of bytes, 0 if there are none now, or -1 if the terminal is closed (end of file,
 * EIO): quit. */
int tty_read(uint8_t *bytes, size_t room);

/* Return the signals since the last call, as bits. SIGTSTP and SIGCONT are handled inside and reported as
 * TTY_RESIZED. TTY_END: SIGTERM or another signal that ends a process, or the terminal is closed: quit, then call
 * tty_die_of_signal(). */
enum { TTY_RESIZED = 1, TTY_END = 2, TTY_INTERRUPT = 4 };
int tty_signals(void);
void tty_die_of_signal(void); /* returns when no TTY_END came */

void tty_size(int *rows, int *cols);

/* Show the canvas: only differences to the screen are sent. full: everything. -1: the terminal is closed. While a
 * slow terminal has not taken the frame before, the canvas is postponed (the newest one wins), and tty_signals shows
 * it later: nothing ever blocks. */
int tty_show(const struct canvas *c, bool full);

/* Stop as Ctrl-Z does, and come back: modes and screen are as before (the next tty_show repaints all). */
void tty_suspend(void);

/* Release the terminal while `run` works, then take it back. Caught signals have their default action meanwhile, so
 * that Ctrl-Z stops both. Return the result of run, or -1 without calling it while the terminal is not ours. */
int tty_lend(int (*run)(void *ctx), void *ctx);

/* Run a program on the terminal until it ends, in tty_lend or in the runner. words: its name and arguments,
 * terminated by NULL; it is searched for on $PATH, without a shell. Return its status, 128 + n for a signal,
 * TTY_NOT_FOUND, or -1 if no process can be created. */
enum { TTY_NOT_FOUND = 127 };
int tty_run(const char *const *words);

void tty_mouse(bool on);

/* Query the terminal: background colour, synchronized output, kitty's keyboard protocol. Replies arrive as input
 * (KEY_REPLY), if at all; there is no wait for them. */
void tty_query(void);
void tty_holds_frames(void); /* it said so: from now on frames are marked as such */
void tty_knows_keys(void);

/* Send a complete sequence to the terminal, after the frame being sent. */
void tty_send(const char *sequence);

/* Other colours from now on, as in tty_options; what the terminal can do of it, as in tty_traits. */
int tty_colours(int colours, enum theme theme);

/* Tell a test harness (environment EVTUI_SYNC=1) that the program is about to wait with nothing left to draw:
 * OSC 5959;idle;N ST. Otherwise nothing. */
void tty_idle(void);

#endif
