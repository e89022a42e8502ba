/* sandbox.h - restrict batch commands and the viewer to what they need, with Landlock and seccomp
 *
 * On Linux, seccomp allows a fixed list of system calls: none that start programs, open sockets (except in a viewer
 * whose log comes from one), act on processes outside the process group, control the terminal except to set its modes,
 * or make memory executable. Landlock lets a batch command read only its logs and the other files named in struct
 * sandbox_files, and create files only in `folder`, if set; its output file is already open. The viewer may read all
 * files and write those that its user names, but not create devices, sockets, FIFOs or links; a separate process runs
 * editors and tmux for it (term/runner.h). Threads started before the sandbox is entered are not restricted. */
#ifndef EVTUI_SANDBOX_H
#define EVTUI_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Files that a command needs. */
struct sandbox_files {
	const char *const *logs; /* logs that will be opened by name; NULL elements are skipped */
	size_t n_logs;
	const char *cache;       /* folder whose files may be read; NULL: none */
	const char *folder;      /* folder in which files may be created, renamed and removed; NULL: none */
	int nameless;            /* number of unlinked files that the command needs */
	const char *const *more; /* readable files, and folders whose files are readable */
	size_t n_more;
	bool viewer;  /* restrict as the viewer, not as a batch command */
	bool sockets; /* only for the viewer: allow sockets, because its log comes from one */
};

/* Restrictions in force, as bits; or SANDBOX_LEFT_OUT. */
enum sandbox {
	SANDBOX_NONE = 0,
	SANDBOX_FILES = 1, /* Landlock is in force */
	SANDBOX_CALLS = 2, /* seccomp is in force */
	SANDBOX_ALL = 3,
	SANDBOX_LEFT_OUT = 4 /* none: this program was built without sandbox support */
};

/* Enter the sandbox for the rest of the process's life, after opening the unlinked files that may be needed
 * (anon_file.h). Missing logs are not reported here; opening them later fails. Return the restrictions now in force. */
enum sandbox sandbox_enter(const struct sandbox_files *files);

/* Return the restrictions in force in this process. */
enum sandbox sandbox_held(void);

/* Return a description for users; a constant. */
const char *sandbox_text(enum sandbox sandbox);

#endif
