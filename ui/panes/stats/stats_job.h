/* stats_job.h - background job that computes the metrics and the strip of pauses of the Stats pane
 *
 * The first answer takes only the index; the complete one needs another reading of the log. */
#ifndef EVTUI_STATS_JOB_H
#define EVTUI_STATS_JOB_H

#include "jobs/job.h"
#include "panes/stats/section.h"
#include "panes/stats/span_groups.h"
#include "panes/stats/stats_summary.h"

/* The question. Initialize with zeros. */
struct stats_ask {
	uint64_t from, to; /* half-open, ns; 0 and UINT64_MAX: the whole log */
	uint64_t deep;     /* not 0: compute deep figures (figures.h), too */
	uint64_t label;    /* hash of a label: only the time covered by its spans (struct figures_ask); 0: all */
};

enum { HISTORY_SIZES = 16, HISTORY_POINTS = 40 };

/* The answer: the metrics of a range, and related lists. */
struct stats_answer {
	int result;               /* 0; or EVL_NOMEM, then the rest is empty */
	bool made;                /* the other members are valid */
	uint64_t from, to, label; /* as in the question */
	struct figures figures;
	struct findings findings;
	struct stats_summary summary;
	struct span_groups spans; /* made from figures.span_labels if there are any, else from figures.spans */
	/* For each block size of the nonmoving collector, in the order of figures.nonmoving.sizes: its course. */
	struct section_history {
		size_t n;
		struct nm_point points[HISTORY_POINTS];
	} history[HISTORY_SIZES];
};

/* Start a job (job.h) with struct stats_ask as questions and struct stats_answer as answers. Return NULL if memory
 * ran out or the thread could not be started. */
struct answer_job *stats_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Free what an answer owns. */
void stats_answer_free(struct stats_answer *a);

/* A second job: questions are struct heat_ask, answers struct stats_heat (section.h). */
struct answer_job *heat_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

#endif
