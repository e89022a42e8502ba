#include "sys/retry.h"

#include "sys/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

int open_again(const char *path, int flags, mode_t mode)
{
	int fd;
	do
		fd = open(path, flags, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

ssize_t read_again(int fd, void *bytes, size_t room)
{
	ssize_t n;
	do
		n = read(fd, bytes, room);
	while (n < 0 && errno == EINTR);
	return n;
}

int poll_again(struct pollfd *fds, nfds_t n, int ms)
{
	int64_t until = ms > 0 ? clock_ms() + ms : 0;
	int ready = poll(fds, n, ms);
	while (ready < 0 && errno == EINTR) {
		int64_t left = ms > 0 ? until - clock_ms() : ms;
		ready = poll(fds, n, ms > 0 && left < 0 ? 0 : (int)left);
	}
	return ready;
}

pid_t waitpid_again(pid_t pid, int *status, int options)
{
	pid_t result;
	do
		result = waitpid(pid, status, options);
	while (result < 0 && errno == EINTR);
	return result;
}

bool write_all(int fd, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	for (size_t done = 0; done < len;) {
		ssize_t n = write(fd, p + done, len - done);
		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

bool close_written(int fd) { return close(fd) == 0 || errno == EINTR; }
