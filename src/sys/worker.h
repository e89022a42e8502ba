/* worker.h - worker threads: start, lower their priority, share a range of work among several. */
#ifndef EVTUI_WORKER_H
#define EVTUI_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

/* Starts a thread that gets no signal: those are the business of the program's own threads. Only SIGBUS stays, which
 * belongs to the thread that reads the map. True if it runs; then the caller joins it. */
bool worker_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* The calling thread has time: where processors are few, others come first. Where the system does not tell threads from
 * processes nothing happens. */
void worker_low_priority(void);

/* How many threads are to share a work: those that were asked for, else one a processor; at most WORKERS_MOST. */
enum { WORKERS_MOST = 64 };
int workers_for(int asked);

/* Run run(arg) on `n` threads at once, including this one, or on as many as can be created. Return when all have
 * returned. */
void workers_share(int n, void *(*run)(void *), void *arg);

/* One such thread and what it shares with the one that it works for. `quit`, and whatever else both touch, is under the
 * lock; `changed` is told of all news, in both directions. */
struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	atomic_bool cancel; /* the current task is cancelled */
	bool quit;
};

/* Start the thread. Return false if it cannot be started; then there is nothing to close. */
bool worker_open(struct worker *w, void *(*run)(void *), void *arg);

/* Cancel the current task and wait for the thread to return. */
void worker_close(struct worker *w);

/* Prepare a condition whose timed waits are not moved by those who set the clock: their deadlines are of worker_until. */
bool worker_cond_init(pthread_cond_t *changed);

/* Return the deadline of a wait for `changed` that starts now and lasts `ms`. */
struct timespec worker_until(int ms);

#endif
