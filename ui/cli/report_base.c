#include "cli/report_base.h"

#include "sys/retry.h"
#include "base/time_expr.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool out_put(void *ctx, const char *bytes, size_t len)
{
	struct out *out = ctx;
	if (!out->error && !write_all(out->fd, bytes, len))
		out->error = errno;
	return !out->error;
}

struct out out_open(void)
{
	signal(SIGPIPE, SIG_IGN); /* EPIPE says it, too */
	return (struct out){.fd = STDOUT_FILENO};
}

int out_status(const struct out *out)
{
	if (out->error == 0 || out->error == EPIPE)
		return EXIT_SUCCESS;
	fprintf(stderr, "evtui: standard output: %s\n", strerror(out->error));
	return EXIT_FAILURE;
}

int report_fail(const struct evl_log *log, int code)
{
	fprintf(stderr, "evtui: %s: %s\n", log->path, evl_strerror(code));
	return EXIT_FAILURE;
}

int report_walk(struct evl_log *log)
{
	int result = evl_start(log, NULL, NULL);
	return result < 0 ? result : evl_wait(log);
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
	if (walked && evl_range(log, &w.first, &w.last))
		w.wall_ns = program_get(&log->program).wall_ns;
	int status = parse_moment(&w, "from", o->from, &out->from);
	status = status ? status : parse_moment(&w, "to", o->to, &out->to);
	if (status == 0 && out->from > out->to)
		return options_refuse("--from is later than --to", "");
	return status;
}
