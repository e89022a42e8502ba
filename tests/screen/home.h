/* home.h - the environment of the program under test: the same everywhere, with an empty home directory. */
#ifndef PTY_HOME_H
#define PTY_HOME_H

/* Changes this process's environment; the home is removed when it exits. -1 with errno where there is no room. */
int home_set_up(void);

#endif
