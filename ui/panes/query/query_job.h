/* query_job.h - background job that runs an SQL statement over the log and keeps its rows */
#ifndef EVTUI_QUERY_JOB_H
#define EVTUI_QUERY_JOB_H

#include "jobs/job.h"
#include "sql/answer.h"

enum { QUERY_ROOM = 8192 };

/* The question. Compared byte by byte, so initialize with zeros. */
struct query_ask {
	char text[QUERY_ROOM];
	uint64_t nth; /* changed to ask the same text again */
};

/* Start a job (job.h) with struct query_ask as questions and struct sql_answer as answers. *scanned is updated with
 * the number of table rows read so far; it must outlive the job. Return NULL if memory ran out or the thread could
 * not be started. */
struct answer_job *query_job_new(
	const struct evl_log *log, _Atomic uint64_t *scanned, void (*wake)(void *), void *wake_ctx);

#endif
