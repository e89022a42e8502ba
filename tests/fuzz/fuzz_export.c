/* A log, a range of it exported, and that read again: the same events with the same payloads, and nothing damaged. */
#include "fuzz.h"

#include "export/export.h"
#include "show/event_merge.h"

struct history {
	struct event_merge merge;
	const struct blocks *blocks;
	uint64_t from;
};

static void begin(struct history *h, const struct evl_log *log, uint64_t from, uint64_t to)
{
	struct event_merge_want want = MERGE_ALL;
	want.from = from;
	want.to = to;
	*h = (struct history){.blocks = &log->blocks, .from = from};
	check(event_merge_begin(&h->merge, &log->blocks, &want) == 0);
}

/* The next event after `from`, where definitions may have moved to, that is not a block marker. */
static bool next(struct history *h, struct frame *f, uint16_t *cap)
{
	const struct block *block;
	do {
		if (!event_merge_next(&h->merge, f, &block))
			return false;
		*cap = h->blocks->chains[block->chain].cap;
	} while (f->tag == EVL_BLOCK_MARKER || f->t <= h->from);
	return true;
}

static void check_same(const struct evl_log *a, const struct evl_log *b, uint64_t from, uint64_t to)
{
	struct history in_a, in_b;
	struct frame x, y;
	uint16_t cap_x, cap_y;
	begin(&in_a, a, from, to);
	begin(&in_b, b, from, to);
	while (next(&in_a, &x, &cap_x)) {
		check(next(&in_b, &y, &cap_y));
		check(x.t == y.t && x.tag == y.tag && cap_x == cap_y && x.payload.len == y.payload.len);
		check(x.payload.len == 0 || memcmp(x.payload.p, y.payload.p, x.payload.len) == 0);
	}
	check(!next(&in_b, &y, &cap_y));
	event_merge_end(&in_a.merge);
	event_merge_end(&in_b.merge);
}

static bool collect(void *ctx, const char *bytes, size_t len)
{
	buf_put(ctx, bytes, len);
	return true;
}

static struct evl_log *walked(const void *data, size_t len)
{
	struct evl_log *log;
	if (evl_open_memory(&log, data, len, NULL) < 0)
		return NULL;
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	return log;
}

/* Events outside of blocks that are all zeros, once they are adjacent, are treated as a hole: no GHC writes them. */
static bool is_hole(const struct evl_log *slice)
{
	for (size_t i = 0; i < slice->damage.n; i++)
		if (slice->damage.items[i].reason == DAMAGE_ZEROS)
			return true;
	return false;
}

static void cut(const struct evl_log *log, uint64_t from, uint64_t to)
{
	struct buf out = {0};
	struct export x = {.log = log, .from = from, .to = to, .put = collect, .ctx = &out};
	int result = export_run(export_find("eventlog"), &x);
	if (result == 0) {
		struct evl_log *slice = walked(out.p, out.len);
		size_t of_header = log->header.twice.len > 0; /* which is copied as it is */
		check(slice && (is_hole(slice) || (slice->damage.n == of_header && !evl_unfinished(slice))));
		if (!is_hole(slice))
			check_same(log, slice, from, to);
		evl_close(slice);
	} else {
		check(result == EVL_NOT_A_LOG && log->header.cut);
	}
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	uint64_t seed = fuzz_seed(data, len), first, last;
	struct evl_log *log = walked(data, len);
	if (!log)
		return 0;
	cut(log, 0, UINT64_MAX);
	if (evl_range(log, &first, &last)) {
		uint64_t from = first + fuzz_random(&seed) % (last - first + 1);
		cut(log, from, from + 1 + fuzz_random(&seed) % (last - from + 1));
	}
	evl_close(log);
	return 0;
}
