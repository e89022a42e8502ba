/* system.h - all that POSIX does not have: a few calls that each system makes in another way.
 *
 * system_linux.c has them with Linux's own calls; system_posix.c, of `make PORTABLE=1`, with what POSIX has, where they do less:
 * each says how. Outside of this folder nothing may need more than _XOPEN_SOURCE 700. sandbox.h, exec_watch.h and anon_file.h are
 * the rest of what differs. */
#ifndef EVTUI_SYSTEM_H
#define EVTUI_SYSTEM_H

#include "base/base.h"

#include <sys/types.h>

/* The name of this build, for people: "Linux" or "POSIX". */
const char *sys_name(void);

/* --- descriptors --- */

/* A pipe closed on exec; flags may have O_NONBLOCK. As pipe: 0, or -1 with errno. */
int sys_pipe(int ends[2], int flags);

/* A stream socket closed on exec, flags as of sys_pipe; a pair of them. As socket and socketpair. */
int sys_socket(int family, int flags);
int sys_socket_pair(int ends[2]);

/* Let a pipe hold this number of bytes, for a writer that waits less. Portable: nothing. */
void sys_pipe_room(int fd, int bytes);

/* Close all descriptors from this one on, in a new process. */
void sys_close_from(int first);

/* A new file open for reading and writing that exists only in memory. Portable: one without a name. -1 with errno. */
int sys_memory_file(const char *name);

/* As mkstemp, closed on exec. */
int sys_temporary(char *name);

/* A name by which the process `pid` (0: this one) can open its descriptor again. Portable: of this process alone, what becomes
 * of it by exec included. */
void sys_fd_name(char *out, size_t room, pid_t pid, int fd);

/* Open the terminal of a descriptor once more: a second file description. -1 with errno. */
int sys_open_again(int fd, int flags);

/* Wakes a thread that polls: `fd` is readable after any number of calls of waker_wake until waker_take. */
struct waker {
	int fd, other;
};
bool waker_open(struct waker *w); /* false: errno says why; w can be closed */
void waker_wake(const struct waker *w);
bool waker_take(const struct waker *w); /* was it woken? */
void waker_close(struct waker *w);

/* --- files --- */

/* A file without a name in a folder, which sys_give_name can name. Portable: -1 and EOPNOTSUPP. */
int sys_nameless(const char *folder, mode_t mode);
int sys_give_name(int fd, const char *name); /* 0, or -1 with errno */

/* Copy what access control lists grant. False with errno. Portable: nothing. */
bool sys_copy_acl(int fd, const char *from);

/* Report whether there is data at or after the offset; true if that cannot be determined. Portable: true. */
bool sys_has_data(int fd, uint64_t off);

/* Free the disk space of the first bytes. Portable: nothing. */
void sys_punch(int fd, uint64_t len);

/* A descriptor that is readable after one of the watched files was changed, renamed or removed, and must be read empty then. -1:
 * there is none, and the caller has to poll the files. Portable: -1. */
int sys_watch_open(void);
void sys_watch_add(int watch, const char *path);

/* --- memory --- */

/* Zeroed pages, and a page of zeros, for reading, at an address that is mapped. NULL with errno. */
void *sys_pages(size_t bytes);
bool sys_zeros_at(void *page, size_t bytes); /* may be called by a handler of signals */

/* Map a part of a file privately, to be written to here and there. MAP_FAILED with errno. */
void *sys_map_private(int fd, uint64_t from, size_t bytes);

/* Bring pages of a file into memory, at once. False: it cannot be asked for, so read them. Portable: false. */
bool sys_populate(void *pages, size_t bytes);
/* All of the pages will be written to. Portable: nothing. */
void sys_populate_write(void *pages, size_t bytes);

/* Let go of pages of a file: they are read again when they are needed, as the file has them. Portable: nothing. */
void sys_release(void *pages, size_t bytes);

/* Are the pages of a file in memory? True if that cannot be determined. Portable: true. */
bool sys_resident(void *pages, size_t bytes);

/* Give large pieces back to the system as soon as they are freed; give back what is free now. Portable: nothing. */
void sys_heap_frugal(void);
void sys_heap_trim(void);

/* --- processes and threads --- */

/* A descriptor that becomes readable when the child ends. Portable: a thread waits for it. -1 with errno. */
int sys_child_fd(pid_t child);

/* Kill this process when its parent ends. Portable: nothing. */
void sys_end_with_parent(void);

/* Lower the priority of the calling thread alone. Portable: nothing. */
void sys_thread_nice(int by);

/* Bytes that cannot be guessed; false: they cannot be had now. */
bool sys_random(void *out, size_t len);

/* No echo, no lines, no signals from keys: bytes as they come. */
struct termios;
void sys_make_raw(struct termios *modes);

/* Sort stably; ctx is handed on to compare. */
void sys_sort(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *ctx), void *ctx);

#endif
