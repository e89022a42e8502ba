/* event_page.h - read one page of events that pass the filter, forward or backward from any position
 *
 * Reads the log, so it may wait for the disk. Called by the thread of event_job.h and by tests. */
#ifndef EVTUI_EVENT_PAGE_H
#define EVTUI_EVENT_PAGE_H

#include "base/buf.h"
#include "index/event_rank.h"
#include "jobs/event_row.h"
#include "jobs/event_runner.h"
#include "log/log.h"
#include "show/event_filter.h"

/* Selects events and prepares their texts. */
struct event_scan {
	const struct evl_log *log;
	const struct event_rank *order;    /* time order of all events */
	const struct event_filter *filter; /* NULL: all events */
	const struct pattern *pattern;     /* NULL: no search */
	/* Leave out housekeeping events (block markers, sets of capabilities), unless the filter names their type. */
	bool brief;
	struct event_runner runner;
	struct buf text;
	const struct frame *said; /* the event whose details `text` holds */
};
void event_scan_free(struct event_scan *s);

/* event_page_passes: return whether an event passes the filter. event_page_hits: return whether the pattern occurs
 * in its text as shown ("NAME details"). */
bool event_page_passes(struct event_scan *s, uint32_t chain, const struct frame *f);
bool event_page_hits(struct event_scan *s, const struct frame *f);

/* --- rows --- */

#define EVENT_NO_DELTA UINT64_MAX
enum { EVENT_ROOM = 400 }; /* maximum bytes of details per row */

/* One row of the list. */
struct event_row {
	uint64_t number, t, off; /* number from 0 among all events, time in ns, file offset */
	uint64_t delta;          /* ns since the previous row; 0 in the first */
	/* Time in ns since the last event of the same type in the list; EVENT_NO_DELTA: none close enough. */
	uint64_t kind_delta;
	uint32_t chain;
	uint32_t runner; /* thread that ran on the event's capability; 0: none */
	uint16_t tag, cap, text_len;
	uint16_t own_len;  /* length of the part of `text` that does not repeat the runner */
	bool hit;          /* it matches the search */
	uint8_t label_len; /* length of `label`, the label of the runner */
	char label[32];
	char name[40];
	char text[EVENT_ROOM];
};

/* The wanted page: `above` rows, the selected row, `below` rows. The selected row is `move` rows after (negative:
 * before) a start, which `by` chooses. EVENT_BY_PLACE: the first event at or after `at` or, if there is none, the last
 * event. EVENT_BY_NUMBER: the event with this number, from 0. EVENT_BY_MARKER: the next marker after `at` whose name
 * starts with `marker`, wrapping around; if `marker` is "", the event at `at`. */
struct event_ask {
	enum event_by { EVENT_BY_PLACE, EVENT_BY_NUMBER, EVENT_BY_MARKER } by;
	event_rank_key at;
	uint64_t number;
	char marker[128];
	int move;
	int above, below;
	uint64_t serial; /* number of the request, copied to the page */
};

/* The rows, and details of the selected one. */
struct event_page {
	struct event_row *rows;
	int n, room;
	int cursor;      /* index of the selected row; n is 0 if there is none */
	bool missing;    /* no event has this number, or no marker matches */
	bool begin, end; /* the page starts with the first row of the list; ends with the last */
	uint64_t total;  /* events in the log */
	uint64_t serial;
	struct event_detail {
		uint64_t size, block_off, block_t, block_end; /* bytes of the event; place and times of its block */
		uint16_t block_cap;
		bool in_block;
		uint8_t raw[64]; /* first n_raw bytes of the event */
		size_t n_raw;
		char text[EVENT_TEXT_MOST]; /* all details, cut at EVENT_TEXT_MOST bytes */
		size_t text_len;
		int n_fields;
		struct {
			const char *name;
			char value[120];
			size_t len;
		} fields[EVL_MAX_FIELDS];
		/* An event of the same type was found nearby, after or before this one: next_t or prev_t is its
		 * time. */
		bool has_next, has_prev;
		uint64_t next_t, prev_t;
	} detail; /* of the selected row */
};
void event_page_free(struct event_page *page);

/* Fill the page. If *stop becomes true meanwhile, it is incomplete. Return false if memory ran out. */
bool event_page_page(struct event_scan *s, const struct event_ask *ask, const atomic_bool *stop,
	struct event_page *page) EVL_MUST_USE;

#endif
