/* report_dataset.c - evtui export dataset: the tables of many logs in a folder, several logs at once. */
#include "cli/report.h"
#include "draw/say.h"
#include "export/dataset.h"
#include "sys/worker.h"

#include <stdlib.h>
#include <unistd.h>

struct work {
	struct dataset set;
	struct progress watch; /* of a single log: of several, their number is told */
	const struct options *o;
	char **names;
	atomic_size_t next, done;
	atomic_int failed;
};

static void tell(struct work *w)
{
	size_t done = atomic_fetch_add(&w->done, 1) + 1;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%zu of %d logs%s", done, w->o->n_logs, done < (size_t)w->o->n_logs ? " " : "\n");
}

/* Return false if the user cancelled it. */
static bool add(struct work *w, size_t i)
{
	struct evl_log *log;
	struct evl_err err = {0};
	const struct options *o = w->o;
	struct decompress_watch watch = report_unpacking(o);
	if (!o->force && dataset_has(&w->set, w->names[i]))
		return true;
	int result = evl_open_watched(&log, o->logs[i], &watch, &err);
	if (result == 0) {
		evl_use_threads(log, o->n_logs > 1 ? 1 : o->threads);
		evl_use_cache(log, o->cache);
		result = report_walk_named(log, o);
		if (result == 0 && o->n_logs == 1) {
			w->watch = report_work("exporting");
			w->set.watch = &w->watch;
		}
		result = result < 0 ? result : dataset_add(&w->set, log, w->names[i], &err);
		report_work_over();
		evl_close(log);
	}
	if (result < 0 && result != EVL_CANCELLED) {
		if (err.code)
			say_error("%s", err.text);
		else
			say_error("%s: %s", o->logs[i], evl_strerror(result));
		atomic_store(&w->failed, 1);
	}
	return result != EVL_CANCELLED;
}

static void *run(void *arg)
{
	struct work *w = arg;
	size_t n = (size_t)w->o->n_logs, i;
	while (!atomic_load(w->set.cancel) && (i = atomic_fetch_add(&w->next, 1)) < n && add(w, i))
		tell(w);
	return NULL;
}

static void free_names(struct work *w)
{
	for (int i = 0; w->names && i < w->o->n_logs; i++)
		free(w->names[i]);
	free(w->names);
}

int report_dataset_check(const struct options *o)
{
	if (!report_output_is_file(o))
		return options_refuse("export: dataset needs a folder, -o DIR", "");
	if (o->table || o->from || o->to)
		return options_refuse("export: dataset takes whole logs and all tables", "");
#ifndef HAVE_ZSTD
	if (o->compress)
		return options_refuse("export: --compress: built without zstd", "");
#endif
	return 0;
}

int report_dataset(const struct options *o, void (*confine)(const struct options *o))
{
	struct work w = {.o = o,
		.set = {.jsonl = o->jsonl, .compress = o->compress, .raw = o->raw, .cancel = report_cancellable()},
		.names = report_log_names(o->logs, (size_t)o->n_logs)};
	struct evl_err err = {0};
	const char *clash = NULL;
	int result = w.names ? dataset_clash((const char *const *)w.names, (size_t)o->n_logs, &clash) : EVL_NOMEM;
	if (clash) {
		options_refuse("export: dataset: two logs would have the same files: ", clash);
		free_names(&w);
		return EXIT_USAGE;
	}
	bool opened = result == 0;
	result = opened ? dataset_open(&w.set, o->output, &err) : result;
	if (result == 0) {
		confine(o);
		int n = workers_for(o->threads);
		workers_share(n < o->n_logs ? n : o->n_logs, run, &w);
	}
	int closed = opened ? dataset_close(&w.set, o->output, &err) : 0;
	if (result < 0 || closed < 0)
		say_error("%s", err.code ? err.text : evl_strerror(result < 0 ? result : closed));
	free_names(&w);
	if (result == 0 && atomic_load(&w.done) < (size_t)o->n_logs) /* Ctrl-C after the last comes too late */
		return EXIT_INTERRUPTED;
	return result < 0 || closed < 0 || atomic_load(&w.failed) ? EXIT_FAILURE : EXIT_SUCCESS;
}
