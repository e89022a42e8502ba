/* Any bytes as the events of a global block, after a few that say how to look at them: whatever there is of a heap profile
 * is shown in every way, and written out. */
#include "export/export.h"
#include "log/log.h"

#include "panes/heap/heap_query.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { LOOK = 8 };

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void put_header(struct buf *b)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	buf_lit(b, "hdrbhetb");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].until)
			continue;
		buf_lit(b, "etb\0");
		buf_be(b, rows[i].tag, 2);
		buf_be(b, rows[i].variable ? 0xffff : rows[i].size, 2);
		buf_be(b, 0, 8);
		buf_lit(b, "ete\0");
	}
	buf_lit(b, "hetehdredatb");
	buf_be(b, EVL_BLOCK_MARKER, 2);
	buf_be(b, 0, 8);
}

static bool drop(void *ctx, const char *bytes, size_t len)
{
	(void)ctx, (void)bytes, (void)len;
	return true;
}

static void check_page(const struct heap_answer *p)
{
	uint64_t sum = 0;
	if (p->samples == 0)
		return;
	check(p->n == 0 || p->cursor < p->n);
	check(p->top + p->n <= p->all);
	for (size_t i = 0; i < p->n_knots; i++) {
		sum = 0;
		for (int k = 0; k < CENSUS_SLOTS; k++)
			sum = add_or_max(sum, p->knots[i].parts[k]);
		check(sum >= p->knots[i].total || p->knots[i].total == UINT64_MAX || p->slots.alone);
	}
	check(p->n_facts >= 0 && p->n_facts <= HEAP_FACTS);
}

static void look(const struct evl_log *log, const uint8_t *how)
{
	struct heap_scan scan;
	struct heap_answer page = {0};
	struct heap_ask ask;
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		return;
	heap_scan_init(&scan, log, NULL);
	for (int i = 0; i < 4; i++) {
		memset(&ask, 0, sizeof ask);
		ask = (struct heap_ask){.t0 = first,
			.t1 = last + 1,
			.first = first,
			.last = last,
			.cursor = first + (last - first) / 255 * how[0],
			.range_from = first,
			.range_to = last + 1,
			.cols = 1 + how[1] % 64u,
			.rows = how[2] % 32u,
			.profile = how[3] % 3u,
			.only = how[4] & 1 ? how[5] : BANDS_REST,
			.mode = (uint32_t)i % 3,
			.sort = how[6] % HEAP_SORT_COUNT,
			.at = how[5],
			.move = i - 2,
			.room = 5,
			.compares = how[7] & 1,
			.other = last};
		if (how[7] & 2)
			memcpy(ask.filter, "!a \\v^[0-9]", 12);
		check(heap_find_page(&scan, &ask, &page) == 0);
		check_page(&page);
	}
	heap_answer_free(&page);
	heap_scan_free(&scan);
}

static void write_out(const struct evl_log *log)
{
	struct export hp = {.log = log, .to = UINT64_MAX, .put = drop}, csv = hp;
	csv.table = "census";
	check(export_run(export_find("hp"), &hp) == 0);
	check(export_run(export_find("csv"), &csv) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct buf bytes = {0};
	struct evl_log *log;
	if (len < LOOK)
		return 0;
	put_header(&bytes);
	buf_be(&bytes, BLOCK_HEAD + len - LOOK, 4);
	buf_be(&bytes, INT64_MAX, 8);
	buf_be(&bytes, EVL_NO_CAP, 2);
	buf_put(&bytes, data + LOOK, len - LOOK);
	check(evl_open_memory(&log, bytes.p, bytes.len, NULL) == 0);
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	look(log, data);
	write_out(log);
	evl_close(log);
	buf_free(&bytes);
	return 0;
}
