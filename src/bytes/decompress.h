/* decompress.h - decompress gzip, zstd and xz logs into an anonymous file; each codec is optional at build time.
 *
 * Decompressed bytes go to an unlinked file in $TMPDIR (or /tmp), never into memory, and are mapped like any other
 * log. Truncated or damaged files yield whatever can be decompressed; the source is then marked as truncated. */
#ifndef EVL_DECOMPRESS_H
#define EVL_DECOMPRESS_H

#include "bytes/source.h"

/* Told of the progress, in bytes of the compressed file, about once a MiB of output, and at the end, however it came,
 * that all is done. False: stop. */
struct decompress_watch {
	bool (*tell)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/* Replace *src by what it holds compressed; leave it alone where it is nothing of the kind. watch may be NULL. EVL_IO,
 * EVL_NOT_A_LOG, EVL_CANCELLED or EVL_NOMEM with err filled; then *src is closed. */
int unpack(
	struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

#endif
