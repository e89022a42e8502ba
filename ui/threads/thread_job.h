/* thread_job.h - background job that makes the list of threads and the columns of their lanes.
 *
 * The states of threads in a window cost as much as reading the window's part of the log once, so the screen asks
 * here and draws what is available. The latest request wins. Another window, order or filter cancels the one in
 * progress; more lanes of the same window wait for it. Columns arrive as they become final, from the left. All
 * functions are called by the one thread that draws. Only after the walk. */
#ifndef EVTUI_THREAD_JOB_H
#define EVTUI_THREAD_JOB_H

#include "threads/thread_list.h"

enum { JOB_IDS = 512, JOB_WAIT_MS = 4 };

struct thread_job_ask {
	struct thread_list_ask list; /* the window too */
	int cols;
	uint32_t ids[JOB_IDS]; /* threads whose columns are wanted, each once */
	size_t n_ids;
};

struct thread_job;

/* wake(ctx) is called from the job's thread when there is news. NULL when memory or threads are out. */
struct thread_job *thread_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancels and joins. NULL is allowed. */
void thread_job_free(struct thread_job *job);

/* Ask; the same as last time: nothing happens, and false. */
bool thread_job_ask(struct thread_job *job, const struct thread_job_ask *ask);

/* Wait until the columns that were asked are there, at most so long; or until all is there (-1). True when all is. */
bool thread_job_wait(struct thread_job *job, int ms);

/* Is there anything that was not there at the last call? */
bool thread_job_news(struct thread_job *job);

/* A newer list, if there is one: it replaces *list, which is freed. */
bool thread_job_take_list(struct thread_job *job, struct thread_list *list);

/* The columns of a thread's lane in the window that was asked last, as far as they are known; false where none are. */
bool thread_job_columns(struct thread_job *job, uint32_t thread, struct thread_column *out, int cols);

/* The same for a group: its number in the last ask. */
bool thread_job_group(struct thread_job *job, uint32_t fold, struct thread_column *out, int cols);

#endif
