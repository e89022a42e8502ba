/* event_job.h - background job of the Events pane and of text search: pages, filtering, counting, searching
 *
 * The drawing thread makes requests and draws what is ready. The latest request wins; pages are served before
 * searching, searching before counting. All functions are called by the drawing thread. Work starts when the log is
 * indexed; earlier requests wait. */
#ifndef EVTUI_EVENT_JOB_H
#define EVTUI_EVENT_JOB_H

#include "jobs/event_search.h"

struct event_job;

/* Start the job. wake(ctx) is called from its thread when there is news. Return NULL if memory ran out or the thread
 * could not be started. */
struct event_job *event_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void event_job_free(struct event_job *job);

/* Request a page. *ask is copied. */
void event_job_ask(struct event_job *job, const struct event_ask *ask);

/* Wait for the last requested page, at most ms milliseconds (-1: no limit). Return whether it is ready. */
bool event_job_wait(struct event_job *job, int ms);

/* If a newer page is ready, swap it with *page and return true. */
bool event_job_take(struct event_job *job, struct event_page *page);

/* Set the filter, or the search pattern; an empty one (zeros) removes it. The job takes ownership of the contents and
 * resets the argument to zeros. Counting starts again; a new pattern ends a search in progress. */
void event_job_filter(struct event_job *job, struct event_filter *filter);
void event_job_search(struct event_job *job, struct pattern *pattern);

/* Set whether to leave out housekeeping events (event_scan.brief); true at first. Counting starts again. */
void event_job_brief(struct event_job *job, bool brief);

/* event_job_find: start to search for the next match after position `at`, or for the last one before it. Called again
 * during a search in the same direction, it goes one match further. event_job_found: return the result once the search
 * has ended; before that and afterwards, return FOUND_NOTHING_NEW. *hit: position of the match, for FOUND_HIT. */
void event_job_find(struct event_job *job, event_rank_key at, bool forward);
enum event_found { FOUND_NOTHING_NEW, FOUND_HIT, FOUND_NOWHERE };
enum event_found event_job_found(struct event_job *job, event_rank_key *hit);

/* Write the last match as text, "NAME details", to out[room]; "" if there was none. Return out. */
char *event_job_hit_text(struct event_job *job, char *out, size_t room);

/* Stop searching and counting. Return false if neither was running. */
bool event_job_stop(struct event_job *job);

/* Progress and results of counting and searching. */
struct event_job_state {
	bool finding, counting, stopped; /* stopped: the counts below are partial */
	bool filtered, searching;        /* a filter, or a search pattern, is set */
	uint64_t passed, hits;           /* events that pass the filter; those of them that match the search */
	event_rank_key hit;              /* position of the last match found */
	uint64_t place;                  /* its number among all matches, from 1; 0: unknown */
	double share;                    /* share of the log counted so far, 0 to 1 */
	uint64_t rate;                   /* bytes counted per second; 0: unknown yet */
	uint64_t ticks[COUNT_TICKS];     /* matches per part, for COUNT_TICKS equal parts of the run */
};
/* Get the present state. */
void event_job_state(struct event_job *job, struct event_job_state *out);

/* event_job_news: return whether anything is new since the last call. event_job_busy: return whether there is news
 * or work in progress. */
bool event_job_news(struct event_job *job);
bool event_job_busy(struct event_job *job);

#endif
