#include "sys/atomic_file.h"

#include "sys/retry.h"
#include "sys/system.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *path, int error, struct evl_err *err)
{
	int code = error == EEXIST ? EVL_EXISTS : error == ENOMEM ? EVL_NOMEM : EVL_IO;
	return evl_fail(err, code, EVL_NO_OFFSET, "%.140s: %s", path, strerror(error));
}

static int refuse(const char *path, const char *why, struct evl_err *err)
{
	return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.120s: %s", path, why);
}

static void forget(struct atomic_file *f)
{
	free_all(f->path, f->temporary);
	*f = (struct atomic_file){.fd = -1};
}

/* --- what is there ------------------------------------------------------------------------------------------------ */

/* A terminal is written to by those who know what it would obey. */
static bool is_written_directly(mode_t mode) { return S_ISCHR(mode) || S_ISFIFO(mode); }

/* Look at what has the name, through links; *st: of it, with st_mode 0 where there is nothing. */
static int look(const char *path, bool force, struct stat *st, struct evl_err *err)
{
	struct stat link;
	if (stat(path, st)) {
		if (errno != ENOENT)
			return fail(path, errno, err);
		st->st_mode = 0;
		return lstat(path, &link) == 0 ? refuse(path, "is a link to a file that does not exist", err) : 0;
	}
	if (S_ISREG(st->st_mode))
		return force ? 0 : fail(path, EEXIST, err);
	if (S_ISDIR(st->st_mode))
		return fail(path, EISDIR, err);
	return is_written_directly(st->st_mode) ? 0 : refuse(path, "is not a file that can be written to", err);
}

int atomic_file_check(const char *path, bool force, struct evl_err *err)
{
	struct stat st;
	return look(path, force, &st, err);
}

/* --- beginning ---------------------------------------------------------------------------------------------------- */

/* A FIFO without a reader is an error, not a wait; one whose reader is slow is waited for. */
static int open_directly(struct atomic_file *f, const char *path, struct evl_err *err)
{
	struct stat st;
	f->direct = true;
	f->fd = open_again(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0);
	if (f->fd < 0)
		return errno == ENXIO ? refuse(path, "nothing reads from it", err) : fail(path, errno, err);
	if (fstat(f->fd, &st) || !is_written_directly(st.st_mode) || isatty(f->fd))
		return refuse(path, isatty(f->fd) ? "is a terminal" : "was replaced by something else", err);
	int flags = fcntl(f->fd, F_GETFL);
	return flags >= 0 && fcntl(f->fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? 0 : fail(path, errno, err);
}

/* A file without a name in the directory, if it can have one later. -1 with errno. */
static int open_nameless(const char *path, mode_t mode)
{
	char *copy = strdup(path);
	int fd = copy ? sys_nameless(dirname(copy), mode) : -1, why = errno;
	free(copy);
	errno = why;
	return fd;
}

static int open_new(struct atomic_file *f, mode_t mode)
{
	f->fd = open_nameless(f->path, mode);
	if (f->fd >= 0 || errno != EOPNOTSUPP)
		return f->fd;
	f->fd = open_again(f->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	f->named = f->fd >= 0;
	return f->fd;
}

/* The owner and the rights of the file that will be replaced; fewer rights where its group cannot be had. False with errno. */
static bool take_over(int fd, const char *path, const struct stat *old)
{
	enum { ALL = 0777, OF_GROUP = 070 };
	struct stat now;
	mode_t mode = old->st_mode & ALL;
	if (fstat(fd, &now))
		return false;
	if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid)) {
		if (now.st_uid != old->st_uid)
			return false;
		mode &= ~(mode_t)OF_GROUP;
	}
	return fchmod(fd, mode) == 0 && sys_copy_acl(fd, path);
}

static int begin_regular(struct atomic_file *f, const char *path, const struct stat *old, struct evl_err *err)
{
	bool there = old->st_mode != 0;
	f->path = there ? realpath(path, NULL) : strdup(path);
	if (!f->path)
		return fail(path, errno, err);
	size_t room = strlen(f->path) + 32;
	f->temporary = malloc(room);
	if (!f->temporary)
		return fail(path, ENOMEM, err);
	snprintf(f->temporary, room, "%s.%ld.new", f->path, (long)getpid());
	if (open_new(f, there ? 0600 : 0666) < 0 || (there && !take_over(f->fd, f->path, old)))
		return fail(path, errno, err);
	return 0;
}

int atomic_file_begin(struct atomic_file *f, const char *path, bool force, struct evl_err *err)
{
	struct stat st;
	*f = (struct atomic_file){.fd = -1, .force = force};
	int result = look(path, force, &st, err);
	if (result < 0)
		return result;
	if (is_written_directly(st.st_mode)) {
		f->path = strdup(path);
		result = f->path ? open_directly(f, path, err) : fail(path, ENOMEM, err);
	} else {
		result = begin_regular(f, path, &st, err);
	}
	if (result < 0) {
		if (f->fd >= 0)
			close(f->fd);
		if (f->named)
			unlink(f->temporary);
		forget(f);
	}
	return result;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static bool give_name(const struct atomic_file *f, const char *name)
{
	return (f->named ? link(f->temporary, name) : sys_give_name(f->fd, name)) == 0;
}

/* In the place of another file, which is a regular one still. The temporary name is there for a moment only, in which no
 * signal is taken. */
static bool replace(struct atomic_file *f)
{
	struct stat st;
	sigset_t all, before;
	if (lstat(f->path, &st) == 0 && !S_ISREG(st.st_mode)) {
		errno = EEXIST;
		return false;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool good = f->named || give_name(f, f->temporary);
	f->named = f->named || good;
	good = good && rename(f->temporary, f->path) == 0;
	f->named = f->named && !good;
	int why = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return good;
}

/* The errno that it could not be named for, or 0. Without `keep`, or after a failure, nothing is left. */
static int settle(struct atomic_file *f, bool keep)
{
	bool good = keep && (give_name(f, f->path) || (errno == EEXIST && f->force && replace(f)));
	int why = good || !keep ? 0 : errno;
	if (f->named)
		unlink(f->temporary);
	return why;
}

/* --- the keeper --------------------------------------------------------------------------------------------------- */

/* In the new process: nothing but the end of the other one ends it. */
static _Noreturn void keep(struct atomic_file *f, int ask, int answer)
{
	char word = 0;
	int why = settle(f, read_again(ask, &word, 1) == 1 && word);
	_exit(write_all(answer, &why, sizeof why) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static pid_t fork_keeper(struct atomic_file *f, const int ask[2], const int answer[2])
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		close(ask[1]);
		close(answer[0]);
		keep(f, ask[0], answer[1]);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

int atomic_file_entrust(struct atomic_file *f, struct evl_err *err)
{
	int ask[2] = {-1, -1}, answer[2] = {-1, -1};
	if (f->direct)
		return 0;
	pid_t pid = sys_pipe(ask, 0) || sys_pipe(answer, 0) ? -1 : fork_keeper(f, ask, answer);
	int result = pid < 0 ? fail(f->path, errno, err) : 0, theirs[] = {ask[0], answer[1]},
	    ours[] = {ask[1], answer[0]};
	for (size_t i = 0; i < countof(theirs); i++) {
		if (theirs[i] >= 0)
			close(theirs[i]);
		if (pid < 0 && ours[i] >= 0)
			close(ours[i]);
	}
	if (pid > 0) {
		f->keeper = pid;
		f->ask = ask[1];
		f->answer = answer[0];
	}
	return result;
}

static int ask_keeper(struct atomic_file *f, bool keep)
{
	int why = 0;
	char word = keep;
	signal(SIGPIPE, SIG_IGN); /* it may have been removed */
	bool told = write_all(f->ask, &word, 1) && read_again(f->answer, &why, sizeof why) == sizeof why;
	close(f->ask);
	close(f->answer);
	waitpid_again(f->keeper, NULL, 0);
	return told ? why : keep ? EIO : 0;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

bool atomic_file_put(struct atomic_file *f, const char *bytes, size_t len)
{
	if (!f->error && !write_all(f->fd, bytes, len))
		f->error = errno;
	return !f->error;
}

/* A descriptor is closed where the last bytes are on their way; the name is given through another one to the same file. */
static bool flush(struct atomic_file *f)
{
	int written = f->fd;
	f->fd = fcntl(written, F_DUPFD_CLOEXEC, 0);
	if (f->fd < 0) {
		f->fd = written;
		return false;
	}
	return close_written(written);
}

int atomic_file_end(struct atomic_file *f, bool keep, struct evl_err *err)
{
	if (!flush(f) && !f->error)
		f->error = errno;
	bool whole = keep && !f->error;
	int why = f->direct ? 0 : f->keeper ? ask_keeper(f, whole) : settle(f, whole);
	close(f->fd);
	why = f->error ? f->error : why;
	int result = keep && why ? fail(f->path, why, err) : 0;
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
