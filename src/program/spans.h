/* spans.h - user spans: start and end paired by thread, named, nested; searches by time.
 *
 * While the log is indexed, starts and ends are collected together with the thread that ran on their capability, 24
 * bytes each. A span may start on one capability and end on another, so starts and ends are matched in time order over
 * all chains (the blocks of one capability). Matching is done at the end of indexing and, while their number is
 * small, each time it has grown fourfold, to show progress. Readers always see a complete table, 40 bytes per span. The
 * earliest MAX_SPAN_EVENTS starts and ends of all chains are kept; later ones are only counted, and spans after the
 * first event not kept are unknown.
 *
 * An end closes the innermost open span of its name that the same thread started. If that thread has none, it closes
 * the oldest open span of that name (the work was passed to another thread: the span is crossed). Otherwise it is
 * counted as a stray. Messages posted while no thread ran belong to thread 0. Spans of conventions that have span ids
 * are matched by id alone. A span still open at the end of the log ends there and is unfinished.
 *
 * Spans are arranged in rows so that spans of one row never overlap: each span is in the first free row below the
 * innermost open span of its thread that contains it. */
#ifndef EVL_SPANS_H
#define EVL_SPANS_H

#include "base/rows.h"
#include "index/blocks.h"
#include "program/span_syntax.h"

enum { MAX_SPAN_EVENTS = 1 << 18, SPAN_ROWS = 32 };

struct span {
	uint64_t start, end;
	uint64_t before;   /* total ns of all earlier spans of its row */
	uint64_t off : 48; /* file offset of the event that starts it */
	uint64_t convention : 6;
	uint64_t unfinished : 1;
	uint64_t crossed : 1;      /* ended by another thread than the one that started it */
	uint64_t row : 8;          /* row; SPAN_ROWS: no row was free */
	uint32_t thread, ended_by; /* threads that started and ended it; 0: none */
};
_Static_assert(sizeof(struct span) == 40, "40 bytes per span");

struct span_table {
	struct {
		const struct span *items; /* in time order */
		size_t n;
	} rows[SPAN_ROWS];
	int n_rows;
	size_t n;                     /* number of spans */
	size_t deeper;                /* number of spans without a row: the last of `items`, in time order */
	uint64_t strays;              /* number of ends without a start */
	uint64_t unfinished, crossed; /* number of such spans */
	struct span_table *older;     /* earlier tables, which readers may still use */
	struct span *items;           /* read-only, if the table was loaded from a file */
};

/* A start or an end; its text is read from the log. */
struct span_event {
	uint64_t t, off;
	uint32_t thread; /* thread that ran on its capability; 0: none */
};

struct spans {
	struct rows *events; /* struct span_event; one table per chain */
	size_t n_chains;
	_Atomic(struct span_table *) table;
	_Atomic uint64_t more;       /* number of starts and ends not kept */
	_Atomic uint64_t kept_until; /* all starts and ends before this time are kept */
	/* while indexing: number kept before kept_until; number at which to match next */
	uint64_t n_events, next_match;
	uint64_t n_rows; /* while indexing: number of all collected */
};

/* Allocate empty tables for all chains. Return 0 or EVL_NOMEM. */
int spans_init(struct spans *s, size_t n_chains) EVL_MUST_USE;
void spans_free(struct spans *s);

/* The starts and ends in one part of a chain. Initialise with zeros. */
struct span_partial {
	struct span_event *events;
	size_t n, room;
	uint64_t more, more_from; /* number not kept; time of the first of these */
};

/* Record the event if it starts or ends a span. `thread` runs on its capability (0: none). */
void spans_now(struct span_partial *partial, const struct frame *f, uint32_t thread);

/* Append the starts and ends of the next part of a chain, and free it. Return true if it is time to call
 * spans_match. */
bool spans_join(struct spans *s, uint32_t chain, struct span_partial *partial);

/* Build a new table of the spans collected so far. log_end is the last time of the log. last: no more will be
 * collected, so the starts and ends are freed. Return 0 or EVL_NOMEM. */
int spans_match(struct spans *s, const struct blocks *b, uint64_t log_end, bool last);

/* Return the latest table, or NULL if there are no spans yet. It is valid as long as the log. */
const struct span_table *spans_table(const struct spans *s);

/* Sums over the spans of one row in [t0, t1). */
struct span_sum {
	size_t n;                 /* number of spans that overlap the range */
	uint64_t ns;              /* their time within the range, ns */
	const struct span *first; /* the first of them; NULL: none */
};
struct span_sum spans_in(const struct span_table *t, int row, uint64_t t0, uint64_t t1);

/* Return the span of a row that contains time `at`, the first that starts after it, or the last that starts before it;
 * NULL if there is none. */
const struct span *spans_at(const struct span_table *t, int row, uint64_t at);
const struct span *spans_after(const struct span_table *t, int row, uint64_t at);
const struct span *spans_before(const struct span_table *t, int row, uint64_t at);

/* Return the name of a span, borrowed from the log. On a thread that must not wait for the disk, it is empty until its
 * bytes are in memory. */
struct evl_str spans_name(const struct blocks *b, const struct span *s);

/* Return the name without the number of the instance: "job" for "3 job". */
struct evl_str spans_label(const struct blocks *b, const struct span *s);

/* Return the name of the convention: "START/STOP", "opentelemetry", …. */
const char *spans_convention(const struct span *s);

/* Save or load the final table (image.h). */
void spans_image(struct image *im, struct spans *s, const struct blocks *blocks);

#endif
