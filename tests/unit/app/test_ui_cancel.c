/* Every job that works in the background, cancelled in the middle of its work: by quitting, by Ctrl-C, by asking for
 * something else. It ends soon: the work it still does then is small compared to the whole. Times are those of the
 * processor, so that a busy machine changes nothing; a hang is ended by an alarm, and fails. */
#include "everything.h"

#include "jobs/bands_job.h"
#include "jobs/cursor_job.h"
#include "jobs/event_job.h"
#include "jobs/export_job.h"
#include "jobs/files_job.h"
#include "jobs/other_log.h"
#include "jobs/path_job.h"
#include "jobs/prof_job.h"
#include "jobs/range_stats_job.h"
#include "jobs/source_job.h"
#include "panes/heap/heap_job.h"
#include "panes/prof/prof_whose.h"
#include "panes/query/query_job.h"
#include "panes/stats/diff_job.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"
#include "stream/live.h"
#include "threads/thread_job.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 280, TRIALS = 5 };
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { BLOCKS = 600 };
#else
enum { BLOCKS = 12000 };
#endif

static struct built b;
static struct evl_log *log_;
static uint64_t first, last;
static char dir[] = "/tmp/evtui-cancel-XXXXXX", path[64], out_path[64];

static void wake(void *ctx) { (void)ctx; }

static int build(void **state)
{
	(void)state;
	alarm(PATIENCE_S);
	b = everything(BLOCKS);
	log_ = walked(&b);
	assert_true(evl_range(log_, &first, &last));
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/log", dir);
	snprintf(out_path, sizeof out_path, "%s/out", dir);
	FILE *f = fopen(path, "w");
	assert_true(f && fwrite(b.data, 1, b.len, f) == b.len && fclose(f) == 0);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	done(log_, &b);
	unlink(path);
	return rmdir(dir); /* nothing else was left there */
}

/* --- the jobs -------------------------------------------------------------------------------------------------------- */

/* One is begun, waited for to its end, and closed, also before that. */
struct job {
	const char *name;
	void *(*begin)(void);
	void (*finish)(void *job);
	void (*end)(void *job);
};

static void *begin_events(void)
{
	static const struct time_expr when = {.last = 1000000};
	struct event_job *job = event_job_new(log_, wake, NULL);
	struct event_filter filter;
	struct evl_err err;
	assert_non_null(job);
	assert_int_equal(event_filter_init(&filter, "text~wor+k", &when, &err), 0);
	event_job_filter(job, &filter);
	event_job_ask(job, &(struct event_ask){.by = EVENT_BY_NUMBER, .number = 50, .above = 10, .below = 10});
	return job;
}
static void finish_events(void *job)
{
	event_job_wait(job, -1);
	while (event_job_busy(job)) {
		event_job_news(job);
		usleep(100);
	}
}
static void end_events(void *job) { event_job_free(job); }

static void *begin_threads(void)
{
	struct thread_job *job = thread_job_new(log_, wake, NULL);
	struct thread_job_ask ask = {.list = {.t0 = first, .t1 = last}, .cols = 160};
	assert_non_null(job);
	for (uint32_t i = 0; i < 40; i++)
		ask.ids[ask.n_ids++] = 100 * i + 1;
	thread_job_ask(job, &ask);
	return job;
}
static void finish_threads(void *job) { thread_job_wait(job, -1); }
static void end_threads(void *job) { thread_job_free(job); }

static void *begin_prof(void)
{
	struct prof_job *job = prof_job_new(log_, PROF_CENTRES, wake, NULL);
	assert_non_null(job);
	prof_job_ask_axis(job, first, last, 160);
	prof_job_ask(job, &(struct prof_ask){.to = UINT64_MAX, .cap = PROF_ALL_CAPS, .centre = PROF_NO_NAME});
	return job;
}
static void *begin_whole_time(void)
{
	struct prof_job *job = prof_job_new(log_, PROF_CENTRES, wake, NULL);
	assert_non_null(job);
	prof_job_ask(job,
		&(struct prof_ask){.to = UINT64_MAX,
			.cap = PROF_ALL_CAPS,
			.centre = PROF_NO_NAME,
			.whole = true,
			.only = "label~worker"});
	return job;
}
static void finish_prof(void *job) { prof_job_take(job, -1); }
static void end_prof(void *job) { prof_job_free(job); }

static struct heap_ask heap_question(void)
{
	return (struct heap_ask){.t0 = first,
		.t1 = last,
		.first = first,
		.last = last,
		.cursor = first,
		.cols = 160,
		.rows = 30,
		.only = BANDS_REST,
		.at = BANDS_REST,
		.room = 20,
		.range_to = last};
}
static void *begin_heap(void)
{
	struct heap_ask ask = heap_question();
	struct heap_answer *page = calloc(1, sizeof *page);
	struct heap_job *job = heap_job_new(log_, wake, NULL);
	assert_true(job && page);
	heap_job_ask(job, &ask, NULL, 0, page);
	heap_answer_free(page);
	free(page);
	return job;
}
static void finish_heap(void *job)
{
	while (heap_job_busy(job)) {
		heap_job_news(job);
		usleep(100);
	}
}
static void end_heap(void *job) { heap_job_free(job); }

static void *asked(struct answer_job *job, const void *question)
{
	assert_non_null(job);
	job_ask(job, question);
	return job;
}
static void finish_answer(void *job) { job_wait(job, -1); }
static void end_answer(void *job) { job_free(job); }

static void *begin_bands(void) { return asked(bands_job_new(log_, wake, NULL), &(struct bands_ask){first, last, 160}); }
static void *begin_range(void)
{
	return asked(range_stats_job_new(log_, wake, NULL), &(struct range_ask){first + 1, last - 1});
}

static void *begin_figures(void)
{
	return asked(stats_job_new(log_, wake, NULL), &(struct stats_ask){.to = UINT64_MAX, .deep = 1});
}
static void *begin_heat(void) { return asked(heat_job_new(log_, wake, NULL), &(struct heat_ask){first, last, 100}); }
static struct table_range all_of_it(void) { return (struct table_range){.log = log_, .to = UINT64_MAX}; }
static void *begin_table(const struct table_source *source, int column)
{
	static struct table_range range;
	struct table_ask ask = {0};
	range = all_of_it();
	range.list = source->list;
	ask.column = column;
	ask.deep = true;
	ask.n = 40;
	return asked(table_job_new(source, &range, wake, NULL), &ask);
}
static void *begin_gcs(void) { return begin_table(&stats_gcs, 3); }
static void *begin_caps(void) { return begin_table(&stats_caps, 0); }
static void *begin_ticky(void) { return begin_table(&stats_ticky, 3); }
static void *begin_blocked(void) { return begin_table(&stats_blocked, 2); }
static void *begin_thread_table(void) { return begin_table(&stats_threads, 1); }

static void *begin_whose(void) { return begin_table(&prof_whose, WHOSE_RUN); }

static void *begin_path(void)
{
	return asked(path_job_new(log_, wake, NULL),
		&(struct path_cols_ask){
			.of = {.to = UINT64_MAX}, .t0 = first, .t1 = last, .cols = 160, .depth = PATH_DEEPEST});
}

static void *begin_why(void) { return asked(why_job_new(log_, wake, NULL), &(struct why_ask){.t = last}); }

static void *begin_idle(void)
{
	return asked(idle_job_new(log_, wake, NULL), &(struct idle_ask){.from = first, .to = last});
}

static void *begin_span(void) { return asked(span_job_new(log_, wake, NULL), &(struct span_ask){.span = 0}); }

static void *begin_source(void)
{
	struct source_ask ask = {.to = UINT64_MAX, .hot = 1, .rows = 20};
	return asked(source_job_new(log_, NULL, wake, NULL), &ask);
}

static void *begin_ranges(void)
{
	static struct diff_ask ask;
	ask = (struct diff_ask){.ranges = {{.from = first, .to = last / 2}, {.from = last / 2, .to = last}}};
	return asked(diff_job_new(log_, NULL, wake, NULL), &ask);
}

static void *begin_other(void)
{
	struct other_log *other = other_log_open(path, wake, NULL);
	assert_non_null(other);
	return other;
}
static void finish_other(void *other) { assert_non_null(other_log_get(other, -1)); }
static void end_other(void *other) { other_log_drop(other); }

static void *begin_export(const char *format, const char *table)
{
	struct export_job *job;
	struct evl_err err;
	struct export_want want = {
		.format = export_find(format), .table = table, .to = UINT64_MAX, .path = out_path, .force = true};
	if (export_job_new(&job, log_, &want, wake, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return job;
}
/* csv: each of its tables, below; dataset opens other files, not this log. */
#define EXPORT_FORMAT(name, wants, help)                                                                               \
	static void *begin_##name(void) { return begin_export(#name, NULL); }
#include "export/export.def"
#undef EXPORT_FORMAT
#define LISTED(name, help)                                                                                             \
	static void *begin_csv_##name(void) { return begin_export("csv", #name); }
#include "rows/rows.def"
static void finish_export(void *job)
{
	while (!export_job_state(job).done)
		usleep(100);
	assert_int_equal(export_job_state(job).err.code, 0);
}
static void end_export(void *job)
{
	export_job_free(job);
	unlink(out_path); /* where it was done by then */
}

static void *begin_walk(void)
{
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open_memory(&log, b.data, b.len, &err), 0);
	assert_int_equal(evl_start(log, wake, NULL), 0);
	return log;
}
static void finish_walk(void *log) { evl_wait(log); }
static void end_walk(void *log) { evl_close(log); }

/* A program that writes no more, and does not end either. */
static int writer;
static void *begin_live(void)
{
	struct live *l;
	struct evl_err err;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	writer = ends[1];
	fcntl(writer, F_SETPIPE_SZ, 1 << 20);
	fcntl(writer, F_SETFL, O_NONBLOCK);
	assert_true(write(writer, b.data, b.len) > 0);
	if (live_open(&l, &(struct stream_spec){.name = "pipe", .fd = ends[0]}, 0, wake, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return l;
}
static void finish_live(void *l)
{
	struct evl_log *log;
	bool reset;
	while (!(log = live_take(l, &reset)))
		usleep(100);
	evl_close(log);
}
static void end_live(void *l)
{
	live_close(l);
	close(writer);
}

static _Atomic uint64_t scanned;
static void *begin_query(void)
{
	return asked(query_job_new(log_, &scanned, wake, NULL),
		&(struct query_ask){.text = "SELECT name, count(*), max(json) FROM events GROUP BY name"});
}

static void *begin_files(void)
{
	struct files_ask *ask = calloc(1, sizeof *ask);
	assert_non_null(ask);
	strcpy(ask->dir, "/usr/bin/");
	void *job = files_job_new();
	assert_non_null(job);
	job_ask(job, ask);
	free(ask);
	return job;
}

static const struct job jobs[] = {
	{"files", begin_files, finish_answer, end_answer},
	{"events", begin_events, finish_events, end_events},
	{"threads", begin_threads, finish_threads, end_threads},
	{"time profile", begin_prof, finish_prof, end_prof},
	{"whole time", begin_whole_time, finish_prof, end_prof},
	{"heap profile", begin_heap, finish_heap, end_heap},
	{"bands", begin_bands, finish_answer, end_answer},
	{"range", begin_range, finish_answer, end_answer},
	{"figures", begin_figures, finish_answer, end_answer},
	{"pauses", begin_heat, finish_answer, end_answer},
	{"table of collections", begin_gcs, finish_answer, end_answer},
	{"table of capabilities", begin_caps, finish_answer, end_answer},
	{"table of ticky counters", begin_ticky, finish_answer, end_answer},
	{"table of blocked time", begin_blocked, finish_answer, end_answer},
	{"table of threads", begin_thread_table, finish_answer, end_answer},
	{"list of threads to profile", begin_whose, finish_answer, end_answer},
	{"critical path", begin_path, finish_answer, end_answer},
	{"why idle", begin_why, finish_answer, end_answer},
	{"idle time of a column", begin_idle, finish_answer, end_answer},
	{"span under the cursor", begin_span, finish_answer, end_answer},
	{"source", begin_source, finish_answer, end_answer},
	{"comparison of ranges", begin_ranges, finish_answer, end_answer},
	{"other log", begin_other, finish_other, end_other},
	{"query", begin_query, finish_answer, end_answer},
#define EXPORT_FORMAT(name, wants, help) {"export " #name, begin_##name, finish_export, end_export},
#include "export/export.def"
#undef EXPORT_FORMAT
#define LISTED(name, help) {"export csv " #name, begin_csv_##name, finish_export, end_export},
#include "rows/rows.def"
	{"walk", begin_walk, finish_walk, end_walk},
	{"stream", begin_live, finish_live, end_live},
};

/* --- cancelled --------------------------------------------------------------------------------------------------------- */

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The cost of that. */
static double end(const struct job *j, void *job)
{
	double from = seconds(CLOCK_PROCESS_CPUTIME_ID);
	j->end(job);
	return seconds(CLOCK_PROCESS_CPUTIME_ID) - from;
}

static void ends_when_it_is_given_up(void **state)
{
	const struct job *j = *state;
	enum { SLACK_MS = 10 };
	double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), sum = 0, most = 0;
	void *job = j->begin();
	j->finish(job);
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	double freeing = end(j, job);
	for (int i = 0; i < TRIALS; i++) {
		job = j->begin();
		usleep((useconds_t)(wall * 1e6 * i / TRIALS));
		double cost = end(j, job);
		sum += cost;
		most = cost > most ? cost : most;
	}
	/* without the most expensive: time that a hypervisor takes away counts as ours */
	double after = (sum - most) / (TRIALS - 1);
	print_message("%s: %.1f ms, %.2f ms to free it, and %.2f ms when cancelled\n", j->name, cpu * 1e3,
		freeing * 1e3, after * 1e3);
	/* a job that ignores it takes half of its time, on average; sanitizers make the parts unequal */
	if (BLOCKS > 1000 && after > freeing + cpu * 2 / 5 + SLACK_MS / 1e3)
		fail_msg("%s: goes on for %.1f ms of %.1f (%.1f at most)", j->name, after * 1e3, cpu * 1e3, most * 1e3);
}

int main(void)
{
	struct CMUnitTest tests[countof(jobs)];
	size_t n = 0;
	memset(tests, 0, sizeof tests);
	for (size_t i = 0; i < countof(jobs); i++)
		if (strcmp(jobs[i].name, "export csv") != 0 && strcmp(jobs[i].name, "export dataset") != 0)
			tests[n++] = (struct CMUnitTest){.name = jobs[i].name,
				.test_func = ends_when_it_is_given_up,
				.initial_state = (void *)(uintptr_t)&jobs[i]};
	return _cmocka_run_group_tests("jobs", tests, n, build, drop);
}
