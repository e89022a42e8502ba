/* sandbox.h - what a command without a screen can still do, whatever a log should make of it: read the log, write what
 * was named, unpack into $TMPDIR. No other file is opened, no program started, no socket made.
 *
 * Landlock and seccomp of Linux; where the kernel lacks one, the other must do. Threads that were started before are
 * not held. */
#ifndef EVTUI_SANDBOX_H
#define EVTUI_SANDBOX_H

#include <stdbool.h>

enum { SANDBOX_LOGS = 2 };

struct sandbox_files {
	const char *logs[SANDBOX_LOGS]; /* that are read; NULL: fewer */
	const char *output;             /* that is written, and whose directory temporary files are in; NULL: none */
};

/* From here on until the end of the process. False: it is not so; the kernel has nothing of the kind, or one of the
 * files is not there, and whoever opens it will say so. */
bool sandbox_enter(const struct sandbox_files *files);

#endif
