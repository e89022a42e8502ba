/* system.h - wrappers of system calls that POSIX lacks or that differ between systems
 *
 * system_linux.c implements them with Linux's system calls; system_posix.c, for `make PORTABLE=1`, with POSIX only,
 * where some do less (see "Portable:" below). Outside of this folder, code uses nothing beyond _XOPEN_SOURCE 700.
 * The other files that depend on the system are sandbox.h, exec_watch.h and anon_file.h. */
#ifndef EVTUI_SYSTEM_H
#define EVTUI_SYSTEM_H

#include "base/base.h"

#include <sys/types.h>

/* Return the name of this implementation for users: "Linux" or "POSIX". */
const char *sys_name(void);

/* --- descriptors --- */

/* Create a pipe that is closed on exec. flags: O_NONBLOCK or 0. Return 0, or -1 with errno set. */
int sys_pipe(int ends[2], int flags);

/* Create a stream socket, or a connected pair, closed on exec; flags as for sys_pipe. Return as socket and
 * socketpair do. */
int sys_socket(int family, int flags);
int sys_socket_pair(int ends[2]);

/* Set the capacity of a pipe in bytes, so that its writer blocks less often. Portable: does nothing. */
void sys_pipe_room(int fd, int bytes);

/* Close all descriptors >= first, in a new process. */
void sys_close_from(int first);

/* Create a file that exists only in memory, open for reading and writing. Return its descriptor, or -1 with errno
 * set. Portable: an unlinked file on disk. */
int sys_memory_file(const char *name);

/* Like mkstemp, but closed on exec. */
int sys_temporary(char *name);

/* Write a path by which process `pid` (0: this process) can open its descriptor fd again. Portable: works only for
 * this process, also after exec. */
void sys_fd_name(char *out, size_t room, pid_t pid, int fd);

/* Open the terminal of a descriptor again, as a second file description. Return the descriptor, or -1 with errno
 * set. */
int sys_open_again(int fd, int flags);

/* Wakes a thread that polls: after waker_wake, fd is readable until waker_take is called. */
struct waker {
	int fd, other;
};
bool waker_open(struct waker *w); /* Return false with errno set on failure; w can be closed in either case. */
void waker_wake(const struct waker *w);
bool waker_take(const struct waker *w); /* Return whether it was woken since the last call. */
void waker_close(struct waker *w);

/* --- files --- */

/* Create an unlinked file in a folder, to be named later by sys_give_name. Return its descriptor, or -1 with errno
 * set. Portable: -1 and EOPNOTSUPP. */
int sys_nameless(const char *folder, mode_t mode);
int sys_give_name(int fd, const char *name); /* Return 0, or -1 with errno set. */

/* Copy the access control list of the file `from` to fd. Return false with errno set on failure. Portable: does
 * nothing. */
bool sys_copy_acl(int fd, const char *from);

/* Return whether the file has data at or after the offset; true if unknown. Portable: true. */
bool sys_has_data(int fd, uint64_t off);

/* Free the disk space of the first len bytes of a file. Portable: does nothing. */
void sys_punch(int fd, uint64_t len);

/* Open a descriptor that becomes readable when a watched file is changed, renamed or removed; read it empty then.
 * Return -1 if that is not possible: the caller has to poll the files. sys_watch_add adds a file. Portable: -1. */
int sys_watch_open(void);
void sys_watch_add(int watch, const char *path);

/* --- memory --- */

/* sys_pages: allocate zeroed pages; return NULL with errno set on failure. sys_zeros_at: replace a mapped page by
 * read-only zeros; return false with errno set on failure. */
void *sys_pages(size_t bytes);
bool sys_zeros_at(void *page, size_t bytes); /* safe in signal handlers */

/* Map a part of a file copy-on-write, for sparse modifications. Return MAP_FAILED with errno set on failure. */
void *sys_map_private(int fd, uint64_t from, size_t bytes);

/* Load mapped pages of a file into memory at once. Return false if the system cannot, so that the caller must read
 * them instead. Portable: false. */
bool sys_populate(void *pages, size_t bytes);
/* Announce that all of these pages will be written. Portable: does nothing. */
void sys_populate_write(void *pages, size_t bytes);

/* Release mapped pages of a file from memory; they are read from the file again when needed. Portable: does nothing. */
void sys_release(void *pages, size_t bytes);

/* Return whether mapped pages of a file are in memory; true if unknown. Portable: true. */
bool sys_resident(void *pages, size_t bytes);

/* sys_heap_frugal: return large allocations to the system as soon as they are freed. sys_heap_trim: return what is
 * free now. Portable: do nothing. */
void sys_heap_frugal(void);
void sys_heap_trim(void);

/* --- processes and threads --- */

/* Open a descriptor that becomes readable when a child process ends. Return -1 with errno set on failure.
 * sys_process_fd is the call of the system; where it fails (portable, Linux before 5.3, valgrind), sys_child_fd starts a
 * thread that waits. */
int sys_child_fd(pid_t child);
int sys_process_fd(pid_t pid);

/* Have this process killed when its parent ends. Portable: does nothing. */
void sys_end_with_parent(void);

/* Lower the priority of the calling thread only, by a nice increment. Portable: does nothing. */
void sys_thread_nice(int by);

/* Get unpredictable random bytes. Return false if they are not available. */
bool sys_random(void *out, size_t len);

/* Set terminal modes to raw input: no echo, no line editing, no signals from keys. */
struct termios;
void sys_make_raw(struct termios *modes);

/* Sort stably. ctx is passed to compare. */
void sys_sort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *ctx), void *ctx);

#endif
