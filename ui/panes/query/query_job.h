/* query_job.h - background job that runs an SQL statement over the log and keeps its rows. */
#ifndef EVTUI_QUERY_JOB_H
#define EVTUI_QUERY_JOB_H

#include "jobs/job.h"
#include "sql/answer.h"

enum { QUERY_ROOM = 8192 };

/* Compared byte by byte: made from zeros. */
struct query_ask {
	char text[QUERY_ROOM];
	uint64_t nth; /* differs when the same text is asked again */
};

/* An answer_job whose questions are query_ask and whose answers are sql_answer. *scanned: rows of tables that it has read
 * so far; it outlives the job. NULL when memory or threads are out. */
struct answer_job *query_job_new(
	const struct evl_log *log, _Atomic uint64_t *scanned, void (*wake)(void *), void *wake_ctx);

#endif
