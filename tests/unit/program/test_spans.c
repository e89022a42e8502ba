/* User spans: every convention, nesting, subscripts, unfinished, out of order, hostile. */
#include "logs.h"

#include <stdio.h>

enum { CAPS = 3 };

/* Events in order of time, each in a block of its capability. */
static void say(struct built *b, uint16_t cap, uint64_t t, uint16_t tag, const char *text)
{
	block_begin(b, cap, t);
	put(b, t, tag, "s", text);
	block_end(b, t);
}

static void msg(struct built *b, uint16_t cap, uint64_t t, const char *text) { say(b, cap, t, EVL_USER_MSG, text); }

static const struct span_table *table_of(struct evl_log *log)
{
	const struct span_table *t = spans_table(&log->spans);
	assert_non_null(t);
	return t;
}

/* The name of span i of a row, with its times: "label [start, end)". */
static const char *span_at(const struct evl_log *log, const struct span_table *t, int row, size_t i)
{
	static char text[200];
	assert_true(row < t->n_rows && i < t->rows[row].n);
	const struct span *s = &t->rows[row].items[i];
	struct evl_str name = spans_name(&log->blocks, s);
	snprintf(text, sizeof text, "%.*s [%u, %u)", (int)name.len, (const char *)name.p, (unsigned)s->start,
		(unsigned)s->end);
	return text;
}

static void start_and_stop(void **state)
{
	(void)state;
	struct built b = log_begin();
	msg(&b, 0, 10, "START load");
	msg(&b, 1, 20, "START 3 job");
	msg(&b, 0, 25, "START 4 job"); /* another instance */
	msg(&b, 2, 30, "STOP 3 job");
	msg(&b, 2, 40, "STOP load"); /* begun on another capability */
	msg(&b, 1, 45, "STOP 4 job");
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 3);
	assert_int_equal(t->n_rows, 3);
	assert_int_equal(t->strays + t->unfinished + t->deeper, 0);
	assert_string_equal(span_at(log, t, 0, 0), "load [10, 40)");
	assert_string_equal(span_at(log, t, 1, 0), "3 job [20, 30)");
	assert_string_equal(span_at(log, t, 2, 0), "4 job [25, 45)");
	assert_string_equal(spans_convention(&t->rows[0].items[0]), "START/STOP");
	struct evl_str label = spans_label(&log->blocks, &t->rows[1].items[0]);
	assert_int_equal(label.len, 3);
	assert_memory_equal(label.p, "job", 3);
	done(log, &b);
}

/* One thread's spans of one name nest. */
static void the_innermost_ends_first(void **state)
{
	(void)state;
	struct built b = log_begin();
	msg(&b, 0, 10, "START a");
	msg(&b, 1, 20, "START a");
	msg(&b, 0, 30, "STOP a");
	msg(&b, 1, 50, "STOP a");
	msg(&b, 0, 60, "START a");
	msg(&b, 0, 70, "STOP a");
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 3);
	assert_int_equal(t->crossed, 0);
	assert_string_equal(span_at(log, t, 0, 0), "a [10, 50)");
	assert_string_equal(span_at(log, t, 0, 1), "a [60, 70)");
	assert_string_equal(span_at(log, t, 1, 0), "a [20, 30)");
	done(log, &b);
}

/* Three threads, of which two have the same name open: each ends its own; the third, which has none, ends the oldest. */
static void threads_do_not_mix(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put_run(&b, 5, 7);
	put(&b, 10, EVL_USER_MSG, "s", "START a");
	put(&b, 40, EVL_USER_MSG, "s", "START a");
	put(&b, 60, EVL_USER_MSG, "s", "STOP a");
	put_stop(&b, 95, 7, 5);
	put(&b, 96, EVL_USER_MSG, "s", "STOP b"); /* no thread runs here */
	block_end(&b, 97);
	block_begin(&b, 1, 1);
	put_run(&b, 5, 8);
	put(&b, 20, EVL_USER_MSG, "s", "START a");
	put(&b, 30, EVL_USER_MSG, "s", "START b");
	put(&b, 50, EVL_USER_MSG, "s", "STOP a");
	put_stop(&b, 62, 8, 5);
	put_run(&b, 63, 9);
	put(&b, 80, EVL_USER_MSG, "s", "STOP a");
	put(&b, 85, EVL_USER_MSG, "s", "STOP a"); /* there is none left */
	block_end(&b, 97);
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 4);
	assert_int_equal(t->crossed, 2);
	assert_int_equal(t->strays, 1);
	assert_int_equal(t->unfinished, 0);
	assert_string_equal(span_at(log, t, 0, 0), "a [10, 80)");
	assert_string_equal(span_at(log, t, 1, 0), "a [20, 50)");
	assert_string_equal(span_at(log, t, 2, 0), "b [30, 96)");
	assert_string_equal(span_at(log, t, 3, 0), "a [40, 60)"); /* below all that are open */
	const struct span *first = &t->rows[0].items[0], *second = &t->rows[1].items[0], *b_span = &t->rows[2].items[0];
	assert_true(first->crossed && first->thread == 7 && first->ended_by == 9);
	assert_true(!second->crossed && second->thread == 8 && second->ended_by == 8);
	assert_true(b_span->crossed && b_span->thread == 8 && b_span->ended_by == 0);
	done(log, &b);
}

/* GHC posts a message, and with -ddump-timings a marker of the same text. */
static void ghc_itself(void **state)
{
	(void)state;
	struct built b = log_begin();
	say(&b, 0, 10, EVL_USER_MARKER, "GHC:started: Parser [Main]");
	msg(&b, 0, 11, "GHC:started: Parser [Main]");
	msg(&b, 0, 30, "GHC:finished: Parser [Main]");
	say(&b, 0, 31, EVL_USER_MARKER, "GHC:finished: Parser [Main]");
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 2);
	assert_string_equal(span_at(log, t, 0, 0), "Parser [Main] [10, 31)");
	assert_string_equal(span_at(log, t, 1, 0), "Parser [Main] [11, 30)");
	done(log, &b);
}

/* Little-endian, as opentelemetry writes. */
static void put_ot(struct built *b, uint64_t t, unsigned type, uint64_t serial, const char *name)
{
	put(b, t, EVL_USER_BINARY_MSG, "2118s", 0x4f54u, 3u, type, __builtin_bswap64(serial), name);
}

/* Spans of one thread nest in each other, those of another thread do not mix in. */
static void opentelemetry_nests_by_thread(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put_run(&b, 5, 7);
	put_ot(&b, 10, 1, 100, "parent");
	put_ot(&b, 20, 1, 101, "child");
	put_ot(&b, 30, 2, 101, "");
	put_ot(&b, 90, 2, 100, "");
	put_stop(&b, 95, 7, 5);
	block_end(&b, 95);
	block_begin(&b, 1, 1);
	put_run(&b, 5, 8);
	put(&b, 12, EVL_USER_MSG, "s", "ot2 begin span 5 other");
	put(&b, 15, EVL_USER_MSG, "s", "ot2 begin span 6 inner");
	put(&b, 40, EVL_USER_MSG, "s", "ot2 end span 6");
	put(&b, 50, EVL_USER_MSG, "s", "ot2 begin span 7 second");
	put(&b, 60, EVL_USER_MSG, "s", "ot2 end span 7");
	put(&b, 70, EVL_USER_MSG, "s", "ot2 end span 5");
	block_end(&b, 95);
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 5);
	assert_string_equal(span_at(log, t, 0, 0), "parent [10, 90)");
	assert_string_equal(span_at(log, t, 1, 0), "other [12, 70)");
	assert_string_equal(span_at(log, t, 2, 0), "inner [15, 40)");
	assert_string_equal(span_at(log, t, 2, 1), "second [50, 60)"); /* below its parent */
	assert_string_equal(span_at(log, t, 3, 0), "child [20, 30)");
	assert_int_equal(t->rows[0].items[0].thread, 7);
	assert_int_equal(t->rows[1].items[0].thread, 8);
	done(log, &b);
}

/* The second ends in the third: they cannot nest, so each has a separate row; a span that starts when a row is free
 * again goes up there. */
static void conflicts_get_rows(void **state)
{
	(void)state;
	struct built b = log_begin();
	msg(&b, 0, 10, "START a");
	msg(&b, 0, 20, "START b");
	msg(&b, 0, 30, "STOP a");
	msg(&b, 0, 40, "START c");
	msg(&b, 0, 50, "STOP b");
	msg(&b, 0, 60, "STOP c");
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n_rows, 2);
	assert_string_equal(span_at(log, t, 0, 0), "a [10, 30)");
	assert_string_equal(span_at(log, t, 1, 0), "b [20, 50)");
	assert_string_equal(span_at(log, t, 0, 1), "c [40, 60)");
	done(log, &b);
}

static void more_than_rows(void **state)
{
	(void)state;
	struct built b = log_begin();
	char text[32];
	for (unsigned i = 0; i < SPAN_ROWS + 5; i++) {
		snprintf(text, sizeof text, "START %u x", i);
		msg(&b, 0, 10 + i, text);
	}
	msg(&b, 0, 100, "end");
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, SPAN_ROWS + 5);
	assert_int_equal(t->deeper, 5);
	assert_int_equal(t->unfinished, SPAN_ROWS + 5);
	assert_int_equal(t->items[SPAN_ROWS + 4].start, 10 + SPAN_ROWS + 4);
	assert_int_equal(t->items[SPAN_ROWS + 4].row, SPAN_ROWS);
	done(log, &b);
}

static void cut_ends(void **state)
{
	(void)state;
	struct built b = log_begin();
	msg(&b, 0, 10, "STOP early"); /* its start was before the log */
	msg(&b, 0, 20, "START late");
	msg(&b, 1, 100, "the end");
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->strays, 1);
	assert_int_equal(t->unfinished, 1);
	assert_string_equal(span_at(log, t, 0, 0), "late [20, 100)");
	assert_true(t->rows[0].items[0].unfinished);
	assert_non_null(spans_at(t, 0, 100));
	done(log, &b);
}

/* Texts that are almost spans, and such as no program should write. */
static void hostile_texts(void **state)
{
	(void)state;
	static const char *const none[] = {"START", "START ", "STOP ", "START", "start a", " START a",
		"GHC:started: ", "GHC:started:", "ot2 begin span", "ot2 begin span ", "ot2 begin span x name",
		"ot2 begin span -1 name", "ot2 begin span 1x name", "ot2 set tag 1 a b", "OT"};
	struct built b = log_begin();
	for (size_t i = 0; i < countof(none); i++)
		msg(&b, 0, 10 + i, none[i]);
	for (unsigned len = 0; len < 12; len++) { /* every cut of a binary begin */
		put(&b, 60 + len, EVL_USER_BINARY_MSG, "");
		add_bytes(&b, "OT\x03\x01\0\0\0\0\0\0\0", len);
		patch(&b, b.len - len - 2, len, 2);
	}
	struct evl_log *log = walked(&b);
	assert_null(spans_table(&log->spans));
	done(log, &b);
}

/* A label as long as an event can be, full of zeros and control bytes; and a number that is its own label. */
static void long_names(void **state)
{
	(void)state;
	enum { LONG = 65000 };
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	for (int i = 0; i < 2; i++) {
		const char *word = i ? "STOP " : "START ";
		size_t at = b.len, head = strlen(word);
		put(&b, 10 + (uint64_t)i, EVL_USER_MSG, "s", word);
		for (unsigned k = 0; k < LONG; k++)
			add_number(&b, k % 256, 1);
		patch(&b, at + 10, head + LONG, 2);
	}
	put(&b, 20, EVL_USER_MSG, "s", "START 3");
	put(&b, 30, EVL_USER_MSG, "s", "STOP 3");
	block_end(&b, 30);
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, 2);
	assert_int_equal(spans_name(&log->blocks, &t->rows[0].items[0]).len, LONG);
	assert_string_equal(span_at(log, t, 0, 1), "3 [20, 30)");
	done(log, &b);
}

/* Sums over any range are those of a naive count; neighbours are found. */
static void ranges(void **state)
{
	(void)state;
	enum { SPANS = 500 };
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	uint64_t starts[SPANS], ends[SPANS], t = 10;
	srand(5);
	for (int i = 0; i < SPANS; i++) {
		starts[i] = t += (uint64_t)(rand() % 20);
		put(&b, t, EVL_USER_MSG, "s", "START x");
		ends[i] = t += (uint64_t)(rand() % 20);
		put(&b, t, EVL_USER_MSG, "s", "STOP x");
	}
	block_end(&b, t + 1);
	struct evl_log *log = walked(&b);
	const struct span_table *table = table_of(log);
	assert_int_equal(table->n, SPANS);
	for (int k = 0; k < 2000; k++) {
		uint64_t t0 = (uint64_t)rand() % (t + 50), t1 = t0 + 1 + (uint64_t)rand() % 200, ns = 0;
		size_t n = 0;
		for (int i = 0; i < SPANS; i++) {
			n += starts[i] < t1 && (ends[i] > t0 || starts[i] >= t0);
			ns += sub_or_0(min_u64(ends[i], t1), max_u64(starts[i], t0));
		}
		size_t got = 0;
		uint64_t got_ns = 0;
		for (int row = 0; row < table->n_rows; row++) {
			struct span_sum sum = spans_in(table, row, t0, t1);
			assert_true((sum.n > 0) == (sum.first != NULL));
			got += sum.n;
			got_ns += sum.ns;
		}
		assert_int_equal(got, n);
		assert_int_equal(got_ns, ns);
		const struct span *next = spans_after(table, 0, t0), *last = spans_before(table, 0, t0);
		assert_true(!next || (next->start > t0 && (!last || last < next)));
		assert_true(!last || last->start < t0);
	}
	done(log, &b);
}

static void look_on(void *ctx) { (void)ctx; }

/* Far more events than one match, while somebody looks on: the last table has all. */
static void matched_again_and_again(void **state)
{
	(void)state;
	enum { SPANS = 20000 };
	struct built b = log_begin();
	for (unsigned i = 0; i < SPANS; i++) {
		if (i % 100 == 0)
			block_begin(&b, (uint16_t)(i / 100 % CAPS), 10 * i + 1);
		put(&b, 10 * i + 1, EVL_USER_MSG, "s", "START loop");
		put(&b, 10 * i + 6, EVL_USER_MSG, "s", "STOP loop");
		if (i % 100 == 99)
			block_end(&b, 10 * i + 7);
	}
	struct evl_log *log;
	assert_int_equal(evl_open_memory(&log, b.data, b.len, NULL), 0);
	assert_int_equal(evl_start(log, look_on, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	const struct span_table *t = table_of(log);
	assert_int_equal(t->n, SPANS);
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(spans_in(t, 0, 0, 10 * SPANS).ns, 5 * SPANS);
	assert_non_null(t->older);
	done(log, &b);
}

/* More than there is room for: what is kept is right, what comes after is unknown, and nothing is made up. */
static void too_many(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put(&b, 5, EVL_USER_MSG, "s", "START whole");
	for (unsigned i = 0; i < MAX_SPAN_EVENTS / 2 + 10; i++) {
		put(&b, 10 * i + 11, EVL_USER_MSG, "s", "START x");
		put(&b, 10 * i + 16, EVL_USER_MSG, "s", "STOP x");
	}
	put(&b, 10 * MAX_SPAN_EVENTS, EVL_USER_MSG, "s", "STOP whole");
	block_end(&b, 10 * MAX_SPAN_EVENTS);
	struct evl_log *log = walked(&b);
	const struct span_table *t = table_of(log);
	uint64_t until = 10 * (MAX_SPAN_EVENTS / 2 - 1) + 16; /* the first that was not kept */
	assert_int_equal(log->spans.kept_until, until);
	assert_int_equal(log->spans.more, 1 + 20 + 1);
	assert_int_equal(t->n, 1 + MAX_SPAN_EVENTS / 2);
	assert_true(t->rows[0].items[0].unfinished);
	assert_int_equal(t->rows[0].items[0].end, until);
	done(log, &b);
}

/* The earliest of all capabilities are kept, whichever was read first. */
static void too_many_of_one(void **state)
{
	enum { LATE = MAX_SPAN_EVENTS / 2 + 40000, EARLY = 500 };
	(void)state;
	for (unsigned late = 0; late < 2; late++) {
		struct built b = log_begin();
		for (unsigned cap = 0; cap < 2; cap++) {
			uint64_t begin = cap == late ? 10 * MAX_SPAN_EVENTS : 1;
			block_begin(&b, (uint16_t)cap, begin);
			for (unsigned i = 0; i < (cap == late ? LATE : EARLY); i++) {
				put(&b, begin + 10 * i + 1, EVL_USER_MSG, "s", cap == late ? "START x" : "START y");
				put(&b, begin + 10 * i + 6, EVL_USER_MSG, "s", cap == late ? "STOP x" : "STOP y");
			}
			block_end(&b, begin + 10 * LATE);
		}
		struct evl_log *log = walked(&b);
		assert_int_equal(log->spans.kept_until, 10 * MAX_SPAN_EVENTS + 10 * (MAX_SPAN_EVENTS / 2 - EARLY) + 1);
		assert_int_equal(log->spans.more, 2 * (LATE + EARLY) - MAX_SPAN_EVENTS);
		assert_int_equal(table_of(log)->n, MAX_SPAN_EVENTS / 2);
		assert_int_equal(table_of(log)->unfinished, 0);
		done(log, &b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_of_one),
		cmocka_unit_test(start_and_stop),
		cmocka_unit_test(the_innermost_ends_first),
		cmocka_unit_test(threads_do_not_mix),
		cmocka_unit_test(ghc_itself),
		cmocka_unit_test(opentelemetry_nests_by_thread),
		cmocka_unit_test(conflicts_get_rows),
		cmocka_unit_test(more_than_rows),
		cmocka_unit_test(cut_ends),
		cmocka_unit_test(hostile_texts),
		cmocka_unit_test(long_names),
		cmocka_unit_test(ranges),
		cmocka_unit_test(matched_again_and_again),
		cmocka_unit_test(too_many),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
