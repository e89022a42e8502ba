/* err.h - error reporting of the library: fill struct evl_err (code, file offset, text); the codes are in evl.h.
 *
 * Functions return int: 0 or more for success, else a code of enum evl_code (evl.h). Where more is known, the
 * caller's struct evl_err holds the code, the file offset and one line of text. */
#ifndef EVL_ERR_H
#define EVL_ERR_H

#include "base/base.h"

/* evl_fail(err, code, off, format, …): fill *err (may be NULL) and return code, so that `return evl_fail(err, EVL_IO, …)`
 * reads well. A macro, so that an analyzer sees that a failure is returned; it evaluates the code twice. */
#define evl_fail(err, code, ...) (evl_err_fill(err, code, __VA_ARGS__), evl_code(code))
void evl_err_fill(struct evl_err *err, int code, uint64_t off, const char *format, ...) EVL_PRINTF(4, 5);
static inline int evl_code(int code) { return code; }

#endif
