/* table_job.h - background job that sorts and filters a table (table.h) and decodes its visible rows
 *
 * The rows that pass the filter are found and sorted once and kept; a page decodes only its own rows. */
#ifndef EVTUI_TABLE_JOB_H
#define EVTUI_TABLE_JOB_H

#include "jobs/job.h"
#include "report/abilities.h"
#include "table/table.h"

/* A table that can be shown, and how it is shown. */
struct table_source {
	const struct table_kind *kind;
	unsigned list;        /* table_range.list: enum figure_list_id */
	const char *title;    /* title: "garbage collections" */
	const char *exported; /* its name for :export, "csv gc"; NULL: it cannot be exported */
	bool stays;           /* it is a pane's own table: Esc does not close it */
	const char *none;     /* message if there are no rows; NULL: derived from `absence` */
	enum absence absence;
	int sorted; /* initial sort column, -1: none; falling: largest first */
	bool falling;
	int wide;              /* column of longer text; -1: none */
	bool fills;            /* that column takes the room that is left */
	const uint8_t *widths; /* widths of the columns in characters; NULL: by their units */
	/* Column of moments that Enter goes to, unless the sort column is one; -1: none. */
	int at;
	/* Message while a deep list is made, "reading how threads waited"; NULL: it is never made deep. */
	const char *deepens;
};

/* The question: order, filter and page. Compared byte by byte, so initialize with zeros. */
struct table_ask {
	int column;
	bool falling, deep;
	char filter[TABLE_FILTER]; /* valid for table_filter_parse */
	uint64_t first;            /* index of the first row of the page, in the sorted order */
	size_t n;
	bool follows; /* instead of `first`: show the page around row `ref`, wherever it is in the order */
	uint64_t ref;
	size_t above; /* number of rows before that row, as far as they exist */
};

/* A cell of a page. */
struct table_text {
	uint32_t at, len; /* offset and length in the page's text */
	bool known;
	double number; /* value, if it is a number */
};

/* The answer: rows to display. */
struct table_page {
	int result; /* 0, or EVL_NOMEM */
	bool deep;
	uint64_t all, passed; /* number of rows before and after the filter */
	uint64_t first;       /* index of its first row, in the sorted order */
	size_t n;
	int columns;
	struct buf remark; /* on the whole list; mostly empty */
	uint64_t *refs;
	struct table_text *cells; /* n * columns, row by row */
	struct buf text;
};

/* table_page_cell: return the cell of row i of the page. table_page_text: return its text. */
const struct table_text *table_page_cell(const struct table_page *page, size_t i, int column);
struct evl_str table_page_text(const struct table_page *page, const struct table_text *cell);

/* Start a job (job.h) with struct table_ask as questions and struct table_page as answers. of: the range, or the
 * list itself, which must outlive the job (see table_list_new). Return NULL if memory ran out or the thread could
 * not be started. */
struct answer_job *table_job_new(
	const struct table_source *source, const void *of, void (*wake)(void *), void *wake_ctx);

/* Free what a page owns. */
void table_page_free(struct table_page *page);

#endif
