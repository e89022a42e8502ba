/* main - the command line to the viewer or to a batch command. */
#include "app.h"
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

static int open_log(const struct options *o)
{
	struct evl_log *log;
	struct evl_err err = {0};
	struct unpack_watch watch = report_unpacking();
	if (evl_open_watched(&log, o->log, &watch, &err) < 0) {
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
	default: return open_log(&o);
	}
}
