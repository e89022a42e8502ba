/* Collections by the page: a log with more of them than a list holds gives the rows that were put into it. */
#include "base/find.h"
#include "each_log.h"
#include "rows/rows_private.h"
#include "table/gc_table.h"

enum { CAPS = 3, COLLECTIONS = 100000, STEP = 1000, TIES = 997, LENGTH = 10 };

/* Collection i is led by capability i % CAPS; every TIES-th starts with the one before it, and is alone. */
static bool is_tied(uint64_t i) { return i % TIES == TIES - 1; }
static bool is_pair(uint64_t i) { return is_tied(i) || (i + 1 < COLLECTIONS && is_tied(i + 1)); }
static uint64_t start_of(uint64_t i) { return STEP * (i + 1 - is_tied(i)); }
static uint64_t bytes_of(uint64_t i) { return i % 7 * 100; } /* allocated before its end, by its leader */
static bool has_helper(uint64_t i) { return i % 2 && !is_pair(i); }

static struct built many(void)
{
	struct built b = log_begin();
	for (unsigned cap = 0; cap < CAPS; cap++) {
		uint64_t allocated = 0;
		block_begin(&b, (uint16_t)cap, 1);
		for (uint64_t i = 0; i < COLLECTIONS; i++) {
			uint64_t t = start_of(i);
			if (i % CAPS == cap) {
				put_gc(&b, 0, t, t + LENGTH, i % 5 == 0);
				put(&b, t + LENGTH + 2, EVL_HEAP_ALLOCATED, "48", 0u, allocated += bytes_of(i));
			} else if (has_helper(i) && (i + 1) % CAPS == cap) {
				put(&b, t + 1, EVL_GC_START, "");
				put(&b, t + 2, EVL_GC_WORK, "");
				put(&b, t + LENGTH - 1, EVL_GC_END, "");
			}
		}
		block_end(&b, STEP * (COLLECTIONS + 2));
	}
	log_end(&b);
	return b;
}

static uint64_t count_in(struct rows_scan *s, int column)
{
	struct datum c = rows_cell(s, column);
	assert_int_equal(c.kind, CELL_COUNT);
	return c.count;
}

/* Is the row collection i? Of a pair either may come first. */
static void check(struct rows_scan *s, uint64_t i)
{
	uint64_t got = count_in(s, GC_COLUMN_START);
	if (got != start_of(i))
		fail_msg("row %llu starts at %llu", (unsigned long long)i, (unsigned long long)got);
	assert_int_equal(count_in(s, GC_COLUMN_INDEX), i + 1 - is_tied(i));
	assert_int_equal(count_in(s, GC_COLUMN_PAUSE), LENGTH);
	if (rows_wants(s, GC_COLUMN_ALLOCATED)) {
		uint64_t pair = is_tied(i) ? bytes_of(i) + bytes_of(i - 1) : bytes_of(i) + bytes_of(i + 1);
		assert_int_equal(count_in(s, GC_COLUMN_ALLOCATED), is_pair(i) ? pair : bytes_of(i));
		assert_int_equal(count_in(s, GC_COLUMN_WORKERS), 1 + (has_helper(i) || is_pair(i)));
	}
}

static void all_of(struct rows_source *source, uint64_t columns, uint64_t low, uint64_t high)
{
	struct rows_scan s = {.table = rows_find("gc"), .source = source, .ask = ROWS_ALL};
	int result;
	s.ask.columns = columns;
	s.ask.low = low;
	s.ask.high = high;
	assert_int_equal(rows_open(&s), 0);
	uint64_t i = 0;
	while (start_of(i) < low || start_of(i) < source->from)
		i++;
	for (; (result = rows_next(&s)) > 0; i++)
		check(&s, i);
	assert_int_equal(result, 0);
	assert_true(i == COLLECTIONS || start_of(i) > high || start_of(i) >= source->to);
	rows_close(&s);
}

static void every_row(void **state)
{
	const uint64_t shallow = 1 << GC_COLUMN_INDEX | 1 << GC_COLUMN_START | 1 << GC_COLUMN_PAUSE, all = UINT64_MAX;
	const uint64_t middle = STEP * (COLLECTIONS / 2);
	struct built b = many();
	struct evl_log *log = walked(&b);
	struct rows_source source = {.log = log, .to = UINT64_MAX},
			   part = {.log = log, .from = middle, .to = 2 * middle};
	(void)state;
	all_of(&source, shallow, 0, UINT64_MAX);
	all_of(&source, all, 0, UINT64_MAX);
	all_of(&source, shallow, middle + 1, UINT64_MAX);
	all_of(&source, all, 0, middle);
	all_of(&source, all, middle / 2, middle + 777);
	all_of(&source, shallow, middle, middle + STEP);
	all_of(&source, all, middle, middle + STEP); /* few */
	all_of(&part, all, 0, UINT64_MAX);
	all_of(&part, shallow, middle + 100 * STEP, UINT64_MAX);
	rows_source_free(&source);
	rows_source_free(&part);
	done(log, &b);
}

/* Scans at different places at once, more of them than pages are kept. */
static void at_once(void **state)
{
	enum { SCANS = 5, APART = 20000 };
	struct built b = many();
	struct evl_log *log = walked(&b);
	struct rows_source source = {.log = log, .to = UINT64_MAX};
	struct rows_scan scans[SCANS];
	(void)state;
	for (uint64_t k = 0; k < SCANS; k++) {
		scans[k] = (struct rows_scan){.table = rows_find("gc"), .source = &source, .ask = ROWS_ALL};
		scans[k].ask.columns = 1 << GC_COLUMN_INDEX;
		scans[k].ask.low = start_of(k * APART);
		assert_int_equal(rows_open(&scans[k]), 0);
	}
	for (uint64_t i = 0; i < COLLECTIONS; i++)
		for (uint64_t k = 0; k < SCANS; k++) {
			bool more = k * APART + i < COLLECTIONS;
			assert_int_equal(rows_next(&scans[k]), more);
			if (more)
				check(&scans[k], k * APART + i);
		}
	for (uint64_t k = 0; k < SCANS; k++)
		rows_close(&scans[k]);
	rows_source_free(&source);
	done(log, &b);
}

static size_t censuses;

/* A major collection is for a census if a sample was taken in it: by reading all samples. */
static bool is_sampled(const struct evl_log *log, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < census_count(&log->census); i++)
		if (census_at(&log->census, i)->t >= from && census_at(&log->census, i)->t < to)
			return true;
	return false;
}

static void check_flags(const struct evl_log *log, const char *name)
{
	struct rows_source source = {.log = log, .to = UINT64_MAX};
	struct rows_scan s = {.table = rows_find("gc"), .source = &source, .ask = ROWS_ALL};
	assert_int_equal(rows_open(&s), 0);
	while (rows_next(&s) > 0) {
		uint64_t start = count_in(&s, GC_COLUMN_START), end = count_in(&s, GC_COLUMN_END);
		struct datum gen = rows_cell(&s, GC_COLUMN_KIND);
		bool minor = gen.kind == CELL_TEXT && str_is(gen.text, "minor");
		struct datum flags = rows_cell(&s, GC_COLUMN_FLAGS);
		bool says = flags.kind == CELL_TEXT && str_begins(flags.text, "census");
		bool forced = flags.kind == CELL_TEXT && find_bytes(flags.text.p, flags.text.len, "forced", 6);
		if (says != (!minor && is_sampled(log, start, end)) || (says && forced))
			fail_msg("%s: the collection at %llu", name, (unsigned long long)start);
		censuses += says;
	}
	rows_close(&s);
	rows_source_free(&source);
}

static void censuses_are_flagged(void **state)
{
	char *files[] = {NULL};
	(void)state;
	each_log_of(files, check_flags);
	assert_true(censuses > 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row), cmocka_unit_test(at_once), cmocka_unit_test(censuses_are_flagged)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
