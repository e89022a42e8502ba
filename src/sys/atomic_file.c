#include "sys/atomic_file.h"

#include "sys/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fail(const char *path, int error, struct evl_err *err)
{
	int code = error == EEXIST ? EVL_EXISTS : EVL_IO;
	return evl_fail(err, code, EVL_NO_OFFSET, "%.140s: %s", path, strerror(error));
}

static void forget(struct atomic_file *f)
{
	free(f->path);
	free(f->temporary);
	*f = (struct atomic_file){.fd = -1};
}

/* One is refused before the work and not only at its end. */
static bool in_the_way(const char *path, bool force) { return !force && access(path, F_OK) == 0; }

int atomic_file_begin(struct atomic_file *f, const char *path, bool force, struct evl_err *err)
{
	*f = (struct atomic_file){.fd = -1, .force = force, .path = strdup(path)};
	if (!f->path || asprintf(&f->temporary, "%s.%ld.new", path, (long)getpid()) < 0) {
		free(f->path);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	}
	errno = EEXIST;
	if (!in_the_way(path, force))
		f->fd = open_again(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (f->fd >= 0)
		return 0;
	int error = errno;
	forget(f);
	return fail(path, error, err);
}

bool atomic_file_put(struct atomic_file *f, const char *bytes, size_t len)
{
	if (!f->error && !write_all(f->fd, bytes, len))
		f->error = errno;
	return !f->error;
}

/* The finished file gets its name at last: by force in the place of another, else only where there is none. */
static bool name_it(const struct atomic_file *f)
{
	if (f->force)
		return rename(f->temporary, f->path) == 0;
	return link(f->temporary, f->path) == 0 && unlink(f->temporary) == 0;
}

int atomic_file_end(struct atomic_file *f, bool keep, struct evl_err *err)
{
	if (!close_written(f->fd) && !f->error)
		f->error = errno;
	bool named = keep && !f->error && name_it(f);
	if (keep && !f->error && !named)
		f->error = errno;
	if (!named)
		unlink(f->temporary);
	int result = keep && !named ? fail(f->path, f->error, err) : 0;
	forget(f);
	return result;
}

int atomic_file_save(const char *path, const void *bytes, uint64_t len, bool force, struct evl_err *err)
{
	enum { PIECE = 1 << 20 };
	struct atomic_file out;
	const char *p = bytes;
	bool good = true;
	int result = atomic_file_begin(&out, path, force, err);
	if (result < 0)
		return result;
	for (uint64_t at = 0; good && at < len; at += PIECE)
		good = atomic_file_put(&out, p + at, (size_t)min_u64(PIECE, len - at));
	return atomic_file_end(&out, true, err);
}
