/* retry.h - system calls that are retried after a signal (EINTR) and after short reads and writes */
#ifndef EVTUI_RETRY_H
#define EVTUI_RETRY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Like open, read, poll and waitpid, but never failing with EINTR. poll_again waits at most `ms` milliseconds in
 * total. */
int open_again(const char *path, int flags, mode_t mode);
ssize_t read_again(int fd, void *bytes, size_t room);
int poll_again(struct pollfd *fds, nfds_t n, int ms);
pid_t waitpid_again(pid_t pid, int *status, int options);

/* Write all bytes. Return false with errno set on failure. Safe in signal handlers. */
bool write_all(int fd, const void *bytes, size_t len);

/* Close a file that was written to. Return false with errno set if data may be lost. EINTR is not an error, as Linux
 * closes the descriptor nevertheless. */
bool close_written(int fd);

#endif
