/* event_job.h - background job of the Events pane and of text search: pages of events, filtering, counting,
 * searching.
 *
 * The screen asks and draws what is available. The latest request wins; pages come before searching, searching
 * before counting. All functions are called by the one thread that draws. Starts when the walk of the log is over:
 * earlier requests wait. */
#ifndef EVTUI_EVENT_JOB_H
#define EVTUI_EVENT_JOB_H

#include "jobs/event_search.h"

struct event_job;

/* wake(ctx) is called from the job's thread when there is news. NULL when memory or threads are out. */
struct event_job *event_job_new(const struct evl_log *log, void (*wake)(void *), void *ctx);

/* Cancels and joins. NULL is allowed. */
void event_job_free(struct event_job *job);

/* Ask for a page. */
void event_job_ask(struct event_job *job, const struct event_ask *ask);

/* Wait for the last requested page, at most `ms` (-1: no limit). Return true if it is there. */
bool event_job_wait(struct event_job *job, int ms);

/* A newer page, if there is one: it is swapped with *page. */
bool event_job_take(struct event_job *job, struct event_page *page);

/* Set the filter and the search; ownership of both passes to the job. Counting starts again. */
void event_job_filter(struct event_job *job, struct event_filter *filter);
void event_job_search(struct event_job *job, struct pattern *pattern);

/* Leave out events of the log's own making (event_scan.brief), as at first, or not. Counting starts again. */
void event_job_brief(struct event_job *job, bool brief);

/* Search for the next match from a place on or back; called again while searching that way: for the one after it, if
 * any. The result is reported once. */
void event_job_find(struct event_job *job, event_rank_key at, bool forward);
enum event_found { FOUND_NOTHING_NEW, FOUND_HIT, FOUND_NOWHERE };
enum event_found event_job_found(struct event_job *job, event_rank_key *hit);

/* The last hit as a text, "NAME details", into out[room]; "" if there was none. Return out. */
char *event_job_hit_text(struct event_job *job, char *out, size_t room);

/* Stop searching and counting. Return false if neither was running. */
bool event_job_stop(struct event_job *job);

struct event_job_state {
	bool finding, counting, stopped; /* stopped: counts are what was counted until then */
	bool filtered, searching;        /* there is a filter, a search */
	uint64_t passed, hits;
	event_rank_key hit;          /* the last that was found, */
	uint64_t place;              /* and its place among all hits, from 1 on; 0: not known (yet) */
	double share;                /* of the log that was counted */
	uint64_t rate;               /* bytes a second; 0: not known yet */
	uint64_t ticks[COUNT_TICKS]; /* hits in parts of the run */
};
void event_job_state(struct event_job *job, struct event_job_state *out);

/* Report whether there is anything new since the last call. Report whether there is, or a task is running. */
bool event_job_news(struct event_job *job);
bool event_job_busy(struct event_job *job);

#endif
