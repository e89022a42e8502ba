#include "query/gc_laggards.h"

struct ranking {
	struct gc_laggards *s;
	size_t room;
};

/* Keep the rows with the longest syncs, longest first, the earlier of equals. */
static bool rank(void *ctx, const struct gc_row *gc)
{
	struct ranking *r = ctx;
	struct gc_laggards *s = r->s;
	size_t at = s->n;
	s->total += gc->sync;
	while (at > 0
		&& (s->rows[at - 1].gc.sync < gc->sync
			|| (s->rows[at - 1].gc.sync == gc->sync && s->rows[at - 1].gc.start > gc->start)))
		at--;
	if (at >= r->room || gc->sync == 0)
		return true;
	s->n += s->n < r->room;
	memmove(&s->rows[at + 1], &s->rows[at], (s->n - at - 1) * sizeof s->rows[0]);
	s->rows[at] = (struct sync_row){.gc = *gc};
	return true;
}

/* The sync time in which this capability was the late one; 0 where an earlier row asked for it already. */
static uint64_t time_of(const struct gc_laggards *s, size_t row, size_t *times)
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

static void find_worst(struct gc_laggards *s)
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

int gc_laggards_make(
	struct gc_laggards *s, const struct evl_log *log, uint64_t from, uint64_t to, const struct progress *watch)
{
	size_t caps = log->n_caps ? log->n_caps : 1, room = SYNC_LOOKS / (2 * caps);
	memset(s, 0, sizeof *s);
	struct ranking ranking = {s, room < 1 ? 1 : room > SYNC_MOST ? SYNC_MOST : room};
	gcs_each(&log->gcs, from, to, rank, &ranking);
	for (size_t i = 0; i < s->n; i++) {
		if (progress_cancelled(watch))
			return EVL_CANCELLED;
		gc_late(log, &s->rows[i].gc, &s->rows[i].late);
		s->looked += s->rows[i].gc.sync;
	}
	find_worst(s);
	return 0;
}
