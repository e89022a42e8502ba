/* heap_job.h - background job of the Heap pane
 *
 * The drawing thread makes a request with every frame and draws what is ready. The latest request wins and cancels
 * the one in progress. All functions are called by the drawing thread. Use it only after the log is indexed. */
#ifndef EVTUI_HEAP_JOB_H
#define EVTUI_HEAP_JOB_H

#include "panes/heap/heap_answer.h"

struct answer_job;
struct evl_log;
struct other_log;
struct heap_job;

/* Start the job. wake(ctx) is called from its thread when there is news. Return NULL if memory ran out or the thread
 * could not be started. */
struct heap_job *heap_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void heap_job_free(struct heap_job *job);

/* Request an answer, unless the request is equal to the last one, and wait for the answer at most wait_ms milliseconds
 * (-1: no limit). Return true if it is ready. If an answer newer than *page is ready, swap it with *page. other:
 * reference-counted owner of ask->against, or NULL if there is none; the job holds a reference while it may read that
 * log. */
bool heap_job_ask(struct heap_job *job, const struct heap_ask *ask, struct other_log *other, int wait_ms,
	struct heap_answer *page);

/* Return the job that answers (job.h). */
struct answer_job *heap_job_answers(const struct heap_job *job);

/* Get the progress of a long scan, in samples; both 0 if none is running. */
void heap_job_progress(struct heap_job *job, uint64_t *done, uint64_t *total);

/* heap_job_news: return whether an answer has arrived since the last call. heap_job_busy: return whether work is in
 * progress. */
bool heap_job_news(struct heap_job *job);
bool heap_job_busy(struct heap_job *job);

#endif
