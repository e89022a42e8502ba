/* heap_scan.h - answers what the heap pane asks: keeps what it has found, and finds anew only what the next ask changes.
 *
 * Reads the log, so it may wait for the disk: for the thread of heap_job.h, and tests. */
#ifndef EVTUI_HEAP_SCAN_H
#define EVTUI_HEAP_SCAN_H

#include "buf.h"
#include "evl.h"
#include "heap_filter.h"
#include "heap_page.h"

/* A sample that was read. */
struct heap_read {
	size_t sample;
	bool there;
	struct census_values values;
};

enum { READ_AT, READ_OTHER, HEAP_READS };

struct heap_scan {
	const struct evl_log *log;
	const atomic_bool *cancel;
	void (*tell)(void *ctx);      /* called now and then while something takes long; NULL: nobody is to be told */
	void *ctx;
	_Atomic uint64_t done, total; /* samples of what takes long; total 0: nothing does */
	atomic_bool surveying;        /* it is the survey */

	struct heap_ask ask;          /* the one that is being answered */
	bool surveyed, windowed, pictured, listed; /* what there is still fits */
	uint32_t surveyed_profile;
	size_t surveyed_samples;
	unsigned profile, profiles;   /* id, how many */
	struct breakdown_told told;
	struct census_axis axis;
	struct census_survey survey;
	struct census_window window;
	struct heap_read reads[HEAP_READS];
	size_t grown_from, grown_to;  /* samples that `grown` is told of */
	bool has_grown;
	struct heap_changes grown;

	struct heap_filter filter;
	char filter_text[HEAP_FILTER];
	bool *hidden;                 /* by band; NULL: none is */
	size_t n_hidden;
	uint32_t *order;              /* bands that are listed */
	size_t n_order;
	uint32_t order_sort;
	struct buf text;

	struct heap_page picture;     /* of it only the picture is used */
	size_t *which;                /* samples of its knots */
};

void heap_scan_init(struct heap_scan *s, const struct evl_log *log, const atomic_bool *cancel);
void heap_scan_free(struct heap_scan *s);

/* Fill the page. 0, EVL_CANCELLED or EVL_NOMEM. Once the log is walked. */
int heap_scan_page(struct heap_scan *s, const struct heap_ask *ask, struct heap_page *page) EVL_MUST_USE;

/* The label of a band as text, valid until the next call. */
struct evl_str heap_scan_label(struct heap_scan *s, uint32_t number);

/* Parts of it: which bands are listed, in what order; the rows on the screen; what is told of the one under the cursor. */
int heap_hide(struct heap_scan *s) EVL_MUST_USE;
int heap_list(struct heap_scan *s) EVL_MUST_USE;
int heap_rows(struct heap_scan *s, struct heap_page *page) EVL_MUST_USE;
int heap_rows_of_tree(struct heap_scan *s, struct heap_page *page) EVL_MUST_USE;
int heap_rows_of_roots(struct heap_scan *s, struct heap_page *page) EVL_MUST_USE;
void heap_facts(struct heap_scan *s, struct heap_page *page);
int heap_growth(struct heap_scan *s, struct heap_page *page) EVL_MUST_USE;

/* Which rows of n are seen: from *top on, the cursor among them. */
void heap_place(const struct heap_ask *ask, size_t n, size_t cursor, struct heap_page *page);
bool heap_rows_fit(struct heap_page *page, size_t n) EVL_MUST_USE;

/* The text of a label, cut to fit. */
void heap_put_label(char *out, struct evl_str label);

#endif
