/* main.c - start the viewer or a batch command. */
#include "app/app.h"
#include "app/help.h"
#include "base/idmap.h"
#include "chrome/edit_source.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/report.h"
#include "draw/say.h"
#include "exe/source_find.h"
#include "export/export.h"
#include "log/index_cache.h"
#include "query/exe_match.h"
#include "report/figures.h"
#include "sql/sql.h"
#include "stream/eventlog_socket.h"
#include "stream/live.h"
#include "sys/atomic_file.h"
#include "sys/retry.h"
#include "sys/sandbox.h"
#include "sys/system.h"
#include "term/clipboard.h"
#include "term/runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int list_keys(void)
{
	char *text = help_text();
	if (text)
		fputs(text, stdout);
	free(text);
	return text ? out_stdio() : EXIT_FAILURE;
}

static int list_metrics(void)
{
	for (int m = 0; m < METRICS; m++) {
		const struct metric_info *info = metric_info((enum metric)m);
		printf("%-24s %-14s %s\n", info->name, unit_name(info->unit), info->meaning);
	}
	return out_stdio();
}

static int view(const struct app_source *source, const struct options *o)
{
	return app_run(source, &o->tty, &(struct app_files){o->config, o->script, o->copy_file});
}

static int run_report(struct evl_log *log, const struct options *o)
{
	int status;
	switch (o->mode) {
	case MODE_SHOW: status = report_show(log, o); break;
	case MODE_EXPORT: status = report_export(log, o); break;
	case MODE_ANNOTATE: status = report_annotate(log, o); break;
	case MODE_PROFILE: status = report_prof(log, o); break;
	case MODE_DOCTOR: status = report_doctor(log, o); break;
	case MODE_PATH: status = report_path(log, o); break;
	case MODE_CHECK: status = report_check(log, o); break;
	case MODE_DIFF: status = report_diff(log, o); break;
	default: status = report_stats(log, o); break;
	}
	evl_keep(log);
	if (o->verbose && log->cache_note)
		say_error("%s: %s", log->path, log->cache_note);
	evl_close(log);
	return status;
}

static void say_no_log(const char *program, struct child *child)
{
	size_t len;
	char *printed = output_copy(&child->output, &len);
	bool said;
	const char *why = rts_probe_refusal(printed, printed ? len : 0, &said);
	if (!said)
		say_error("%s: no log: %s", program, why);
	free(printed);
}

/* Without a terminal to show anything on: run it, then say what evtui stats says. */
static int run_to_its_end(const struct stream_spec *spec, struct child *child, const struct options *o)
{
	struct evl_log *log;
	struct evl_err err = {0};
	child->echo = true;
	child_watch(child, NULL, NULL);
	int result = live_drain(&log, spec, NULL, &err);
	child_end(child);
	if (result == 0 && o->output
		&& (result = atomic_file_save(o->output, log->source.data, log->source.len, o->force, &err)) < 0)
		evl_close(log);
	if (err.code == EVL_EMPTY)
		say_no_log(o->program[0], child);
	else if (result < 0)
		report_err(&err);
	else
		run_report(log, o);
	return child->status;
}

/* The log is to be kept in a file: one that is in the way is better known before than after. */
static int look_ahead(const struct options *o)
{
	struct evl_err err;
	if (!o->output)
		return 0;
	if (!report_output_is_file(o))
		return options_refuse("--output keeps the log in a file, not on standard output", "");
	return atomic_file_check(o->output, o->force, &err) < 0 ? report_err(&err) : 0;
}

static int run_program(const struct options *o)
{
	struct child child;
	struct evl_err err = {0};
	int status = look_ahead(o);
	if (status)
		return status;
	status = child_start(&child, o->program, o->preset, &err);
	if (status) {
		report_err(&err);
		return status;
	}
	struct stream_spec spec = {.name = o->program[0], .fd = child.log_fd, .spool_max = o->spool_max};
	if (isatty(STDOUT_FILENO))
		status = view(&(struct app_source){.stream = &spec,
				      .child = &child,
				      .save = o->output,
				      .force = o->force,
				      .threads = o->threads,
				      .names = o->names,
				      .sources = o->src},
			o);
	else
		status = run_to_its_end(&spec, &child, o);
	child_free(&child);
	return status;
}

/* Files that a log's program may be, and where it, its debug information or its sources may be. */
struct near_files {
	char **paths; /* each once */
	size_t n, room;
	struct idmap seen;
	bool sources;
};

/* Add a path; false if it is there, or if memory is out. */
static bool near_add(struct near_files *near, const char *before, int len, const char *after)
{
	int room = snprintf(NULL, 0, "%.*s%s", len, before, after) + 1;
	char *path = malloc((size_t)room);
	uint32_t place;
	if (path)
		snprintf(path, (size_t)room, "%.*s%s", len, before, after);
	uint64_t key = path ? idmap_key(str_of(path)) : 0;
	if (!path || idmap_find(&near->seen, key, &place) || !GROW(near->paths, near->n, near->room)
		|| !idmap_put(&near->seen, key, (uint32_t)near->n)) {
		free(path);
		return false;
	}
	near->paths[near->n++] = path;
	return true;
}

static void near_free(struct near_files *near)
{
	while (near->n)
		free(near->paths[--near->n]);
	free(near->paths);
	idmap_free(&near->seen);
}

/* Bytes of the directory of a path, with its slash. */
static int directory_len(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (int)(slash + 1 - path) : 0;
}

static const char *directory_of(const char *path, const char *more, char *out)
{
	int len = directory_len(path);
	snprintf(out, EXE_PATH, "%.*s%s", len ? len : 2, len ? path : "./", more);
	return out;
}

/* A program and the files of debug information in its directory, which may have any name. */
static bool near_program(void *ctx, const char *exe)
{
	static const char debug[] = ".debug";
	struct near_files *near = ctx;
	char dir[EXE_PATH];
	if (!near_add(near, exe, EXE_PATH, ""))
		return true;
	DIR *list = opendir(directory_of(exe, "", dir));
	if (near->sources)
		near_add(near, dir, EXE_PATH, "");
	for (const struct dirent *entry; list && (entry = readdir(list));) {
		size_t len = strlen(entry->d_name);
		if (len >= sizeof debug - 1 && strcmp(entry->d_name + len - (sizeof debug - 1), debug) == 0)
			near_add(near, dir, EXE_PATH, entry->d_name);
	}
	if (list)
		closedir(list);
	return true;
}

/* Debug information, and shared libraries: of the system and of the usual installers of GHC. */
static void near_libraries(struct near_files *near)
{
	static const char *const system[] = {"/usr/lib", "/opt/ghc", "/nix/store"},
				 *const own[] = {"/.ghcup/ghc", "/.cabal/store", "/.local/state/cabal/store",
					 "/.stack/programs", "/.stack/snapshots"}; /* ~/.stack/upload has a password */
	const char *home = getenv("HOME");
	for (size_t i = 0; i < countof(system); i++)
		near_add(near, system[i], EXE_PATH, "");
	for (size_t i = 0; home && *home == '/' && i < countof(own); i++)
		near_add(near, home, EXE_PATH, own[i]);
}

static void allow_near(const struct options *o, const char *const *logs, size_t n, struct near_files *near,
	struct sandbox_files *files)
{
	char source[SOURCE_PATH];
	const char *file = o->words[0];
	*near = (struct near_files){.sources = o->mode == MODE_ANNOTATE};
	near_libraries(near);
	if (o->header)
		near_add(near, o->header, (int)strlen(o->header), "");
	if (o->names.ipedb)
		near_add(near, o->names.ipedb, EXE_PATH, "");
	if (o->names.ccdb)
		near_add(near, o->names.ccdb, EXE_PATH, "");
	if (o->mode == MODE_ANNOTATE) {
		near_add(near, ".", 1, "");
		near_add(near, directory_of(o->log, "", source), EXE_PATH, "");
		if (o->src)
			near_add(near, o->src, EXE_PATH, "");
		if (file && source_find(str_of(file), &(struct source_places){o->src, o->names.exe, o->log}, source))
			near_add(near, source, EXE_PATH, "");
	}
	if (o->names.exe)
		near_program(near, o->names.exe);
	for (size_t i = 0; !o->names.exe && i < n; i++)
		if (logs[i] && !stream_is(logs[i]))
			exe_places(logs[i], near_program, near);
	files->more = (const char *const *)near->paths;
	files->n_more = near->n;
}

static void enter(const struct options *o, const struct sandbox_files *files)
{
	struct sandbox_files all = *files;
	if (o->cache) { /* what is written there has to be open by now */
		index_cache_prepare(o->cache, o->n_logs == 1 ? o->logs[0] : o->log);
		all.cache = o->cache->dir;
	}
	enum sandbox held = sandbox_enter(&all);
	if (held == SANDBOX_NONE || (o->verbose && held != SANDBOX_ALL))
		say_error("%s", sandbox_text(held));
}

/* The viewer starts no program: what edits and copies for it is started before. */
static void limit_viewer(const struct options *o)
{
	static runner_do *const jobs[RUNNER_JOBS] = {[RUNNER_COPY] = clipboard_tmux, [RUNNER_EDIT] = edit_run};
	struct sandbox_files files = {.viewer = true, .sockets = peer_is(o->log)};
	enum sandbox held = runner_start(jobs) ? sandbox_enter(&files) : SANDBOX_NONE;
	if (o->verbose && held != SANDBOX_ALL)
		say_error("%s", sandbox_text(held));
}

enum { MOST_NAMELESS = 600 };

/* Is it unpacked or rewritten when it is opened? */
static bool needs_files(const char *path)
{
	static const char *const endings[] = {".gz", ".zst", ".xz", ".hp"};
	for (size_t i = 0; i < countof(endings); i++)
		if (str_ends(str_of(path), endings[i]))
			return true;
	return stream_is(path);
}

/* How many files without a name opening it may take: for a stream, unpacked, rewritten. An eventlog as GHC writes it takes
 * none: making one takes up to a millisecond. */
static int files_for(const char *path)
{
	enum { MOST = 3 };
	static const char magic[] = {'h', 'd', 'r', 'b', 'h', 'e', 't', 'b'};
	char start[sizeof magic];
	struct stat st;
	bool is_file = path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	int fd = is_file ? open_again(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0) : -1;
	bool is_plain = fd >= 0 && pread(fd, start, sizeof start, 0) == (ssize_t)sizeof start
		&& memcmp(start, magic, sizeof magic) == 0;
	if (fd >= 0)
		close(fd);
	return is_plain ? 0 : MOST;
}

/* Files of names that may be unpacked, for each log. */
static int names_need_files(const struct options *o) { return (o->names.ipedb != NULL) + (o->names.ccdb != NULL); }

/* A command without a screen needs no more than its log and what it is told to write, which is open by now. */
static void limit(const struct options *o, const struct stream_spec *spec)
{
	struct near_files near = {0};
	size_t n = o->n_further + 2;
	const char **logs = calloc(n, sizeof *logs);
	if (!logs) { /* inside, nothing could be read */
		say_error("%s", evl_strerror(EVL_NOMEM));
		exit(EXIT_FAILURE);
	}
	struct sandbox_files files = {.logs = logs, .n_logs = n, .nameless = 2 * names_need_files(o)};
	for (size_t i = 0; i < o->n_further; i++) {
		logs[i] = o->further[i];
		files.nameless += needs_files(o->further[i]) ? 2 : 0;
	}
	logs[n - 2] = spec && spec->fd < 0 ? o->log : o->header;
	logs[n - 1] = o->mode == MODE_DIFF ? o->words[0] : NULL;
	files.nameless += files_for(o->log) + (logs[n - 1] ? files_for(logs[n - 1]) : 0);
	const struct export_format *format = o->mode == MODE_EXPORT && o->words[0] ? export_find(o->words[0]) : NULL;
	files.nameless += format && format->wants == TO_FILE ? SQL_TEMP_FILES : 0;
	if (options_take_exe(o))
		allow_near(o, logs, n, &near, &files);
	char folder[EXE_PATH];
	if (o->mode == MODE_EXPORT && o->slice_by)
		files.folder = directory_of(o->output, "", folder);
	enter(o, &files);
	near_free(&near);
	free(logs);
}

/* --- several logs ------------------------------------------------------------------------------------------------------ */

/* Read the logs of the command line, and write to `more` files without names, or below the folder. */
static void confine(const struct options *o, int more, const char *folder)
{
	for (int i = 0; i < o->n_logs; i++)
		more += (needs_files(o->logs[i]) ? 3 : 0) + names_need_files(o);
	struct near_files near;
	struct sandbox_files files = {.logs = (const char *const *)o->logs,
		.n_logs = (size_t)o->n_logs,
		.nameless = folder && more > MOST_NAMELESS ? MOST_NAMELESS : more,
		.folder = folder};
	allow_near(o, files.logs, files.n_logs, &near, &files);
	enter(o, &files);
	near_free(&near);
}

/* Open and walk all logs of the command line, after entering the sandbox; at most one is a stream. */
static int open_all(struct options *o, struct evl_log **logs)
{
	struct evl_err err = {0};
	int fd = -1;
	for (int i = 0; i < o->n_logs; i++) {
		if (!stream_is(o->logs[i]))
			continue;
		if (o->n_logs > 1)
			return options_refuse("a stream cannot be read together with other logs: ", o->logs[i]);
		fd = stream_input(o->logs[i], &err);
		if (err.code)
			return report_err(&err);
	}
	confine(o, SQL_TEMP_FILES, NULL);
	for (int i = 0; i < o->n_logs; i++)
		if (!(logs[i] = inputs_open(o->logs[i], fd, o)))
			return EXIT_FAILURE;
	return 0;
}

static void confine_dataset(const struct options *o) { confine(o, 0, o->output); }

static int run_dataset(const struct options *o)
{
	int status = report_dataset_check(o);
	for (int i = 0; i < o->n_logs && status == 0; i++)
		if (stream_is(o->logs[i]))
			status = options_refuse("export: dataset needs files, not a stream: ", o->logs[i]);
	return status ? status : report_dataset(o, confine_dataset);
}

static int run_query(struct options *o)
{
	int status;
	size_t n = (size_t)o->n_logs;
	char *text = report_query_text(o, &status);
	if (status || o->schema)
		return status ? status : report_schema(n > 1);
	struct evl_log **logs = calloc(n, sizeof *logs);
	char **names = report_log_names(o->logs, n);
	status = logs && names ? open_all(o, logs) : EXIT_FAILURE;
	if (status == 0)
		status = report_query(logs, names, n, o, text);
	for (size_t i = 0; i < n; i++) {
		if (logs)
			evl_close(logs[i]);
		if (names)
			free(names[i]);
	}
	free_all(logs, names, text);
	return status;
}

/* The file that the command writes; NULL: none. */
static const char *output_of(const struct options *o)
{
	if (o->mode == MODE_EXPORT)
		return report_output_is_file(o) && !o->slice_by ? o->output : NULL;
	return o->junit;
}

/* Look at all that can be known before the log is opened, and open the file that is written. 0 or the exit status. */
static int open_output(struct options *o)
{
	static struct atomic_file file; /* in use until the program ends */
	struct evl_err err;
	int status = o->mode == MODE_EXPORT ? report_export_check(o)
		: o->mode == MODE_CHECK     ? report_check_prepare(o)
		: o->mode == MODE_COMPARE   ? report_compare_prepare(o)
					    : 0;
	if (status)
		return status;
	if (!output_of(o)) {
		if (o->mode == MODE_EXPORT)
			report_export_interruptible(NULL);
		return 0;
	}
	if (atomic_file_begin(&file, output_of(o), o->force || o->junit, &err) < 0)
		return report_err(&err);
	o->file = &file;
	if (atomic_file_entrust(&file, &err) == 0) {
		report_export_interruptible(&file);
		return 0;
	}
	atomic_file_end(&file, false, NULL);
	return report_err(&err);
}

static int compare(struct options *o)
{
	int status = open_output(o);
	if (status)
		return status;
	limit(o, NULL);
	return report_compare(o);
}

static int open_log(struct options *o)
{
	struct evl_log *log;
	struct evl_err err = {0};
	struct decompress_watch watch = report_unpacking(o);
	struct stream_spec spec = {.name = o->log,
		.fd = -1,
		.header = o->header,
		.spool_max = o->spool_max,
		.follow = o->follow && !stream_is(o->log)};
	bool is_stream = o->header || stream_is(o->log);
	int status = o->mode == MODE_VIEW && is_stream ? look_ahead(o) : open_output(o);
	if (status)
		return status;
	bool screen = o->mode == MODE_VIEW && isatty(STDOUT_FILENO);
	if (screen)
		limit_viewer(o);
	if (screen && (is_stream || o->follow))
		return view(&(struct app_source){.stream = &spec,
				    .save = o->output,
				    .force = o->force,
				    .threads = o->threads,
				    .names = o->names,
				    .sources = o->src},
			o);
	if (o->mode == MODE_VIEW && o->output && !is_stream)
		return options_refuse("--output keeps the log of a stream or of a program; this is a file: ", o->log);
	if (is_stream)
		spec.fd = stream_input(o->log, &err);
	if (!err.code && !screen)
		limit(o, &spec);
	if (err.code
		|| (is_stream ? live_drain(&log, &spec, &watch, &err) : evl_open_watched(&log, spec.name, &watch, &err))
			< 0) {
		if (o->file)
			atomic_file_end(o->file, false, NULL);
		return report_err(&err);
	}
	evl_use_threads(log, o->threads);
	evl_use_cache(log, is_stream ? NULL : o->cache);
	if (!screen)
		return run_report(log, o);
	return view(&(struct app_source){.log = log, .threads = o->threads, .names = o->names, .sources = o->src}, o);
}

static int doctor(struct options *o)
{
	char path[EXE_PATH] = "";
	report_doctor_prepare(o);
	if (o->log && report_doctor_is_program(o->log, path))
		return report_doctor_program(o, path);
	if (o->log && *path && access(o->log, F_OK) != 0)
		o->log = path; /* a script on $PATH: say so of that */
	if (o->log)
		return open_log(o);
	enter(o, &(struct sandbox_files){0});
	return report_doctor(NULL, o);
}

static int run(struct options *o)
{
	switch (o->mode) {
	case MODE_HELP: options_help(stdout, o->help_of); return out_stdio();
	case MODE_VERSION: puts("evtui " EVTUI_VERSION); return out_stdio();
	case MODE_WORD: return report_word(o);
	case MODE_LIST_KEYS: return list_keys();
	case MODE_LIST_METRICS: return list_metrics();
	case MODE_QUERY: return run_query(o);
	case MODE_EXPORT: return options_are_dataset(o) ? run_dataset(o) : open_log(o);
	case MODE_COMPARE: return compare(o);
	case MODE_DOCTOR: return doctor(o);
	default: return o->program ? run_program(o) : open_log(o);
	}
}

int main(int argc, char **argv)
{
	struct options o;
	struct index_cache cache;
	sys_heap_frugal();       /* the walk and the thread job take much memory for a short time */
	setlocale(LC_CTYPE, ""); /* not of numbers: a point stays a point */
	int status = options_parse(&o, argc, argv);
	if (status)
		return status;
	index_cache_init(&cache, &figures_kept);
	o.cache = o.no_cache ? NULL : &cache;
	status = run(&o);
	index_cache_close(&cache);
	return status;
}
