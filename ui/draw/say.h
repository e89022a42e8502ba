/* say.h - lines on standard error. */
#ifndef EVTUI_SAY_H
#define EVTUI_SAY_H

#include "base/base.h"

/* Write "evtui: ", the text and a newline. Names of files and values of options may be anything, so that nothing in the
 * text but its letters reaches a terminal. */
void say_error(const char *format, ...) EVL_PRINTF(1, 2);

/* Does the terminal take UTF-8, by the locale? */
bool say_utf8(void);

#endif
