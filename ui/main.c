/* main - the command line to the viewer or to a batch command. */
#include "app.h"
#include "metrics.h"
#include "options.h"
#include "report.h"
#include "sandbox.h"
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

static int list_metrics(void)
{
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		printf("%-24s %-14s %s\n", info->name, unit_name(info->unit), info->meaning);
	}
	return EXIT_SUCCESS;
}

static int report(int (*print)(struct evl_log *, const struct options *), struct evl_log *log, const struct options *o)
{
	int status = print(log, o);
	evl_close(log);
	return status;
}

/* A command without a screen needs no more than its log and what it is told to write. */
static void limit(const struct options *o)
{
	if (o->mode != MODE_VIEW || !isatty(STDOUT_FILENO))
		sandbox_enter(&(struct sandbox_files){.logs = {o->log, o->mode == MODE_DIFF ? o->words[0] : NULL}, .output = o->output});
}

static int open_log(const struct options *o)
{
	struct evl_log *log;
	struct evl_err err = {0};
	struct unpack_watch watch = report_unpacking();
	limit(o);
	if (evl_open_watched(&log, o->log, &watch, &err) < 0) {
		fprintf(stderr, "evtui: %s\n", err.text);
		return EXIT_FAILURE;
	}
	evl_use_threads(log, o->threads);
	if (o->mode == MODE_SHOW)
		return report(report_show, log, o);
	if (o->mode == MODE_EXPORT)
		return report(report_export, log, o);
	if (o->mode == MODE_CHECK)
		return report(report_check, log, o);
	if (o->mode == MODE_DIFF)
		return report(report_diff, log, o);
	if (o->mode == MODE_STATS || !isatty(STDOUT_FILENO))
		return report(report_stats, log, o);
	return app_run(log, &o->tty, &(struct app_files){o->config, o->script, o->copy_file});
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
	case MODE_LIST_METRICS: return list_metrics();
	default: return open_log(&o);
	}
}
