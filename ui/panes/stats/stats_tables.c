#include "panes/stats/stats_tables.h"

#include "report/absence.h"
#include "table/gc_table.h"
#include "table/path_table.h"
#include "table/phase_list.h"
#include "table/span_list.h"
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

/* --- spans --- */

struct spans_ctx {
	struct stats_range range;
	struct span_list list;
};

static void *open_spans(const void *of)
{
	struct spans_ctx *s = calloc(1, sizeof *s);
	if (s)
		s->range = *(const struct stats_range *)of;
	return s;
}

static int make_spans(void *ctx, bool deep, const struct progress *watch)
{
	struct spans_ctx *s = ctx;
	const struct stats_range *r = &s->range;
	span_list_free(&s->list);
	return span_list_make(&s->list, r->log, r->from, r->to, r->label, deep, watch);
}

static int span_refs(void *ctx, uint64_t **refs, size_t *n)
{
	const struct spans_ctx *s = ctx;
	return span_list_refs(&s->list, refs, n);
}

static void *span_cells(void *ctx)
{
	struct spans_ctx *s = ctx;
	return &s->list;
}

static void close_spans(void *ctx)
{
	struct spans_ctx *s = ctx;
	span_list_free(&s->list);
	free(s);
}

static const char *no_spans(const void *of)
{
	return absence_text(((const struct stats_range *)of)->log, ABSENCE_SPANS);
}

const struct table_source stats_spans = {.kind = &span_list_kind,
	.title = "spans",
	.none = no_spans,
	.sorted = SPAN_COLUMN_DURATION,
	.falling = true,
	.wide = SPAN_COLUMN_NAME,
	.at = SPAN_COLUMN_START,
	.deepens = "reading what their time went into",
	.open = open_spans,
	.make = make_spans,
	.refs = span_refs,
	.cells = span_cells,
	.close = close_spans};

/* --- phases --- */

struct phases_ctx {
	struct stats_range range;
	struct phase_list list;
};

static void *open_phases(const void *of)
{
	struct phases_ctx *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->range = *(const struct stats_range *)of;
	p->list.log = p->range.log;
	return p;
}

static int make_phases(void *ctx, bool deep, const struct progress *watch)
{
	struct phases_ctx *p = ctx;
	(void)deep;
	phases_free(&p->list.phases);
	return phases_make(&p->list.phases, p->range.log, p->range.from, p->range.to, watch);
}

static int phase_refs(void *ctx, uint64_t **refs, size_t *n)
{
	const struct phases_ctx *p = ctx;
	return phase_list_refs(&p->list, refs, n);
}

static void *phase_cells(void *ctx)
{
	struct phases_ctx *p = ctx;
	return &p->list;
}

static void close_phases(void *ctx)
{
	struct phases_ctx *p = ctx;
	phases_free(&p->list.phases);
	free(p);
}

static const char *no_phases(const void *of)
{
	return absence_text(((const struct stats_range *)of)->log, ABSENCE_PHASES);
}

const struct table_source stats_phases = {.kind = &phase_list_kind,
	.title = "phases",
	.none = no_phases,
	.sorted = PHASE_COLUMN_FROM,
	.wide = PHASE_COLUMN_NAME,
	.at = PHASE_COLUMN_FROM,
	.open = open_phases,
	.make = make_phases,
	.refs = phase_refs,
	.cells = phase_cells,
	.close = close_phases};
/* --- the critical path --- */

struct path_ctx {
	struct stats_range range;
	struct path_table table;
};

static void *open_path(const void *of)
{
	struct path_ctx *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->range = *(const struct stats_range *)of;
	p->table.log = p->range.log;
	return p;
}

/* At first as far back as it takes a moment to follow it, then all of it. */
static int make_path(void *ctx, bool deep, const struct progress *watch)
{
	enum { FIRST_MS = 300, SEGMENTS = 1 << 14 };
	struct path_ctx *p = ctx;
	struct path_ask ask = {.from = p->range.from,
		.to = p->range.to,
		.thread = p->range.thread,
		.segments = SEGMENTS,
		.ms = deep ? 0 : FIRST_MS};
	path_free(&p->table.path);
	return path_make(&p->table.path, p->range.log, &ask, watch);
}

static int path_refs(void *ctx, uint64_t **refs, size_t *n)
{
	const struct path_ctx *p = ctx;
	return path_table_refs(&p->table, refs, n);
}

static void *path_cells(void *ctx)
{
	struct path_ctx *p = ctx;
	return &p->table;
}

static void close_path(void *ctx)
{
	struct path_ctx *p = ctx;
	path_free(&p->table.path);
	free(p);
}

const struct table_source stats_path = {.kind = &path_table_kind,
	.title = "critical path",
	.none = no_threads,
	.sorted = PATH_COLUMN_DURATION,
	.falling = true,
	.wide = PATH_COLUMN_LABEL,
	.at = PATH_COLUMN_FROM,
	.deepens = "following the path to its start",
	.open = open_path,
	.make = make_path,
	.refs = path_refs,
	.cells = path_cells,
	.close = close_path};
