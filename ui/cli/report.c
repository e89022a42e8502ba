#include "cli/report.h"

#include "cli/report_base.h"
#include "show/show.h"

#include <stdlib.h>
#include <unistd.h>

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

static bool tell(void *ctx, uint64_t done, uint64_t total)
{
	static const char wipe[] = "\r                         \r";
	(void)ctx;
	if (done >= total)
		fputs(wipe, stderr);
	else
		fprintf(stderr, "\runpacking … %u%% ", (unsigned)(done * 100 / total));
	return true;
}

static bool tell_nobody(void *ctx, uint64_t done, uint64_t total)
{
	(void)ctx, (void)done, (void)total;
	return true;
}

struct decompress_watch report_unpacking(void)
{
	return (struct decompress_watch){.tell = isatty(STDERR_FILENO) ? tell : tell_nobody};
}

/* Does the moment depend on what is in the log? */
static bool needs_walk(const char *moment)
{
	return moment && strpbrk(moment, "%@");
}

/* --- show --------------------------------------------------------------------------------------------------------- */

/* Not all of the file could be shown, and nothing in the output says so. */
static void note(const struct evl_log *log)
{
	if (log->source.torn)
		fprintf(stderr, "evtui: %s: the compressed file is cut or broken: this is not all\n", log->path);
	if (source_vanished(&log->source))
		fprintf(stderr, "evtui: %s: became shorter while it was read\n", log->path);
}

static int show_wanted(struct evl_log *log, const struct options *o, const struct range *range, const bool *tags)
{
	struct out out = out_open();
	struct show_options options = {.json = o->json, .printable = isatty(out.fd),
		.want = {.from = range->from, .to = range->to, .cap = o->cap, .tags = tags}};
	int result = show(&log->header, log->source.data, log->source.len, &options, out_put, &out);
	note(log);
	return result < 0 && result != EVL_CANCELLED ? report_fail(log, result) : out_status(&out);
}

int report_show(struct evl_log *log, const struct options *o)
{
	struct range range;
	bool *tags = NULL, walked = needs_walk(o->from) || needs_walk(o->to);
	int result = walked ? report_walk(log) : 0;
	if (result < 0)
		return report_fail(log, result);
	int status = report_range(log, o, walked, &range);
	if (status)
		return status;
	result = o->type ? show_tags(o->type, &tags) : 1;
	if (result == 0)
		status = options_refuse("--type: no event has such a name: ", o->type);
	else
		status = result < 0 ? report_fail(log, result) : show_wanted(log, o, &range, tags);
	free(tags);
	return status;
}
