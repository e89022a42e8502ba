#include "table/path_table.h"

#include <stdlib.h>

static const struct table_column columns[PATH_COLUMNS] = {
#define COLUMN(id, key, title, unit, meaning) [PATH_COLUMN_##id] = {key, title, UNIT_##unit, meaning},
#include "table/path_columns.def"
#undef COLUMN
};

int path_table_refs(const struct path_table *t, uint64_t **refs, size_t *n)
{
	*n = t->path.n_segments;
	*refs = malloc((*n ? *n : 1) * sizeof **refs);
	if (!*refs)
		return EVL_NOMEM;
	for (size_t i = 0; i < *n; i++)
		(*refs)[i] = i;
	return 0;
}

static struct table_cell number(double value) { return (struct table_cell){.known = true, .number = value}; }

static struct table_cell text(struct evl_str s) { return (struct table_cell){.known = s.len, .text = s}; }

static struct table_cell cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct path_table *t = ctx;
	const struct path_segment *s = &t->path.segments[ref];
	const char *what = path_what_name((enum path_what)s->what);
	(void)scratch;
	switch ((enum path_column)column) {
	case PATH_COLUMN_FROM: return number((double)s->from);
	case PATH_COLUMN_TO: return number((double)s->to);
	case PATH_COLUMN_DURATION: return number((double)(s->to - s->from));
	case PATH_COLUMN_SHARE: return number((double)(s->to - s->from) / (double)(t->path.to - t->path.from));
	case PATH_COLUMN_WHAT: return text((struct evl_str){(const uint8_t *)what, strlen(what)});
	case PATH_COLUMN_CAP: return (struct table_cell){.known = s->what == PATH_RUN, .number = s->cap};
	case PATH_COLUMN_THREAD: return number(s->thread);
	default: return text(evl_label(t->log, s->thread));
	}
}

const struct table_kind path_table_kind = {"path", columns, PATH_COLUMNS, cell};
