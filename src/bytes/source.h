/* source.h - the bytes of a log: a mapped file, or memory (tests).
 *
 * The map is never written and never moves. A file that shrinks under the map does not end the process: the vanished
 * pages read as zeros from then on, and source_vanished() reports it. For this the library handles SIGBUS inside its
 * own maps (installed by the first source_open) and passes every other SIGBUS to the previous handler. */
#ifndef EVL_SOURCE_H
#define EVL_SOURCE_H

#include "base/err.h"

struct source {
	const uint8_t *data; /* valid until source_close */
	uint64_t len;
	bool mapped;
	uint64_t hole;     /* length of the hole (zeros without disk space) at the end of the file; it is not mapped */
	uint32_t skip;     /* bytes of the map before data */
	bool truncated;    /* the compressed file is cut or broken: these are the bytes before that */
	bool rewritten;    /* from a classic heap profile (hp_import.h) */
	int slot;          /* in the table of guarded maps, or -1 */
	struct source_id { /* of the mapped file; times in ns; zeros for memory */
		uint64_t dev, ino, size;
		int64_t mtime, ctime;
	} id;
};

/* Map the file. Return 0, or EVL_IO, EVL_EMPTY or EVL_NOMEM with err filled; after an error, do not close src. */
int source_open(struct source *src, const char *path, struct evl_err *err) EVL_MUST_USE;

/* The same for an open file, which may be closed afterwards; the path is for messages. */
int source_from_fd(struct source *src, int fd, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Map a part of a file as a file: the bytes of `head`, then bytes `from` to `to` of the file. `from` must be at least the
 * length of the head. The file is not changed. */
int source_from_part(
	struct source *src, int fd, struct evl_str head, uint64_t from, uint64_t to, struct evl_err *err) EVL_MUST_USE;

/* Find the end of the data of a file, without a hole at its end, which may be larger than any disk. Return false with
 * errno set on errors. */
bool source_data_end(int fd, uint64_t *end) EVL_MUST_USE;

/* Use bytes in memory that the caller owns; they must outlive the source. */
void source_from_memory(struct source *src, const void *data, size_t len);

void source_close(struct source *src);

/* Return the identity of a file in its present state; compare two. */
struct stat;
struct source_id source_id_of(const struct stat *st);
bool source_id_same(const struct source_id *a, const struct source_id *b);

/* Report whether a page of the map was missing: the file was truncated while it was open. */
bool source_vanished(const struct source *src);

/* Advise the kernel about [off, off + len): random access, or one sequential read. */
enum source_use { SOURCE_RANDOM, SOURCE_SEQUENTIAL };
void source_advise(const struct source *src, uint64_t off, uint64_t len, enum source_use use);

/* Read the pages of [off, off + len) into memory; wait for the disk. */
void source_populate(const struct source *src, uint64_t off, uint64_t len);

/* Report whether all pages of [off, off + len) are in memory. The kernel tells this only to users who may write to the
 * file; for others the result is always true. */
bool source_resident(const struct source *src, uint64_t off, uint64_t len);

#endif
