/* plot.h - cache of everything the timeline shows for the current window, per column; filled once per window.
 *
 * Lanes draw from here: moving the cursor redraws without a query. */
#ifndef EVTUI_PLOT_H
#define EVTUI_PLOT_H

#include "sched/cap_shares.h"
#include "state/model.h"

/* Activity of all capabilities together in a column. */
struct plot_busy {
	uint64_t run_ns, gc_ns; /* sums over them */
	bool known;             /* of all of them */
};

struct plot_gap {
	size_t n;
	uint64_t longest;
};

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

/* Activity of several capabilities together in a column. */
struct plot_group {
	uint64_t run_ns, gc_ns;
	uint32_t alive; /* capabilities */
	bool known;     /* of all of them */
};

struct lanes;
struct prof_job;
struct bands_job;

struct plot {
	const struct model *model;
	struct lanes *lanes;     /* where the columns of threads come from; the timeline sets it */
	struct prof_job *prof;   /* where the samples of the time profile come from; likewise */
	struct bands_job *bands; /* where the bands of the heap profile come from; likewise */
	uint64_t t0, t1, walked; /* of what is kept: the window, and how much of the log was indexed */
	int cols;
	bool done;
	uint64_t fetched;          /* evl_progress.fetched: what came from the disk since may fill gaps */
	struct gc_sum *gc;         /* a column: the pauses that touch it */
	struct gc_sum gc_all;      /* of the whole window */
	struct cap_shares_gcs gcs; /* the same as the columns of capabilities are made from */
	struct cap_column **caps;  /* a lane: its columns, NULL until asked for */
	struct plot *before;       /* the plot of the window before, if it had columns of this one; NULL: it had none */
	int shift;                 /* column i is column i + shift of it */
	size_t n_caps, n_kept;     /* lanes; those that have columns */
	size_t a_group;            /* capabilities; 0: none was asked for */
	void *kept[PLOT_KEPT];     /* other columns, NULL until asked for */
};

/* Make the plot fit the model's window; drop what no longer fits. Return false if memory ran out. */
bool plot_update(struct plot *p, const struct model *m);
void plot_free(struct plot *p);

/* The columns of capability lane i (an index into evl_log.lanes); NULL when memory is out. Valid until plot_update. */
const struct cap_column *plot_cap(struct plot *p, size_t i);

/* The columns of a group of capabilities, a_group each (the last has the rest): group < PLOT_GROUPS. Those of the single
 * ones, which may be thousands, are not kept. */
const struct plot_group *plot_group(struct plot *p, size_t group, size_t a_group);

/* How many of the capabilities [from, to) run on average: the sum of the shares that running has in the columns known of
 * each. Return false if all are unknown. */
bool plot_running(struct plot *p, size_t from, size_t to, double *out);

/* Likewise: curves of the heap, bytes allocated, sparks, phases of the nonmoving collector, all capabilities together,
 * and where the log was being written. */
const struct heap_column *plot_heap(struct plot *p, enum heap_curve curve);
const uint64_t *plot_allocated(struct plot *p);
const struct spark_column *plot_sparks(struct plot *p);
const struct nm_column *plot_nonmoving(struct plot *p);
const struct plot_busy *plot_busy(struct plot *p);
const struct plot_gap *plot_gaps(struct plot *p);

/* How many tasks were on a capability (its number) at any moment of a column: an array of PLOT_TASK_CAPS of them for each
 * column; UINT8_MAX: that many or more, or too many moves to tell. NULL when memory is out. */
enum { PLOT_TASK_CAPS = 256 };
const uint8_t (*plot_tasks(struct plot *p))[PLOT_TASK_CAPS];

/* User messages in each column. */
const struct message_column *plot_messages(struct plot *p);

#endif
