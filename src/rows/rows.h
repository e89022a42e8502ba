/* rows.h - every table of metrics as rows of cells, defined once (rows.def): CSV, JSON lines and SQL all scan these.
 *
 *   struct rows_source source = {.log = log, .to = UINT64_MAX};
 *   struct rows_scan scan = {.table = rows_find("gc"), .source = &source, .ask = ROWS_ALL};
 *   int result = rows_open(&scan);
 *   while (result == 0 && (result = rows_next(&scan)) > 0) { … rows_cell(&scan, column) …; result = 0; }
 *   rows_close(&scan);
 *   rows_source_free(&source);
 *
 * A source keeps what a table needs before its first row (references in order, the waits of threads, figures), so that
 * further scans of it are quick. One thread at a time. May wait for the disk. Only when the walk is over. */
#ifndef EVL_ROWS_TABLES_H
#define EVL_ROWS_TABLES_H

#include "base/cell.h"
#include "log/log.h"
#include "sys/progress.h"
#include "table/table.h"

enum rows_id {
#define LISTED(name, help) ROWS_##name,
#include "rows/rows.def"
	ROWS_TABLES
};

struct rows_source {
	const struct evl_log *log;
	uint64_t from, to;         /* rows of [from, to); the whole log: 0 and UINT64_MAX */
	const char *group;         /* of heap bands, as census_grouping_parse reads it; NULL: none */
	const atomic_bool *cancel; /* becomes true when the work is to stop; NULL: never */
	bool all; /* every table will be scanned: what several need is read once, at the first of them */
	void *made[ROWS_TABLES]
		  [2]; /* what scans of a table share, without its deep columns and with them; NULL: not made */
	unsigned few[ROWS_TABLES];    /* scans of a table that were opened without that */
	struct rows_figures *figures; /* of several tables */
};
void rows_source_free(struct rows_source *s);

/* Which rows are wanted. It may be taken as a hint: others may come too. */
struct rows_ask {
	uint64_t low, high; /* of the key: [low, high] */
	int cap, tag;       /* of events; -1: any */
	uint64_t
		columns; /* a bit for each column that will be asked for; what is expensive and not asked for is left out */
};
#define ROWS_ALL ((struct rows_ask){.high = UINT64_MAX, .cap = -1, .tag = -1, .columns = UINT64_MAX})

struct rows_scan {
	const struct rows_table *table;
	struct rows_source *source;
	struct rows_ask ask;
	void *own;          /* of the table; NULL: the scan is not open */
	size_t at, end;     /* the next row, for tables that number them */
	struct buf scratch; /* of the row */
};

struct rows_table {
	const char *name, *help;
	const struct table_column *columns;
	int n_columns;
	int key;                       /* a column in whose order rows come; -1: none */
	bool limits_cap;               /* the scan can be limited to a capability */
	const struct table_kind *list; /* whose rows they are; NULL: the table is read by itself */
	/* Make and free what all scans of a source share (NULL: the list, or nothing); the functions of a scan. */
	int (*make)(struct rows_source *s, bool deep, void **state);
	void (*unmake)(void *state);
	int (*open)(struct rows_scan *s, void *state);
	int (*open_few)(struct rows_scan *s); /* without a state, if the rows asked for are few: 1, else 0 or a code */
	int (*next)(struct rows_scan *s);
	int (*take)(struct rows_scan *s); /* of tables of events: is the event a row? */
	struct datum (*cell)(struct rows_scan *s, int column);
	void (*row)(struct rows_scan *s, struct datum *out); /* all cells; NULL: each is asked for */
	void (*csv)(struct rows_scan *s, struct buf *out);   /* all cells as CSV; NULL: as rows_csv_cells */
	void (*close)(struct rows_scan *s);
};

const struct rows_table *rows_table(enum rows_id id);

/* By name; NULL: there is none. And all names, comma-separated, into out, which is returned:
 * ROWS_NAMES bytes hold all of them; with fewer the list ends with "…". */
enum { ROWS_NAMES = 512 };
const struct rows_table *rows_find(const char *name);
char *rows_names(char *out, size_t room);

/* "ns", "bytes", "share" … */
const char *rows_unit(enum unit unit);

/* Move before the first row. Return 0, EVL_CANCELLED or EVL_NOMEM; close it in any case. */
int rows_open(struct rows_scan *s) EVL_MUST_USE;

/* 1: there is a next row; 0: there is none, else a code. */
int rows_next(struct rows_scan *s) EVL_MUST_USE;

/* Scans of several tables of events in one walk over the log. Zeros but for n scans, of which table, source and columns are
 * set; rows come in the order of time, each with its scan. Close it in any case. */
enum { ROWS_TAGS = 256 };
struct rows_together {
	struct rows_scan scans[ROWS_TABLES];
	size_t n;
	struct rows_scan lead;
	uint32_t of_tag[ROWS_TAGS]; /* a bit for each scan that wants events with the tag */
	uint32_t left;              /* scans that are to look at the event */
	struct rows_scan *follower; /* the scan that learns who runs, for all that ask; NULL: none does */
};
bool rows_can_share(const struct rows_table *table);
int rows_open_together(struct rows_together *g) EVL_MUST_USE;
int rows_next_together(struct rows_together *g, struct rows_scan **out) EVL_MUST_USE;
void rows_close_together(struct rows_together *g);

/* All cells of the row, out[n_columns]. Texts live as long as that of rows_cell. */
enum { ROWS_COLUMNS = 64 }; /* no table has more */
void rows_row(struct rows_scan *s, struct datum *out);

/* A cell of the row. Its text lives until the next call of a function of the scan. */
struct datum rows_cell(struct rows_scan *s, int column);
void rows_close(struct rows_scan *s);

/* The names of all columns as a line of CSV, and the row as one; as an object of JSON on a line. */
void rows_csv_head(struct buf *out, const struct rows_table *table);
void rows_csv(struct buf *out, struct rows_scan *s, bool spreadsheet); /* as cell_csv_safe */
void rows_json(struct buf *out, struct rows_scan *s);

#endif
