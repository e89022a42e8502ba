/* atomic_file.h - output file that appears complete or not at all: written under a temporary name beside its target,
 * then renamed. */
#ifndef EVL_ATOMIC_FILE_H
#define EVL_ATOMIC_FILE_H

#include "base/err.h"

struct atomic_file {
	int fd;
	int error; /* the errno of what failed first; 0: nothing did */
	bool force;
	char *path, *temporary;
};

/* Begin. force: a file of that name is replaced at the end, else it is an error. 0, or EVL_EXISTS, EVL_IO or EVL_NOMEM with
 * err filled (err.text begins with the path); then there is nothing to end. */
int atomic_file_begin(struct atomic_file *f, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Append; false once anything failed. */
bool atomic_file_put(struct atomic_file *f, const char *bytes, size_t len);

/* Give it its name, or, with keep false or after a failure, leave nothing behind. Call it once. 0, or EVL_EXISTS or
 * EVL_IO with err filled. */
int atomic_file_end(struct atomic_file *f, bool keep, struct evl_err *err);

/* All of it at once: begin, bytes, end. */
int atomic_file_save(const char *path, const void *bytes, uint64_t len, bool force, struct evl_err *err) EVL_MUST_USE;

#endif
