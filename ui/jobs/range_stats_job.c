#include "jobs/range_stats_job.h"

#include "jobs/job.h"

#include <stdlib.h>

struct question {
	uint64_t from, to;
};

struct range_stats_job {
	struct answer_job *job;
	struct range_figures figures; /* the last that were taken */
};

/* A large range is counted in halves, each of them exactly. */
static void count_messages(
	const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel, struct range_figures *out)
{
	struct message_column all = {0};
	if (atomic_load(cancel))
		return;
	messages_columns(&log->messages, &log->blocks, log->tiles, from, to, 1, &all);
	if (!all.exact && to - from > 1) {
		uint64_t middle = from + (to - from) / 2;
		count_messages(log, from, middle, cancel, out);
		count_messages(log, middle, to, cancel, out);
		return;
	}
	out->messages += all.n;
	out->about_messages |= !all.exact;
}

static void count(
	const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel, struct range_figures *out)
{
	struct point first;
	out->markers = points_in(&log->markers, from, to, &first);
	out->more_markers = atomic_load(&log->markers.more) && to > atomic_load(&log->markers.kept_until);
	count_messages(log, from, to, cancel, out);
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct evl_log *log = ctx;
	const struct question *q = question;
	struct range_figures *out = answer;
	out->result = evl_stats_until(log, q->from, q->to, watch->cancel, &out->stats);
	if (out->result == 0)
		count(log, q->from, q->to, watch->cancel, out);
}

struct range_stats_job *range_stats_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct question), .answer = sizeof(struct range_figures), .find = find};
	struct range_stats_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->job = job_new(&ops, (void *)(uintptr_t)log, wake, ctx);
	if (job->job)
		return job;
	free(job);
	return NULL;
}

void range_stats_job_free(struct range_stats_job *job)
{
	if (!job)
		return;
	job_free(job->job);
	free(job);
}

bool range_stats_job_get(
	struct range_stats_job *job, uint64_t from, uint64_t to, int wait_ms, struct range_figures *out)
{
	job_ask(job->job, &(struct question){from, to});
	if (!job_wait(job->job, wait_ms))
		return false;
	job_take(job->job, &job->figures);
	*out = job->figures;
	return true;
}

bool range_stats_job_news(struct range_stats_job *job) { return job_news(job->job); }

bool range_stats_job_busy(struct range_stats_job *job) { return job_busy(job->job); }
