#include "table/phase_list.h"

#include <math.h>
#include <stdlib.h>

const struct table_column phase_columns[PHASE_COLUMNS] = {
#define COLUMN(id, key, title, unit, meaning) [PHASE_COLUMN_##id] = {key, title, UNIT_##unit, meaning},
#include "table/phase_columns.def"
#undef COLUMN
};

int phase_list_refs(const struct phase_list *l, uint64_t **refs, size_t *n)
{
	*n = l->phases.n;
	*refs = calloc(*n ? *n : 1, sizeof **refs);
	for (size_t i = 0; *refs && i < *n; i++)
		(*refs)[i] = i;
	return *refs ? 0 : EVL_NOMEM;
}

static struct table_cell known(bool is_known, uint64_t value)
{
	return (struct table_cell){.known = is_known, .number = (double)value};
}

static struct table_cell cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct phase_list *l = ctx;
	const struct phase *p = &l->phases.items[ref];
	const uint64_t *tags = l->log->event_counts.tags.n;
	bool sched = tags[EVL_RUN_THREAD] > 0, gc = tags[EVL_GC_START] > 0;
	struct evl_str name = phase_name(l->log, p);
	(void)scratch;
	switch ((enum phase_list_column)column) {
	case PHASE_COLUMN_NAME: return (struct table_cell){.known = name.p, .text = name};
	case PHASE_COLUMN_FROM: return known(true, p->from);
	case PHASE_COLUMN_TO: return known(true, p->to);
	case PHASE_COLUMN_TOTAL: return known(true, p->to - p->from);
	case PHASE_COLUMN_MUTATOR: return known(sched, p->mutator);
	case PHASE_COLUMN_GC: return known(gc, p->gc);
	case PHASE_COLUMN_SYNC: return known(gc, p->sync);
	case PHASE_COLUMN_IDLE: return known(sched && gc, p->idle);
	case PHASE_COLUMN_RUN: return known(sched, p->run);
	case PHASE_COLUMN_GC_N: return known(gc, p->gc_n);
	case PHASE_COLUMN_MAX_PAUSE: return known(gc, p->max_pause);
	case PHASE_COLUMN_ALLOCATED: return known(l->log->heap.has_allocated, p->allocated);
	default: return (struct table_cell){.known = sched, .number = phase_caps_busy(p)};
	}
}

const struct table_kind phase_list_kind = {"phases", phase_columns, PHASE_COLUMNS, cell};
