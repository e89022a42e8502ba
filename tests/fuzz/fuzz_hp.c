/* Any text as a classic heap profile: rewritten as a log without damage, and what that is written as has the same bands. */
#include "export/export.h"
#include "log/hp_import.h"
#include "log/log.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static int append(void *ctx, const char *bytes, size_t len)
{
	buf_put(ctx, bytes, len);
	return 0;
}

static bool keep(void *ctx, const char *bytes, size_t len)
{
	buf_put(ctx, bytes, len);
	return true;
}

/* The text as a log as a .hp file. */
static struct buf again(struct evl_str text)
{
	struct buf log_bytes = {0}, out = {0};
	struct evl_log *log;
	check(hp_rewrite(text.p, text.len, append, &log_bytes) == 0);
	check(evl_open_memory(&log, log_bytes.p, log_bytes.len, NULL) == 0);
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	check(log->damage.n == 0);
	struct export x = {.log = log, .to = UINT64_MAX, .put = keep, .ctx = &out};
	check(export_run(export_find("hp"), &x) == 0);
	evl_close(log);
	buf_free(&log_bytes);
	return out;
}

/* Its lines of bands alone: empty samples at the ends are left out when it is read. */
static void keep_bands(struct buf *text)
{
	size_t kept = 0;
	for (size_t at = 0; at < text->len;) {
		char *line = text->p + at, *end = memchr(line, '\n', text->len - at);
		size_t n = end ? (size_t)(end + 1 - line) : text->len - at;
		if (memchr(line, '\t', n)) {
			memmove(text->p + kept, line, n);
			kept += n;
		}
		at += n;
	}
	text->len = kept;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct buf once = again((struct evl_str){data, len});
	struct buf twice = again((struct evl_str){(const uint8_t *)once.p, once.len});
	keep_bands(&once);
	keep_bands(&twice);
	check(once.len == twice.len && (once.len == 0 || memcmp(once.p, twice.p, once.len) == 0));
	buf_free(&once);
	buf_free(&twice);
	return 0;
}
