/* A thread that must not wait for the disk learns which bytes are missing, and they are fetched in the background. */
#include "logs.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int woken[2]; /* a pipe */

static void wake(void *ctx)
{
	(void)ctx;
	assert_int_equal(write(woken[1], "!", 1), 1);
}

/* Let the system forget the bytes of the file; pages that are mapped are never dropped. */
static void forget(const struct evl_log *log, const char *path)
{
	int fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	assert_int_equal(madvise((void *)(uintptr_t)log->source.data, log->source.len, MADV_DONTNEED), 0);
	assert_int_equal(fsync(fd), 0);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
}

/* A log of a megabyte in a file that the system has forgotten; skips where it forgets nothing (tmpfs). */
static struct evl_log *forgotten(char *path)
{
	struct built b = log_begin();
	struct evl_log *log;
	struct evl_err err = {0};
	block_begin(&b, 0, 0);
	for (unsigned i = 0; i < 20000; i++) {
		put_run(&b, 100 * i + 10, 1);
		put_stop(&b, 100 * i + 60, 1, 3);
		put(&b, 100 * i + 70, EVL_USER_MSG, "s", "so that it takes some room");
	}
	block_end(&b, 3000000);
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, b.data, b.len) == (ssize_t)b.len);
	free(b.data);
	assert_int_equal(evl_open(&log, path, &err), 0);
	assert_int_equal(pipe(woken), 0);
	evl_never_wait(log, wake, NULL);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	close(fd);
	forget(log, path);
	return log;
}

static void wait_for_wake(void)
{
	enum { PATIENCE_MS = 20000 };
	char byte;
	struct pollfd fd = {woken[0], POLLIN, 0};
	assert_int_equal(poll(&fd, 1, PATIENCE_MS), 1);
	assert_int_equal(read(woken[0], &byte, 1), 1);
}

static void unknown_until_it_is_there(void **state)
{
	(void)state;
	enum { COLS = 50 };
	char path[] = "/var/tmp/evtui-fetch-XXXXXX";
	struct evl_log *log = forgotten(path);
	struct cap_column cols[COLS];
	int unknown = 0;
	if (source_resident(&log->source, 0, log->source.len)) {
		evl_close(log);
		unlink(path);
		print_message("skipped: pages cannot be seen to be absent here\n");
		skip();
	}
	for (int tries = 0; unknown == 0 && tries < 10; tries++) { /* the system may read it ahead again */
		if (tries)
			forget(log, path);
		caps_columns(&log->blocks, log->tiles, 0, 0, 2000000, COLS, cols);
		for (int i = 0; i < COLS; i++)
			unknown += !cols[i].known;
	}
	assert_true(unknown > 0);
	for (int tries = 0; unknown && tries < 1000; tries++) { /* each asks for what it missed */
		wait_for_wake();
		caps_columns(&log->blocks, log->tiles, 0, 0, 2000000, COLS, cols);
		unknown = 0;
		for (int i = 0; i < COLS; i++)
			unknown += !cols[i].known;
	}
	assert_int_equal(unknown, 0);
	close(woken[0]);
	close(woken[1]);
	assert_true(evl_progress(log).fetched > 0);
	for (int i = 0; i < COLS; i++)
		assert_int_equal(cols[i].run_ns, 20000);
	evl_close(log);
	unlink(path);
}

static void bytes_after_the_end_are_there(void **state)
{
	(void)state;
	struct source src;
	source_from_memory(&src, "abc", 3);
	assert_true(source_resident(&src, 0, 100));
	assert_true(source_resident(&src, 100, 100));
	source_populate(&src, 0, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_until_it_is_there),
		cmocka_unit_test(bytes_after_the_end_are_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
