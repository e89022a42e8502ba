/* wrapped.h - find the Haskell program among the child processes of cabal, stack, make or a script */
#ifndef EVTUI_WRAPPED_H
#define EVTUI_WRAPPED_H

#include "panes/program/presets.h"

#include <sys/types.h>

struct wrapped {
	char *const *argv;
	enum preset preset;
	int log_fd;    /* write end of the pipe for the log */
	int announced; /* descriptor to write errno to if argv[0] cannot be executed */
};

/* Return whether a file is, by its name, a build tool that runs the program to be recorded, or a tool of GHC. */
bool wrapped_is_tool(const char *path);

/* Run the command. The first Haskell program among it and its descendants that is not a tool gets GHCRTS set. If a
 * program lacks a feature, print on standard error how to build it, and look on. Does not return: this process ends as
 * the command ends. */
_Noreturn void wrapped_run(const struct wrapped *w);

/* Append the RTS flags for the program at a path, separated by blanks: those of the preset, log_option (which names
 * the log file), and FLUSH_OPTION if the program supports it. If it lacks a required feature, append advice on
 * building it instead, and return false. */
#define FLUSH_OPTION "--eventlog-flush-interval"
bool wrapped_flags(struct buf *out, const char *path, enum preset preset, const char *log_option, enum build_tool tool);

#endif
