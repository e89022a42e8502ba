/* bookmarks_file.h - load and save the marks and named ranges of a log in the state directory.
 *
 * One small text file per log, found by the log's device, inode, size, and a hash of its header. */
#ifndef EVTUI_BOOKMARKS_FILE_H
#define EVTUI_BOOKMARKS_FILE_H

#include "log/log.h"
#include "state/bookmarks.h"
#include "state/state_dir.h"

struct bookmarks_file {
	char path[STATE_PATH]; /* "": marks of this log cannot be kept */
	char identity[128];    /* a line of the file */
};

/* Which file it is, and the marks that it holds, if any. NULL, or a line for the user: a file that makes no sense is
 * ignored. */
const char *bookmarks_load(struct bookmarks_file *f, const struct evl_log *log, struct bookmarks *out);

/* NULL, or why they are not kept. */
const char *bookmarks_save(const struct bookmarks_file *f, const struct bookmarks *b);

/* The text of the file, for bookmarks_load and for tests. False, with *out empty: it is none of this identity. */
bool bookmarks_parse(const char *text, const char *identity, struct bookmarks *out);

#endif
