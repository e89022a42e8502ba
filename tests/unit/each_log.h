/* each_log.h - give a test every log of the tests, and a part of each. */
#ifndef TESTS_EACH_LOG_H
#define TESTS_EACH_LOG_H

#include "logs.h"

#include <glob.h>

typedef void each_log_fn(const struct evl_log *log, const char *name);

/* The file; and a part of it, as a log whose program was killed. */
static inline void each_log(const char *path, each_log_fn *take)
{
	struct evl_log *whole = walked_file(path), *log;
	take(whole, path);
	if (evl_open_memory(&log, whole->source.data, whole->source.len / 3 * 2, NULL) == 0) {
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		take(log, path);
		evl_close(log);
	}
	evl_close(whole);
}

/* Call take for each of these files, up to a NULL; if there are none, for each log in tests/logs. */
static inline void each_log_of(char **files, each_log_fn *take)
{
	glob_t logs;
	for (char **path = files; *path; path++)
		each_log(*path, take);
	if (*files)
		return;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	for (size_t i = 0; i < logs.gl_pathc; i++)
		each_log(logs.gl_pathv[i], take);
	globfree(&logs);
}

#endif
