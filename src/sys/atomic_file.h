/* atomic_file.h - output file that appears complete or not at all.
 *
 * A new file has no name while it is written (O_TMPFILE) and gets one at the end, so that a signal leaves no
 * temporary file. Where the file system has no such files, it is written under a temporary name in the same folder.
 * Only regular files are ever replaced: a device or a FIFO is written to directly, links are followed to a regular
 * file, and everything else is refused. A file that replaces another has its owner and at most its rights. */
#ifndef EVL_ATOMIC_FILE_H
#define EVL_ATOMIC_FILE_H

#include "base/err.h"

#include <sys/types.h>

struct atomic_file {
	int fd;          /* to write to; of what is not direct also to read from */
	int error;       /* the errno of what failed first; 0: nothing did */
	bool direct;     /* a device or FIFO: there is nothing to name */
	bool force;      /* a regular file of that name is replaced */
	char *path;      /* the file's final name, with links followed */
	char *temporary; /* its name until then */
	bool named;      /* it has that name now: there are no files without one here */
	pid_t keeper;    /* the process that will name it; 0: this one */
	int ask, answer; /* pipes to and from the keeper */
};

/* Refuse what atomic_file_begin would refuse, without touching anything. 0, or EVL_EXISTS, EVL_IO or EVL_NOMEM with err
 * filled (err.text begins with the path). */
int atomic_file_check(const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Begin. force: a regular file of that name is replaced at the end, else that is an error. Results as those of
 * atomic_file_check; after an error there is nothing to end. */
int atomic_file_begin(struct atomic_file *f, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Let a helper process name the file at the end, or remove it when this process is killed: for a process that is
 * about to enter a sandbox in which it cannot create names. Call it before other threads start. Return 0, or EVL_IO
 * with err filled; the file must still be ended in either case. */
int atomic_file_entrust(struct atomic_file *f, struct evl_err *err) EVL_MUST_USE;

/* Append; false once anything failed. */
bool atomic_file_put(struct atomic_file *f, const char *bytes, size_t len);

/* Give the file its name, or remove it if keep is false or after a failure. Call it once. Return 0, or EVL_EXISTS or
 * EVL_IO with err filled. */
int atomic_file_end(struct atomic_file *f, bool keep, struct evl_err *err);

/* All of it at once: begin, bytes, end. */
int atomic_file_save(const char *path, const void *bytes, uint64_t len, bool force, struct evl_err *err) EVL_MUST_USE;

#endif
