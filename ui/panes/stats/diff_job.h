/* diff_job.h - background job that compares two ranges, of this log or of another one (:diff) */
#ifndef EVTUI_DIFF_JOB_H
#define EVTUI_DIFF_JOB_H

#include "jobs/job.h"
#include "report/diff_list.h"

enum { DIFF_NAME = 64 };

/* A range of this log or of the other one, and its displayed name. */
struct diff_range {
	uint64_t from, to; /* half-open, ns; 0 and UINT64_MAX: the whole log */
	uint64_t label;    /* hash (idmap_key) of a label: only the time covered by its spans; 0: all */
	bool other;        /* of the other log */
	char name[DIFF_NAME];
};

/* The question. Initialize with zeros. */
struct diff_ask {
	struct diff_range ranges[2];
};

/* The answer: at first from the index alone, later complete. err.code is 0, or tells why there are no lines. */
struct diff_answer {
	bool made; /* the other members are valid */
	struct evl_err err;
	struct diff_list list;
};
void diff_answer_free(struct diff_answer *a);

/* Start the job (job.h). other: the other log; NULL: only ranges of this log will be compared. Return NULL if memory
 * ran out or the thread could not be started. */
struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx);

#endif
