/* app.h - the viewer: wait for keys and news, act, draw. */
#ifndef EVTUI_APP_H
#define EVTUI_APP_H

#include "evl.h"
#include "tty.h"

/* Files of commands, and one for copies. */
struct app_files {
	const char *config; /* NULL: the user's evtuirc, if there is one */
	const char *script; /* NULL: none */
	const char *copy;   /* what is copied is put there too; NULL: no */
};

/* Show the log until the user leaves. Returns the exit status; the terminal is restored. */
int app_run(struct evl_log *log, const struct tty_options *options, const struct app_files *files);

#endif
