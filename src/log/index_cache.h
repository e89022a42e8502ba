/* index_cache.h - keep the index of a big log on disk ($XDG_CACHE_HOME/evtui), so that it need not be read again the
 * next time.
 *
 * A cache file contains the tables of one log as they are in memory (log_image.h), and is mapped, not read. It is used
 * only if it was written by this build (INDEX_BUILD: a checksum of the sources that create the index, and the sizes of
 * rows) for this file: device, inode, size, times of change, and a hash of the header and of pages throughout the log.
 * Every piece of INDEX_CACHE_PIECE bytes has a checksum, and each value used as an index is checked, so that no file
 * can cause an access outside the map. A file that fails any check is ignored and replaced.
 *
 * Indexes are kept for regular files of at least INDEX_CACHE_LEAST bytes that do not change in the meantime; smaller
 * files are indexed in half a second. Cache files larger than INDEX_CACHE_FILE bytes, or than 1/INDEX_CACHE_SHARE of
 * their log, are not written; when all together exceed INDEX_CACHE_ALL bytes, the least recently used are removed. No
 * problem with the cache is ever an error. */
#ifndef EVL_INDEX_CACHE_H
#define EVL_INDEX_CACHE_H

#include "index/indexer.h"
#include "log/log.h"
#include "sys/atomic_file.h"

#define INDEX_CACHE_LEAST ((uint64_t)512 << 20)
#define INDEX_CACHE_FILE  ((uint64_t)1 << 30)
#define INDEX_CACHE_ALL   ((uint64_t)1 << 30)
enum { INDEX_CACHE_SHARE = 4, INDEX_CACHE_PATH = 4096, INDEX_CACHE_PIECE = 2 << 20, INDEX_CACHE_HEAD = 8192 };

/* Figures of a whole log that are kept with its index, so that opening the log again computes nothing over all
 * collections. A higher room computes them. */
struct index_figures {
	/* compute log->figures, unless they are there or *cancel becomes true */
	void (*make)(const struct evl_log *log, const atomic_bool *cancel);
	/* save or load log->figures (image.h), or that they are NULL */
	void (*image)(struct image *im, struct evl_log *log);
	void (*drop)(void *figures); /* free what make made; NULL: do nothing */
};

struct index_cache {
	char dir[INDEX_CACHE_PATH]; /* directory; "": the cache is off */
	uint64_t least, all;        /* INDEX_CACHE_LEAST and INDEX_CACHE_ALL; tests set others */
	int64_t settled;            /* ns for which a log must have been unchanged when it is opened */
	struct atomic_file file;    /* if is_ready: opened for the log `of` before the process entered its sandbox */
	struct source_id of;
	uint64_t room; /* for that file */
	atomic_bool is_ready;
	bool is_confined;                    /* the process is in a sandbox */
	const struct index_figures *figures; /* may be NULL */
};

/* Use the cache of this user: $XDG_CACHE_HOME/evtui or ~/.cache/evtui. The environment variable EVTUI_CACHE_LEAST
 * replaces INDEX_CACHE_LEAST. figures: what else is kept. */
void index_cache_init(struct index_cache *c, const struct index_figures *figures);

/* Open the cache file of the log at `path` for writing, before the process enters a sandbox in which it can only read.
 * Indexes of other logs are then read, but not kept. Call index_cache_close at the end in any case. */
void index_cache_prepare(struct index_cache *c, const char *path);
void index_cache_close(struct index_cache *c);

/* Callbacks for the indexer: `recall` and `keep` of struct indexer_jobs. log is a struct evl_log. */
bool index_cache_recall(void *log, struct indexer_recalled *out, const atomic_bool *cancel);
void index_cache_keep(void *log, const struct indexer_recalled *walked, const atomic_bool *cancel);

/* Write the path of a log's cache file to `out` (INDEX_CACHE_PATH bytes). index_cache_load fills the tables of a log
 * from a mapped cache file and returns false if the file is not valid for the log. For tests. */
bool index_cache_path(const struct index_cache *c, const struct source_id *id, char *out);
bool index_cache_load(struct evl_log *log, const uint8_t *file, uint64_t len, struct indexer_recalled *out);

/* Store the offset and length of section i of a cache file. Return false if there is no such section. For tests and the
 * fuzzer. */
bool index_cache_section(const uint8_t *file, uint64_t len, size_t i, uint64_t *off, uint64_t *n);

/* Correct all checksums in a cache file, as an attacker would. For tests and the fuzzer. */
void index_cache_forge(uint8_t *file, uint64_t len);

#endif
