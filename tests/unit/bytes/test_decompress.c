/* Compressed logs, whole and broken. */
#include "logs.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

#define LOG "tests/logs/9.10.3-conczoo-thr-N2.eventlog"

static char dir[] = "/tmp/evtui-test-XXXXXX";
static char packed[sizeof dir + 16];

/* Compressors for the codecs that are built in. */
static const char *const tools[] = {
#ifdef HAVE_ZLIB
	"gzip",
#endif
#ifdef HAVE_ZSTD
	"zstd -q",
#endif
#ifdef HAVE_LZMA
	"xz",
#endif
	NULL,
};

static size_t size_of(const char *path)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	long size = ftell(f);
	fclose(f);
	return (size_t)size;
}

/* Pack the log with a tool, as two files one after the other; false: the tool is not installed. */
static bool pack(const char *tool)
{
	char command[512];
	static const char both[] = "{ head -c 20000 " LOG " | %s -c && tail -c +20001 " LOG " | %s -c; } >%s";
	snprintf(command, sizeof command, both, tool, tool, packed);
	return system(command) == 0;
}

static bool pack_whole(const char *tool)
{
	char command[256];
	snprintf(command, sizeof command, "%s -c " LOG " >%s 2>/dev/null", tool, packed);
	return system(command) == 0;
}

static struct evl_log *open_packed(int want)
{
	struct evl_log *log;
	struct evl_err err = {0};
	assert_int_equal(evl_open(&log, packed, &err), want);
	if (want == 0) {
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
	} else {
		assert_true(strstr(err.text, packed) == err.text);
	}
	return log;
}

static void assert_whole(const struct source *plain)
{
	struct evl_log *log = open_packed(0);
	assert_int_equal(log->source.len, plain->len);
	assert_memory_equal(log->source.data, plain->data, plain->len);
	assert_int_equal(log->damage.n, 0);
	evl_close(log);
}

static void the_same_bytes_come_out(void **state)
{
	(void)state;
	unsigned packers = 0;
	struct source plain;
	assert_int_equal(source_open(&plain, LOG, NULL), 0);
	for (const char *const *tool = tools; *tool; tool++) {
		if (!pack_whole(*tool))
			continue;
		packers++;
		assert_whole(&plain);
		assert_true(pack(*tool));
		assert_whole(&plain);
	}
	source_close(&plain);
	if (packers == 0) {
		print_message("skipped: no codec here\n");
		skip();
	}
}

static void what_a_cut_file_still_holds(void **state)
{
	(void)state;
	for (const char *const *tool = tools; *tool; tool++) {
		if (!pack(*tool))
			continue;
		assert_int_equal(truncate(packed, (off_t)(size_of(packed) - 1000)), 0);
		struct evl_log *log = open_packed(0);
		assert_true(log->source.truncated);
		const struct damage *last = &log->damage.items[log->damage.n - 1];
		assert_int_equal(last->reason, DAMAGE_UNPACK);
		assert_int_equal(last->off, log->source.len);
		assert_true(evl_unfinished(log));
		evl_close(log);
		assert_int_equal(truncate(packed, 8), 0); /* nothing but its magic */
		assert_null(open_packed(EVL_NOT_A_LOG));
	}
}

static void broken_in_the_middle(void **state)
{
	(void)state;
	for (const char *const *tool = tools; *tool; tool++) {
		if (!pack(*tool))
			continue;
		FILE *f = fopen(packed, "r+b");
		assert_non_null(f);
		assert_int_equal(fseek(f, (long)size_of(packed) / 2, SEEK_SET), 0);
		assert_int_equal(fwrite("\xff\xff\xff\xff\xff\xff\xff\xff", 1, 8, f), 8);
		fclose(f);
		struct evl_log *log;
		int result = evl_open(&log, packed, NULL); /* a frame in one piece may give nothing at all */
		assert_true(result == EVL_NOT_A_LOG || (result == 0 && log->source.truncated));
		evl_close(log);
	}
}

struct announced {
	unsigned calls;
	uint64_t last;
};

static bool tell(void *ctx, uint64_t at, uint64_t total)
{
	struct announced *announced = ctx;
	assert_true(at >= announced->last && at <= total);
	announced->last = at;
	return ++announced->calls < 1000;
}

static bool give_up(void *ctx, uint64_t at, uint64_t total)
{
	(void)ctx, (void)at, (void)total;
	return false;
}

static void progress_and_giving_up(void **state)
{
	(void)state;
	if (!tools[0] || !pack(tools[0])) {
		print_message("skipped: no codec here\n");
		skip();
	}
	struct evl_log *log;
	struct announced announced = {0};
	assert_int_equal(
		evl_open_watched(&log, packed, &(struct decompress_watch){.tell = tell, .ctx = &announced}, NULL), 0);
	assert_true(announced.calls > 0);
	assert_int_equal(announced.last, size_of(packed));
	evl_close(log);
	FILE *f = fopen(packed, "ab"); /* as in archives; it is not read, but the stream has ended */
	assert_non_null(f);
	assert_int_equal(fwrite((char[512]){0}, 1, 512, f), 512);
	assert_int_equal(fclose(f), 0);
	announced = (struct announced){0};
	assert_int_equal(
		evl_open_watched(&log, packed, &(struct decompress_watch){.tell = tell, .ctx = &announced}, NULL), 0);
	assert_int_equal(announced.last, size_of(packed));
	evl_close(log);
	assert_int_equal(
		evl_open_watched(&log, packed, &(struct decompress_watch){.tell = give_up}, NULL), EVL_CANCELLED);
	assert_null(log);
}

static bool stay(void *ctx, uint64_t at, uint64_t total)
{
	(void)ctx, (void)at, (void)total;
	return true;
}

/* 300 MB of zeros, which pack well even in a hurry (-1: a third of the time). */
static bool pack_zeros(const char *tool)
{
	char command[512];
	snprintf(command, sizeof command, "head -c 300000000 /dev/zero | %s -1 -c >%s 2>/dev/null", tool, packed);
	return system(command) == 0;
}

/* The log, and after it what was packed before. */
static bool pack_log_before(const char *tool)
{
	char command[512];
	static const char before[] = "{ %s -c " LOG " && cat %s; } >%s.new && mv %s.new %s";
	snprintf(command, sizeof command, before, tool, packed, packed, packed, packed);
	return system(command) == 0;
}

static void bombs_do_not_go_off(void **state)
{
	(void)state;
	struct evl_log *log;
	struct evl_err err = {0};
	for (const char *const *tool = tools; *tool; tool++) {
		uint64_t most = 64 << 20;
		if (!pack_zeros(*tool))
			continue;
		assert_int_equal(evl_open(&log, packed, &err), EVL_NOT_A_LOG);
		assert_non_null(strstr(err.text, "not a GHC eventlog"));
		assert_true(pack_log_before(*tool));
		assert_int_equal(
			evl_open_watched(&log, packed, &(struct decompress_watch){.tell = stay, .most = most}, &err),
			EVL_IO);
		assert_non_null(strstr(err.text, "--spool-max"));
		int result = evl_open(&log, packed, &err);
		assert_int_equal(result, size_of(packed) < 300000000 / UNPACK_RATIO ? EVL_IO : 0);
		assert_true(result == 0 || strstr(err.text, "times its size"));
		evl_close(log);
	}
}

static void nothing_is_left(void **state)
{
	(void)state;
	glob_t found;
	if (!tools[0] || !pack(tools[0])) {
		print_message("skipped: no codec here\n");
		skip();
	}
	assert_int_equal(setenv("TMPDIR", dir, 1), 0);
	struct evl_log *log = open_packed(0);
	char pattern[sizeof dir + 16];
	snprintf(pattern, sizeof pattern, "%s/evtui-*", dir);
	assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
	evl_close(log);
	assert_int_equal(setenv("TMPDIR", "/nowhere", 1), 0);
	assert_null(open_packed(EVL_IO));
	unsetenv("TMPDIR");
}

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(packed, sizeof packed, "%s/log", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(packed);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_bytes_come_out),
		cmocka_unit_test(what_a_cut_file_still_holds),
		cmocka_unit_test(broken_in_the_middle),
		cmocka_unit_test(progress_and_giving_up),
		cmocka_unit_test(bombs_do_not_go_off),
		cmocka_unit_test(nothing_is_left),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
