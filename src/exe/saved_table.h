/* saved_table.h - a table in a file of ipedb or ccdb (0.2 and later): look up the bytes of a key, decode them.
 *
 * The file is a tar archive, gzipped or not, of a snapshot of lsm-tree: per run a file NUMBER.keyops of pages of 4 KiB, each
 * with sorted keys and their values; a value that is larger than a page continues in the following ones. Keys are numbers of
 * 4 or 8 bytes, big-endian. The file is not trusted. */
#ifndef EVL_SAVED_TABLE_H
#define EVL_SAVED_TABLE_H

#include "base/buf.h"
#include "bytes/source.h"

struct saved_run {
	const uint8_t *pages;
	uint64_t len;
	size_t first, n; /* of the table's `starts` */
};

struct saved_table {
	struct source source;
	struct saved_run *runs;
	size_t n_runs, room_runs;
	uint32_t *starts; /* of all runs: pages with a header; the others continue a value */
	size_t n_starts, room_starts;
};

/* Open a file, unpack it if it is compressed, and find its pages. Takes over the source. Return 0, or EVL_NOT_A_LOG, EVL_IO or
 * EVL_NOMEM with err filled. */
int saved_table_open(struct saved_table *t, struct source *source, const char *path, struct evl_err *err) EVL_MUST_USE;
void saved_table_close(struct saved_table *t);

/* Can these be the first bytes of such a file? */
bool saved_table_is(const uint8_t *data, uint64_t len);

/* Find the value of a key of `size` bytes, 4 or 8. It lasts as long as the table. */
bool saved_table_find(const struct saved_table *t, uint64_t key, unsigned size, struct evl_str *value);

/* Call take for each key of `size` bytes and its value, until it returns false; of a damaged file, for a few
 * million entries. */
void saved_table_each(const struct saved_table *t, unsigned size,
	bool (*take)(void *ctx, uint64_t key, struct evl_str value), void *ctx);

/* Take parts of a value from its front. After one that is cut, `bad` is set and all others are empty. */
struct saved_value {
	struct evl_str rest;
	bool bad;
};
struct evl_str saved_text(struct saved_value *v);
uint64_t saved_number(struct saved_value *v, unsigned bytes); /* big-endian */
void saved_place(struct saved_value *v, struct buf *out);     /* append "src/Main.hs:12:3-9"; ":" if unknown */

#endif
