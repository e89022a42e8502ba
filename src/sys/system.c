/* system.c - of system.h what is the same everywhere: raw terminals, and the sort of those who have no stable qsort_r. */
#include "sys/system.h"

#include <stdlib.h>
#include <termios.h>

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
