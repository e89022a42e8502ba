/* signals.h - signals of a terminal program (resize, suspend, termination) through a pipe, and clean-up after a
 * crash. */
#ifndef EVTUI_SIGNALS_H
#define EVTUI_SIGNALS_H

#include "base/base.h"

struct termios;

/* Take over all signals that end a process or concern its terminal (before curses would); those that are ignored stay
 * so. -1 when there is no pipe. */
int signals_open(void) EVL_MUST_USE;
/* Restore them. Signals that arrived before stay readable. */
void signals_close(void);

/* Readable when a signal came. */
int signals_fd(void);
/* The next one, 0 when there is none. */
int signals_next(void);

/* Stop as Ctrl-Z does, with the whole process group; returns when continued, or at once if no process could continue
 * us. All other threads must block signals. */
void signals_stop(void);

/* While another program has the terminal: Ctrl-Z stops us too, Ctrl-C and Ctrl-\\ are not for us. */
void signals_lend(void);
void signals_take_back(void);

/* On SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGXFSZ and (without another handler) SIGBUS: write `words` to fd, restore `modes`, then
 * let the signal take its course. NULL words: no more of that. */
void signals_on_crash(int fd, const char *words, const struct termios *modes);

#endif
