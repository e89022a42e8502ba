#include "panes/stats/diff_job.h"

#include "report/figures.h"

#include <math.h>
#include <stdlib.h>

#include <unistd.h>

/* Unpacking is a quarter of the way, as far as it is told; reading half, the figures the rest. */
static bool is_wanted(void *ctx, uint64_t done, uint64_t total)
{
	const struct progress *watch = ctx;
	progress_tell(watch, total ? 0.25 * (double)min_u64(done, total) / (double)total : 0);
	return !progress_cancelled(watch);
}

/* Read all of it, looking now and then whether anybody still wants it. */
static int read_log(struct evl_log *log, const struct progress *watch)
{
	enum { LOOK_US = 10000 };
	int result = evl_start(log, NULL, NULL);
	for (struct evl_progress p = evl_progress(log); result == 0 && !p.done; p = evl_progress(log)) {
		progress_tell(watch, 0.25 + 0.5 * (p.total ? (double)p.bytes / (double)p.total : 0));
		if (progress_cancelled(watch))
			evl_cancel(log);
		usleep(LOOK_US);
	}
	return result < 0 ? result : evl_wait(log);
}

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

static int compare_ranges(
	const struct evl_log *log, const struct diff_range *r, const struct progress *watch, struct diff_row *rows)
{
	if (r[0].label)
		return compare_windows(log, r, watch, rows);
	const struct side a = {log, r[0].from, r[0].to}, b = {log, r[1].from, r[1].to};
	return compare(&a, &b, watch, rows);
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct diff_ask *ask = question;
	struct diff_answer *out = answer;
	struct decompress_watch unpacking = {.tell = is_wanted, .ctx = (void *)(uintptr_t)watch};
	struct evl_log *other;
	if (!ask->path[0]) {
		int result = compare_ranges(ctx, ask->ranges, watch, out->rows);
		out->made = result == 0;
		if (result < 0)
			evl_fail(&out->err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
		return;
	}
	if (evl_open_watched(&other, ask->path, &unpacking, &out->err) < 0)
		return;
	int result = read_log(other, watch);
	if (result == 0)
		result = compare(
			&(struct side){ctx, 0, UINT64_MAX}, &(struct side){other, 0, UINT64_MAX}, watch, out->rows);
	evl_close(other);
	out->made = result == 0;
	if (result < 0)
		evl_fail(&out->err, result, EVL_NO_OFFSET, "%s", evl_strerror(result));
}

struct answer_job *diff_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct diff_ask), .answer = sizeof(struct diff_answer), .find = find};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}
