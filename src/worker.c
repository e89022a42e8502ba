#include "worker.h"

#include <signal.h>

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
