/* span_job.h - background job that says what the time of one span went into. */
#ifndef EVTUI_SPAN_JOB_H
#define EVTUI_SPAN_JOB_H

#include "jobs/job.h"
#include "query/span_budget.h"

/* The answer; the question is the number of a span in its table, a uint64_t. */
struct span_answer {
	uint64_t span;
	int result; /* 0, or EVL_NOMEM */
	bool made;
	uint64_t ns; /* its length */
	struct span_detail detail;
};

/* NULL when memory or threads are out. */
struct answer_job *span_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
