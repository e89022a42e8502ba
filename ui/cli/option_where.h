/* option_where.h - name the commands that accept an option, for --help and the man page */
#ifndef EVTUI_OPTION_WHERE_H
#define EVTUI_OPTION_WHERE_H

#include <stddef.h>

enum { OPTION_WHERE = 200 };

/* Write " [show, stats]" or " [all but show]" for the option in row i of options.def (from 0); "" for options
 * without a command, such as --version. Return out. */
char *option_where(size_t i, char out[OPTION_WHERE]);

#endif
