#include "jobs/path_job.h"

#include "base/gallop.h"
#include "query/path.h"

#include <stdlib.h>

enum { FIRST_MS = 300, SEGMENTS = 1 << 14, NEAR = 1 << 12 };

struct job {
	const struct evl_log *log;
	struct path whole; /* of `of`, to its start; ownership of its columns has passed on */
	struct path_subject of;
	struct path_window *windows; /* of a label */
	size_t n_windows;
	bool made;
};

static void close_job(void *ctx)
{
	struct job *j = ctx;
	path_free(&j->whole);
	free_all(j->windows, j);
}

/* The sums of a path, without what it holds. */
static struct path sums_of(const struct path *p)
{
	struct path sums = *p;
	sums.segments = NULL;
	sums.threads = NULL;
	sums.columns = NULL;
	sums.n_segments = sums.n_threads = 0;
	return sums;
}

static struct path_ask window_of(const struct path_cols_ask *q)
{
	return (struct path_ask){.from = q->of.from,
		.to = q->of.to,
		.thread = (uint32_t)q->of.thread,
		.t0 = q->t0,
		.t1 = q->t1,
		.cols = (int)q->cols};
}

/* All of the path, with the columns of the window. */
static int follow_all(struct job *j, const struct path_cols_ask *q, const struct progress *watch, struct path_cols *out)
{
	struct path_ask ask = window_of(q);
	ask.segments = SEGMENTS;
	ask.ms = q->depth < PATH_DEEPEST ? (uint32_t)FIRST_MS << 2 * q->depth : 0;
	path_free(&j->whole);
	free(j->windows);
	j->windows = NULL;
	j->n_windows = 0;
	j->of = q->of;
	j->made = false;
	int result = 0;
	if (q->of.label)
		result = path_windows_find(j->log, q->of.label, q->of.from, q->of.to, &j->windows, &j->n_windows);
	if (result == 0)
		result = q->of.label ? path_over(&j->whole, j->log, &ask, j->windows, j->n_windows, watch)
				     : path_make(&j->whole, j->log, &ask, watch);
	if (result < 0)
		return result;
	j->made = j->whole.proved;
	out->path = sums_of(&j->whole);
	out->path.columns = j->whole.columns;
	j->whole.columns = NULL;
	out->exact = (struct time_window){j->whole.reached, j->whole.to + 1};
	return 0;
}

/* The columns of a window of a path that is known. */
static int enter(struct job *j, const struct path_cols_ask *q, const struct progress *watch, struct path_cols *out)
{
	struct path_ask ask = window_of(q);
	struct path part;
	size_t first = 0, last = j->n_windows;
	ask.segments = NEAR;
	while (first < last && j->windows[first].to <= q->t0)
		first++;
	while (last > first && j->windows[last - 1].from >= q->t1)
		last--;
	if (!q->of.label) {
		ask.from = max_u64(j->whole.from, q->t0);
		path_enter(&j->whole, q->t1, &ask.to, &ask.thread);
	}
	int result = q->of.label ? path_over(&part, j->log, &ask, j->windows + first, last - first, watch)
				 : path_make(&part, j->log, &ask, watch);
	if (result < 0)
		return result;
	out->path = sums_of(&j->whole);
	out->path.columns = part.columns;
	out->path.segments = part.segments;
	out->path.n_segments = part.n_segments;
	out->exact = (struct time_window){q->t0 + 1, q->t1};
	part.columns = NULL;
	part.segments = NULL;
	path_free(&part);
	return 0;
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct job *j = ctx;
	const struct path_cols_ask *q = question;
	struct path_cols *out = answer;
	bool known = j->made && memcmp(&j->of, &q->of, sizeof j->of) == 0;
	out->ask = *q;
	out->result = (known ? enter : follow_all)(j, q, watch, out);
	out->made = out->result == 0;
	if (out->made && j->whole.n_segments) {
		out->far = malloc(j->whole.n_segments * sizeof *out->far);
		out->n_far = out->far ? j->whole.n_segments : 0;
		if (out->far)
			memcpy(out->far, j->whole.segments, out->n_far * sizeof *out->far);
	}
	if (out->made && !out->path.columns) /* the path is not in this window: zeros */
		out->path.columns = calloc(q->cols, sizeof *out->path.columns);
}

static void drop(void *answer)
{
	struct path_cols *a = answer;
	path_free(&a->path);
	free(a->far);
}

struct answer_job *path_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct path_cols_ask),
		.answer = sizeof(struct path_cols),
		.find = find,
		.drop = drop,
		.close = close_job};
	struct job *j = calloc(1, sizeof *j);
	if (j)
		j->log = log;
	return job_new(&ops, j, wake, wake_ctx);
}

bool path_cols_more(const struct path_cols *a)
{
	return a->made && a->path.found && !a->path.proved && a->ask.depth < PATH_DEEPEST;
}

/* The last segment that starts before t, or at it; SIZE_MAX: none does. */
static size_t last_from(const struct path_segment *s, size_t n, uint64_t t)
{
	BISECT(low, n, s[mid].from <= t);
	return low ? low - 1 : SIZE_MAX;
}

/* The edge next to t among segments that need not touch each other. */
static bool edge(const struct path_segment *s, size_t n, uint64_t t, bool forward, uint64_t *out)
{
	size_t i = last_from(s, n, forward ? t : t - 1);
	if (forward) {
		bool within = i != SIZE_MAX && s[i].to > t;
		size_t next = i == SIZE_MAX ? 0 : i + 1;
		if (!within && next >= n)
			return false;
		*out = within ? s[i].to : s[next].from;
		return true;
	}
	if (i == SIZE_MAX)
		return false;
	*out = s[i].to < t ? s[i].to : s[i].from;
	return true;
}

bool path_cols_edge(const struct path_cols *a, uint64_t t, bool forward, uint64_t *out)
{
	const struct path *p = &a->path;
	if (!a->made || (!forward && t == 0))
		return false;
	if (edge(p->segments, p->n_segments, t, forward, out) && *out >= a->exact.from && *out < a->exact.to)
		return true;
	return edge(a->far, a->n_far, t, forward, out);
}

const struct path_segment *path_cols_at(const struct path_cols *a, uint64_t t)
{
	size_t i = a->made ? last_from(a->far, a->n_far, t) : SIZE_MAX;
	if (i != SIZE_MAX && a->far[i].to > t) /* one that is listed there is whole */
		return &a->far[i];
	i = a->made ? last_from(a->path.segments, a->path.n_segments, t) : SIZE_MAX;
	return i != SIZE_MAX && a->path.segments[i].to > t ? &a->path.segments[i] : NULL;
}
