/* evl.h - read GHC eventlogs: open a log, index it in the background, then ask.
 *
 *   struct evl_log *log;
 *   struct evl_err err;
 *   if (evl_open(&log, "prog.eventlog", &err) < 0 || evl_start(log, NULL, NULL) < 0 || evl_wait(log) < 0) …
 *
 * Times are nanoseconds since the start of the program's run-time system; ranges are half-open, [from, to).
 *
 * Threads: a log has one owner, the thread that opened it. Until evl_progress says `done`, only the owner may call;
 * from then on all functions with a const log may be called from any thread.
 *
 * Side effects: evl_open installs a handler for SIGBUS, so that a file that shrinks while it is mapped reads as zeros;
 * a compressed log is unpacked into an unlinked file in $TMPDIR. Nothing is printed, and no function exits. */
#ifndef EVL_H
#define EVL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EVL_API      __attribute__((visibility("default")))
#define EVL_MUST_USE __attribute__((warn_unused_result))

/* Bytes that belong to the log. Not NUL-terminated, not necessarily UTF-8. */
struct evl_str {
	const uint8_t *p;
	size_t len;
};

/* Functions that return int return 0 or more, or one of these. */
enum evl_code {
	EVL_OK = 0,
	EVL_IO = -999, /* the file cannot be read */
	EVL_NOMEM,     /* out of memory */
	EVL_EMPTY,     /* the file has no bytes */
	EVL_NOT_A_LOG, /* not a GHC eventlog */
	EVL_CANCELLED, /* evl_cancel or a callback ended it */
	EVL_USAGE,     /* wrong usage */
	EVL_EXISTS     /* the file to write exists */
};

#define EVL_NO_OFFSET UINT64_MAX

/* Details of a failure: one line of text without newline; off is the file offset, EVL_NO_OFFSET where there is none. */
struct evl_err {
	int code;
	uint64_t off;
	char text[200];
};

/* Return the general text of a code; never NULL. */
EVL_API const char *evl_strerror(int code);

struct evl_log;

/* Open a log: plain, compressed (.gz, .zst, .xz, as built in) or a heap profile (.hp). The cost does not depend on the
 * size, except of a compressed log. Return 0, or EVL_IO, EVL_EMPTY, EVL_NOT_A_LOG or EVL_NOMEM with *err filled and
 * *log NULL. Close the log with evl_close. */
EVL_API int evl_open(struct evl_log **log, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Open a log of `len` bytes in memory, which the caller keeps until evl_close. */
EVL_API int evl_open_memory(struct evl_log **log, const void *data, size_t len, struct evl_err *err) EVL_MUST_USE;

/* Start to index the log in the background. wake(ctx), where it is not NULL, is called from another thread after news,
 * at most ten times a second and once at the end. Return 0, EVL_NOMEM or EVL_IO. */
EVL_API int evl_start(struct evl_log *log, void (*wake)(void *), void *ctx) EVL_MUST_USE;

/* Wait until the index is complete. Return 0, EVL_CANCELLED or EVL_NOMEM. */
EVL_API int evl_wait(struct evl_log *log);

/* Ask the indexer to stop soon; what is indexed stays usable. */
EVL_API void evl_cancel(struct evl_log *log);

/* Stop the indexer and free everything. NULL is allowed. */
EVL_API void evl_close(struct evl_log *log);

struct evl_progress {
	uint64_t bytes, total; /* of the data section: indexed, and all */
	uint64_t found;        /* of it: the blocks are known; reading them starts when all are */
	uint64_t events;       /* indexed */
	uint64_t ms;           /* time taken so far, or in all */
	uint64_t fetched;      /* pieces of the log that queries missed and that are in memory by now */
	bool fetching;         /* more of them are on their way */
	bool ready;            /* the blocks are known: so are the capabilities, and about the range of time */
	bool done;             /* the index is complete, or was cancelled */
	int result;            /* when done: 0, EVL_CANCELLED or EVL_NOMEM */
};
EVL_API struct evl_progress evl_progress(const struct evl_log *log);

/* Give the times of the first and the last event; exact when done. Return false where there are no events. */
EVL_API bool evl_range(const struct evl_log *log, uint64_t *first, uint64_t *last);

/* Return true if the log has no end marker: its program was killed, or still writes. */
EVL_API bool evl_unfinished(const struct evl_log *log);

/* Return the number of capabilities. */
EVL_API size_t evl_caps(const struct evl_log *log);

/* --- when done ----------------------------------------------------------------------------------------------------- */

struct evl_thread {
	uint32_t id;
	uint32_t runs;             /* completed runs */
	uint64_t born_ns, died_ns; /* 0: not seen in the log */
	uint64_t run_ns;           /* time running Haskell code, all runs */
	struct evl_str label;      /* empty: none */
};

/* Give the thread with the lowest id above `after` (0: the first). Return false where there are no more. */
EVL_API bool evl_thread_next(const struct evl_log *log, uint32_t after, struct evl_thread *out);

struct evl_pause {
	uint64_t start_ns; /* GC_START of the capability that led the collection */
	uint64_t pause_ns; /* from the request (else from start_ns) to the end of the collection */
	uint64_t sync_ns;  /* of it: before start_ns */
	uint16_t cap;      /* the leader */
	int generation;    /* collected; -1: unknown */
	bool major;        /* the oldest generation was collected */
};

/* Give the n longest pauses whose collection starts in [from, to), longest first, of equals the earliest first.
 * Return their number, or EVL_NOMEM. */
EVL_API int evl_pauses(
	const struct evl_log *log, uint64_t from, uint64_t to, struct evl_pause *out, int n) EVL_MUST_USE;

struct evl_metrics;

/* Compute all metrics of [from, to); 0 and UINT64_MAX: of the whole log. deep: also those that read the log again.
 * Free them with evl_metrics_free. Return 0 or EVL_NOMEM. */
EVL_API int evl_metrics_make(
	struct evl_metrics **out, const struct evl_log *log, uint64_t from, uint64_t to, bool deep) EVL_MUST_USE;
EVL_API void evl_metrics_free(struct evl_metrics *m);

/* Return a metric by name, such as "gc.pause.p99" (ns), "heap.max_live" (bytes) or "time.productivity" (0 … 1); NAN if
 * it is not known in this log or has no such name. `evtui --list-metrics` lists names and units. */
EVL_API double evl_metric(const struct evl_metrics *m, const char *name);

/* --- events -------------------------------------------------------------------------------------------------------- */

struct evl_event {
	uint64_t t, off;  /* time, and file offset of the record */
	int cap;          /* capability; -1: none */
	uint16_t tag;     /* event type */
	const char *name; /* "RUN_THREAD"; NULL for a type that this library does not know */
	struct evl_str payload;
};

struct evl_events;

/* Start to go through the events of [from, to) in time order over all capabilities, of equal times in file order.
 * cap: only those of one capability; -1: all. Costs one walk over the log. Return NULL when memory is out. */
EVL_API struct evl_events *evl_events_begin(
	const struct evl_log *log, uint64_t from, uint64_t to, int cap) EVL_MUST_USE;

/* Give the next event. Return false at the end, and when memory is out (evl_events_end tells). */
EVL_API bool evl_events_next(struct evl_events *e, struct evl_event *out);

/* Free the iterator. Return 0, or EVL_NOMEM if it ended early. NULL is allowed. */
EVL_API int evl_events_end(struct evl_events *e);

/* Return the event that evl_events_next gave last as a line of text, or of JSON, without newline. It is valid until the
 * next call with this iterator. */
EVL_API const char *evl_event_text(struct evl_events *e);
EVL_API const char *evl_event_json(struct evl_events *e);

/* Give a field of that event by name ("thread", "status", "label"). Return false where it has no such field. */
EVL_API bool evl_event_number(const struct evl_events *e, const char *field, uint64_t *out);
EVL_API bool evl_event_string(const struct evl_events *e, const char *field, struct evl_str *out);

#ifdef __cplusplus
}
#endif
#endif
