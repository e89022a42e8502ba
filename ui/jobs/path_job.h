/* path_job.h - background job that follows the critical path for the columns of a window.
 *
 * The first question about a path follows all of it; its longest segments are kept, and other windows of the same path are
 * entered from the nearest of these, so that a pan or zoom costs what the window does. A path that takes long is first
 * told as far back as a moment reaches, and then asked again with `deep`. Only after the walk. */
#ifndef EVTUI_PATH_JOB_H
#define EVTUI_PATH_JOB_H

#include "jobs/job.h"
#include "query/path.h"

/* Which path. Made from zeros. */
struct path_subject {
	uint64_t from, to; /* 0 and UINT64_MAX: the run */
	uint64_t thread;   /* 0: the main thread */
	uint64_t label;    /* only the time that spans of this label cover (span_is_of); 0: all */
};

/* The question. Made from zeros. */
struct path_cols_ask {
	struct path_subject of;
	uint64_t t0, t1, cols, deep;
};

/* The answer; its path holds columns, sums and the segments in the window, and no threads. */
struct path_cols {
	int result; /* 0, or EVL_NOMEM */
	bool made;
	struct path_cols_ask ask;
	/* columns: NULL where there are none; ns, from, to, hops: of the whole path, as far as known; segments: those in the
	 * window, or the longest where they are too many, clipped to `exact` where the path was entered there. */
	struct path path;
	struct time_window exact; /* the edges of segments within it are edges of the path */
	struct path_segment
		*far; /* the longest of the whole path, in order of time: for what lies outside of the window */
	size_t n_far;
};

/* NULL when memory or threads are out. */
struct answer_job *path_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx);

/* Is there more to be known if the question is asked again with `deep`? */
bool path_cols_more(const struct path_cols *a);

void path_cols_free(struct path_cols *a);

/* Find the next edge between two segments after t, or the last before t. Return false if there is none. */
bool path_cols_edge(const struct path_cols *a, uint64_t t, bool forward, uint64_t *out);

/* Find the segment that covers t. Return NULL if it is not known. */
const struct path_segment *path_cols_at(const struct path_cols *a, uint64_t t);

#endif
