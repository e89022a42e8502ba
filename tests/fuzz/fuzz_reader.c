/* A whole log: opened, indexed, shown, counted. The events that are shown are those that were counted,
 * in order. */
#include "fuzz.h"

#include "log/log.h"
#include "report/figures.h"
#include "report/stats_json.h"
#include "show/show.h"
#include "table/gc_table.h"
#include "table/thread_table.h"

enum { MOST_ROWS = 64 }; /* of a table */

static bool count_bytes(void *ctx, const char *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)ctx += len;
	return true;
}

static void check_show(const struct evl_log *log, bool json)
{
	struct show_options options = {.json = json, .printable = !json, .want = MERGE_ALL};
	size_t shown = 0;
	check(show(&log->header, log->source.data, log->source.len, &options, count_bytes, &shown) == 0);
}

static void check_order(const struct evl_log *log)
{
	struct event_merge m;
	struct frame f, last = {0};
	const struct block *block;
	uint64_t shown = 0, counted = 0;
	check(event_merge_begin(&m, &log->blocks, &MERGE_ALL) == 0);
	for (; event_merge_next(&m, &f, &block); shown++, last = f) {
		check(f.t > last.t || (f.t == last.t && f.off > last.off));
		check(f.off >= block->off && f.next <= block->off + block->len);
	}
	check(!m.failed);
	event_merge_end(&m);
	for (unsigned tag = 0; tag < log->event_counts.tags.end; tag++)
		counted += log->event_counts.tags.n[tag];
	check(shown == counted);
}

static void check_stats(const struct evl_log *log, uint64_t from, uint64_t to)
{
	struct figures f;
	struct findings findings;
	struct buf out = {0};
	check(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to, .deep = true}) == 0);
	const struct time_split *t = &f.stats.time;
	check(t->mutator + t->gc + t->sync + t->idle == t->total);
	findings_make(&findings, log, &f);
	stats_json(log, &f, &findings, &out);
	check(!out.failed && out.len > 0);
	buf_free(&out);
	figures_free(&f);
}

/* Every cell of the tables, in the order of a column that is decoded. */
static void check_table(const struct table_kind *kind, void *ctx, uint64_t *refs, size_t n)
{
	struct table_rows rows;
	struct buf scratch = {0};
	struct table_order order = {.column = (int)(n % (size_t)kind->n_columns), .falling = n & 1};
	check(table_rows_make(&rows, kind, ctx, refs, n, &order, NULL) == 0 && rows.n == n);
	for (size_t i = 0; i < rows.n && i < MOST_ROWS; i++)
		for (int column = 0; column < kind->n_columns; column++)
			kind->cell(ctx, rows.refs[i], column, &scratch);
	buf_free(&scratch);
	table_rows_free(&rows);
}

static void check_tables(const struct evl_log *log)
{
	uint64_t *refs;
	size_t n;
	struct gc_list gcs = {.of.log = log};
	struct thread_table threads = {.of = {.log = log, .to = UINT64_MAX}};
	check(gc_table_refs(log, 0, UINT64_MAX, &refs, &n) == 0);
	check_table(&gc_table_kind, &gcs, refs, n);
	check(thread_table_kind.make(&threads, true, NULL) == 0);
	check(thread_table_kind.refs(&threads, &refs, &n) == 0);
	check_table(&thread_table_kind, &threads, refs, n);
	thread_table_kind.unmake(&threads);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct evl_log *log;
	if (evl_open_memory(&log, data, len, NULL) < 0)
		return 0;
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	check_order(log);
	check_show(log, false);
	check_show(log, true);
	check_stats(log, 0, UINT64_MAX);
	check_stats(log, 100, 1000);
	check_tables(log);
	evl_close(log);
	return 0;
}
