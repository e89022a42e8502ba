/* The portable side of sys/system.h, in any build: what POSIX alone gives. */
#ifndef PORTABLE
#define PORTABLE 1
#endif
#include "src/sys/system.c"
#include "src/sys/system_posix.c"

#include "sys/atomic_file.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <poll.h>
#include <sys/stat.h>

/* --- sorting -------------------------------------------------------------------------------------------------------- */

enum { ITEMS = 300 };
struct item {
	uint8_t key, place[2];
};

static int by_key(const void *a, const void *b, void *calls)
{
	++*(unsigned *)calls;
	return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

/* Insertion, which is slow and stable. */
static void sort_slowly(struct item *items, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && items[k].key < items[k - 1].key; k--) {
			struct item item = items[k];
			items[k] = items[k - 1];
			items[k - 1] = item;
		}
}

static void sorts_stably(void **state)
{
	unsigned random = 1, calls = 0;
	(void)state;
	for (size_t n = 0; n < ITEMS; n++)
		for (unsigned keys = 1; keys <= 256; keys *= 4) {
			struct item items[ITEMS], want[ITEMS];
			for (size_t i = 0; i < n; i++) {
				random = random * 1103515245 + 12345;
				items[i] = want[i] = (struct item){
					(uint8_t)((random >> 16) % keys), {(uint8_t)i, (uint8_t)(i >> 8)}};
			}
			sys_sort(items, n, sizeof *items, by_key, &calls);
			sort_slowly(want, n);
			assert_memory_equal(items, want, n * sizeof *items);
		}
	assert_true(calls > 0);
}

/* 20 times n log n calls would be too many. */
static void sorts_fast(void **state)
{
	enum { MANY = 1 << 16, MOST = 2 * 16 * MANY };
	static struct item items[MANY];
	unsigned calls = 0;
	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		items[i].key = (uint8_t)(i * 2654435761u >> 24);
	sys_sort(items, MANY, sizeof *items, by_key, &calls);
	for (unsigned i = 1; i < MANY; i++)
		assert_true(items[i - 1].key <= items[i].key);
	assert_in_range(calls, MANY, MOST);
}

/* --- descriptors ---------------------------------------------------------------------------------------------------- */

static bool is_readable(int fd, int ms)
{
	struct pollfd p = {fd, POLLIN, 0};
	return poll_again(&p, 1, ms) > 0;
}

static void wakes(void **state)
{
	struct waker w;
	(void)state;
	assert_true(waker_open(&w));
	assert_false(waker_take(&w));
	for (int i = 0; i < 100000; i++) /* more than a pipe holds */
		waker_wake(&w);
	assert_true(is_readable(w.fd, 0));
	assert_true(waker_take(&w));
	assert_false(is_readable(w.fd, 0));
	assert_true(fcntl(w.fd, F_GETFD) & FD_CLOEXEC);
	waker_close(&w);
	assert_int_equal(w.fd, -1);
}

static void sees_the_end_of_a_child(void **state)
{
	int ends[2], status;
	(void)state;
	assert_int_equal(sys_pipe(ends, 0), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char byte;
		close(ends[1]);
		_exit(read_again(ends[0], &byte, 1) == 1 ? 7 : 1);
	}
	int fd = sys_child_fd(pid);
	assert_true(pid > 0 && fd >= 0);
	assert_false(is_readable(fd, 0));
	assert_true(write_all(ends[1], "", 1));
	assert_true(is_readable(fd, 60000));
	assert_int_equal(waitpid_again(pid, &status, 0), pid); /* it was left to be waited for */
	assert_int_equal(WEXITSTATUS(status), 7);
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void has_files_in_memory(void **state)
{
	struct stat st;
	char name[64], byte = 0;
	int fd = sys_memory_file("test");
	(void)state;
	assert_true(fd >= 0 && fstat(fd, &st) == 0 && st.st_nlink == 0);
	assert_true(write_all(fd, "a", 1));
	sys_fd_name(name, sizeof name, 0, fd);
	assert_int_equal(pread(fd, &byte, 1, 0), 1);
	assert_int_equal(byte, 'a');
	close(fd);
}

/* --- files ---------------------------------------------------------------------------------------------------------- */

static void replaces_files(void **state)
{
	char dir[] = "/tmp/evtui-test-XXXXXX", path[64], bytes[8] = "";
	struct evl_err err;
	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(sys_nameless(dir, 0600), -1);
	assert_int_equal(errno, EOPNOTSUPP);
	snprintf(path, sizeof path, "%s/out", dir);
	assert_int_equal(atomic_file_save(path, "one", 3, false, &err), 0);
	assert_int_equal(atomic_file_save(path, "two", 3, false, &err), EVL_EXISTS);
	assert_int_equal(atomic_file_save(path, "three", 5, true, &err), 0);
	int fd = open(path, O_RDONLY);
	assert_int_equal(read_again(fd, bytes, sizeof bytes), 5);
	assert_string_equal(bytes, "three");
	assert_true(sys_has_data(fd, 0) && sys_resident(bytes, sizeof bytes));
	close(fd);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0); /* nothing else is left */
}

static void maps_pages(void **state)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = sys_pages(2 * size);
	(void)state;
	assert_non_null(pages);
	pages[0] = pages[size] = 1;
	assert_true(sys_zeros_at(pages + size, size));
	assert_int_equal(pages[0], 1);
	assert_int_equal(pages[size], 0);
	munmap(pages, 2 * size);
}

static void is_random(void **state)
{
	uint8_t one[16], other[16];
	(void)state;
	assert_true(sys_random(one, sizeof one) && sys_random(other, sizeof other));
	assert_memory_not_equal(one, other, sizeof one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_stably), cmocka_unit_test(sorts_fast),
		cmocka_unit_test(wakes), cmocka_unit_test(sees_the_end_of_a_child),
		cmocka_unit_test(has_files_in_memory), cmocka_unit_test(replaces_files), cmocka_unit_test(maps_pages),
		cmocka_unit_test(is_random)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
