/* Damage in a log, and the parts that can still be read. */
#include "shown.h"

#include <stdio.h>

static struct built b; /* the log of the current test */

static void say(uint64_t t, const char *text) { put(&b, t, EVL_USER_MSG, "s", text); }

/* A block of capability cap with three messages: its marker and they are 4 events. */
static void good_block(uint16_t cap, uint64_t t)
{
	block_begin(&b, cap, t);
	say(t + 1, "one");
	say(t + 2, "two");
	say(t + 3, "three");
	block_end(&b, t + 10);
}

static void assert_damage(const struct evl_log *log, size_t i, enum damage_reason reason, uint64_t off, uint64_t len)
{
	assert_true(i < log->damage.n);
	assert_int_equal(log->damage.items[i].reason, reason);
	assert_int_equal(log->damage.items[i].off, off);
	assert_int_equal(log->damage.items[i].len, len);
}

static uint32_t rnd(uint32_t *seed) { return (*seed = *seed * 1664525 + 1013904223) >> 8; }

/* Walked and shown alike, the log has so many events, and so many places that are damaged. */
static struct evl_log *reads(unsigned events, size_t places)
{
	struct evl_log *log = walked(&b);
	assert_int_equal(shown_events(&b), events);
	assert_int_equal(evl_progress(log).events, events);
	assert_int_equal(log->damage.n, places);
	return log;
}

static void assert_shows(const char *line)
{
	char *text = shown(&b);
	if (!strstr(text, line))
		fail_msg("\"%s\" is missing in:\n%s", line, text);
	free(text);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void a_tail_of_zeros(void **state)
{
	static const uint8_t zeros[4096];
	(void)state;
	b = log_begin();
	good_block(0, 100);
	log_end(&b);
	size_t end = b.len;
	add_bytes(&b, zeros, sizeof zeros);
	struct evl_log *log = reads(4, 1);
	assert_damage(log, 0, DAMAGE_ZEROS, end, sizeof zeros);
	assert_false(evl_unfinished(log));
	done(log, &b);
}

static void zeros_up_to_the_end_of_a_block(void **state)
{
	static const uint8_t zeros[64];
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	say(101, "one");
	size_t hole = b.len;
	add_bytes(&b, zeros, sizeof zeros);
	block_end(&b, 110);
	good_block(1, 100);
	struct evl_log *log = reads(2 + 4, 1);
	assert_damage(log, 0, DAMAGE_ZEROS, hole, sizeof zeros);
	done(log, &b);
}

static void garbage_after_the_end(void **state)
{
	(void)state;
	b = log_begin();
	good_block(0, 100);
	log_end(&b);
	size_t end = b.len;
	add_bytes(&b, "the program said this on its standard output", 44);
	struct evl_log *log = reads(4, 1);
	assert_damage(log, 0, DAMAGE_TRAILING, end, 44);
	done(log, &b);
}

static void every_cut_keeps_what_stands_before_it(void **state)
{
	(void)state;
	b = log_begin();
	size_t data = b.len;
	good_block(0, 100);
	good_block(1, 200);
	size_t whole = b.len;
	for (size_t len = data; len < whole; len++) {
		struct built cut = {.data = b.data, .len = len};
		struct evl_log *log = walked(&cut);
		size_t lost = log->damage.n ? log->damage.items[0].len : 0;
		assert_true(log->damage.n <= 1);
		if (lost)
			assert_int_equal(log->damage.items[0].off + lost, len);
		assert_int_equal(shown_events(&cut), evl_progress(log).events);
		assert_true(evl_unfinished(log));
		evl_close(log);
	}
	b.len = whole - 1; /* in the last event */
	struct evl_log *log = reads(7, 1);
	assert_int_equal(log->damage.items[0].reason, DAMAGE_CUT);
	done(log, &b);
}

static void a_header_that_is_cut(void **state)
{
	(void)state;
	b = log_begin();
	b.len = b.len / 2;
	struct evl_log *log = reads(0, 1);
	assert_damage(log, 0, DAMAGE_HEADER, b.len, 0);
	assert_true(log->header.n > 10);
	assert_true(evl_unfinished(log));
	done(log, &b);
}

static void no_events_at_all(void **state)
{
	(void)state;
	b = log_begin();
	struct evl_log *log = reads(0, 0);
	uint64_t first, last;
	assert_false(evl_range(log, &first, &last));
	char *text = shown(&b);
	assert_string_equal(text, "\n");
	free(text);
	done(log, &b);
}

/* --- more than one log -------------------------------------------------------------------------------------------- */

static size_t header_len(void)
{
	struct built h = log_begin();
	free(h.data);
	return h.len;
}

static void add_header(void)
{
	struct built h = log_begin();
	add_bytes(&b, h.data, h.len);
	free(h.data);
}

static void a_second_log_is_read_on(void **state)
{
	(void)state;
	b = log_begin();
	good_block(0, 100);
	log_end(&b);
	size_t second = b.len;
	add_header();
	good_block(0, 200);
	struct evl_log *log = reads(8, 1);
	assert_damage(log, 0, DAMAGE_SECOND, second, header_len());
	assert_true(evl_unfinished(log)); /* the first ended, the second did not */
	evl_close(log);
	log_end(&b);
	log = reads(8, 1);
	assert_false(evl_unfinished(log));
	done(log, &b);
}

/* GHC 8.10 and 9.0 write a block marker before the header when logging begins again. */
static void add_leading_marker(void)
{
	block_begin(&b, 0, 0);
	patch(&b, b.block + 10, BLOCK_HEAD + header_len(), 4);
}

static void a_marker_before_the_header(void **state)
{
	(void)state;
	b = (struct built){0};
	add_leading_marker();
	add_header();
	good_block(0, 100);
	struct evl_log *log = reads(4, 0);
	evl_close(log);
	log_end(&b);
	size_t second = b.len;
	add_leading_marker();
	add_header();
	good_block(0, 200);
	log = reads(8, 1);
	assert_damage(log, 0, DAMAGE_SECOND, second, BLOCK_HEAD + header_len());
	done(log, &b);
}

static void a_second_log_of_other_sizes_is_left_alone(void **state)
{
	(void)state;
	b = log_begin();
	good_block(0, 100);
	log_end(&b);
	size_t second = b.len;
	add_header();
	patch(&b, second + 8 + 6, 44, 2); /* the size of its first type */
	good_block(0, 200);
	struct evl_log *log = reads(4, 1);
	assert_damage(log, 0, DAMAGE_SECOND, second, b.len - second);
	done(log, &b);
}

/* --- sizes that lie ----------------------------------------------------------------------------------------------- */

static void assert_lying_size(uint32_t size)
{
	b = log_begin();
	good_block(0, 100);
	patch(&b, b.block + 10, size, 4);
	good_block(1, 200);
	good_block(0, 300);
	log_end(&b);
	struct evl_log *log = reads(12, 0);
	assert_int_equal(log->blocks.n, 3);
	assert_int_equal(log->event_counts.in_chain[log->cap_chains[0]], 6);
	done(log, &b);
}

static void sizes_that_lie(void **state)
{
	static const uint32_t sizes[] = {0, 1, 23, 25, 40, 71, 73, 90, 140, 1000, UINT32_MAX};
	(void)state;
	for (size_t i = 0; i < countof(sizes); i++)
		assert_lying_size(sizes[i]);
}

static void a_block_inside_of_a_block(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	size_t outer = b.block;
	say(101, "outer");
	size_t inner = b.len;
	good_block(1, 102);
	b.block = outer;
	block_end(&b, 200);
	struct evl_log *log = reads(6, 1);
	assert_damage(log, 0, DAMAGE_NESTED, inner, BLOCK_HEAD);
	assert_shows("102: cap 1: event block: cap 1, end time: 112\n\n103: cap 1: one\n");
	assert_int_equal(log->event_counts.in_chain[log->cap_chains[0]], 1);
	assert_int_equal(log->event_counts.in_chain[log->cap_chains[1]], 3);
	done(log, &b);
}

/* A few blocks inside of each other, and messages that count up. */
static void nest(int depth, uint64_t *t, uint32_t *seed)
{
	enum { DEEPEST = 6 };
	size_t outer = b.block;
	block_begin(&b, (uint16_t)(*t % 5), *t);
	size_t own = b.block;
	for (int n = (int)(rnd(seed) % 5); n > 0; n--) {
		char text[32];
		snprintf(text, sizeof text, "message %u", (unsigned)++*t);
		say(*t, text);
		if (depth < DEEPEST && rnd(seed) % 3 == 0)
			nest(depth + 1, t, seed);
	}
	b.block = own;
	block_end(&b, 1000000);
	if (depth > 0) { /* its size may say anything */
		static const uint32_t sizes[] = {0, 10, 24, 40, 100, 100000, UINT32_MAX};
		if (rnd(seed) % 2)
			patch(&b, own + 10, sizes[rnd(seed) % countof(sizes)], 4);
	}
	b.block = outer;
}

/* The capability of each message by the rule of ghc-events, read from the bytes: that of the last marker, until as many bytes
 * as it says are over. */
static void assert_capabilities(void)
{
	char *text = shown(&b);
	uint16_t cap = EVL_NO_CAP;
	int64_t left = 0;
	struct header h;
	assert_int_equal(header_parse(&h, b.data, b.len, NULL), 0);
	for (size_t at = h.data_off; at + 2 < b.len;) {
		char line[96], whose[16] = "";
		const uint8_t *p = b.data + at;
		uint64_t t = be64(p + 2);
		if (be16(p) == EVL_BLOCK_MARKER) {
			cap = be16(p + 22);
			left = (int64_t)(be32(p + 10) - BLOCK_HEAD); /* of 32 bits, which may wrap around */
			at += BLOCK_HEAD;
		} else {
			size_t len = be16(p + 10);
			if (cap != EVL_NO_CAP)
				snprintf(whose, sizeof whose, "cap %u: ", cap);
			snprintf(line, sizeof line, "\n%llu: %s%.*s\n", (unsigned long long)t, whose, (int)len, p + 12);
			if (!strstr(text, line))
				fail_msg("\"%s\" is missing in:\n%s", line, text);
			left -= 12 + (int64_t)len;
			at += 12 + len;
		}
		if (left <= 0)
			cap = EVL_NO_CAP;
	}
	header_free(&h);
	free(text);
}

static void blocks_inside_of_blocks_are_those_of_ghc_events(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 300; seed++) {
		uint32_t next = seed;
		uint64_t t = 100;
		b = log_begin();
		for (int i = 0; i < 3; i++, t++)
			nest(0, &t, &next);
		log_end(&b);
		assert_capabilities();
		struct evl_log *log = walked(&b);
		assert_int_equal(log->event_counts.tags.n[EVL_USER_MSG] + log->event_counts.tags.n[EVL_BLOCK_MARKER],
			evl_progress(log).events);
		assert_int_equal(shown_events(&b), evl_progress(log).events);
		done(log, &b);
	}
}

static void empty_blocks_are_sound(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	block_end(&b, 100);
	block_begin(&b, 1, 100);
	log_end(&b);
	block_end(&b, 110); /* the end of data is in it */
	struct evl_log *log = reads(2, 0);
	assert_false(evl_unfinished(log));
	done(log, &b);
}

static void an_end_of_data_in_the_middle(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	say(101, "before");
	log_end(&b);
	say(102, "behind");
	block_end(&b, 110);
	struct evl_log *log = reads(3, 0);
	assert_true(evl_unfinished(log));
	done(log, &b);
}

/* --- damage in the middle ----------------------------------------------------------------------------------------- */

static void an_undeclared_tag_costs_itself(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	say(101, "before");
	size_t at = b.len;
	add_number(&b, 9021, 2);
	add_number(&b, 102, 8);
	size_t end = b.len;
	say(103, "read");
	block_end(&b, 110);
	good_block(0, 200);
	struct evl_log *log = reads(3 + 4, 1);
	assert_damage(log, 0, DAMAGE_UNDECLARED, at, end - at);
	char text[80];
	assert_string_equal(damage_text(&log->damage.items[0], text, sizeof text), "undeclared tag 9021");
	done(log, &b);
}

static void a_destroyed_marker_costs_its_block(void **state)
{
	(void)state;
	b = log_begin();
	good_block(0, 100);
	good_block(1, 100);
	size_t at = b.block, end = b.len;
	good_block(2, 100);
	memset(b.data + at, 0xee, 16);
	struct evl_log *log = reads(8, 1);
	assert_damage(log, 0, DAMAGE_UNDECLARED, at, end - at);
	done(log, &b);
}

/* A block with an event of an odd time in its middle, which is noted, and read or not. */
static void assert_odd_time(uint64_t t, bool read, uint64_t last_t)
{
	b = log_begin();
	block_begin(&b, 0, 100);
	say(101, "before");
	size_t at = b.len;
	say(t, "odd");
	size_t end = b.len;
	say(102, "after");
	block_end(&b, 110);
	good_block(0, 200);
	struct evl_log *log = reads(7 + read, 1);
	assert_damage(log, 0, read ? DAMAGE_ODD_TIME : DAMAGE_TIME, at, end - at);
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	assert_int_equal(first, t < 100 ? t : 100);
	assert_int_equal(last, last_t); /* not stretched by a time that cannot be */
	done(log, &b);
}

static void times_outside_of_the_block(void **state)
{
	const uint64_t second = 1000000000;
	(void)state;
	assert_odd_time(99, true, 203);
	assert_odd_time(1, true, 203);
	assert_odd_time(111, true, 203);
	assert_odd_time(210 + second, true, 210 + second); /* a second after the last flush */
	assert_odd_time(211 + second, false, 203);
	assert_odd_time((uint64_t)1 << 62, false, 203);
	assert_odd_time((uint64_t)INT64_MAX + 1, false, 203);
}

/* Places past the end of the list are counted as odd or lost, too. */
static void more_odd_times_than_are_listed(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	for (unsigned i = 0; i < 2 * MAX_DAMAGE + 100; i++)
		say(i % 2 ? 150 : 50, "early, and in time");
	block_end(&b, 200);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->damage.n, MAX_DAMAGE);
	assert_int_equal(log->damage.more, 50);
	assert_int_equal(damage_lost(&log->damage), 0);
	done(log, &b);
}

/* The first event of a block, and its last. */
static void odd_times_at_the_edges(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	say(99, "first");
	say(101, "middle");
	say(98, "last");
	block_end(&b, 110);
	good_block(0, 200);
	struct evl_log *log = reads(8, 2);
	assert_int_equal(log->event_counts.in_chain[log->cap_chains[0]], 6);
	assert_shows("98: cap 0: last\n99: cap 0: first\n");
	done(log, &b);
}

static void a_block_that_ends_before_it_starts(void **state)
{
	(void)state;
	for (uint64_t by = 1; by <= 100; by += 99) {
		b = log_begin();
		for (unsigned k = 0; k < 5; k++) {
			good_block(0, 100 + 100 * k);
			patch(&b, b.block + 14, 100 + 100 * k - by, 8);
		}
		log_end(&b);
		struct evl_log *log = reads(20, 5);
		assert_damage(log, 4, DAMAGE_ODD_BLOCK, b.block, BLOCK_HEAD);
		assert_int_equal(log->blocks.n, 5);
		assert_int_equal(log->n_caps, 1);
		uint64_t first, last;
		assert_true(evl_range(log, &first, &last));
		assert_int_equal(first, 100);
		assert_int_equal(last, 503);
		done(log, &b);
	}
}

/* A hole in a block: `lost` of its events are not read, and the others are. */
static void assert_hole(size_t at, size_t len, uint8_t byte, unsigned lost)
{
	uint8_t kept[64];
	unsigned all = shown_events(&b);
	memcpy(kept, b.data + at, len);
	memset(b.data + at, byte, len);
	struct evl_log *log = walked(&b);
	unsigned n = shown_events(&b);
	assert_int_equal(n, evl_progress(log).events);
	if (n + lost < all || n > all)
		fail_msg("a hole of %zu at %zu: %u of %u are read", len, at, n, all);
	evl_close(log);
	memcpy(b.data + at, kept, len);
}

/* Wherever a hole is, at most the events that it touches and one more are lost. */
static void a_hole_costs_what_it_touches(void **state)
{
	static const uint8_t bytes[] = {0, 0xff, 0x5a};
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	size_t from = b.len;
	for (unsigned k = 0; k < 8; k++) {
		put_run(&b, 110 + 10 * k, 7);
		say(112 + 10 * k, "a message of some length, as programs write them");
		put_stop(&b, 115 + 10 * k, 7, 5);
	}
	size_t to = b.len;
	for (unsigned k = 0; k < 12; k++)
		put(&b, 300 + k, EVL_HEAP_LIVE, "48", 0u, (uint64_t)k);
	say(900, "last");
	block_end(&b, 1000);
	log_end(&b);
	for (size_t i = 0; i < countof(bytes); i++)
		for (size_t at = from; at < to; at++)
			assert_hole(at, 16, bytes[i], 4);
	free(b.data);
}

/* A message whose text is events: wherever its block is damaged, none of them is read. */
static void a_text_of_events_stays_a_text(void **state)
{
	struct built text = {0};
	(void)state;
	for (unsigned k = 0; k < 10; k++) {
		put(&text, 205 + k, EVL_CREATE_THREAD, "4", 99u);
		put_run(&text, 205 + k, 99);
		put_stop(&text, 205 + k, 99, 5);
	}
	b = log_begin();
	block_begin(&b, 0, 100);
	size_t from = b.len;
	for (unsigned k = 0; k < 8; k++) {
		put_run(&b, 110 + k, 7);
		put_stop(&b, 110 + k, 7, 5);
	}
	put(&b, 200, EVL_HEAP_LIVE, "48", 0u, (uint64_t)1);
	size_t message = b.len;
	add_number(&b, EVL_USER_MSG, 2);
	add_number(&b, 204, 8);
	add_number(&b, text.len + 1, 2);
	add_bytes(&b, text.data, text.len);
	add_bytes(&b, "", 1);
	size_t next = b.len;
	for (unsigned k = 0; k < 12; k++)
		put(&b, 310 + k, EVL_HEAP_LIVE, "48", 0u, (uint64_t)k);
	say(900, "last");
	block_end(&b, 1000);
	log_end(&b);
	for (size_t at = from; at < b.len - 100; at++) {
		uint8_t kept[4];
		memcpy(kept, b.data + at, sizeof kept);
		memset(b.data + at, 0x7f, sizeof kept);
		char *out = shown(&b);
		/* a hole in the text itself changes nothing but the text */
		if (strstr(out, "creating thread 99") || strstr(out, "running thread 99"))
			fail_msg("a hole at %zu, the message at %zu to %zu:\n%s", at, message, next, out);

		free(out);
		memcpy(b.data + at, kept, sizeof kept);
	}
	free(text.data);
	free(b.data);
}

static void some_events_bring_their_own_time(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	put(&b, 90, EVL_GC_START, "");
	put(&b, 95, EVL_GC_END, "");
	put(&b, 1, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)5, 0u);
	put(&b, 0, EVL_CREATE_MACHINE, "28", 1u, (uint64_t)0);
	block_end(&b, 110);
	done(reads(5, 0), &b);
}

static void events_outside_of_blocks(void **state)
{
	(void)state;
	b = log_begin();
	put(&b, 5, EVL_STARTUP, "2", 4u);
	good_block(0, 100);
	say(1, "of nobody");
	say(UINT32_MAX, "late, too");
	good_block(0, 200);
	struct evl_log *log = reads(11, 0);
	assert_shows("1: of nobody\n");
	assert_int_equal(log->n_caps, 1);
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	assert_int_equal(last, 203); /* outside of all blocks no capability is assumed */
	done(log, &b);
}

static void garbage_between_blocks(void **state)
{
	(void)state;
	b = log_begin();
	good_block(0, 100);
	size_t at = b.len;
	add_bytes(&b, "hello, world\n\0\x12hello", 20);
	size_t end = b.len;
	good_block(0, 200);
	struct evl_log *log = reads(8, 1);
	assert_int_equal(log->damage.items[0].off, at);
	assert_int_equal(log->damage.items[0].len, end - at);
	done(log, &b);
}

/* --- records that are odd ----------------------------------------------------------------------------------------- */

static void put_ipe(unsigned surplus)
{
	size_t head = b.len;
	put(&b, 101, EVL_IPE, "8sssss", (uint64_t)0x40, "table", "", "", "", "");
	b.len = head + 12 + 8;
	add_bytes(&b,
		"table\0"
		"21\0"
		"Type\0"
		"label\0"
		"Main\0"
		"Main.hs:1:2",
		36);
	add_bytes(&b, "", 1);
	patch(&b, head + 10, b.len - head - 12 + surplus, 2);
}

static void ipe_of_both_lengths(void **state)
{
	(void)state;
	for (unsigned surplus = 0; surplus <= 1; surplus++) {
		b = log_begin();
		block_begin(&b, EVL_NO_CAP, 100);
		put_ipe(surplus);
		put_ipe(surplus);
		say(102, "behind");
		block_end(&b, 110);
		struct evl_log *log = reads(4, 0);
		assert_shows("\n102: behind\n");
		assert_shows("Info Table: 40:21:table - Main.hs:1:2\n");
		done(log, &b);
	}
}

static void payloads_too_short(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	put(&b, 101, EVL_THREAD_LABEL, "2", 7u);
	put(&b, 102, EVL_PROGRAM_ARGS, "1", 7u);
	put(&b, 103, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "181", 0u, (uint64_t)5, 200u); /* a stack of 200: none */
	put(&b, 104, EVL_PROF_SAMPLE_COST_CENTRE, "4", 0u);
	say(105, "behind");
	block_end(&b, 110);
	struct evl_log *log = reads(6, 0);
	assert_shows("\n105: cap 0: behind\n");
	assert_null(evl_label(log, 7).p);
	done(log, &b);
}

static void numbers_nobody_knows(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 101, 0);
	put_stop(&b, 102, 0, 21);
	put_stop(&b, 102, 9, 4);
	put(&b, 103, EVL_CAPSET_CREATE, "42", 1u, 9u);
	put(&b, 104, EVL_HEAP_PROF_BEGIN, "1841", 0u, (uint64_t)5, 42u, 0u);
	put(&b, 105, EVL_SEND_MESSAGE,
		"1442"
		"44",
		7u, 1u, 1u, 1u, 1u, 1u);
	put(&b, 106, EVL_GC_END, "");
	block_end(&b, 110);
	struct evl_log *log = reads(8, 0);
	assert_shows("stopping thread 0 (status 21)\n");
	assert_shows("stopping thread 9 (status 4)\n");
	assert_shows("type CapsetUnknown\n");
	assert_shows("broken down by breakdown 42");
	assert_shows("message with tag 7 ");
	done(log, &b);
}

static void text_that_is_not_utf8(void **state)
{
	(void)state;
	b = log_begin();
	good_block(0, 100);
	block_begin(&b, 0, 200);
	say(201, "a\xff\xc3z");
	put(&b, 202, EVL_THREAD_LABEL, "4s", 3u, "\x80");
	block_end(&b, 210);
	struct evl_log *log = reads(4 + 3, 0);
	assert_shows("201: cap 0: a\\xff\\xc3z\n");
	assert_shows("thread 3 has label \"\\x80\"\n");
	done(log, &b);
}

static void a_collection_across_blocks(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, 0, 100);
	put(&b, 101, EVL_GC_START, "");
	block_end(&b, 110);
	block_begin(&b, 0, 115);
	put(&b, 120, EVL_GC_STATS_GHC, "428884888", 0u, 1u, (uint64_t)1, (uint64_t)2, (uint64_t)3, 1u, (uint64_t)4,
		(uint64_t)5, (uint64_t)6);
	put(&b, 113, EVL_GC_END, ""); /* earlier than its block */
	block_end(&b, 130);
	struct evl_log *log = reads(5, 0);
	const struct gc_row *gc = gcs_after(&log->gcs, 0, GC_ALL);
	assert_non_null(gc);
	assert_int_equal(gc->start, 101);
	assert_int_equal(gc->elapsed, 12);
	done(log, &b);
}

/* --- capabilities ------------------------------------------------------------------------------------------------- */

static void capabilities_of_any_number(void **state)
{
	(void)state;
	b = log_begin();
	good_block(65534, 100);
	good_block(0, 100);
	good_block(5000, 100);
	struct evl_log *log = reads(12, 0);
	assert_int_equal(log->n_caps, 3);
	assert_shows("\n101: cap 65534: one\n");
	done(log, &b);
}

static void more_capabilities_than_anybody_has(void **state)
{
	(void)state;
	b = log_begin();
	for (unsigned cap = 0; cap < MAX_CHAINS + 100; cap++)
		good_block((uint16_t)cap, 100);
	struct evl_log *log = reads(4 * (MAX_CHAINS + 100), 0);
	assert_int_equal(log->blocks.n_chains, MAX_CHAINS);
	done(log, &b);
}

/* --- headers ------------------------------------------------------------------------------------------------------ */

static void a_type_declared_twice(void **state)
{
	(void)state;
	b = log_begin();
	b.len -= 12; /* hete hdre datb */
	add_word(&b, "etb\0");
	add_number(&b, EVL_RUN_THREAD, 2);
	add_number(&b, 8, 2); /* larger than ours */
	add_number(&b, 1, 4);
	add_bytes(&b, "r", 1);
	add_number(&b, 3, 4);
	add_bytes(&b, "new", 3); /* extra information */
	add_word(&b, "ete\0");
	add_bytes(&b, "hetehdredatb", 12);
	block_begin(&b, 0, 100);
	put(&b, 101, EVL_RUN_THREAD, "44", 7u, 0u);
	say(102, "behind");
	block_end(&b, 110);
	struct evl_log *log = reads(3, 1);
	assert_int_equal(log->damage.items[0].reason, DAMAGE_TWICE);
	assert_shows("running thread 7\n");
	done(log, &b);
}

static void assert_refused(size_t at, const char *word)
{
	struct evl_log *log;
	struct evl_err err;
	b = log_begin();
	memcpy(b.data + at, word, 4);
	assert_int_equal(evl_open_memory(&log, b.data, b.len, &err), EVL_NOT_A_LOG);
	assert_int_equal(err.off, at);
	assert_null(log);
	free(b.data);
}

static void headers_that_make_no_sense(void **state)
{
	(void)state;
	size_t end = header_len();
	assert_refused(0, "hdrx");
	assert_refused(4, "hetx");
	assert_refused(end - 12, "hetx");
	assert_refused(end - 8, "hdrx");
	assert_refused(end - 4, "datx");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tail_of_zeros),
		cmocka_unit_test(zeros_up_to_the_end_of_a_block),
		cmocka_unit_test(garbage_after_the_end),
		cmocka_unit_test(every_cut_keeps_what_stands_before_it),
		cmocka_unit_test(a_header_that_is_cut),
		cmocka_unit_test(no_events_at_all),
		cmocka_unit_test(a_second_log_is_read_on),
		cmocka_unit_test(a_marker_before_the_header),
		cmocka_unit_test(a_second_log_of_other_sizes_is_left_alone),
		cmocka_unit_test(sizes_that_lie),
		cmocka_unit_test(a_block_inside_of_a_block),
		cmocka_unit_test(blocks_inside_of_blocks_are_those_of_ghc_events),
		cmocka_unit_test(empty_blocks_are_sound),
		cmocka_unit_test(an_end_of_data_in_the_middle),
		cmocka_unit_test(an_undeclared_tag_costs_itself),
		cmocka_unit_test(a_destroyed_marker_costs_its_block),
		cmocka_unit_test(times_outside_of_the_block),
		cmocka_unit_test(more_odd_times_than_are_listed),
		cmocka_unit_test(odd_times_at_the_edges),
		cmocka_unit_test(a_block_that_ends_before_it_starts),
		cmocka_unit_test(a_hole_costs_what_it_touches),
		cmocka_unit_test(a_text_of_events_stays_a_text),
		cmocka_unit_test(some_events_bring_their_own_time),
		cmocka_unit_test(events_outside_of_blocks),
		cmocka_unit_test(garbage_between_blocks),
		cmocka_unit_test(ipe_of_both_lengths),
		cmocka_unit_test(payloads_too_short),
		cmocka_unit_test(numbers_nobody_knows),
		cmocka_unit_test(text_that_is_not_utf8),
		cmocka_unit_test(a_collection_across_blocks),
		cmocka_unit_test(capabilities_of_any_number),
		cmocka_unit_test(more_capabilities_than_anybody_has),
		cmocka_unit_test(a_type_declared_twice),
		cmocka_unit_test(headers_that_make_no_sense),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
