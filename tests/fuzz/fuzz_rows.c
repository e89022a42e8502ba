/* A whole log as the tables of rows.def: all rows come in the order of the table's key, and a scan of a range of it, or of a
 * capability, has every row that a scan of all has there. */
#include "fuzz.h"

#include "rows/rows.h"

enum { MOST = 2000 };

struct seen {
	size_t n;
	uint64_t sum; /* of the rows as text, in any order */
};

static bool in_range(struct rows_scan *s, const struct rows_ask *range)
{
	const struct rows_table *t = s->table;
	struct datum key = t->key < 0 ? (struct datum){0} : rows_cell(s, t->key);
	return t->key < 0 || (key.kind == CELL_COUNT && key.count >= range->low && key.count <= range->high);
}

/* The rows within `range`, of a scan that asks for `ask`. */
static struct seen scan(
	struct rows_source *source, const struct rows_table *table, struct rows_ask ask, const struct rows_ask *range)
{
	struct rows_scan s = {.table = table, .source = source, .ask = ask};
	struct seen seen = {0};
	struct buf line = {0};
	uint64_t last = 0;
	size_t n = 0;
	int result = rows_open(&s);
	while (result == 0 && n++ < MOST && (result = rows_next(&s)) > 0) {
		struct datum key = table->key < 0 ? (struct datum){0} : rows_cell(&s, table->key);
		if (key.kind == CELL_COUNT) {
			check(key.count >= last);
			last = key.count;
		}
		if (in_range(&s, range)) {
			buf_clear(&line);
			rows_csv(&line, &s, n & 1);
			rows_json(&line, &s);
			buf_clear(&line);
			rows_csv(&line, &s, false);
			check(!line.failed && line.len);
			seen.n++;
			seen.sum += fuzz_seed((const uint8_t *)line.p, line.len);
		}
		result = 0;
	}
	check(result == 0);
	rows_close(&s);
	buf_free(&line);
	seen.n = n > MOST ? SIZE_MAX : seen.n; /* not all were looked at */
	return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct evl_log *log;
	uint64_t seed = fuzz_seed(data, len);
	if (evl_open_memory(&log, data, len, NULL) < 0)
		return 0;
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	struct rows_source source = {.log = log, .to = UINT64_MAX};
	for (int i = 0; i < ROWS_TABLES; i++) {
		const struct rows_table *table = rows_table((enum rows_id)i);
		struct rows_ask range = ROWS_ALL;
		range.low = fuzz_random(&seed) % 2000;
		range.high = range.low + fuzz_random(&seed) % 2000;
		struct seen all = scan(&source, table, ROWS_ALL, &range), some = scan(&source, table, range, &range);
		check(all.n == SIZE_MAX || some.n == SIZE_MAX || (all.n == some.n && all.sum == some.sum));
	}
	rows_source_free(&source);
	evl_close(log);
	return 0;
}
