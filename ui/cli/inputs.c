#include "cli/inputs.h"

#include "draw/say.h"
#include "stream/live.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

static int no_memory(const char *what)
{
	say_error("%s: %s", what, evl_strerror(EVL_NOMEM));
	return EXIT_FAILURE;
}

static bool add(struct inputs *in, char *path)
{
	if (!path || !GROW(in->paths, in->n, in->room)) {
		free(path);
		return false;
	}
	in->paths[in->n++] = path;
	return true;
}

/* run2 before run10: numbers by their value, then by their digits; all else by its bytes. */
static int by_natural_order(const void *one, const void *other)
{
	const char *a = *(const char *const *)one, *b = *(const char *const *)other, *p = a, *q = b;
	while (*p && *q) {
		size_t n = strspn(p, "0123456789"), m = strspn(q, "0123456789");
		if (n && m) {
			size_t zeros = strspn(p, "0"), others = strspn(q, "0");
			size_t len = n - min_u64(zeros, n), of_other = m - min_u64(others, m);
			int order = len != of_other ? ORDER(len, of_other)
						    : strncmp(p + (n - len), q + (m - of_other), len);
			if (order)
				return order;
			p += n;
			q += m;
		} else if (*p != *q) {
			break;
		} else {
			p++;
			q++;
		}
	}
	return (unsigned char)*p - (unsigned char)*q ?: strcmp(a, b);
}

static bool is_log(const char *name)
{
	static const char *const patterns[] = {"*.eventlog", "*.eventlog.gz", "*.eventlog.zst", "*.eventlog.xz"};
	for (size_t i = 0; i < countof(patterns); i++)
		if (fnmatch(patterns[i], name, FNM_PERIOD) == 0)
			return true;
	return false;
}

static bool is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Its logs, or its folders. */
static int read_folder(struct inputs *in, const char *path, bool folders)
{
	DIR *dir = opendir(path);
	size_t before = in->n, len = strlen(path);
	bool good = true;
	if (!dir) {
		say_error("%s: %s", path, strerror(errno));
		return EXIT_FAILURE;
	}
	for (struct dirent *e; good && in->n - before <= INPUTS_MOST && (e = readdir(dir));) {
		char *file = NULL;
		if (e->d_name[0] == '.' || (!folders && !is_log(e->d_name)))
			continue;
		size_t room = len + strlen(e->d_name) + 2;
		good = (file = malloc(room)) != NULL;
		if (good)
			snprintf(file, room, "%s%s%s", path, len && path[len - 1] == '/' ? "" : "/", e->d_name);
		if (good && folders && !is_folder(file))
			free(file);
		else
			good = good && add(in, file);
	}
	closedir(dir);
	return good ? 0 : no_memory(path);
}

static int add_folder(struct inputs *in, const char *path, bool or_folders)
{
	size_t before = in->n;
	int status = read_folder(in, path, false);
	if (status == 0 && in->n == before && or_folders)
		status = read_folder(in, path, true);
	if (status || in->n > before)
		return status;
	say_error("%s: no *.eventlog in this folder", path);
	return EXIT_FAILURE;
}

static int add_pattern(struct inputs *in, const char *pattern)
{
	glob_t found = {0};
	bool good = true;
	int result = glob(pattern, 0, NULL, &found);
	if (result == GLOB_NOMATCH) {
		say_error("%s: no file matches", pattern);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; result == 0 && good && i < found.gl_pathc; i++)
		good = add(in, strdup(found.gl_pathv[i]));
	if (result == 0)
		globfree(&found);
	return result || !good ? no_memory(pattern) : 0;
}

static int add_what(struct inputs *in, const char *what, bool steps)
{
	struct stat st;
	size_t before = in->n;
	int status;
	if (stat(what, &st) == 0 && S_ISDIR(st.st_mode)) {
		status = add_folder(in, what, steps);
	} else if (stat(what, &st) == 0) {
		status = add(in, strdup(what)) ? 0 : no_memory(what);
	} else if (strpbrk(what, "*?[")) {
		status = add_pattern(in, what);
	} else {
		say_error("%s: %s", what, strerror(errno));
		return EXIT_FAILURE;
	}
	if (status == 0)
		qsort(in->paths + before, in->n - before, sizeof *in->paths, by_natural_order);
	if (status == 0 && in->n > INPUTS_MOST)
		return options_refuse("too many logs: ", what);
	return status;
}

int inputs_add(struct inputs *in, const char *what) { return add_what(in, what, false); }
int inputs_list(struct inputs *in, const char *what) { return add_what(in, what, true); }

int inputs_add_all(struct inputs *in, const char *const *words, size_t n)
{
	int status = 0;
	for (size_t i = 0; i < n && status == 0; i++)
		status = inputs_add(in, words[i]);
	return status;
}

void inputs_free(struct inputs *in)
{
	for (size_t i = 0; i < in->n; i++)
		free(in->paths[i]);
	free(in->paths);
	*in = (struct inputs){0};
}

struct evl_log *inputs_open(const char *path, int fd, const struct options *o)
{
	struct evl_log *log;
	struct evl_err err = {0};
	struct decompress_watch watch = report_unpacking(o);
	struct stream_spec spec = {.name = path, .fd = fd, .header = o->header, .spool_max = o->spool_max};
	if ((fd < 0 ? evl_open_watched(&log, path, &watch, &err) : live_drain(&log, &spec, &watch, &err)) < 0) {
		report_err(&err);
		return NULL;
	}
	evl_use_threads(log, o->threads);
	evl_use_cache(log, o->cache);
	int result = options_take_exe(o) ? report_walk_named(log, o) : report_walk(log);
	if (result == 0)
		return log;
	report_fail(log, result);
	evl_close(log);
	return NULL;
}
