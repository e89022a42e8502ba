/* retry.h - system calls retried after a signal (EINTR) and after short reads and writes. */
#ifndef EVTUI_RETRY_H
#define EVTUI_RETRY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* As open, read, poll and waitpid, without EINTR. poll_again waits `ms` in all, however often it is interrupted. */
int open_again(const char *path, int flags, mode_t mode);
ssize_t read_again(int fd, void *bytes, size_t room);
int poll_again(struct pollfd *fds, nfds_t n, int ms);
pid_t waitpid_again(pid_t pid, int *status, int options);

/* All of it; false: errno says why not. May be called by a handler of signals. */
bool write_all(int fd, const void *bytes, size_t len);

/* Close what was written to; false: errno says what was lost. Linux closes even where that is interrupted. */
bool close_written(int fd);

#endif
