/* err.h - how the library says what went wrong.
 *
 * Functions return int: 0 or more is good, less is a code of enum evl_code. Where more is known, the caller's struct
 * evl_err holds the code, the file offset (EVL_NO_OFFSET where there is none) and one line of text without newline. */
#ifndef EVL_ERR_H
#define EVL_ERR_H

#include "base/base.h"

#define EVL_CODES(X)                                                                                                   \
	X(IO, "the file cannot be read")                                                                               \
	X(NOMEM, "out of memory")                                                                                      \
	X(EMPTY, "empty")                                                                                              \
	X(NOT_A_LOG, "not a GHC eventlog")                                                                             \
	X(CANCELLED, "cancelled")                                                                                      \
	X(USAGE, "wrong usage")                                                                                        \
	X(EXISTS, "there is one already")

enum evl_code {
	EVL_OK = 0,
	EVL_CODE_BASE = -1000, /* the first code is one above */
#define X(name, text) EVL_##name,
	EVL_CODES(X)
#undef X
		EVL_CODE_END
};

#define EVL_NO_OFFSET UINT64_MAX

struct evl_err {
	int code;
	uint64_t off;
	char text[200];
};

/* The general text of a code; never NULL. */
const char *evl_strerror(int code);

/* Fill *err (may be NULL) and return code, so that `return evl_fail(err, EVL_IO, …)` reads well. */
int evl_fail(struct evl_err *err, int code, uint64_t off, const char *format, ...) EVL_PRINTF(4, 5);

#endif
