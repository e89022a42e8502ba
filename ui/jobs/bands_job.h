/* bands_job.h - background job: the largest bands of the heap profile over a window, for the lane of the timeline
 *
 * Bands and their colours are chosen from the whole run, as in the Heap pane. Use it only after the log is indexed.
 * Times are in ns. */
#ifndef EVTUI_BANDS_JOB_H
#define EVTUI_BANDS_JOB_H

#include "heap/census_window.h"
#include "log/log.h"

enum { BANDS_LABEL = 64 };

/* The bands over a window, ready to draw. */
struct bands_picture {
	uint64_t t0, t1; /* the window */
	int cols;
	struct census_knot *knots; /* points of the stacked curves (census_window.h) */
	size_t n_knots;
	bool failed; /* the profile has no bands over time, or memory ran out */
	/* Number of bands that are drawn separately, largest first. One more slot holds all other bands. */
	int n;
	uint64_t largest;                           /* largest total of any sample of the run, in bytes */
	char labels[CENSUS_SLOTS - 1][BANDS_LABEL]; /* names of the bands, shortened to fit */
};

struct bands_job;

/* Start the job. wake(ctx) is called from its thread when an answer is ready. Return NULL if memory ran out or the
 * thread could not be started. */
struct bands_job *bands_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void bands_job_free(struct bands_job *job);

/* Request a window, unless it was the last one requested, and wait for it at most wait_ms milliseconds (-1: no
 * limit). */
void bands_job_ask(struct bands_job *job, uint64_t t0, uint64_t t1, int cols, int wait_ms);

/* Return the picture of a window, or NULL if it is not ready. n_knots is 0 if there is nothing to draw. */
const struct bands_picture *bands_job_picture(const struct bands_job *job, uint64_t t0, uint64_t t1, int cols);

/* bands_job_news: return whether an answer came since the last call. bands_job_busy: return whether one is being
 * computed. False if job is NULL. */
bool bands_job_news(struct bands_job *job);
bool bands_job_busy(struct bands_job *job);

#endif
