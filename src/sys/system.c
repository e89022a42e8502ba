/* system.c - the part of system.h that is the same everywhere: raw terminals, a stable sort for systems without qsort_r,
 * and the end of children. */
#include "sys/system.h"

#include "sys/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

void sys_make_raw(struct termios *modes)
{
	modes->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	modes->c_oflag &= ~(tcflag_t)OPOST;
	modes->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	modes->c_cflag &= ~(tcflag_t)(CSIZE | PARENB);
	modes->c_cflag |= CS8;
	modes->c_cc[VMIN] = 1;
	modes->c_cc[VTIME] = 0;
}

typedef int (*compare_fn)(const void *, const void *, void *ctx);

#if defined __GLIBC__ && !defined PORTABLE
void sys_sort(void *items, size_t n, size_t size, compare_fn compare, void *ctx)
{
	if (n)
		qsort_r(items, n, size, compare, ctx);
}
#else
struct sorting {
	uint8_t *items;
	size_t size;
	compare_fn compare;
	void *ctx;
};

static bool is_before(const struct sorting *s, size_t a, size_t b)
{
	return s->compare(s->items + a * s->size, s->items + b * s->size, s->ctx) < 0;
}

static void reverse(const struct sorting *s, size_t from, size_t to)
{
	for (; from + 1 < to; from++, to--) {
		uint8_t *a = s->items + from * s->size, *b = s->items + (to - 1) * s->size;
		for (size_t i = 0; i < s->size; i++) {
			uint8_t byte = a[i];
			a[i] = b[i];
			b[i] = byte;
		}
	}
}

/* The first of [from, to) that is not before `item` (or, if `after`, that `item` is before). */
static size_t bound(const struct sorting *s, size_t from, size_t to, size_t item, bool after)
{
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		bool left = after ? !is_before(s, item, middle) : is_before(s, middle, item);
		*(left ? &from : &to) = left ? middle + 1 : middle;
	}
	return from;
}

/* Merge [from, middle) and [middle, to): the middle of the longer one tells where both are cut, and the inner pieces change
 * places. */
static void merge(const struct sorting *s, size_t from, size_t middle, size_t to)
{
	while (from < middle && middle < to && is_before(s, middle, middle - 1)) {
		bool first = middle - from >= to - middle;
		size_t a = first ? from + (middle - from) / 2 : 0, b = first ? 0 : middle + (to - middle) / 2;
		if (first)
			b = bound(s, middle, to, a, false);
		else
			a = bound(s, from, middle, b, true);
		reverse(s, a, middle);
		reverse(s, middle, b);
		reverse(s, a, b);
		size_t cut = a + (b - middle);
		merge(s, from, a, cut);
		from = cut + first; /* the item of the left that it was cut at is in its place */
		middle = b;
	}
}

static void sort(const struct sorting *s, size_t from, size_t to)
{
	size_t middle = from + (to - from) / 2;
	if (to - from < 2)
		return;
	sort(s, from, middle);
	sort(s, middle, to);
	merge(s, from, middle, to);
}

void sys_sort(void *items, size_t n, size_t size, compare_fn compare, void *ctx)
{
	sort(&(struct sorting){items, size, compare, ctx}, 0, n);
}
#endif

/* --- children ------------------------------------------------------------------------------------------------------ */

struct child {
	pid_t pid;
	int end;
};

/* The other end of the pipe is closed when it has ended; it stays a zombie. */
static void *wait_for(void *arg)
{
	struct child *c = arg;
	siginfo_t how;
	while (waitid(P_PID, (id_t)c->pid, &how, WEXITED | WNOWAIT) && errno == EINTR) {
	}
	close(c->end);
	free(c);
	return NULL;
}

int sys_child_fd(pid_t child)
{
	int ends[2], fd = sys_process_fd(child);
	pthread_t thread;
	if (fd >= 0)
		return fd;
	struct child *c = malloc(sizeof *c);
	if (!c || sys_pipe(ends, 0)) {
		free(c);
		return -1;
	}
	*c = (struct child){child, ends[1]};
	if (worker_start(&thread, wait_for, c)) {
		pthread_detach(thread);
		return ends[0];
	}
	close(ends[0]);
	close(ends[1]);
	free(c);
	errno = EAGAIN;
	return -1;
}
