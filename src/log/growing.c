#include "log/growing.h"

#include "log/log_image.h"
#include "log/log_tables.h"

#include <stdlib.h>

struct growing {
	struct evl_log log; /* the settled part; its source is that of the latest snapshot */
	struct growing_index *index;
	uint64_t len; /* of that snapshot */
	bool is_odd;  /* there are no tables, and will be none */
};

struct growing *growing_new(void) { return calloc(1, sizeof(struct growing)); }

static void clear(struct growing *g)
{
	if (!g->index)
		return;
	growing_index_free(g->index);
	evl_free_tables(&g->log);
	header_free(&g->log.header);
	*g = (struct growing){0};
}

void growing_free(struct growing *g)
{
	if (g)
		clear(g);
	free(g);
}

static bool begin(struct growing *g)
{
	const struct indexer_jobs jobs = {.ctx = &g->log, .low_priority = true};
	struct evl_log *log = &g->log;
	if (header_parse(&log->header, log->source.data, log->source.len, NULL) < 0)
		return false;
	g->index = growing_index_new(&log->blocks, &log->header, &log->source, &log->tiles, &log->damage, &jobs);
	if (!g->index)
		header_free(&log->header);
	else
		program_init(&log->program);
	return g->index;
}

/* Do the tables have the same rows as those of a log of this many bytes? */
static bool is_alike(const struct evl_log *log, uint64_t len)
{
	return log->downsample_shift == downsample_shift(len, log->blocks.n_chains)
		&& log->threads.label_shift == threads_label_shift(len)
		&& log->sparks.events.step == spark_events_step(len);
}

bool growing_use(struct growing *g, struct evl_log *log)
{
	const uint64_t len = log->source.len;
	if (g->index && growing_index_state(g->index) == GROWING_ODD) {
		clear(g);
		g->is_odd = true;
	}
	if (g->is_odd)
		return false;
	bool begun = g->index && growing_index_begun(g->index);
	if (g->index
		&& (growing_index_state(g->index) == GROWING_STALE || len < g->len
			|| (begun && !is_alike(&g->log, len)))) {
		clear(g);
		begun = false;
	}
	g->log.source = log->source;
	if (!g->index && !begin(g))
		return false;
	for (int i = 0; i < PROF_SOURCES && begun; i++)
		prof_extend(&g->log.prof[i], g->len, len - g->len);
	g->len = len;
	g->log.workers = log->workers;
	log->grows = g;
	return begun;
}

bool growing_goes_on(const struct growing *g) { return g->index && growing_index_state(g->index) == GROWING_USED; }

struct growing_index *growing_index_of(struct growing *g) { return g->index; }

int growing_go_on(void *ctx, struct walk_hooks *hooks)
{
	struct evl_log *log = ctx;
	log->settled_t = growing_index_settled(log->grows->index);
	log->nested = log->grows->log.nested;
	return evl_go_on(log, &log->grows->log, hooks);
}

int growing_settle(void *ctx, struct walk_hooks *hooks)
{
	struct evl_log *log = ctx;
	log->settled_t = growing_index_settled(log->grows->index);
	log->grows->log.nested = log->nested;
	return evl_go_on(&log->grows->log, log, hooks);
}
