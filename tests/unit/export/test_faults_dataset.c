/* A data set whose export runs out of memory at every place once, and from every place on: what was finished before
 * stays listed, and no half files are left. */
#include "everything.h"

#include "export/dataset.h"
#include "for_every.h"
#include "remove_tree.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct built b;
static struct evl_log *log_;
static char dir[] = "/tmp/evtui-dataset-XXXXXX";
static char folder[64];

static int add(const char *name)
{
	struct dataset d = {0};
	struct evl_err err = {0};
	int result = dataset_open(&d, folder, &err);
	if (result == 0)
		result = dataset_has(&d, name) ? EVL_EXISTS : dataset_add(&d, log_, name, &err);
	int closed = dataset_close(&d, folder, &err);
	return result ? result : closed;
}

/* A file of the folder; its length in *len. */
static char *read_file(const char *name, size_t *len)
{
	enum { MOST = 1 << 16 };
	char path[128];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	char *text = calloc(1, MOST);
	assert_non_null(text);
	*len = fread(text, 1, MOST - 1, in);
	assert_true(*len < MOST - 1);
	fclose(in);
	return text;
}

static int build(void **state)
{
	struct evl_err err = {0};
	(void)state;
	b = everything(6);
	assert_int_equal(evl_open_memory(&log_, b.data, b.len, &err), 0);
	assert_int_equal(evl_start(log_, NULL, NULL), 0);
	assert_int_equal(evl_wait(log_), 0);
	assert_non_null(mkdtemp(dir));
	snprintf(folder, sizeof folder, "%s/fleet", dir);
	assert_int_equal(add("a"), 0);
	assert_int_equal(add("b"), 0);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	evl_close(log_);
	free(b.data);
	return remove_tree(dir);
}

static int result;
static bool has;

static void open_again(void)
{
	struct dataset d = {0};
	struct evl_err err = {0};
	result = dataset_open(&d, folder, &err);
	has = result == 0 && dataset_has(&d, "a") && dataset_has(&d, "b") && !dataset_has(&d, "c");
	int closed = dataset_close(&d, folder, &err);
	result = result ? result : closed;

	faults_own = true;
	assert_true(result == 0 ? has : result == EVL_NOMEM);
	faults_own = false;
}

static void check_same(const char *name, const char *text, size_t len)
{
	size_t now_len;
	char *now = read_file(name, &now_len);
	assert_int_equal(now_len, len);
	assert_memory_equal(now, text, len);
	free(now);
}

static void finished_work_stays(void **state)
{
	size_t progress_len, manifest_len;
	char *progress = read_file(".progress", &progress_len), *manifest = read_file("manifest.json", &manifest_len);
	(void)state;
	assert_non_null(strstr(manifest, "\"gc/a.csv\""));
	assert_true(for_every(FAULT_MEMORY, open_again) > 2);
	check_same(".progress", progress, progress_len);
	check_same("manifest.json", manifest, manifest_len);
	free(progress);
	free(manifest);
	assert_int_equal(add("a"), EVL_EXISTS);
}

/* Number of files of a table that start with the prefix. */
static int files_of(const char *table, const char *prefix)
{
	char path[128];
	int n = 0;
	snprintf(path, sizeof path, "%s/%s", folder, table);
	DIR *list = opendir(path);
	assert_non_null(list);
	for (const struct dirent *e; (e = readdir(list));)
		n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	closedir(list);
	return n;
}

static void add_one(void)
{
	result = add("c");
	faults_own = true;
	bool listed = false;
	size_t len;
	char *progress = read_file(".progress", &len);
	listed = strstr(progress, "gc/c.csv");
	free(progress);
	assert_true(result == 0 || result == EVL_NOMEM || result == EVL_EXISTS);
	assert_int_equal(files_of("gc", ".c."), 0);
	assert_int_equal(files_of("gc", "c."), listed);
	assert_int_equal(files_of("threads", ".c."), 0);
	assert_int_equal(files_of("threads", "c."), listed);
	faults_own = false;
}

static void no_half_files(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, add_one) > 50);
	assert_int_equal(add("c"), EVL_EXISTS);
	assert_int_equal(add("a"), EVL_EXISTS);
}

static const char *clash;

static void find_clash(void)
{
	static const char *const names[] = {"a/x", "b", "a_x"}, *const apart[] = {"a", "b"};
	result = dataset_clash(names, 3, &clash);
	assert_true(result == EVL_NOMEM || (result == 0 && clash));
	result = dataset_clash(apart, 2, &clash);
	assert_true(result == EVL_NOMEM || (result == 0 && !clash));
}

static void clash_is_not_missed(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, find_clash) > 0);
	assert_int_equal(result, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(finished_work_stays), cmocka_unit_test(no_half_files),
		cmocka_unit_test(clash_is_not_missed)};
	return cmocka_run_group_tests(tests, build, drop);
}
