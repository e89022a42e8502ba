#include "jobs/range_stats_job.h"

/* A large range is counted in halves, each of them exactly. */
static void count_messages(
	const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel, struct range_figures *out)
{
	struct message_column all = {0};
	if (atomic_load(cancel))
		return;
	messages_columns(&log->messages, &log->blocks, log->tiles, from, to, 1, &all);
	if (!all.exact && to - from > 1) {
		uint64_t middle = from + (to - from) / 2;
		count_messages(log, from, middle, cancel, out);
		count_messages(log, middle, to, cancel, out);
		return;
	}
	out->messages += all.n;
	out->about_messages |= !all.exact;
}

static void count(
	const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel, struct range_figures *out)
{
	struct point first;
	out->markers = points_in(&log->markers, from, to, &first);
	out->more_markers = atomic_load(&log->markers.more) && to > atomic_load(&log->markers.kept_until);
	count_messages(log, from, to, cancel, out);
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct evl_log *log = ctx;
	const struct range_ask *q = question;
	struct range_figures *out = answer;
	out->of = *q;
	out->result = evl_stats(log, q->from, q->to, watch->cancel, &out->stats);
	if (out->result == 0)
		count(log, q->from, q->to, watch->cancel, out);
}

struct answer_job *range_stats_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct range_ask), .answer = sizeof(struct range_figures), .find = find};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}
