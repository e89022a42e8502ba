#include "panes/heap/heap_job.h"

#include "jobs/job.h"
#include "jobs/other_log.h"
#include "panes/heap/heap_query.h"

#include <stdlib.h>

struct heap_job {
	struct answer_job *job;
	struct heap_scan scan; /* the job's own, but for its progress */
	struct held_logs held; /* that it may read */
};

static void tell(void *ctx) { progress_tell(ctx, 0); }

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct heap_job *job = ctx;
	job->scan.cancel = watch->cancel;
	job->scan.tell = tell;
	job->scan.ctx = (void *)(uintptr_t)watch;
	if (heap_find_page(&job->scan, question, answer) == 0)
		job_publish(watch);
}

/* The survey serves any question about its profile. */
static bool is_outdated(void *ctx, const void *before, const void *after)
{
	const struct heap_job *job = ctx;
	const struct heap_ask *was = before, *now = after;
	if (was->profile != now->profile)
		return true;
	return !atomic_load(&job->scan.surveying)
		&& (was->t0 != now->t0 || was->t1 != now->t1 || was->cols != now->cols || was->rows != now->rows
			|| was->only != now->only || strcmp(was->filter, now->filter) != 0
			|| was->against != now->against || strcmp(was->group, now->group) != 0
			|| strcmp(was->open, now->open) != 0);
}

static void drop(void *answer) { heap_answer_free(answer); }

struct heap_job *heap_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct heap_ask),
		.answer = sizeof(struct heap_answer),
		.find = find,
		.is_outdated = is_outdated,
		.parts = true,
		.drop = drop};
	struct heap_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	heap_scan_init(&job->scan, log, NULL);
	if ((job->job = job_new(&ops, job, wake, ctx)))
		return job;
	free(job);
	return NULL;
}

void heap_job_free(struct heap_job *job)
{
	if (!job)
		return;
	job_free(job->job);
	heap_scan_free(&job->scan);
	held_logs_keep(&job->held, NULL, 0);
	free(job);
}

bool heap_job_ask(struct heap_job *job, const struct heap_ask *ask, struct other_log *other, int wait_ms,
	struct heap_answer *page)
{
	if (!held_logs_add(&job->held, other))
		return false;
	job_ask(job->job, ask);
	if (!job_wait(job->job, wait_ms))
		return false;
	held_logs_keep(&job->held, &other, 1); /* all questions but the last are over */
	job_take(job->job, page);
	job_news(job->job); /* that was it */
	return true;
}

struct answer_job *heap_job_answers(const struct heap_job *job) { return job->job; }

void heap_job_progress(struct heap_job *job, uint64_t *done, uint64_t *total)
{
	*total = atomic_load(&job->scan.total);
	*done = min_u64(atomic_load(&job->scan.done), *total);
}

bool heap_job_news(struct heap_job *job) { return job_news(job->job); }

bool heap_job_busy(struct heap_job *job) { return job_busy(job->job) || job_has_news(job->job); }
