/* app.h - start the viewer (app_run) and run its event loop until the user quits */
#ifndef EVTUI_APP_H
#define EVTUI_APP_H

#include "log/log.h"
#include "panes/program/child.h"
#include "query/exe_match.h"
#include "stream/stream.h"
#include "term/tty.h"

/* Files that the viewer reads commands from or writes copies to. */
struct app_files {
	const char *config; /* commands run at the start; NULL: the user's evtuirc, if it exists */
	const char *script; /* script given by --script; NULL: none */
	const char *copy;   /* file that copied text is also written to; NULL: none */
};

/* The log to show, complete or still being written, and options of the run. */
struct app_source {
	struct evl_log *log;              /* NULL: read `stream` instead */
	const struct stream_spec *stream; /* stream to read the log from */
	struct child *child;              /* program started by evtui that writes the log; NULL: none */
	const char *save;                 /* file to save a stream's log in at the end; NULL: none */
	bool force;                       /* overwrite an existing `save` file */
	int threads;                      /* threads for indexing, as for evl_use_threads */
	struct name_files names;          /* files that name the addresses in the log */
	const char *sources;              /* folder of source files; NULL: not given */
};

/* Show the log until the user quits. Return the exit status: that of the child if there is one. On return the
 * terminal is restored, the log is closed and the child has ended. */
int app_run(const struct app_source *source, const struct tty_options *options, const struct app_files *files);

#endif
