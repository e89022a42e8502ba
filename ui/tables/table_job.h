/* table_job.h - background job that sorts and filters a table (table.h) and decodes its visible rows.
 *
 * The rows that pass the filter, in order, are found once and kept; a page decodes only its own rows. */
#ifndef EVTUI_TABLE_JOB_H
#define EVTUI_TABLE_JOB_H

#include "jobs/job.h"
#include "table/table.h"

/* A table that can be shown. */
struct table_source {
	const struct table_kind *kind;
	const char *title;                   /* "garbage collections" */
	const char *(*none)(const void *of); /* why there are no rows; a constant */
	int sorted; /* the column it is sorted by at first, -1: none; falling: what is large is asked for first */
	bool falling;
	int wide;              /* a column of longer text; -1: none */
	const uint8_t *widths; /* of the columns, in characters; NULL: by their units */
	int at; /* the column of moments that Enter goes to, if the one it is sorted by is none of them; -1: none */
	const char
		*deepens; /* what a second reading of the log does: "reading how threads waited"; NULL: there is none */
	void *(*open)(const void *of); /* what all further ones are given; NULL: out of memory */
	/* The following are called on the job's thread. deep: with columns that need a second reading of the log.
	 * Return 0, EVL_NOMEM or EVL_CANCELLED. make may be NULL. */
	int (*make)(void *ctx, bool deep, const struct progress *watch);
	int (*refs)(void *ctx, uint64_t **refs, size_t *n);
	void *(*cells)(void *ctx); /* the ctx of the kind's cells */
	void (*close)(void *ctx);
};

/* Selection and order of rows. Compared byte by byte, so start from zeros. */
struct table_ask {
	int column;
	bool falling, deep;
	char filter[TABLE_FILTER]; /* one that table_filter_parse takes */
	uint64_t first;            /* position of the first row of the page */
	size_t n;
	bool follows; /* the page is the one around a row that is known, wherever it stands now */
	uint64_t ref;
	size_t above; /* rows of the page before that one, as far as there are any */
};

struct table_text {
	uint32_t at, len; /* of the page's text */
	bool known;
	double number;
};

struct table_page {
	int result; /* 0, or EVL_NOMEM */
	bool deep;
	uint64_t all, passed;
	uint64_t first; /* position of its first row */
	size_t n;
	int columns;
	uint64_t *refs;
	struct table_text *cells; /* n * columns */
	struct buf text;
};

/* Cell of row i of the page. */
const struct table_text *table_page_cell(const struct table_page *page, size_t i, int column);
struct evl_str table_page_text(const struct table_page *page, const struct table_text *cell);

/* An answer_job whose questions are table_ask and whose answers are table_page. of: what the source opens; outlives the
 * job. NULL when memory or threads are out. */
struct answer_job *table_job_new(
	const struct table_source *source, const void *of, void (*wake)(void *), void *wake_ctx);

/* Free what a page holds. */
void table_page_free(struct table_page *page);

#endif
