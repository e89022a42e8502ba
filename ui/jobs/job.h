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
	/* On the job's thread: fill the answer, which starts as zeros. Return soon once cancelled: the answer is
	 * then dropped. ctx belongs to the job. */
	void (*find)(void *ctx, const void *question, const struct progress *watch, void *answer);
	/* Is the answer to one question of no use for the next? Then it is cancelled. Called by job_ask; NULL: always. */
	bool (*is_outdated)(void *ctx, const void *was, const void *now);
	bool parts; /* an answer comes in parts, each by job_publish, and they outlive their question; else when find returns */
	/* Add a part to those that were not taken yet; NULL: it replaces them. */
	void (*add)(void *answer, void *part);
	void (*drop)(void *answer); /* free what an answer holds; NULL: nothing */
	void (*close)(void *ctx);   /* free ctx, when the thread is over; NULL: nothing */
};

struct answer_job;

/* wake(wake_ctx) is called from the job's thread when an answer is there. NULL when memory or threads are out; then ctx
 * stays the caller's. */
struct answer_job *job_new(const struct answer_ops *ops, void *ctx, void (*wake)(void *), void *wake_ctx);

/* From find: hand over the answer as it is, and go on with zeros. Say that there is something new to see elsewhere. Say
 * that all that job_wait waits for is there; find may go on with more. */
void job_publish(const struct progress *watch);
void job_tell(const struct progress *watch);
void job_settle(const struct progress *watch);

/* Cancels and joins. NULL is allowed. */
void job_free(struct answer_job *job);

/* Ask; the same question as last time is not asked again. */
void job_ask(struct answer_job *job, const void *question);

/* Wait for the answer to the last question, at most `ms` (-1: no limit). Return true if it is there or was
 * cancelled. */
bool job_wait(struct answer_job *job, int ms);

/* The answer to the last question, if it is there and was not taken: the one that *answer held (or zeros) is dropped. */
bool job_take(struct answer_job *job, void *answer);

/* Cancel the current question; it can be asked again. Return false if there is none. */
bool job_stop(struct answer_job *job);

/* Has anything changed since the last call, or since an answer was taken: an answer came, or came on (at most ten times a
 * second)? The second one only looks. */
bool job_news(struct answer_job *job);
bool job_has_news(const struct answer_job *job);

/* Is an answer in progress; how far is it, 0…1? */
bool job_busy(struct answer_job *job);
double job_share(const struct answer_job *job);

#endif
