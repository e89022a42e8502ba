/* source.h - the bytes of a log: a mapped file, or memory (in tests).
 *
 * The map is never written to and never moves. If a file shrinks while it is mapped, the process survives: the missing
 * pages read as zeros from then on, and source_vanished reports this. To that end the first source_open installs a
 * handler of SIGBUS, which acts on the maps of this library and passes every other SIGBUS to the previous handler. */
#ifndef EVL_SOURCE_H
#define EVL_SOURCE_H

#include "base/err.h"

struct source {
	const uint8_t *data; /* valid until source_close */
	uint64_t len;
	bool mapped;
	/* length in bytes of the hole (zeros without disk space) at the end of the file; it is not mapped */
	uint64_t hole;
	uint32_t skip;     /* bytes mapped before `data` */
	bool truncated;    /* the data ends early, because the compressed file is truncated or damaged */
	bool rewritten;    /* converted from a classic heap profile (hp_import.h) */
	int slot;          /* index in the table of maps guarded against SIGBUS, or -1 */
	struct source_id { /* identity of the mapped file; times in ns; all 0 for memory */
		uint64_t dev, ino, size;
		int64_t mtime, ctime;
	} id;
};

/* Map a file. Return 0, or EVL_IO, EVL_EMPTY or EVL_NOMEM with err filled; after an error, do not close src. */
int source_open(struct source *src, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Map an open file, as source_open does. The caller keeps fd and may close it at once; the path is for messages. */
int source_from_fd(struct source *src, int fd, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Map part of a file so that it reads as a file by itself: first the bytes of `head`, then the bytes [from, to) of the
 * file. `from` must be at least the length of `head`. The file is not changed. Errors as for source_open. */
int source_from_part(
	struct source *src, int fd, struct evl_str head, uint64_t from, uint64_t to, struct evl_err *err) EVL_MUST_USE;

/* Store the end of the data of a file in *end: its size without a hole (zeros without disk space) at its end, which may
 * be larger than any disk. Return false with errno set on errors. */
bool source_data_end(int fd, uint64_t *end) EVL_MUST_USE;

/* Use bytes in memory that the caller owns; they must outlive the source. */
void source_from_memory(struct source *src, const void *data, size_t len);

/* Give the pages of a large map back on several threads (worker.h), in half the time that source_close takes on one. Pages that
 * are read afterwards are mapped again; those of a map by source_from_part lose its head. */
void source_release(const struct source *src, int workers);

void source_close(struct source *src);

/* Return the identity of a file in its present state, or compare two identities. */
struct stat;
struct source_id source_id_of(const struct stat *st);
bool source_id_same(const struct source_id *a, const struct source_id *b);

/* Report whether a page of the map was missing because the file shrank while it was mapped. */
bool source_vanished(const struct source *src);

/* Advise the kernel how [off, off + len) will be read: at random, or once in sequence. */
enum source_use { SOURCE_RANDOM, SOURCE_SEQUENTIAL };
void source_advise(const struct source *src, uint64_t off, uint64_t len, enum source_use use);

/* Read the pages of [off, off + len) into memory, waiting for the disk. */
void source_populate(const struct source *src, uint64_t off, uint64_t len);

/* Report whether all pages of [off, off + len) are in memory. The kernel answers this only for users who may write to
 * the file; for others the result is always true. */
bool source_resident(const struct source *src, uint64_t off, uint64_t len);

#endif
