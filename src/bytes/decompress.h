/* decompress.h - decompress gzip, zstd and xz logs into an anonymous file; each codec is optional at build time.
 *
 * Decompressed data goes to an unlinked file in $TMPDIR (or /tmp), never into memory, and is mapped like any other
 * log. From truncated or damaged files everything readable is recovered, and the source is marked as truncated. Data
 * that is not a log is refused after its first bytes; so is a file that expands to more than the spool limit, more
 * than UNPACK_RATIO times its size, or more than the disk has room for. */
#ifndef EVL_DECOMPRESS_H
#define EVL_DECOMPRESS_H

#include "bytes/source.h"

enum { UNPACK_RATIO = 500 };     /* real logs: 5 to 100 */
#define UNPACK_MOST (8ull << 30) /* bytes, where nothing else is said */

/* tell reports the progress, in bytes of the compressed file, about once per MiB of output, and always once at the end. It
 * returns false to stop. */
struct decompress_watch {
	bool (*tell)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
	uint64_t most; /* bytes that may be kept; 0: UNPACK_MOST */
};

/* Is this, by its first bytes, compressed in a way that can be unpacked here? */
bool unpack_knows(const uint8_t *data, uint64_t len);

/* Replace *src by what it holds compressed; leave it alone where it is nothing of the kind. watch may be NULL. EVL_IO,
 * EVL_NOT_A_LOG, EVL_CANCELLED or EVL_NOMEM with err filled; then *src is closed. */
int unpack(
	struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

#endif
