/* thread_job.h - background job that computes the list of threads and the columns of their lanes
 *
 * Finding the states of threads in a window takes one reading of that part of the log, so the drawing thread makes
 * requests and draws what is ready. The latest request wins: a different window, order or filter cancels the one in
 * progress; more lanes of the same window wait for it. Columns arrive from the left, as they become final. All
 * functions are called by the drawing thread. Use it only after the log is indexed.
 *
 * When a growing log is replaced by a longer one, the job goes on. While the window shows the whole run, only the new events are
 * read (thread_shares.h). All else (the list, other windows) is read again after a rest (rest.h); until then, the list stays, and
 * columns that were not settled are unknown. */
#ifndef EVTUI_THREAD_JOB_H
#define EVTUI_THREAD_JOB_H

#include "threads/thread_list.h"

enum { JOB_IDS = 512, JOB_WAIT_MS = 4 };

/* Request for a list and columns. */
struct thread_job_ask {
	struct thread_list_ask list; /* also gives the window */
	int cols;
	uint32_t ids[JOB_IDS]; /* threads whose columns are wanted, without duplicates */
	size_t n_ids;
	bool follows; /* the window moves with the end of a growing log */
	/* Set by thread_job_ask: which state of the log this is about, and for which the list was made last. */
	unsigned state, renewed;
};

struct thread_job;

/* Start the job. wake(ctx) is called from its thread when there is news. Return NULL if memory ran out or the thread
 * could not be started. */
struct thread_job *thread_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void thread_job_free(struct thread_job *job);

/* Go on with a longer state of the log. The caller may close the former one after that. Return false if memory ran out or
 * the thread could not be started: then only free the job. */
bool thread_job_go_on(struct thread_job *job, const struct evl_log *log);

/* thread_job_is_old: return whether the list was made for an earlier state of the log. thread_job_renew: let the next request make
 * it again. thread_job_spent_ms: return the processor time of what rests (rest.h) and has ended since the last call. */
bool thread_job_is_old(const struct thread_job *job);
void thread_job_renew(struct thread_job *job);
int64_t thread_job_spent_ms(struct thread_job *job);

/* Make a request. Return false, doing nothing, if it is equal to the last one. */
bool thread_job_ask(struct thread_job *job, const struct thread_job_ask *asked);

/* Wait until the requested columns are ready, at most ms milliseconds (-1: until everything is ready). Return
 * whether they are. */
bool thread_job_wait(struct thread_job *job, int ms);

/* Return whether anything new has arrived since the last call. */
bool thread_job_news(struct thread_job *job);

/* If a newer list is ready, replace and free *list, and return true. */
bool thread_job_take_list(struct thread_job *job, struct thread_list *list);

/* Return a number that tells a thread apart by colour (thread_tints.h), the same for all lists of the job. job may be NULL. */
uint32_t thread_job_tint(const struct thread_job *job, uint32_t thread);

/* Copy the columns of a lane in the window requested last, as far as they are known: of a thread, or of a group by its index in
 * the last request. Return false if none are. */
bool thread_job_columns(struct thread_job *job, uint32_t id, bool group, struct thread_column *out, int cols);

#endif
