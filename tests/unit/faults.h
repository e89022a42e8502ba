/* faults.h - things that fail on purpose: memory, threads, writes. For one test program, which the Makefile links so that
 * these calls of ours come here first (--wrap).
 *
 *   faults_begin(FAULT_MEMORY, 7, false);    the 8th allocation from now on fails, the others do not
 *   faults_begin(FAULT_WRITE, 0, true);      all do, from the first on
 *   uint64_t n = faults_end();               how many there were
 *
 * for_every(FAULT_MEMORY, run) does run() with each allocation in it failing. Needs cmocka (logs.h). */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum fault { FAULT_NONE, FAULT_MEMORY, FAULT_THREAD, FAULT_WRITE, FAULT_INTERRUPT };

static struct {
	_Atomic int kind;
	_Atomic uint64_t seen;
	uint64_t at;
	bool on;       /* and all after it */
	atomic_long live;
} faults;

static inline void faults_begin(enum fault kind, uint64_t at, bool on)
{
	faults.at = at;
	faults.on = on;
	atomic_store(&faults.seen, 0);
	atomic_store(&faults.kind, kind);
}

static inline uint64_t faults_end(void)
{
	atomic_store(&faults.kind, FAULT_NONE);
	return atomic_load(&faults.seen);
}

/* Allocations that were not freed. */
static inline long faults_live(void) { return atomic_load(&faults.live); }

static bool fails(enum fault kind)
{
	if (atomic_load(&faults.kind) != (int)kind)
		return false;
	uint64_t n = atomic_fetch_add(&faults.seen, 1);
	return n == faults.at || (faults.on && n > faults.at);
}

/* --- memory --- */

#define WRAPPED(type, name, ...) type __real_##name(__VA_ARGS__); type __wrap_##name(__VA_ARGS__)

static void *counted(void *p)
{
	atomic_fetch_add(&faults.live, p != NULL);
	return p;
}

static void *none(void)
{
	errno = ENOMEM;
	return NULL;
}

WRAPPED(void *, malloc, size_t size);
void *__wrap_malloc(size_t size) { return fails(FAULT_MEMORY) ? none() : counted(__real_malloc(size)); }

WRAPPED(void *, calloc, size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) { return fails(FAULT_MEMORY) ? none() : counted(__real_calloc(n, size)); }

WRAPPED(void *, realloc, void *p, size_t size);
void *__wrap_realloc(void *p, size_t size)
{
	if (fails(FAULT_MEMORY))
		return none();
	return p ? __real_realloc(p, size) : counted(__real_realloc(p, size));
}

WRAPPED(void, free, void *p);
void __wrap_free(void *p)
{
	atomic_fetch_sub(&faults.live, p != NULL);
	__real_free(p);
}

WRAPPED(char *, strdup, const char *s);
char *__wrap_strdup(const char *s) { return fails(FAULT_MEMORY) ? none() : counted(__real_strdup(s)); }

static int print_new(char **out, const char *format, va_list args)
{
	int n = fails(FAULT_MEMORY) ? -1 : vasprintf(out, format, args);
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
	if (fails(FAULT_MEMORY))
		return none();
	atomic_fetch_add(&faults.live, 1); /* the text, which its caller frees */
	return __real_open_memstream(out, len);
}

/* --- threads and files --- */

WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	return fails(FAULT_THREAD) ? EAGAIN : __real_pthread_create(thread, attr, run, arg);
}

/* FAULT_INTERRUPT: every second call is interrupted, the others write three bytes at most. */
WRAPPED(ssize_t, write, int fd, const void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
	if (fails(FAULT_WRITE)) {
		errno = ENOSPC;
		return -1;
	}
	if (atomic_load(&faults.kind) == FAULT_INTERRUPT) {
		if (atomic_fetch_add(&faults.seen, 1) % 2 == 0) {
			errno = EINTR;
			return -1;
		}
		len = len < 3 ? len : 3;
	}
	return __real_write(fd, bytes, len);
}

/* Run it with the n-th thing failing, for every n there is; once that one alone, once all from it on. It must free what
 * it takes. How many there were. */
static uint64_t for_every(enum fault kind, void (*run)(void))
{
	uint64_t most = 0;
	for (int on = 0; on < 2; on++) {
		uint64_t n = 0, seen;
		do {
			long before = faults_live();
			faults_begin(kind, n, on);
			run();
			seen = faults_end();
			if (faults_live() != before)
				fail_msg("failure %llu%s leaves %ld allocations", (unsigned long long)n, on ? " and all after it" : "",
					faults_live() - before);
		} while (n++ < seen); /* one that was reached */
		most = n - 1 > most ? n - 1 : most;
	}
	return most;
}

#endif
