#include "sched/busy_streams.h"

#include "base/minheap.h"

#include <stdlib.h>

/* Move a stream to its next interval that overlaps the range. */
static bool advance(struct busy_streams *all, struct busy_stream *s)
{
	do {
		if (!s->gcs) {
			bool more = caps_runs_next(&s->runs, &s->from, &s->to);
			all->missing = all->missing || s->runs.cursor.missing;
			if (!more)
				return false;
			continue;
		}
		if (s->i >= rows_count(s->gcs))
			return false;
		const struct gc_row *r = rows_at(s->gcs, s->i++);
		s->from = s->requests ? gc_requested(r) : r->start;
		s->to = gc_end(r);
	} while (s->to <= all->t0);
	s->from = max_u64(s->from, all->t0);
	s->to = min_u64(s->to, all->t1);
	return s->from < all->t1;
}

static bool is_earlier(const struct busy_stream *a, const struct busy_stream *b) { return a->from < b->from; }

static struct busy_stream collections(const struct rows *rows, uint64_t t0, bool requests)
{
	size_t i = rows_first_at(rows, rows_count(rows), offsetof(struct gc_row, start), t0);
	return (struct busy_stream){.gcs = rows, .i = i ? i - 1 : 0, .requests = requests};
}

int busy_streams_begin(struct busy_streams *s, const struct blocks *b, const struct tile_table *tiles,
	const struct gcs *g, int kinds, uint64_t t0, uint64_t t1)
{
	struct busy_stream *end;
	*s = (struct busy_streams){.t0 = t0, .t1 = t1};
	s->items = end = calloc(3 * b->n_chains + 1, sizeof *s->items);
	s->heap = calloc(3 * b->n_chains + 1, sizeof *s->heap);
	if (!s->items || !s->heap)
		return EVL_NOMEM;
	for (uint32_t c = 0; c < b->n_chains; c++) {
		if (kinds & BUSY_GCS)
			*end++ = collections(&g->tables[c].rows, t0, false);
		if (kinds & BUSY_PAUSES)
			*end++ = collections(&g->tables[c].rows, t0, true);
		if (kinds & BUSY_RUNS && b->chains[c].cap != EVL_NO_CAP)
			caps_runs_begin(&end++->runs, b, &tiles[c], c, t0, t1);
	}
	for (struct busy_stream *stream = s->items; stream < end; stream++)
		if (advance(s, stream))
			s->heap[s->n++] = stream;
	MINHEAP_MAKE(s->heap, s->n, is_earlier);
	return 0;
}

void busy_streams_free(struct busy_streams *s) { free_all(s->items, s->heap); }

bool busy_streams_next(struct busy_streams *s, uint64_t *from, uint64_t *to)
{
	if (s->n == 0)
		return false;
	*from = s->heap[0]->from;
	*to = s->heap[0]->to;
	if (!advance(s, s->heap[0]))
		s->heap[0] = s->heap[--s->n];
	MINHEAP_SIFT(s->heap, s->n, 0, is_earlier);
	return true;
}
