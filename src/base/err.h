/* err.h - error reporting of the library: fill struct evl_err with a code, a file offset and a text.
 *
 * Functions return int: 0 or more for success, otherwise a negative code of enum evl_code (evl.h). The caller's struct
 * evl_err then holds the code, the file offset (or EVL_NO_OFFSET) and one line of text. */
#ifndef EVL_ERR_H
#define EVL_ERR_H

#include "base/base.h"

/* Fill *err, which may be NULL, and evaluate to the code: `return evl_fail(err, EVL_IO, offset, format, …)`. This is a
 * macro so that static analyzers see that a failure is returned. It evaluates `code` twice. */
#define evl_fail(err, code, ...) (evl_err_fill(err, code, __VA_ARGS__), evl_code(code))
void evl_err_fill(struct evl_err *err, int code, uint64_t off, const char *format, ...) EVL_PRINTF(4, 5);
static inline int evl_code(int code) { return code; }

#endif
