/* Answers of the heap pane: rows in order, the filter, the place in the table, the picture, the difference; and
 * the job that finds it. */
#include "logs.h"

#include "panes/heap/heap_chart.h"
#include "panes/heap/heap_job.h"
#include "panes/heap/heap_query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 8, BANDS = 20, SECOND = 1000000000 };

static struct built bytes;
static struct evl_log *log_;

/* Band k has 1000 (k + 1) bytes; band 7 grows by 5000 a sample, band 3 is let go in the middle. */
static uint64_t size_of(unsigned band, unsigned sample)
{
	return band == 3 && sample >= SAMPLES / 2 ? 0 : 1000u * (band + 1) + (band == 7 ? 5000u * sample : 0);
}

static uint64_t peak_of(unsigned band)
{
	uint64_t most = 0;
	for (unsigned s = 0; s < SAMPLES; s++)
		most = size_of(band, s) > most ? size_of(band, s) : most;
	return most;
}

static int open_log(void **state)
{
	(void)state;
	bytes = log_begin();
	block_begin(&bytes, EVL_NO_CAP, 0);
	put(&bytes, 1, EVL_HEAP_PROF_BEGIN, "1841111111", 0u, (uint64_t)100, 2u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
	for (unsigned s = 0; s < SAMPLES; s++) {
		uint64_t t = (s + 1) * (uint64_t)SECOND;
		put(&bytes, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		for (unsigned k = 0; k < BANDS; k++) {
			char label[24];
			snprintf(label, sizeof label, "%s%02u", k % 2 ? "Odd" : "Even", k);
			if (size_of(k, s))
				put(&bytes, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, size_of(k, s), label, 0u);
		}
		put(&bytes, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	block_end(&bytes, (uint64_t)10 * SECOND);
	log_end(&bytes);
	log_ = walked(&bytes);
	return 0;
}

static int close_log(void **state)
{
	(void)state;
	done(log_, &bytes);
	return 0;
}

static struct heap_ask an_ask(void)
{
	struct heap_ask ask;
	memset(&ask, 0, sizeof ask);
	ask.last = 8 * (uint64_t)SECOND;
	ask.t1 = ask.last + 1;
	ask.cursor = ask.other = 2 * (uint64_t)SECOND;
	ask.range_to = ask.t1;
	ask.cols = 40;
	ask.rows = 10;
	ask.hues = 8;
	ask.room = 5;
	ask.only = ask.at = BANDS_REST;
	return ask;
}

struct shown_page {
	struct heap_scan scan;
	struct heap_answer page;
};

static void find(struct shown_page *f, const struct heap_ask *ask)
{
	if (!f->scan.log)
		heap_scan_init(&f->scan, log_, NULL);
	assert_int_equal(heap_find_page(&f->scan, ask, &f->page), 0);
}

static void forget(struct shown_page *f)
{
	heap_scan_free(&f->scan);
	heap_answer_free(&f->page);
}

static void assert_rows(const struct heap_answer *p, size_t n, const char *const *labels)
{
	assert_int_equal(p->n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(p->rows[i].label, labels[i]);
}

static void bands_stand_in_the_order_that_is_asked_for(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	find(&f, &ask);
	assert_int_equal(f.page.samples, SAMPLES);
	assert_int_equal(f.page.all, BANDS);
	assert_rows(&f.page, 5, (const char *const[]){"Odd07", "Odd19", "Even18", "Odd17", "Even16"});
	ask.sort = HEAP_BY_AT;
	find(&f, &ask);
	assert_rows(&f.page, 5, (const char *const[]){"Odd19", "Even18", "Odd17", "Even16", "Odd15"});
	assert_int_equal(f.page.rows[0].bytes, 20000);
	ask.sort = HEAP_BY_GROWTH;
	find(&f, &ask);
	assert_string_equal(f.page.rows[0].label, "Odd07");
	assert_true(f.page.rows[0].growth.slope > 4999 && f.page.rows[0].growth.slope < 5001);
	ask.sort = HEAP_BY_NAME;
	find(&f, &ask);
	assert_rows(&f.page, 5, (const char *const[]){"Even00", "Even02", "Even04", "Even06", "Even08"});
	forget(&f);
}

static void one_moves_through_the_table(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	ask.sort = HEAP_BY_NAME;
	ask.move = 7;
	find(&f, &ask);
	assert_int_equal(f.page.top, 3); /* as little as is needed */
	assert_int_equal(f.page.cursor, 4);
	assert_string_equal(f.page.rows[4].label, "Even14");
	ask.at = f.page.rows[4].number;
	ask.top = 3;
	ask.move = -1;
	find(&f, &ask);
	assert_int_equal(f.page.top, 3);
	assert_int_equal(f.page.cursor, 3);
	ask.move = 1000;
	find(&f, &ask);
	assert_int_equal(f.page.top + f.page.cursor, BANDS - 1);
	ask.move = -1000;
	find(&f, &ask);
	assert_int_equal(f.page.top + f.page.cursor, 0);
	forget(&f);
}

static void a_filter_hides_bands_in_the_table_and_in_the_picture(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	find(&f, &ask);
	uint64_t all = f.page.largest;
	snprintf(ask.filter, sizeof ask.filter, "(even or \\v^Odd0[13]$) !18");
	find(&f, &ask);
	assert_int_equal(f.page.all, 11); /* nine of the even ones, and two odd ones */
	assert_int_equal(f.page.hidden, BANDS - 11);
	assert_true(f.page.largest < all);
	memset(ask.filter, 0, sizeof ask.filter);
	snprintf(ask.filter, sizeof ask.filter, "nothing of this name");
	find(&f, &ask);
	assert_int_equal(f.page.all, 0);
	assert_int_equal(f.page.n, 0);
	memset(ask.filter, 0, sizeof ask.filter);
	find(&f, &ask);
	assert_int_equal(f.page.all, BANDS);
	assert_int_equal(f.page.largest, all);
	forget(&f);
}

static void filters_are_words(void **state)
{
	struct filter filter;
	struct evl_err err;
	(void)state;
	assert_int_equal(filter_parse(&filter, &heap_filter_fields, "", &err), 0);
	assert_true(heap_filter_keeps(&filter, EVL_STR("anything")));
	filter_free(&filter);
	assert_int_equal(filter_parse(&filter, &heap_filter_fields, "\"a b\" !c", &err), 0);
	assert_true(heap_filter_keeps(&filter, EVL_STR("xa by")));
	assert_false(heap_filter_keeps(&filter, EVL_STR("xa bc")));
	assert_false(heap_filter_keeps(&filter, EVL_STR("ab")));
	filter_free(&filter);
	assert_int_equal(filter_parse(&filter, &heap_filter_fields, "a or label=b*d", &err), 0);
	assert_true(heap_filter_keeps(&filter, EVL_STR("xa")));
	assert_true(heap_filter_keeps(&filter, EVL_STR("bcd")));
	assert_false(heap_filter_keeps(&filter, EVL_STR("xbcd")));
	filter_free(&filter);
	assert_int_equal(filter_parse(&filter, &heap_filter_fields, "a \\v(", &err), EVL_USAGE);
	assert_int_equal(strncmp(err.text, "column 3: ", 10), 0);
	filter_free(&filter);
	assert_int_equal(
		filter_parse(&filter, &heap_filter_fields, "1 2 3 4 5 6 7 8 9 a b c d e f g h", &err), EVL_USAGE);
	filter_free(&filter);
}

/* Of the picture: the bands with the highest peaks, the others together, nothing lost. */
static void the_picture_holds_all_bytes(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	find(&f, &ask);
	assert_int_equal(f.page.n_knots, SAMPLES);
	assert_int_equal(f.page.slots.n, 8);
	for (unsigned k = 0; k < BANDS; k++) {
		bool drawn = false;
		for (int i = 0; i < f.page.slots.n; i++)
			drawn |= bands_at(&f.scan.survey.bands, f.page.slots.bands[i])->peak == peak_of(k);
		assert_int_equal(drawn, k == 7 || k > 12);
	}
	assert_int_equal(f.page.others, BANDS - (size_t)f.page.slots.n);
	for (unsigned s = 0; s < SAMPLES; s++) {
		uint64_t want = 0, got = 0;
		for (unsigned k = 0; k < BANDS; k++)
			want += size_of(k, s);
		for (int k = 0; k < CENSUS_SLOTS; k++)
			got += f.page.knots[s].parts[k];
		assert_int_equal(got, want);
		assert_int_equal(f.page.knots[s].total, want);
	}
	ask.only = f.page.rows[0].number;
	find(&f, &ask);
	assert_int_equal(f.page.slots.n, 1);
	assert_int_equal(f.page.largest, size_of(7, SAMPLES - 1));
	forget(&f);
}

/* The rows and "other" are the whole, wherever the table is; no two bands of the picture have one colour. */
static void rows_and_others_are_the_whole(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	for (unsigned top = 0; top < BANDS; top += 4) {
		ask.at = BANDS_REST;
		ask.top = 0;
		ask.move = (int32_t)top;
		ask.sort = top % HEAP_BY_CHANGE;
		find(&f, &ask);
		uint64_t sum = f.page.rest.bytes;
		for (size_t i = 0; i < f.page.n; i++)
			sum += f.page.rows[i].bytes;
		assert_int_equal(sum, f.page.at.total);
		assert_int_equal(f.page.unlisted + f.page.n, BANDS);
	}
	ask.hues = 40;
	find(&f, &ask);
	assert_int_equal(f.page.slots.n, CENSUS_SLOTS - 1);
	for (int i = 0; i < f.page.slots.n; i++)
		for (int k = 0; k <= i; k++)
			assert_int_equal(f.page.styles[i] == f.page.styles[k], i == k);
	forget(&f);
}

/* The band that grows is found by its label, and told since when; what does not grow is flat, or zero. */
static void courses_of_the_listed_bands(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	snprintf(ask.find, sizeof ask.find, "Odd07");
	find(&f, &ask);
	assert_string_equal(f.page.rows[f.page.cursor].label, "Odd07");
	assert_string_equal(f.page.rows[f.page.cursor].since, "rises since 1.00 s");
	assert_string_equal(f.page.facts[0].name, "history");
	assert_string_equal(
		f.page.facts[0].text, "rose 8.0 kB → 43 kB from 1.00 s to 8.00 s, rising until the last sample");
	memset(ask.find, 0, sizeof ask.find);
	snprintf(ask.find, sizeof ask.find, "Odd03");
	find(&f, &ask);
	assert_string_equal(f.page.rows[f.page.cursor].label, "Odd03");
	assert_string_equal(f.page.facts[0].text, "fell 4.0 kB → 0 B at 5.00 s, zero since");
	assert_string_equal(f.page.rows[0].since, "flat");
	ask.range_from = 2 * (uint64_t)SECOND; /* of a part of the time */
	ask.range_to = 4 * (uint64_t)SECOND + 1;
	find(&f, &ask);
	assert_string_equal(f.page.facts[0].text, "flat at 4.0 kB");
	forget(&f);
}

/* Integrated: the area below straight lines from sample to sample. */
static void area_and_deviation(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	find(&f, &ask);
	for (uint32_t i = 0; i < BANDS; i++) {
		unsigned k = BANDS;
		while (k-- > 0 && bands_at(&f.scan.survey.bands, i)->peak != peak_of(k))
			;
		double area = 0, mean = 0, square = 0;
		for (unsigned s = 0; s < SAMPLES; s++) {
			area += s + 1 < SAMPLES ? ((double)size_of(k, s) + (double)size_of(k, s + 1)) / 2 : 0;
			mean += (double)size_of(k, s) / SAMPLES;
		}
		for (unsigned s = 0; s < SAMPLES; s++)
			square += ((double)size_of(k, s) - mean) * ((double)size_of(k, s) - mean) / SAMPLES;
		assert_true(fabs(f.scan.window.courses[i].area - area) < 1e-3);
		assert_true(fabs(census_deviation(&f.scan.window, &f.scan.window.courses[i]) - sqrt(square)) < 1e-3);
	}
	forget(&f);
}

static void axes_are_round(void **state)
{
	static const uint64_t values[] = {0, 1, 3, 7, 99, 100, 101, 41279432, 1048576, 999999999, UINT64_MAX};
	(void)state;
	for (size_t i = 0; i < countof(values); i++)
		for (int rows = 1; rows < 40; rows += 6) {
			uint64_t step, end = heap_axis(values[i], rows, &step), digits = step;
			while (digits % 10 == 0)
				digits /= 10;
			assert_true(digits == 1 || digits == 2 || digits == 5);
			assert_true(end >= values[i] && end >= step);
			if (end != UINT64_MAX) {
				assert_int_equal(end % step, 0);
				assert_true(end - values[i] <= step);
			}
		}
}

static void colours_stay_with_the_bands(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	uint8_t styles[BANDS] = {0};
	(void)state;
	find(&f, &ask);
	for (int i = 0; i < f.page.slots.n; i++)
		styles[f.page.slots.bands[i]] = f.page.styles[i];
	ask.t1 = 3 * (uint64_t)SECOND;
	snprintf(ask.filter, sizeof ask.filter, "Odd");
	find(&f, &ask);
	for (int i = 0; i < f.page.slots.n; i++)
		if (styles[f.page.slots.bands[i]])
			assert_int_equal(f.page.styles[i], styles[f.page.slots.bands[i]]);
	forget(&f);
}

static void two_times_are_compared(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	ask.compares = 1;
	ask.other = SECOND;
	ask.cursor = ask.last;
	ask.sort = HEAP_BY_CHANGE;
	ask.room = BANDS;
	find(&f, &ask);
	assert_string_equal(f.page.rows[0].label, "Odd07");
	assert_int_equal(f.page.rows[0].bytes - f.page.rows[0].other, 5000 * (SAMPLES - 1));
	assert_string_equal(f.page.rows[1].label, "Odd03"); /* it fell: the size of the change counts */
	assert_int_equal(f.page.rows[1].other - f.page.rows[1].bytes, 4000);
	assert_int_equal(f.page.growth.n, 2);
	assert_string_equal(f.page.growth.items[0].label, "Odd07");
	assert_int_equal(f.page.growth.items[1].by, -4000);
	forget(&f);
}

/* The largest sample of the other log: bands 0 … 11 with three times their bytes, and one that this log does not have. */
static struct evl_log *open_other(struct built *b)
{
	enum { ITS_BANDS = 12, OTHER_SAMPLES = 3 };
	*b = log_begin();
	block_begin(b, EVL_NO_CAP, 0);
	put(b, 1, EVL_HEAP_PROF_BEGIN, "1841111111", 0u, (uint64_t)100, 2u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
	for (unsigned s = 0; s < OTHER_SAMPLES; s++) {
		uint64_t t = (s + 1) * (uint64_t)SECOND / 2, times = s == 1 ? 3 : 1;
		put(b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		for (unsigned k = 0; k < ITS_BANDS; k++) {
			char label[24];
			snprintf(label, sizeof label, "%s%02u", k % 2 ? "Odd" : "Even", k);
			put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, times * 1000 * (k + 1), label, 0u);
		}
		put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)50000, "New99", 0u);
		put(b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	block_end(b, (uint64_t)2 * SECOND);
	log_end(b);
	return walked(b);
}

static uint64_t other_size(const char *label)
{
	unsigned number = (unsigned)atoi(label + strcspn(label, "0123456789"));
	return strcmp(label, "New99") == 0 ? 50000 : number < 12 ? 3000 * ((uint64_t)number + 1) : 0;
}

static void another_log_is_compared_by_name(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	struct built b;
	struct evl_log *other = open_other(&b);
	uint64_t before = UINT64_MAX, sum = 0;
	(void)state;
	ask.compares = 1;
	ask.against = other;
	ask.sort = HEAP_BY_CHANGE;
	ask.room = 2 * BANDS;
	find(&f, &ask);
	assert_int_equal(f.page.n, BANDS + 1);
	assert_string_equal(f.page.rows[0].label, "New99");
	assert_int_equal(f.page.other.t, SECOND);
	for (size_t i = 0; i < f.page.n; i++) {
		const struct heap_row *row = &f.page.rows[i];
		uint64_t change = row->bytes > row->other ? row->bytes - row->other : row->other - row->bytes;
		assert_int_equal(row->other, other_size(row->label));
		assert_true(change <= before);
		before = change;
		sum += row->other;
	}
	assert_int_equal(sum, f.page.other.total);
	ask.room = 4;
	find(&f, &ask);
	for (sum = f.page.rest.other, before = f.page.rest.bytes; f.page.n; f.page.n--) {
		sum += f.page.rows[f.page.n - 1].other;
		before += f.page.rows[f.page.n - 1].bytes;
	}
	assert_int_equal(sum, f.page.other.total);
	assert_int_equal(before, f.page.at.total);

	for (unsigned sort = 0; sort < HEAP_SORT_COUNT; sort++) { /* also the row that is not of this log */
		ask.sort = sort;
		ask.move = INT32_MAX;
		find(&f, &ask);
		ask.move = INT32_MIN;
		find(&f, &ask);
	}
	snprintf(ask.filter, sizeof ask.filter, "New");
	find(&f, &ask);
	assert_int_equal(f.page.n, 1);
	assert_string_equal(f.page.rows[0].label, "New99");
	assert_true(f.page.n_facts > 0);
	ask.filter[0] = '\0';
	snprintf(ask.group, sizeof ask.group, "/^(Odd|Even).*$/\\1/");
	ask.sort = HEAP_BY_NAME;
	find(&f, &ask);
	assert_rows(&f.page, 3, (const char *const[]){"Even", "New99", "Odd"});
	assert_int_equal(f.page.rows[0].other, 3000 * (1 + 3 + 5 + 7 + 9 + 11));
	ask.against = NULL;
	ask.compares = 0;
	find(&f, &ask);
	assert_rows(&f.page, 2, (const char *const[]){"Even", "Odd"});
	forget(&f);
	done(other, &b);
}

/* The rows of the opened group are together, below its own, in every order; rows and others are the whole. */
static void a_group_is_opened(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	snprintf(ask.group, sizeof ask.group, "/^(Odd|Even).*$/\\1/");
	find(&f, &ask);
	assert_rows(&f.page, 2, (const char *const[]){"Odd", "Even"});
	assert_int_equal(f.page.rows[0].fold, FOLD_CLOSED);
	uint64_t odd = f.page.rows[0].bytes;
	snprintf(ask.open, sizeof ask.open, "Odd");
	ask.at = BANDS_OPEN;
	for (unsigned sort = 0; sort < HEAP_BY_CHANGE; sort++) {
		ask.sort = sort;
		ask.room = 2 * BANDS;
		find(&f, &ask);
		assert_int_equal(f.page.n, BANDS / 2 + 2);
		size_t head = f.page.cursor;
		uint64_t sum = 0;
		assert_int_equal(f.page.rows[head].number, BANDS_OPEN);
		assert_int_equal(f.page.rows[head].fold, FOLD_OPEN);
		assert_int_equal(f.page.rows[head].bytes, odd);
		for (size_t i = head + 1; i <= head + BANDS / 2; i++) {
			assert_memory_equal(f.page.rows[i].label, "Odd", 3);
			assert_int_equal(f.page.rows[i].depth, 1);
			sum += f.page.rows[i].bytes;
		}
		assert_int_equal(sum, odd);
		assert_int_equal(f.page.unlisted, 0);
		ask.room = 3;
		find(&f, &ask);
		for (sum = f.page.rest.bytes; f.page.n; f.page.n--)
			if (f.page.rows[f.page.n - 1].number != BANDS_OPEN)
				sum += f.page.rows[f.page.n - 1].bytes;
		assert_int_equal(sum, f.page.at.total);
	}
	ask.sort = HEAP_BY_CHANGE; /* of all its bands together: Odd03 falls, Odd07 rises */
	ask.compares = 1;
	ask.other = SECOND;
	ask.cursor = ask.last;
	ask.room = 2 * BANDS;
	find(&f, &ask);
	assert_int_equal(f.page.rows[0].number, BANDS_OPEN);
	assert_int_equal(f.page.rows[0].bytes - f.page.rows[0].other, 5000 * (SAMPLES - 1) - 4000);
	assert_string_equal(f.page.rows[1].label, "Odd07");
	assert_string_equal(f.page.rows[2].label, "Odd03");
	ask.open[0] = '\0';
	snprintf(ask.find, sizeof ask.find, "Odd");
	find(&f, &ask);
	assert_int_equal(f.page.n, 2);
	assert_string_equal(f.page.rows[f.page.cursor].label, "Odd");
	forget(&f);
}

static void neighbours_of_the_cursor(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	find(&f, &ask);
	assert_true(f.page.has_before && f.page.before_t == SECOND);
	assert_true(f.page.has_after && f.page.after_t == 3 * (uint64_t)SECOND);
	ask.cursor = 0;
	find(&f, &ask);
	assert_false(f.page.has_before);
	assert_int_equal(f.page.at.sample, 0);
	ask.cursor = ask.last;
	find(&f, &ask);
	assert_false(f.page.has_after);
	forget(&f);
}

/* Before the first sample nothing is known of the cursor; another moment there has the first sample to compare with. */
static void there_is_no_sample_before_the_first(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	ask.cursor = SECOND - 1;
	for (ask.compares = 0; ask.compares < 2; ask.compares++) {
		ask.other = 0;
		find(&f, &ask);
		assert_true(f.page.at.early);
		assert_int_equal(f.page.at.t, SECOND);
		assert_int_equal(f.page.at.total, 0);
		assert_int_equal(f.page.rest.bytes, 0);
		assert_int_equal(f.page.n, 5);
		for (size_t i = 0; i < f.page.n; i++) {
			assert_int_equal(f.page.rows[i].bytes, 0);
			assert_true(f.page.rows[i].peak > 0);
			assert_int_equal(f.page.rows[i].other > 0, ask.compares);
		}
	}
	ask.cursor = SECOND;
	find(&f, &ask);
	assert_false(f.page.at.early);
	assert_true(f.page.at.total > 0 && f.page.rows[0].bytes > 0);
	forget(&f);
}

static void a_cancelled_ask_can_be_asked_again(void **state)
{
	struct shown_page f = {0};
	struct heap_ask ask = an_ask();
	atomic_bool cancel = true;
	(void)state;
	heap_scan_init(&f.scan, log_, &cancel);
	int result = heap_find_page(&f.scan, &ask, &f.page);
	assert_true(result == 0 || result == EVL_CANCELLED);
	atomic_store(&cancel, false);
	find(&f, &ask);
	assert_int_equal(f.page.samples, SAMPLES);
	forget(&f);
}

/* The job: the last ask counts, and asking the same again costs nothing. */
static void the_job_answers_the_last_ask(void **state)
{
	struct heap_job *job = heap_job_new(log_, NULL, NULL);
	struct heap_answer page = {0};
	struct heap_ask ask = an_ask();
	(void)state;
	assert_non_null(job);
	for (unsigned i = 0; i < 200; i++) {
		ask.cursor = i * (uint64_t)SECOND / 25;
		ask.t0 = i % 3 * (uint64_t)SECOND;
		ask.sort = i % HEAP_BY_CHANGE;
		heap_job_ask(job, &ask, NULL, 0, &page);
	}
	assert_true(heap_job_ask(job, &ask, NULL, -1, &page));
	assert_memory_equal(&page.ask, &ask, sizeof ask);
	assert_false(heap_job_busy(job));
	assert_true(heap_job_ask(job, &ask, NULL, 0, &page));
	heap_answer_free(&page);
	heap_job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bands_stand_in_the_order_that_is_asked_for),
		cmocka_unit_test(one_moves_through_the_table),
		cmocka_unit_test(a_filter_hides_bands_in_the_table_and_in_the_picture),
		cmocka_unit_test(filters_are_words),
		cmocka_unit_test(the_picture_holds_all_bytes),
		cmocka_unit_test(rows_and_others_are_the_whole),
		cmocka_unit_test(axes_are_round),
		cmocka_unit_test(courses_of_the_listed_bands),
		cmocka_unit_test(area_and_deviation),
		cmocka_unit_test(colours_stay_with_the_bands),
		cmocka_unit_test(two_times_are_compared),
		cmocka_unit_test(another_log_is_compared_by_name),
		cmocka_unit_test(a_group_is_opened),
		cmocka_unit_test(neighbours_of_the_cursor),
		cmocka_unit_test(there_is_no_sample_before_the_first),
		cmocka_unit_test(a_cancelled_ask_can_be_asked_again),
		cmocka_unit_test(the_job_answers_the_last_ask),
	};
	return cmocka_run_group_tests(tests, open_log, close_log);
}
