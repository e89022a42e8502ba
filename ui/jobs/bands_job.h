/* bands_job.h - background job: the largest bands of the heap profile over a window, for the lane of the timeline.
 *
 * The bands and their hues are those of the whole run, as the Heap pane has them. Only after the walk. */
#ifndef EVTUI_BANDS_JOB_H
#define EVTUI_BANDS_JOB_H

#include "heap/census_window.h"
#include "log/log.h"

enum { BANDS_LABEL = 64 };

struct bands_picture {
	uint64_t t0, t1; /* the window */
	int cols;
	struct census_knot *knots;
	size_t n_knots;
	bool failed;      /* the profile has no bands over time, or memory ran out */
	int n;            /* bands that have a slot, the largest first; all others are in the last */
	uint64_t largest; /* total of any sample of the run */
	char labels[CENSUS_SLOTS - 1][BANDS_LABEL]; /* cut where they are longer */
};

struct bands_job;

/* wake(ctx) is called from the job's thread when an answer is there. NULL when memory or threads are out. */
struct bands_job *bands_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancels and joins. NULL is allowed. */
void bands_job_free(struct bands_job *job);

/* Ask for a window, unless it is the last one asked for, and wait at most `ms` (-1: no limit). */
void bands_job_ask(struct bands_job *job, uint64_t t0, uint64_t t1, int cols, int wait_ms);

/* The picture of a window, without knots if there is nothing to see; NULL: it is not there yet. */
const struct bands_picture *bands_job_picture(const struct bands_job *job, uint64_t t0, uint64_t t1, int cols);

/* Of NULL: no. */
bool bands_job_news(struct bands_job *job);
bool bands_job_busy(struct bands_job *job);

#endif
