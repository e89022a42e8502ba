/* diff_job.h - background job that compares the metrics of this log with those of another, or of two ranges of this one. */
#ifndef EVTUI_DIFF_JOB_H
#define EVTUI_DIFF_JOB_H

#include "jobs/job.h"
#include "report/diff.h"

enum { DIFF_NAME = 64 };

/* A range of this log, or of the other, and its name. */
struct diff_range {
	uint64_t from, to;
	uint64_t label; /* of it, the time that spans of this label cover (idmap_key); 0: all */
	bool other;
	char name[DIFF_NAME];
};

/* The question. Made from zeros. */
struct diff_ask {
	struct diff_range ranges[2];
};

/* The answer. err.code is 0, or says why there are no rows. */
struct diff_answer {
	bool made;
	struct evl_err err;
	struct diff_row rows[METRICS];
};

/* other: NULL where only ranges of this log are compared. NULL when memory or threads are out. */
struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx);

#endif
