/* rows.h - scan any table of a log (gc, threads, events, …) row by row, for CSV, JSON lines and SQL
 *
 *   struct rows_source source = {.log = log, .to = UINT64_MAX};
 *   struct rows_scan scan = {.table = rows_find("gc"), .source = &source, .ask = ROWS_ALL};
 *   int result = rows_open(&scan);
 *   while (result >= 0 && (result = rows_next(&scan)) > 0)
 *       … rows_cell(&scan, column) …
 *   rows_close(&scan);
 *   rows_source_free(&source);
 *
 * A source keeps the data that a table needs before its first row (references to its rows, by key if there is one,
 * waits of threads, metrics), so that later scans of the table start quickly. A source and its scans may be used by one
 * thread at a time, after the log is indexed. Calls may wait for the disk. */
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

/* The log, or the range of it, whose tables are scanned. Set log, from and to, and zero the rest. */
struct rows_source {
	const struct evl_log *log;
	uint64_t from, to;         /* half-open, ns; 0 and UINT64_MAX: the whole log */
	const char *group;         /* grouping of heap bands as census_grouping_parse reads it; NULL: none */
	const atomic_bool *cancel; /* another thread sets it to true to stop the work; NULL: never stop */
	bool all;                  /* all tables will be scanned, so results that several need are computed together */
	/* Data shared by the scans of a table: [0] without its deep columns, [1] with them; NULL: not made yet. */
	void *made[ROWS_TABLES][2];
	unsigned few[ROWS_TABLES];    /* by table: number of scans that open_few has opened */
	struct rows_figures *figures; /* metrics shared by several tables; NULL: not made yet */
	struct event_rank *rank;      /* the order of events, shared by their tables; NULL: not made yet */
};
struct rows_table;
/* Free the shared data, all of it or that of a table. Close all scans of the source or of the table first. */
void rows_source_free(struct rows_source *s);
void rows_source_drop(struct rows_source *s, const struct rows_table *table);

/* The rows and columns that are wanted. This is a hint: a scan may return other rows, too. */
struct rows_ask {
	uint64_t low, high; /* wanted values of the key column: [low, high] */
	int cap, tag;       /* only for tables of events; -1: any */
	/* Bit i: column i will be read. Expensive columns are not computed unless their bit is set. */
	uint64_t columns;
};
#define ROWS_ALL ((struct rows_ask){.high = UINT64_MAX, .cap = -1, .tag = -1, .columns = UINT64_MAX})

/* A scan of one table. */
struct rows_scan {
	const struct rows_table *table;
	struct rows_source *source;
	struct rows_ask ask;
	/* Only for tables of events: return whether the scan returns the row of an event; NULL: of all events. */
	bool (*keep)(void *ctx, uint32_t chain, const struct frame *f);
	void *keep_ctx;
	void *own;          /* private state of the table; NULL: the scan is not open */
	size_t at, end;     /* number of the next row and of rows in all, for tables that number their rows */
	struct buf scratch; /* texts of the present row */
};

/* A table: its columns, and the functions that scan it. */
struct rows_table {
	const char *name, *help; /* e.g. "gc"; one sentence */
	const struct table_column *columns;
	int n_columns;
	int key;         /* column that the rows are ordered by; -1: none */
	bool limits_cap; /* a scan can be limited to one capability */
	bool of_profile; /* without rows if the time profile has no samples */
	/* The list that the rows come from; NULL: the functions below read the table. */
	const struct table_kind *list;
	/* make, unmake: create and free the data that all scans of a source share; NULL: the table has a `list`, which
	 * does this, or needs no such data. The other functions work on one scan. Those that return int return a
	 * negative error code on failure. */
	int (*make)(struct rows_source *s, bool deep, void **state);
	void (*unmake)(void *state);
	int (*open)(struct rows_scan *s, void *state);
	/* Open without shared data if only few rows are wanted. Return 1 if opened, 0 if not. */
	int (*open_few)(struct rows_scan *s);
	int (*next)(struct rows_scan *s);
	int (*take)(struct rows_scan *s); /* only for tables of events: return whether the event is a row */
	struct datum (*cell)(struct rows_scan *s, int column);
	void (*row)(struct rows_scan *s, struct datum *out); /* get all cells; NULL: cell is called for each */
	void (*csv)(struct rows_scan *s, struct buf *out);   /* append all cells as CSV; NULL: use rows_csv_cells */
	void (*close)(struct rows_scan *s);
};

/* Return a table by its number. */
const struct rows_table *rows_table(enum rows_id id);

/* Find a table by name; return NULL if there is none. rows_names writes all names, separated by commas, to out and
 * returns it. ROWS_NAMES bytes are enough for all of them; in a smaller buffer the list ends with "…". */
enum { ROWS_NAMES = 512 };
const struct rows_table *rows_find(const char *name);
char *rows_names(char *out, size_t room);

/* Return the unit as shown in headings and schemas: "ns", "bytes", "share", …; a constant. */
const char *rows_unit(enum unit unit);

/* Start a scan before its first row. Return 0, EVL_CANCELLED or EVL_NOMEM. Call rows_close in any case. */
int rows_open(struct rows_scan *s) EVL_MUST_USE;

/* Move to the next row. Return 1, 0 at the end, or EVL_CANCELLED or EVL_NOMEM. */
int rows_next(struct rows_scan *s) EVL_MUST_USE;

/* Scan several tables of events in one pass over the log. Zero the struct, then set n and the table, source and
 * wanted columns of scans[0] to scans[n - 1]. Rows come in time order; *out is the scan that a row belongs to. Call
 * rows_close_together in any case. Only tables for which rows_can_share is true can be scanned together. */
enum { ROWS_TAGS = 256 };
struct rows_together {
	struct rows_scan scans[ROWS_TABLES];
	size_t n;
	struct rows_scan lead;      /* private: the pass over the events */
	uint32_t of_tag[ROWS_TAGS]; /* indexed by event type: bit i: scans[i] wants it */
	uint32_t left;              /* bits of the scans that have not seen the present event yet */
	/* The scan that tracks which thread runs, for all that need it; NULL: none does. */
	struct rows_scan *follower;
};
/* rows_can_share: return whether a table can be scanned together with others. rows_open_together,
 * rows_next_together: return values as for rows_open and rows_next. */
bool rows_can_share(const struct rows_table *table);
int rows_open_together(struct rows_together *g) EVL_MUST_USE;
int rows_next_together(struct rows_together *g, struct rows_scan **out) EVL_MUST_USE;
void rows_close_together(struct rows_together *g);

/* Get all cells of the row in out[n_columns]. Their texts live as long as those of rows_cell. */
enum { ROWS_COLUMNS = 64 }; /* maximum of n_columns */
void rows_row(struct rows_scan *s, struct datum *out);

/* Get one cell of the row. Its text is valid until the next call with this scan. */
struct datum rows_cell(struct rows_scan *s, int column);
void rows_close(struct rows_scan *s);

/* Append the names of all columns as a line of CSV, the present row as a line of CSV, or the row as one line of
 * JSON. Columns that hold yes or no are numbers in all of them, as their unit says. */
void rows_csv_head(struct buf *out, const struct rows_table *table);
void rows_csv(struct buf *out, struct rows_scan *s, bool spreadsheet); /* spreadsheet: see cell_csv_safe */
void rows_json(struct buf *out, struct rows_scan *s);

#endif
