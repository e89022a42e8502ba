#include "range_job.h"

#include "worker.h"

#include <stdlib.h>

/* Everything that both threads touch is under the lock. */
struct range_job {
	const struct evl_log *log;
	void (*wake)(void *);
	void *wake_ctx;
	struct worker worker;
	bool news;
	uint64_t asked, answered; /* generations */
	uint64_t from, to;        /* of the last ask */
	struct range_figures figures;
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

static struct range_figures compute(struct range_job *job, uint64_t from, uint64_t to)
{
	struct range_figures out = {0};
	out.result = evl_stats_until(job->log, from, to, &job->worker.cancel, &out.stats);
	if (out.result == 0)
		count(job->log, from, to, &job->worker.cancel, &out);
	return out;
}

static void *run(void *arg)
{
	struct range_job *job = arg;
	pthread_mutex_lock(&job->worker.lock);
	while (!job->worker.quit) {
		if (job->answered == job->asked) {
			pthread_cond_wait(&job->worker.changed, &job->worker.lock);
			continue;
		}
		uint64_t generation = job->asked, from = job->from, to = job->to;
		atomic_store(&job->worker.cancel, false);
		pthread_mutex_unlock(&job->worker.lock);
		struct range_figures figures = compute(job, from, to);
		pthread_mutex_lock(&job->worker.lock);
		if (generation != job->asked)
			continue; /* somebody wants another one by now */
		job->figures = figures;
		job->answered = generation;
		job->news = true;
		pthread_cond_broadcast(&job->worker.changed);
		job->wake(job->wake_ctx);
	}
	pthread_mutex_unlock(&job->worker.lock);
	return NULL;
}

struct range_job *range_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	struct range_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->log = log;
	job->wake = wake;
	job->wake_ctx = ctx;
	if (worker_open(&job->worker, run, job))
		return job;
	free(job);
	return NULL;
}

void range_job_free(struct range_job *job)
{
	if (!job)
		return;
	worker_close(&job->worker);
	free(job);
}

static void ask(struct range_job *job, uint64_t from, uint64_t to)
{
	if (job->asked && job->from == from && job->to == to)
		return;
	job->from = from;
	job->to = to;
	job->asked++;
	atomic_store(&job->worker.cancel, true);
	pthread_cond_broadcast(&job->worker.changed);
}

bool range_job_get(struct range_job *job, uint64_t from, uint64_t to, int wait_ms, struct range_figures *out)
{
	struct timespec until = worker_until(wait_ms);
	int result = 0;
	pthread_mutex_lock(&job->worker.lock);
	ask(job, from, to);
	while (job->answered != job->asked && result == 0)
		result = wait_ms < 0 ? pthread_cond_wait(&job->worker.changed, &job->worker.lock)
				     : pthread_cond_timedwait(&job->worker.changed, &job->worker.lock, &until);
	bool there = job->answered == job->asked;
	if (there) {
		*out = job->figures;
		job->news = false;
	}
	pthread_mutex_unlock(&job->worker.lock);
	return there;
}

bool range_job_news(struct range_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool news = job->news;
	pthread_mutex_unlock(&job->worker.lock);
	return news;
}

bool range_job_busy(struct range_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool busy = job->answered != job->asked;
	pthread_mutex_unlock(&job->worker.lock);
	return busy;
}
