#include "panes/stats/diff_job.h"

#include "report/figures.h"

#include <math.h>
#include <stdlib.h>

/* The logs that are compared. */
struct logs {
	const struct evl_log *log, *other;
};

/* Two ranges of two logs. */
struct side {
	const struct evl_log *log;
	uint64_t from, to;
};

static int compare(const struct side *a, const struct side *b, const struct progress *watch, struct diff_row *rows)
{
	struct figures left, right;
	const struct progress silent = {.cancel = watch->cancel};
	bool deep = figures_is_small(a->log, a->from, a->to) && figures_is_small(b->log, b->from, b->to);
	int result = figures_make(
		&left, a->log, &(struct figures_ask){.from = a->from, .to = a->to, .deep = deep, .watch = &silent});
	if (result < 0)
		return result;
	result = figures_make(
		&right, b->log, &(struct figures_ask){.from = b->from, .to = b->to, .deep = deep, .watch = &silent});
	if (result == 0) {
		diff_make(rows, &left, &right);
		figures_free(&right);
	}
	figures_free(&left);
	return result;
}

/* Of both only what is known of windows. */
static int compare_windows(
	const struct evl_log *log, const struct diff_range *r, const struct progress *watch, struct diff_row *rows)
{
	struct figures *left = calloc(2, sizeof *left), *right = left ? left + 1 : NULL;
	const struct progress silent = {.cancel = watch->cancel};
	const struct figures_ask ask = {
		.from = r[1].from, .to = r[1].to, .deep = figures_is_small(log, r[1].from, r[1].to), .watch = &silent};
	const struct figures_ask windows = {
		.from = r[0].from, .to = r[0].to, .deep = ask.deep, .watch = &silent, .label = r[0].label};
	int result = left ? figures_make(left, log, &windows) : EVL_NOMEM;
	if (result == 0)
		result = figures_make(right, log, &ask);
	if (result == 0) {
		for (int m = 0; m < METRICS; m++)
			if (isnan(left->values[m]))
				right->values[m] = (double)NAN;
		diff_make(rows, left, right);
		figures_free(right);
	}
	if (left)
		figures_free(left);
	free(left);
	return result;
}

static struct side side_of(const struct logs *logs, const struct diff_range *r)
{
	return (struct side){r->other ? logs->other : logs->log, r->from, r->to};
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct logs *logs = ctx;
	const struct diff_ask *ask = question;
	struct diff_answer *out = answer;
	struct side a = side_of(logs, &ask->ranges[0]), b = side_of(logs, &ask->ranges[1]);
	int result = ask->ranges[0].label ? compare_windows(logs->log, ask->ranges, watch, out->rows)
					  : compare(&a, &b, watch, out->rows);
	out->made = result == 0;
	if (result < 0)
		evl_fail(&out->err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
}

struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct diff_ask), .answer = sizeof(struct diff_answer), .find = find, .close = free};
	struct logs *logs = malloc(sizeof *logs);
	if (!logs)
		return NULL;
	*logs = (struct logs){log, other};
	struct answer_job *job = job_new(&ops, logs, wake, wake_ctx);
	if (!job)
		free(logs);
	return job;
}
