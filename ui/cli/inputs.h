/* inputs.h - sets of logs that the command line names: files, folders, patterns; opening each in turn. */
#ifndef EVTUI_INPUTS_H
#define EVTUI_INPUTS_H

#include "cli/report.h"

enum { INPUTS_MOST = 10000 };

struct inputs {
	char **paths;
	size_t n, room;
};

/* Add what a word means: a file; of a folder its files *.eventlog, .gz, .zst and .xz, too; the files that a pattern fits. In
 * natural order (run2 before run10). 0, or the exit status after a line on standard error. */
int inputs_add(struct inputs *in, const char *what);

/* Add the steps of a series that a word means: a file; of a folder its logs or, without any, its folders; what a pattern fits.
 * In natural order. 0 or the exit status. */
int inputs_list(struct inputs *in, const char *what);

/* Add what each of n words means. */
int inputs_add_all(struct inputs *in, const char *const *words, size_t n);
void inputs_free(struct inputs *in);

/* Open a log and walk it to its end. NULL after a line on standard error. */
struct evl_log *inputs_open(const char *path, const struct options *o);

#endif
