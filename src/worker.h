#ifndef EVTUI_WORKER_H
#define EVTUI_WORKER_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that gets no signal: those are the business of the program's own threads. Only SIGBUS stays, which
 * belongs to the thread that reads the map. True if it runs; then the caller joins it. */
bool worker_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif
