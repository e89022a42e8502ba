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

/* What the terminal turned out to be able to do. */
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

/* What to poll for input and for signals; both become readable. The second one also when a slow terminal is ready for
 * more: tty_signals then sends it. */
int tty_input_fd(void);
int tty_signal_fd(void);

/* Read what was typed. Bytes read, 0: nothing now, -1: the terminal is gone (end of file, EIO): leave. */
int tty_read(uint8_t *bytes, size_t room);

/* The signals that came since the last call, as bits. SIGTSTP and SIGCONT are dealt with inside: they come out as
 * TTY_RESIZED. TTY_END: SIGTERM or another that ends a process, or the terminal is gone; leave, then tty_die_of_signal() takes the
 * course that the signal wanted. */
enum { TTY_RESIZED = 1, TTY_END = 2, TTY_INTERRUPT = 4 };
int tty_signals(void);
void tty_die_of_signal(void); /* returns when no TTY_END came */

void tty_size(int *rows, int *cols);

/* Show the canvas: only what differs from the screen is sent. full: everything. -1: the terminal is gone. While a slow
 * terminal has not taken the frame before, the canvas is put by (the newest one wins), and tty_signals shows it when it
 * can: nothing ever blocks. */
int tty_show(const struct canvas *c, bool full);

/* Stop as Ctrl-Z does, and come back: modes and screen are as before (the next tty_show repaints all). */
void tty_suspend(void);

/* Give the terminal away while `run` works, then take it back; what we catch is by default meanwhile, so that Ctrl-Z
 * stops both. Returns what it returns; -1 without it while the terminal is not ours. */
int tty_lend(int (*run)(void *ctx), void *ctx);

/* Run a program on the terminal until it ends, in tty_lend or in the runner. words: its name and arguments, NULL behind
 * them; it is looked for along $PATH, no shell is asked. Its status, 128 + n for a signal, TTY_NOT_FOUND, or -1 where no
 * process can be had. */
enum { TTY_NOT_FOUND = 127 };
int tty_run(const char *const *words);

void tty_mouse(bool on);

/* Ask what there is to be known: the background's colour, whether it holds back frames, whether it knows kitty's keys.
 * The answers come as input (KEY_REPLY), if ever: nobody waits. */
void tty_query(void);
void tty_holds_frames(void); /* it said so: from now on frames are marked as such */
void tty_knows_keys(void);

/* A whole sequence for the terminal, behind the frame that is on its way. */
void tty_send(const char *sequence);

/* Other colours from now on, as in tty_options; what the terminal can do of it, as in tty_traits. */
int tty_colours(int colours, enum theme theme);

/* Tell a test harness (environment EVTUI_SYNC=1) that the program is about to wait with nothing left to draw:
 * OSC 5959;idle;N ST. Otherwise nothing. */
void tty_idle(void);

#endif
