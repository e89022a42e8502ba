/* From when on a log that is cut may lack events of a capability, against a walk over its bytes, event by event. */
#include "each_log.h"

struct seen {
	uint64_t last, end; /* time of the last event; end of the last block by its marker */
	bool whole;         /* the last block is in the log to its end */
};

/* Walk all blocks and their events. Return whether the log has an end marker. */
static bool walk(const struct evl_log *log, struct seen *caps)
{
	const uint8_t *data = log->source.data;
	uint64_t len = log->source.len, off = log->header.data_off, block_end = 0;
	uint16_t cap = EVL_NO_CAP;
	while (off + 10 <= len) {
		uint16_t tag = be16(data + off);
		uint64_t t = be64(data + off + 2);
		const struct header_type *type = header_find(&log->header, tag);
		if (tag == UINT16_MAX || !type)
			return tag == UINT16_MAX;
		if (tag == EVL_IPE && cap == EVL_NO_CAP) { /* their sizes may be wrong, and a block is full of them */
			off = max_u64(block_end, off + 10);
			if (off == len && be16(data + len - 2) == UINT16_MAX) /* the end marker in the last block */
				return true;
			continue;
		}
		bool variable = type->size < 0;
		uint64_t payload = variable ? 2 : (uint64_t)type->size;
		if (off + 10 + payload > len)
			return false;
		if (variable)
			payload += be16(data + off + 10);
		if (off + 10 + payload > len)
			return false;
		if (tag == EVL_BLOCK_MARKER) {
			cap = be16(data + off + 22);
			caps[cap].end = be64(data + off + 14);
			block_end = off + be32(data + off + 10);
			caps[cap].whole = block_end <= len;
		}
		caps[cap].last = max_u64(caps[cap].last, t);
		off += 10 + payload;
	}
	return off + 2 <= len && be16(data + off) == UINT16_MAX;
}

/* Is all that cannot be read at the end? */
static bool is_only_cut(const struct evl_log *log)
{
	for (size_t i = 0; i < log->damage.n; i++)
		if (log->damage.items[i].off + log->damage.items[i].len < log->source.len)
			return false;
	return true;
}

static unsigned cut, not_cut;

static void compare(const struct evl_log *log, const char *name)
{
	static struct seen caps[1 << 16];
	uint64_t until = UINT64_MAX;
	if (!is_only_cut(log))
		return;
	memset(caps, 0, sizeof caps);
	bool ended = walk(log, caps);
	for (uint32_t i = 0; i < log->blocks.n_chains; i++) {
		uint16_t cap = log->blocks.chains[i].cap;
		const struct seen *s = &caps[cap];
		uint64_t want = s->whole ? max_u64(s->last + 1, s->end) : s->last + 1,
			 got = load_acquire(&log->tiles[i].lost_t);
		want = ended || cap == EVL_NO_CAP ? 0 : want;
		until = want ? min_u64(until, want) : until;
		if (got != want)
			fail_msg("%s, %llu bytes: cap %u may lack events from %llu on, not %llu", name,
				(unsigned long long)log->source.len, cap, (unsigned long long)got,
				(unsigned long long)want);
	}
	assert_true(evl_complete_until(log) == until);
	cut += !ended;
	not_cut += ended;
}

static void cuts_of(const struct evl_log *whole, const char *name)
{
	enum { PARTS = 5 };
	compare(whole, name);
	for (uint64_t part = 1; part < PARTS; part++) {
		struct evl_log *log;
		if (evl_open_memory(&log, whole->source.data, whole->source.len * part / PARTS, NULL) < 0)
			continue;
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		compare(log, name);
		evl_close(log);
	}
}

static void the_end_of_each_capability_is_known(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, cuts_of);
	assert_true(cut > 400 && not_cut >= 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_of_each_capability_is_known)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
