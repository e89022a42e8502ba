#include "jobs/cursor_job.h"

enum { FAR = 4 * THREAD_JUMP_TILES }; /* tiles that a search reads: 128 MB */

static void find_span(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct evl_log *log = ctx;
	const struct span_table *t = spans_table(&log->spans);
	struct span_answer *out = answer;
	out->of = *(const struct span_ask *)question;
	if (!t || out->of.span >= t->n)
		return;
	const struct span *s = &t->items[out->of.span];
	out->ns = s->end - s->start;
	out->result = span_detail_make(&out->detail, log, s, watch);
	out->made = out->result == 0;
}

struct answer_job *span_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct span_ask), .answer = sizeof(struct span_answer), .find = find_span};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}

static void find_why(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct why_answer *out = answer;
	out->of = *(const struct why_ask *)question;
	out->made = idle_why_at(&out->why, ctx, out->of.t, watch) == 0;
	if (out->made)
		idle_end_at(&out->end, ctx, (uint16_t)out->of.cap, out->of.t,
			&(struct thread_budget){.tiles = FAR, .cancel = watch->cancel});
}

struct answer_job *why_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct why_ask), .answer = sizeof(struct why_answer), .find = find_why};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}

static void find_idle(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct idle_answer *out = answer;
	struct waits w;
	out->of = *(const struct idle_ask *)question;
	int result = thread_waits_run(&w, ctx, out->of.from, out->of.to, UINT64_MAX, watch, NULL, NULL);
	out->made = result == 0 && w.idle;
	if (out->made) {
		out->is = w.idle[out->of.lane];
		out->all_threads = w.all_threads;
	}
	thread_waits_free(&w);
}

struct answer_job *idle_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct idle_ask), .answer = sizeof(struct idle_answer), .find = find_idle};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}

static void find_moment(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct moment_answer *out = answer;
	out->of = *(const struct moment_ask *)question;
	thread_look(ctx, (uint32_t)out->of.thread, out->of.t,
		&(struct thread_budget){.tiles = FAR, .cancel = watch->cancel}, &out->now);
	out->made = true;
}

struct answer_job *moment_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {
		.question = sizeof(struct moment_ask), .answer = sizeof(struct moment_answer), .find = find_moment};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}
