#include "panes/query/query_job.h"

#include <stdlib.h>

struct query_job {
	struct sql_log log;
	struct sql sql;
	_Atomic uint64_t *told;
	bool open;
};

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct query_job *job = ctx;
	const struct query_ask *ask = question;
	struct sql_answer *a = answer;
	if (!job->open) /* what tables share is kept for the next question */
		job->open = sql_open(&job->sql, &job->log, 1, watch->cancel) == 0;
	if (!job->open) {
		sql_close(&job->sql);
		a->result = EVL_NOMEM;
		return;
	}
	job->sql.watch = watch;
	job->sql.told = job->told;
	job->sql.scanned = 0;
	sql_answer_make(a, &job->sql, ask->text, NULL);
	job->sql.watch = NULL;
}

static void drop(void *answer) { sql_answer_free(answer); }

static void close_job(void *ctx)
{
	struct query_job *job = ctx;
	if (job->open)
		sql_close(&job->sql);
	free(job);
}

struct answer_job *query_job_new(
	const struct evl_log *log, _Atomic uint64_t *scanned, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct query_ask),
		.answer = sizeof(struct sql_answer),
		.find = find,
		.drop = drop,
		.close = close_job};
	struct query_job *job = calloc(1, sizeof *job);
	if (job)
		*job = (struct query_job){.log = {log, log->path ? log->path : ""}, .told = scanned};
	return job_new(&ops, job, wake, wake_ctx);
}
