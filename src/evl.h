/* evl.h - public interface of the library: open a GHC eventlog, index it in the background, then query it.
 *
 *   struct evl_log *log;
 *   struct evl_err err;
 *   if (evl_open(&log, "prog.eventlog", &err) < 0 || evl_start(log, NULL, NULL) < 0 || evl_wait(log) < 0) …
 *
 * Times are nanoseconds since the start of the program's run-time system; ranges are half-open, [from, to).
 *
 * Threads: a log has one owner, the thread that opened it. Until evl_progress reports `done`, only the owner may
 * call these functions; from then on any thread may call the functions that take a const log.
 *
 * Side effects: evl_open installs a SIGBUS handler, so that a file that shrinks while it is mapped reads as zeros; a
 * compressed log is unpacked into an unlinked file in $TMPDIR. No function prints or exits. */
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

/* Bytes owned by the log; not NUL-terminated, not necessarily UTF-8. */
struct evl_str {
	const uint8_t *p;
	size_t len;
};

/* Error codes. A function that returns int returns 0 or more on success and one of the negative codes on failure. */
enum evl_code {
	EVL_OK = 0,
	EVL_IO = -999, /* the file cannot be read */
	EVL_NOMEM,     /* out of memory */
	EVL_EMPTY,     /* the file is empty */
	EVL_NOT_A_LOG, /* not a GHC eventlog */
	EVL_CANCELLED, /* stopped by evl_cancel or by a callback */
	EVL_USAGE,     /* invalid argument */
	EVL_EXISTS     /* the output file already exists */
};

#define EVL_NO_OFFSET UINT64_MAX

/* Details of a failure. text is one line without a newline; off is the file offset of the problem, or EVL_NO_OFFSET. */
struct evl_err {
	int code; /* enum evl_code */
	uint64_t off;
	char text[200];
};

/* Return the general description of an error code, a constant; never NULL. */
EVL_API const char *evl_strerror(int code);

struct evl_log;

/* Open a log: a plain or compressed eventlog (.gz, .zst, .xz, if built in) or a heap profile (.hp). Opening a plain
 * eventlog takes the same time whatever its size. Return 0; or EVL_IO, EVL_EMPTY, EVL_NOT_A_LOG or EVL_NOMEM, with
 * *err filled and *log NULL. Close the log with evl_close. */
EVL_API int evl_open(struct evl_log **log, const char *path, struct evl_err *err) EVL_MUST_USE;

/* Open a log of `len` bytes in memory, which the caller must keep until evl_close. Return values as for evl_open. */
EVL_API int evl_open_memory(struct evl_log **log, const void *data, size_t len, struct evl_err *err) EVL_MUST_USE;

/* Start indexing the log in the background. wake, if not NULL, is called as wake(ctx) from another thread: at most
 * ten times a second while there is progress, and once at the end. Return 0, EVL_NOMEM or EVL_IO. */
EVL_API int evl_start(struct evl_log *log, void (*wake)(void *), void *ctx) EVL_MUST_USE;

/* Wait until indexing has ended. Return 0 if the index is complete, else EVL_CANCELLED or EVL_NOMEM. */
EVL_API int evl_wait(struct evl_log *log);

/* Ask the indexer to stop soon. The part indexed so far stays usable. */
EVL_API void evl_cancel(struct evl_log *log);

/* Stop the indexer and free the log and everything borrowed from it. log may be NULL. */
EVL_API void evl_close(struct evl_log *log);

/* State of indexing. */
struct evl_progress {
	uint64_t bytes, total; /* bytes of the data section indexed so far, and in all */
	uint64_t found;        /* bytes whose blocks have been located; indexing starts when this reaches total */
	uint64_t events;       /* events indexed so far */
	uint64_t ms;           /* milliseconds spent on indexing: so far, or in all when done */
	uint64_t fetched;      /* pieces of the log read from disk because a query needed them */
	bool fetching;         /* further pieces are being read */
	bool ready; /* all blocks are located, so the capabilities and the approximate range of time are known */
	bool done;  /* indexing has ended: complete, cancelled or failed */
	int result; /* valid when done: 0, EVL_CANCELLED or EVL_NOMEM */
};
/* Return the present state of indexing. */
EVL_API struct evl_progress evl_progress(const struct evl_log *log);

/* Get the times of the first and the last event; approximate until indexing is done. Return false if there are no
 * events. */
EVL_API bool evl_range(const struct evl_log *log, uint64_t *first, uint64_t *last);

/* Return true if the log has no end marker: its program was killed or is still writing. */
EVL_API bool evl_unfinished(const struct evl_log *log);

/* Return the number of capabilities. */
EVL_API size_t evl_caps(const struct evl_log *log);

/* --- only after indexing is done ---------------------------------------------------------------------------------- */

/* A Haskell thread. Its label is borrowed from the log. */
struct evl_thread {
	uint32_t id;
	uint32_t runs;             /* number of completed runs */
	uint64_t born_ns, died_ns; /* creation and end; 0: not in the log */
	uint64_t run_ns;           /* time spent running Haskell code */
	struct evl_str label;      /* empty: the thread has no label */
};

/* Get the thread with the lowest id above `after`; pass 0 to get the first. Return false if there is none. */
EVL_API bool evl_thread_next(const struct evl_log *log, uint32_t after, struct evl_thread *out);

/* A pause: the program's threads are stopped for a collection. */
struct evl_pause {
	uint64_t start_ns; /* GC_START event of the capability that led the collection */
	uint64_t pause_ns; /* from the request (if not logged, from start_ns) to the end of the collection */
	uint64_t sync_ns;  /* the part of pause_ns before start_ns */
	uint16_t cap;      /* capability that led the collection */
	int generation;    /* generation that was collected; -1: unknown */
	bool major;        /* the oldest generation was collected */
};

/* Store the n longest pauses of collections that start in [from, to) in out, longest first; equal ones in time
 * order. Return the number stored, or EVL_NOMEM. */
EVL_API int evl_pauses(
	const struct evl_log *log, uint64_t from, uint64_t to, struct evl_pause *out, int n) EVL_MUST_USE;

struct evl_metrics;

/* Compute all metrics of [from, to); pass 0 and UINT64_MAX for the whole log. deep: include metrics that need a
 * second reading of the log. Free the result with evl_metrics_free. Return 0 or EVL_NOMEM. */
EVL_API int evl_metrics_make(
	struct evl_metrics **out, const struct evl_log *log, uint64_t from, uint64_t to, bool deep) EVL_MUST_USE;
EVL_API void evl_metrics_free(struct evl_metrics *m);

/* Return a metric by name, such as "gc.pause.p99" (ns), "heap.max_live" (bytes) or "time.productivity" (0 to 1).
 * Return NAN if the log does not contain the value or no metric has that name. `evtui --list-metrics` lists all names
 * and units. */
EVL_API double evl_metric(const struct evl_metrics *m, const char *name);

/* --- events ------------------------------------------------------------------------------------------------------- */

/* An event. Its payload is borrowed from the log. */
struct evl_event {
	uint64_t t, off;  /* time in ns, and file offset of the event */
	int cap;          /* capability; -1: none */
	uint16_t tag;     /* number of the event type */
	const char *name; /* name of the event type, e.g. "RUN_THREAD"; NULL if the type is unknown to this library */
	struct evl_str payload;
};

struct evl_events;

/* Create an iterator over the events of [from, to) in time order over all capabilities; events of equal time come in
 * file order. cap: restrict it to one capability; -1: all. Reading all events takes one pass over the log. Return
 * NULL if memory ran out. Free it with evl_events_end. */
EVL_API struct evl_events *evl_events_begin(
	const struct evl_log *log, uint64_t from, uint64_t to, int cap) EVL_MUST_USE;

/* Get the next event. Return false at the end and when memory runs out; evl_events_end tells which. */
EVL_API bool evl_events_next(struct evl_events *e, struct evl_event *out);

/* Free the iterator. Return 0, or EVL_NOMEM if it ended early. e may be NULL. */
EVL_API int evl_events_end(struct evl_events *e);

/* Return the event last read by evl_events_next as one line of text or of JSON, without a newline. The string is
 * valid until the next call with this iterator. */
EVL_API const char *evl_event_text(struct evl_events *e);
EVL_API const char *evl_event_json(struct evl_events *e);

/* Get a field of the event last read, by name ("thread", "status", "label"). Return false if the event has no such
 * field. */
EVL_API bool evl_event_number(const struct evl_events *e, const char *field, uint64_t *out);
EVL_API bool evl_event_string(const struct evl_events *e, const char *field, struct evl_str *out);

#ifdef __cplusplus
}
#endif
#endif
