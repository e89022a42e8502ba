/* prof_job.h - background job that computes time profiles of a range, for the Profile pane and the profile lane
 *
 * The latest request wins: a different range cancels the one in progress; a different shape for the same range needs
 * no new scan. All functions are called by the drawing thread; results are valid until the next prof_job_take. Use
 * it only after the log is indexed. */
#ifndef EVTUI_PROF_JOB_H
#define EVTUI_PROF_JOB_H

#include "log/log.h"
#include "prof/prof_tree.h"
#include "prof/prof_window.h"
#include "report/whole_time.h"

/* The profile over time, in the columns of a window. */
struct prof_axis {
	uint64_t t0, t1;
	int cols;
	struct prof_lane {
		uint16_t cap;
		uint32_t *nodes; /* indexed by column: the heaviest stack; PROF_NO_NODE: no samples */
	} * lanes;
	size_t n_lanes;
	uint64_t *samples; /* indexed by column: samples on all capabilities */
	uint64_t more;     /* samples left out, because there are too many different stacks */
	bool *off;         /* indexed by column: profiling was switched off */
};

struct answer_job;
struct other_log;

/* Request for a picture. Compared byte by byte, so initialize with zeros. */
struct prof_ask {
	uint64_t from, to;          /* half-open, ns */
	int cap;                    /* PROF_ALL_CAPS: all */
	bool hide_rts, fold;        /* fold: show direct recursion as one frame */
	bool whole;                 /* show the time of threads on and off the CPU, in ns, instead of samples */
	char only[WHOLE_ONLY_TEXT]; /* filter in the syntax of whole_only_parse, padded with zeros */
	bool compares;              /* compare with [base_from, base_to), or with all of `other` */
	/* Indexed log to compare with; NULL: this log. The job holds a reference while it uses it. */
	struct other_log *other;
	uint64_t base_from, base_to;
	enum prof_shape shape;
	enum prof_order order;
	/* Name whose callers, callees and samples over time are wanted; PROF_NO_NAME: none. */
	uint32_t centre;
};

/* A profile of a range, ready to draw. */
struct prof_picture {
	struct prof_ask ask;
	uint64_t serial; /* different for each picture, from 1 */
	struct prof_tree tree;
	struct prof_names names; /* names of a tree of thread time or of two logs; n is 0 for other trees */
	uint64_t base_total;     /* samples of the base of a comparison */
	uint64_t total, hidden;  /* samples shown; samples hidden because they are in the run-time system */
	struct prof_tree callers, callees;
	uint64_t *series; /* indexed by column of the axis: samples that contain the centre; NULL: none */
	int cols;
	uint64_t t0, t1; /* window of the axis that `series` belongs to */
	bool failed;     /* memory ran out */
};

struct prof_job;

/* Start the job. wake(ctx) is called from its thread when there is news. Return NULL if memory ran out or the thread
 * could not be started. */
struct prof_job *prof_job_new(const struct evl_log *log, enum prof_source source, void (*wake)(void *), void *ctx);

/* Cancel the work, wait for the thread to end, and free the job. job may be NULL. */
void prof_job_free(struct prof_job *job);

/* Request an axis, or a picture. A request equal to the last one does nothing. */
void prof_job_ask_axis(struct prof_job *job, uint64_t t0, uint64_t t1, int cols);
void prof_job_ask(struct prof_job *job, const struct prof_ask *ask);

/* Request what `other` was asked last; its range that ends at `end`, the end of the run, ends at new_end. */
void prof_job_repeat(struct prof_job *job, const struct prof_job *other, uint64_t end, uint64_t new_end);

/* Show the last axis in another window: each column as the one that had its middle. */
void prof_job_move_axis(struct prof_job *job, uint64_t t0, uint64_t t1, int cols);

/* Wait for all requested answers, at most ms milliseconds (-1: no limit), and take those that are ready. Return
 * whether all are. */
bool prof_job_take(struct prof_job *job, int ms);

/* Do the same for the axis only. The latest picture stays valid, because it is in use elsewhere. */
bool prof_job_take_axis(struct prof_job *job, int ms);

/* prof_job_picture: return the latest picture, or NULL if there was none yet. prof_job_names: return the names for it
 * and for the axis. */
const struct prof_picture *prof_job_picture(const struct prof_job *job);
const struct prof_names *prof_job_names(const struct prof_job *job);

/* Return the axis of this window, which it was asked for or moved to, or NULL if it is not ready. */
const struct prof_axis *prof_job_axis(const struct prof_job *job, uint64_t t0, uint64_t t1, int cols);

/* Return the job that answers (job.h). */
struct answer_job *prof_job_answers(const struct prof_job *job);

/* prof_job_news: return whether an answer has not been taken yet. prof_job_busy: return whether work is in progress. */
bool prof_job_news(struct prof_job *job);
bool prof_job_busy(struct prof_job *job);

#endif
