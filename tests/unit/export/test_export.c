/* Exports: what a range of a log becomes, files that appear whole, comma-separated values. */
#include "export/export.h"
#include "export/export_list.h"
#include "logs.h"
#include "rows/rows.h"
#include "show/event_merge.h"
#include "table/gc_table.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool collect(void *ctx, const char *bytes, size_t len)
{
	buf_put(ctx, bytes, len);
	return true;
}

static struct buf exported(const struct evl_log *log, const char *format, const char *table, uint64_t from, uint64_t to)
{
	struct buf all = {0};
	struct export x = {.log = log, .from = from, .to = to, .table = table, .put = collect, .ctx = &all};
	assert_int_equal(export_run(export_find(format), &x), 0);
	assert_false(all.failed);
	return all;
}

static struct evl_log *opened(const struct buf *b)
{
	struct built built = {.data = (uint8_t *)b->p, .len = b->len};
	return walked(&built);
}

/* --- an eventlog of a range --- */

struct history {
	struct event_merge merge;
	const struct blocks *blocks;
	uint64_t from;
};

/* The next event from `from` on that no block marker is; definitions that moved there are left out. */
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

static void begin(struct history *h, const struct evl_log *log, uint64_t from, uint64_t to)
{
	struct event_merge_want want = MERGE_ALL;
	want.from = from;
	want.to = to;
	*h = (struct history){.blocks = &log->blocks, .from = from};
	assert_int_equal(event_merge_begin(&h->merge, &log->blocks, &want), 0);
}

static void assert_same_events(const struct evl_log *a, const struct evl_log *b, uint64_t from, uint64_t to)
{
	struct history in_a, in_b;
	struct frame x, y;
	uint16_t cap_x, cap_y;
	begin(&in_a, a, from, to);
	begin(&in_b, b, from, to);
	while (next(&in_a, &x, &cap_x)) {
		assert_true(next(&in_b, &y, &cap_y));
		assert_int_equal(x.t, y.t);
		assert_int_equal(x.tag, y.tag);
		assert_int_equal(cap_x, cap_y);
		assert_int_equal(x.payload.len, y.payload.len);
		if (x.payload.len)
			assert_memory_equal(x.payload.p, y.payload.p, x.payload.len);
	}
	assert_false(next(&in_b, &y, &cap_y));
	event_merge_end(&in_a.merge);
	event_merge_end(&in_b.merge);
}

static void cut_and_compare(const char *path)
{
	struct evl_log *log = walked_file(path);
	uint64_t first, last;
	for (unsigned k = 0; evl_range(log, &first, &last) && k < 4; k++) {
		uint64_t span = last - first, from = k == 0 ? 0 : first + span * k / 7;
		uint64_t to = k == 0 ? UINT64_MAX : first + span * (k + 3) / 7;
		struct buf b = exported(log, "eventlog", NULL, from, to);
		struct evl_log *slice = opened(&b);
		assert_same_events(log, slice, from, to);
		assert_int_equal(slice->damage.n, 0);
		assert_false(evl_unfinished(slice));
		if (evl_range(slice, &first, &last) && k > 0)
			assert_true(first >= from && last <= to);
		evl_range(log, &first, &last);
		evl_close(slice);
		buf_free(&b);
	}
	evl_close(log);
}

static void slices_of_real_logs_hold_the_same_events(void **state)
{
	(void)state;
	DIR *dir = opendir("tests/logs");
	assert_non_null(dir);
	int n = 0;
	for (struct dirent *entry; (entry = readdir(dir));) {
		char path[512];
		size_t len = strlen(entry->d_name);
		if (len < 9 || strcmp(entry->d_name + len - 9, ".eventlog") != 0
			|| strstr(entry->d_name, "fsize-header"))
			continue;
		snprintf(path, sizeof path, "tests/logs/%s", entry->d_name);
		cut_and_compare(path);
		n++;
	}
	closedir(dir);
	assert_true(n > 20);
}

static void definitions_and_the_clock_move_to_the_begin(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)1000, 999999990u);
	put(&b, 2, EVL_THREAD_LABEL, "4s", 7u, "worker");
	block_end(&b, 3);
	block_begin(&b, 0, 4);
	put(&b, 4, EVL_CREATE_THREAD, "4", 7u);
	put_run(&b, 50, 7);
	put_stop(&b, 60, 7, 1);
	block_end(&b, 60);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct buf out = exported(log, "eventlog", NULL, 40, 60);
	struct evl_log *slice = opened(&out);
	uint64_t first, last;
	assert_true(evl_range(slice, &first, &last));
	assert_int_equal(first, 40);
	assert_int_equal(program_get(&slice->program).wall_ns, program_get(&log->program).wall_ns);
	assert_int_equal(evl_label(slice, 7).len, 6);
	assert_int_equal(slice->threads.created, 0);
	assert_same_events(log, slice, 40, 60);
	evl_close(slice);
	buf_free(&out);
	done(log, &b);
}

static bool take_nothing(void *ctx, const char *bytes, size_t len)
{
	(void)ctx, (void)bytes, (void)len;
	return false;
}

static void an_export_can_be_stopped(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put_run(&b, 5, 1);
	block_end(&b, 9);
	struct evl_log *log = walked(&b);
	atomic_bool cancel = true;
	struct buf all = {0};
	struct export x = {.log = log, .to = UINT64_MAX, .cancel = &cancel, .put = collect, .ctx = &all};
	assert_int_equal(export_run(export_find("eventlog"), &x), EVL_CANCELLED);
	x = (struct export){.log = log, .to = UINT64_MAX, .put = take_nothing};
	assert_int_equal(export_run(export_find("eventlog"), &x), EVL_CANCELLED);
	buf_free(&all);
	done(log, &b);
}

/* --- values --- */

static void cells_are_quoted_where_they_need_it(void **state)
{
	(void)state;
	struct buf b = {0};
	const struct datum cells[] = {cell_count(7), cell_known(false, 8), cell_real(0.5), cell_cstr("plain text"),
		cell_cstr("a,\"b\"\n"), cell_text((struct evl_str){(const uint8_t *)"x\xff", 2}), cell_signed(-3)};
	for (size_t i = 0; i < countof(cells); i++) {
		cell_csv(&b, &cells[i]);
		buf_char(&b, ',');
	}
	buf_char(&b, '\0');
	assert_string_equal(b.p, "7,,0.5,plain text,\"a,\"\"b\"\"\n\",x\xef\xbf\xbd,-3,");
	buf_free(&b);
}

static void every_collection_is_a_line(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put(&b, 1, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0);
	put_gc(&b, 10, 20, 50, 0);
	put_gc(&b, 0, 100, 130, 1);
	block_end(&b, 200);
	struct evl_log *log = walked(&b);
	struct buf out = exported(log, "csv", "gc", 0, UINT64_MAX);
	buf_char(&out, '\0');
	assert_non_null(strstr(out.p, "index,start_ns,pause_ns,mostly,sync_ns,elapsed_ns,gen,kind,cap,"));
	assert_non_null(strstr(out.p, "\n1,20,40,collecting,10,30,0,minor,0,"));
	assert_non_null(strstr(out.p, "\n2,100,30,collecting,0,30,1,major,0,"));
	buf_free(&out);
	out = exported(log, "csv", "gc", 21, 100);
	assert_int_equal(out.p[out.len - 1], '\n');
	assert_null(memchr(out.p, '\n', out.len - 1));
	buf_free(&out);
	done(log, &b);
}

/* The line of a collection in the whole table, which has them in order; its first cell is the number. */
static const char *line_of(const char *table, unsigned index, size_t *len)
{
	char start[16];
	snprintf(start, sizeof start, "\n%u,", index);
	const char *line = strstr(table, start);
	assert_non_null(line);
	*len = strcspn(line + 1, "\n") + 1;
	return line + 1;
}

static void a_list_is_written_as_it_is_shown(void **state)
{
	(void)state;
	static const unsigned shown[] = {5, 3, 1}; /* minor ones, the longest first */
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put(&b, 1, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0);
	for (unsigned i = 1; i <= 5; i++)
		put_gc(&b, 0, i * 100, i * 100 + i * 10, i % 2 ? 0 : 1);
	block_end(&b, 1000);
	struct evl_log *log = walked(&b);
	struct buf whole = exported(log, "csv", "gc", 0, UINT64_MAX), want = {0}, all = {0};
	const struct export_list list = {.kind = &gc_table_kind,
		.range = {.log = log, .to = UINT64_MAX},
		.column = GC_COLUMN_PAUSE,
		.falling = true,
		.filter = "gen=0"};
	struct export x = {.log = log, .to = UINT64_MAX, .list = &list, .put = collect, .ctx = &all};
	buf_char(&whole, '\0');
	buf_put(&want, whole.p, strcspn(whole.p, "\n") + 1);
	for (size_t i = 0; i < countof(shown); i++) {
		size_t len;
		const char *line = line_of(whole.p, shown[i], &len);
		buf_put(&want, line, len);
	}
	assert_int_equal(export_run(export_find("csv"), &x), 0);
	assert_int_equal(all.len, want.len);
	assert_memory_equal(all.p, want.p, want.len);
	atomic_bool cancel = true;
	x.cancel = &cancel;
	x.out = (struct buf){0};
	assert_int_equal(export_run(export_find("csv"), &x), EVL_CANCELLED);
	buf_free(&whole);
	buf_free(&want);
	buf_free(&all);
	done(log, &b);
}

static void a_request_is_checked_before_the_work(void **state)
{
	(void)state;
	struct evl_err err;
	const struct export_format *csv = export_find("csv"), *eventlog = export_find("eventlog");
	assert_null(export_find("parquet"));
	assert_int_equal(export_check(csv, "gc", &err), 0);
	assert_int_equal(export_check(csv, NULL, &err), EVL_USAGE);
	assert_int_equal(export_check(csv, "nonsense", &err), EVL_USAGE);
	assert_non_null(strstr(err.text, "gc"));
	assert_int_equal(export_check(eventlog, NULL, &err), 0);
	assert_int_equal(export_check(eventlog, "gc", &err), EVL_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_of_real_logs_hold_the_same_events),
		cmocka_unit_test(definitions_and_the_clock_move_to_the_begin),
		cmocka_unit_test(an_export_can_be_stopped),
		cmocka_unit_test(cells_are_quoted_where_they_need_it),
		cmocka_unit_test(every_collection_is_a_line),
		cmocka_unit_test(a_list_is_written_as_it_is_shown),
		cmocka_unit_test(a_request_is_checked_before_the_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
