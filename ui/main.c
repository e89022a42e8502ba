/* main - the command line to the viewer or to a batch command. */
#include "app.h"
#include "live.h"
#include "options.h"
#include "report.h"
#include "view_help.h"

#include <locale.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <unistd.h>

static int list_keys(void)
{
	char *text = help_text();
	if (text)
		fputs(text, stdout);
	free(text);
	return text ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int report(int (*print)(struct evl_log *, const struct options *), struct evl_log *log, const struct options *o)
{
	int status = print(log, o);
	evl_close(log);
	return status;
}

static int open_file(struct evl_log **log, const struct stream_spec *spec, const struct unpack_watch *watch,
	struct evl_err *err)
{
	return evl_open_watched(log, spec->name, watch, err);
}

static int view(const struct app_source *source, const struct options *o)
{
	return app_run(source, &o->tty, &(struct app_files){o->config, o->script, o->copy_file});
}

static int open_log(const struct options *o)
{
	struct evl_log *log;
	struct evl_err err = {0};
	struct unpack_watch watch = report_unpacking();
	struct stream_spec spec = {.name = o->log, .fd = -1, .header = o->header, .spool_max = o->spool_max,
		.follow = o->follow && !stream_is(o->log)};
	bool is_stream = o->header || stream_is(o->log);
	if (o->mode == MODE_VIEW && isatty(STDOUT_FILENO) && (is_stream || o->follow))
		return view(&(struct app_source){.stream = &spec, .threads = o->threads}, o);
	if ((is_stream ? live_drain : open_file)(&log, &spec, &watch, &err) < 0) {
		fprintf(stderr, "evtui: %s\n", err.text);
		return EXIT_FAILURE;
	}
	evl_use_threads(log, o->threads);
	if (o->mode == MODE_SHOW)
		return report(report_show, log, o);
	if (o->mode == MODE_EXPORT)
		return report(report_export, log, o);
	if (o->mode == MODE_STATS || !isatty(STDOUT_FILENO))
		return report(report_stats, log, o);
	return view(&(struct app_source){.log = log, .threads = o->threads}, o);
}

/* The walk and the thread job take much memory for a short time: what they free goes back to the system. */
static void frugal(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TRIM_THRESHOLD, 512 << 10);
#endif
}

int main(int argc, char **argv)
{
	struct options o;
	frugal();
	setlocale(LC_CTYPE, ""); /* not of numbers: a point stays a point */
	int status = options_parse(&o, argc, argv);
	if (status)
		return status;
	switch (o.mode) {
	case MODE_HELP: options_help(stdout); return EXIT_SUCCESS;
	case MODE_VERSION: puts("evtui " EVTUI_VERSION); return EXIT_SUCCESS;
	case MODE_LIST_KEYS: return list_keys();
	default: return open_log(&o);
	}
}
