/* wrapped.h - find the Haskell program among the children of cabal, stack, make or a script, and have it write its log. */
#ifndef EVTUI_WRAPPED_H
#define EVTUI_WRAPPED_H

#include "panes/program/presets.h"

#include <sys/types.h>

struct wrapped {
	char *const *argv;
	enum preset preset;
	int log_fd;    /* where the log goes: the write end of a pipe */
	int announced; /* errno goes there where argv[0] cannot be run */
};

/* Is it a command that runs the program to be recorded, or a tool of GHC, by its name? */
bool wrapped_is_tool(const char *path);

/* Run it; GHCRTS is set for the first Haskell program among it and its children that is no tool. Lines on standard error say
 * what that lacks and where to add it. Ends this process as the command ends. */
void wrapped_run(const struct wrapped *w);

/* Flags for a program at a path: those of a preset, the one that says where its log goes, and, where it has it, the one that
 * flushes the log often. Appended to out with blanks between; false: it lacks something, and out says what. */
#define FLUSH_OPTION "--eventlog-flush-interval"
bool wrapped_flags(struct buf *out, const char *path, enum preset preset, const char *log_option, enum build_tool tool);

#endif
