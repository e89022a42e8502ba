/* report_export.c - evtui export. */
#include "cli/report.h"

#include "draw/say.h"
#include "export/export.h"
#include "report/abilities.h"
#include "rows/rows.h"
#include "sys/atomic_file.h"
#include "sys/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The output of this process, for the handler. */
static struct {
	int ask;
	pid_t keeper;
} open_output;

/* Wait until the keeper has removed the file, so that nothing is left when this process has ended. */
static void leave(UNUSED int number)
{
	if (open_output.keeper > 0) {
		close(open_output.ask);
		waitpid(open_output.keeper, NULL, 0);
	}
	_exit(EXIT_INTERRUPTED);
}

void report_export_interruptible(const struct atomic_file *file)
{
	if (file) {
		open_output.ask = file->ask;
		open_output.keeper = file->keeper;
	}
	signal(SIGINT, leave);
}

static int fail_with(const struct evl_log *log, const struct export *x, int result)
{
	if (!x->why)
		return report_fail(log, result);
	say_error("%s: %s", log->path, x->why);
	return EXIT_FAILURE;
}

static int to_stdout(
	const struct evl_log *log, const struct options *o, const struct export_format *format, struct export *x)
{
	struct out out = o->output ? out_open() : out_gated();
	x->put = out_put;
	x->ctx = &out; /* cppcheck-suppress autoVariables ; used in export_run only */
	const struct progress work = report_work("exporting");
	x->watch = &work; /* cppcheck-suppress autoVariables ; used in export_run only */
	int result = export_run(format, x);
	report_work_over();
	return result < 0 && result != EVL_CANCELLED ? fail_with(log, x, result) : out_status(&out);
}

static bool put_file(void *ctx, const char *bytes, size_t len) { return atomic_file_put(ctx, bytes, len); }

static int to_file(
	const struct evl_log *log, struct atomic_file *file, const struct export_format *format, struct export *x)
{
	struct evl_err err = {0};
	x->put = put_file;
	x->ctx = file;
	x->file = file;
	signal(SIGPIPE, SIG_IGN); /* of a FIFO: EPIPE says it, too */
	const struct progress work = report_work("exporting");
	x->watch = &work; /* cppcheck-suppress autoVariables ; used in export_run only */
	int result = export_run(format, x);
	report_work_over();
	bool whole = result == 0 || file->error; /* what the file met is said with its name */
	signal(SIGINT, SIG_IGN);                 /* it is all written: too late to leave nothing */
	int ended = atomic_file_end(file, whole, &err);
	return !whole ? fail_with(log, x, result) : ended < 0 ? report_err(&err) : EXIT_SUCCESS;
}

/* --- slices ----------------------------------------------------------------------------------------------------------- */

static bool put_slice(void *ctx, const char *bytes, size_t len) { return write_all(*(const int *)ctx, bytes, len); }

static int fail_slice(const char *path)
{
	say_error("%s: %s", path, strerror(errno));
	return EXIT_FAILURE;
}

/* Under another name until it is whole. */
static int write_slice(
	const struct options *o, const struct export_format *format, const struct export *slice, uint64_t i)
{
	char path[4096], part[4096 + 8];
	struct export x = *slice;
	snprintf(path, sizeof path, "%.*s.%04" PRIu64, (int)sizeof path - 8, o->output, i);
	snprintf(part, sizeof part, "%s.part", path);
	if (!o->force && faccessat(AT_FDCWD, path, F_OK, 0) == 0) {
		say_error("%s: it exists already (--force replaces it)", path);
		return EXIT_FAILURE;
	}
	int fd = openat(AT_FDCWD, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return fail_slice(part);
	x.put = put_slice;
	x.ctx = &fd;
	int result = export_run(format, &x);
	bool whole = close_written(fd) && result == 0;
	if (whole && renameat(AT_FDCWD, part, AT_FDCWD, path) == 0)
		return EXIT_SUCCESS;
	int failed = errno;
	unlinkat(AT_FDCWD, part, 0);
	if (atomic_load(x.cancel))
		return EXIT_INTERRUPTED;
	errno = failed;
	return result < 0 && result != EVL_CANCELLED ? fail_with(x.log, &x, result) : fail_slice(path);
}

static int to_slices(const struct options *o, const struct export_format *format, struct export *x)
{
	enum { MOST = 9999 };
	uint64_t first = 0, last = 0, n;
	evl_range(x->log, &first, &last);
	uint64_t from = max_u64(x->from, first), to = min_u64(x->to, last + 1);
	n = to > from ? (to - from - 1) / o->slice_by + 1 : 1;
	if (n > MOST)
		return options_refuse("export: more than 9,999 slices; choose a longer --slice-by", "");
	x->cancel = report_cancellable();
	const struct progress work = report_work("exporting");
	x->watch = &work; /* cppcheck-suppress autoVariables ; used in export_run only */
	int status = EXIT_SUCCESS;
	for (uint64_t i = 0; i < n && status == EXIT_SUCCESS; i++) {
		x->from = from + i * o->slice_by;
		x->to = min_u64(x->from + o->slice_by, to);
		status = write_slice(o, format, x, i + 1);
	}
	report_work_over();
	return status;
}

bool report_output_is_file(const struct options *o) { return o->output && strcmp(o->output, "-") != 0; }

static int refuse_format(const char *name)
{
	char use[256];
	say_error(
		"export: invalid format \"%s\" (use %s; try evtui export --help)", name, export_names(use, sizeof use));
	return EXIT_USAGE;
}

/* With all of their names, for which an error of the library has no room. */
static int refuse_table(const char *table)
{
	char names[ROWS_NAMES];
	rows_names(names, sizeof names);
	if (table)
		say_error("export: invalid table \"%s\" (use %s; try evtui export --help)", table, names);
	else
		say_error("export: csv needs --table=NAME (use %s; try evtui export --help)", names);
	return EXIT_USAGE;
}

static bool takes_groups(const struct options *o, const struct export_format *format)
{
	bool of_bands = o->table && (strcmp(o->table, "census") == 0 || strcmp(o->table, "bands") == 0);
	return of_bands || strcmp(format->name, "html") == 0 || strcmp(format->name, "hp") == 0;
}

int report_export_check(const struct options *o)
{
	struct evl_err err = {0};
	const struct export_format *format = export_find(o->words[0]);
	if (!format)
		return refuse_format(o->words[0]);
	if (o->spreadsheet && strcmp(format->name, "csv") != 0)
		return options_fail("export: --spreadsheet is for csv, not for ", format->name);
	if (format->wants == TO_FILE && !report_output_is_file(o))
		return options_fail(format->name, " needs a file: -o FILE");
	if ((o->pane || o->width) && strcmp(format->name, "svg") != 0)
		return options_fail("export: --pane and --size are for svg, not for ", format->name);
	if (o->pane && !report_is_pane(o->pane))
		return options_invalid("--pane", o->pane, "timeline, heap, profile, events or stats");
	if (o->slice_by && strcmp(format->name, "perfetto") != 0)
		return options_fail("export: --slice-by is for perfetto, not for ", format->name);
	if (o->slice_by && !report_output_is_file(o))
		return options_refuse("export: --slice-by needs -o OUT, for OUT.0001, OUT.0002 …", "");
	if (o->raw && strcmp(format->name, "sqlite") != 0)
		return options_fail("export: --raw is for sqlite and dataset, not for ", format->name);
	if (o->no_rts && !export_is_profile(format))
		return options_fail("export: --no-rts is for folded, speedscope and pprof, not for ", format->name);
	if (o->group && !takes_groups(o, format))
		return options_fail(
			"export: --group is for html, hp and the tables census and bands, not for ", format->name);
	if (format->wants == TABLE && (!o->table || !rows_find(o->table)))
		return refuse_table(o->table);
	return export_check(format, o->table, &err) < 0 ? options_fail("export: ", err.text) : 0;
}

/* A table with its heading only: say why. It is no error, as a table without rows is one, too. */
static void say_no_rows(const struct export *x)
{
	static const struct {
		const char *table;
		enum absence of;
	} absences[] = {{"gc", ABSENCE_GCS}, {"threads", ABSENCE_THREADS}, {"spans", ABSENCE_SPANS},
		{"phases", ABSENCE_PHASES}, {"markers", ABSENCE_PHASES}, {"blocked", ABSENCE_RUNS},
		{"wakers", ABSENCE_RUNS}, {"path", ABSENCE_RUNS}, {"concurrency", ABSENCE_RUNS}, {"runs", ABSENCE_RUNS},
		{"wakes", ABSENCE_RUNS}, {"heap", ABSENCE_HEAP}, {"sparks", ABSENCE_SPARKS}, {"tasks", ABSENCE_TASKS},
		{"nm_cycles", ABSENCE_NONMOVING}};
	const char *why = "none";
	for (size_t i = 0; i < countof(absences); i++)
		if (strcmp(absences[i].table, x->table) == 0)
			why = absence_over(x->log, absences[i].of, x->from == 0 && x->to == UINT64_MAX);
	say_error("%s: the table %s has no rows: %s", x->log->path, x->table, why);
}

int report_export(struct evl_log *log, const struct options *o)
{
	const struct export_format *format = o->pane || o->width ? report_pane_format(o) : export_find(o->words[0]);
	struct range range = {0};
	int status = report_begin(log, o, &range);
	if (status == 0) {
		struct export x = {.log = log,
			.from = range.from,
			.to = range.to,
			.table = o->table,
			.spreadsheet = o->spreadsheet,
			.group = o->group,
			.no_rts = o->no_rts,
			.raw = o->raw};
		if (o->slice_by)
			return to_slices(o, format, &x);
		status = o->file ? to_file(log, o->file, format, &x) : to_stdout(log, o, format, &x);
		if (status == EXIT_SUCCESS && x.no_rows)
			say_no_rows(&x);
		return status;
	}
	if (o->file)
		atomic_file_end(o->file, false, NULL);
	return status;
}
