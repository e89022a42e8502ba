/* stats_job.h - background job that computes the metrics and the heat strip of the Stats pane.
 *
 * First what the index knows, then what takes another pass over the log. */
#ifndef EVTUI_STATS_JOB_H
#define EVTUI_STATS_JOB_H

#include "jobs/job.h"
#include "panes/stats/section.h"
#include "panes/stats/span_groups.h"
#include "sched/spark_sizes.h"

struct stats_ask {
	uint64_t from, to; /* 0 and UINT64_MAX: the whole log */
	uint64_t deep;     /* not 0: also what takes another reading */
	uint64_t label;    /* only over the time that spans of this label cover (struct figures_ask); 0: all */
};

enum { HISTORY_SIZES = 16, HISTORY_POINTS = 40 };

/* Results of the job: the metrics of a range, and related lists. */
struct stats_answer {
	int result; /* 0, or EVL_NOMEM; else nothing is held */
	bool made;
	uint64_t from, to, label; /* that were asked for */
	struct figures figures;
	struct findings findings;
	struct span_groups spans; /* figures.span_labels, if there are any, else figures.spans */
	bool sized;               /* sparks holds the sizes: the log has their single events, and the answer is deep */
	struct spark_sizes sparks;
	struct cap_split *splits; /* of figures.caps; NULL: not known */
	struct section_history {
		size_t n;
		struct nm_point points[HISTORY_POINTS];
	} history
		[HISTORY_SIZES]; /* of the nonmoving collector's block sizes, in the order of figures.nonmoving.sizes */
};

/* Its questions are stats_ask, its answers stats_answer. NULL when memory or threads are out. */
struct answer_job *stats_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Free what an answer holds. */
void stats_answer_free(struct stats_answer *a);

/* Pauses in equal parts of [from, to): questions heat_ask, answers stats_heat. */
struct heat_ask {
	uint64_t from, to;
	uint64_t n;
};
struct answer_job *heat_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);
void stats_heat_free(struct stats_heat *heat);

#endif
