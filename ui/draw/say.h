/* say.h - write messages to standard error */
#ifndef EVTUI_SAY_H
#define EVTUI_SAY_H

#include "base/base.h"

/* Write "evtui: ", the formatted text and a newline. Control characters are escaped, because file names and option
 * values may contain anything. */
void say_error(const char *format, ...) EVL_PRINTF(1, 2);

/* Return whether the locale's character encoding is UTF-8. */
bool say_utf8(void);

#endif
