/* file_out.h - a file that appears whole or not at all: written under another name beside it, named at the end. */
#ifndef EVL_FILE_OUT_H
#define EVL_FILE_OUT_H

#include "base/err.h"

struct file_out {
	int fd;
	int error; /* the errno of what failed first; 0: nothing did */
	bool force;
	char *path, *temporary;
};

/* Begin. force: a file of that name is replaced at the end, else it is an error. 0, or EVL_EXISTS, EVL_IO or EVL_NOMEM with
 * err filled (err.text begins with the path); then there is nothing to end. */
int file_out_begin(struct file_out *f, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Append; false once anything failed. */
bool file_out_put(struct file_out *f, const char *bytes, size_t len);

/* Give it its name, or, with keep false or after a failure, leave nothing behind. Call it once. 0, or EVL_EXISTS or
 * EVL_IO with err filled. */
int file_out_end(struct file_out *f, bool keep, struct evl_err *err);

/* All of it at once: begin, bytes, end. */
int file_out_save(const char *path, const void *bytes, uint64_t len, bool force, struct evl_err *err) EVL_MUST_USE;

#endif
