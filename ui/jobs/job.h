/* job.h - generic background job: one thread that answers the latest question, with cancellation (struct
 * answer_ops).
 *
 * Another question cancels the one in progress. A question is a plain struct, compared byte by byte (so its padding
 * is zeroed); an answer is a struct that may hold memory. All functions but `find` are called by the one thread that
 * draws. */
#ifndef EVTUI_JOB_H
#define EVTUI_JOB_H

#include "sys/progress.h"

struct answer_ops {
	size_t question, answer; /* bytes of each */
	/* On the job's thread: fill the answer, which is zeros. Cancelled: give up soon, nobody sees it. ctx is the job's
	 * own. */
	void (*find)(void *ctx, const void *question, const struct progress *watch, void *answer);
	void (*drop)(void *answer); /* free what an answer holds; NULL: nothing */
	void (*close)(void *ctx);   /* free ctx, when the thread is over; NULL: nothing */
};

struct answer_job;

/* wake(wake_ctx) is called from the job's thread when an answer is there. NULL when memory or threads are out; then ctx
 * stays the caller's. */
struct answer_job *job_new(const struct answer_ops *ops, void *ctx, void (*wake)(void *), void *wake_ctx);

/* Cancels and joins. NULL is allowed. */
void job_free(struct answer_job *job);

/* Ask; the same question as last time is not asked again. */
void job_ask(struct answer_job *job, const void *question);

/* Wait for the answer to the last question, at most so long (-1: for ever). True when it is there, or was given up. */
bool job_wait(struct answer_job *job, int ms);

/* The answer to the last question, if it is there and was not taken: the one that *answer held (or zeros) is dropped. */
bool job_take(struct answer_job *job, void *answer);

/* Give up what is under way; the same question can be asked again. False: there is nothing under way. */
bool job_stop(struct answer_job *job);

/* Is an answer there that was not taken, or did one come on (at most ten times a second, and told once); is one under way;
 * how far is it, 0…1? */
bool job_news(struct answer_job *job);
bool job_busy(struct answer_job *job);
double job_share(const struct answer_job *job);

#endif
