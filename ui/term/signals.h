/* signals.h - signals of a terminal program (resize, suspend, termination), and clean-up after a crash */
#ifndef EVTUI_SIGNALS_H
#define EVTUI_SIGNALS_H

#include "base/base.h"

struct termios;

/* Handle all signals that end a process or concern its terminal; ignored signals remain ignored. Call it before
 * curses installs handlers. Return 0, or -1 if no pipe could be created. */
int signals_open(void) EVL_MUST_USE;
/* Restore the previous handlers. Signals that have arrived stay readable. */
void signals_close(void);

/* Return the descriptor that is readable when a signal has arrived. */
int signals_fd(void);
/* Return the number of the next signal, or 0 if there is none. */
int signals_next(void);

/* Stop the whole process group, as Ctrl-Z does. Return after it is continued, or immediately if there is no job
 * control. All other threads must block signals. */
void signals_stop(void);

/* signals_lend: let another program use the terminal. Until signals_take_back, Ctrl-Z stops this process, too,
 * while Ctrl-C and Ctrl-\ do not affect it. */
void signals_lend(void);
void signals_take_back(void);

/* On SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGXFSZ and (without another handler) SIGBUS, write the
 * string `words` to fd, restore the terminal's `modes`, and die of the signal. words NULL: switch this off. */
void signals_on_crash(int fd, const char *words, const struct termios *modes);

#endif
