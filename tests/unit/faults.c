#include "faults.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct faults faults;
_Thread_local bool faults_own;

/* --- places ---------------------------------------------------------------------------------------------------------- */

/* A call stack, how often it was passed in this run, how often it has failed; an open hash table. */
static struct place {
	uint64_t stack;
	unsigned run, passed, failed;
} places[1 << 15];
static unsigned runs;
static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;

enum { DEEP = 32, AGAIN = 2 }; /* frames that tell stacks apart; times that one fails */

static uint64_t stack_hash(void)
{
	void *frames[DEEP];
	int n = backtrace(frames, DEEP);
	uint64_t hash = 14695981039346656037u ^ (unsigned)faults.kind << 1 ^ faults.on;
	for (int i = 0; i < n; i++)
		hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
	return hash ? hash : 1;
}

/* Report whether the current place is one that has to fail now. */
static bool new_place(void)
{
	enum { MASK = sizeof places / sizeof *places - 1 };
	uint64_t hash = stack_hash();
	pthread_mutex_lock(&places_lock);
	size_t i = hash & MASK;
	while (places[i].stack && places[i].stack != hash)
		i = (i + 1) & MASK;
	struct place *p = &places[i];
	if (p->run != runs)
		*p = (struct place){hash, runs, 0, p->failed};
	bool now = p->passed++ == p->failed && p->failed < AGAIN;
	p->failed += now;
	pthread_mutex_unlock(&places_lock);
	return now;
}

void faults_begin_new(enum fault kind, bool on, uint64_t from)
{
	if (runs == 0)
		stack_hash(); /* the first call loads what it needs */
	runs += from == 0;    /* else those that the places passed before are counted on */
	faults.places = true;
	faults.from = from;
	faults.at = UINT64_MAX;
	faults.on = on;
	atomic_store(&faults.seen, 0);
	atomic_store(&faults.kind, kind);
}

void faults_begin(enum fault kind, uint64_t at, bool on)
{
	faults.places = false;
	faults.at = at;
	faults.on = on;
	atomic_store(&faults.seen, 0);
	atomic_store(&faults.kind, kind);
}

uint64_t faults_end(void)
{
	atomic_store(&faults.kind, FAULT_NONE);
	return atomic_load(&faults.seen);
}

long faults_live(void) { return atomic_load(&faults.live); }

static bool fails(enum fault kind, const char *call)
{
	if (atomic_load(&faults.kind) != (int)kind || faults_own)
		return false;
	uint64_t n = atomic_fetch_add(&faults.seen, 1), none = UINT64_MAX;
	if (faults.places && n >= faults.from && faults.at == none && new_place())
		atomic_compare_exchange_strong(&faults.at, &none, n);
	bool now = kind == FAULT_INTERRUPT ? n % 2 == 0 : n == faults.at || (faults.on && n > faults.at);
	if (now)
		faults.last = call;
	return now;
}

/* True: errno is set, and the call has to fail. */
static bool fault(enum fault kind, const char *call, int why)
{
	bool now = fails(kind, call);
	if (now)
		errno = why;
	return now;
}

/* Now it is interrupted before it did anything. */
static bool interrupted(const char *call) { return fault(FAULT_INTERRUPT, call, EINTR); }

/* Bytes transferred at once. Counters are never split. */
static size_t part(size_t len)
{
	enum { WHOLE = 16 };
	bool some = atomic_load(&faults.kind) == FAULT_INTERRUPT && !faults_own && len > WHOLE;
	return some ? 1 + len / 3 : len;
}

#define WRAPPED(type, name, ...)                                                                                       \
	type __real_##name(__VA_ARGS__);                                                                               \
	type __wrap_##name(__VA_ARGS__)

/* --- memory --------------------------------------------------------------------------------------------------------- */

static void *counted(void *p)
{
	atomic_fetch_add(&faults.live, p != NULL);
	return p;
}

#define NO_MEMORY(call) fault(FAULT_MEMORY, call, ENOMEM)

WRAPPED(void *, malloc, size_t size);
void *__wrap_malloc(size_t size) { return NO_MEMORY("malloc") ? NULL : counted(__real_malloc(size)); }

WRAPPED(void *, calloc, size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) { return NO_MEMORY("calloc") ? NULL : counted(__real_calloc(n, size)); }

WRAPPED(void *, realloc, void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
	if (NO_MEMORY("realloc"))
		return NULL;
	return p ? __real_realloc(p, size) : counted(__real_realloc(p, size));
}

WRAPPED(void, free, void *p);
void __wrap_free(void *p)
{
	atomic_fetch_sub(&faults.live, p != NULL);
	__real_free(p);
}

WRAPPED(char *, strdup, const char *s);
char *__wrap_strdup(const char *s) { return NO_MEMORY("strdup") ? NULL : counted(__real_strdup(s)); }

WRAPPED(char *, strndup, const char *s, size_t n);
char *__wrap_strndup(const char *s, size_t n) { return NO_MEMORY("strndup") ? NULL : counted(__real_strndup(s, n)); }

/* That of a name, which its caller frees. */
WRAPPED(char *, realpath, const char *path, char *out);
char *__wrap_realpath(const char *path, char *out)
{
	if (!out && NO_MEMORY("realpath"))
		return NULL;
	char *real = __real_realpath(path, out);
	return out ? real : counted(real);
}

static int print_new(char **out, const char *format, va_list args)
{
	int n = NO_MEMORY("asprintf") ? -1 : vasprintf(out, format, args);
	counted(n < 0 ? NULL : *out);
	return n;
}

int __wrap_asprintf(char **out, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = print_new(out, format, args);
	va_end(args);
	return n;
}

/* The name that _FORTIFY_SOURCE gives it. */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...) __attribute__((format(printf, 3, 4)));
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
	va_list args;
	(void)flag;
	va_start(args, format);
	int n = print_new(out, format, args);
	va_end(args);
	return n;
}

WRAPPED(FILE *, open_memstream, char **out, size_t *len);
FILE *__wrap_open_memstream(char **out, size_t *len)
{
	if (NO_MEMORY("open_memstream"))
		return NULL;
	atomic_fetch_add(&faults.live, 1); /* the text, which its caller frees */
	return __real_open_memstream(out, len);
}

WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	return fails(FAULT_THREAD, "pthread_create") ? EAGAIN : __real_pthread_create(thread, attr, run, arg);
}

/* --- what is read and written --------------------------------------------------------------------------------------- */

#define FAILS(call, why) (interrupted(call) || fault(FAULT_CALL, call, why))
#define FULL(call)       (interrupted(call) || fault(FAULT_DISK, call, ENOSPC))

WRAPPED(ssize_t, write, int fd, const void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	return FULL("write") ? -1 : __real_write(fd, bytes, part(len));
}

WRAPPED(ssize_t, pwrite, int fd, const void *bytes, size_t len, off_t at);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	return FULL("pwrite") ? -1 : __real_pwrite(fd, bytes, part(len), at);
}

WRAPPED(ssize_t, read, int fd, void *bytes, size_t room);
ssize_t __wrap_read(int fd, void *bytes, size_t room)
{
	return FAILS("read", EIO) ? -1 : __real_read(fd, bytes, part(room));
}

WRAPPED(ssize_t, pread, int fd, void *bytes, size_t room, off_t at);
ssize_t __wrap_pread(int fd, void *bytes, size_t room, off_t at)
{
	return FAILS("pread", EIO) ? -1 : __real_pread(fd, bytes, part(room), at);
}

/* With the names that _FORTIFY_SOURCE gives them. */
WRAPPED(ssize_t, __read_chk, int fd, void *bytes, size_t room, size_t size);
ssize_t __wrap___read_chk(int fd, void *bytes, size_t room, size_t size)
{
	return FAILS("read", EIO) ? -1 : __real___read_chk(fd, bytes, part(room), size);
}

WRAPPED(ssize_t, __pread_chk, int fd, void *bytes, size_t room, off_t at, size_t size);
ssize_t __wrap___pread_chk(int fd, void *bytes, size_t room, off_t at, size_t size)
{
	return FAILS("pread", EIO) ? -1 : __real___pread_chk(fd, bytes, part(room), at, size);
}

/* It is closed all the same. */
WRAPPED(int, close, int fd);
int __wrap_close(int fd)
{
	int result = __real_close(fd);
	return FAILS("close", EIO) ? -1 : result;
}

WRAPPED(int, poll, struct pollfd *fds, nfds_t n, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t n, int ms) { return FAILS("poll", ENOMEM) ? -1 : __real_poll(fds, n, ms); }

WRAPPED(int, __poll_chk, struct pollfd *fds, nfds_t n, int ms, size_t size);
int __wrap___poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t size)
{
	return FAILS("poll", ENOMEM) ? -1 : __real___poll_chk(fds, n, ms, size);
}

WRAPPED(pid_t, waitpid, pid_t pid, int *status, int options);
pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	return interrupted("waitpid") ? -1 : __real_waitpid(pid, status, options);
}

/* One that is interrupted goes on. */
WRAPPED(int, connect, int fd, const struct sockaddr *address, socklen_t size);
int __wrap_connect(int fd, const struct sockaddr *address, socklen_t size)
{
	if (fault(FAULT_CALL, "connect", ECONNREFUSED))
		return -1;
	int result = __real_connect(fd, address, size);
	return result == 0 && interrupted("connect") ? -1 : result;
}

WRAPPED(int, open, const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
	va_end(args);
	return FAILS("open", EMFILE) ? -1 : __real_open(path, flags, mode);
}

/* --- what else may be refused ---------------------------------------------------------------------------------------- */

#define CALL(type, refused, name, why, params, args)                                                                   \
	type __real_##name params;                                                                                     \
	type __wrap_##name params;                                                                                     \
	type __wrap_##name params { return fault(FAULT_CALL, #name, why) ? (refused) : __real_##name args; }

CALL(int, -1, fstat, EIO, (int fd, struct stat *st), (fd, st))
CALL(int, -1, stat, EIO, (const char *path, struct stat *st), (path, st))
CALL(void *, MAP_FAILED, mmap, ENOMEM, (void *at, size_t len, int prot, int flags, int fd, off_t off),
	(at, len, prot, flags, fd, off))
CALL(int, -1, madvise, EAGAIN, (void *at, size_t len, int what), (at, len, what))
CALL(int, -1, mincore, EAGAIN, (void *at, size_t len, unsigned char *there), (at, len, there))
CALL(off_t, -1, lseek, EIO, (int fd, off_t off, int whence), (fd, off, whence))
CALL(int, -1, ftruncate, EIO, (int fd, off_t len), (fd, len))
CALL(int, -1, rename, EIO, (const char *from, const char *to), (from, to))
CALL(int, -1, link, EIO, (const char *from, const char *to), (from, to))
CALL(int, -1, linkat, EIO, (int from_dir, const char *from, int to_dir, const char *to, int flags),
	(from_dir, from, to_dir, to, flags))
CALL(int, -1, fchmod, EPERM, (int fd, mode_t mode), (fd, mode))
CALL(int, -1, mkdir, EIO, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, mkostemp, EMFILE, (char *path, int flags), (path, flags))
CALL(int, -1, pipe2, EMFILE, (int *ends, int flags), (ends, flags))
CALL(int, -1, eventfd, EMFILE, (unsigned n, int flags), (n, flags))
CALL(int, -1, memfd_create, EMFILE, (const char *name, unsigned flags), (name, flags))
CALL(int, -1, socket, EMFILE, (int family, int type, int protocol), (family, type, protocol))
CALL(int, -1, inotify_init1, EMFILE, (int flags), (flags))
CALL(int, -1, inotify_add_watch, ENOSPC, (int fd, const char *path, uint32_t what), (fd, path, what))
CALL(int, -1, pidfd_open, EMFILE, (pid_t pid, unsigned flags), (pid, flags))
CALL(pid_t, -1, fork, EAGAIN, (void), ())
