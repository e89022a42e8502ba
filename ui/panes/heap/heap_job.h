/* heap_job.h - background job of the Heap pane.
 *
 * The screen asks with every frame and draws what is available; the latest request wins and cancels the one in
 * progress. All functions are called by the one thread that draws. Only after the walk. */
#ifndef EVTUI_HEAP_JOB_H
#define EVTUI_HEAP_JOB_H

#include "panes/heap/heap_answer.h"

struct evl_log;
struct other_log;
struct heap_job;

/* wake(ctx) is called from the job's thread when there is news. NULL when memory or threads are out. */
struct heap_job *heap_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancels and joins. NULL is allowed. */
void heap_job_free(struct heap_job *job);

/* Request a page, unless it was the last request, and wait for it at most `ms` (-1: no limit). Return true if it is
 * there; a newer page is swapped with *page. other: owns ask->against, which is held as long as the job may read it; or NULL. */
bool heap_job_ask(struct heap_job *job, const struct heap_ask *ask, struct other_log *other, int wait_ms,
	struct heap_answer *page);

/* Progress of a long scan: samples done of all; 0 of 0 if there is none. */
void heap_job_progress(struct heap_job *job, uint64_t *done, uint64_t *total);

bool heap_job_news(struct heap_job *job);
bool heap_job_busy(struct heap_job *job);

#endif
