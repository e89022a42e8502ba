#include "panes/stats/diff_job.h"

#include "report/figures.h"

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

static int compare(
	const struct evl_log *a, const struct evl_log *b, const struct progress *watch, struct diff_row *rows)
{
	struct figures left, right;
	const struct progress silent = {.cancel = watch->cancel};
	bool deep = figures_is_small(a, 0, UINT64_MAX) && figures_is_small(b, 0, UINT64_MAX);
	struct figures_ask ask = {.to = UINT64_MAX, .deep = deep, .watch = &silent};
	int result = figures_make(&left, a, &ask);
	if (result < 0)
		return result;
	result = figures_make(&right, b, &ask);
	if (result == 0) {
		diff_make(rows, &left, &right);
		figures_free(&right);
	}
	figures_free(&left);
	return result;
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct diff_ask *ask = question;
	struct diff_answer *out = answer;
	struct decompress_watch unpacking = {.tell = is_wanted, .ctx = (void *)(uintptr_t)watch};
	struct evl_log *other;
	if (evl_open_watched(&other, ask->path, &unpacking, &out->err) < 0)
		return;
	int result = read_log(other, watch);
	if (result == 0)
		result = compare(ctx, other, watch, out->rows);
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
