/* index_cache.h - keep the index of a big log on disk ($XDG_CACHE_HOME/evtui), so that it opens at once the next time.
 *
 * A file holds the tables of one log as they are in memory (log_image.h) and is mapped, not read. It is believed only if
 * it was written by this very build (INDEX_BUILD: a checksum over the sources that make the index, and sizes of rows) for
 * this very file: device, inode, size, times of change, and a hash of the header and of pages all over the log. Every
 * section has a checksum; besides, whatever is used as an index is checked, so that no file leads
 * outside of the map. Anything else is as if there were no file, and it is replaced.
 *
 * Kept are the indexes of regular files of INDEX_CACHE_LEAST bytes and more that do not change meanwhile: a smaller one is
 * walked in half a second. Files that would be larger than INDEX_CACHE_FILE, or than 1/INDEX_CACHE_SHARE of their log, are
 * not written, and the oldest are removed when all are more than INDEX_CACHE_ALL. Nothing here is ever an error. */
#ifndef EVL_INDEX_CACHE_H
#define EVL_INDEX_CACHE_H

#include "index/indexer.h"
#include "log/log.h"
#include "sys/atomic_file.h"

#define INDEX_CACHE_LEAST ((uint64_t)512 << 20)
#define INDEX_CACHE_FILE  ((uint64_t)512 << 20)
#define INDEX_CACHE_ALL   ((uint64_t)1 << 30)
enum { INDEX_CACHE_SHARE = 8, INDEX_CACHE_PATH = 4096 };

struct index_cache {
	char dir[INDEX_CACHE_PATH]; /* "": nothing is kept, nothing is looked up */
	uint64_t least, all;        /* INDEX_CACHE_LEAST, INDEX_CACHE_ALL; tests have others */
	int64_t settled;            /* a log must be older than that when it is opened, ns */
	struct atomic_file file;    /* is_ready: opened before the process entered its sandbox, for the log `of` */
	struct source_id of;
	atomic_bool is_ready;
	bool is_confined;
};

/* Of this user: $XDG_CACHE_HOME/evtui, else ~/.cache/evtui. EVTUI_CACHE_LEAST=BYTES is the size of the smallest log. */
void index_cache_init(struct index_cache *c);

/* Before the process enters a sandbox in which it can only read: open what the index of this log may be written to. Later
 * logs are only looked up. Then, at the end, in either case: */
void index_cache_prepare(struct index_cache *c, const char *path);
void index_cache_close(struct index_cache *c);

/* Hooks of the indexer; log is a struct evl_log. */
bool index_cache_recall(void *log, struct indexer_recalled *out, const atomic_bool *cancel);
void index_cache_keep(void *log, const struct indexer_recalled *walked, const atomic_bool *cancel);

/* The file of a log. And map it, and look at all of it: false: it is not of this log. For tests. */
bool index_cache_path(const struct index_cache *c, const struct source_id *id, char *out);
bool index_cache_load(struct evl_log *log, const uint8_t *file, uint64_t len, struct indexer_recalled *out);

/* Where a section is in a file; false: the file has none, or it is no such number. For tests and the fuzzer. */
bool index_cache_section(const uint8_t *file, uint64_t len, size_t i, uint64_t *off, uint64_t *n);

/* Make the checksums of a file's bytes right, as someone might who wishes to be believed: for tests and the fuzzer. */
void index_cache_forge(uint8_t *file, uint64_t len);

#endif
