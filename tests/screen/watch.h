/* progress.h - what a program under test takes of the machine while it runs. */
#ifndef PTY_WATCH_H
#define PTY_WATCH_H

#include "terminal.h"

/* Let it run for `seconds`, and print its resources now and then. Return NULL, or what grew: private memory by more
 * than a quarter and 8 MB since the first third, or descriptors. */
const char *watch(struct terminal *t, int seconds);

#endif
