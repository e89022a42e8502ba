/* diff_job.h - background job that reads a second log and compares its metrics. */
#ifndef EVTUI_DIFF_JOB_H
#define EVTUI_DIFF_JOB_H

#include "jobs/job.h"
#include "report/diff.h"

enum { DIFF_PATH = 1024 };

/* The question. Made from zeros. */
struct diff_ask {
	char path[DIFF_PATH];
};

/* The answer. err.code is 0, or says why there are no rows. */
struct diff_answer {
	bool made;
	struct evl_err err;
	struct diff_row rows[METRICS];
};

/* NULL when memory or threads are out. */
struct answer_job *diff_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
