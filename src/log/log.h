/* log.h - struct evl_log: open a log, index it in the background, close it; all tables are reached from here.
 *
 * evl_open maps the file and reads its header; it costs the same for any size. evl_start starts the background walk:
 * it first hops from block to block, then reads every event once. Queries may be made at any time from one thread
 * (the owner of the log); until the walk is over they answer for what is indexed and report the rest as unknown.
 *
 * The tables of struct evl_log are read through the functions of their headers; they are valid from evl_ready on. */
#ifndef EVL_LOG_H
#define EVL_LOG_H

#include "bytes/decompress.h"
#include "bytes/source.h"
#include "gc/gc.h"
#include "gc/nonmoving.h"
#include "heap/census.h"
#include "heap/heap.h"
#include "index/downsample.h"
#include "index/event_find.h"
#include "index/points.h"
#include "log/event_counts.h"
#include "log/run_stats.h"
#include "prof/cost_centres.h"
#include "prof/prof_names.h"
#include "program/ipe.h"
#include "program/messages.h"
#include "program/perf.h"
#include "program/program.h"
#include "program/spans.h"
#include "sched/busy_union.h"
#include "sched/cap_life.h"
#include "sched/caps.h"
#include "sched/idle.h"
#include "sched/log_gaps.h"
#include "sched/sparks.h"
#include "sched/tasks.h"
#include "sched/thread_lives.h"
#include "sched/threads.h"

enum { MAX_MARKERS = 1 << 17 }; /* that are kept; more are counted */

struct evl_log {
	char *path;
	struct source source;
	bool unpacked;   /* from a compressed file */
	uint64_t from_t; /* the run was cut off before this time, but for what says whose log it is; 0: it was not */
	struct header header;
	struct blocks blocks;
	struct tile_table *tiles; /* one a chain */
	struct gcs gcs;
	struct busy busy;
	struct threads threads;
	struct program program;
	struct points markers; /* of traceMarker: where the timeline draws its labels */
	struct messages messages;
	struct spans spans;
	struct tasks tasks; /* OS threads */
	struct heap heap;
	struct census census;
	struct ipe ipe;
	struct nonmoving nonmoving;
	struct log_gaps gaps;
	struct perf perf;
	struct sparks sparks;
	struct cap_life cap_life;
	struct cost_centres cost_centres;
	struct prof prof[PROF_SOURCES]; /* the time profile: of cost centres, of calls */
	struct event_counts event_counts;
	struct run_stats run_stats; /* complete when evl_progress says done */
	struct thread_lives lives;  /* of the whole run; also */
	struct damage_list damage;  /* complete when done: by offset */
	uint32_t *cap_chains;       /* chains of capabilities, by capability number */
	size_t n_caps;
	uint16_t feeds[WALK_TAGS]; /* by tag: which tables it is fed to in the order of the chains */
	uint8_t takers[WALK_TAGS]; /* by tag: which gather it while a part is walked */
	unsigned downsample_shift; /* of samples */
	void (*wake)(void *);      /* given to evl_start; NULL: no caller looks on */
	void *wake_ctx;
	bool data_end;                      /* of the walk: a DATA_END was found at the end of a block */
	bool nested;                        /* of the walk: a block begins inside of another */
	bool reads_inside;                  /* and the directory of blocks knows all that do */
	struct thread_cache *thread_caches; /* one a worker */
	struct indexer *indexer;
	int workers;               /* of the walk; 0: as many as there are processors */
	_Atomic(struct exe *) exe; /* the program, for names; NULL: none */
	struct prefetch *fetch;    /* NULL: queries may wait */
	struct evl_log *whole; /* this is a sketch of it, and borrows its bytes, header and fetch; NULL: it is none */
	_Atomic(struct evl_log *) sketch; /* of this log; NULL: there is none */
	struct index_cache *cache;        /* where its index is looked up and kept; NULL: nowhere */
	struct source cached;             /* of `recalled`: the map that the tables are in, */
	struct image image;               /* and what was made besides */
	bool recalled;          /* the index is that of the cache: not to be changed, nor to be freed table by table */
	bool keeps_late;        /* evl_keep keeps the index, not the walk's thread */
	bool may_keep;          /* its index, as things were when it was opened */
	const char *cache_note; /* for people, when done; NULL: none */
};

/* In addition to the functions of evl.h: */

/* Like evl_open; watch follows the decompression and may end it: EVL_CANCELLED. */
int evl_open_watched(
	struct evl_log **log, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

/* Open what is mapped already. The log takes the source over, also on failure. A header that is cut, even to nothing, is
 * no error: there are no events yet. */
int evl_open_source(struct evl_log **log, const char *path, struct source *src, struct evl_err *err) EVL_MUST_USE;

/* Walk with n threads; 0: one per processor. Before evl_start. */
void evl_use_threads(struct evl_log *log, int n);

/* Look the index up in a cache, which outlives the log, and keep it there (index_cache.h). Before evl_start. */
void evl_use_cache(struct evl_log *log, struct index_cache *cache);

/* Do not keep it on the walk's thread, which evl_wait waits for, but here or in evl_close: a command writes its output first.
 * evl_keep_late: before evl_start. */
void evl_keep_late(struct evl_log *log);
void evl_keep(struct evl_log *log);

/* From now on queries never wait for the disk: parts that are not in memory are unknown and fetched, and wake(ctx) is
 * called when they are there (evl_progress.fetched has grown, too). For the viewer, before evl_start. */
void evl_never_wait(struct evl_log *log, void (*wake)(void *), void *ctx);

/* Return the log to show: this one or, while finding its blocks takes long, a sketch of it: a log of its first and last
 * blocks, which knows only the capabilities and the range of time. A sketch may be asked whatever the log may,
 * cancelled, and has the log's progress; evl_close of either closes both. Only of a log that never waits. */
struct evl_log *evl_shown(struct evl_log *log);

/* Report whether the walk met a block inside a block: GHC writes none, and the events in it were counted for the capability of
 * the outer block. evl_wait then reads the log again. Where it must not wait, evl_read_again starts the second walk, as
 * evl_start does; ask the log nothing until it is ready again, and show a sketch meanwhile (evl_shown). */
bool evl_misread(const struct evl_log *log);
int evl_read_again(struct evl_log *log) EVL_MUST_USE;

/* Return a sketch of a log whose blocks are known, made now if there is none yet. NULL: out of memory. */
struct evl_log *evl_sketch(struct evl_log *log);

/* Return the bytes that the index takes: tiles, sums of collections, block rows. Tables of threads, collections and
 * markers have separate ceilings. */
uint64_t evl_index_bytes(const struct evl_log *log);

/* Compute the time split and pauses of [from, to); those of the whole run are in log->run_stats. When done. May be
 * called from any thread. Return 0, EVL_NOMEM, or EVL_CANCELLED soon after *cancel (may be NULL) becomes true. */
int evl_stats_until(const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel,
	struct run_stats *out) EVL_MUST_USE;
int evl_stats(const struct evl_log *log, uint64_t from, uint64_t to, struct run_stats *out) EVL_MUST_USE;

/* Return the text of a marker, message or label event at a file offset; empty where there is none. Borrowed from the
 * map. */
struct evl_str evl_text_at(const struct evl_log *log, uint64_t off);

/* Look up a cost centre by its id; see cost_centre_read. Borrowed from the map. */
bool evl_cost_centre(const struct evl_log *log, uint32_t id, struct cost_centre *out);

/* Return the log's profile: that of its cost centres, else that of its calls; either may have no samples. */
const struct prof *evl_profile(const struct evl_log *log);
struct prof_naming evl_naming(const struct evl_log *log);

/* Take names of addresses that the log does not name from its program (exe_check: it is the one), which the log takes over.
 * May be called while other threads ask: one that was given before stays until the log is closed. */
void evl_use_exe(struct evl_log *log, struct exe *exe);

/* Return the label of a thread; empty where it has none. */
struct evl_str evl_label(const struct evl_log *log, uint32_t thread);

#endif
