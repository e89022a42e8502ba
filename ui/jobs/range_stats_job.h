/* range_stats_job.h - background job that computes the metrics of the selected range.
 *
 * They cost as much as reading that part of the log once. Another range cancels the one in progress. Only after the
 * walk. */
#ifndef EVTUI_RANGE_STATS_JOB_H
#define EVTUI_RANGE_STATS_JOB_H

#include "log/log.h"

struct range_figures {
	struct run_stats stats;
	uint64_t markers, messages;
	bool more_markers;   /* not all markers of the range were kept: there may be more */
	bool about_messages; /* their number is an estimate */
	int result;          /* 0, or EVL_NOMEM */
};

struct range_stats_job;

/* wake(ctx) is called from the job's thread when an answer is there. NULL when memory or threads are out. */
struct range_stats_job *range_stats_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancels and joins. NULL is allowed. */
void range_stats_job_free(struct range_stats_job *job);

/* Get the metrics of [from, to), waiting at most `ms` (-1: no limit). Return false if they are still being computed. */
bool range_stats_job_get(
	struct range_stats_job *job, uint64_t from, uint64_t to, int wait_ms, struct range_figures *out);

/* Report whether there is an answer that range_stats_job_get has not returned yet, or one is being computed. */
bool range_stats_job_news(struct range_stats_job *job);
bool range_stats_job_busy(struct range_stats_job *job);

#endif
