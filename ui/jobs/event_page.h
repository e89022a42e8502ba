/* event_page.h - one page of events that pass the filter, forwards or backwards from any position.
 *
 * Reads the log, so it may wait for the disk: for the thread of event_job.h, and tests. */
#ifndef EVTUI_EVENT_PAGE_H
#define EVTUI_EVENT_PAGE_H

#include "base/buf.h"
#include "index/event_rank.h"
#include "jobs/event_row.h"
#include "jobs/event_runner.h"
#include "log/log.h"
#include "show/event_filter.h"

struct event_scan {
	const struct evl_log *log;
	const struct event_rank *order;
	const struct event_filter *filter; /* NULL: all events */
	const struct pattern *pattern;     /* NULL: no search */
	bool brief;                        /* leave out events of the log's own making, unless the filter names them */
	struct event_runner runner;
	struct buf text;
	const struct frame *said; /* the frame that text tells of */
};
void event_scan_free(struct event_scan *s);

/* Does the event pass the filter; does the pattern occur in its text as shown ("NAME details")? */
bool event_page_passes(struct event_scan *s, uint32_t chain, const struct frame *f);
bool event_page_hits(struct event_scan *s, const struct frame *f);

/* --- rows --- */

#define EVENT_NO_DELTA UINT64_MAX
enum { EVENT_ROOM = 400 }; /* bytes of details that a row shows */

struct event_row {
	uint64_t number, t, off;
	uint64_t delta;      /* since the row before; 0 at the first */
	uint64_t kind_delta; /* since the last event of its kind in the list; EVENT_NO_DELTA: none near */
	uint32_t chain;
	uint32_t runner; /* the thread that ran on its capability; 0: none */
	uint16_t tag, cap, text_len;
	bool hit;          /* of the search */
	uint8_t label_len; /* of the thread */
	char label[32];
	char name[40];
	char text[EVENT_ROOM];
};

/* Where the selected row is: the first event from `at` on (or else the last before it); the event of a number; or
 * the next marker after `at` with a name or prefix (after the last comes the first); without one, `at`. Then a
 * number of rows on or back, and how many rows to show above and below. */
struct event_ask {
	enum event_by { EVENT_BY_PLACE, EVENT_BY_NUMBER, EVENT_BY_MARKER } by;
	event_rank_key at;
	uint64_t number;
	char marker[128];
	int move;
	int above, below;
	uint64_t serial; /* the page has it too */
};

/* Result. */
struct event_page {
	struct event_row *rows;
	int n, room;
	int cursor;      /* the selected row; n is 0 if there is none */
	bool missing;    /* there is no such number, no such marker */
	bool begin, end; /* the first and the last row are those of the list */
	uint64_t total;  /* events of the log */
	uint64_t serial;
	struct event_detail {
		uint64_t size, block_off, block_t, block_end;
		uint16_t block_cap;
		bool in_block;
		uint8_t raw[64];
		size_t n_raw;
		char text[EVENT_TEXT_MOST]; /* all details, or as much of them */
		size_t text_len;
		int n_fields;
		struct {
			const char *name;
			char value[120];
			size_t len;
		} fields[EVL_MAX_FIELDS];
		bool has_next, has_prev; /* of its kind, not far away */
		uint64_t next_t, prev_t;
	} detail; /* of the selected row */
};
void event_page_free(struct event_page *page);

/* Fill the page, or only a part of it if *stop becomes true. Return false if memory runs out. */
bool event_page_page(struct event_scan *s, const struct event_ask *ask, const atomic_bool *stop,
	struct event_page *page) EVL_MUST_USE;

#endif
