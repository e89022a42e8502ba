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

/* run(arg) on so many threads at once, this one among them; on fewer where there are no more to be had. Returns when all
 * have. */
void workers_share(int n, void *(*run)(void *), void *arg);

/* One such thread and what it shares with the one that it works for. `quit`, and whatever else both touch, is under the
 * lock; `changed` is told of all news, in both directions. */
struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	atomic_bool cancel; /* what is under way is wanted no more */
	bool quit;
};

/* False: it does not run, and holds nothing. */
bool worker_open(struct worker *w, void *(*run)(void *), void *arg);

/* Cancels what is under way and waits for the thread to return. */
void worker_close(struct worker *w);

/* When a wait for `changed` that begins now and lasts so long ends. */
struct timespec worker_until(int ms);

#endif
