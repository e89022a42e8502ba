/* musl.c - for a program with musl's C library (make musl): what libraries that were compiled with glibc's headers want of it. */
#include "base/base.h" /* before the question: a C library's header says whose it is */

#if defined STATIC_PROGRAM && !defined __GLIBC__ && defined __linux__
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Checked functions of _FORTIFY_SOURCE: the size of the target comes with them. */
#define CHECK(len, room) ((len) > (room) ? abort() : (void)0)

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void *__memmove_chk(void *to, const void *from, size_t n, size_t room);
void *__memset_chk(void *to, int byte, size_t n, size_t room);
char *__strcpy_chk(char *to, const char *from, size_t room);
char *__strcat_chk(char *to, const char *from, size_t room);
char *__stpcpy_chk(char *to, const char *from, size_t room);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list args) EVL_PRINTF(5, 0);
int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...) EVL_PRINTF(5, 6);
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) EVL_PRINTF(4, 5);
int __vfprintf_chk(FILE *to, int flag, const char *format, va_list args) EVL_PRINTF(3, 0);
int __fprintf_chk(FILE *to, int flag, const char *format, ...) EVL_PRINTF(3, 4);
int __printf_chk(int flag, const char *format, ...) EVL_PRINTF(2, 3);
int __asprintf_chk(char **to, int flag, const char *format, ...) EVL_PRINTF(3, 4);
ssize_t __pread_chk(int fd, void *to, size_t n, off_t off, size_t room);
void *rawmemchr(const void *bytes, int byte);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	CHECK(n, room);
	return memcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	CHECK(n, room);
	return memmove(to, from, n);
}

void *__memset_chk(void *to, int byte, size_t n, size_t room)
{
	CHECK(n, room);
	return memset(to, byte, n);
}

char *__strcpy_chk(char *to, const char *from, size_t room)
{
	CHECK(strlen(from) + 1, room);
	return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t room) { return __strcpy_chk(to, from, room) + strlen(from); }

char *__strcat_chk(char *to, const char *from, size_t room)
{
	CHECK(strlen(to) + strlen(from) + 1, room);
	return strcat(to, from);
}

int __vsnprintf_chk(char *to, size_t n, UNUSED int flag, size_t room, const char *format, va_list args)
{
	CHECK(n, room);
	return vsnprintf(to, n, format, args);
}

int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = __vsnprintf_chk(to, n, flag, room, format, args);
	va_end(args);
	return len;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
	size_t n = room < INT32_MAX ? room : INT32_MAX; /* SIZE_MAX: it is not known */
	va_list args;
	va_start(args, format);
	int len = __vsnprintf_chk(to, n, flag, room, format, args);
	va_end(args);
	CHECK(len < 0 ? 0 : (size_t)len + 1, room);
	return len;
}

int __vfprintf_chk(FILE *to, UNUSED int flag, const char *format, va_list args) { return vfprintf(to, format, args); }

int __fprintf_chk(FILE *to, int flag, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = __vfprintf_chk(to, flag, format, args);
	va_end(args);
	return len;
}

int __printf_chk(int flag, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = __vfprintf_chk(stdout, flag, format, args);
	va_end(args);
	return len;
}

int __asprintf_chk(char **to, UNUSED int flag, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int len = vasprintf(to, format, args);
	va_end(args);
	return len;
}

ssize_t __pread_chk(int fd, void *to, size_t n, off_t off, size_t room)
{
	CHECK(n, room);
	return pread(fd, to, n, off);
}

void *rawmemchr(const void *bytes, int byte) { return memchr(bytes, byte, SIZE_MAX / 2); }

/* libdw calls it before it ends the program, where its own options are wrong: it gets none. */
void error(int status, int why, const char *format, ...) EVL_PRINTF(3, 4);
void error(UNUSED int status, UNUSED int why, UNUSED const char *format, ...) { abort(); }

/* All offsets of musl have 64 bits; since 1.2.4 it lacks these names. */
#undef open64
#undef fcntl64
#undef fopen64
#undef stat64
#undef lstat64
#undef fstat64
#undef ftruncate64
#undef lseek64
#undef mmap64
#undef pread64
#undef pwrite64
int open64(const char *path, int flags, ...);
int fcntl64(int fd, int command, ...);
FILE *fopen64(const char *path, const char *mode);
int stat64(const char *path, struct stat *out);
int lstat64(const char *path, struct stat *out);
int fstat64(int fd, struct stat *out);
int ftruncate64(int fd, off_t size);
off_t lseek64(int fd, off_t off, int from);
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t off);
ssize_t pread64(int fd, void *out, size_t size, off_t off);
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t off);

int open64(const char *path, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
	va_end(args);
	return open(path, flags, mode);
}

int fcntl64(int fd, int command, ...)
{
	va_list args;
	va_start(args, command);
	void *arg = va_arg(args, void *);
	va_end(args);
	return fcntl(fd, command, arg);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
int stat64(const char *path, struct stat *out) { return stat(path, out); }
int lstat64(const char *path, struct stat *out) { return lstat(path, out); }
int fstat64(int fd, struct stat *out) { return fstat(fd, out); }
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }
off_t lseek64(int fd, off_t off, int from) { return lseek(fd, off, from); }
ssize_t pread64(int fd, void *out, size_t size, off_t off) { return pread(fd, out, size, off); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t off) { return pwrite(fd, bytes, size, off); }

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t off)
{
	return mmap(at, size, protection, flags, fd, off);
}

/* Since 2.38, glibc's headers call these, which also read 0b101. */
long __isoc23_strtol(const char *text, char **end, int base);
long long __isoc23_strtoll(const char *text, char **end, int base);
unsigned long long __isoc23_strtoull(const char *text, char **end, int base);
int __isoc23_sscanf(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
int __isoc23_fscanf(FILE *file, const char *format, ...) __attribute__((format(scanf, 2, 3)));

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vsscanf(text, format, args);
	va_end(args);
	return n;
}

int __isoc23_fscanf(FILE *file, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int n = vfscanf(file, format, args);
	va_end(args);
	return n;
}
#else
typedef int musl_is_not_used;
#endif
