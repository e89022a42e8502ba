/* Memory that runs out, threads that cannot be had, disks that are full: at every place once, and from every place on.
 * What comes back is a code with a text, or a smaller answer; nothing crashes, nothing is lost. */
#include "logs.h"

#include "export.h"
#include "for_every.h"
#include "figures.h"
#include "file_out.h"
#include "filter.h"
#include "merge.h"
#include "order.h"
#include "show.h"
#include "stats_json.h"

#include <sys/stat.h>

static struct built b;

/* Something of everything, in a few blocks of two capabilities. */
static int build(void **state)
{
	(void)state;
	b = log_begin();
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_WALL_CLOCK_TIME, "484", 0u, (uint64_t)1000, 5u);
	put(&b, 2, EVL_PROGRAM_ARGS, "4s", 0u, "./prog");
	put(&b, 2, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0);
	put(&b, 3, EVL_HEAP_PROF_BEGIN, "184", 0u, (uint64_t)5, 1u);
	put(&b, 3, EVL_TASK_CREATE, "828", (uint64_t)77, 0u, (uint64_t)1);
	block_end(&b, 9);
	for (unsigned k = 0; k < 6; k++) {
		uint64_t t = 10 + 1000 * k;
		block_begin(&b, (uint16_t)(k % 2), t);
		put(&b, t, EVL_CREATE_THREAD, "4", k + 1);
		put(&b, t, EVL_THREAD_LABEL, "4s", k + 1, "worker");
		put_run(&b, t + 10, k + 1);
		put(&b, t + 12, EVL_USER_MSG, "s", "START work");
		put(&b, t + 14, EVL_USER_MARKER, "s", "here");
		put(&b, t + 15, EVL_USER_MSG, "s", "STOP work");
		put(&b, t + 16, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)k * 4096);
		put(&b, t + 17, EVL_SPARK_COUNTERS, "8888888", t, t, t, t, t, t, t);
		put_stop(&b, t + 20, k + 1, k == 5 ? 5 : 7);
		put_gc(&b, t + 100, t + 110, t + 200, k % 2);
		put(&b, t + 300, EVL_CONC_MARK_BEGIN, "");
		put(&b, t + 320, EVL_CONC_MARK_END, "4", 1u);
		block_end(&b, t + 400);
	}
	log_end(&b);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	free(b.data);
	return 0;
}

/* The log, read to its end; NULL where that failed. */
static struct evl_log *read_log(void)
{
	struct evl_log *log;
	struct evl_err err = {0};
	int result = evl_open_memory(&log, b.data, b.len, &err);
	if (result < 0) {
		assert_int_equal(result, EVL_NOMEM);
		assert_true(err.text[0]);
		return NULL;
	}
	result = evl_start(log, NULL, NULL);
	result = result < 0 ? result : evl_wait(log);
	if (result == 0)
		return log;
	assert_int_equal(result, EVL_NOMEM);
	evl_close(log);
	return NULL;
}

static void read_and_close(void)
{
	struct evl_log *log = read_log();
	if (log)
		evl_close(log);
}

static void reading(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, read_and_close) > 50);
	assert_int_equal(for_every(FAULT_THREAD, read_and_close), 1);
}

/* --- answers of a log that was read before --- */

static struct evl_log *log_;

static bool count_bytes(void *ctx, const char *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)ctx += len;
	return true;
}

static void show_it(void)
{
	size_t n = 0;
	for (int json = 0; json < 2; json++) {
		struct show_options options = {.json = json, .want = MERGE_ALL};
		int result = show(&log_->header, log_->source.data, log_->source.len, &options, count_bytes, &n);
		assert_true(result == 0 || result == EVL_NOMEM);
	}
}

static void count_it(void)
{
	struct stats stats;
	struct figures f;
	struct findings findings;
	struct buf out = {0};
	int result = evl_stats(log_, 100, 5000, &stats);
	assert_true(result == 0 || result == EVL_NOMEM);
	result = figures_make(&f, log_, &(struct figures_ask){.to = UINT64_MAX, .deep = true});
	assert_true(result == 0 || result == EVL_NOMEM);
	if (result < 0)
		return;
	findings_make(&findings, log_, &f);
	stats_json(log_, &f, &findings, &out);
	buf_free(&out);
	figures_free(&f);
}

static void number_it(void)
{
	struct order o;
	order_key key;
	struct order_walk w;
	struct order_list list = {0};
	if (order_init(&o, &log_->blocks, log_->tiles) < 0)
		return;
	for (uint64_t n = 0; n < o.total; n += 7)
		if (order_at(&o, n, &key))
			assert_int_equal(order_before(&o, key), n);
	order_walk_begin(&w, &o, 0, true);
	while (order_walk_next(&w, &list))
		;
	order_list_free(&list);
	order_free(&o);
}

static void filter_it(void)
{
	static const struct when when = {.last = 10000};
	static const char *const lines[] = {"GC_* !cap:1", "text~wor+k", "thread:3 t>5ns"};
	struct event_filter f;
	struct evl_err err;
	for (size_t i = 0; i < countof(lines); i++)
		if (event_filter_init(&f, lines[i], &when, &err) == 0)
			event_filter_free(&f);
}

static void export_it(void)
{
	size_t n, bytes = 0, n_tables;
	const struct export_format *all = export_formats(&n);
	(void)n_tables;
	for (size_t i = 0; i < n; i++) {
		struct export x = {.log = log_, .to = UINT64_MAX, .table = all[i].tables ? "gc" : NULL, .put = count_bytes,
			.ctx = &bytes};
		int result = export_run(&all[i], &x);
		assert_true(result <= 0);
	}
}

static void answers(void **state)
{
	static void (*const runs[])(void) = {show_it, count_it, number_it, filter_it, export_it};
	(void)state;
	log_ = read_log();
	assert_non_null(log_);
	for (size_t i = 0; i < countof(runs); i++)
		assert_true(for_every(FAULT_MEMORY, runs[i]) > 0);
	evl_close(log_);
}

/* --- files --- */

static char dir[] = "/tmp/evtui-faults-XXXXXX", path[64];

static bool is_there(const char *name)
{
	struct stat st;
	return stat(name, &st) == 0;
}

static int write_file(struct evl_err *err)
{
	struct file_out f;
	int result = file_out_begin(&f, path, true, err);
	for (int i = 0; result == 0 && i < 10; i++)
		file_out_put(&f, "some bytes", 10);
	return result < 0 ? result : file_out_end(&f, true, err);
}

static void write_it(void)
{
	struct evl_err err = {0};
	int result = write_file(&err);
	assert_true(result == 0 || err.text[0]);
	assert_int_equal(is_there(path), result == 0);
	assert_true(result < 0 || unlink(path) == 0);
}

/* What stays behind would be found here. */
static void a_full_disk_leaves_nothing(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/out", dir);
	assert_int_equal(for_every(FAULT_DISK, write_it), 10);
	assert_int_equal(for_every(FAULT_MEMORY, write_it), 2);
	assert_int_equal(rmdir(dir), 0);
}

static void interrupted_writes_go_on(void **state)
{
	(void)state;
	struct stat st;
	struct evl_err err;
	memcpy(dir + strlen(dir) - 6, "XXXXXX", 6);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/out", dir);
	faults_begin(FAULT_INTERRUPT, 0, false);
	assert_int_equal(write_file(&err), 0);
	assert_true(faults_end() > 30);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 100);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* --- compressed logs --- */

#define PACKED "tests/fuzz/corpus/unpack/"

static void unpack_it(void)
{
	static const char *const files[] = {PACKED "gzip", PACKED "zstd", PACKED "xz", PACKED "xz-cut"};
	for (size_t i = 0; i < countof(files); i++) {
		struct evl_log *log;
		struct evl_err err = {0};
		int result = evl_open(&log, files[i], &err);
		assert_true(result == 0 || strstr(err.text, "unpack") || strstr(err.text, "memory") || log == NULL);
		assert_true(result == 0 || err.text[0]);
		evl_close(log);
	}
}

static void unpacking(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, unpack_it) > 10);
	assert_true(for_every(FAULT_DISK, unpack_it) > 0);
	faults_begin(FAULT_INTERRUPT, 0, false);
	unpack_it();
	assert_true(faults_end() > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading),
		cmocka_unit_test(answers),
		cmocka_unit_test(a_full_disk_leaves_nothing),
		cmocka_unit_test(interrupted_writes_go_on),
		cmocka_unit_test(unpacking),
	};
	return cmocka_run_group_tests(tests, build, drop);
}
