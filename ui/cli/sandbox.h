/* sandbox.h - confine batch commands with Landlock and seccomp after their files are open.
 *
 * A command without a screen can then only read the log, write the named output and decompress into $TMPDIR. It
 * opens no other file, starts no program, makes no socket. If the kernel lacks one of the two mechanisms, the other
 * applies. Threads started earlier are not confined. */
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
