#include "table/blocked_list.h"

#include "report/figures_json.h"

#include <stdlib.h>

const struct table_column blocked_columns[BLOCKED_COLUMNS] = {
#define COLUMN(id, key, title, unit, meaning) [BLOCKED_COLUMN_##id] = {key, title, UNIT_##unit, meaning},
#include "table/blocked_columns.def"
#undef COLUMN
};

void blocked_list_free(struct blocked_list *l)
{
	if (l->waits)
		thread_waits_free(l->waits);
	free(l->waits);
	*l = (struct blocked_list){0};
}

int blocked_list_make(
	struct blocked_list *l, const struct evl_log *log, uint64_t from, uint64_t to, const struct progress *watch)
{
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		first = last = 0;
	from = min_u64(max_u64(from, first), last);
	to = max_u64(to > last ? last + (last < UINT64_MAX) : to, from);
	*l = (struct blocked_list){.log = log, .waits = calloc(1, sizeof *l->waits)};
	int result = l->waits ? thread_waits_run(l->waits, log, from, to, UINT64_MAX, watch, NULL, NULL) : EVL_NOMEM;
	if (result < 0)
		blocked_list_free(l);
	return result;
}

int blocked_list_refs(const struct blocked_list *l, uint64_t **refs, size_t *n)
{
	*n = l->waits->n_reasons;
	*refs = calloc(*n ? *n : 1, sizeof **refs);
	for (size_t i = 0; *refs && i < *n; i++)
		(*refs)[i] = i;
	return *refs ? 0 : EVL_NOMEM;
}

static struct table_cell number(uint64_t value) { return (struct table_cell){.known = true, .number = (double)value}; }

static struct table_cell text(const char *s)
{
	return (struct table_cell){.known = true, .text = {(const uint8_t *)s, strlen(s)}};
}

/* Threads as an array of JSON; unknown where there are none. */
static struct table_cell threads(
	const struct blocked_list *l, const struct wait_who *who, size_t n, bool unknown, struct buf *scratch)
{
	struct json j = {.out = scratch};
	size_t from = scratch->len;
	figures_json_who(&j, l->log, who, n, unknown);
	if (n == 0 || scratch->failed)
		return (struct table_cell){.known = false};
	return (struct table_cell){.known = true, .text = buf_since(scratch, from)};
}

static struct table_cell cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct blocked_list *l = ctx;
	const struct wait_reason *r = &l->waits->reasons[ref];
	switch ((enum blocked_list_column)column) {
	case BLOCKED_COLUMN_REASON: return text(thread_block_name(r->reason));
	case BLOCKED_COLUMN_N: return number(r->n);
	case BLOCKED_COLUMN_TOTAL: return number(r->ns);
	case BLOCKED_COLUMN_LONGEST: return number(r->longest);
	case BLOCKED_COLUMN_LONGEST_THREAD: return number(r->longest_thread);
	case BLOCKED_COLUMN_LONGEST_AT: return number(r->longest_at);
	case BLOCKED_COLUMN_WAKERS: return threads(l, r->wakers, r->n_wakers, true, scratch);
	default: return threads(l, r->owners, r->n_owners, false, scratch);
	}
}

const struct table_kind blocked_list_kind = {"blocked", blocked_columns, BLOCKED_COLUMNS, cell};
