/* table_job.h - background job that sorts and filters a table (table.h) and decodes its visible rows.
 *
 * The rows that pass the filter, in order, are found once and kept; a page decodes only its own rows. */
#ifndef EVTUI_TABLE_JOB_H
#define EVTUI_TABLE_JOB_H

#include "jobs/job.h"
#include "report/absence.h"
#include "table/table.h"

/* A table that can be shown: how a list looks. */
struct table_source {
	const struct table_kind *kind;
	unsigned list;        /* of the range: which list of figures */
	const char *title;    /* "garbage collections" */
	const char *exported; /* as :export calls it: "csv gc"; NULL: it does not */
	const char *none;     /* why there are no rows; NULL: what is absent tells */
	enum absence absence;
	int sorted; /* the column it is sorted by at first, -1: none; falling: what is large is asked for first */
	bool falling;
	int wide;              /* a column of longer text; -1: none */
	const uint8_t *widths; /* of the columns, in characters; NULL: by their units */
	int at; /* the column of moments that Enter goes to, if the one it is sorted by is none of them; -1: none */
	const char *deepens; /* what making it deep does: "reading how threads waited"; NULL: it is never made deep */
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

/* An answer_job whose questions are table_ask and whose answers are table_page. of: the range, or the list itself, which
 * then outlives the job (table_list_new). NULL when memory or threads are out. */
struct answer_job *table_job_new(
	const struct table_source *source, const void *of, void (*wake)(void *), void *wake_ctx);

/* Free what a page holds. */
void table_page_free(struct table_page *page);

#endif
