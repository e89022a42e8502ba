/* signals.h - signals of a terminal program (resize, suspend, termination) through a pipe, and clean-up after a
 * crash. */
#ifndef EVTUI_SIGNALS_H
#define EVTUI_SIGNALS_H

#include "base/base.h"

struct termios;

/* Handle all signals that end a process or concern its terminal (call before curses does); ignored signals stay ignored. Return
 * 0, or -1 if there is no pipe. */
int signals_open(void) EVL_MUST_USE;
/* Restore the previous handlers. Signals that have arrived stay readable. */
void signals_close(void);

/* Return a descriptor that is readable when a signal has arrived. */
int signals_fd(void);
/* Return the next signal, or 0. */
int signals_next(void);

/* Stop the whole process group as Ctrl-Z does. Return when continued, or at once without job control. All other threads must
 * block signals. */
void signals_stop(void);

/* Lend the terminal to another program: until signals_take_back, Ctrl-Z also stops this process, which ignores Ctrl-C and
 * Ctrl-\\. */
void signals_lend(void);
void signals_take_back(void);

/* On SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGXFSZ and (without another handler) SIGBUS: write `words` to fd,
 * restore `modes`, then die of the signal. NULL words disable this. */
void signals_on_crash(int fd, const char *words, const struct termios *modes);

#endif
