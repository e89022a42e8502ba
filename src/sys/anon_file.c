#include "sys/anon_file.h"

#include "sys/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

const char *anon_file_dir(void)
{
	const char *dir = getenv("TMPDIR");
	return dir && *dir ? dir : "/tmp";
}

/* Under no lock: taken by adding, filled before other threads begin. */
enum { MOST_RESERVED = 512 };
static struct {
	int fds[MOST_RESERVED], n;
	atomic_int taken;
} reserve;

static int open_new(void)
{
	int fd = sys_nameless(anon_file_dir(), 0600);
	if (fd >= 0 || errno != EOPNOTSUPP)
		return fd;
	char name[4096];
	int len = snprintf(name, sizeof name, "%s/evtui-XXXXXX", anon_file_dir());
	fd = len < (int)sizeof name ? sys_temporary(name) : -1;
	if (fd >= 0)
		unlink(name);
	return fd;
}

void anon_file_reserve(int n)
{
	while (reserve.n < n && reserve.n < MOST_RESERVED && (reserve.fds[reserve.n] = open_new()) >= 0)
		reserve.n++;
}

int anon_file_open(void)
{
	int at = reserve.n ? atomic_fetch_add(&reserve.taken, 1) : 0;
	return at < reserve.n ? reserve.fds[at] : open_new();
}

bool anon_file_write(int fd, uint64_t at, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	for (size_t done = 0; done < len;) {
		ssize_t n = pwrite(fd, p + done, len - done, (off_t)(at + done));
		if (n == 0)
			errno = ENOSPC; /* nothing was written, and no reason given */
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

int64_t anon_file_read(int fd, uint64_t at, void *bytes, size_t room)
{
	uint8_t *p = bytes;
	size_t done = 0;
	while (done < room) {
		ssize_t n = pread(fd, p + done, room - done, (off_t)(at + done));
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR)
			return -1;
		done += n > 0 ? (size_t)n : 0;
	}
	return (int64_t)done;
}

bool anon_file_disk_full(int fd)
{
	enum { LEAST = 64 << 20, SHARE = 50 };
	struct statvfs disk;
	if (fstatvfs(fd, &disk) || disk.f_blocks == 0) /* it cannot be told */
		return false;
	uint64_t left = (uint64_t)disk.f_bavail * disk.f_frsize, all = (uint64_t)disk.f_blocks * disk.f_frsize;
	return left < min_u64(LEAST, all / SHARE);
}

void anon_file_drop(int fd, uint64_t before)
{
	uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE), len = before & ~(page_size - 1);
	if (len)
		sys_punch(fd, len);
}
