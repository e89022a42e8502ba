#include "jobs/export_job.h"

#include "sys/atomic_file.h"
#include "sys/worker.h"

#include <stdlib.h>

enum { TELL_BYTES = 8 << 20 };

/* `state` is under the lock; the rest is the job's own while it runs. */
struct export_job {
	struct worker worker;
	void (*wake)(void *);
	void *wake_ctx;
	const struct export_format *format;
	struct export x;
	struct atomic_file file;
	char *path, *table; /* table: or NULL */
	struct export_state state;
	uint64_t announced; /* bytes */
};

static bool put(void *ctx, const char *bytes, size_t len)
{
	struct export_job *job = ctx;
	bool good = atomic_file_put(&job->file, bytes, len);
	pthread_mutex_lock(&job->worker.lock);
	job->state.bytes += len;
	bool tell = job->state.bytes - job->announced >= TELL_BYTES;
	job->announced = tell ? job->state.bytes : job->announced;
	pthread_mutex_unlock(&job->worker.lock);
	if (tell)
		job->wake(job->wake_ctx);
	return good;
}

static void *run(void *arg)
{
	struct export_job *job = arg;
	struct evl_err err = {0};
	int result = export_run(job->format, &job->x);
	bool whole = result == 0 || job->file.error; /* what the file met is said with its name */
	int ended = atomic_file_end(&job->file, whole, &err);
	if (whole)
		err.code = ended < 0 ? err.code : 0;
	else
		evl_fail(&err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
	pthread_mutex_lock(&job->worker.lock);
	job->state.err = err;
	job->state.done = true;
	pthread_mutex_unlock(&job->worker.lock);
	job->wake(job->wake_ctx);
	return NULL;
}

static int start(struct export_job *job, const struct export_want *want, struct evl_err *err)
{
	int result = atomic_file_begin(&job->file, want->path, want->force, err);
	if (result < 0)
		return result;
	if (worker_open(&job->worker, run, job))
		return 0;
	atomic_file_end(&job->file, false, err);
	return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
}

static void forget(struct export_job *job)
{
	free(job->path);
	free(job->table);
	free(job);
}

int export_job_new(struct export_job **out, const struct evl_log *log, const struct export_want *want,
	void (*wake)(void *), void *ctx, struct evl_err *err)
{
	struct export_job *job = calloc(1, sizeof *job);
	*out = NULL;
	if (!job)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	*job = (struct export_job){.wake = wake,
		.wake_ctx = ctx,
		.format = want->format,
		.path = strdup(want->path),
		.table = want->table ? strdup(want->table) : NULL};
	job->state.path = job->path;
	job->x = (struct export){.log = log,
		.from = want->from,
		.to = want->to,
		.table = job->table,
		.cancel = &job->worker.cancel,
		.put = put,
		.ctx = job};
	bool whole = job->path && (job->table || !want->table);
	int result = whole ? start(job, want, err) : evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	if (result == 0)
		*out = job;
	else
		forget(job);
	return result;
}

void export_job_cancel(struct export_job *job) { atomic_store(&job->worker.cancel, true); }

void export_job_free(struct export_job *job)
{
	if (!job)
		return;
	worker_close(&job->worker);
	forget(job);
}

struct export_state export_job_state(struct export_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	struct export_state state = job->state;
	pthread_mutex_unlock(&job->worker.lock);
	return state;
}
