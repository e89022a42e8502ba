/* progress.h - progress report and cancellation of long work (struct progress). */
#ifndef EVL_PROGRESS_H
#define EVL_PROGRESS_H

#include "base/base.h"

#include <stdatomic.h>

/* All zeros: no progress is reported. */
struct progress {
	const atomic_bool *cancel;             /* becomes true when the answer is wanted no more */
	void (*tell)(void *ctx, double share); /* share of the work that is done: 0 … 1, never decreasing */
	void *ctx;
};

static inline bool progress_cancelled(const struct progress *w)
{
	return w && w->cancel && atomic_load_explicit(w->cancel, memory_order_relaxed);
}

static inline void progress_tell(const struct progress *w, double share)
{
	if (w && w->tell)
		w->tell(w->ctx, share);
}

#endif
