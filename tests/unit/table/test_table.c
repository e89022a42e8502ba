/* Tables of rows that are decoded on demand: the order by every column, filters, and what the cells say. */
#include "logs.h"
#include "table/gc_table.h"
#include "table/thread_table.h"

#include <stdio.h>

static struct evl_log *open_log(const char *path)
{
	struct evl_log *log;
	assert_int_equal(evl_open(&log, path, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

static struct table_rows rows_of(const struct evl_log *log, const struct table_order *order)
{
	struct gc_list list = {.of.log = log};
	struct table_rows rows;
	uint64_t *refs;
	size_t n;
	assert_int_equal(gc_table_refs(log, 0, UINT64_MAX, &refs, &n), 0);
	assert_int_equal(table_rows_make(&rows, &gc_table_kind, &list, refs, n, order, NULL), 0);
	return rows;
}

static double cell(const struct evl_log *log, uint64_t ref, int column, bool *known)
{
	struct gc_list list = {.of.log = log};
	struct buf scratch = {0};
	struct datum c = gc_table_kind.cell(&list, ref, column, &scratch);
	*known = c.kind;
	buf_free(&scratch);
	return cell_double(&c);
}

/* Five collections whose pauses went into what the column says: two capabilities, of which cap 1 stops last. */
static void what_pauses_went_into(void **state)
{
	(void)state;
	static const struct {
		unsigned request, start, end, run, stop,
			late_end; /* run, stop: of thread 5 on cap 1; late_end: its GC_END */
		const char *word;
	} gcs[] = {{100, 110, 200, 0, 0, 200, "collecting"}, {1000, 1500, 1600, 0, 0, 1600, "no thread ran"},
		{2000, 2500, 2600, 1900, 2450, 3000, "thread 5"}, {2700, 3100, 3150, 3000, 3040, 4000, "previous GC"},
		{3700, 4100, 4150, 4000, 4030, 4160, "previous GC (nm mark)"}};
	struct built b = log_begin();
	block_begin(&b, 0, 50);
	put(&b, 60, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0);
	for (size_t i = 0; i < countof(gcs); i++)
		put_gc(&b, gcs[i].request, gcs[i].start, gcs[i].end, 0);
	block_end(&b, 5000);
	block_begin(&b, 1, 50);
	for (size_t i = 0; i < countof(gcs); i++) {
		if (gcs[i].run) {
			put_run(&b, gcs[i].run, 5);
			put_stop(&b, gcs[i].stop, 5, 3);
		}
		put(&b, gcs[i].start, EVL_GC_START, "");
		put(&b, gcs[i].late_end, EVL_GC_END, "");
	}
	block_end(&b, 5000);
	block_begin(&b, EVL_NO_CAP, 50);
	put(&b, 2400, EVL_CONC_MARK_BEGIN, "");
	put(&b, 2750, EVL_CONC_MARK_END, "4", 1u); /* too short in the fourth */
	put(&b, 3710, EVL_CONC_MARK_BEGIN, "");
	put(&b, 3990, EVL_CONC_MARK_END, "4", 1u);
	block_end(&b, 5000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct table_rows rows = rows_of(log, &(struct table_order){GC_COLUMN_START, false, NULL});
	assert_int_equal(rows.n, countof(gcs));
	for (size_t i = 0; i < countof(gcs); i++) {
		struct gc_list list = {.of.log = log};
		struct buf scratch = {0};
		struct datum c = gc_table_kind.cell(&list, rows.refs[i], GC_COLUMN_MOSTLY, &scratch);
		assert_true(str_is(c.text, gcs[i].word));
		buf_free(&scratch);
	}
	table_rows_free(&rows);
	done(log, &b);
}

static void by_every_column(void **state)
{
	struct evl_log *log = open_log("tests/logs/9.6.6-nonmover-N2.eventlog");
	(void)state;
	for (int column = 0; column < GC_COLUMNS; column++)
		for (int falling = 0; falling < 2 && gc_table_kind.columns[column].unit != UNIT_TEXT; falling++) {
			struct table_rows rows = rows_of(log, &(struct table_order){column, falling, NULL});
			assert_true(rows.n > 10 && rows.n == rows.all);
			for (size_t i = 1; i < rows.n; i++) {
				bool had, has;
				double before = cell(log, rows.refs[i - 1], column, &had),
				       now = cell(log, rows.refs[i], column, &has);
				assert_true(had || !has); /* what is not known goes last */
				assert_true(!has || !had || (falling ? before >= now : before <= now));
				uint64_t a = gc_table_row(log, rows.refs[i - 1])->start,
					 b = gc_table_row(log, rows.refs[i])->start;
				bool equal = had == has && (!has || !(before < now || before > now));
				assert_true(!equal || a <= b); /* equals as they were */
			}
			table_rows_free(&rows);
		}
	evl_close(log);
}

static size_t count(const struct evl_log *log, const char *text)
{
	struct filter filter;
	struct evl_err err;
	assert_int_equal(table_filter_parse(&filter, &gc_table_kind, text, &err), 0);
	struct table_rows rows = rows_of(log, &(struct table_order){-1, false, &filter});
	size_t n = rows.n;
	table_rows_free(&rows);
	filter_free(&filter);
	return n;
}

static void filters(void **state)
{
	struct evl_log *log = open_log("tests/logs/9.0.2-trouble-late.eventlog");
	struct gc_sum sum;
	(void)state;
	gcs_sum(&log->gcs, 0, UINT64_MAX, &sum);
	assert_int_equal(count(log, ""), sum.n);
	assert_int_equal(count(log, "  "), sum.n);
	assert_int_equal(count(log, "gen=0") + count(log, "gen!=0"), sum.n);
	assert_int_equal(count(log, "pause>10ms") + count(log, "pause<=10ms"), sum.n);
	assert_true(count(log, "pause>10ms") > 0 && count(log, "pause>10ms") < sum.n);
	assert_int_equal(count(log, "kind=minor"), count(log, "minor"));
	assert_int_equal(count(log, "kind=MIN*") + count(log, "kind!=min*"), sum.n);
	assert_int_equal(count(log, "major minor"), 0);
	assert_int_equal(count(log, "major or minor"), sum.n);
	assert_int_equal(count(log, "!(major or pause>10ms)"), count(log, "minor pause<=10ms"));
	assert_int_equal(count(log, "pause:0ms-10ms"), count(log, "pause<=10ms"));
	assert_true(count(log, "late_cap=1 sync>1ms") > 0);
	size_t mostly_sync = 0; /* times can be shares of the pause */
	for (const struct gc_row *gc = NULL; (gc = gcs_after(&log->gcs, gc ? gc->start : 0, GC_ALL));)
		mostly_sync += 2 * gc->sync > gc_pause(gc);
	assert_true(mostly_sync > 0 && mostly_sync < sum.n);
	assert_int_equal(count(log, "sync>50%"), mostly_sync);
	assert_int_equal(count(log, "sync<=50%"), sum.n - mostly_sync);
	assert_int_equal(count(log, "live>0") + count(log, "live=0"), count(log, "major")); /* known of those only */
	evl_close(log);
}

/* A further name of a column: the same rows. */
static void aliases(void **state)
{
	static const char *const pairs[][2] = {{"t>0.01s", "start>0.01s"},
		{"!t:0s-0.02s gen=0", "!start:0s-0.02s gen=0"}, {"t<1h", ""},
		{"pause_ns>100us copied_bytes>0", "pause>100us copied>0"}};
	struct evl_log *log = open_log("tests/logs/9.6.6-nonmover-N2.eventlog");
	(void)state;
	for (size_t i = 0; i < countof(pairs); i++) {
		struct table_rows rows[2];
		struct filter f;
		for (int k = 0; k < 2; k++) {
			assert_int_equal(table_filter_parse(&f, &gc_table_kind, pairs[i][k], NULL), 0);
			rows[k] = rows_of(log, &(struct table_order){.column = -1, .filter = &f});
			filter_free(&f);
		}
		assert_true(rows[0].n > 0);
		assert_int_equal(rows[0].n, rows[1].n);
		assert_memory_equal(rows[0].refs, rows[1].refs, rows[0].n * sizeof *rows[0].refs);
		table_rows_free(&rows[0]);
		table_rows_free(&rows[1]);
	}
	evl_close(log);
}

static void refused(void **state)
{
	static const char *const bad[] = {"nonsense=1", "pause>5MB", "kind>minor", "pause>", "pause>50%", "copied>50%",
		"gen=0 (pause>1ms", "gen=0-", "1 2 3 4 5 6 7 8 9 a b c d e f g h"};
	struct filter f;
	struct evl_err err;
	(void)state;
	for (size_t i = 0; i < countof(bad); i++) {
		assert_int_equal(table_filter_parse(&f, &gc_table_kind, bad[i], &err), EVL_USAGE);
		assert_int_equal(strncmp(err.text, "column ", 7), 0);
		filter_free(&f);
	}
}

/* A filter that nothing passes: how to search for a part is said of texts that are compared as a whole. */
static void says_how_to_match_a_part(void **state)
{
	static const char *const whole[][2] = {{"kind:min", " (kind~min matches a part of the text)"},
		{"kind=min", " (kind~min matches a part of the text)"},
		{"pause>1s kind:min", " (kind~min matches a part of the text)"},
		{"kind:\"a b\" kind:min", " (kind~\"a b\" matches a part of the text)"}, {"kind~min", ""},
		{"kind==min", ""}, {"kind:min*", ""}, {"kind!=minor", ""}, {"min", ""}, {"pause:1s", ""},
		{"nosuch:1", ""}};
	struct filter_field items[TABLE_FIELDS];
	struct filter_fields fields = table_filter_fields(&gc_table_kind, items);
	(void)state;
	for (size_t i = 0; i < countof(whole); i++) {
		char text[FILTER_SAY], want[FILTER_SAY];
		snprintf(want, sizeof want, "no row matches the filter%s", whole[i][1]);
		assert_string_equal(filter_none(&fields, whole[i][0], "row", text), want);
	}
}

/* Sums over a column are what the figures say. */
static void cells_add_up(void **state)
{
	struct evl_log *log = open_log("tests/logs/9.0.2-mixer-N4-full.eventlog");
	struct table_rows rows = rows_of(log, &(struct table_order){.column = -1});
	double allocated = 0, copied = 0;
	uint64_t all = 0;
	(void)state;
	for (size_t i = 0; i < rows.n; i++) {
		bool known;
		assert_true(cell(log, rows.refs[i], GC_COLUMN_INDEX, &known) == (double)(i + 1)); /* NOLINT: whole */
		allocated += cell(log, rows.refs[i], GC_COLUMN_ALLOCATED, &known);
		assert_true(known);
		copied += cell(log, rows.refs[i], GC_COLUMN_COPIED, &known);
		double workers = cell(log, rows.refs[i], GC_COLUMN_WORKERS, &known),
		       threads = cell(log, rows.refs[i], GC_COLUMN_THREADS, &known);
		assert_true(workers >= 1 && workers <= threads);
	}
	for (unsigned gen = 0; gen < GC_GENS; gen++)
		all += log->gcs.sums.gens[gen].copied;
	assert_true(copied == (double)all);                /* NOLINT: whole */
	double total = (double)heap_allocated(&log->heap); /* some of it after the last collection */
	assert_true(allocated <= total && allocated > 0.999 * total);
	table_rows_free(&rows);
	evl_close(log);
}

static double number_of(struct thread_table *t, uint64_t ref, int column)
{
	struct buf scratch = {0};
	struct datum c = thread_table_kind.cell(t, ref, column, &scratch);
	buf_free(&scratch);
	return cell_double(&c);
}

static void threads_are_rows(void **state)
{
	struct evl_log *log = open_log("tests/logs/9.0.2-trouble-late.eventlog");
	struct thread_table t = {.of = {.log = log, .to = UINT64_MAX}};
	struct table_rows rows;
	struct buf scratch = {0};
	uint64_t *refs;
	size_t n;
	(void)state;
	assert_int_equal(thread_table_kind.make(&t, true, NULL), 0);
	assert_int_equal(thread_table_kind.refs(&t, &refs, &n), 0);
	assert_int_equal(n, log->threads.created);
	struct table_order by_run = {THREAD_COLUMN_RUN, true, NULL};
	assert_int_equal(table_rows_make(&rows, &thread_table_kind, &t, refs, n, &by_run, NULL), 0);
	struct datum label = thread_table_kind.cell(&t, rows.refs[0], THREAD_COLUMN_LABEL, &scratch);
	assert_true(label.kind && label.text.len == 7 && memcmp(label.text.p, "spinner", 7) == 0);
	for (size_t i = 0; i < rows.n; i++) {
		double life = number_of(&t, rows.refs[i], THREAD_COLUMN_LIFE), sum = 0;
		static const int parts[] = {
			THREAD_COLUMN_RUN, THREAD_COLUMN_RUNNABLE, THREAD_COLUMN_BLOCKED, THREAD_COLUMN_FOREIGN};
		for (size_t k = 0; k < countof(parts); k++)
			sum += number_of(&t, rows.refs[i], parts[k]);
		assert_true(sum - life < 2 && life - sum < 2); /* what it did is its life */
	}
	table_rows_free(&rows);
	buf_free(&scratch);
	thread_table_kind.unmake(&t);
	evl_close(log);
}

/* All collections read at once are equal to each read alone; from the middle of the log on, too. */
static void all_at_once(void **state)
{
	static const char *const logs[] = {"tests/logs/9.0.2-mixer-N4-full.eventlog",
		"tests/logs/9.6.6-nonmover-N2.eventlog", "tests/logs/9.0.2-gcstorm-seqgc.eventlog",
		"tests/logs/hostile.eventlog"};
	static const int columns[] = {GC_COLUMN_INDEX, GC_COLUMN_ALLOCATED, GC_COLUMN_WORKERS};
	size_t compared = 0;
	(void)state;
	for (size_t k = 0; k < 2 * countof(logs); k++) {
		struct evl_log *log = open_log(logs[k / 2]);
		struct gc_batch batch;
		struct buf scratch = {0};
		uint64_t *refs, first, last;
		size_t n;
		assert_true(evl_range(log, &first, &last));
		assert_int_equal(gc_table_refs(log, k % 2 ? first + (last - first) / 2 : 0, UINT64_MAX, &refs, &n), 0);
		assert_int_equal(gc_batch_make(&batch, log, refs, n, NULL), 0);
		struct gc_list list = {.of.log = log, .refs = refs, .n = n, .batch = batch};
		for (size_t i = 0; i < n; i++)
			for (size_t c = 0; c < countof(columns); c++) {
				bool known;
				double alone = cell(log, refs[i], columns[c], &known);
				struct datum got = gc_table_kind.cell(&list, refs[i], columns[c], &scratch);
				if ((got.kind != CELL_UNKNOWN) != known || (known && cell_double(&got) != alone))
					fail_msg("%s: row %zu, %s: %f, not %f", logs[k / 2], i,
						gc_columns[columns[c]].key, cell_double(&got), alone);
				compared += known;
			}
		buf_free(&scratch);
		gc_batch_free(&batch);
		free(refs);
		evl_close(log);
	}
	assert_true(compared > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_pauses_went_into),
		cmocka_unit_test(by_every_column),
		cmocka_unit_test(filters),
		cmocka_unit_test(aliases),
		cmocka_unit_test(refused),
		cmocka_unit_test(says_how_to_match_a_part),
		cmocka_unit_test(cells_add_up),
		cmocka_unit_test(threads_are_rows),
		cmocka_unit_test(all_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
