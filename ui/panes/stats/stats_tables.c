#include "panes/stats/stats_tables.h"

#include "report/absence.h"
#include "table/gc_table.h"
#include "table/thread_table.h"

#include <stdlib.h>

/* --- collections --- */

struct gcs_ctx {
	struct stats_range range;
	struct gc_list list;
};

static void *open_gcs(const void *of)
{
	struct gcs_ctx *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->range = *(const struct stats_range *)of;
	g->list.log = g->range.log;
	return g;
}

static int gc_refs(void *ctx, uint64_t **refs, size_t *n)
{
	const struct gcs_ctx *g = ctx;
	return gc_table_refs(g->range.log, g->range.from, g->range.to, refs, n);
}

static void *gc_cells(void *ctx)
{
	struct gcs_ctx *g = ctx;
	return &g->list;
}

static const char *no_gcs(const void *of) { return absence_text(((const struct stats_range *)of)->log, ABSENCE_GCS); }

const struct table_source stats_gcs = {.kind = &gc_table_kind,
	.title = "collections",
	.none = no_gcs,
	.sorted = GC_COLUMN_PAUSE,
	.falling = true,
	.wide = -1,
	.at = GC_COLUMN_START,
	.open = open_gcs,
	.refs = gc_refs,
	.cells = gc_cells,
	.close = free};

/* --- threads --- */

struct threads_ctx {
	struct stats_range range;
	struct thread_table table;
	bool made;
};

static void *open_threads(const void *of)
{
	struct threads_ctx *t = calloc(1, sizeof *t);
	if (t)
		t->range = *(const struct stats_range *)of;
	return t;
}

static int make_threads(void *ctx, bool deep, const struct progress *watch)
{
	struct threads_ctx *t = ctx;
	if (t->made)
		thread_table_free(&t->table);
	int result = thread_table_make(&t->table, t->range.log, t->range.from, t->range.to, deep, watch);
	t->made = result == 0;
	return result;
}

static int thread_refs(void *ctx, uint64_t **refs, size_t *n)
{
	const struct threads_ctx *t = ctx;
	return thread_table_refs(&t->table, refs, n);
}

static void *thread_cells(void *ctx)
{
	struct threads_ctx *t = ctx;
	return &t->table;
}

static void close_threads(void *ctx)
{
	struct threads_ctx *t = ctx;
	if (t->made)
		thread_table_free(&t->table);
	free(t);
}

static const char *no_threads(const void *of)
{
	return absence_text(((const struct stats_range *)of)->log, ABSENCE_THREADS);
}

const struct table_source stats_threads = {.kind = &thread_table_kind,
	.title = "threads",
	.none = no_threads,
	.sorted = THREAD_COLUMN_RUN,
	.falling = true,
	.wide = THREAD_COLUMN_LABEL,
	.at = THREAD_COLUMN_BORN,
	.deepens = "reading how threads waited",
	.open = open_threads,
	.make = make_threads,
	.refs = thread_refs,
	.cells = thread_cells,
	.close = close_threads};
