/* progress.h - progress report and cancellation of long-running functions (struct progress) */
#ifndef EVL_PROGRESS_H
#define EVL_PROGRESS_H

#include "base/base.h"

/* Passed to long-running functions, which call progress_tell and progress_cancelled now and then. All zeros: no
 * reports, no cancellation. */
struct progress {
	const atomic_bool *cancel; /* another thread sets it to true to cancel; NULL: never */
	/* Receives the share of work done: 0 to 1, never decreasing; NULL: no reports. */
	void (*tell)(void *ctx, double share);
	void *ctx;
};

static inline bool progress_cancelled(const struct progress *w) { return w && is_cancelled(w->cancel); }

static inline void progress_tell(const struct progress *w, double share)
{
	if (w && w->tell)
		w->tell(w->ctx, share);
}

#endif
