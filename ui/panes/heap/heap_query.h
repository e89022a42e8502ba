/* heap_query.h - compute the heap job's answer; caches surveys and samples for the next question. */
#ifndef EVTUI_HEAP_QUERY_H
#define EVTUI_HEAP_QUERY_H

#include "base/buf.h"
#include "log/log.h"
#include "panes/heap/heap_answer.h"
#include "panes/heap/heap_filter.h"

/* The bands of one sample, read from the log. */
struct heap_read {
	size_t sample;
	bool there;
	struct census_values values;
};

enum { READ_AT, READ_OTHER, HEAP_READS };

struct heap_scan {
	const struct evl_log *log;
	const atomic_bool *cancel;
	void (*tell)(void *ctx); /* called now and then during long scans; may be NULL */
	void *ctx;
	_Atomic uint64_t done, total; /* progress of a long scan, in samples; total 0: none is running */
	atomic_bool surveying;        /* that scan is the survey */

	struct heap_ask ask;                       /* the request being answered */
	bool surveyed, windowed, pictured, listed; /* these results are still valid */
	uint32_t surveyed_profile;
	size_t surveyed_samples;
	unsigned profile, profiles; /* id of the shown one, number of all */
	struct breakdown_found announced;
	struct census_axis axis;
	struct census_survey survey;
	size_t peak; /* the largest sample of the survey */
	struct census_window window;
	struct heap_read reads[HEAP_READS];
	struct heap_series {
		size_t from, to; /* its samples, of which n are read, evenly spread */
		size_t n, n_bands;
		uint32_t *bands;
		uint64_t *times, *bytes; /* bytes: n values of each band */
	} series;
	size_t grown_from, grown_to; /* the samples that `grown` compares */
	bool has_grown;
	struct heap_changes grown;

	struct filter filter;
	char filter_text[HEAP_FILTER];
	char grouped_by[GROUP_TEXT], opened[GROUP_TEXT]; /* the rule that groups the survey's bands; "": none */
	bool by_name;                                    /* bands of the same name are merged */
	struct heap_base {
		const struct evl_log *of; /* the other log of a comparison; NULL: none */
		unsigned profile;         /* the profile of this log that it is compared with */
		bool there;               /* the other log has such a profile */
		struct buf text;
		struct base_band {
			size_t at, len, module, module_len; /* places in `text`: the name with a NUL, the module */
			uint64_t bytes;
		} * items; /* the bands of the largest sample of the other log */
		size_t n;
		uint64_t total, t;
		uint64_t *bytes; /* by band of the survey, n_bands of them; NULL: not matched */
		size_t n_bands;
		struct base_only {
			size_t at, len;
			uint64_t bytes;
		} * only; /* bands or groups that only the other log has */
		size_t n_only, only_room;
	} base;
	bool *hidden; /* by band; NULL: no band is hidden */
	size_t n_hidden;
	uint32_t *order; /* the listed bands, in order */
	size_t n_order;
	uint32_t order_sort;
	struct buf text;

	struct heap_answer picture; /* only its picture is used */
	size_t *which;              /* the samples that the picture connects */
};

void heap_scan_init(struct heap_scan *s, const struct evl_log *log, const atomic_bool *cancel);
void heap_scan_free(struct heap_scan *s);

/* Get the grouping of the survey's bands, which the caller frees. Return EVL_USAGE if they are not grouped. */
int heap_grouping(const struct heap_scan *s, struct census_grouping *g) EVL_MUST_USE;

/* Forget the rows of the table. */
void heap_forget_list(struct heap_scan *s);

/* Return the label of a band, valid until the next call. */
struct evl_str heap_scan_label(struct heap_scan *s, uint32_t number);

/* Copy a label to out, cut to fit HEAP_LABEL bytes. */
void heap_put_label(char *out, struct evl_str label);

/* Answer a request of the heap pane: fill the page, recomputing only what the request changes. Return 0, EVL_CANCELLED
 * or EVL_NOMEM.
 *
 * Call only after the walk, from the thread of heap_job.h or a test: it reads the log and may wait for the disk. */
int heap_find_page(struct heap_scan *s, const struct heap_ask *ask, struct heap_answer *page) EVL_MUST_USE;

#endif
