/* app.h - the viewer: wait for keys and news, act, draw. */
#ifndef EVTUI_APP_H
#define EVTUI_APP_H

#include "evl.h"
#include "stream.h"
#include "tty.h"

/* Files of commands, and one for copies. */
struct app_files {
	const char *config; /* NULL: the user's evtuirc, if there is one */
	const char *script; /* NULL: none */
	const char *copy;   /* what is copied is put there too; NULL: no */
};

/* What is shown: a log, or one that is still being written. */
struct app_source {
	struct evl_log *log;              /* NULL: */
	const struct stream_spec *stream; /* read this */
	int threads;                      /* of walks, as in evl_use_threads */
};

/* Show it until the user leaves. Returns the exit status; the terminal is restored, the log closed. */
int app_run(const struct app_source *source, const struct tty_options *options, const struct app_files *files);

#endif
