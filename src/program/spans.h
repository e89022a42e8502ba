/* spans.h - user spans: start and end paired by thread, named, nested; searches by time.
 *
 * The walk collects starts and ends with the thread that ran on their capability, 24 bytes each; a span may start on
 * one capability and end on another, so they are matched in order of time, over all chains. That happens when the
 * walk is over, and earlier, to show progress, each time there are four times as many, while they are few; readers always see one
 * complete table, of 40 bytes per span. The earliest MAX_SPAN_EVENTS starts and ends of all chains are kept; later ones are
 * only counted, and everything after the first of those is unknown.
 *
 * An end closes the innermost open span of its name that the same thread started; if that thread has none open, the
 * oldest of that name (the work was handed on: it is crossed); else it is a stray. Messages while no thread ran
 * count as those of one thread, 0. Conventions with ids are matched by the id alone. A span that is still open at
 * the end of the log ends there and is unfinished.
 *
 * Spans are placed in rows so that those of one row never overlap: each in the first free row below the innermost
 * open span of its thread that it is part of. */
#ifndef EVL_SPANS_H
#define EVL_SPANS_H

#include "base/rows.h"
#include "index/blocks.h"
#include "program/span_syntax.h"

enum { MAX_SPAN_EVENTS = 1 << 18, SPAN_ROWS = 32 };

struct span {
	uint64_t start, end;
	uint64_t before;   /* the length of all earlier spans of its row */
	uint64_t off : 48; /* of the event that starts it */
	uint64_t convention : 6;
	uint64_t unfinished : 1;
	uint64_t crossed : 1;      /* another thread ended it */
	uint64_t row : 8;          /* SPAN_ROWS: it found none */
	uint32_t thread, ended_by; /* that began and ended it; 0: none */
};
_Static_assert(sizeof(struct span) == 40, "40 bytes a span");

struct span_table {
	struct {
		const struct span *items; /* in order of time */
		size_t n;
	} rows[SPAN_ROWS];
	int n_rows;
	size_t n;        /* spans */
	size_t deeper;   /* of them without a row, last of the items, in order of time */
	uint64_t strays; /* ends without a start */
	uint64_t unfinished, crossed;
	struct span_table *older; /* readers may still hold them */
	struct span items[];
};

/* A start or an end; the rest is in the log. */
struct span_event {
	uint64_t t, off;
	uint32_t thread; /* that ran on its capability; 0: none */
};

struct spans {
	struct rows *events; /* one a chain */
	size_t n_chains;
	_Atomic(struct span_table *) table;
	_Atomic uint64_t more;         /* begins and ends that were not kept */
	_Atomic uint64_t kept_until;   /* all of them before this time are */
	uint64_t n_events, next_match; /* of the walk: those kept before kept_until */
	uint64_t n_rows;               /* and all that were collected */
};

int spans_init(struct spans *s, size_t n_chains) EVL_MUST_USE;
void spans_free(struct spans *s);

/* Starts and ends in one part of a chain; initially zeros. */
struct span_partial {
	struct span_event *events;
	size_t n, room;
	uint64_t more, more_from; /* that were not kept; the first of them */
};
void spans_now(struct span_partial *share, const struct frame *f, uint32_t thread);

/* Append what the next part of a chain found, and free it. True: it is time to match. */
bool spans_join(struct spans *s, uint32_t chain, struct span_partial *share);

/* Make a new table of the collected spans. log_end: the last time of the log. last: no more will be collected, so
 * free the input. Return 0 or EVL_NOMEM. */
int spans_match(struct spans *s, const struct blocks *b, uint64_t log_end, bool last);

/* The latest table; NULL: there are no spans (yet). Valid as long as the log. */
const struct span_table *spans_table(const struct spans *s);

/* Totals of the spans of one row in [t0, t1). */
struct span_sum {
	size_t n;                 /* that touch it */
	uint64_t ns;              /* of their time in it */
	const struct span *first; /* of them; NULL: none */
};
struct span_sum spans_in(const struct span_table *t, int row, uint64_t t0, uint64_t t1);

/* Return the span of a row that covers t; the first that starts after t; the last that starts before. NULL: none. */
const struct span *spans_at(const struct span_table *t, int row, uint64_t at);
const struct span *spans_after(const struct span_table *t, int row, uint64_t at);
const struct span *spans_before(const struct span_table *t, int row, uint64_t at);

/* The name that the program gave it. Borrowed from the log; empty for who must not wait, until it is in memory. */
struct evl_str spans_name(const struct blocks *b, const struct span *s);

/* The same without the number of an instance: "job" for "3 job". */
struct evl_str spans_label(const struct blocks *b, const struct span *s);

/* "START/STOP", "opentelemetry", … */
const char *spans_convention(const struct span *s);

/* To or from a file (image.h): the table, when the walk is over. */
void spans_image(struct image *im, struct spans *s, const struct blocks *blocks);

#endif
