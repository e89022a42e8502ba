/* tty.h - control of the terminal: modes, alternate screen, queries, showing a canvas, restoring on exit
 *
 * Only tty.c changes terminal modes. They are restored however the program ends, even after a crash. A process has
 * one terminal, so the state is one static struct. */
#ifndef EVTUI_TTY_H
#define EVTUI_TTY_H

#include "draw/canvas.h"

/* Command-line options that concern the terminal. */
struct tty_options {
	int colours;      /* enum tty_colours; TTY_AUTO respects NO_COLOR */
	enum theme theme; /* valid if theme_given; else chosen by the environment */
	bool theme_given;
	bool ascii; /* force ASCII; otherwise the locale decides */
	bool no_mouse;
	bool no_query; /* send no queries to the terminal */
};

/* Properties of the terminal. */
struct tty_traits {
	bool ascii, mono, utf8;
	enum theme theme;
	int colours;        /* 0, 8, 16 or 256 */
	const char *note;   /* one-line message for the user ("TERM=… is not known here; using …"); NULL: none */
	const char *term;   /* terminal type in use, never NULL */
	const char *curses; /* version of the curses library */
};

/* Take control of the terminal. Keys come from /dev/tty if standard input is not a terminal. This also sets the locale
 * for character types. Call it before other threads start, because it modifies the environment for curses; those
 * threads must block all signals, so that Ctrl-Z reaches this one. Return 0, or -1 with a one-line message in
 * why[room]. */
int tty_open(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room) EVL_MUST_USE;

/* Determine the properties of the terminal named by TERM without sending anything to it; for `evtui doctor`. Return
 * 0, or -1 with a one-line message in why[room]. */
int tty_describe(const struct tty_options *options, struct tty_traits *traits, char *why, size_t room) EVL_MUST_USE;

/* Restore the terminal: modes off, main screen, cursor visible. May be called twice, and after tty_open failed. */
void tty_close(void);

/* Return descriptors to poll: for input and for signals, which become readable; for output, which becomes writable,
 * -1 if no output is pending. Then call tty_read or tty_signals; the latter also sends pending output. */
int tty_input_fd(void);
int tty_signal_fd(void);
int tty_output_fd(void);

/* Read input. Return the number of bytes, 0 if there are none now, or -1 if the terminal is closed: then quit. */
int tty_read(uint8_t *bytes, size_t room);

/* Return the signals since the last call, as bits. SIGTSTP and SIGCONT are handled here and reported as TTY_RESIZED.
 * TTY_END means SIGTERM or another fatal signal, or that the terminal was closed: quit, then call tty_die_of_signal. */
enum { TTY_RESIZED = 1, TTY_END = 2, TTY_INTERRUPT = 4 };
int tty_signals(void);
void tty_die_of_signal(void); /* returns if there was no TTY_END */

/* Get the size of the terminal in cells. */
void tty_size(int *rows, int *cols);

/* Show the canvas by sending its differences to the screen. full: send everything. Never blocks: while a slow
 * terminal is still receiving the previous frame, only the newest canvas is kept, and tty_signals shows it later.
 * Return 0, or -1 if the terminal is closed. */
int tty_show(const struct canvas *c, bool full);

/* Stop the process, as Ctrl-Z does. After it is continued, modes are restored, and the next tty_show redraws
 * everything. */
void tty_suspend(void);

/* Release the terminal, call run(ctx), and take it back. Meanwhile signals have their default actions, so that
 * Ctrl-Z stops both programs. Return the result of run, or -1 without calling it if the terminal is not under
 * control. */
int tty_lend(int (*run)(void *ctx), void *ctx);

/* Run a program on the terminal and wait for it; to be called inside tty_lend or in the runner. words: name and
 * arguments, NULL-terminated; the name is looked up in $PATH, no shell is used. Return its exit status, 128 + n if
 * signal n killed it, TTY_NOT_FOUND, or -1 if no process could be created. */
enum { TTY_NOT_FOUND = 127 };
int tty_run(const char *const *words);

/* Switch mouse reports on or off. */
void tty_mouse(bool on);

/* Send queries: background colour, synchronized output, kitty's keyboard protocol. Replies arrive as input
 * (KEY_REPLY), if at all; do not wait for them. */
void tty_query(void);
void tty_holds_frames(void); /* call on REPLY_SYNC: mark the start and end of frames from now on */
/* Call on REPLY_KEYS: switch kitty's keyboard protocol on. */
void tty_knows_keys(void);

/* Send a complete escape sequence, after the frame being sent. */
void tty_send(const char *sequence);

/* Change number of colours (as in tty_options) and theme. Return the number of colours in use (as in tty_traits). */
int tty_colours(int colours, enum theme theme);

/* If a test harness runs the program (EVTUI_SYNC=1), tell it that everything is drawn and the program will now wait:
 * OSC 5959;idle;N ST. */
void tty_idle(void);

#endif
