#include "state/state_dir.h"

#include "sys/retry.h"
#include "sys/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool path_in(char *out, const char *variable, const char *at_home, const char *name)
{
	const char *dir = getenv(variable), *home = getenv("HOME");
	int n = -1;
	if (dir && *dir == '/') /* a relative one is to be ignored */
		n = snprintf(out, STATE_PATH, "%s/evtui/%s", dir, name);
	else if (home && *home == '/')
		n = snprintf(out, STATE_PATH, "%s/%s/evtui/%s", home, at_home, name);
	return n > 0 && n < STATE_PATH;
}

bool state_path(char *out, const char *name) { return path_in(out, "XDG_STATE_HOME", ".local/state", name); }

bool config_path(char *out, const char *name) { return path_in(out, "XDG_CONFIG_HOME", ".config", name); }

static int64_t read_all(int fd, char *out, size_t room)
{
	size_t n = 0;
	while (n < room) {
		ssize_t got = read_again(fd, out + n, room - n);
		if (got < 0)
			return -1;
		if (got == 0) {
			out[n] = '\0';
			return (int64_t)n;
		}
		n += (size_t)got;
	}
	errno = EFBIG;
	return -1;
}

int64_t state_read(const char *path, char *out, size_t room)
{
	struct stat st;
	int fd = open_again(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0); /* whatever lies there: never wait for it */
	if (fd < 0)
		return -1;
	int64_t n = -1;
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		errno = EINVAL;
	else
		n = read_all(fd, out, room);
	int error = errno;
	close(fd);
	errno = error;
	return n;
}

/* All directories above the file. */
static int make_above(const char *path)
{
	char part[STATE_PATH];
	size_t len = strlen(path);
	if (len >= sizeof part) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(part, path, len + 1);
	for (char *p = part + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(part, 0700) && errno != EEXIST)
			return -1;
		*p = '/';
	}
	return 0;
}

int state_write(const char *path, const void *bytes, size_t len)
{
	char temporary[STATE_PATH + 8];
	if (make_above(path))
		return -1;
	snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
	int fd = sys_temporary(temporary);
	if (fd < 0)
		return -1;
	bool good = write_all(fd, bytes, len); /* no fsync: do not wait for the disk */
	good = close_written(fd) && good && rename(temporary, path) == 0;
	int error = errno;
	if (!good)
		unlink(temporary);
	errno = error;
	return good ? 0 : -1;
}
