/* exe_match.h - open the executable that wrote a log, check that it is the one, and take names from it. */
#ifndef EVL_EXE_MATCH_H
#define EVL_EXE_MATCH_H

#include "log/log.h"

/* The addresses of info tables that a log holds (IPE events, bands of -hi, call stacks): at most EVIDENCE_MOST. */
enum { EVIDENCE_MOST = 1 << 14 };
struct evidence {
	uint64_t *ids;
	size_t n;
};
int evidence_make(struct evidence *e, const struct evl_log *log) EVL_MUST_USE;
void evidence_free(struct evidence *e);

/* Open an executable and check it against a log that was walked. 0, or a code with err filled: "PATH: why not"; EVL_USAGE
 * where the file can be read, but is not the program or cannot be told to be. */
int exe_match(struct exe **exe, const struct evl_log *log, const char *path, struct evl_err *err) EVL_MUST_USE;

#endif
