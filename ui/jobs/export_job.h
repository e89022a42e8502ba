/* export_job.h - background job that exports the log or a range to a file (export.h)
 *
 * Use it only after the log is indexed. The file appears only when it is complete. */
#ifndef EVTUI_EXPORT_JOB_H
#define EVTUI_EXPORT_JOB_H

#include "export/export.h"
#include "export/export_list.h"

struct export_job;

/* Data to export, and the file to write. The strings are copied. */
struct export_want {
	const struct export_format *format;
	const char *table;              /* NULL: the format's default */
	const char *sql;                /* SQL statement to export instead of a table; NULL: none */
	const struct export_list *list; /* export.list, which is copied; NULL: none */
	uint64_t from, to;              /* half-open, ns */
	const char *path;
	bool force;       /* replace an existing file */
	bool spreadsheet; /* CSV: escape text that a spreadsheet would take for a formula */
};

/* Start the job, which takes over want->list->made in any case. wake(ctx) is called from its thread now and then, and at the end. Return 0, or an error code with
 * *err filled. */
int export_job_new(struct export_job **job, const struct evl_log *log, const struct export_want *want,
	void (*wake)(void *), void *ctx, struct evl_err *err) EVL_MUST_USE;

/* export_job_free: cancel the job, wait for its thread, remove an incomplete file, and free the job; job may be
 * NULL. export_job_cancel: only ask it to stop. */
void export_job_free(struct export_job *job);
void export_job_cancel(struct export_job *job);

struct export_state {
	uint64_t bytes; /* bytes written so far */
	bool done;
	const char *path;
	struct evl_err err; /* valid if done; err.code is 0 on success */
};
/* Return the present state. */
struct export_state export_job_state(struct export_job *job);

#endif
