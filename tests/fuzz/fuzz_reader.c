/* A whole log: opened, indexed, shown, counted. Whatever it is, the events that are shown are those that were counted,
 * in order. */
#include "fuzz.h"

#include "evl.h"
#include "show.h"
#include "stats_json.h"

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
	struct merge m;
	struct frame f, last = {0};
	const struct block *block;
	uint64_t shown = 0, counted = 0;
	check(merge_begin(&m, &log->blocks, &MERGE_ALL) == 0);
	for (; merge_next(&m, &f, &block); shown++, last = f) {
		check(f.t > last.t || (f.t == last.t && f.off > last.off));
		check(f.off >= block->off && f.next <= block->off + block->len);
	}
	check(!m.failed);
	merge_end(&m);
	for (unsigned tag = 0; tag < log->facts.tags.end; tag++)
		counted += log->facts.tags.n[tag];
	check(shown == counted);
}

static void check_stats(const struct evl_log *log)
{
	struct stats stats;
	struct buf out = {0};
	check(evl_stats(log, 100, 1000, &stats) == 0);
	check(stats.time.mutator + stats.time.gc + stats.time.sync + stats.time.idle == stats.time.total);
	stats_json(log, &stats, &out);
	check(!out.failed && out.len > 0);
	buf_free(&out);
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
	check_stats(log);
	evl_close(log);
	return 0;
}
