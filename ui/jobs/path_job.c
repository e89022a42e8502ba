#include "jobs/path_job.h"

#include <stdlib.h>

enum { FIRST_MS = 300, SEGMENTS = 1 << 14 };

struct job {
	const struct evl_log *log;
	struct path whole; /* of `of`, to its start; ownership of its columns has passed on */
	struct path_subject of;
	bool made;
};

static void close_job(void *ctx)
{
	struct job *j = ctx;
	path_free(&j->whole);
	free(j);
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
	ask.ms = q->deep ? 0 : FIRST_MS;
	path_free(&j->whole);
	j->of = q->of;
	j->made = false;
	int result = path_make(&j->whole, j->log, &ask, watch);
	if (result < 0)
		return result;
	j->made = j->whole.proved;
	out->path = sums_of(&j->whole);
	out->path.columns = j->whole.columns;
	j->whole.columns = NULL;
	return 0;
}

/* The columns of a window of a path that is known. */
static int enter(struct job *j, const struct path_cols_ask *q, const struct progress *watch, struct path_cols *out)
{
	struct path_ask ask = window_of(q);
	struct path part;
	ask.from = max_u64(j->whole.from, q->t0);
	ask.segments = 1;
	path_enter(&j->whole, q->t1, &ask.to, &ask.thread);
	int result = path_make(&part, j->log, &ask, watch);
	if (result < 0)
		return result;
	out->path = sums_of(&j->whole);
	out->path.columns = part.columns;
	part.columns = NULL;
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
	if (out->made && !out->path.columns) /* the path is not in this window: zeros */
		out->path.columns = calloc(q->cols, sizeof *out->path.columns);
}

static void drop(void *answer) { path_cols_free(answer); }

struct answer_job *path_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct path_cols_ask),
		.answer = sizeof(struct path_cols),
		.find = find,
		.drop = drop,
		.close = close_job};
	struct job *j = calloc(1, sizeof *j);
	if (!j)
		return NULL;
	j->log = log;
	struct answer_job *job = job_new(&ops, j, wake, wake_ctx);
	if (!job)
		free(j);
	return job;
}

bool path_cols_more(const struct path_cols *a) { return a->made && a->path.found && !a->path.proved && !a->ask.deep; }

void path_cols_free(struct path_cols *a)
{
	path_free(&a->path);
	*a = (struct path_cols){0};
}
