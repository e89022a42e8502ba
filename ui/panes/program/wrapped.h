/* wrapped.h - find the Haskell program among the children of cabal, stack, make or a script, and have it write its log. */
#ifndef EVTUI_WRAPPED_H
#define EVTUI_WRAPPED_H

#include "panes/program/presets.h"

#include <sys/types.h>

struct wrapped {
	char *const *argv;
	enum preset preset;
	int log_fd;    /* write end of the pipe for the log */
	int announced; /* descriptor to write errno to if argv[0] cannot be run */
};

/* Return whether the file, by its name, is a build tool that runs the program to be recorded, or a tool of GHC. */
bool wrapped_is_tool(const char *path);

/* Run the command; set GHCRTS for the first Haskell program among it and its children that is not a tool. If that program lacks
 * a feature, print on standard error what to add to its build. Does not return: this process ends as the command ends. */
_Noreturn void wrapped_run(const struct wrapped *w);

/* Append the RTS flags for the program at a path, separated by blanks: those of the preset, log_option (the file of the log),
 * and FLUSH_OPTION if the program has it. If it lacks a feature, append what to add to its build and return false. */
#define FLUSH_OPTION "--eventlog-flush-interval"
bool wrapped_flags(struct buf *out, const char *path, enum preset preset, const char *log_option, enum build_tool tool);

#endif
