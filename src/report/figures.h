/* figures.h - everything that `stats` and the Stats pane say of a log or a range of it, in one structure.
 *
 *   struct figures f;
 *   if (figures_make(&f, log, &(struct figures_ask){.from = a, .to = b, .deep = true}) == 0) … f.values[METRIC_TIME_GC] …
 *   figures_free(&f);
 *
 * Of the whole log all but the waits of threads come from the index; of a range, the time split reads its log once, and
 * the waits (deep) once more. So it is work for a job: it can be cancelled, tells how far it is, and needs 24 bytes a
 * collection, 32 a capability, 16 a span and 96 a living thread while it works. Only when the walk is over. May wait for
 * the disk. */
#ifndef EVL_FIGURES_H
#define EVL_FIGURES_H

#include "report/figure_set.h"
#include "sys/progress.h"

struct figures_ask {
	uint64_t from, to;        /* [from, to); 0 and UINT64_MAX: the whole log */
	bool deep;                /* also what takes a second reading: waits of threads, ticky counters */
	const struct progress *watch; /* NULL: nobody */
};

/* 0, EVL_CANCELLED or EVL_NOMEM; what failed holds nothing. */
int figures_make(struct figures *f, const struct evl_log *log, const struct figures_ask *ask) EVL_MUST_USE;
void figures_free(struct figures *f);

/* A deep answer of the whole log reads it twice. Is that a matter of a moment (64 MB at most)? Batch commands go deep then
 * without being asked. */
bool figures_is_small(const struct evl_log *log, uint64_t from, uint64_t to);

#endif
