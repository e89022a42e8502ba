/* range_stats_job.h - background job that computes the metrics of the selected range
 *
 * This takes one reading of that part of the log. A different range cancels the one in progress. Use it only after
 * the log is indexed. Times are in ns. */
#ifndef EVTUI_RANGE_STATS_JOB_H
#define EVTUI_RANGE_STATS_JOB_H

#include "jobs/job.h"
#include "log/log.h"

/* The question: a half-open range. */
struct range_ask {
	uint64_t from, to;
};

/* The answer: the metrics of the range. */
struct range_figures {
	struct range_ask of;
	struct run_stats stats;
	uint64_t markers, messages;
	/* Markers of the range may be missing from the count, because the table of markers was full. */
	bool more_markers;
	bool about_messages; /* `messages` is an estimate */
	int result;          /* 0, or EVL_NOMEM */
};

/* Start the job (job.h). Return NULL if memory ran out or the thread could not be started. */
struct answer_job *range_stats_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
