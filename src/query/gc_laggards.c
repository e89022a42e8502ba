#include "query/gc_laggards.h"

#include <stdlib.h>

struct ranking {
	struct gc_laggards *out;
	const struct gc_range *range;
};

/* Keep the rows with the longest syncs, longest first, the earlier of equals. */
static bool rank(void *ctx, const struct gc_row *gc)
{
	const struct ranking *r = ctx;
	struct gc_laggards *s = r->out;
	size_t at = s->n;
	while (at > 0
		&& (s->rows[at - 1].gc.sync < gc->sync
			|| (s->rows[at - 1].gc.sync == gc->sync && s->rows[at - 1].gc.start > gc->start)))
		at--;
	if (at >= SYNC_MOST || gc->sync == 0 || !gc_range_has(r->range, gc->start))
		return true;
	s->n += s->n < SYNC_MOST;
	memmove(&s->rows[at + 1], &s->rows[at], (s->n - at - 1) * sizeof s->rows[0]);
	s->rows[at] = (struct sync_row){.gc = *gc};
	return true;
}

static void sum_up(struct gc_laggards *s, const struct gc_delays *d)
{
	const struct gc_delay_thread *worst = gc_delays_worst(d);
	s->thread_ns = d->thread_ns;
	s->wakeup_ns = d->wakeup_ns;
	s->n_rests = d->rests.n;
	s->rests_ns = d->rests.total - d->rests_cut;
	s->rest_p50 = histogram_quantile(&d->rests, 50);
	for (size_t i = 0; i < d->n_threads; i++)
		s->blamed_ns += d->threads[i].ns;
	s->has_worst = worst;
	if (worst)
		s->worst = *worst;
}

/* The sums of the whole log, with the threads of ties: which of them stopped last is read from the log. */
static void sum_up_whole(struct gc_laggards *s, const struct evl_log *log)
{
	const struct gc_delays *known = &log->busy.delays;
	struct gc_sweep *sweep = known->n_ties ? gc_sweep_open(log) : NULL;
	struct gc_delays all = {0};
	gc_delays_join(&all, known);
	for (size_t i = 0; i < known->n_ties; i++) {
		const struct gc_delay_tie *tie = &known->ties[i];
		uint32_t chain = log->blocks.chain_of[tie->gc.cap];
		struct gc_late late = {0};
		if (sweep && chain)
			gc_sweep_why(sweep, chain - 1, &tie->gc, &late);
		bool found = late.run.late == tie->late;
		gc_delays_blame(&all, &tie->gc, tie->late, found ? late.run.ran : tie->ran,
			found ? late.run.thread : tie->thread, found ? late.run.cap : (uint16_t)tie->cap);
	}
	sum_up(s, &all);
	gc_sweep_close(sweep);
	gc_delays_free(&all);
}

/* The sums of a range, by some workers. */
struct looker {
	const struct evl_log *log;
	const struct gc_range *range;
	const struct progress *watch;
	bool clip; /* only the time in the range counts */
};

static void look(const void *ctx, void *own, const struct gc_row *rows, size_t n)
{
	const struct looker *l = ctx;
	struct gc_delays *d = own;
	for (size_t i = 0; i < n && !progress_cancelled(l->watch); i++) {
		struct gc_late late;
		uint64_t requested = gc_requested(&rows[i]);
		if (rows[i].sync == 0 || gc_range_skips(l->range, rows[i].start)
			|| (l->clip && gc_range_covers(l->range, requested, rows[i].start) == 0))
			continue;
		gc_late(l->log, &rows[i], &late);
		uint64_t until = requested + late.run.late;
		struct gc_delay_parts parts = {gc_range_covers(l->range, requested, until),
			gc_range_covers(l->range, until - late.run.ran, until),
			gc_range_covers(l->range, until, rows[i].start)};
		gc_delays_add(d, &rows[i], &late.run, l->clip ? &parts : NULL);
	}
}

static int look_at_range(struct gc_laggards *s, const struct looker *l, const struct gc_range *range)
{
	struct gc_delays *all = calloc(GC_SCAN_WORKERS, sizeof *all);
	if (!all)
		return EVL_NOMEM;
	int result = gc_scan(range, look, l, all, sizeof *all);
	for (size_t i = 1; i < GC_SCAN_WORKERS; i++)
		gc_delays_join(&all[0], &all[i]);
	sum_up(s, &all[0]);
	for (size_t i = 0; i < GC_SCAN_WORKERS; i++)
		gc_delays_free(&all[i]);
	free(all);
	return result;
}

int gc_laggards_make(struct gc_laggards *s, const struct evl_log *log, enum gc_laggards_of of,
	const struct gc_range *range, const struct progress *watch)
{
	struct looker looker = {log, range, watch, of == LAGGARDS_IN_RANGE};
	struct ranking ranking = {s, range};
	struct gc_range requested = *range;
	int result = 0;
	requested.to = gc_range_requested(range, evl_complete_until(log));
	requested.windows = NULL; /* the time in them counts, wherever the collection starts */
	memset(s, 0, sizeof *s);
	gcs_each(&log->gcs, range->from, range->to, rank, &ranking);
	for (size_t i = 0; i < s->n; i++) {
		if (progress_cancelled(watch))
			return EVL_CANCELLED;
		gc_late(log, &s->rows[i].gc, &s->rows[i].late);
	}
	if (of == LAGGARDS_ALL)
		sum_up_whole(s, log);
	else
		result = look_at_range(s, &looker, looker.clip ? &requested : range);
	return result;
}
