#include "cli/report.h"

#include "export/export.h"
#include "sys/atomic_file.h"

#include <stdlib.h>

static int say(const struct evl_err *err)
{
	fprintf(stderr, "evtui: %s%s\n", err->text, err->code == EVL_EXISTS ? " (--force replaces it)" : "");
	return EXIT_FAILURE;
}

static int to_stdout(const struct evl_log *log, const struct export_format *format, struct export *x)
{
	struct out out = out_open();
	x->put = out_put;
	x->ctx = &out;
	int result = export_run(format, x);
	return result < 0 && result != EVL_CANCELLED ? report_fail(log, result) : out_status(&out);
}

static bool put_file(void *ctx, const char *bytes, size_t len) { return atomic_file_put(ctx, bytes, len); }

static int to_file(
	const struct evl_log *log, const struct options *o, const struct export_format *format, struct export *x)
{
	struct atomic_file file;
	struct evl_err err = {0};
	if (atomic_file_begin(&file, o->output, o->force, &err) < 0)
		return say(&err);
	x->put = put_file;
	x->ctx = &file;
	int result = export_run(format, x);
	bool whole = result == 0 || file.error; /* what the file met is said with its name */
	int ended = atomic_file_end(&file, whole, &err);
	return !whole ? report_fail(log, result) : ended < 0 ? say(&err) : EXIT_SUCCESS;
}

static int refuse_format(const char *name)
{
	char what[256] = "";
	size_t n, used = 0;
	const struct export_format *all = export_formats(&n);
	for (size_t i = 0; i < n && used < sizeof what; i++)
		used += (size_t)snprintf(what + used, sizeof what - used, "%s%s", i ? ", " : "", all[i].name);
	fprintf(stderr, "evtui: export: not one of %s: ", what);
	fprintf(stderr, "%s (try evtui --help)\n", name);
	return EXIT_USAGE;
}

int report_export(struct evl_log *log, const struct options *o)
{
	const struct export_format *format = export_find(o->words[0]);
	struct evl_err err = {0};
	struct range range;
	if (!format)
		return refuse_format(o->words[0]);
	if (export_check(format, o->table, &err) < 0)
		return options_refuse("export: ", err.text);
	int result = report_walk(log);
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, true, &range);
	if (status)
		return status;
	struct export x = {.log = log, .from = range.from, .to = range.to, .table = o->table};
	return o->output ? to_file(log, o, format, &x) : to_stdout(log, format, &x);
}
