/* exe_match.h - open the executable that wrote a log, check that it is that program, and take names from it. */
#ifndef EVL_EXE_MATCH_H
#define EVL_EXE_MATCH_H

#include "log/log.h"

/* Report whether the log contains addresses that may need names from its program. */
bool exe_is_wanted(const struct evl_log *log);

/* Paths of the files that name the log's addresses and cost centres; NULL or empty: not given. */
struct name_files {
	const char *exe, *ipedb, *ccdb;
	struct evl_str build_id; /* build-id that the program must have (log->build_id), as bytes */
};

/* Open an executable and check it against an indexed log and its build_id. Return 0 with *exe for exe_close; or, with
 * *exe NULL, EVL_CANCELLED or an error code with err filled ("PATH: reason"): EVL_USAGE if the file is readable but is
 * not the program, or if this cannot be decided. cancel may be NULL. */
int exe_match(struct exe **exe, const struct evl_log *log, const char *path, const atomic_bool *cancel,
	struct evl_err *err) EVL_MUST_USE;

/* Read an ipedb file, in addition to an executable (*exe) or, if *exe is NULL, alone. cancel may be NULL. Return 0 or
 * an error code with err filled: EVL_USAGE if a file used alone names none of the log's addresses. A file used alone
 * gives a new *exe for exe_close, or NULL on an error; an executable stays open in either case. */
int exe_match_ipedb(struct exe **exe, const struct evl_log *log, const char *path, const atomic_bool *cancel,
	struct evl_err *err) EVL_MUST_USE;

/* Open a ccdb file and check it against an indexed log: it must contain all cost centres that the log's samples use,
 * and give the same names to those that the log defines. Return 0, EVL_USAGE if it does not match, or another error
 * code; err is filled and *db NULL on failure. */
int ccdb_match(struct ccdb **db, const struct evl_log *log, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Search for the executable by the program's name: in the log's directory, at the path by which it was run, on $PATH.
 * cancel may be NULL. Return the first one that passes the check, for exe_close, or NULL. */
struct exe *exe_search(const struct evl_log *log, const atomic_bool *cancel);

/* Call take with each path that exe_search may try for a log, until take returns false. This is for a process that must
 * declare which files it will open before it may read the log: the program's name is guessed from bytes near the start
 * or the end of the log. */
typedef bool exe_place_fn(void *ctx, const char *path);
void exe_places(const char *log, exe_place_fn *take, void *ctx);

enum { EXE_PATH = 4096 };

#endif
