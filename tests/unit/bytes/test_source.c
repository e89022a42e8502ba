/* The file under the map: cut, emptied, removed, replaced while it is read, by one thread or by many. */
#include "bytes/source.h"
#include "logs.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGES = 64, READERS = 4 };

static char path[64];
static size_t page;

static void put_file(const void *bytes, size_t len)
{
	strcpy(path, "/tmp/evtui-source-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	close(fd);
}

/* cmocka takes SIGBUS for itself before every test; the library takes it once. */
static void open_source(struct source *src)
{
	static struct sigaction ours;
	static bool have;
	struct evl_err err;
	assert_int_equal(source_open(src, path, &err), 0);
	if (have)
		sigaction(SIGBUS, &ours, NULL);
	sigaction(SIGBUS, NULL, &ours);
	have = true;
}

static void put_pages(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *bytes = malloc(PAGES * page);
	assert_non_null(bytes);
	memset(bytes, 0xa5, PAGES * page);
	put_file(bytes, PAGES * page);
	free(bytes);
}

/* All bytes, one of each page; how many are zeros. (To ThreadSanitizer a page repaired by another thread was written
 * while this one read; the kernel changes pages as a whole.) */
__attribute__((no_sanitize("thread"))) static void *read_all(void *ctx)
{
	const struct source *src = ctx;
	size_t zeros = 0;
	for (size_t at = 0; at < src->len; at += page)
		zeros += ((volatile const uint8_t *)src->data)[at] == 0;
	return (void *)zeros;
}

static void cut_under_many_threads(void **state)
{
	(void)state;
	struct source src;
	pthread_t readers[READERS];
	put_pages();
	open_source(&src);
	assert_false(source_vanished(&src));
	assert_int_equal((size_t)read_all(&src), 0);
	assert_int_equal(truncate(path, (off_t)(PAGES / 4 * page)), 0);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_all, &src), 0);
	for (int i = 0; i < READERS; i++) {
		void *zeros;
		pthread_join(readers[i], &zeros);
		assert_int_equal((size_t)zeros, PAGES - PAGES / 4);
	}
	assert_true(source_vanished(&src));
	source_close(&src);
	unlink(path);
}

static void emptied(void **state)
{
	(void)state;
	struct source src;
	put_pages();
	open_source(&src);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal((size_t)read_all(&src), PAGES);
	assert_true(source_vanished(&src));
	source_close(&src);
	unlink(path);
}

/* Mapped bytes stay, whatever happens to the name. */
static void removed_and_replaced(void **state)
{
	(void)state;
	struct source src;
	put_pages();
	open_source(&src);
	unlink(path);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("something else", f);
	fclose(f);
	assert_int_equal((size_t)read_all(&src), 0);
	assert_false(source_vanished(&src));
	source_close(&src);
	unlink(path);
}

/* Zeros that take no room at the end are not mapped, those in the middle are. */
static void a_hole_at_the_end(void **state)
{
	(void)state;
	struct source src;
	uint64_t end;
	put_pages();
	int fd = open(path, O_RDWR);
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(source_data_end(fd, &end));
	assert_int_equal(end, st.st_size);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	if (!source_data_end(fd, &end) || end == (uint64_t)1 << 40) {
		print_message("skipped: the file system does not tell where data ends\n");
		skip();
	}
	assert_in_range(end, st.st_size, st.st_size + 4096);
	open_source(&src);
	assert_int_equal(src.len, end);
	assert_int_equal(src.hole, ((uint64_t)1 << 40) - end);
	source_close(&src);
	assert_int_equal(pwrite(fd, "x", 1, (off_t)1 << 30), 1);
	assert_true(source_data_end(fd, &end));
	assert_in_range(end, ((uint64_t)1 << 30) + 1, ((uint64_t)1 << 30) + 4096);
	close(fd);
	unlink(path);
}

/* Pages given back on several threads are mapped again when they are read. */
static void released(void **state)
{
	enum { LEN = 100 << 20, MARKS = 7 };
	struct source src;
	(void)state;
	put_file("a", 1);
	int fd = open(path, O_WRONLY);
	for (unsigned i = 0; i < MARKS; i++)
		assert_int_equal(pwrite(fd, &(char){(char)('a' + i)}, 1, (off_t)(LEN - 1) * i / (MARKS - 1)), 1);
	close(fd);
	open_source(&src);
	assert_int_equal(src.len, LEN);
	for (int workers = 1; workers <= 3; workers++) {
		for (unsigned i = 0; i < MARKS; i++)
			assert_int_equal(src.data[(uint64_t)(LEN - 1) * i / (MARKS - 1)], 'a' + i);
		source_release(&src, workers);
	}
	assert_false(source_vanished(&src));
	source_close(&src);
	source_from_memory(&src, "abc", 3);
	source_release(&src, 2);
	source_close(&src);
	unlink(path);
}

/* Cut while all cores walk over it: the walk ends, and what is lost is noted. */
static void cut_under_the_walk(void **state)
{
	(void)state;
	struct built b = log_begin();
	for (unsigned block = 0; block < 200; block++) {
		uint64_t t = 1000000 * (uint64_t)block;
		block_begin(&b, (uint16_t)(block % 4), t);
		for (unsigned i = 0; i < 500; i++) {
			put_run(&b, t + 100 * i + 10, 1 + block % 7);
			put_stop(&b, t + 100 * i + 60, 1 + block % 7, 3);
		}
		block_end(&b, t + 100000);
	}
	log_end(&b);
	for (size_t part = 0; part < 8; part++) {
		struct evl_log *log;
		struct evl_err err;
		struct source guarded;
		put_file(b.data, b.len);
		open_source(&guarded);
		assert_int_equal(evl_open(&log, path, &err), 0);
		evl_use_threads(log, 4);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(truncate(path, (off_t)(b.len * part / 8)), 0);
		assert_int_equal(evl_wait(log), 0);
		struct evl_progress p = evl_progress(log);
		assert_true(p.done && p.events <= 200 * 1001 + 1);
		if (source_vanished(&log->source))
			assert_true(log->damage.n + log->damage.more > 0);
		evl_close(log);
		source_close(&guarded);
		unlink(path);
	}
	free(b.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_under_many_threads),
		cmocka_unit_test(emptied),
		cmocka_unit_test(removed_and_replaced),
		cmocka_unit_test(a_hole_at_the_end),
		cmocka_unit_test(released),
		cmocka_unit_test(cut_under_the_walk),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
