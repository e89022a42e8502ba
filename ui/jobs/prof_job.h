/* prof_job.h - background job that makes time profiles of a range, for the Profile pane and the profile lane.
 *
 * The latest request wins: another range cancels the one in progress, another shape of the same range is made
 * without a new scan. All functions are called by the one thread that draws; what they return is valid until the
 * next prof_job_take. Only after the walk. */
#ifndef EVTUI_PROF_JOB_H
#define EVTUI_PROF_JOB_H

#include "log/log.h"
#include "prof/prof_tree.h"
#include "prof/prof_window.h"
#include "report/whole_time.h"

/* Over time: the window's columns. */
struct prof_axis {
	uint64_t t0, t1;
	int cols;
	struct prof_lane {
		uint16_t cap;
		uint32_t *nodes; /* per column: its heaviest stack; PROF_NO_NODE without samples */
	} * lanes;
	size_t n_lanes;
	uint64_t *samples; /* a column: on all capabilities */
	uint64_t more;     /* samples that are not in it: too many different ones */
	bool *off;         /* a column: profiling was off */
};

struct other_log;

struct prof_ask {
	uint64_t from, to;          /* the range */
	int cap;                    /* or PROF_ALL_CAPS */
	bool hide_rts, fold;        /* fold: direct recursion as one frame */
	bool whole;                 /* the time of threads on and off the CPU, in ns */
	char only[WHOLE_ONLY_TEXT]; /* as whole_only_parse reads it; zeros after it */
	bool compares;              /* with the range [base_from, base_to), or all of another log */
	struct other_log
		*other; /* that log, indexed; NULL: this log. The job holds it as long as it reads or shows it */
	uint64_t base_from, base_to;
	enum prof_shape shape;
	enum prof_order order;
	uint32_t centre; /* the name whose callers, callees and samples over time are shown; or PROF_NO_NAME */
};

struct prof_picture {
	struct prof_ask ask;
	uint64_t serial; /* of each another one, from 1 */
	struct prof_tree tree;
	struct prof_names names; /* of a tree of whole time, or of two logs; else n = 0 */
	uint64_t base_total;     /* samples of what it is compared with */
	uint64_t total, hidden;  /* samples that are shown, and the run-time system's that are not */
	struct prof_tree callers, callees;
	uint64_t *series; /* by column of the axis: samples with the centre; NULL: there is none */
	int cols;
	uint64_t t0, t1; /* of the axis that the series belongs to */
	bool failed;     /* out of memory */
};

struct prof_job;

/* wake(ctx) is called from the job's thread when there is news. NULL when memory or threads are out. */
struct prof_job *prof_job_new(const struct evl_log *log, enum prof_source source, void (*wake)(void *), void *ctx);

/* Cancels and joins. NULL is allowed. */
void prof_job_free(struct prof_job *job);

/* Ask; the same as last time: nothing happens. */
void prof_job_ask_axis(struct prof_job *job, uint64_t t0, uint64_t t1, int cols);
void prof_job_ask(struct prof_job *job, const struct prof_ask *ask);

/* Wait for all requested answers, at most `ms` (-1: no limit), and take those that are there. Return true if all
 * are. */
bool prof_job_take(struct prof_job *job, int ms);

/* The same, without the picture: the last one is used elsewhere and stays. */
bool prof_job_take_axis(struct prof_job *job, int ms);

/* The latest; NULL: there was none yet. Names are those of the picture, and of the axis. */
const struct prof_picture *prof_job_picture(const struct prof_job *job);
const struct prof_names *prof_job_names(const struct prof_job *job);

/* NULL also where it is not the one of this window. */
const struct prof_axis *prof_job_axis(const struct prof_job *job, uint64_t t0, uint64_t t1, int cols);

/* Report whether an answer has not been taken yet, or a job is running. */
bool prof_job_news(struct prof_job *job);
bool prof_job_busy(struct prof_job *job);

#endif
