/* heap_query.h - compute the answers of the heap job, reusing results of the previous question
 *
 * A survey (census_survey.h) is one pass over all samples of a profile. It finds the bands and their sizes. */
#ifndef EVTUI_HEAP_QUERY_H
#define EVTUI_HEAP_QUERY_H

#include "base/buf.h"
#include "log/log.h"
#include "panes/heap/heap_answer.h"
#include "panes/heap/heap_filter.h"

/* Bytes per band in one sample, read from the log. early: nothing, as the first sample is later. */
struct heap_read {
	size_t sample;
	bool there, early;
	struct census_values values;
};

enum { READ_AT, READ_OTHER, HEAP_READS };

/* State of the computation, with cached results. */
struct heap_scan {
	const struct evl_log *log;
	const atomic_bool *cancel;
	void (*tell)(void *ctx); /* called now and then during a long scan; may be NULL */
	void *ctx;
	_Atomic uint64_t done, total; /* progress of a long scan, in samples; total 0: none is running */
	atomic_bool surveying;        /* the running scan is the survey */

	struct heap_ask ask; /* the request being answered */
	bool surveyed, windowed, pictured,
		listed;             /* the survey, the window, the picture and the list are still valid */
	uint32_t surveyed_profile;  /* profile of the survey */
	size_t surveyed_samples;    /* number of samples when it was made */
	unsigned profile, profiles; /* id of the profile; number of profiles in the log */
	struct breakdown_found announced;
	struct census_axis axis;     /* times of the samples */
	struct census_survey survey; /* bands of the profile and their sizes */
	size_t peak;                 /* index of the largest sample of the survey */
	struct census_window window; /* bands over the window */
	struct heap_read reads[HEAP_READS];
	struct heap_series {
		size_t from, to; /* the range of samples, of which n are read, evenly spaced */
		size_t n, n_bands;
		uint32_t *bands;
		uint64_t *times, *bytes; /* bytes: n values per band */
	} series;
	size_t grown_from, grown_to; /* samples that `grown` compares */
	bool has_grown;
	struct heap_changes grown;

	struct filter filter;
	char filter_text[HEAP_FILTER];
	/* Grouping rule of the survey's bands, and the opened group; "": none. */
	char grouped_by[GROUP_TEXT], opened[GROUP_TEXT];
	bool by_name; /* bands with equal names are merged */
	struct heap_base {
		const struct evl_log *of; /* the log to compare with; NULL: none */
		unsigned profile;         /* profile of this log for which the other log was read */
		bool there;               /* the other log has such a profile */
		struct buf text;
		struct base_band {
			/* Positions in `text` of the NUL-terminated name and of the module. */
			size_t at, len, module, module_len;
			uint64_t bytes;
		} * items; /* bands of the other log's largest sample */
		size_t n;
		uint64_t total, t;
		/* Bytes in the other log by band of the survey, n_bands elements; NULL: not matched yet. */
		uint64_t *bytes;
		size_t n_bands;
		struct base_only {
			size_t at, len;
			uint64_t bytes;
		} * only; /* bands or groups that only the other log has */
		size_t n_only, only_room;
	} base;
	bool *hidden; /* indexed by band; NULL: no band is hidden */
	size_t n_hidden;
	uint32_t *order; /* bands of the table, sorted */
	size_t n_order;
	uint32_t order_sort; /* enum heap_sort of `order` */
	struct buf text;

	struct heap_answer picture; /* only its members for the picture are used */
	size_t *which;              /* indices of the samples that the picture uses */
};

/* Initialize without reading. cancel: another thread sets it to true to cancel. */
void heap_scan_init(struct heap_scan *s, const struct evl_log *log, const atomic_bool *cancel);
void heap_scan_free(struct heap_scan *s);

/* Get the grouping of the survey's bands, which the caller frees. Return 0, or EVL_USAGE if they are not grouped. */
int heap_grouping(const struct heap_scan *s, struct census_grouping *g) EVL_MUST_USE;

/* Mark the rows of the table as no longer valid. */
void heap_forget_list(struct heap_scan *s);

/* Return the label of a band, valid until the next call. */
struct evl_str heap_scan_label(struct heap_scan *s, uint32_t number);

/* Copy a label to out, HEAP_LABEL bytes, shortened if necessary. */
void heap_put_label(char *out, struct evl_str label);

/* Answer a request: fill the page, recomputing only what the request changes. Return 0, EVL_CANCELLED or EVL_NOMEM.
 *
 * It reads the log and may wait for the disk, so call it from the thread of heap_job.h or from a test, after the log
 * is indexed. */
int heap_find_page(struct heap_scan *s, const struct heap_ask *ask, struct heap_answer *page) EVL_MUST_USE;

#endif
