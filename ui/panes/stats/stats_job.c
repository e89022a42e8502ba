#include "panes/stats/stats_job.h"

#include "report/figures.h"
#include "sched/cap_shares.h"

#include <stdlib.h>

/* --- metrics --- */

static void find_history(const struct evl_log *log, struct stats_answer *out)
{
	const struct nm_cycles *nm = &out->figures.nonmoving;
	for (size_t i = 0; i < nm->n_sizes && i < HISTORY_SIZES; i++)
		out->history[i].n = nm_history(
			log, nm->sizes[i].block_size, out->from, out->to, out->history[i].points, HISTORY_POINTS);
}

/* The collections that touch the range, in order of time; NULL if there are too many to list. */
static const struct gc_row **list_gcs(const struct evl_log *log, uint64_t from, uint64_t to, size_t *n)
{
	enum { MOST = 1 << 16 };
	const struct gc_row **rows = malloc(MOST * sizeof *rows), *row = gcs_at(&log->gcs, from);
	*n = 0;
	for (row = row ? row : gcs_after(&log->gcs, from, GC_ALL); row && gc_requested(row) < to;
		row = gcs_after(&log->gcs, row->start, GC_ALL)) {
		if (!rows || *n == MOST) {
			free(rows);
			return NULL;
		}
		rows[(*n)++] = row;
	}
	return rows;
}

/* The part of the idle time of columns in which the capability cannot run threads: at least this much, and all of it in
 * columns that an absence covers. 0 if it is less than ABSENT_LEAST. */
static uint64_t absent_ns(
	const struct cap_life *life, uint16_t cap, uint64_t from, uint64_t to, const struct cap_column *of, int cols)
{
	enum { MOST = 256 };
	struct cap_absence absent[MOST];
	uint64_t sum = 0;
	if (cap_life_absent(life, cap, from, to, absent, 1) == 0)
		return 0;
	for (int k = 0; k < cols; k++) {
		uint64_t t0 = column_edge(from, to, cols, k), t1 = column_edge(from, to, cols, k + 1), covered = 0;
		size_t n = cap_life_absent(life, cap, t0, t1, absent, MOST);
		for (size_t i = 0; i < n; i++)
			covered += min_u64(absent[i].to, t1) - max_u64(absent[i].from, t0);
		sum += sub_or_0(covered + of[k].ns[SHARE_IDLE], t1 - t0);
	}
	return (double)sum < ABSENT_LEAST * (double)(to - from) ? 0 : sum;
}

/* Sum up columns, which are exact where few events lie in each; fewer columns if there are many capabilities. */
static void find_splits(const struct evl_log *log, const struct progress *watch, struct stats_answer *out)
{
	enum { COLUMNS = 1024, ALL = 1 << 15 };
	const struct figures *f = &out->figures;
	int cols = f->n_caps ? (int)min_u64(COLUMNS, ALL / f->n_caps) : 0;
	struct cap_column *of = calloc(COLUMNS, sizeof *of);
	struct gc_sum *sums = calloc(COLUMNS, sizeof *sums);
	struct cap_split *splits = calloc(f->n_caps ? f->n_caps : 1, sizeof *splits);
	struct cap_shares_gcs gcs = {.gcs = &log->gcs, .columns = sums};
	bool good = of && sums && splits && f->to > f->from && !f->windows.label;
	if (good) {
		cap_shares_gc_columns(&log->gcs, f->from, f->to, cols, sums);
		gcs.rows = list_gcs(log, f->from, f->to, &gcs.n);
	}
	for (size_t i = 0; i < f->n_caps && good; i++) {
		uint32_t chain = log->cap_chains[i];
		uint64_t sync = 0, stopped = 0, wait = 0;
		splits[i].exact = true;
		good = !progress_cancelled(watch);
		cap_shares_columns(&log->blocks, &log->tiles[chain], chain, &gcs, f->from, f->to, cols, of);
		for (int k = 0; k < cols; k++) {
			sync += of[k].ns[SHARE_SYNC];
			stopped += of[k].ns[SHARE_STOPPED];
			wait += of[k].ns[SHARE_WAIT];
			splits[i].exact = splits[i].exact && of[k].exact;
		}
		splits[i].absent =
			(double)absent_ns(&log->cap_life, log->blocks.chains[chain].cap, f->from, f->to, of, cols)
			/ (double)(f->to - f->from);
		splits[i].sync = (double)sync / (double)(f->to - f->from);
		splits[i].wait = (double)wait / (double)(f->to - f->from);
		splits[i].stopped = (double)stopped / (double)(f->to - f->from);
	}
	if (good)
		out->splits = splits;
	else
		free(splits);
	free_all((void *)(uintptr_t)gcs.rows, sums, of);
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
	if (out->result == 0) {
		const struct figures *f = &out->figures;
		out->result = span_groups_make(&out->spans, f->span_labels.n ? &f->span_labels : &f->spans);
		if (out->result < 0)
			figures_free(&out->figures);
	}
	out->made = out->result == 0;
	if (!out->made)
		return;
	findings_make(&out->findings, log, &out->figures);
	find_history(log, out);
	find_splits(log, watch, out);
	stats_summary_make(&out->summary, log, &out->figures, out->splits, ask->deep, watch);
	if (ask->deep && !ask->label && spark_events_any(&log->sparks.events))
		out->sized = spark_sizes_make(&out->sparks, &log->blocks, log->cap_chains, log->n_caps,
				     out->figures.from, out->figures.until, watch)
			== 0;
}

void stats_answer_free(struct stats_answer *a)
{
	if (a->made)
		figures_free(&a->figures);
	span_groups_free(&a->spans);
	free(a->splits);
	a->splits = NULL;
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
