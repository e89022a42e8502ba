#include "cli/report.h"

#include "base/printable.h"
#include "base/time_expr.h"
#include "base/units.h"
#include "draw/say.h"
#include "query/exe_match.h"
#include "show/show.h"
#include "sys/clock.h"
#include "sys/retry.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- work on a terminal ----------------------------------------------------------------------------------------------- */

static struct {
	_Atomic int64_t began_ms, said_ms; /* 0: it is over; nothing is said */
} work;

static void tell_work(void *what, UNUSED double share)
{
	enum { FIRST_MS = 1000, EVERY_MS = 250 };
	int64_t now = clock_ms(), began = atomic_load(&work.began_ms), said = atomic_load(&work.said_ms);
	if (began == 0 || now - began < FIRST_MS || now - said < EVERY_MS
		|| !atomic_compare_exchange_strong(&work.said_ms, &said, now))
		return;
	fprintf(stderr, "\r%s … %lld s (Ctrl-C stops) ", (const char *)what, (long long)(now - began) / 1000);
}

struct progress report_work(const char *what)
{
	atomic_store(&work.began_ms, clock_ms());
	return (struct progress){.tell = isatty(STDERR_FILENO) ? tell_work : NULL, .ctx = (void *)(uintptr_t)what};
}

void report_work_over(void)
{
	atomic_store(&work.began_ms, 0);
	if (atomic_exchange(&work.said_ms, 0))
		fputs("\r                                    \r", stderr);
}

/* --- output ------------------------------------------------------------------------------------------------------------ */

static void write_out(struct out *out, const char *bytes, size_t len)
{
	if (!out->error && len > 0 && !write_all(out->fd, bytes, len))
		out->error = errno;
}

/* For a terminal: a sequence of UTF-8 that is not whole waits for its rest, unless this is the end. */
static void write_gated(struct out *out, const char *bytes, size_t len, bool end)
{
	struct buf all = {0}, plain = {0};
	buf_put(&all, out->rest, out->n_rest);
	buf_put(&all, bytes, len);
	struct evl_str text = {(const uint8_t *)all.p, all.len};
	text.len = end ? text.len : printable_whole(text);
	out->n_rest = all.len - text.len;
	if (out->n_rest)
		memcpy(out->rest, all.p + text.len, out->n_rest);
	out->binary = out->binary || (text.len > 0 && memchr(text.p, 0, text.len));
	if (!out->binary)
		printable_put(&plain, text, (struct printable){.ascii = !say_utf8(), .lines = true});
	write_out(out, plain.p, plain.len);
	if (!out->error && (all.failed || plain.failed))
		out->error = ENOMEM;
	buf_free(&all);
	buf_free(&plain);
}

bool out_put(void *ctx, const char *bytes, size_t len)
{
	struct out *out = ctx;
	if (!out->file)
		report_work_over();
	if (out->gated)
		write_gated(out, bytes, len, false);
	else
		write_out(out, bytes, len);
	return !out->error && !out->binary;
}

int out_text(struct out *out, struct buf *text)
{
	int result = text->failed ? EVL_NOMEM : 0;
	if (result == 0)
		out_put(out, text->p, text->len);
	buf_free(text);
	return result;
}

struct out out_open(void)
{
	signal(SIGPIPE, SIG_IGN); /* EPIPE says it, too */
	struct stat st;
	return (struct out){.fd = STDOUT_FILENO, .file = fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode)};
}

struct out out_gated(void)
{
	struct out out = out_open();
	out.gated = isatty(out.fd);
	return out;
}

int out_status(struct out *out)
{
	if (out->gated)
		write_gated(out, NULL, 0, true);
	if (out->binary)
		return options_refuse(
			"binary output is not written to a terminal: use -o FILE, or -o - to write it anyway", "");
	if (out->error == 0 || out->error == EPIPE)
		return EXIT_SUCCESS;
	say_error("standard output: %s", strerror(out->error));
	return EXIT_FAILURE;
}

int out_stdio(void)
{
	bool good = fflush(stdout) == 0 && !ferror(stdout) && close_written(STDOUT_FILENO);
	if (good || errno == EPIPE)
		return EXIT_SUCCESS;
	say_error("standard output: %s", strerror(errno));
	return EXIT_FAILURE;
}

static atomic_bool cancelled;

static void cancel(int number)
{
	atomic_store(&cancelled, true);
	signal(number, SIG_DFL); /* the second time at once */
}

const atomic_bool *report_cancellable(void)
{
	signal(SIGINT, cancel);
	return &cancelled;
}

char *report_text(const char *path, const char *too_long)
{
	enum { MOST = 1 << 20 };
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(MOST + 1) : NULL;
	size_t len = text ? fread(text, 1, MOST, file) : 0;
	const char *why = !text || ferror(file) ? strerror(errno)
		: len == MOST                   ? too_long
		: memchr(text, 0, len)          ? "it has a NUL byte"
						: NULL;
	if (why)
		say_error("%s: %s", path, why);
	if (text)
		text[len] = '\0';
	if (file)
		fclose(file);
	if (why)
		free(text);
	return why ? NULL : text;
}

int report_fail(const struct evl_log *log, int code)
{
	report_work_over();
	say_error("%s: %s", log->path, evl_strerror(code));
	return EXIT_FAILURE;
}

int report_err(const struct evl_err *err)
{
	say_error("%s%s", err->text, err->code == EVL_EXISTS ? " (--force replaces it)" : "");
	return EXIT_FAILURE;
}

static void moved(void *ctx) { sem_post(ctx); }

/* Replace the line on the terminal: the share of the file that is read, and a text. Return its columns. */
static int show_read(const struct evl_progress *p, const char *text, int columns)
{
	char line[REPORT_LINE];
	uint64_t done = p->ready ? p->bytes : p->found;
	int n = snprintf(line, sizeof line, "%s: %u%%%s%s", p->ready ? "reading" : "finding blocks",
		(unsigned)(p->total ? done * 100 / p->total : 0), *text ? "; " : "", text);
	fprintf(stderr, "\r%-*s", columns, line);
	return (int)min_u64((uint64_t)n, sizeof line - 1);
}

int report_walk_showing(struct evl_log *log, void (*early)(struct evl_log *log, char *text, size_t room))
{
	enum { QUIET_MS = 300 };
	sem_t woken;
	char text[REPORT_LINE] = "";
	int columns = 0;
	bool shows = isatty(STDERR_FILENO) && sem_init(&woken, 0, 0) == 0;
	evl_keep_late(log);
	int64_t began = clock_ms();
	int result = evl_start(log, shows ? moved : NULL, &woken);
	for (struct evl_progress p; shows && result == 0 && !(p = evl_progress(log)).done;) {
		bool quiet = clock_ms() - began < QUIET_MS;
		if (!quiet && p.ready && early) {
			columns = show_read(&p, text, columns);
			early(log, text, sizeof text);
			early = NULL;
		}
		if (!quiet)
			columns = show_read(&p, text, columns);
		while (sem_wait(&woken) < 0 && errno == EINTR)
			;
	}
	result = result < 0 ? result : evl_wait(log);
	if (columns)
		fprintf(stderr, "\r%*s\r", columns, "");
	if (shows)
		sem_destroy(&woken);
	return result;
}

int report_walk(struct evl_log *log) { return report_walk_showing(log, NULL); }

static void say_unused(const struct evl_err *err) { say_error("%s; its names are not used", err->text); }

int report_walk_named(struct evl_log *log, const struct options *o)
{
	struct evl_err err;
	struct exe *exe = NULL;
	struct ccdb *centres;
	int result = report_walk(log);
	if (result < 0)
		return result;
	const struct name_files *names = &o->names;
	log->build_id = names->build_id;
	if (names->exe && exe_match(&exe, log, names->exe, NULL, &err) < 0)
		say_unused(&err);
	if (!names->exe && !names->ipedb && exe_is_wanted(log)) {
		exe = exe_search(log, NULL);
		if (!exe && names->build_id.len)
			say_error("%s: no executable with the build-id was found: --exe PROG", log->path);
	}
	if (names->ipedb && exe_match_ipedb(&exe, log, names->ipedb, NULL, &err) < 0)
		say_unused(&err);
	if (exe)
		evl_use_exe(log, exe);
	if (names->ccdb && ccdb_match(&centres, log, names->ccdb, &err) < 0)
		say_unused(&err);
	else if (names->ccdb)
		evl_use_ccdb(log, centres);
	return 0;
}

static int parse_moment(const struct time_expr *w, const char *name, const char *text, uint64_t *out)
{
	struct evl_err err;
	char what[256];
	if (!text || time_expr_parse(w, text, out, &err) == 0)
		return 0;
	snprintf(what, sizeof what, "--%s: %s", name, err.text);
	return options_refuse(what, "");
}

int report_range(const struct evl_log *log, const struct options *o, bool walked, struct range *out)
{
	struct time_expr w = {0};
	*out = (struct range){.to = UINT64_MAX};
	bool has_events = walked && evl_range(log, &w.first, &w.last);
	if (has_events)
		w.wall_ns = program_get(&log->program).wall_ns;
	int status = parse_moment(&w, "from", o->from, &out->from);
	status = status ? status : parse_moment(&w, "to", o->to, &out->to);
	if (status == 0 && out->from > out->to)
		return options_refuse("--from is later than --to", "");
	if (status == 0 && has_events && (out->from > w.last || out->to <= w.first)) {
		say_error("%s: no events %s: it %s at %s", log->path,
			out->from > w.last ? "after --from" : "before --to", out->from > w.last ? "ends" : "starts",
			as_value(UNIT_NS, (double)(out->from > w.last ? w.last : w.first)));
		return EXIT_USAGE;
	}
	return status;
}

int report_begin(struct evl_log *log, const struct options *o, struct range *out)
{
	int result = options_take_exe(o) ? report_walk_named(log, o) : report_walk(log);
	return result < 0 ? report_fail(log, result) : report_range(log, o, true, out);
}

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

static bool tell(UNUSED void *ctx, uint64_t done, uint64_t total)
{
	static const char wipe[] = "\r                         \r";
	if (done >= total)
		fputs(wipe, stderr);
	else
		fprintf(stderr, "\runpacking … %u%% ", (unsigned)(done * 100 / total));
	return true;
}

static bool go_on(UNUSED void *ctx, UNUSED uint64_t done, UNUSED uint64_t total) { return true; }

struct decompress_watch report_unpacking(const struct options *o)
{
	return (struct decompress_watch){.tell = isatty(STDERR_FILENO) ? tell : go_on, .most = o->spool_max};
}

/* Does the moment depend on what is in the log? */
static bool needs_walk(const char *moment) { return moment && strpbrk(moment, "%@"); }

/* --- show --------------------------------------------------------------------------------------------------------- */

/* Not all of the file could be shown, and nothing in the output says so. */
static void note(const struct evl_log *log)
{
	if (log->source.truncated)
		say_error("%s: the compressed file is truncated or damaged: the output is incomplete", log->path);
	if (source_vanished(&log->source))
		say_error("%s: became shorter while it was read", log->path);
}

static int show_wanted(struct evl_log *log, const struct options *o, const struct range *range, const bool *tags)
{
	struct out out = out_open();
	const struct progress watch = report_work("printing");
	struct show_options options = {.json = o->json,
		.printable = isatty(out.fd),
		.reads_inside = log->reads_inside,
		.want = {.from = range->from, .to = range->to, .cap = o->cap, .tags = tags, .watch = &watch}};
	int result = show(&log->header, log->source.data, log->source.len, &options, out_put, &out);
	report_work_over();
	note(log);
	return result < 0 && result != EVL_CANCELLED ? report_fail(log, result) : out_status(&out);
}

/* --cap must name a capability of the log; the directory of blocks knows them. */
static int check_cap(const struct evl_log *log, const struct options *o)
{
	for (uint32_t i = 0; i < log->blocks.n_chains; i++)
		if (o->cap < 0 || log->blocks.chains[i].cap == o->cap)
			return 0;
	if (o->cap < 0)
		return 0;
	say_error("%s: no capability %d in this log (it has %zu)", log->path, o->cap, log->n_caps);
	return EXIT_FAILURE;
}

int report_show(struct evl_log *log, const struct options *o)
{
	struct range range;
	bool *tags = NULL, walked = needs_walk(o->from) || needs_walk(o->to) || o->cap >= 0;
	int result = walked ? report_walk(log) : 0;
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, needs_walk(o->from) || needs_walk(o->to), &range);
	status = status ? status : check_cap(log, o);
	if (status)
		return status;
	result = o->type ? show_tags(o->type, &tags) : 1;
	if (result == 0)
		status = options_refuse("--type: no event has this name: ", o->type);
	else
		status = result < 0 ? report_fail(log, result) : show_wanted(log, o, &range, tags);
	free(tags);
	return status;
}
