#include "sync_late.h"

/* Keep the rows with the longest syncs, longest first, the earlier of equals. */
static void rank(struct sync_late *s, size_t room, const struct gc_row *gc)
{
	size_t at = s->n;
	while (at > 0 && (s->rows[at - 1].gc.sync < gc->sync
				 || (s->rows[at - 1].gc.sync == gc->sync && s->rows[at - 1].gc.start > gc->start)))
		at--;
	if (at >= room)
		return;
	s->n += s->n < room;
	memmove(&s->rows[at + 1], &s->rows[at], (s->n - at - 1) * sizeof s->rows[0]);
	s->rows[at] = (struct sync_row){.gc = *gc};
}

static void collect(struct sync_late *s, const struct gcs *g, size_t room, uint64_t from, uint64_t to)
{
	for (size_t c = 0; c < g->n; c++) {
		const struct rows *rows = &g->tables[c].rows;
		size_t n = rows_count(rows), i = rows_first_at(rows, n, offsetof(struct gc_row, start), from);
		for (; i < n; i++) {
			const struct gc_row *r = rows_at(rows, i);
			if (r->start >= to)
				break;
			s->total += r->sync;
			if (r->sync)
				rank(s, room, r);
		}
	}
}

/* The sync time in which this capability was the late one; 0 where an earlier row asked for it already. */
static uint64_t time_of(const struct sync_late *s, size_t row, size_t *times)
{
	uint64_t ns = 0;
	*times = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!s->rows[i].late.found || s->rows[i].late.cap != s->rows[row].late.cap)
			continue;
		if (i < row)
			return 0;
		ns += s->rows[i].gc.sync;
		++*times;
	}
	return ns;
}

static void find_worst(struct sync_late *s)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t times;
		uint64_t ns = s->rows[i].late.found ? time_of(s, i, &times) : 0;
		if (ns <= s->ns)
			continue;
		s->has_worst = true;
		s->ns = ns;
		s->times = times;
		s->cap = s->rows[i].late.cap;
		s->thread = s->rows[i].late.thread;
	}
}

int sync_late_make(struct sync_late *s, const struct evl_log *log, uint64_t from, uint64_t to, const struct watch *watch)
{
	size_t caps = log->n_lanes ? log->n_lanes : 1, room = SYNC_LOOKS / (2 * caps);
	memset(s, 0, sizeof *s);
	room = room < 1 ? 1 : room > SYNC_MOST ? SYNC_MOST : room;
	collect(s, &log->gcs, room, from, to);
	for (size_t i = 0; i < s->n; i++) {
		if (watch_cancelled(watch))
			return EVL_CANCELLED;
		gc_late(log, &s->rows[i].gc, &s->rows[i].late);
		s->looked += s->rows[i].gc.sync;
	}
	find_worst(s);
	return 0;
}
