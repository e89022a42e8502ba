/* plot.h - cache of the data that the timeline shows in each column of the current window
 *
 * Lanes draw from this cache, so moving the cursor needs no query. It is filled once per window. */
#ifndef EVTUI_PLOT_H
#define EVTUI_PLOT_H

#include "sched/cap_shares.h"
#include "state/model.h"

/* Gaps in the log in a column: their number, and the longest in ns. */
struct plot_gap {
	size_t n;
	uint64_t longest;
};

/* Kinds of cached columns (plot.kept). */
enum plot_kept {
	PLOT_LIVE,
	PLOT_SIZE,
	PLOT_BLOCKS,
	PLOT_ALLOCATED,
	PLOT_SPARKS,
	PLOT_NONMOVING,
	PLOT_BUSY,
	PLOT_GAPS,
	PLOT_MESSAGES,
	PLOT_TASKS,
	PLOT_GROUP, /* followed by the other groups of capabilities */
	PLOT_GROUPS = 16,
	PLOT_KEPT = PLOT_GROUP + PLOT_GROUPS
};

/* Combined activity of a group of capabilities, or of all, in a column. */
struct plot_group {
	/* as in struct cap_column, summed over the capabilities that existed, in the unit of plot_group_width */
	uint64_t ns[CAP_SHARES];
	uint32_t alive; /* their number */
	bool known;     /* all of them are known */
};

struct lanes;
struct prof_job;
struct bands_picture;

struct plot {
	const struct model *model;
	struct lanes *lanes;               /* source of thread columns; set by the timeline */
	struct prof_job *prof;             /* source of time-profile samples; set by the timeline */
	const struct bands_picture *bands; /* heap-profile bands, perhaps of another window; set by the timeline */
	uint64_t t0, t1, walked;           /* the cached window; bytes of the log that were indexed then */
	int cols;
	bool done;                 /* the log was completely indexed */
	uint64_t fetched;          /* evl_progress.fetched at that time: data read from disk later may fill gaps */
	struct gc_sum *gc;         /* indexed by column: the pauses that touch it */
	struct gc_sum gc_all;      /* the pauses of the whole window */
	struct cap_shares_gcs gcs; /* the same data, as input of cap_shares_columns */
	struct cap_column **caps;  /* indexed by lane: columns of the capability; NULL until requested */
	struct plot *before;       /* plot of the previous window, if columns can be copied from it; NULL: none */
	int shift;                 /* column i here is column i + shift in `before` */
	size_t n_caps, n_kept;     /* length of caps; number of its elements that are filled */
	size_t a_group;            /* capabilities per group; 0: no group requested */
	void *kept[PLOT_KEPT];     /* other columns, indexed by enum plot_kept; NULL until requested */
};

/* Adapt the plot to the model's window, dropping what no longer fits. Return false if memory ran out. */
bool plot_update(struct plot *p, const struct model *m);
void plot_free(struct plot *p);

/* Return the columns of capability lane i (an index into evl_log.cap_chains), or NULL if memory ran out. Valid until
 * plot_update. */
const struct cap_column *plot_cap(struct plot *p, size_t i);

/* Return the columns of a group of a_group capabilities (the last group has fewer), group < PLOT_GROUPS; NULL if
 * memory ran out. The columns of the single capabilities, of which there may be thousands, are not kept. */
const struct plot_group *plot_group(struct plot *p, size_t group, size_t a_group);

/* Return the width of column i in the unit of sums over capabilities: ns, or as many as let all sums fit into 64 bits. */
uint64_t plot_group_width(const struct plot *p, int i);

/* Get the average number of capabilities in [from, to) that run, over the known columns. Return false if all columns
 * are unknown. */
bool plot_running(struct plot *p, size_t from, size_t to, double *out);

/* Return the columns of other data, or NULL if memory ran out: heap curves, allocation (in parts: alloc_rate.h), sparks,
 * phases of the nonmoving collector, all capabilities together, gaps in the log. */
const struct heap_column *plot_heap(struct plot *p, enum heap_curve curve);
const uint64_t *plot_allocated(struct plot *p);
const struct spark_column *plot_sparks(struct plot *p);
const struct nm_column *plot_nonmoving(struct plot *p);
const struct plot_group *plot_busy(struct plot *p, size_t a_group); /* of many: the sum of groups like these, else 0 */
const struct plot_gap *plot_gaps(struct plot *p);

/* Return the columns of tasks, or NULL if memory ran out. A column has an array of numbers: how many
 * tasks were on each of the first PLOT_TASK_CAPS capabilities at any time in the column, and on an unknown one; UINT8_MAX:
 * that many or more, or too many moves to tell. */
enum { PLOT_TASK_CAPS = 256 };
const uint8_t (*plot_tasks(struct plot *p))[PLOT_TASK_CAPS + 1];

/* Return the user messages in each column, or NULL if memory ran out. */
const struct message_column *plot_messages(struct plot *p);

#endif
