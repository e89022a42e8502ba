/* path_job.h - background job that computes the critical path for the columns of a window
 *
 * The first question about a path follows all of it and keeps its longest segments. Other windows of the same path
 * start from the nearest of these, so the cost of a pan or zoom depends only on the window. If following all of a path
 * takes long, the first answer covers only the part nearest to the end of the range. Ask again with a larger `depth`:
 * each step takes four times as long as the one before, and the last follows all of the path. Use it only after the
 * log is indexed. */
#ifndef EVTUI_PATH_JOB_H
#define EVTUI_PATH_JOB_H

#include "jobs/job.h"
#include "query/path.h"

/* The path to compute. Initialize with zeros. */
struct path_subject {
	uint64_t from, to; /* half-open, ns; 0 and UINT64_MAX: the whole run */
	uint64_t thread;   /* 0: the main thread */
	/* Hash of a span label (a name without the number of the instance): restrict the path to the time covered by
	 * these spans (span_is_of). 0: all time. */
	uint64_t label;
};

enum { PATH_DEEPEST = 3 };

/* The question. Initialize with zeros. */
struct path_cols_ask {
	struct path_subject of;
	uint64_t t0, t1, cols; /* window [t0, t1) and its number of columns */
	uint64_t depth;        /* how much of a long path to follow; PATH_DEEPEST: all of it */
};

/* The answer. */
struct path_cols {
	int result; /* 0, or EVL_NOMEM */
	bool made;  /* result is 0 and the members below are valid */
	struct path_cols_ask ask;
	/* columns: NULL if there are none. ns, from, to, hops: of the whole path, as far as known. segments: those in
	 * the window, or the longest of them if there are too many; clipped to `exact` if the path was followed from a
	 * kept segment. The list of threads is empty. */
	struct path path;
	struct time_window exact; /* edges of segments in this window are real edges of the path */
	/* The longest segments of the whole path, in time order, for parts outside of the window. */
	struct path_segment *far;
	size_t n_far;
};

/* Start the job (job.h). Return NULL if memory ran out or the thread could not be started. */
struct answer_job *path_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Return whether asking again with the next depth would give more. */
bool path_cols_more(const struct path_cols *a);

/* Find the first edge between two segments after t, or the last one before t. Return false if there is none. */
bool path_cols_edge(const struct path_cols *a, uint64_t t, bool forward, uint64_t *out);

/* Return the segment that contains t, or NULL if it is unknown. */
const struct path_segment *path_cols_at(const struct path_cols *a, uint64_t t);

#endif
