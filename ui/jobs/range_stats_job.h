/* range_stats_job.h - background job that computes the metrics of the selected range
 *
 * This takes one reading of that part of the log. A different range cancels the one in progress. Use it only after
 * the log is indexed. Times are in ns. */
#ifndef EVTUI_RANGE_STATS_JOB_H
#define EVTUI_RANGE_STATS_JOB_H

#include "log/log.h"

/* The metrics of a range. */
struct range_figures {
	struct run_stats stats;
	uint64_t markers, messages;
	/* Markers of the range may be missing from the count, because the table of markers was full. */
	bool more_markers;
	bool about_messages; /* `messages` is an estimate */
	int result;          /* 0, or EVL_NOMEM */
};

struct range_stats_job;

/* Start the job. wake(ctx) is called from its thread when an answer is ready. Return NULL if memory ran out or the
 * thread could not be started. */
struct range_stats_job *range_stats_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void range_stats_job_free(struct range_stats_job *job);

/* Get the metrics of [from, to), waiting at most wait_ms milliseconds (-1: no limit). Return false if they are not
 * ready. */
bool range_stats_job_get(
	struct range_stats_job *job, uint64_t from, uint64_t to, int wait_ms, struct range_figures *out);

/* range_stats_job_news: return whether there is an answer that range_stats_job_get has not returned yet.
 * range_stats_job_busy: return whether one is being computed. */
bool range_stats_job_news(struct range_stats_job *job);
bool range_stats_job_busy(struct range_stats_job *job);

#endif
