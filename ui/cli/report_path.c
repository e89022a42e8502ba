/* report_path.c - evtui path: the critical path of the run, a range, a thread or a span. */
#include "base/order.h"
#include "cli/report.h"

#include "cli/page.h"
#include "draw/say.h"
#include "query/path.h"
#include "report/abilities.h"
#include "report/stats_json.h"
#include "table/lists.h"

#include <stdlib.h>
#include <unistd.h>

enum { PAGE_THREADS = 15, PAGE_SEGMENTS = 25, CELL_W = 10 };

static double share_of(uint64_t ns, const struct path *p)
{
	return path_total(p) ? (double)ns / (double)path_total(p) : 0;
}

static void put_head(struct page *p, const struct evl_log *log, const struct path *path)
{
	char t[3][TEXT_ROOM];
	struct buf end = {0};
	page_inked(p, INK_BOLD, "critical path");
	fprintf(p->out, "\n  %s s to %s s: %s", text_time(t[0], path->from), text_time(t[1], path->to),
		text_duration(t[2], path_total(path)));
	if (path->windows)
		fprintf(p->out, " in %s window%s", as_count(path->windows), path->windows == 1 ? "" : "s");
	fprintf(p->out, ", %s %s of thread\n  ", as_count(path->hops), path->hops == 1 ? "change" : "changes");
	path_end_text(&end, log, path);
	page_text(p, buf_slice(&end, 0, end.len));
	fputc('\n', p->out);
	p->failed |= end.failed;
	buf_free(&end);
}

static void put_external(const struct page *p, const struct path *path)
{
	if (path->waiting_ns)
		page_row(p, "  still waiting", as_duration(path->waiting_ns), NULL);
	for (int what = 0; what < PATH_WHAT_COUNT; what++) {
		char name[TEXT_ROOM];
		uint64_t ns = path->by_what[what] - (what == PATH_EXTERNAL ? path->waiting_ns : 0);
		if (path_part_of((enum path_what)what) != PATH_PART_EXTERNAL || ns == 0)
			continue;
		snprintf(name, sizeof name, "  %s",
			what == PATH_EXTERNAL ? "not known" : path_what_name((enum path_what)what));
		page_row(p, name, as_duration(ns), NULL);
	}
}

static const char *const part_names[] = {"run", "gc", "sync", "runnable", "foreign", "external", "unknown"};
_Static_assert(countof(part_names) == PATH_PART_COUNT, "a name for each part");

static void put_parts(const struct page *p, const struct path *path)
{
	page_heading(p, "where its time went");
	for (int part = 0; part < PATH_PART_COUNT; part++) {
		if (path->ns[part])
			page_row(p, part_names[part], as_duration(path->ns[part]),
				as_share(share_of(path->ns[part], path)));
		if (part == PATH_PART_FOREIGN && path->paused_ns)
			page_row(p, "  in GC pauses", as_duration(path->paused_ns), NULL);
		if (part == PATH_PART_EXTERNAL)
			put_external(p, path);
	}
}

/* Nothing for no time. */
static char *or_blank(char *out, enum unit unit, double value)
{
	*out = '\0';
	return value > 0 ? text_value(out, unit, value) : out;
}

static void put_more(const struct page *p, uint64_t n, const char *what)
{
	if (n)
		fprintf(p->out, "  and %s %s\n", as_count(n), what);
}

#define PART(id)     .column = PATH_THREADS_COLUMN_##id, .width = CELL_W, .write = or_blank
#define THREAD(list) .column = list##_COLUMN_THREAD, .before = "thread ", .write = page_plain
#define LABEL(list)  .column = list##_COLUMN_LABEL, .before = "\"", .after = "\"", .join = " "

static void put_threads(struct page *p, struct path_list list)
{
	static const struct page_column columns[] = {{.column = PATH_THREADS_COLUMN_TOTAL, .width = CELL_W},
		{PART(RUN)}, {PART(GC)}, {PART(SYNC)}, {PART(RUNNABLE)}, {PART(FOREIGN)}, {PART(EXTERNAL)},
		{PART(UNKNOWN)}, {THREAD(PATH_THREADS)}, {LABEL(PATH_THREADS)}};
	static const struct page_look look = {.heading = "threads on the path", PAGE_COLUMNS(columns), .heads = true};
	size_t n = list.path.n_threads;
	list.path.n_threads = min_u64(n, PAGE_THREADS);
	page_list(p, &look, &path_threads_kind, &list);
	put_more(p, list.path.threads_not_listed + n - list.path.n_threads, "more");
}

COMPARE_BY(by_length, struct path_segment, ORDER(y->to - y->from, x->to - x->from) ?: RISING(from));

ORDER_BY(by_time, struct path_segment, from);

static char *as_clock(char *out, UNUSED enum unit unit, double value)
{
	return text_time(out, value < 0x1p64 ? (uint64_t)value : UINT64_MAX);
}

/* The longest, in order of time. */
static void put_segments(struct page *p, struct path_list list)
{
	static const struct page_column columns[] = {{.column = PATH_COLUMN_FROM, .width = 16, .write = as_clock},
		{.column = PATH_COLUMN_DURATION, .width = CELL_W}, {.column = PATH_COLUMN_WHAT, .width = -9},
		{THREAD(PATH)}, {LABEL(PATH)},
		{.column = PATH_COLUMN_CAP, .before = "on cap ", .join = " ", .write = page_plain}};
	static const struct page_look look = {.heading = "longest segments, in time order", PAGE_COLUMNS(columns)};
	struct path *path = &list.path;
	size_t n = path->n_segments;
	qsort(path->segments, n, sizeof *path->segments, by_length);
	path->n_segments = min_u64(n, PAGE_SEGMENTS);
	qsort(path->segments, path->n_segments, sizeof *path->segments, by_time);
	page_list(p, &look, &path_list_kind, &list);
	put_more(p, path->segments_not_listed + n - path->n_segments, "shorter");
}

static int print_text(const struct evl_log *log, const struct options *o, struct path *path, struct out *out)
{
	struct path_list list = {.of.log = log, .path = *path};
	struct page page;
	if (!page_open(&page, o))
		return EVL_NOMEM;
	put_head(&page, log, path);
	put_parts(&page, path);
	put_threads(&page, list);
	if (path->n_segments)
		put_segments(&page, list);
	return page_end(&page, 0, out);
}

static int print_json(const struct evl_log *log, const struct path *path, struct out *out)
{
	struct buf text = {0};
	path_json(log, path, &text);
	return out_text(out, &text);
}

/* Append the n_parts parts with the most time to a line. */
static void put_most(char *line, size_t room, const uint64_t *ns, uint64_t total, int n_parts)
{
	bool listed[PATH_PART_COUNT] = {false};
	size_t n = strlen(line);
	for (int i = 0; i < n_parts; i++) {
		int most = -1;
		for (int part = 0; part < PATH_PART_COUNT; part++)
			if (!listed[part] && ns[part] && (most < 0 || ns[part] > ns[most]))
				most = part;
		if (most < 0)
			break;
		listed[most] = true;
		snprintf(line + n, room - n, "%s%s %s", i ? ", " : ": ", part_names[most],
			as_share((double)ns[most] / (double)total));
		n += strlen(line + n);
	}
}

/* Replace the line on the terminal: how far the path is followed, and what took most of its time so far. */
static void tell(void *ctx, const struct path_so_far *p)
{
	int *columns = ctx;
	char line[REPORT_LINE];
	snprintf(line, sizeof line, "critical path, the last %s", as_share(p->share));
	put_most(line, sizeof line, p->ns, p->to - p->reached, 3);
	fprintf(stderr, "\r%-*s", *columns, line);
	*columns = (int)strlen(line);
}

/* The path of the main thread over the first part of the file, which is indexed within a fraction of a second. */
static void first_part(struct evl_log *log, char *text, size_t room)
{
	enum { PART = 8 << 20 };
	struct evl_log *part;
	struct evl_err err;
	struct path path = {0};
	struct path_ask ask = {.to = UINT64_MAX};
	uint64_t len = min_u64(log->source.len, PART);
	if (evl_open_memory(&part, log->source.data, len, &err) < 0)
		return;
	if (evl_start(part, NULL, NULL) == 0 && evl_wait(part) == 0 && path_make(&path, part, &ask, NULL) == 0
		&& path.found && path_total(&path)) {
		snprintf(text, room, "path of the first %s", as_duration(path_total(&path)));
		put_most(text, room, path.ns, path_total(&path), 2);
	}
	path_free(&path);
	evl_close(part);
}

/* label: of the spans whose windows it is the path of; 0: of the range. */
static int find(const struct evl_log *log, struct path_ask *ask, uint64_t label, struct path *path)
{
	enum { TELL_MS = 200 };
	int columns = 0;
	struct path_window *windows = NULL;
	size_t n = 0;
	ask->tell = isatty(STDERR_FILENO) ? tell : NULL;
	ask->ctx = &columns;
	ask->tell_ms = TELL_MS;
	int result = label ? path_windows_find(log, label, ask->from, ask->to, &windows, &n) : 0;
	if (result == 0)
		result = label ? path_over(path, log, ask, windows, n, NULL) : path_make(path, log, ask, NULL);
	free(windows);
	if (columns)
		fprintf(stderr, "\r%*s\r", columns, "");
	return result;
}

/* label: that of --span 'NAME#*', 0: none. */
static int no_path(const struct evl_log *log, const struct options *o, uint64_t label)
{
	if (o->thread)
		say_error("%s: no thread %u", log->path, o->thread);
	else if (label)
		say_error("%s: no span is named \"%s\"", log->path, o->span);
	else
		say_error("%s: runs of threads: %s", log->path, absence_text(log, ABSENCE_RUNS));
	return EXIT_FAILURE;
}

/* The path of a span ends with the thread that ended it. "NAME#*": of the time that all its spans cover. 0 or the exit
 * status. */
static int ask_span(const struct evl_log *log, const char *text, struct path_ask *ask, uint64_t *label)
{
	const struct span *s;
	size_t len = strlen(text);
	if (len > 2 && strcmp(text + len - 2, "#*") == 0) {
		*label = idmap_key((struct evl_str){(const uint8_t *)text, len - 2});
		return 0;
	}
	if (path_span_find(log, str_of(text), &s) < 0)
		return report_fail(log, EVL_NOMEM);
	if (!s) {
		say_error("%s: no span is named \"%s\"", log->path, text);
		return EXIT_FAILURE;
	}
	ask->from = max_u64(ask->from, s->start);
	ask->to = max_u64(min_u64(ask->to, s->end), ask->from);
	ask->thread = s->ended_by ? s->ended_by : s->thread;
	if (ask->thread)
		return 0;
	fprintf(stderr, "evtui: %s: no thread of the program ran when the span began and ended\n", log->path);
	return EXIT_FAILURE;
}

int report_path(struct evl_log *log, const struct options *o)
{
	struct range range;
	struct path path = {0};
	struct out out = out_open();
	if (o->span && o->thread)
		return options_refuse("--thread and --span exclude each other", "");
	bool whole_run = !o->thread && !o->span && !o->from && !o->to;
	int result = report_walk_showing(log, whole_run ? first_part : NULL);
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, true, &range);
	if (status)
		return status;
	struct path_ask ask = {.from = range.from, .to = range.to, .thread = o->thread};
	uint64_t label = 0;
	status = o->span ? ask_span(log, o->span, &ask, &label) : 0;
	if (status)
		return status;
	result = find(log, &ask, label, &path);
	if (result < 0)
		return report_fail(log, result);
	if (!path.found)
		return no_path(log, o, label);
	result = o->json ? print_json(log, &path, &out) : print_text(log, o, &path, &out);
	path_free(&path);
	return result < 0 ? report_fail(log, result) : out_status(&out);
}
