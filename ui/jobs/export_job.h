/* export_job.h - background job that writes an export (export.h) of the log or a range.
 *
 * Only after the walk. The file is created atomically. */
#ifndef EVTUI_EXPORT_JOB_H
#define EVTUI_EXPORT_JOB_H

#include "export/export.h"

struct export_job;

struct export_want {
	const struct export_format *format;
	const char *table; /* or NULL */
	const char *sql;   /* a statement instead of a table; NULL: none */
	uint64_t from, to; /* [from, to) */
	const char *path;
	bool force;       /* also over an existing file */
	bool spreadsheet; /* csv: no text is taken for a formula */
};

/* Begin. wake(ctx) is called from the job's thread when it is done, and now and then. 0, or a code with err filled. */
int export_job_new(struct export_job **job, const struct evl_log *log, const struct export_want *want,
	void (*wake)(void *), void *ctx, struct evl_err *err) EVL_MUST_USE;

/* Cancel, join, and remove an incomplete file. NULL is allowed. */
void export_job_free(struct export_job *job);
void export_job_cancel(struct export_job *job);

struct export_state {
	uint64_t bytes; /* written so far */
	bool done;
	const char *path;
	struct evl_err err; /* of the end; err.code is 0 if all went well */
};
struct export_state export_job_state(struct export_job *job);

#endif
