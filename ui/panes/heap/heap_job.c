#include "panes/heap/heap_job.h"

#include "panes/heap/heap_query.h"
#include "sys/worker.h"

#include <stdlib.h>

enum { TELL_MS = 100 };

/* Everything that both threads touch is under the lock. */
struct heap_job {
	struct worker worker;
	void (*wake)(void *);
	void *wake_ctx;
	struct heap_ask ask;
	uint64_t asked, answered; /* numbers of asks */
	struct heap_answer page;  /* for the screen to take */
	bool has_page, news;

	struct heap_scan scan; /* the job's own, but for its progress */
	struct heap_answer spare;
	int64_t told_ms;
};

static void tell(struct heap_job *job)
{
	job->news = true;
	pthread_cond_broadcast(&job->worker.changed);
	if (job->wake)
		job->wake(job->wake_ctx);
}

/* Something takes long: how far it is can be shown. Called without the lock. */
static void tell_of_progress(void *ctx)
{
	struct heap_job *job = ctx;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
	if (ms - job->told_ms < TELL_MS)
		return;
	job->told_ms = ms;
	pthread_mutex_lock(&job->worker.lock);
	tell(job);
	pthread_mutex_unlock(&job->worker.lock);
}

static void put_page(struct heap_job *job)
{
	struct heap_answer former = job->page;
	job->page = job->spare;
	job->spare = former;
	job->has_page = true;
}

static void *work(void *ctx)
{
	struct heap_job *job = ctx;
	pthread_mutex_lock(&job->worker.lock);
	while (!job->worker.quit) {
		if (job->answered == job->asked) {
			pthread_cond_wait(&job->worker.changed, &job->worker.lock);
			continue;
		}
		uint64_t number = job->asked;
		struct heap_ask ask = job->ask;
		atomic_store(&job->worker.cancel, false);
		pthread_mutex_unlock(&job->worker.lock);
		int result = heap_find_page(&job->scan, &ask, &job->spare);
		pthread_mutex_lock(&job->worker.lock);
		if (number != job->asked)
			continue; /* something else is asked for by now */
		if (result == 0)
			put_page(job);
		job->answered = number;
		tell(job);
	}
	pthread_mutex_unlock(&job->worker.lock);
	return NULL;
}

struct heap_job *heap_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx)
{
	struct heap_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->wake = wake;
	job->wake_ctx = ctx;
	heap_scan_init(&job->scan, log, &job->worker.cancel);
	job->scan.tell = tell_of_progress;
	job->scan.ctx = job;
	if (worker_open(&job->worker, work, job))
		return job;
	free(job);
	return NULL;
}

void heap_job_free(struct heap_job *job)
{
	if (!job)
		return;
	worker_close(&job->worker);
	heap_scan_free(&job->scan);
	heap_answer_free(&job->page);
	heap_answer_free(&job->spare);
	free(job);
}

/* Is what is under way of no use for what is asked now? The survey serves any ask of its profile. */
static bool is_outdated(const struct heap_job *job, const struct heap_ask *now)
{
	const struct heap_ask *was = &job->ask;
	if (was->profile != now->profile)
		return true;
	return !atomic_load(&job->scan.surveying)
		&& (was->t0 != now->t0 || was->t1 != now->t1 || was->cols != now->cols || was->rows != now->rows
			|| was->only != now->only || strcmp(was->filter, now->filter) != 0);
}

static void ask_for(struct heap_job *job, const struct heap_ask *ask)
{
	if (job->asked && memcmp(&job->ask, ask, sizeof *ask) == 0)
		return;
	if (is_outdated(job, ask))
		atomic_store(&job->worker.cancel, true);
	job->ask = *ask;
	job->asked++;
	pthread_cond_broadcast(&job->worker.changed);
}

bool heap_job_ask(struct heap_job *job, const struct heap_ask *ask, int wait_ms, struct heap_answer *page)
{
	struct timespec until = worker_until(wait_ms);
	int result = 0;
	pthread_mutex_lock(&job->worker.lock);
	ask_for(job, ask);
	while (job->answered != job->asked && result == 0)
		result = wait_ms < 0 ? pthread_cond_wait(&job->worker.changed, &job->worker.lock)
				     : pthread_cond_timedwait(&job->worker.changed, &job->worker.lock, &until);
	bool there = job->answered == job->asked;
	if (there && job->has_page) {
		struct heap_answer former = *page;
		*page = job->page;
		job->page = former;
		job->has_page = false;
	}
	job->news = job->news && !there;
	pthread_mutex_unlock(&job->worker.lock);
	return there;
}

void heap_job_progress(struct heap_job *job, uint64_t *done, uint64_t *total)
{
	*total = atomic_load(&job->scan.total);
	*done = min_u64(atomic_load(&job->scan.done), *total);
}

bool heap_job_news(struct heap_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool news = job->news;
	job->news = false;
	pthread_mutex_unlock(&job->worker.lock);
	return news;
}

bool heap_job_busy(struct heap_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool busy = job->answered != job->asked || job->news;
	pthread_mutex_unlock(&job->worker.lock);
	return busy;
}
