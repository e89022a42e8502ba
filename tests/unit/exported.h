/* exported.h - what an exporter writes, in memory. */
#ifndef TESTS_EXPORTED_H
#define TESTS_EXPORTED_H

#include "export/export.h"

static inline bool keep_bytes(void *ctx, const char *bytes, size_t len)
{
	buf_put(ctx, bytes, len);
	return true;
}

/* NUL-terminated; the caller frees it. */
static inline char *exported(const struct evl_log *log, const char *format, uint64_t from, uint64_t to)
{
	struct buf all = {0};
	struct export x = {.log = log, .from = from, .to = to, .put = keep_bytes, .ctx = &all};
	assert_int_equal(export_run(export_find(format), &x), 0);
	buf_char(&all, '\0');
	assert_false(all.failed);
	return all.p;
}

#endif
