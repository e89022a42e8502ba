/* atomic_file.h - write an output file that appears complete or not at all
 *
 * A new file has no name while it is written (O_TMPFILE) and gets one at the end, so a signal leaves no temporary
 * file. If the file system lacks O_TMPFILE, the file is written under a temporary name in the same folder. Only
 * regular files are ever replaced: a device or FIFO is written to directly, symbolic links are followed, and
 * anything else is refused. A file that replaces another gets the owner, group, permissions and (Linux) access
 * control list of that file; if its group cannot be set, the group gets no permissions; if its owner cannot, that is
 * an error. */
#ifndef EVL_ATOMIC_FILE_H
#define EVL_ATOMIC_FILE_H

#include "base/err.h"

#include <sys/types.h>

/* A file being written. All members are private but error. */
struct atomic_file {
	int fd;          /* open for writing; unless `direct`, also for reading */
	int error;       /* errno of the first failure; 0: none */
	bool direct;     /* a device or FIFO: it already has its name */
	bool force;      /* replace an existing regular file */
	char *path;      /* final name, symbolic links resolved */
	char *temporary; /* temporary name */
	bool named;      /* it has the temporary name now, because the file system lacks O_TMPFILE */
	pid_t keeper;    /* helper process that will rename it; 0: this process will */
	int ask, answer; /* pipes to and from the helper process */
};

/* Return the error that atomic_file_begin would return, without touching anything: 0; or EVL_EXISTS, EVL_IO or
 * EVL_NOMEM with *err filled (its text starts with the path). */
int atomic_file_check(const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Start writing. force: replace an existing regular file at the end; without it, an existing file is an error.
 * Return values as for atomic_file_check; after an error, do not call atomic_file_end. */
int atomic_file_begin(struct atomic_file *f, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Let a helper process give the file its name at the end, or remove it if this process is killed. Use this if the
 * process will enter a sandbox in which it cannot create names, and before other threads start. Return 0, or EVL_IO
 * with *err filled; call atomic_file_end in either case. */
int atomic_file_entrust(struct atomic_file *f, struct evl_err *err) EVL_MUST_USE;

/* Append bytes. Return false if this or an earlier call failed. */
bool atomic_file_put(struct atomic_file *f, const char *bytes, size_t len);

/* Give the file its name; or remove it, if keep is false or a write failed. Call it exactly once. Return 0, or
 * EVL_EXISTS or EVL_IO with *err filled. */
int atomic_file_end(struct atomic_file *f, bool keep, struct evl_err *err);

/* Write a whole file: begin, put and end in one call. Return values as for atomic_file_check. */
int atomic_file_save(const char *path, const void *bytes, uint64_t len, bool force, struct evl_err *err) EVL_MUST_USE;

#endif
