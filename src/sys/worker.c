#include "sys/worker.h"

#include "sys/clock.h"
#include "sys/system.h"

#include <signal.h>
#include <unistd.h>

bool worker_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !failed;
}

void worker_low_priority(void)
{
	enum { HUMBLE = 10 };
	sys_thread_nice(HUMBLE);
}

int workers_for(int asked)
{
	long n = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > WORKERS_MOST ? WORKERS_MOST : (int)n;
}

static _Thread_local int64_t helped_ms; /* processor time of other threads that worked for this one */

int64_t worker_cpu_ms(void) { return clock_thread_ms() + helped_ms; }
void worker_helped(int64_t cpu_ms) { helped_ms += cpu_ms; }

struct shared_work {
	void *(*run)(void *);
	void *arg;
	_Atomic int64_t cpu_ms; /* of all threads but the first */
};

static void *help(void *arg)
{
	struct shared_work *w = arg;
	w->run(w->arg);
	atomic_fetch_add(&w->cpu_ms, worker_cpu_ms());
	return NULL;
}

void workers_share(int n, void *(*run)(void *), void *arg)
{
	pthread_t others[WORKERS_MOST];
	struct shared_work work = {run, arg, 0};
	int started = 0;
	while (started + 1 < n && started < WORKERS_MOST && worker_start(&others[started], help, &work))
		started++;
	run(arg);
	for (int i = 0; i < started; i++)
		pthread_join(others[i], NULL);
	worker_helped(atomic_load(&work.cpu_ms));
}

/* The steps that no worker has taken. */
struct steps {
	worker_step *const *items;
	int n;
	void *arg;
	_Atomic int taken, result;
};

static void *take_steps(void *arg)
{
	struct steps *s = arg;
	int result = 0;
	for (int i; atomic_load(&s->result) == 0 && (i = atomic_fetch_add(&s->taken, 1)) < s->n;)
		if ((result = s->items[i](s->arg)))
			atomic_store(&s->result, result);
	return NULL;
}

int workers_do(int n, worker_step *const *steps, int n_steps, void *arg)
{
	struct steps s = {steps, n_steps, arg, 0, 0};
	workers_share(n < n_steps ? n : n_steps, take_steps, &s);
	return atomic_load(&s.result);
}

bool worker_cond_init(pthread_cond_t *changed)
{
	pthread_condattr_t attr;
	if (pthread_condattr_init(&attr))
		return false;
	bool good = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0 && pthread_cond_init(changed, &attr) == 0;
	pthread_condattr_destroy(&attr);
	return good;
}

bool worker_open(struct worker *w, void *(*run)(void *), void *arg)
{
	w->quit = false;
	atomic_init(&w->cancel, false);
	if (!worker_cond_init(&w->changed))
		return false;
	if (pthread_mutex_init(&w->lock, NULL) == 0) {
		if (worker_start(&w->thread, run, arg))
			return true;
		pthread_mutex_destroy(&w->lock);
	}
	pthread_cond_destroy(&w->changed);
	return false;
}

void worker_close(struct worker *w)
{
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	atomic_store(&w->cancel, true);
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->changed);
}

struct timespec worker_until(int ms)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += (long)(ms > 0 ? ms : 0) * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}
