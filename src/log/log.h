/* log.h - struct evl_log: open a log, index it in the background, close it; all tables are reached from here.
 *
 * evl_open maps the file and reads its header, at the same cost for any size. evl_start starts the walk in the
 * background: it hops from block to block to find the blocks, then reads every event once and fills the tables. Queries
 * may be made at any time from one thread, the owner of the log; until the walk has ended they cover what is indexed
 * and report the rest as unknown.
 *
 * The tables in struct evl_log are read through the functions of their headers; they are valid once evl_progress
 * reports `ready`. */
#ifndef EVL_LOG_H
#define EVL_LOG_H

#include "bytes/decompress.h"
#include "bytes/source.h"
#include "gc/gc.h"
#include "gc/gc_pauses.h"
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

enum { MAX_MARKERS = 1 << 17 }; /* number kept; further ones are only counted */

struct evl_log {
	char *path;
	struct source source;
	bool unpacked;   /* decompressed from a compressed file */
	uint64_t from_t; /* ns; events before this time were removed, except for definitions; 0: none were */
	struct header header;
	struct blocks blocks;
	struct tile_table *tiles; /* one table per chain (a chain is all blocks of one capability) */
	struct gcs gcs;
	struct busy busy;
	struct threads threads;
	struct program program;
	struct points markers; /* events of traceMarker: positions of the labels in the timeline */
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
	struct prof prof[PROF_SOURCES]; /* time profiles: of cost centres, of ghc-stack-profiler */
	struct event_counts event_counts;
	struct run_stats run_stats; /* complete once evl_progress reports `done` */
	struct thread_lives lives;  /* for the whole run; complete once done */
	struct damage_list damage;  /* by file offset; complete once done */
	uint32_t *cap_chains;       /* chain of each capability, by capability number */
	size_t n_caps;
	uint16_t feeds[WALK_TAGS]; /* by tag: set of tables that receive its events in chain order (log_tables.c) */
	uint8_t takers[WALK_TAGS]; /* by tag: set of tables that receive its events while a part is read */
	unsigned downsample_shift; /* downsample_shift (downsample.h) */
	void (*wake)(void *);      /* callback of evl_start; may be NULL */
	void *wake_ctx;
	struct growing *grows;              /* earlier snapshots of the log (growing.h); NULL: none */
	uint64_t settled_t;                 /* longer snapshots have the same events before this time; 0: not known */
	bool grows_on;                      /* its file is followed: an event that the file ends in is no damage */
	bool data_end;                      /* a DATA_END was found at the end of a block */
	bool nested;                        /* a block starts inside another */
	bool reads_inside;                  /* the directory of blocks contains all blocks inside blocks */
	struct thread_cache *thread_caches; /* one per worker */
	_Atomic(struct gc_pauses *) pauses; /* of the whole log, once evl_all_pauses made them; NULL: not yet */
	struct indexer *indexer;
	int workers;               /* worker threads; 0: the number of processors */
	_Atomic(struct exe *) exe; /* the traced program, for names; NULL: none */
	struct evl_str build_id;   /* build-id that the program must have, as bytes; empty: unknown */
	struct ccdb *ccdb;         /* the same as cost_centres.others, owned; NULL: none */
	struct prefetch *fetch;    /* NULL: queries may wait for the disk */
	/* the log of which this is a sketch (evl_shown) and whose bytes, header and fetch it borrows; else NULL */
	_Atomic(struct evl_log *) whole;
	_Atomic(struct evl_log *) sketch; /* sketch of this log, or NULL */
	struct index_cache *cache;        /* cache for the index, or NULL */
	_Atomic(void *) figures;          /* of the whole run, by cache->figures; NULL: none yet */
	struct source cached;             /* if recalled: the mapped cache file */
	struct image image;               /* if recalled: memory allocated for the tables */
	bool recalled;          /* the index comes from the cache: do not change it, and do not free single tables */
	bool keeps_late;        /* evl_keep writes the cache file, not the thread of the walk */
	bool may_keep;          /* the log qualified for the cache when it was opened */
	unsigned holds;         /* calls of evl_hold that evl_close has not answered yet */
	const char *cache_note; /* message about the cache for the user, once done; NULL: none */
};

/* Functions in addition to those of evl.h follow. */

/* Open a log as evl_open does. watch receives the progress of decompression and can cancel it (EVL_CANCELLED); it may
 * be NULL. */
int evl_open_watched(
	struct evl_log **log, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

/* Open a log from an open source, of which the function takes ownership even if it fails. A truncated or empty header
 * is not an error: there are no events yet. Return 0, or EVL_NOT_A_LOG or EVL_NOMEM with err filled. */
int evl_open_source(struct evl_log **log, const char *path, struct source *src, struct evl_err *err) EVL_MUST_USE;

/* Set the number of worker threads; 0: one per processor. Call before evl_start. */
void evl_use_threads(struct evl_log *log, int n);

/* Use a cache for the index (index_cache.h), which must outlive the log. Call before evl_start. */
void evl_use_cache(struct evl_log *log, struct index_cache *cache);

/* Delay writing the cache file until evl_keep or evl_close, so that a command can print its output first. Otherwise the
 * thread of the walk writes it, and evl_wait waits for that. Call evl_keep_late before evl_start. */
void evl_keep_late(struct evl_log *log);
void evl_keep(struct evl_log *log);

/* Make queries never wait for the disk: bytes that are not in memory count as unknown and are read in the background,
 * and wake(ctx) is called when they are in memory; evl_progress.fetched has then grown. For the viewer, before
 * evl_start. */
void evl_never_wait(struct evl_log *log, void (*wake)(void *), void *ctx);

/* Hold an indexed log in *place instead of the one that is held there; either may be NULL. A log stays open while it is
 * held, even if evl_close has been called. For the thread that closes it. */
void evl_hold(struct evl_log **place, struct evl_log *log);

/* Return the log to show: this log or, while finding its blocks takes long, a sketch of it. A sketch is a log of only
 * the first and the last blocks, from which the capabilities and the time range are known. It accepts the same queries,
 * can be cancelled, and has the progress of the log; evl_close of either closes both. Only for a log with
 * evl_never_wait. */
struct evl_log *evl_shown(struct evl_log *log);

/* Report whether the walk found a block inside another block, whose events were counted for the capability of the outer
 * block. GHC writes no such blocks. evl_wait then reads the log again. A caller that must not wait calls
 * evl_read_again, which starts the second walk as evl_start does; show a sketch (evl_shown), and make no queries to the
 * log, until it is ready again. */
bool evl_misread(const struct evl_log *log);
int evl_read_again(struct evl_log *log) EVL_MUST_USE;

/* Return the sketch of a log whose blocks are known, creating it if necessary. Return NULL if memory ran out. */
struct evl_log *evl_sketch(struct evl_log *log);

/* Return the memory of the index in bytes: tiles, sums of collections, directory of blocks. The tables of threads,
 * collections and markers, which have separate limits, are not included. */
uint64_t evl_index_bytes(const struct evl_log *log);

/* Return the processor time that the index took, in ms; known when it is done. */
int64_t evl_index_cpu_ms(const struct evl_log *log);

/* Return the time, in ns, before which all capabilities are indexed; UINT64_MAX once they all are. */
uint64_t evl_known(const struct evl_log *log);

/* Return the time, in ns, before which the log holds all events of all capabilities; UINT64_MAX unless it was cut. */
uint64_t evl_complete_until(const struct evl_log *log);

/* Compute the division of time and the pauses of [from, to); for the whole run, use log->run_stats. Call once the walk
 * is done, from any thread. Return 0, EVL_NOMEM, or EVL_CANCELLED soon after *cancel becomes true; cancel may be
 * NULL. */
int evl_stats(const struct evl_log *log, uint64_t from, uint64_t to, const atomic_bool *cancel,
	struct run_stats *out) EVL_MUST_USE;

/* Store the pauses of the whole log (gc_pauses.h), for use by one thread. Those of an indexed log are computed once. watch may
 * be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED; free *out with gc_pauses_free before the log is closed. */
int evl_all_pauses(struct gc_pauses *out, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Return the text of a marker, message or label event at a file offset; empty if there is none, or if its bytes are not
 * in memory yet. The text is borrowed from the log. */
struct evl_str evl_text_at(const struct evl_log *log, uint64_t off);

/* Look up a cost centre by id; see cost_centre_read. */
bool evl_cost_centre(const struct evl_log *log, uint32_t id, struct cost_centre *out);

/* Return the time profile: of cost centres or, if that has no samples, of ghc-stack-profiler; it may have no samples
 * either. */
const struct prof *evl_profile(const struct evl_log *log);
struct prof_naming evl_naming(const struct evl_log *log);

/* Use the executable of the program (verified by exe_check) for names of addresses that the log does not name. The log
 * takes ownership. May be called while other threads use names: a previous executable is kept until the log is
 * closed. */
void evl_use_exe(struct evl_log *log, struct exe *exe);

/* Take the names of cost centres that the log does not define from db, which the log then owns. Call this once per log;
 * other threads may read the log at the same time. */
void evl_use_ccdb(struct evl_log *log, struct ccdb *db);

/* Return the label of a thread; empty if it has none. */
struct evl_str evl_label(const struct evl_log *log, uint32_t thread);

#endif
