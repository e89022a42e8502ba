#include "base/descend.h"

static size_t width_of(const struct descent *d, int level) { return (size_t)1 << (d->bits * (unsigned)(level + 1)); }

/* The highest level at which a complete node begins at item i and has at most `room` items; -1: only the item itself. */
static int level_from(const struct descent *d, size_t i, size_t room)
{
	int level = -1;
	for (size_t width = width_of(d, 0);
		level + 1 < d->levels && i % width == 0 && width <= room && i / width < d->nodes(d->ctx, level + 1);
		width <<= d->bits)
		level++;
	return level;
}

/* The highest level at which a complete node ends before item i and has at most `room` items. */
static int level_before(const struct descent *d, size_t i, size_t room)
{
	int level = -1;
	for (size_t width = width_of(d, 0);
		level + 1 < d->levels && i % width == 0 && width <= room && i / width <= d->nodes(d->ctx, level + 1);
		width <<= d->bits)
		level++;
	return level;
}

size_t descend_next(const struct descent *d, size_t from, size_t to)
{
	int level = from < to ? level_from(d, from, to - from) : -1;
	while (from < to) {
		if (!d->may(d->ctx, level, from / width_of(d, level))) {
			from += width_of(d, level);
			level = from < to ? level_from(d, from, to - from) : -1;
		} else if (level < 0) {
			return from;
		} else {
			level--; /* it may be in here */
		}
	}
	return to;
}

size_t descend_prev(const struct descent *d, size_t from, size_t to)
{
	size_t end = to;
	int level = from < end ? level_before(d, end, end - from) : -1;
	while (from < end) {
		size_t width = width_of(d, level);
		if (!d->may(d->ctx, level, (end - width) / width)) {
			end -= width;
			level = from < end ? level_before(d, end, end - from) : -1;
		} else if (level < 0) {
			return end - 1;
		} else {
			level--;
		}
	}
	return to;
}
