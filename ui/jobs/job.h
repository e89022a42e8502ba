/* job.h - generic background job: one thread that answers the latest question, with cancellation
 *
 * A new question cancels the one in progress. A question is a plain struct that is compared byte by byte, so its
 * padding must be zero; an answer is a struct that may own memory. All functions are called by the drawing thread,
 * except `find` and the functions that it calls (job_publish, job_tell, job_settle), which run on the job's thread. */
#ifndef EVTUI_JOB_H
#define EVTUI_JOB_H

#include "sys/progress.h"

/* A kind of job. */
struct answer_ops {
	size_t question, answer; /* their sizes in bytes */
	/* Fill in the answer, which starts as zeros. Runs on the job's thread. Return soon after cancellation; the
	 * answer is then dropped. ctx belongs to the job. */
	void (*find)(void *ctx, const void *question, const struct progress *watch, void *answer);
	/* Return whether the answer to question `was` is useless now that `now` is asked, so that work on it is
	 * cancelled. NULL: always. */
	bool (*is_outdated)(void *ctx, const void *was, const void *now);
	/* Answers come in parts, each handed over by job_publish, and remain valid for later questions. If false,
	 * there is one answer, complete when find returns. */
	bool parts;
	/* Add a part to those not taken yet. NULL: it replaces them. */
	void (*add)(void *answer, void *part);
	void (*drop)(void *answer); /* free what an answer owns; NULL: nothing */
	void (*close)(void *ctx);   /* free ctx after the thread has ended; NULL: the job does not own it */
};

struct answer_job;

/* Start a job. wake(wake_ctx) is called from its thread when an answer is ready. Return NULL if memory ran out or the
 * thread could not be started; ctx is closed in any case. If the kind has a close function, ctx must not be NULL:
 * job_new then fails. */
struct answer_job *job_new(const struct answer_ops *ops, void *ctx, void (*wake)(void *), void *wake_ctx);

/* For `find`. job_publish: hand over the answer as it is, and reset it to zeros. job_tell: wake the drawing thread.
 * job_settle: let job_wait return, although find continues. */
void job_publish(const struct progress *watch);
void job_tell(const struct progress *watch);
void job_settle(const struct progress *watch);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void job_free(struct answer_job *job);

/* Ask a question, unless it is equal to the last one. */
void job_ask(struct answer_job *job, const void *question);

/* Wait for the answer to the last question, at most ms milliseconds (-1: no limit). Return whether it is ready or
 * was cancelled. */
bool job_wait(struct answer_job *job, int ms);

/* Take the answer to the last question, if it is ready and not taken yet: drop what *answer holds, fill it and
 * return true. */
bool job_take(struct answer_job *job, void *answer);

/* Ask a question, wait for its answer as job_wait does, and return the last answer that came, perhaps to an earlier
 * question; NULL: none yet, or job is NULL. The job owns it; the next call overwrites it. */
const void *job_answer(struct answer_job *job, const void *question, int ms);

/* Cancel the current question, which may then be asked again. Return false if there is none. */
bool job_stop(struct answer_job *job);

/* job_asks: return whether this is the last question; false if job is NULL. job_latest: return the answer that job_answer
 * returned last; NULL: none, or job is NULL. */
bool job_asks(struct answer_job *job, const void *question);
const void *job_latest(const struct answer_job *job);

/* Return the processor time, in ms, that work took which has ended since the last call; 0 if job is NULL. */
int64_t job_spent_ms(struct answer_job *job);

/* job_news: return whether an answer, or part of an answer, has come since the last call or the last job_take; progress
 * counts, too, at most ten times a second; false if job is NULL. job_has_news: the same without resetting it. */
bool job_news(struct answer_job *job);
bool job_has_news(const struct answer_job *job);

/* job_busy: return whether a question is being answered; false if job is NULL. job_share: return its progress, 0 to 1. */
bool job_busy(struct answer_job *job);
double job_share(const struct answer_job *job);

#endif
