/* app.h - start the viewer (app_run): options of a run, event loop. */
#ifndef EVTUI_APP_H
#define EVTUI_APP_H

#include "log/log.h"
#include "panes/program/child.h"
#include "query/exe_match.h"
#include "stream/stream.h"
#include "term/tty.h"

/* Files of commands, and one for copies. */
struct app_files {
	const char *config; /* NULL: the user's evtuirc, if there is one */
	const char *script; /* NULL: none */
	const char *copy;   /* what is copied is put there too; NULL: no */
};

/* The log to show, complete or still being written. */
struct app_source {
	struct evl_log *log;              /* NULL: */
	const struct stream_spec *stream; /* read this */
	struct child *child;              /* that writes it; NULL: none of ours */
	const char *save;                 /* what came is kept there; NULL: it is not */
	bool force;                       /* also over an existing file */
	int threads;                      /* of walks, as in evl_use_threads */
	struct name_files names;
	const char *sources; /* where sources are; NULL: not given */
};

/* Show it until the user quits. Return the exit status, which is that of the child if there is one. The terminal is
 * restored, the log closed, and the child has ended. */
int app_run(const struct app_source *source, const struct tty_options *options, const struct app_files *files);

#endif
