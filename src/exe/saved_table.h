/* saved_table.h - read a table in a file of ipedb or ccdb (0.2 and later): look up the value of a key, and decode it.
 *
 * The file is a tar archive, gzipped or not, of a snapshot of lsm-tree. Each run of the snapshot is a file
 * NUMBER.keyops, which consists of pages of 4 KiB with sorted keys and their values; a value that is larger than a page
 * continues in the following pages. Keys are numbers of 4 or 8 bytes, big-endian. The file is not trusted. */
#ifndef EVL_SAVED_TABLE_H
#define EVL_SAVED_TABLE_H

#include "base/buf.h"
#include "bytes/source.h"

struct saved_run {
	const uint8_t *pages;
	uint64_t len;
	size_t first, n; /* its part of saved_table.starts: index of the first element, number of elements */
};

struct saved_table {
	struct source source;
	struct saved_run *runs;
	size_t n_runs, room_runs;
	/* numbers (within their run) of the pages that start with a header, for all runs in order; all other pages
	 * continue a value */
	uint32_t *starts;
	size_t n_starts, room_starts;
};

/* Read a file, decompress it if necessary, and find its pages. Take ownership of the source even if this fails. Return
 * 0, or EVL_NOT_A_LOG, EVL_IO or EVL_NOMEM with err filled. */
int saved_table_open(struct saved_table *t, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;
void saved_table_close(struct saved_table *t);

/* Report whether data may be the first `len` bytes of such a file. */
bool saved_table_is(const uint8_t *data, uint64_t len);

/* Find the value of a key of `size` bytes, 4 or 8. The value is borrowed from the table. Return false if there is
 * none. */
bool saved_table_find(const struct saved_table *t, uint64_t key, unsigned size, struct evl_str *value);

/* Call take for each key of `size` bytes and its value, until it returns false or, in a damaged file, for at most a
 * few million entries. */
void saved_table_each(const struct saved_table *t, unsigned size,
	bool (*take)(void *ctx, uint64_t key, struct evl_str value), void *ctx);

/* A value that is being decoded: each function removes a part from its front. If the value is cut short, `bad` is set;
 * texts are then empty, and numbers must be ignored. */
struct saved_value {
	struct evl_str rest;
	bool bad;
};
struct evl_str saved_text(struct saved_value *v);
uint64_t saved_number(struct saved_value *v, unsigned bytes); /* big-endian */
void saved_place(struct saved_value *v, struct buf *out);     /* append "src/Main.hs:12:3-9"; ":" if unknown */

#endif
