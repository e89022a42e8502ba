/* sandbox.h - confine batch commands and the viewer with Landlock and seccomp, by what each needs.
 *
 * seccomp of Linux lists the calls that are allowed, so that there are no programs, sockets, other processes, or controls of
 * the terminal but for its modes, and memory is never made executable. Landlock leaves a batch command the logs to be read
 * and no directory to be written to; its output is open before. The viewer may read files and write those that its user
 * names, but makes no devices, sockets, FIFOs or links; editors and tmux are run by another process (term/runner.h). Where
 * its log comes from a socket it may use sockets. Threads that were started before are not held. */
#ifndef EVTUI_SANDBOX_H
#define EVTUI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct sandbox_files {
	const char *const *logs; /* that will be opened by name; NULLs are skipped */
	size_t n_logs;
	const char *cache;       /* a folder whose files may be read; NULL: none */
	const char *folder;      /* in which files are made, renamed and removed; NULL: none */
	int nameless;            /* files without a name that they need, each */
	const char *const *more; /* files, and directories whose files may be read */
	size_t n_more;
	bool viewer;
	bool sockets; /* of the viewer: its log comes from one */
};

enum sandbox {
	SANDBOX_NONE = 0,
	SANDBOX_FILES = 1, /* Landlock holds */
	SANDBOX_CALLS = 2, /* seccomp holds */
	SANDBOX_ALL = 3,
	SANDBOX_LEFT_OUT = 4 /* this program was built without */
};

/* Enter the sandbox until the end of the process. Opens the unlinked files that a command may need (anon_file.h)
 * first. A missing log is not an error here: opening it will report that. */
enum sandbox sandbox_enter(const struct sandbox_files *files);

/* Restrictions in force in this process. */
enum sandbox sandbox_held(void);

/* In words, for people. */
const char *sandbox_text(enum sandbox sandbox);

#endif
