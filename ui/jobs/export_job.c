#include "jobs/export_job.h"

#include "jobs/job.h"
#include "sys/atomic_file.h"

#include <stdlib.h>
#include <sys/stat.h>

struct export_job {
	struct answer_job *job;
	const struct export_format *format;
	struct export x;
	struct export_list list;
	struct atomic_file file;
	char *path, *table, *sql; /* table, sql: or NULL */
	atomic_bool cancel;
	_Atomic uint64_t bytes;
	struct export_state state; /* the screen's own */
	const struct progress *watch;
	bool ended; /* the file is finished or removed */
};

static bool put(void *ctx, const char *bytes, size_t len)
{
	struct export_job *job = ctx;
	atomic_fetch_add(&job->bytes, len);
	progress_tell(job->watch, 0);
	return atomic_file_put(&job->file, bytes, len);
}

static void write_export(void *ctx, UNUSED const void *question, const struct progress *watch, void *answer)
{
	struct export_job *job = ctx;
	struct evl_err *err = answer;
	job->watch = watch;
	int result = export_run(job->format, &job->x);
	bool whole = result == 0 || job->file.error; /* what the file met is said with its name */
	struct stat st;
	if (whole && atomic_load(&job->bytes) == 0
		&& fstat(job->file.fd, &st) == 0) /* it wrote to the file by itself */
		atomic_store(&job->bytes, (uint64_t)st.st_size);
	int ended = atomic_file_end(&job->file, whole, err);
	job->ended = true;
	if (whole)
		err->code = ended < 0 ? err->code : 0;
	else
		evl_fail(err, result, EVL_NO_OFFSET, "%s", job->x.why ? job->x.why : evl_strerror(result));
}

static int start(
	struct export_job *job, const struct export_want *want, void (*wake)(void *), void *ctx, struct evl_err *err)
{
	static const struct answer_ops ops = {
		.question = sizeof(char), .answer = sizeof(struct evl_err), .find = write_export};
	int result = atomic_file_begin(&job->file, want->path, want->force, err);
	if (result < 0)
		return result;
	if ((job->job = job_new(&ops, job, wake, ctx))) {
		job_ask(job->job, "");
		return 0;
	}
	atomic_file_end(&job->file, false, err);
	return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
}

static void forget(struct export_job *job)
{
	export_list_drop(&job->list);
	free_all(job->path, job->table, job->sql, job);
}

int export_job_new(struct export_job **out, const struct evl_log *log, const struct export_want *want,
	void (*wake)(void *), void *ctx, struct evl_err *err)
{
	struct export_job *job = calloc(1, sizeof *job);
	*out = NULL;
	if (!job)
		export_list_drop(want->list);
	if (!job)
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	job->format = want->format;
	job->path = strdup(want->path);
	job->table = want->table ? strdup(want->table) : NULL;
	job->sql = want->sql ? strdup(want->sql) : NULL;
	if (want->list)
		job->list = *want->list;
	job->state.path = job->path;
	job->x = (struct export){.log = log,
		.file = &job->file,
		.from = want->from,
		.to = want->to,
		.table = job->table,
		.sql = job->sql,
		.list = want->list ? &job->list : NULL,
		.spreadsheet = want->spreadsheet,
		.cancel = &job->cancel,
		.put = put,
		.ctx = job};
	bool whole = job->path && (job->table || !want->table) && (job->sql || !want->sql);
	int result =
		whole ? start(job, want, wake, ctx, err) : evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory");
	if (result == 0)
		*out = job;
	else
		forget(job);
	return result;
}

void export_job_cancel(struct export_job *job) { atomic_store(&job->cancel, true); }

void export_job_free(struct export_job *job)
{
	if (!job)
		return;
	export_job_cancel(job);
	job_free(job->job);
	if (!job->ended) /* cancelled before it started */
		atomic_file_end(&job->file, false, NULL);
	forget(job);
}

struct export_state export_job_state(struct export_job *job)
{
	job->state.done = job_take(job->job, &job->state.err) || job->state.done;
	job->state.bytes = atomic_load(&job->bytes);
	return job->state;
}
