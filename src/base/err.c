#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

const char *evl_strerror(int code)
{
	switch (code) {
#define X(name, text)                                                                                                  \
	case EVL_##name: return text;
		EVL_CODES(X)
#undef X
	default: return code >= 0 ? "no error" : "unknown error";
	}
}

int evl_fail(struct evl_err *err, int code, uint64_t off, const char *format, ...)
{
	if (err) {
		va_list args;
		va_start(args, format);
		err->code = code;
		err->off = off;
		vsnprintf(err->text, sizeof err->text, format, args);
		va_end(args);
	}
	return code;
}
