/* decompress.h - decompress gzip, zstd and xz logs into an anonymous file; each codec is optional at build time.
 *
 * Decompressed data goes to an unlinked file in $TMPDIR (or /tmp), never into memory, and is mapped like any other log.
 * From a truncated or damaged file everything readable is recovered, and the source is marked as truncated. Data that
 * is not a log is rejected after its first bytes. A file is also rejected if it expands to more bytes than
 * decompress_watch.most, to more than UNPACK_RATIO times its size, or beyond the free space of the disk. */
#ifndef EVL_DECOMPRESS_H
#define EVL_DECOMPRESS_H

#include "bytes/source.h"

enum { UNPACK_RATIO = 500 };     /* largest ratio accepted (beyond 256 MiB of output); real logs have 5 to 100 */
#define UNPACK_MOST (8ull << 30) /* default limit in bytes */

/* Progress and limit of a decompression. `tell` receives the bytes of the compressed file read so far and in total,
 * about once per MiB of output and once at the end; it returns false to cancel. */
struct decompress_watch {
	bool (*tell)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
	uint64_t most; /* limit of the decompressed size in bytes; 0: UNPACK_MOST */
	bool any;      /* accept data that is not a log */
};

/* Report whether the data starts like a compressed file for which a codec is built in. */
bool unpack_knows(const uint8_t *data, uint64_t len);

/* Decompress the start of compressed data, at most `room` bytes, to out. Return the number of bytes written; 0 if the
 * data is not compressed or if memory ran out. */
size_t unpack_head(const uint8_t *data, uint64_t len, uint8_t *out, size_t room);

/* Decompress *src and replace it with the result. A source that is not compressed stays unchanged. watch may be NULL.
 * Return 0, or EVL_IO, EVL_EMPTY, EVL_NOT_A_LOG, EVL_CANCELLED or EVL_NOMEM with err filled; after an error *src is
 * closed. The path is for messages. */
int unpack(
	struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

#endif
