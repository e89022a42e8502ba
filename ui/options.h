/* options.h - the command line, as options.def says. */
#ifndef EVTUI_OPTIONS_H
#define EVTUI_OPTIONS_H

#include "tty.h"

#include <stdio.h>

enum { EXIT_USAGE = 2 };

enum mode { MODE_VIEW, MODE_STATS, MODE_HELP, MODE_VERSION, MODE_LIST_KEYS };

struct options {
	enum mode mode;
	struct tty_options tty;
	const char *log;
};

/* 0, or EXIT_USAGE after one line on standard error. */
int options_parse(struct options *o, int argc, char **argv);

/* The text of --help. */
void options_help(FILE *out);

#endif
