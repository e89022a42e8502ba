#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

const char *evl_strerror(int code)
{
	switch (code) {
	case EVL_IO: return "the file cannot be read";
	case EVL_NOMEM: return "out of memory";
	case EVL_EMPTY: return "empty";
	case EVL_NOT_A_LOG: return "not a GHC eventlog";
	case EVL_CANCELLED: return "cancelled";
	case EVL_USAGE: return "wrong usage";
	case EVL_EXISTS: return "the file exists already";
	default: return code >= 0 ? "no error" : "unknown error";
	}
}

void evl_err_fill(struct evl_err *err, int code, uint64_t off, const char *format, ...)
{
	if (!err)
		return;
	va_list args;
	va_start(args, format);
	err->code = code;
	err->off = off;
	vsnprintf(err->text, sizeof err->text, format, args);
	va_end(args);
}
