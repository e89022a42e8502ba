/* system_linux.c - system.h with Linux's own calls. */
#ifndef PORTABLE
#include "sys/system.h"

#include "sys/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#ifdef __GLIBC__
#include <sys/pidfd.h>
#endif
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

const char *sys_name(void) { return "Linux"; }

/* --- descriptors --------------------------------------------------------------------------------------------------- */

int sys_pipe(int ends[2], int flags) { return pipe2(ends, flags | O_CLOEXEC); }

int sys_socket(int family, int flags)
{
	return socket(family, SOCK_STREAM | SOCK_CLOEXEC | (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0), 0);
}

int sys_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

void sys_pipe_room(int fd, int bytes) { fcntl(fd, F_SETPIPE_SZ, bytes); }

void sys_close_from(int first) { syscall(SYS_close_range, (unsigned)first, ~0U, 0); }

int sys_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int sys_temporary(char *name) { return mkostemp(name, O_CLOEXEC); }

void sys_fd_name(char *out, size_t room, pid_t pid, int fd)
{
	if (pid)
		snprintf(out, room, "/proc/%d/fd/%d", (int)pid, fd);
	else
		snprintf(out, room, "/proc/self/fd/%d", fd);
}

int sys_open_again(int fd, int flags)
{
	char path[64];
	sys_fd_name(path, sizeof path, 0, fd);
	return open_again(path, flags, 0);
}

bool waker_open(struct waker *w)
{
	*w = (struct waker){eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), -1};
	return w->fd >= 0;
}

void waker_wake(const struct waker *w) { eventfd_write(w->fd, 1); /* full: it is awake anyway */ }

bool waker_take(const struct waker *w)
{
	eventfd_t count;
	return eventfd_read(w->fd, &count) == 0;
}

void waker_close(struct waker *w)
{
	if (w->fd >= 0)
		close(w->fd);
	*w = (struct waker){-1, -1};
}

/* --- files --------------------------------------------------------------------------------------------------------- */

int sys_nameless(const char *folder, mode_t mode)
{
	char of_fd[64];
	int fd = open_again(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
	if (fd < 0) {
		errno = errno == EISDIR || errno == EINVAL ? EOPNOTSUPP : errno;
		return -1;
	}
	sys_fd_name(of_fd, sizeof of_fd, 0, fd);
	if (access(of_fd, F_OK) == 0)
		return fd;
	close(fd);
	errno = EOPNOTSUPP;
	return -1;
}

int sys_give_name(int fd, const char *name)
{
	char of_fd[64];
	sys_fd_name(of_fd, sizeof of_fd, 0, fd);
	return linkat(AT_FDCWD, of_fd, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

bool sys_copy_acl(int fd, const char *from)
{
	static const char name[] = "system.posix_acl_access";
	char list[4096];
	ssize_t len = getxattr(from, name, list, sizeof list);
	if (len < 0)
		return errno == ENODATA || errno == EOPNOTSUPP;
	return fsetxattr(fd, name, list, (size_t)len, 0) == 0;
}

bool sys_has_data(int fd, uint64_t off) { return lseek(fd, (off_t)off, SEEK_DATA) >= 0 || errno != ENXIO; }

void sys_punch(int fd, uint64_t len) { fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)len); }

int sys_watch_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

void sys_watch_add(int watch, const char *path)
{
	inotify_add_watch(watch, path, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVE_SELF | IN_DELETE_SELF | IN_ATTRIB);
}

/* --- memory -------------------------------------------------------------------------------------------------------- */

void *sys_pages(size_t bytes)
{
	void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

bool sys_zeros_at(void *page, size_t bytes)
{
	return mmap(page, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void *sys_map_private(int fd, uint64_t from, size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, (off_t)from);
}

bool sys_populate(UNUSED void *pages, UNUSED size_t bytes)
{
#ifdef MADV_POPULATE_READ
	return madvise(pages, bytes, MADV_POPULATE_READ) == 0; /* a kernel before 5.14 cannot */
#else
	return false;
#endif
}

void sys_populate_write(UNUSED void *pages, UNUSED size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	madvise(pages, bytes, MADV_HUGEPAGE);       /* a tenth of the time, where pages are aligned */
	madvise(pages, bytes, MADV_POPULATE_WRITE); /* that it may not be able to is no loss */
#else
#endif
}

void sys_release(void *pages, size_t bytes) { madvise(pages, bytes, MADV_DONTNEED); }

bool sys_resident(void *pages, size_t bytes)
{
	enum { AT_ONCE = 64 };
	unsigned char there[AT_ONCE];
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t at = 0; at < bytes; at += AT_ONCE * page_size) {
		size_t part = min_u64(AT_ONCE * page_size, bytes - at), n = (part + page_size - 1) / page_size;
		if (mincore((uint8_t *)pages + at, part, there))
			return true;
		for (size_t i = 0; i < n; i++)
			if (!(there[i] & 1))
				return false;
	}
	return true;
}

void sys_heap_frugal(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TRIM_THRESHOLD, 512 << 10);
#endif
}

void sys_heap_trim(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

/* --- processes and threads ----------------------------------------------------------------------------------------- */

int sys_process_fd(pid_t pid)
{
#ifdef __GLIBC__
	return pidfd_open(pid, 0);
#else
	return (int)syscall(SYS_pidfd_open, pid, 0);
#endif
}

void sys_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void sys_thread_nice(int by) { setpriority(PRIO_PROCESS, (id_t)gettid(), by); }

bool sys_random(void *out, size_t len) { return getrandom(out, len, GRND_NONBLOCK) == (ssize_t)len; }
#endif
