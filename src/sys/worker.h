/* worker.h - worker threads: start one, lower its priority, divide work among several */
#ifndef EVTUI_WORKER_H
#define EVTUI_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Start a thread with all signals blocked but SIGBUS, which is delivered to the thread that reads the mapped log.
 * Return true if it runs; the caller must join it. */
bool worker_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* Lower the priority of the calling thread, so that others get the processor first. Do nothing on systems that cannot
 * do this for a single thread. */
void worker_low_priority(void);

/* Return how many threads should share a piece of work: `asked`, or if that is 0 the number of processors; 1 to
 * WORKERS_MOST. */
enum { WORKERS_MOST = 64 };
int workers_for(int asked);

/* Call run(arg) on n threads at once, including this one; on fewer if not all can be created. Return when all calls
 * have returned. */
void workers_share(int n, void *(*run)(void *), void *arg);

/* Return the processor time, in ms, of the calling thread and of threads that worked for it in workers_share. worker_helped: add that
 * of a thread that the caller started otherwise, and that has ended. */
int64_t worker_cpu_ms(void);
void worker_helped(int64_t cpu_ms);

/* Call each function of a table once with arg, on up to n threads, this one included. Return a result that is not 0, after which no
 * more calls begin, or 0. */
typedef int worker_step(void *arg);
int workers_do(int n, worker_step *const *steps, int n_steps, void *arg);

/* A worker thread and the state shared with its owner. The lock guards `quit` and all other shared data; `changed`
 * is signalled on every change, by either side. */
struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	atomic_bool cancel; /* set to cancel the present task */
	bool quit;
};

/* Start the thread. Return false on failure, then there is nothing to close. */
bool worker_open(struct worker *w, void *(*run)(void *), void *arg);

/* Cancel the present task, set quit, and wait for the thread to end. */
void worker_close(struct worker *w);

/* Initialize a condition variable whose timed waits do not depend on the wall clock; their deadlines come from
 * worker_until. Return false on failure. */
bool worker_cond_init(pthread_cond_t *changed);

/* Return the deadline, ms milliseconds from now, for a timed wait on `changed`. */
struct timespec worker_until(int ms);

#endif
