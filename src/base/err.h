/* err.h - error reporting of the library: fill struct evl_err (code, file offset, text); the codes are in evl.h.
 *
 * Functions return int: 0 or more for success, else a code of enum evl_code (evl.h). Where more is known, the
 * caller's struct evl_err holds the code, the file offset and one line of text. */
#ifndef EVL_ERR_H
#define EVL_ERR_H

#include "base/base.h"

/* Fill *err (may be NULL) and return code, so that `return evl_fail(err, EVL_IO, …)` reads well. */
int evl_fail(struct evl_err *err, int code, uint64_t off, const char *format, ...) EVL_PRINTF(4, 5);

#endif
