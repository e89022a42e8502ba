/* The commands when memory or threads run out, disks are full or do not read, at every place once and from every place on:
 * the whole output, or one line that says why not. test_ui_faults does the same with the screen. */
#include "everything.h"

#include "cli/report.h"
#include "for_every.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static char dir[] = "/tmp/evtui-faults-XXXXXX", path[64];

static int build(void **state)
{
	(void)state;
	struct built b = everything(4);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/log", dir);
	FILE *f = fopen(path, "w");
	assert_true(f && fwrite(b.data, 1, b.len, f) == b.len && fclose(f) == 0);
	free(b.data);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir); /* nothing else was left there */
}

/* Standard output and standard error go into files that can be looked at. */
static void hide_output(int *saved, const int *files)
{
	fflush(NULL);
	for (int i = 0; i < 2; i++) {
		saved[i] = dup(i + 1);
		assert_true(ftruncate(files[i], 0) == 0 && lseek(files[i], 0, SEEK_SET) == 0
			&& dup2(files[i], i + 1) == i + 1);
	}
}

static void show_output(const int *saved)
{
	fflush(NULL);
	for (int i = 0; i < 2; i++) {
		dup2(saved[i], i + 1);
		close(saved[i]);
	}
}

static int files[2]; /* what was written to standard output and standard error */
static char *whole;  /* what is printed when nothing fails */
static size_t whole_len;

static void check_printed(int status)
{
	char line[300] = "";
	off_t len = lseek(files[0], 0, SEEK_END);
	ssize_t n = pread(files[1], line, sizeof line - 1, 0);
	char *text = mmap(NULL, (size_t)len + 1, PROT_READ, MAP_SHARED, files[0], 0);
	if (status != 0 && (n <= 0 || strncmp(line, "evtui: ", 7) != 0 || strchr(line, '\n') != line + n - 1))
		fail_msg("status %d, and it says: %s", status, line);
	bool partly = whole && status == 0 && (whole_len != (size_t)len || memcmp(whole, text, whole_len) != 0);
	if (partly)
		fail_msg("fault %llu (%s): status 0, and it prints %zu bytes of %zu: %.*s",
			(unsigned long long)faults.at, faults.last, (size_t)len, whole_len, (int)len, text);
	if (!whole) {
		whole = malloc((size_t)len + 1);
		assert_non_null(whole);
		memcpy(whole, text, whole_len = (size_t)len);
	}
	munmap(text, (size_t)len + 1);
}

/* As the command line does it. */
static int open_and_print(const struct options *o, int (*print)(struct evl_log *, const struct options *))
{
	struct evl_log *log;
	struct evl_err err;
	if (evl_open(&log, path, &err) < 0) {
		fprintf(stderr, "evtui: %s\n", err.text);
		return EXIT_FAILURE;
	}
	int status = print(log, o);
	evl_close(log);
	return status;
}

/* Its bounds are read before the log is. */
static int check_it(struct evl_log *log, const struct options *o)
{
	struct options own = *o;
	int status = report_check_prepare(&own);
	return status ? status : report_check(log, &own);
}

static int query_it(struct evl_log *log, const struct options *o)
{
	static char name[] = "log";
	char *names[] = {name};
	return report_query(&log, names, 1, o, "SELECT name, count(*), max(pause_ns) FROM gc, spans GROUP BY name");
}

static const struct report {
	const char *name;
	int (*print)(struct evl_log *, const struct options *);
	struct options options;
} reports[] = {
	{"show", report_show, {.cap = -1, .from = "1%", .type = "GC_*"}},
	{"show --json", report_show, {.cap = -1, .json = true}},
	{"stats", report_stats, {.cap = -1}},
	{"stats of a range", report_stats, {.cap = -1, .to = "1us", .all = true}},
	{"stats --json", report_stats, {.cap = -1, .json = true}},
	{"check", check_it, {.fail_if = {{"gc.pause.max>10s", "spans.work.p99>10s", "threads.created>100"}, 3}}},
	{"diff", report_diff, {.words = {path}}},
	{"diff --json", report_diff, {.words = {path}, .json = true}},
	{"diff --csv", report_diff, {.words = {path}, .csv = true}},
	{"export eventlog", report_export, {.words = {"eventlog"}, .from = "20%", .to = "80%"}},
	{"export log", report_export, {.words = {"log"}}},
	{"export folded", report_export, {.words = {"folded"}}},
	{"export speedscope", report_export, {.words = {"speedscope"}}},
	{"profile", report_prof, {.cap = -1}},
	{"export hp", report_export, {.words = {"hp"}}},
	{"export csv threads", report_export, {.words = {"csv"}, .table = "threads"}}, /* the others: test_faults */
	{"export csv runs", report_export, {.words = {"csv"}, .table = "runs"}},
	{"stats of a span's windows", report_stats, {.cap = -1, .span = "work"}},
	{"path", report_path, {.cap = -1}},
	{"path --json", report_path, {.cap = -1, .json = true}},
	{"profile --whole", report_prof, {.cap = -1, .whole = true}},
	{"annotate", report_annotate, {.cap = -1}},
	{"annotate --quickfix", report_annotate, {.cap = -1, .quickfix = true}},
	{"doctor", report_doctor, {.cap = -1}},
	{"doctor --json", report_doctor, {.cap = -1, .json = true}},
	{"export whole", report_export, {.words = {"whole"}}},
	{"export perfetto", report_export, {.words = {"perfetto"}}},
	{"export pprof", report_export, {.words = {"pprof"}}},
	{"export ipedb", report_export, {.words = {"ipedb"}}},
	{"export svg", report_export, {.words = {"svg"}}},
	{"export html", report_export, {.words = {"html"}}},
	{"query", query_it, {.cap = -1, .csv = true}},
};
static const struct report *report;

static void print_it(void)
{
	int saved[2];
	faults_own = true;
	hide_output(saved, files);
	faults_own = false;
	int status = open_and_print(&report->options, report->print);
	faults_own = true;
	show_output(saved);
	check_printed(status);
	faults_own = false;
}

/* Done and whole, or one line that says why not. */
static void is_whole_or_fails(void **state)
{
	report = *state;
	whole = NULL; /* also where a test before failed */
	faults_own = false;
	for (int i = 0; i < 2; i++)
		files[i] = memfd_create("printed", MFD_CLOEXEC);
	print_it();
	assert_non_null(whole);
	for (enum fault kind = FAULT_MEMORY; kind < FAULT_INTERRUPT; kind++)
		for_every(kind, print_it);
	char *same = whole;
	size_t len = whole_len;
	whole = NULL;
	faults_begin(FAULT_INTERRUPT, 0, false); /* by signals: it goes on */
	print_it();
	assert_true(faults_end() > 0);
	assert_true(whole && whole_len == len && memcmp(whole, same, len) == 0);
	free(same);
	free(whole);
	whole = NULL;
	for (int i = 0; i < 2; i++)
		close(files[i]);
}

int main(void)
{
	struct CMUnitTest tests[countof(reports)];
	for (size_t i = 0; i < countof(reports); i++)
		tests[i] = (struct CMUnitTest){.name = reports[i].name,
			.test_func = is_whole_or_fails,
			.initial_state = (void *)(uintptr_t)&reports[i]};
	return cmocka_run_group_tests(tests, build, drop);
}
