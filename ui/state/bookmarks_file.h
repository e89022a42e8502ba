/* bookmarks_file.h - load and save the marks and named ranges of a log, in the state directory
 *
 * There is one small text file per log, identified by the log's device, inode and size and a hash of its header. */
#ifndef EVTUI_BOOKMARKS_FILE_H
#define EVTUI_BOOKMARKS_FILE_H

#include "log/log.h"
#include "state/bookmarks.h"
#include "state/state_dir.h"

struct bookmarks_file {
	char path[STATE_PATH]; /* "": marks of this log cannot be saved */
	char identity[128];    /* identity of the log, a line of the file */
};

/* Determine the file of a log, and load its marks if it exists. Return NULL or a message for the user; an invalid
 * file is ignored. */
const char *bookmarks_load(struct bookmarks_file *f, const struct evl_log *log, struct bookmarks *out);

/* Save the marks. Return NULL or an error message. */
const char *bookmarks_save(const struct bookmarks_file *f, const struct bookmarks *b);

/* Parse the text of a file. Return false, with *out empty, if it is not for this identity. For bookmarks_load and
 * for tests. */
bool bookmarks_parse(const char *text, const char *identity, struct bookmarks *out);

#endif
