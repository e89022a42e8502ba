/* inputs.h - sets of logs given on the command line as files, folders or patterns; open them one by one */
#ifndef EVTUI_INPUTS_H
#define EVTUI_INPUTS_H

#include "cli/report.h"

enum { INPUTS_MOST = 10000 };

struct inputs {
	char **paths;
	size_t n, room;
};

/* Add the logs that a word names: a file; a folder, meaning its files *.eventlog, *.eventlog.gz, .zst and .xz; or a
 * glob pattern. Logs come in natural order (run2 before run10). Return 0, or the exit status after an error message. */
int inputs_add(struct inputs *in, const char *what);

/* Add the steps of a series that a word names: a file; a folder, meaning its logs or, if it has none, its
 * subfolders; or a glob pattern. Natural order. Return 0, or the exit status after an error message. */
int inputs_list(struct inputs *in, const char *what);

/* Call inputs_add for each of n words. */
int inputs_add_all(struct inputs *in, const char *const *words, size_t n);
void inputs_free(struct inputs *in);

/* Open a log and index it completely, with names if the command takes them. fd: of a stream, which is read to its end;
 * -1: the log is a file. Return NULL after an error message. */
struct evl_log *inputs_open(const char *path, int fd, const struct options *o);

#endif
