/* system_posix.c - system.h with what POSIX has, for `make PORTABLE=1`. */
#ifdef PORTABLE
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS, which POSIX has since 2024: glibc, musl */
#endif
#define _DARWIN_C_SOURCE 1 /* the same: macOS */
#define __BSD_VISIBLE    1 /* FreeBSD */
#include "sys/system.h"

#include "sys/anon_file.h"
#include "sys/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

const char *sys_name(void) { return "POSIX"; }

/* --- descriptors --------------------------------------------------------------------------------------------------- */

static int set_up(int fd, int flags)
{
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	if (fd >= 0 && flags & O_NONBLOCK)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

int sys_pipe(int ends[2], int flags)
{
	int result = pipe(ends);
	for (int i = 0; result == 0 && i < 2; i++)
		set_up(ends[i], flags);
	return result;
}

int sys_socket(int family, int flags) { return set_up(socket(family, SOCK_STREAM, 0), flags); }

int sys_socket_pair(int ends[2])
{
	int result = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	for (int i = 0; result == 0 && i < 2; i++)
		set_up(ends[i], 0);
	return result;
}

void sys_pipe_room(UNUSED int fd, UNUSED int bytes) {}

void sys_close_from(int first)
{
	enum { MOST = 1 << 16 };
	long n = sysconf(_SC_OPEN_MAX);
	for (int fd = first; fd < (n < 0 || n > MOST ? MOST : n); fd++)
		close(fd);
}

int sys_memory_file(UNUSED const char *name) { return anon_file_open(); }

int sys_temporary(char *name) { return set_up(mkstemp(name), 0); }

void sys_fd_name(char *out, size_t room, UNUSED pid_t pid, int fd) { snprintf(out, room, "/dev/fd/%d", fd); }

int sys_open_again(int fd, int flags)
{
	const char *name = ttyname(fd);
	return name ? open_again(name, flags, 0) : -1;
}

bool waker_open(struct waker *w)
{
	int ends[2] = {-1, -1};
	bool good = sys_socket_pair(ends) == 0;
	*w = (struct waker){set_up(ends[0], O_NONBLOCK), set_up(ends[1], O_NONBLOCK)};
	return good;
}

void waker_wake(const struct waker *w)
{
	ssize_t n;
	do
		n = send(w->other, "", 1, 0); /* full: it is awake anyway */
	while (n < 0 && errno == EINTR);
}

bool waker_take(const struct waker *w)
{
	char bytes[64];
	bool any = false;
	while (read_again(w->fd, bytes, sizeof bytes) > 0)
		any = true;
	return any;
}

void waker_close(struct waker *w)
{
	if (w->fd >= 0)
		close(w->fd);
	if (w->other >= 0)
		close(w->other);
	*w = (struct waker){-1, -1};
}

/* --- files --------------------------------------------------------------------------------------------------------- */

int sys_nameless(UNUSED const char *folder, UNUSED mode_t mode)
{
	errno = EOPNOTSUPP;
	return -1;
}

int sys_give_name(UNUSED int fd, UNUSED const char *name)
{
	errno = EOPNOTSUPP;
	return -1;
}

bool sys_copy_acl(UNUSED int fd, UNUSED const char *from) { return true; }

bool sys_has_data(UNUSED int fd, UNUSED uint64_t off) { return true; }

void sys_punch(UNUSED int fd, UNUSED uint64_t len) {}

int sys_watch_open(void) { return -1; }

void sys_watch_add(UNUSED int watch, UNUSED const char *path) {}

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
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, (off_t)from);
}

bool sys_populate(UNUSED void *pages, UNUSED size_t bytes) { return false; }

void sys_populate_write(UNUSED void *pages, UNUSED size_t bytes) {}

void sys_release(UNUSED void *pages, UNUSED size_t bytes) {}

bool sys_resident(UNUSED void *pages, UNUSED size_t bytes) { return true; }

void sys_heap_frugal(void) {}

void sys_heap_trim(void) {}

/* --- processes and threads ----------------------------------------------------------------------------------------- */

int sys_process_fd(UNUSED pid_t pid) { return -1; }

void sys_end_with_parent(void) {}

void sys_thread_nice(UNUSED int by) {}

bool sys_random(void *out, size_t len)
{
	int fd = open_again("/dev/urandom", O_RDONLY | O_CLOEXEC, 0);
	bool good = fd >= 0 && read_again(fd, out, len) == (ssize_t)len;
	if (fd >= 0)
		close(fd);
	return good;
}
#endif
