/* exe_match.h - open the executable that wrote a log, check that it is the one, and take names from it. */
#ifndef EVL_EXE_MATCH_H
#define EVL_EXE_MATCH_H

#include "log/log.h"

/* The addresses of info tables that a log holds (IPE events, bands of -hi, call stacks, ticky counters): at most EVIDENCE_MOST. */
enum { EVIDENCE_MOST = 1 << 14 };
struct evidence {
	uint64_t *ids;
	size_t n;
};
int evidence_make(struct evidence *e, const struct evl_log *log, const atomic_bool *cancel) EVL_MUST_USE;
void evidence_free(struct evidence *e);

/* Does the log hold addresses that its own entries do not name? Only then is its program of use. */
bool exe_is_wanted(const struct evl_log *log);

/* Open an executable and check it against a log that was walked. 0, EVL_CANCELLED, or a code with err filled: "PATH: why
 * not"; EVL_USAGE where the file can be read, but is not the program or cannot be told to be. */
int exe_match(struct exe **exe, const struct evl_log *log, const char *path, const atomic_bool *cancel,
	struct evl_err *err) EVL_MUST_USE;

/* Open an ipedb file, in addition to an executable (*exe) or, if that is NULL, alone. EVL_USAGE if it names none of
 * the log's addresses. */
int exe_match_ipedb(struct exe **exe, const struct evl_log *log, const char *path, const atomic_bool *cancel,
	struct evl_err *err) EVL_MUST_USE;

/* Search for the executable by the program's name: in the log's folder, at the path it was run by, on $PATH. Return
 * the first that matches, or NULL. */
struct exe *exe_search(const struct evl_log *log, const atomic_bool *cancel);

/* Call take with each file that exe_search may try for a log, until it returns false: for a process that has to say what it
 * will open before it may read the log. The program's name is taken from raw bytes that look like it; compressed logs have
 * none, so that only the log's own name counts. */
typedef bool exe_place_fn(void *ctx, const char *path);
void exe_places(const char *log, exe_place_fn *take, void *ctx);

enum { EXE_PATH = 4096 };

#endif
