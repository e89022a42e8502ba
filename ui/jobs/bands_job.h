/* bands_job.h - background job: the largest bands of the heap profile over a window, for the lane of the timeline
 *
 * Bands and their colours are chosen from the whole run, as in the Heap pane. Use it only after the log is indexed.
 * Times are in ns. */
#ifndef EVTUI_BANDS_JOB_H
#define EVTUI_BANDS_JOB_H

#include "heap/census_window.h"
#include "jobs/job.h"
#include "log/log.h"

enum { BANDS_LABEL = 64 };

/* The question: a window. */
struct bands_ask {
	uint64_t t0, t1;
	int64_t cols;
};

/* The answer: the bands over a window, ready to draw. */
struct bands_picture {
	struct bands_ask of;
	struct census_knot *knots; /* points of the stacked curves (census_window.h) */
	size_t n_knots;            /* 0: there is nothing to draw */
	bool failed;               /* the profile has no bands over time, or memory ran out */
	/* Number of bands that are drawn separately, largest first. One more slot holds all other bands. */
	int n;
	uint64_t largest;                           /* largest total of any sample of the run, in bytes */
	char labels[CENSUS_SLOTS - 1][BANDS_LABEL]; /* names of the bands, shortened to fit */
};

/* Start the job (job.h). Return NULL if memory ran out or the thread could not be started. */
struct answer_job *bands_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
