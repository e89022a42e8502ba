#include "panes/stats/diff_job.h"

#include <stdlib.h>

enum { NAMES = 100 }; /* of a group, those that differ most */

/* The logs that are compared. */
struct logs {
	const struct evl_log *log, *other;
};

void diff_answer_free(struct diff_answer *a)
{
	diff_list_free(&a->list);
	*a = (struct diff_answer){0};
}

/* --- the job ------------------------------------------------------------------------------------------------------- */

/* Compare the metrics that the index has. */
static int compare_at_once(const struct diff_side sides[2], const struct progress *watch, struct diff_answer *out)
{
	struct figures *f = calloc(2, sizeof *f);
	struct diff_row *rows = malloc(METRICS * sizeof *rows);
	const struct progress silent = {.cancel = watch->cancel};
	int result = f && rows ? 0 : EVL_NOMEM;
	for (int i = 0; i < 2 && result == 0; i++)
		result = figures_make(&f[i], sides[i].log,
			&(struct figures_ask){.from = sides[i].from, .to = sides[i].to, .watch = &silent});
	if (result == 0) {
		diff_make(rows, f, sides);
		result = diff_list_make(&out->list, rows, NULL, 0);
	}
	for (int i = 0; f && i < 2; i++)
		figures_free(&f[i]);
	free_all(rows, f);
	return result;
}

static int compare(const struct diff_side sides[2], const struct progress *watch, struct diff_answer *out)
{
	struct difference *d = malloc(sizeof *d);
	int result = d ? difference_make(d, sides, 0, true, watch) : EVL_NOMEM;
	if (result == 0) {
		result = diff_list_make(&out->list, d->rows, d, NAMES);
		difference_free(d);
	}
	free(d);
	return result;
}

static void end(struct diff_answer *out, int result)
{
	out->made = result == 0;
	if (result < 0)
		evl_fail(&out->err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct logs *logs = ctx;
	const struct diff_ask *ask = question;
	struct diff_answer *out = answer;
	struct diff_side sides[2];
	for (int i = 0; i < 2; i++) {
		const struct diff_range *r = &ask->ranges[i];
		sides[i] = (struct diff_side){r->other ? logs->other : logs->log, r->from, r->to, r->label};
	}
	if (!sides[0].label && !sides[1].label && compare_at_once(sides, watch, out) == 0) {
		end(out, 0);
		job_publish(watch);
	}
	diff_answer_free(out);
	end(out, compare(sides, watch, out));
	if (!progress_cancelled(watch))
		job_publish(watch);
}

static void drop(void *answer) { diff_answer_free(answer); }

struct answer_job *diff_job_new(
	const struct evl_log *log, const struct evl_log *other, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct diff_ask),
		.answer = sizeof(struct diff_answer),
		.find = find,
		.parts = true,
		.drop = drop,
		.close = free};
	struct logs *logs = malloc(sizeof *logs);
	if (logs)
		*logs = (struct logs){log, other};
	return job_new(&ops, logs, wake, wake_ctx);
}
