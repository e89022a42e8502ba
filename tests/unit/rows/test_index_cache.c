/* The cache of indexes: what is shown from it is what is shown without it, and what is not of the log is not believed. */
#include "log/index_cache.h"

#include "all_answers.h"
#include "everything.h"
#include "log/log_image.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct index_cache cache;
static char folder[64];

static int begin(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/evtui-index-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	cache = (struct index_cache){.all = INDEX_CACHE_ALL, .figures = &figures_kept};
	snprintf(cache.dir, sizeof cache.dir, "%s/cache/evtui", folder);
	return 0;
}

static int end(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command);
}

/* --- helpers ---------------------------------------------------------------------------------------------------------- */

static struct evl_log *opened(const char *path, struct index_cache *c)
{
	struct evl_log *log;
	struct evl_err err = {0};
	if (evl_open(&log, path, &err) < 0)
		fail_msg("%s", err.text);
	evl_use_threads(log, 2);
	evl_use_cache(log, c);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

/* Open and close it: was its index that of the cache? */
static bool is_recalled(const char *path)
{
	struct evl_log *log = opened(path, &cache);
	bool is = log->recalled;
	evl_close(log);
	return is;
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* A log of this many blocks in the folder. */
static void make_log(char *path, const char *name, unsigned blocks)
{
	struct built b = everything(blocks);
	snprintf(path, 128, "%s/%s.eventlog", folder, name);
	write_file(path, b.data, b.len);
	free(b.data);
}

static void kept_path(const char *log, char *out)
{
	struct stat st;
	assert_int_equal(stat(log, &st), 0);
	struct source_id id = source_id_of(&st);
	assert_true(index_cache_path(&cache, &id, out));
}

/* The whole file that is kept of a log. */
static uint8_t *kept(const char *log, size_t *n)
{
	char path[INDEX_CACHE_PATH];
	kept_path(log, path);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*n = (size_t)ftell(f);
	rewind(f);
	uint8_t *bytes = aligned_alloc(4096, (*n + 4095) / 4096 * 4096); /* as if it were mapped */
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *n, f), *n);
	fclose(f);
	return bytes;
}

static size_t files_in(const char *dir, uint64_t *bytes)
{
	size_t n = 0;
	DIR *d = opendir(dir);
	*bytes = 0;
	for (struct dirent *e; d && (e = readdir(d));) {
		char path[INDEX_CACHE_PATH + 300];
		struct stat st;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (*e->d_name == '.' || stat(path, &st))
			continue;
		n++;
		*bytes += (uint64_t)st.st_size;
	}
	if (d)
		closedir(d);
	return n;
}

/* --- the same answers ------------------------------------------------------------------------------------------------- */

static void check_log(const char *path)
{
	struct evl_log *plain = opened(path, NULL), *first = opened(path, &cache), *again = opened(path, &cache);
	if (first->recalled || !again->recalled)
		fail_msg("%s: %s", path, again->cache_note ? again->cache_note : "is not kept");
	if (plain->figures || !again->figures)
		fail_msg("%s: its figures are not kept", path);
	struct buf a = all_of(plain), b = all_of(again);
	if (a.len != b.len || memcmp(a.p, b.p, a.len) != 0)
		fail_msg("%s: other answers from the cache", path);
	struct evl_progress p = evl_progress(plain), q = evl_progress(again);
	assert_true(p.events == q.events && p.bytes == q.bytes && p.total == q.total && q.done && q.ready);
	assert_int_equal(evl_index_bytes(plain), evl_index_bytes(again));
	assert_int_equal(evl_unfinished(plain), evl_unfinished(again));
	buf_free(&a);
	buf_free(&b);
	evl_close(plain);
	evl_close(first);
	evl_close(again);
}

static void every_log_says_the_same(void **state)
{
	(void)state;
	glob_t logs;
	char path[128];
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	for (size_t i = 0; i < logs.gl_pathc; i++)
		check_log(logs.gl_pathv[i]);
	globfree(&logs);
	make_log(path, "everything", 300);
	check_log(path);
}

/* --- what is not believed --------------------------------------------------------------------------------------------- */

/* These bytes in place of what is kept: not believed, and replaced by what is. */
static void check_refused(const char *log, const char *what, const uint8_t *bytes, size_t n)
{
	char path[INDEX_CACHE_PATH];
	size_t now;
	kept_path(log, path);
	write_file(path, bytes, n);
	if (is_recalled(log))
		fail_msg("believed: %s", what);
	uint8_t *after = kept(log, &now);
	if (!is_recalled(log))
		fail_msg("not replaced: %s", what);
	free(after);
}

/* Report whether these bytes are accepted as the index of the log. */
static bool is_valid(const char *path, const uint8_t *bytes, size_t n)
{
	struct indexer_recalled walk;
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open(&log, path, &err), 0);
	evl_use_cache(log, &cache);
	bool is = index_cache_load(log, bytes, n, &walk);
	evl_close(log);
	return is;
}

static void a_changed_bit_is_seen(void **state)
{
	(void)state;
	char log[128], what[64];
	uint64_t off, len;
	size_t n;
	make_log(log, "bits", 40);
	assert_false(is_recalled(log));
	uint8_t *file = kept(log, &n);
	for (size_t i = 0; i < LOG_SECTION_COUNT; i++) {
		assert_true(index_cache_section(file, n, i, &off, &len));
		if (len == 0)
			continue;
		snprintf(what, sizeof what, "a bit of section %zu", i);
		file[off + len / 2] ^= 4;
		check_refused(log, what, file, n);
		file[off + len / 2] ^= 4;
	}
	const size_t sums = INDEX_CACHE_FILE / INDEX_CACHE_PIECE;
	for (size_t at = 0; at < 112 + 16 * LOG_SECTION_COUNT + 8 * sums + 8; at += 8) { /* the head */
		file[at] ^= 1;
		if (is_valid(log, file, n))
			fail_msg("believed: a bit at %zu", at);
		file[at] ^= 1;
	}
	assert_true(is_valid(log, file, n));
	free(file);
}

/* Each of the four numbers that are summed up at once, at both ends of each piece of the file; the last is shorter. */
static void a_changed_bit_of_each_piece_is_seen(void **state)
{
	(void)state;
	enum { PIECE = INDEX_CACHE_PIECE, HEAD = INDEX_CACHE_HEAD, BLOCKS = 10000 };
	char log[128];
	size_t n, changed = 0;
	make_log(log, "pieces", BLOCKS);
	check_log(log);
	uint8_t *file = kept(log, &n);
	assert_true(n > PIECE + HEAD && n % PIECE);
	assert_true(is_valid(log, file, n));
	for (size_t from = HEAD, to; from < n; from = to) {
		to = (size_t)min_u64(from / PIECE * PIECE + PIECE, n);
		for (size_t i = 0; i < 8; i++) {
			size_t at = i < 4 ? from + 8 * i : to - 8 * (8 - i);
			file[at] ^= 0x20;
			if (is_valid(log, file, n))
				fail_msg("believed: a bit at %zu", at);
			file[at] ^= 0x20;
			changed++;
		}
	}
	assert_true(changed >= 16);
	free(file);
}

static void a_part_of_a_file_is_none(void **state)
{
	(void)state;
	char log[128];
	size_t n;
	make_log(log, "parts", 20);
	assert_false(is_recalled(log));
	uint8_t *file = kept(log, &n);
	const size_t parts[] = {1, 100, INDEX_CACHE_HEAD - 1, INDEX_CACHE_HEAD, n / 2, n - 64, n - 1};
	for (size_t i = 0; i < countof(parts); i++)
		check_refused(log, "a part of it", file, parts[i]);
	free(file);
}

/* Each of the numbers that tell builds, layouts and logs apart, with checksums that are right. */
static void another_build_is_not_believed(void **state)
{
	(void)state;
	char log[128];
	size_t n;
	make_log(log, "builds", 20);
	assert_false(is_recalled(log));
	uint8_t *file = kept(log, &n);
	for (size_t at = 0; at < 96; at += 8) {
		file[at] ^= 1;
		index_cache_forge(file, n);
		check_refused(log, "another build or log", file, n);
		file[at] ^= 1;
	}
	free(file);
}

/* Each offset of a table that is used without another look at it, far outside of the log, with checksums that are right. */
static void no_offset_leads_outside_of_the_log(void **state)
{
	(void)state;
	const char *log = "tests/logs/9.10.3-profmix-p-hc.eventlog";
	enum { NUMBERS_AT = 64 }; /* of small ids; before them is how many they are */
	const uint64_t outside = 0x100000000000;
	uint64_t off, len;
	size_t n, changed = 0;
	assert_false(is_recalled(log));
	uint8_t *file = kept(log, &n);
	assert_true(index_cache_section(file, n, LOG_SECTION_CENTRES, &off, &len));
	for (uint64_t at = off + NUMBERS_AT; at + 8 < off + len && changed < 3; at += 8) {
		uint64_t number;
		memcpy(&number, file + at, sizeof number);
		if (number == 0)
			continue;
		memcpy(file + at, &outside, sizeof outside);
		index_cache_forge(file, n);
		check_refused(log, "a cost centre outside of the log", file, n);
		memcpy(file + at, &number, sizeof number);
		changed++;
	}
	assert_int_equal(changed, 3);
	free(file);
}

/* Figures with any numbers and correct checksums are refused, or can be shown. */
static void any_figures_can_be_shown(void **state)
{
	(void)state;
	const char *const logs[] = {"tests/logs/calls.eventlog", "tests/logs/9.6.6-nonmover-N2.eventlog"};
	const uint64_t numbers[] = {0, 1, 0x7f, INT64_MAX, UINT64_MAX};
	for (size_t k = 0; k < countof(logs); k++) {
		uint64_t off, len, shown = 0, refused = 0;
		size_t n;
		assert_false(is_recalled(logs[k]));
		uint8_t *file = kept(logs[k], &n);
		uint8_t *mapped = aligned_alloc(4096, (n + 4095) / 4096 * 4096);
		assert_non_null(mapped);
		assert_true(index_cache_section(file, n, LOG_SECTION_REPORT, &off, &len));
		for (uint64_t at = 0; at + 8 <= len; at += 12) {
			struct evl_log *log;
			struct evl_err err;
			struct indexer_recalled walk;
			struct buf out = {0};
			memcpy(mapped, file, n);
			memcpy(mapped + off + at, &numbers[at / 12 % countof(numbers)], 8);
			index_cache_forge(mapped, n);
			assert_int_equal(evl_open(&log, logs[k], &err), 0);
			evl_use_cache(log, &cache);
			if (index_cache_load(log, mapped, n, &walk)) {
				shown++;
				put_figures(&out, log, &(struct figures_ask){.to = UINT64_MAX});
			} else {
				refused++;
			}
			buf_free(&out);
			evl_close(log);
		}
		assert_true(shown > 50 && refused > 5);
		free(mapped);
		free(file);
	}
}

/* An export makes room by the samples of each capability, whose sum may not be another, nor wrap. */
static void samples_of_capabilities_add_up(void **state)
{
	(void)state;
	const char *log = "tests/logs/9.10.3-profmix-p-hc.eventlog";
	uint64_t off, len;
	size_t n, changed = 0;
	struct evl_log *plain = opened(log, &cache);
	const uint64_t samples = prof_samples(evl_profile(plain)), forged = samples - 5;
	evl_close(plain);
	uint8_t *file = kept(log, &n);
	assert_true(index_cache_section(file, n, LOG_SECTION_PROF, &off, &len));
	for (uint64_t at = off; at + 8 <= off + len; at++) {
		if (memcmp(file + at, &samples, sizeof samples) != 0)
			continue;
		memcpy(file + at, &forged, sizeof forged);
		index_cache_forge(file, n);
		check_refused(log, "other samples than those of capabilities", file, n);
		memcpy(file + at, &samples, sizeof samples);
		changed++;
	}
	assert_int_equal(changed, 1); /* several capabilities have some */
	free(file);
}

static void another_log_is_not_believed(void **state)
{
	(void)state;
	char log[128], other[128], path[INDEX_CACHE_PATH];
	size_t n;
	make_log(log, "this", 20);
	make_log(other, "other", 20);
	assert_false(is_recalled(log));
	assert_false(is_recalled(other));
	uint8_t *file = kept(other, &n);
	check_refused(log, "that of another log", file, n);
	kept_path(log, path);
	assert_int_equal(chmod(path, 0644), 0); /* others may read it: who knows who wrote it */
	assert_false(is_recalled(log));
	free(file);
}

/* Its time of change may be the same where it is written twice within a tick. */
static void a_log_written_anew_is_not_believed(void **state)
{
	(void)state;
	char log[128];
	struct evl_log *before, *after;
	struct evl_err err;
	struct indexer_recalled walk;
	size_t n;
	make_log(log, "anew", 20);
	assert_false(is_recalled(log));
	uint8_t *file = kept(log, &n);
	assert_true(is_valid(log, file, n));
	assert_int_equal(evl_open(&before, log, &err), 0);
	FILE *f = fopen(log, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, -40, SEEK_END), 0);
	fputc(77, f);
	fclose(f);
	assert_false(is_recalled(log)); /* by its times */
	assert_int_equal(evl_open(&after, log, &err), 0);
	after->source.id = before->source.id;
	evl_use_cache(after, &cache);
	assert_false(index_cache_load(after, file, n, &walk)); /* by its bytes */
	evl_close(before);
	evl_close(after);
	free(file);
}

/* --- the folder ------------------------------------------------------------------------------------------------------- */

static void the_oldest_are_removed(void **state)
{
	(void)state;
	char logs[4][128], path[INDEX_CACHE_PATH];
	uint64_t bytes;
	size_t n;
	for (unsigned i = 0; i < countof(logs); i++) {
		char name[8];
		snprintf(name, sizeof name, "old%u", i);
		make_log(logs[i], name, 20);
	}
	assert_false(is_recalled(logs[0]));
	free(kept(logs[0], &n));
	end(NULL);
	assert_int_equal(begin(NULL), 0);
	for (unsigned i = 0; i < countof(logs); i++) {
		char name[8];
		snprintf(name, sizeof name, "old%u", i);
		make_log(logs[i], name, 20);
	}
	cache.all = 3 * n + 100; /* three of them */
	for (unsigned i = 0; i < countof(logs); i++) {
		assert_false(is_recalled(logs[i]));
		kept_path(logs[i], path);
		const struct timespec used[] = {
			{1000 + (time_t)(i == 1 ? 0 : i + 1), 0}, {1000 + (time_t)(i == 1 ? 0 : i + 1), 0}};
		assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
	}
	assert_int_equal(files_in(cache.dir, &bytes), 3);
	assert_true(bytes <= cache.all);
	assert_true(is_recalled(logs[0]) && is_recalled(logs[2]) && is_recalled(logs[3]));
	kept_path(logs[1], path); /* used longest ago */
	assert_int_not_equal(access(path, F_OK), 0);
	cache.all = n / 2; /* not even one */
	assert_false(is_recalled(logs[1]));
	assert_int_not_equal(access(path, F_OK), 0);
}

static void *open_it(void *log)
{
	struct index_cache mine = cache;
	evl_close(opened(log, &mine));
	return NULL;
}

static void several_may_write_at_once(void **state)
{
	(void)state;
	char log[128];
	pthread_t threads[6];
	uint64_t bytes;
	make_log(log, "many", 60);
	for (size_t i = 0; i < countof(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, open_it, log), 0);
	for (size_t i = 0; i < countof(threads); i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(files_in(cache.dir, &bytes), 1); /* and no temporary one */
	assert_true(is_recalled(log));
}

static void some_logs_are_not_kept(void **state)
{
	(void)state;
	char log[128];
	uint64_t bytes;
	struct evl_log *l;
	struct evl_err err;
	make_log(log, "some", 20);
	cache.least = 1 << 20; /* it is smaller */
	assert_false(is_recalled(log));
	cache.least = 0;
	cache.settled = INT64_MAX / 4; /* it has just been written */
	assert_false(is_recalled(log));
	cache.settled = 0;
	assert_int_equal(evl_open(&l, log, &err), 0);
	assert_int_equal(evl_start(l, NULL, NULL), 0);
	assert_int_equal(evl_wait(l), 0);
	l->cache = &cache;
	struct indexer_recalled walk;
	atomic_bool cancel = false;
	cache.settled = INT64_MAX / 4; /* it had just been written when it was opened */
	assert_false(index_cache_recall(l, &walk, &cancel));
	cache.settled = 0;
	index_cache_keep(l, &(struct indexer_recalled){0}, &cancel);
	assert_int_equal(files_in(cache.dir, &bytes), 0);
	assert_false(index_cache_recall(l, &walk, &cancel));
	cancel = true; /* the user leaves */
	index_cache_keep(l, &(struct indexer_recalled){0}, &cancel);
	assert_int_equal(files_in(cache.dir, &bytes), 0);
	FILE *f = fopen(log, "ab"); /* it grows */
	fputc(1, f);
	fclose(f);
	cancel = false;
	index_cache_keep(l, &(struct indexer_recalled){0}, &cancel);
	assert_int_equal(files_in(cache.dir, &bytes), 0);
	evl_close(l);
	assert_false(is_recalled(log));
	assert_true(is_recalled(log));
}

/* Where the folder cannot be made or is another's to write to, there is no cache, and nothing is said. */
static void a_bad_folder_is_no_error(void **state)
{
	(void)state;
	char log[128];
	make_log(log, "bad", 20);
	const char *const dirs[] = {"", "/proc/evtui", "/dev/null/evtui"};
	for (size_t i = 0; i < countof(dirs); i++) {
		snprintf(cache.dir, sizeof cache.dir, "%s", dirs[i]);
		assert_false(is_recalled(log));
		assert_false(is_recalled(log));
	}
	snprintf(cache.dir, sizeof cache.dir, "%s/open", folder);
	assert_int_equal(mkdir(cache.dir, 0777), 0);
	assert_int_equal(chmod(cache.dir, 0777), 0);
	assert_false(is_recalled(log));
	assert_false(is_recalled(log));
}

/* A process in a sandbox writes through a file that it opened before. */
static void what_was_opened_before_is_written(void **state)
{
	(void)state;
	char log[128], other[128];
	struct stat st;
	char path[INDEX_CACHE_PATH];
	make_log(log, "confined", 20);
	make_log(other, "second", 20);
	index_cache_prepare(&cache, log);
	assert_false(is_recalled(other)); /* it is not for this one */
	assert_false(is_recalled(other));
	assert_false(is_recalled(log));
	assert_true(is_recalled(log));
	index_cache_close(&cache);
	kept_path(log, path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(cache.dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	index_cache_prepare(&cache, other);
	index_cache_close(&cache); /* it was not needed */
	kept_path(other, path);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* Room is made for what is new: a log whose index is there needs none, and of a bad one only the others' sizes count. */
static void a_kept_index_needs_no_room(void **state)
{
	(void)state;
	char log[128], other[128], path[INDEX_CACHE_PATH];
	const struct timespec old[] = {{1000, 0}, {1000, 0}};
	size_t n;
	make_log(log, "mine", 20);
	make_log(other, "others", 20);
	assert_false(is_recalled(log));
	assert_false(is_recalled(other));
	free(kept(log, &n));
	cache.all = 2 * n + 100;
	kept_path(log, path);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	index_cache_prepare(&cache, log);
	index_cache_close(&cache);
	assert_true(is_recalled(log));
	assert_true(is_recalled(other));
	write_file(path, "torn", 4);
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	cache.all = n + (2 << 20) + 2; /* the least that is reserved, and the other */
	index_cache_prepare(&cache, log);
	index_cache_close(&cache);
	assert_int_equal(access(path, F_OK), 0);
	assert_true(is_recalled(other));
}

/* A process in a sandbox cannot remove others any more: an index that needs more room than there was is not written. */
static void what_is_larger_than_the_room_is_not_written(void **state)
{
	(void)state;
	char log[128], other[128], path[INDEX_CACHE_PATH];
	const size_t reserved = 2 << 20;
	size_t n, m;
	make_log(log, "large", 10000);
	make_log(other, "other", 20);
	assert_false(is_recalled(log));
	free(kept(log, &n));
	kept_path(log, path);
	assert_int_equal(unlink(path), 0);
	assert_false(is_recalled(other));
	free(kept(other, &m));
	assert_true(n - 1 >= reserved);
	for (int fits = 0; fits < 2; fits++) {
		cache.all = n + m - !fits;
		index_cache_prepare(&cache, log);
		assert_false(is_recalled(log));
		assert_int_equal(access(path, F_OK), fits ? 0 : -1);
		index_cache_close(&cache);
		assert_true(is_recalled(other));
	}
	assert_true(is_recalled(log));
}

/* One that a killed process left counts and is removed once it is a day old. */
static void what_a_killed_process_left_is_removed(void **state)
{
	(void)state;
	char log[128], lately[INDEX_CACHE_PATH + 20], before[INDEX_CACHE_PATH + 20];
	const struct timespec old[] = {{1000, 0}, {1000, 0}};
	size_t n;
	make_log(log, "left", 20);
	assert_false(is_recalled(log));
	uint8_t *bytes = kept(log, &n);
	snprintf(lately, sizeof lately, "%s/1-2.index.77.new", cache.dir);
	snprintf(before, sizeof before, "%s/1-2.index.78.new", cache.dir);
	write_file(lately, bytes, n);
	write_file(before, bytes, n);
	assert_int_equal(utimensat(AT_FDCWD, before, old, 0), 0);
	cache.all = n + 100;
	check_refused(log, "half", bytes, n / 2);
	assert_int_equal(access(lately, F_OK), 0);
	assert_int_not_equal(access(before, F_OK), 0);
	free(bytes);
}

/* A user who leaves does not wait for it; what was loaded until then is taken back. */
static void recalling_can_be_cancelled(void **state)
{
	(void)state;
	char log[128];
	struct evl_log *l;
	struct evl_err err;
	struct indexer_recalled walk;
	atomic_bool cancel = true;
	make_log(log, "leaves", 20);
	assert_false(is_recalled(log));
	assert_int_equal(evl_open(&l, log, &err), 0);
	evl_use_cache(l, &cache);
	assert_false(index_cache_recall(l, &walk, &cancel));
	assert_false(l->recalled);
	cancel = false;
	assert_true(index_cache_recall(l, &walk, &cancel));
	evl_close(l);
}

/* A command has its answers before anything is written. */
static void a_command_keeps_it_later(void **state)
{
	(void)state;
	char log[128];
	uint64_t bytes;
	make_log(log, "late", 20);
	for (int by_closing = 0; by_closing < 2; by_closing++) {
		struct evl_log *l;
		struct evl_err err;
		assert_int_equal(evl_open(&l, log, &err), 0);
		evl_use_cache(l, &cache);
		evl_keep_late(l);
		assert_int_equal(evl_start(l, NULL, NULL), 0);
		assert_int_equal(evl_wait(l), 0);
		assert_int_equal(files_in(cache.dir, &bytes), 0);
		if (!by_closing)
			evl_keep(l);
		evl_close(l);
		assert_int_equal(files_in(cache.dir, &bytes), 1);
		assert_true(is_recalled(log));
		char path[INDEX_CACHE_PATH];
		kept_path(log, path);
		assert_int_equal(unlink(path), 0);
	}
}

static void settings_come_from_the_environment(void **state)
{
	(void)state;
	struct index_cache c;
	setenv("XDG_CACHE_HOME", "/x", 1);
	index_cache_init(&c, &figures_kept);
	assert_string_equal(c.dir, "/x/evtui");
	assert_int_equal(c.least, INDEX_CACHE_LEAST);
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "/home/me", 1);
	setenv("EVTUI_CACHE_LEAST", "77", 1);
	index_cache_init(&c, &figures_kept);
	assert_string_equal(c.dir, "/home/me/.cache/evtui");
	assert_int_equal(c.least, 77);
	unsetenv("HOME");
	unsetenv("XDG_CACHE_HOME");
	unsetenv("EVTUI_CACHE_LEAST");
	index_cache_init(&c, &figures_kept);
	assert_string_equal(c.dir, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(every_log_says_the_same),
		TEST(a_changed_bit_is_seen),
		TEST(a_changed_bit_of_each_piece_is_seen),
		TEST(a_part_of_a_file_is_none),
		TEST(another_build_is_not_believed),
		TEST(no_offset_leads_outside_of_the_log),
		TEST(any_figures_can_be_shown),
		TEST(samples_of_capabilities_add_up),
		TEST(another_log_is_not_believed),
		TEST(a_log_written_anew_is_not_believed),
		TEST(the_oldest_are_removed),
		TEST(several_may_write_at_once),
		TEST(some_logs_are_not_kept),
		TEST(a_bad_folder_is_no_error),
		TEST(what_was_opened_before_is_written),
		TEST(a_kept_index_needs_no_room),
		TEST(what_is_larger_than_the_room_is_not_written),
		TEST(what_a_killed_process_left_is_removed),
		TEST(recalling_can_be_cancelled),
		TEST(a_command_keeps_it_later),
		TEST(settings_come_from_the_environment),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
