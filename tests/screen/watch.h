/* progress.h - what a program under test takes of the machine while it runs. */
#ifndef PTY_WATCH_H
#define PTY_WATCH_H

#include "terminal.h"

/* Let it run for so many seconds, a line of what it takes now and then to standard output. NULL, or what grew: memory of its
 * own by more than a quarter and 8 MB since the first third, descriptors at all. */
const char *watch(struct terminal *t, int seconds);

#endif
