#include "panes/stats/stats_job.h"

#include "report/figures.h"
#include "sys/system.h"

#include <stdlib.h>

/* --- metrics --- */

static void find_history(const struct evl_log *log, struct stats_answer *out)
{
	const struct nm_cycles *nm = &out->figures.nonmoving;
	for (size_t i = 0; i < nm->n_sizes && i < HISTORY_SIZES; i++)
		out->history[i].n = nm_history(
			log, nm->sizes[i].block_size, out->from, out->to, out->history[i].points, HISTORY_POINTS);
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	const struct evl_log *log = ctx;
	const struct stats_ask *ask = question;
	struct stats_answer *out = answer;
	struct figures_ask want = {
		.from = ask->from, .to = ask->to, .deep = ask->deep, .watch = watch, .label = ask->label};
	out->from = ask->from;
	out->to = ask->to;
	out->label = ask->label;
	out->result = figures_make(&out->figures, log, &want);
	if (ask->deep)
		sys_heap_trim(); /* the second reading keeps states of threads, and events of each capability */
	if (out->result == 0) {
		const struct figures *f = &out->figures;
		const struct span_stats_ask spans = {
			.from = f->from, .to = f->until, .by_label = f->span_labels.n, .only = f->windows.label};
		out->result =
			span_groups_make(&out->spans, spans.by_label ? &f->span_labels : &f->spans, log, &spans, watch);
		if (out->result < 0)
			figures_free(&out->figures);
	}
	out->made = out->result == 0;
	if (!out->made)
		return;
	findings_make(&out->findings, log, &out->figures);
	findings_rank(&out->findings);
	find_history(log, out);
	stats_summary_make(&out->summary, log, &out->figures, ask->deep, watch); /* the rest is shown without it */
}

void stats_answer_free(struct stats_answer *a)
{
	if (a->made)
		figures_free(&a->figures);
	span_groups_free(&a->spans);
	a->made = false;
}

static void drop(void *answer) { stats_answer_free(answer); }

struct answer_job *stats_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct stats_ask),
		.answer = sizeof(struct stats_answer),
		.find = find,
		.drop = drop};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}

/* --- the heat strip --- */

static void find_heat(void *ctx, const void *question, UNUSED const struct progress *watch, void *answer)
{
	const struct evl_log *log = ctx;
	const struct heat_ask *ask = question;
	struct stats_heat *out = answer;
	out->of = *ask;
	out->cells = calloc(ask->n ? ask->n : 1, sizeof *out->cells);
	out->n = out->cells ? ask->n : 0;
	if (out->n)
		pause_heat(&log->gcs, ask->from, ask->to, (int)out->n, out->cells);
}

static void drop_heat(void *answer) { free(((struct stats_heat *)answer)->cells); }

struct answer_job *heat_job_new(const struct evl_log *log, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct heat_ask),
		.answer = sizeof(struct stats_heat),
		.find = find_heat,
		.drop = drop_heat};
	return job_new(&ops, (void *)(uintptr_t)log, wake, wake_ctx);
}
