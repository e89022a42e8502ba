#include "jobs/job.h"

#include "sys/clock.h"
#include "sys/worker.h"

#include <assert.h>
#include <stdlib.h>

enum { TELL_MS = 100 };

/* Everything that both threads touch is under the lock. */
struct answer_job {
	struct answer_ops ops;
	void *ctx;
	void (*wake)(void *);
	void *wake_ctx;
	struct worker worker;
	uint64_t asked, answered; /* generations */
	uint64_t finding;         /* the one that is being answered */
	bool stopped, news;
	_Atomic unsigned permille;
	_Atomic int64_t spent_ms; /* processor time of work that has ended, and that job_spent_ms has not told yet */
	atomic_bool moved;        /* something, and the screen does not know yet */
	int64_t announced_ms;     /* of the job's thread */
	void *question, *own;     /* the last; the job's copy of it */
	void *answer;             /* for the screen to take, if there is news */
	void *spare;              /* the one that is being made */
	void *latest;             /* the screen's own: the last one that job_answer took */
	bool has_latest;
};

static void drop(const struct answer_job *job, void *answer)
{
	if (job->ops.drop)
		job->ops.drop(answer);
	memset(answer, 0, job->ops.answer);
}

static void tell(void *ctx, double share)
{
	struct answer_job *job = ctx;
	store_relaxed(&job->permille, (unsigned)(share * 1000));
	int64_t now = clock_ms();
	if (now - job->announced_ms >= TELL_MS) {
		job->announced_ms = now;
		job_tell(&(struct progress){.ctx = job});
	}
}

static void wake_up(const struct answer_job *job)
{
	if (job->wake)
		job->wake(job->wake_ctx);
}

void job_tell(const struct progress *watch)
{
	struct answer_job *job = watch->ctx;
	atomic_store(&job->moved, true);
	wake_up(job);
}

/* The one that is being made is for the screen to take. Called and left with the lock held, as all that follows. */
static void put(struct answer_job *job)
{
	if (job->news && job->ops.add) {
		job->ops.add(job->answer, job->spare);
		drop(job, job->spare);
	} else {
		drop(job, job->answer);
		memcpy(job->answer, job->spare, job->ops.answer);
		memset(job->spare, 0, job->ops.answer);
	}
	job->news = true;
	atomic_store(&job->moved, true);
}

void job_publish(const struct progress *watch)
{
	struct answer_job *job = watch->ctx;
	pthread_mutex_lock(&job->worker.lock);
	assert(job->ops.parts); /* else an answer that was not taken would be lost */
	put(job);
	pthread_mutex_unlock(&job->worker.lock);
	wake_up(job);
}

static void settle(struct answer_job *job)
{
	job->answered = job->finding;
	pthread_cond_broadcast(&job->worker.changed);
}

void job_settle(const struct progress *watch)
{
	struct answer_job *job = watch->ctx;
	pthread_mutex_lock(&job->worker.lock);
	settle(job);
	pthread_mutex_unlock(&job->worker.lock);
	wake_up(job);
}

static void answer(struct answer_job *job)
{
	struct progress watch = {&job->worker.cancel, tell, job};
	job->finding = job->asked;
	memcpy(job->own, job->question, job->ops.question);
	atomic_store(&job->worker.cancel, false);
	atomic_store(&job->permille, 0);
	pthread_mutex_unlock(&job->worker.lock);
	drop(job, job->spare);
	const int64_t begun = worker_cpu_ms();
	job->ops.find(job->ctx, job->own, &watch, job->spare);
	atomic_fetch_add(&job->spent_ms, worker_cpu_ms() - begun);
	pthread_mutex_lock(&job->worker.lock);
	if (job->finding != job->asked || job->stopped)
		return; /* another one is wanted by now, or none */
	assert(job->answered <= job->finding);
	if (!job->ops.parts)
		put(job);
	else if (job->answered != job->finding)
		atomic_store(&job->moved, true);
	settle(job);
	wake_up(job);
}

static bool is_wanted(const struct answer_job *job) { return job->answered != job->asked && !job->stopped; }

static void *run(void *arg)
{
	struct answer_job *job = arg;
	pthread_mutex_lock(&job->worker.lock);
	while (!job->worker.quit) {
		if (is_wanted(job))
			answer(job);
		else
			pthread_cond_wait(&job->worker.changed, &job->worker.lock);
	}
	pthread_mutex_unlock(&job->worker.lock);
	return NULL;
}

static void free_buffers(struct answer_job *job)
{
	free_all(job->question, job->own, job->answer, job->spare, job->latest, job);
}

struct answer_job *job_new(const struct answer_ops *ops, void *ctx, void (*wake)(void *), void *wake_ctx)
{
	struct answer_job *job = !ops->close || ctx ? calloc(1, sizeof *job) : NULL;
	if (!job)
		goto failed;
	*job = (struct answer_job){.ops = *ops,
		.ctx = ctx,
		.wake = wake,
		.wake_ctx = wake_ctx,
		.question = calloc(1, ops->question),
		.own = calloc(1, ops->question),
		.answer = calloc(1, ops->answer),
		.spare = calloc(1, ops->answer),
		.latest = calloc(1, ops->answer)};
	if (job->question && job->own && job->answer && job->spare && job->latest
		&& worker_open(&job->worker, run, job))
		return job;
	free_buffers(job);
failed:
	if (ops->close && ctx)
		ops->close(ctx);
	return NULL;
}

void job_free(struct answer_job *job)
{
	if (!job)
		return;
	worker_close(&job->worker);
	drop(job, job->answer);
	drop(job, job->spare);
	drop(job, job->latest);
	if (job->ops.close)
		job->ops.close(job->ctx);
	free_buffers(job);
}

void job_ask(struct answer_job *job, const void *question)
{
	pthread_mutex_lock(&job->worker.lock);
	if (job->asked == 0 || job->stopped || memcmp(job->question, question, job->ops.question) != 0) {
		if (!job->ops.is_outdated || job->ops.is_outdated(job->ctx, job->question, question))
			atomic_store(&job->worker.cancel, true);
		memcpy(job->question, question, job->ops.question);
		job->asked++;
		job->stopped = false;
		job->news = job->news && job->ops.parts;
		pthread_cond_broadcast(&job->worker.changed);
	}
	pthread_mutex_unlock(&job->worker.lock);
}

bool job_wait(struct answer_job *job, int ms)
{
	struct timespec until = worker_until(ms);
	int result = 0;
	pthread_mutex_lock(&job->worker.lock);
	while (is_wanted(job) && result == 0)
		result = ms < 0 ? pthread_cond_wait(&job->worker.changed, &job->worker.lock)
				: pthread_cond_timedwait(&job->worker.changed, &job->worker.lock, &until);
	bool there = !is_wanted(job);
	pthread_mutex_unlock(&job->worker.lock);
	return there;
}

bool job_take(struct answer_job *job, void *answer)
{
	pthread_mutex_lock(&job->worker.lock);
	bool news = job->news;
	if (news) {
		drop(job, answer);
		memcpy(answer, job->answer, job->ops.answer);
		memset(job->answer, 0, job->ops.answer);
		job->news = false;
		if (!job->ops.parts) /* else it may be something else */
			atomic_store(&job->moved, false);
	}
	pthread_mutex_unlock(&job->worker.lock);
	return news;
}

const void *job_answer(struct answer_job *job, const void *question, int ms)
{
	if (!job)
		return NULL;
	job_ask(job, question);
	job_wait(job, ms);
	job->has_latest = job_take(job, job->latest) || job->has_latest;
	return job_latest(job);
}

bool job_asks(struct answer_job *job, const void *question)
{
	if (!job)
		return false;
	pthread_mutex_lock(&job->worker.lock);
	bool same = job->asked && memcmp(job->question, question, job->ops.question) == 0;
	pthread_mutex_unlock(&job->worker.lock);
	return same;
}

const void *job_latest(const struct answer_job *job) { return job && job->has_latest ? job->latest : NULL; }

int64_t job_spent_ms(struct answer_job *job) { return job ? atomic_exchange(&job->spent_ms, 0) : 0; }

bool job_stop(struct answer_job *job)
{
	pthread_mutex_lock(&job->worker.lock);
	bool any = is_wanted(job);
	job->stopped = job->stopped || any;
	atomic_store(&job->worker.cancel, true);
	pthread_cond_broadcast(&job->worker.changed);
	pthread_mutex_unlock(&job->worker.lock);
	return any;
}

bool job_news(struct answer_job *job) { return job && atomic_exchange(&job->moved, false); }

bool job_has_news(const struct answer_job *job) { return atomic_load(&job->moved); }

bool job_busy(struct answer_job *job)
{
	if (!job)
		return false;
	pthread_mutex_lock(&job->worker.lock);
	bool busy = is_wanted(job);
	pthread_mutex_unlock(&job->worker.lock);
	return busy;
}

double job_share(const struct answer_job *job) { return atomic_load(&job->permille) / 1000.0; }
